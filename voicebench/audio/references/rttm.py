"""Recordings of several speakers, cut by an RTTM file that says who speaks when.

A line is `SPEAKER file channel start duration <NA> <NA> speaker …` (NIST RT-09). Where several speak at once,
nobody's voice is taken.
"""

import itertools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from voicebench.audio.io import read_audio
from voicebench.audio.references.folder import SUFFIXES
from voicebench.audio.references.prepare import Rejection
from voicebench.audio.references.recording import Recording
from voicebench.errors import UserError
from voicebench.files import read_lines
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

_LEAST_PIECE_S = 0.5
_FADE_S = 0.01
_FIELDS = 8


@dataclass(frozen=True)
class Turn:
    """Somebody speaks: in which recording, from when to when (seconds), and who."""

    file: str
    start_s: float
    end_s: float
    speaker: str


def read_rttm(path: Path) -> list[Turn]:
    """Read the speakers' turns of an RTTM file; lines of other types are passed over.

    Raises:
        UserError: The file is missing, a line is broken, or there is no turn.
    """
    turns = []
    for number, line in read_lines(path):
        words = line.split()
        if words[0].startswith(";") or words[0] != "SPEAKER":
            continue
        try:
            start, length = float(words[3]), float(words[4])
        except (IndexError, ValueError):
            start, length = -1.0, -1.0
        if len(words) < _FIELDS or start < 0 or not 0 <= length < float("inf"):
            raise UserError(
                f"{path}:{number}: no RTTM line (SPEAKER file channel start duration <NA> <NA> speaker)"
            )
        turns.append(Turn(words[1], start, start + length, words[7]))
    if not turns:
        raise UserError(f"{path}: holds no SPEAKER line")
    return turns


def alone(turns: Sequence[Turn]) -> list[Turn]:
    """Return when each speaker of one recording speaks and nobody else does, in order of time.

    Turns of one speaker that touch or overlap are one turn.
    """
    edges = sorted({edge for turn in turns for edge in (turn.start_s, turn.end_s)})
    pieces: list[Turn] = []
    for start, end in itertools.pairwise(edges):
        speaking = {turn.speaker for turn in turns if turn.start_s < end and turn.end_s > start}
        if len(speaking) != 1:
            continue
        speaker = speaking.pop()
        before = pieces[-1] if pieces else None
        if before is not None and before.speaker == speaker and before.end_s == start:
            pieces[-1] = Turn(before.file, before.start_s, end, speaker)
        else:
            pieces.append(Turn(turns[0].file, start, end, speaker))
    return pieces


def rttm_recordings(
    sound: Path,
    rttm: Path,
    *,
    min_s: float,
    lang: str | None,
    licence: str | None,
    source: str | None,
    shared_labels: bool = False,
) -> list[Recording]:
    """Return what each speaker of marked recordings says alone.

    Each turn that is long enough is a recording; a speaker with none has the turns of half a second and more,
    joined. The same label in two recordings means two speakers, as diarisation names them: ids are
    `RECORDING-LABEL`, and where there is one recording `LABEL`.

    Args:
        sound: A recording, or a folder of them.
        rttm: An RTTM file, or a folder of them.
        min_s: How long a turn must be to be a recording of its own, in seconds.
        lang: The language that is spoken.
        licence: The recordings' licence.
        source: Where they are from.
        shared_labels: The same label means the same speaker in every recording.

    Raises:
        UserError: A file is missing or broken, no recording has turns, or licence or source are not said.
    """
    for key, value in (("licence", licence), ("source", source)):
        if not value:
            raise UserError(f"{sound}: nobody says its {key}. Give --{key}")
    files = {_name(path.stem): path for path in _all(sound, SUFFIXES)}
    turns: dict[str, list[Turn]] = {}
    for path in _all(rttm, {".rttm"}):
        for turn in read_rttm(path):
            turns.setdefault(_name(turn.file), []).append(turn)
    if len(files) == 1 and len(turns) == 1:
        turns = {next(iter(files)): next(iter(turns.values()))}
    if not turns.keys() & files.keys():
        raise UserError(f"{sound}: has no recording {min(turns, default='')!r}, which {rttm} speaks of")
    plain = shared_labels or len(turns) == 1
    found = []
    for name, marked in sorted(turns.items()):
        for label, pieces in _by_speaker(alone(marked)).items():
            for origin, parts in _cuts(name, label, pieces, min_s):
                cut = _Cut(sound, name, files.get(name), tuple(parts))
                speaker = label if plain else f"{name}-{label}"
                found.append(
                    Recording(
                        origin, speaker, source, licence, cut.load, lang=lang, notes={"turns": len(parts)}
                    )
                )
    return found


@dataclass(frozen=True)
class _Cut:
    """Turns of one speaker in one recording; `path` is None where there is no such recording."""

    sound: Path
    name: str
    path: Path | None
    parts: tuple[Turn, ...]

    def load(self) -> Audio:
        """Read the turns and join them.

        Raises:
            UserError: There is no such recording, or it cannot be read.
            Rejection: It ends before the turns begin.
        """
        if self.path is None:
            raise UserError(f"{self.sound}: has no recording {self.name!r}")
        whole = _read(self.path)
        rate = whole.sample_rate_hz
        samples = np.concatenate(
            [
                _faded(whole.samples[round(part.start_s * rate) : round(part.end_s * rate)], rate)
                for part in self.parts
            ]
        )
        if not len(samples):
            start_s = self.parts[0].start_s
            raise Rejection("short", f"{self.path}: ends before {start_s:.2f} s, where the turn begins")
        return Audio(samples, rate)


def _name(written: str) -> str:
    """Return a recording's name as it is compared: a file system may have taken its accents apart."""
    return unicodedata.normalize("NFC", written)


def _all(path: Path, suffixes: frozenset[str] | set[str]) -> list[Path]:
    if path.is_dir():
        return sorted(entry for entry in path.rglob("*") if entry.suffix.lower() in suffixes)
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    return [path]


def _by_speaker(pieces: Sequence[Turn]) -> dict[str, list[Turn]]:
    found: dict[str, list[Turn]] = {}
    for piece in pieces:
        found.setdefault(piece.speaker, []).append(piece)
    return dict(sorted(found.items()))


def _cuts(name: str, speaker: str, pieces: Sequence[Turn], min_s: float) -> list[tuple[str, list[Turn]]]:
    long = [piece for piece in pieces if piece.end_s - piece.start_s >= min_s]
    if long:
        return [(f"{name}:{piece.start_s:.2f}-{piece.end_s:.2f}", [piece]) for piece in long]
    usable = [piece for piece in pieces if piece.end_s - piece.start_s >= _LEAST_PIECE_S]
    return [(f"{name}:{speaker}", usable or list(pieces))]


@lru_cache(maxsize=1)
def _read(path: Path) -> Audio:
    """Read a recording; the last one is kept, for the next turn is mostly of the same."""
    return read_audio(path)


def _faded(samples: Floats, rate: int) -> Floats:
    """Return a cut of a recording without the clicks of its edges, shape (samples,)."""
    faded = samples.copy()
    count = min(round(_FADE_S * rate), len(faded) // 2)
    if count:
        ramp = np.linspace(0.0, 1.0, count, dtype=np.float32)
        faded[:count] *= ramp
        faded[-count:] *= ramp[::-1]
    return faded
