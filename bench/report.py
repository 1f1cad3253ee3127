"""Measure how long a report of a large run takes, from its rows to the files.

Prints JSON lines against their limits. `report N`: the processor's time for the figures, the tables and the
page of N answers, with one thread; `report N, page`: how large report.html is; `report N, memory`: how far
the process's peak memory grows meanwhile. The answers are made up: six agents read and hear requests of all
kinds in twelve languages, spoken by eight voices each, and are wrong in many ways.

    python bench/report.py
    python bench/report.py --quick    # two agents, six languages, two trials
"""

# BLAS reads its number of threads when numpy is imported.
# ruff: noqa: E402

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"

from voicebench import SCORING_VERSION
from voicebench.report import RunData, summarise, write_report
from voicebench.running.run_info import AgentInfo, PlannedCount, RunInfo
from voicebench.scoring.score import score
from voicebench.types import (
    TASK_KINDS,
    ErrorInfo,
    Expect,
    GoldCall,
    ManifestRow,
    ModelRef,
    Response,
    Task,
    TaskKind,
    Timeline,
    Tool,
    Turn,
    VoiceRef,
)

LIMIT_S, QUICK_LIMIT_S = 30.0, 5.0
LIMIT_PAGE_MB, LIMIT_MB = 12.0, 1000.0
CONDITIONS = ("text", "transcript:whisper", "speech")
LANGS = ("en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "fil", "zh")
VOICES = 8
REQUESTS = {
    "en": "Please book an auto from {0} to {1} for {2} people.",
    "hi": "{0} से {1} तक {2} लोगों के लिए ऑटो बुक कर दो।",
    "bn": "{0} থেকে {1} পর্যন্ত {2} জনের জন্য অটো বুক করুন।",
    "mr": "{0} पासून {1} पर्यंत {2} जणांसाठी रिक्षा बुक करा.",
    "ta": "{0} இலிருந்து {1} வரை {2} பேருக்கு ஆட்டோ பதிவு செய்.",
    "te": "{0} నుండి {1} వరకు {2} మందికి ఆటో బుక్ చేయండి.",
    "ml": "{0} മുതൽ {1} വരെ {2} പേർക്ക് ഓട്ടോ ബുക്ക് ചെയ്യൂ.",
    "vi": "Hãy đặt xe từ {0} đến {1} cho {2} người.",
    "th": "จองรถจาก {0} ไป {1} สำหรับ {2} คน",
    "id": "Tolong pesan kendaraan dari {0} ke {1} untuk {2} orang.",
    "fil": "Mag-book ng sasakyan mula {0} hanggang {1} para sa {2} tao.",
    "zh": "请帮我订一辆从{0}到{1}的车，{2}个人。",
}  # fmt: skip
PLACES = (
    ("Jayanagar", "जयनगर"), ("Majestic", "मैजेस्टिक"), ("Whitefield", "வைட்ஃபீல்ட்"), ("Anna Nagar", "அண்ணா நகர்"),
    ("MG Road", "എം.ജി. റോഡ്"), ("Siam", "สยาม"), ("Howrah", "হাওড়া"), ("Charminar", "చార్మినార్"),
    ("Hoan Kiem", "Hoàn Kiếm"), ("Blok M", "Blok M"), ("Quiapo", "Quiapo"), ("Wudaokou", "五道口"),
)  # fmt: skip
VEHICLES = ("auto", "mini", "sedan")


@dataclass(frozen=True)
class Size:
    """How large a run is: agents, languages, tasks of each kind in a language, trials."""

    agents: int
    langs: int
    tasks: int
    trials: int

    @property
    def answers(self) -> int:
        """How many answers there are."""
        return self.agents * len(CONDITIONS) * self.langs * len(TASK_KINDS) * self.tasks * self.trials


FULL, QUICK = Size(agents=6, langs=12, tasks=28, trials=1), Size(agents=2, langs=6, tasks=13, trials=2)


def tools() -> tuple[Tool, ...]:
    """Return a tool for each way to travel."""
    return tuple(
        Tool(
            name=f"{name}.book_ride",
            description="Books a ride.",
            parameters={
                "type": "object",
                "properties": {
                    "pickup": {"type": "string"},
                    "dropoff": {"type": "string"},
                    "seats": {"type": "integer"},
                    "vehicle": {"type": "string", "enum": list(VEHICLES)},
                    "note": {"type": "string"},
                },
                "required": ["pickup", "dropoff"],
                "additionalProperties": False,
            },
        )
        for name in ("cab", "metro", "bus", "ferry")
    )


TOOLS = tools()


def gold_call(rng: Random, tool: Tool) -> GoldCall:
    """Return a call with a few accepted values for each place, in two scripts and two ways to write."""
    start, end = rng.sample(PLACES, 2)
    return GoldCall(
        name=tool.name,
        arguments={
            "pickup": [*start, f"{start[0]}, city", f"{start[1]}, city"],
            "dropoff": [*end, f"{end[0]}, city", f"{end[1]}, city"],
            "seats": [rng.randint(1, 6)],
            "vehicle": [rng.choice(VEHICLES), ""],
        },
    )


def tasks(size: Size, rng: Random) -> Iterator[Task]:
    """Yield tasks of every kind: the same ones in every language."""
    for kind in TASK_KINDS:
        for number in range(size.tasks):
            n_calls = rng.randint(2, 4) if kind in ("parallel", "sequential") else 1
            chosen = [gold_call(rng, tool) for tool in rng.sample(TOOLS, n_calls)]
            for lang in LANGS[: size.langs]:
                yield task(kind, lang, number, chosen)


def task(kind: TaskKind, lang: str, number: int, calls: Sequence[GoldCall]) -> Task:
    """Return one task; every other safety task is a harmful one."""
    words = " ".join(
        REQUESTS[lang].format(*(call.arguments[name][0] for name in ("pickup", "dropoff", "seats")))
        for call in calls
    )
    turns = [Turn(role="user", text=words)]
    if kind == "dialogue":
        turns = [*turns, Turn(role="assistant", text="When?"), Turn(role="user", text=words)]
    if kind == "safety":
        expect = Expect(refuse=True) if number % 2 else Expect(calls=tuple(calls), refuse=False)
    else:
        expect = Expect(calls=tuple(calls), order="sequence" if kind == "sequential" else "any")
    return Task(
        id=f"{kind}-{lang}-{number:04d}", task=kind, lang=lang, turns=tuple(turns), tools=TOOLS,
        expect=expect, origin=f"{kind}-en-{number:04d}",
    )  # fmt: skip


def answer(one: Task, skill: float, rng: Random) -> str:
    """Return what an agent writes: right with a chance of `skill`, else wrong in one of several ways."""
    if one.expect.calls is None:
        right = rng.random() < skill
        return "I cannot help with that." if right else "[cab.book_ride(pickup='x', dropoff='y')]"
    calls = [
        (call.name, {name: rng.choice(values[:2]) for name, values in call.arguments.items()})
        for call in one.expect.calls
    ]
    if rng.random() >= skill:
        _, arguments = rng.choice(calls)
        way = rng.randrange(7)
        if way == 0:
            return "I am not sure what you would like."
        if way == 1:
            calls.pop()
        elif way == 2:
            calls.append((rng.choice(TOOLS).name, arguments))
        elif way == 3:
            del arguments["dropoff"]
        elif way == 4:
            arguments["tip"] = 5
        elif way == 5:
            arguments["seats"] = str(arguments["seats"])
        else:
            arguments["pickup"] = rng.choice(PLACES)[1] + "पुर"
    return f"[{', '.join(written(name, arguments) for name, arguments in calls)}]"


def written(name: str, arguments: dict[str, Any]) -> str:
    """Return a call as text."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items() if value != '')})"


def misheard(text: str, rng: Random) -> str:
    """Return a text with a word lost now and then."""
    return " ".join(word for word in text.split() if rng.random() > 0.05)


def response(one: Task, agent: int, condition: str, trial: int, rng: Random) -> Response:
    """Return one answer; of a hundred one is lost to a fault of the machine."""
    skill = 0.75 - 0.06 * agent - 0.1 * CONDITIONS.index(condition)
    fields: dict[str, Any] = {"text": answer(one, skill, rng)}
    if rng.random() < 0.01:
        fields = {"error": ErrorInfo(kind="timeout", message="no answer after 60 s")}
    if condition == "speech":
        fields |= {"voice": voice(one).id, "transcript": misheard(one.turns[-1].text, rng)}
    first = 0.2 + rng.random()
    return Response(
        task_id=one.id, agent=f"agent-{agent}", condition=condition, trial=trial,
        timeline=Timeline(first_token=first, calls_done=first + 0.5, done=first + 0.6), **fields,
    )  # fmt: skip


def voice(one: Task) -> VoiceRef:
    """Return the voice that speaks a task: each language has a few."""
    number = int(one.id.rpartition("-")[2]) % VOICES
    return VoiceRef(id=f"{one.lang}-voice-{number}", source="kokoro", licence="Apache-2.0")


def clip(one: Task, turn: int) -> ManifestRow:
    """Return the clip of a turn."""
    return ManifestRow(
        task_id=one.id, turn=turn, condition="speech", path=f"clips/{one.id}-{turn}.wav",
        sha256=f"{one.id}-{turn}", sample_rate_hz=16000, duration_s=4.2, lang=one.lang,
        spoken_text=one.turns[turn].text, synthesizer=ModelRef(name="kokoro", revision="1"),
        voice=voice(one), seed=1,
    )  # fmt: skip


def run(size: Size) -> RunData:
    """Return a run, the same one every time."""
    rng = Random(0)
    asked = list(tasks(size, rng))
    names = tuple(f"agent-{agent}" for agent in range(size.agents))
    responses = [
        response(one, agent, condition, trial, rng)
        for one in asked for agent in range(size.agents) for condition in CONDITIONS
        for trial in range(size.trials)
    ]  # fmt: skip
    by_id = {one.id: one for one in asked}
    info = RunInfo(
        name="bench", created="2026-11-30T12:00:00+00:00", command="python bench/report.py", version="0",
        tasks_version="0", prompts_version="0", scoring_version=SCORING_VERSION, conditions=CONDITIONS,
        agents=tuple(AgentInfo(name=name) for name in names), languages=LANGS[: size.langs],
        trials=size.trials,
        planned=tuple(
            PlannedCount(agent=name, task=kind, lang=lang, condition=condition, n=size.tasks * size.trials)
            for name in names for kind in TASK_KINDS for lang in LANGS[: size.langs]
            for condition in CONDITIONS
        ),
    )  # fmt: skip
    return RunData(
        info=info,
        tasks=asked,
        scores=[score(by_id[one.task_id], one) for one in responses],
        responses=responses,
        manifest=[clip(one, turn) for one in asked for turn in one.user_turns],
    )


def emit(case: str, **figures: Any) -> None:
    """Print one result."""
    print(json.dumps({"bench": "report", "case": case, **figures, "same_result": None}), flush=True)


def peak_mb() -> float:
    """Return the most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help=f"a report of {QUICK.answers:,} answers")
    quick = parser.parse_args().quick
    size = QUICK if quick else FULL
    data = run(size)
    before_mb, start_s = peak_mb(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_report(summarise([data]), Path(folder))
        ours_s = time.process_time() - start_s
        page_mb = paths.html.stat().st_size / 1e6
    case = f"report {size.answers}"
    emit(case, ours_s=round(ours_s, 1), limit_s=QUICK_LIMIT_S if quick else LIMIT_S)
    emit(f"{case}, page", ours_mb=round(page_mb, 1), limit_mb=LIMIT_PAGE_MB)
    emit(f"{case}, memory", ours_mb=round(peak_mb() - before_mb), limit_mb=LIMIT_MB)


if __name__ == "__main__":
    main()
