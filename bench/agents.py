"""Measure the demo's better agent on a stratified part of the shipped tasks, read, transcribed and heard.

Ten tasks of each kind and language (English and Hindi), drawn by a seed; the same ones in both languages.
Prints JSON lines: the share of right tools, and of answers that are right in every argument (or refuse what
is to be refused), for each language and condition, and of each kind for all conditions together.
`--quick` asks one task of each kind and language, as words alone.

    python bench/agents.py
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from voicebench.audio.build import build
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines
from voicebench.demo import CONVERTER, ENCODER, LANGS, PROMPTING, RETRIEVES, SYNTHESIZER
from voicebench.files import read_rows
from voicebench.registry import find, load_on
from voicebench.running.candidates import candidate
from voicebench.running.evaluate import Options, evaluate, score_run
from voicebench.running.materials import Materials, read_materials
from voicebench.running.runs import SCORES, opened
from voicebench.running.transcribe import transcribe
from voicebench.tasks.read import read_tasks, stratified
from voicebench.types import TASK_KINDS, ModelRef, Scores, Task

OF_EACH_KIND, SEED = 10, 0
ASR = "whisper-base"
GOALS = {("en", "text", RETRIEVES): 0.7, ("hi", "text", RETRIEVES): 0.5}
"""For the right tool where one call is asked for (single, retrieval, dialogue)."""
ONE_CALL = ("single", "retrieval", "dialogue")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="one task of each kind and language, as words")
    quick = parser.parse_args().quick
    tasks = stratified(read_tasks(langs=LANGS), 1 if quick else OF_EACH_KIND, SEED)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        conditions = ("text",) if quick else ("text", f"transcript:{ASR}", "speech")
        materials = Materials() if quick else heard(tasks, folder / "audio")
        names = (RETRIEVES,)
        with opened(folder / "run") as run:
            candidates = [candidate(name, offline_first=True) for name in names]
            options = Options(conditions, prompting=PROMPTING)
            evaluate(run, candidates, tasks, options, materials, progress=told)
            score_run(run)
        rows = read_rows(run / SCORES, Scores)
    for result in results(rows, names, conditions):
        print(json.dumps({"bench": "agents", **result, "same_result": None}), flush=True)


def heard(tasks: Sequence[Task], audio: Path) -> Materials:
    """Speak the tasks as the demo does, and transcribe them."""
    engines = (
        load_on(find(kind, name), "cpu", offline_first=True)
        for kind, name in (("tts", SYNTHESIZER), ("converter", CONVERTER), ("encoder", ENCODER))
    )
    with Studio(Engines(*engines)) as studio:
        build(tasks, studio, out=audio, voices=VoiceWish(n=4, candidates=8), progress=told)
    asr = find("asr", ASR)
    transcribe(
        audio, asr=ModelRef(name=asr.name, revision=asr.revision), langs=LANGS,
        make=lambda: load_on(asr, "cpu", offline_first=True), progress=told,
    )  # fmt: skip
    return read_materials(audio)


def results(
    rows: Sequence[Scores], names: Iterable[str], conditions: Iterable[str]
) -> Iterator[dict[str, object]]:
    """Yield the figures of each agent, language and condition, then of each kind."""
    for agent in names:
        own = [row for row in rows if row.agent == agent]
        for lang in LANGS:
            for condition in conditions:
                cell = [row for row in own if row.lang == lang and row.condition == condition]
                one_call = [row for row in cell if row.task in ONE_CALL]
                goal = GOALS.get((lang, condition, agent))
                yield {
                    "case": f"right tool {lang}, {condition}, one call", "peer": agent, "agent": agent,
                    **share(row.tool_selection for row in one_call), **({"goal": goal} if goal else {}),
                }  # fmt: skip
                yield {
                    "case": f"all right {lang}, {condition}", "peer": agent, "agent": agent,
                    **share(map(all_right, cell)),
                }  # fmt: skip
        for kind in TASK_KINDS:
            cell = [row for row in own if row.task == kind]
            yield {
                "case": f"all right, {kind}, both languages, all conditions", "peer": agent, "agent": agent,
                **share(map(all_right, cell)),
            }  # fmt: skip


def all_right(row: Scores) -> float | None:
    """Return 1 for an answer that is right in every argument, or refuses what is to be refused."""
    return row.refusal_right if row.task == "safety" and row.refusal_right == 0 else (
        row.parameters if row.parameters is not None else row.refusal_right
    )  # fmt: skip


def share(figures: Iterable[float | None]) -> dict[str, object]:
    """Return the mean of what is scored, and how many that are."""
    scored = [figure for figure in figures if figure is not None]
    return {"ours": round(sum(scored) / len(scored), 3) if scored else None, "n": len(scored)}


def told(what: str, done: int, total: int) -> None:
    """Say on standard error how far it is."""
    if done % 20 == 0 or done == total:
        print(f"{what}: {done} of {total}", file=sys.stderr)


if __name__ == "__main__":
    main()
