"""What a page must not say: which clip is whose. Kept beside the page, and needed to read ratings."""

from pathlib import Path
from typing import Literal

from voicebench.errors import UserError
from voicebench.files import parse_row, sha256_json, write_text
from voicebench.types import Row

FORMAT: Literal["voicebench-listening-key/1"] = "voicebench-listening-key/1"
_HASH_DIGITS = 16


class KeyClip(Row):
    """One clip of a page.

    Attributes:
        id: Its name on the page and in ratings.
        of: The id of the clip that this one repeats, or was made from; None for a clip by itself.
        anchor: The effect that spoils it on purpose; None where nothing does.
    """

    id: str
    task_id: str
    turn: int
    condition: str
    lang: str
    engine: str
    voice: str
    sha256: str
    spoken_text: str
    written_text: str | None = None
    of: str | None = None
    anchor: str | None = None

    @property
    def is_repeat(self) -> bool:
        """Whether it is heard a second time to see how steady a listener is."""
        return self.of is not None and self.anchor is None

    @property
    def counts(self) -> bool:
        """Whether its ratings count for its engine: it is neither a repeat nor an anchor."""
        return self.of is None


class Key(Row):
    """The file beside a page.

    Attributes:
        page: The page's hash, which its ratings carry.
        seed: What the clips were drawn and ordered by.
        blind: Whether the page keeps back what made a clip.
        write_down: Whether listeners write down what they hear before they see the words.
        clips: In the order of the page.
    """

    format: Literal["voicebench-listening-key/1"] = FORMAT
    page: str
    seed: int
    blind: bool
    write_down: bool
    clips: tuple[KeyClip, ...]


def make_key(clips: tuple[KeyClip, ...], *, seed: int, blind: bool, write_down: bool) -> Key:
    """Return a page's key; its hash follows from everything that a rating is about."""
    rated = [clip.model_dump(mode="json") for clip in clips]
    page = sha256_json({"clips": rated, "blind": blind, "write_down": write_down})[:_HASH_DIGITS]
    return Key(page=page, seed=seed, blind=blind, write_down=write_down, clips=clips)


def key_path(page: Path) -> Path:
    """Return where a page's key lies."""
    return page.with_name(f"{page.stem}-key.json")


def write_key(path: Path, key: Key) -> None:
    """Write a key, a clip a line.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    head = key.model_dump_json(exclude={"clips"}).removesuffix("}")
    clips = ",\n".join(clip.model_dump_json(exclude_none=True) for clip in key.clips)
    write_text(path, f'{head},"clips":[\n{clips}\n]}}\n')


def read_key(path: Path) -> Key:
    """Read a key.

    Raises:
        UserError: It is missing or wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such file. The key is written beside the page and says what its clips are; "
            "give --out PAGE where the page has another name"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    return parse_row(text, Key, str(path))
