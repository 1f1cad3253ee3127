"""One run as a report reads it."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicebench.running.run_info import RunInfo
from voicebench.types import FailureRow, ManifestRow, Response, Scores, Task, TranscriptRow


@dataclass(frozen=True)
class RunData:
    """What made a run, and the rows of its files.

    Attributes:
        info: What made it.
        tasks: The tasks that were asked.
        scores: What the answers were worth.
        responses: The answers; of several for the same task, agent, condition and trial the last counts.
        manifest: The clips.
        transcripts: What the ASRs heard.
        failures: Clips that could not be made.
    """

    info: RunInfo
    tasks: Sequence[Task] = ()
    scores: Sequence[Scores] = ()
    responses: Sequence[Response] = ()
    manifest: Sequence[ManifestRow] = ()
    transcripts: Sequence[TranscriptRow] = ()
    failures: Sequence[FailureRow] = ()

    def heard(self, condition: str) -> bool:
        """Whether an agent or an ASR of this run was given clips of a condition; all where none is known."""
        given = set(self.info.conditions)
        given.update(row.condition for row in self.responses)
        given.update(row.condition for row in self.scores)
        if any(name.startswith("transcript:") for name in given):
            given.add("speech")
        return condition in given or not given

    @property
    def clips(self) -> list[ManifestRow]:
        """The clips of conditions that were heard."""
        heard = {name: self.heard(name) for name in {row.condition for row in self.manifest}}
        return [row for row in self.manifest if heard[row.condition]]

    @property
    def clip_failures(self) -> list[FailureRow]:
        """The failures of conditions that were to be heard."""
        heard = {name: self.heard(name) for name in {row.condition for row in self.failures}}
        return [row for row in self.failures if heard[row.condition]]
