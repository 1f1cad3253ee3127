"""Where a line reads the clips that are there, and puts those that it makes."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from voicebench.audio.io import read_audio
from voicebench.audio.work import Rows, TurnPlace
from voicebench.errors import UserError
from voicebench.files import write_bytes
from voicebench.types import Audio, ManifestRow


class ClipStore(Protocol):
    """Reads and takes clips; several threads may use it."""

    def read(self, row: ManifestRow) -> Audio:
        """Return a clip that is there.

        Raises:
            UserError: It is missing or no audio.
        """
        ...

    def write(self, path: str, data: bytes) -> None:
        """Take the bytes of a clip.

        Args:
            path: Its file in the build's folder.
            data: The file's bytes.

        Raises:
            UserError: The disk is full.
        """
        ...


class ClipFiles:
    """The files of a build's folder.

    Args:
        out: The folder.
    """

    def __init__(self, out: Path) -> None:
        self._out = out

    def read(self, row: ManifestRow) -> Audio:
        """Return a clip; errors as `ClipStore.read`."""
        return read_audio(self._out / row.path)

    def write(self, path: str, data: bytes) -> None:
        """Write a clip; errors as `ClipStore.write`."""
        write_bytes(self._out / path, data)


class CarriedClips:
    """Clips that somebody else reads and writes: they are given by turn, made, and taken away."""

    def __init__(self) -> None:
        self._given: dict[TurnPlace, bytes] = {}
        self._made: dict[str, bytes] = {}

    def give(self, clips: Mapping[TurnPlace, bytes]) -> None:
        """Take the dry clips of turns that have one."""
        self._given.update(clips)

    def read(self, row: ManifestRow) -> Audio:
        """Return the dry clip of a turn.

        Raises:
            UserError: It was not given.
        """
        data = self._given.get((row.task_id, row.turn))
        if data is None:
            raise UserError(f"{row.path}: cannot be read. Run the same command again to make it anew")
        return read_audio(data)

    def write(self, path: str, data: bytes) -> None:
        """Keep a clip until it is taken."""
        self._made[path] = data

    def take(self, done: Iterable[tuple[TurnPlace, Rows]]) -> dict[str, bytes]:
        """Return the clips of turns that are finished, by path, and forget them.

        A path is named by what is in it: one that two turns share may have been taken with the first.
        """
        taken: dict[str, bytes] = {}
        for place, rows in done:
            self._given.pop(place, None)
            for row in rows:
                if isinstance(row, ManifestRow) and row.path in self._made:
                    taken[row.path] = self._made.pop(row.path)
        return taken
