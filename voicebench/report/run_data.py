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
