"""The folder of a build: which of its rows are still true, and putting it in order."""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from voicebench.audio.plan import SPEECH, BuildPlan, ClipPlan, TurnPlan
from voicebench.audio.voices import VoiceChoice
from voicebench.audio.work import Job
from voicebench.errors import UserError
from voicebench.files import last_of_each, read_rows, sha256_file, write_rows, write_text
from voicebench.types import FailureRow, ManifestRow

log = logging.getLogger(__name__)
R = TypeVar("R", ManifestRow, FailureRow)

MANIFEST, FAILURES, FLAGGED, VOICES = "manifest.jsonl", "failures.jsonl", "flagged.jsonl", "voices.json"
Place = tuple[str, int, str]
"""Task, turn and condition."""


class ClipFolder:
    """The files of a build, before and after it.

    Args:
        out: The folder.
    """

    def __init__(self, out: Path) -> None:
        self.out = out
        self.manifest, self.failures = out / MANIFEST, out / FAILURES
        self._paths: set[str] = set()

    def settle(self, job: Job, turns: Sequence[TurnPlan], *, fresh: bool) -> dict[Place, ManifestRow]:
        """Drop the rows of the turns' tasks that are no longer true; return those that are, by place.

        What is kept is judged anew by the job's limits. Afterwards nothing in the files is wrong, so that a
        build that is interrupted leaves them right.

        Raises:
            UserError: A file cannot be read or written.
        """
        tasks = {turn.speech.task_id for turn in turns}
        rows = self._rows(ManifestRow, self.manifest)
        self._paths = {row.path for row in rows}
        others = [row for row in rows if row.task_id not in tasks]
        own = [] if fresh else self._true(job, turns, [row for row in rows if row.task_id in tasks])
        kept = sorted([*others, *own], key=place_of)
        if kept != rows:
            write_rows(self.manifest, kept)
        failures = self._rows(FailureRow, self.failures)
        others_failed = [row for row in failures if row.task_id not in tasks]
        if len(others_failed) != len(failures):
            write_rows(self.failures, others_failed)
        return {place_of(row): row for row in own}

    def tidy(self) -> tuple[ManifestRow, ...]:
        """Put the rows in order, remove clips that no row names any more, and list what is doubtful.

        Returns:
            The rows with doubts, which `flagged.jsonl` lists.

        Raises:
            UserError: A file cannot be written.
        """
        rows = self._rows(ManifestRow, self.manifest)
        dry = {(row.task_id, row.turn): row.sha256 for row in rows if row.condition == SPEECH}
        current = [row for row in rows if _is_made_of(row, dry.get((row.task_id, row.turn)))]
        write_rows(self.manifest, current)
        there = {place_of(row) for row in current}
        failures = self._rows(FailureRow, self.failures)
        write_rows(self.failures, [row for row in failures if place_of(row) not in there])
        doubtful = tuple(row for row in current if row.checks.get("doubts"))
        write_rows(self.out / FLAGGED, map(_flag, doubtful))
        for path in self._paths.union(row.path for row in rows).difference(row.path for row in current):
            (self.out / path).unlink(missing_ok=True)
        return doubtful

    def _true(self, job: Job, turns: Sequence[TurnPlan], rows: Iterable[ManifestRow]) -> list[ManifestRow]:
        """Return the rows that a build would make again as they are."""
        by_turn = {(turn.speech.task_id, turn.speech.turn): turn for turn in turns}
        kept: dict[Place, ManifestRow] = {}
        # The dry clip of a turn comes before what is made of it.
        for row in sorted(rows, key=place_of):
            turn = by_turn.get((row.task_id, row.turn))
            clip = None if turn is None else _planned(job.plan, turn, row.condition)
            if clip is None or row.checks.get("plan") != clip.key:
                continue
            speech = kept.get((row.task_id, row.turn, SPEECH))
            if clip.effect is not None and (speech is None or not _is_made_of(row, speech.sha256, sure=True)):
                continue
            path = self.out / row.path
            if path.is_file() and sha256_file(path) == row.sha256:
                kept[place_of(row)] = row if clip.effect is not None else _judged(job, clip, row)
        return list(kept.values())

    @staticmethod
    def _rows(model: type[R], path: Path) -> list[R]:
        """Return the rows of a file in order of place, the last of each; none where there is no file."""
        rows = read_rows(path, model, tolerate_torn_end=True) if path.is_file() else []
        return sorted(last_of_each(rows, place_of), key=place_of)


def place_of(row: ManifestRow | FailureRow) -> Place:
    """Return the place of a row: what is unique in a file."""
    return (row.task_id, row.turn, row.condition)


def keep_voices(path: Path, choices: Mapping[str, VoiceChoice]) -> None:
    """Write the choice of each language; those of languages that are not built now stay.

    Raises:
        UserError: The file cannot be written.
    """
    kept: dict[str, Any] = {}
    if path.is_file():
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            log.warning("%s: not readable, written anew", path)
    kept |= {lang: choice.describe() for lang, choice in choices.items()}
    write_text(path, json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _planned(plan: BuildPlan, turn: TurnPlan, condition: str) -> ClipPlan | None:
    """Return the plan of a turn under a condition, also one that is not of this build."""
    for clip in turn.clips:
        if clip.condition == condition:
            return clip
    effect = condition.removeprefix(f"{SPEECH}/")
    try:
        clip = plan.under(turn.speech, effect)
    except UserError:  # an effect that there is no longer
        return None
    return clip if clip.condition == condition else None


def _is_made_of(row: ManifestRow, dry_sha256: str | None, *, sure: bool = False) -> bool:
    """Whether a clip with an effect is made of a dry clip; one that does not say is, unless `sure`."""
    dry = row.checks.get("dry")
    if dry is None:
        return not sure
    return dry_sha256 is not None and dry_sha256.startswith(dry)


def _judged(job: Job, clip: ClipPlan, row: ManifestRow) -> ManifestRow:
    found = list(job.doubts(row.checks, clip))
    if found == row.checks.get("doubts", []):
        return row
    checks = {name: value for name, value in row.checks.items() if name != "doubts"}
    return row.model_copy(update={"checks": {**checks, **({"doubts": found} if found else {})}})


def _flag(row: ManifestRow) -> FailureRow:
    said = [_DOUBTS[name].format(**{**_UNKNOWN, **row.checks}) for name in row.checks["doubts"]]
    return FailureRow(
        task_id=row.task_id, turn=row.turn, condition=row.condition, kind="check", message="; ".join(said)
    )


_UNKNOWN = dict.fromkeys(("syllables_per_s", "speaker_similarity", "script", "cer", "heard"), "?")
_DOUBTS = {
    "pace": "pace: {syllables_per_s} syllables a second",
    "pause": "pause: {longest_pause_s} s of silence inside",
    "cut": "cut: it seems to be cut off at the {cut}",
    "quiet": "quiet: {lufs} LUFS",
    "voice": "voice: less like its own voice ({speaker_similarity}) than two voices are like each other",
    "script": "script: the ASR heard another script ({heard})",
    "cer": "cer: {cer}, the ASR heard {heard!r}",
}
