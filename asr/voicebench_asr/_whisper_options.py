"""What a user can ask of Whisper behind its name: `whisper-large-v3:vad,beam5`."""

import re
from dataclasses import dataclass, replace

from voicebench.errors import UserError, did_you_mean

OPTIONS = ("vad", "batched", "detect", "beamN")


@dataclass(frozen=True)
class WhisperOptions:
    """How a model hears.

    Attributes:
        vad: Cut out what Silero's voice activity detection takes for no speech.
        batched: Decode several windows at once: clips of up to 30 s together, and the parts of a longer one,
            cut where nobody speaks.
        detect: Detect the language of each clip, also where it is given.
        beam_size: Hypotheses kept while decoding; 1 is greedy.
    """

    vad: bool = False
    batched: bool = False
    detect: bool = False
    beam_size: int = 1

    @classmethod
    def parse(cls, name: str, argument: str, *, beam_size: int = 1) -> "WhisperOptions":
        """Read options as a user writes them behind a name, such as "vad,beam5".

        Args:
            name: Of the model, for the message.
            argument: The options, with commas between them.
            beam_size: Where they do not say.

        Raises:
            UserError: One is unknown.
        """
        found = cls(beam_size=beam_size)
        for word in filter(None, argument.split(",")):
            if beam := re.fullmatch("beam([1-9][0-9]?)", word):
                found = replace(found, beam_size=int(beam[1]))
            elif word in OPTIONS[:-1]:
                found = replace(found, **{word: True})
            else:
                raise UserError(f"{name}:{argument}: unknown option {word!r}.{did_you_mean(word, OPTIONS)}")
        return found
