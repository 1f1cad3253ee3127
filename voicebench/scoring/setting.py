"""What a comparison of values must know beside the values: the language, what "today" is, names."""

from dataclasses import dataclass

from voicebench.scoring.names import Aliases


@dataclass(frozen=True)
class Setting:
    """What holds for one item.

    Attributes:
        lang: Language code of the item; None reads only what is the same in every language of a script.
        reference_date: What "today" is, ISO 8601; None reads no relative date.
        aliases: The table of names; None for the one that comes with the package.
    """

    lang: str | None = None
    reference_date: str | None = None
    aliases: Aliases | None = None


NO_SETTING = Setting()
