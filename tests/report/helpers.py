"""Small runs for the report's tests: tasks, answers and scores that say what they are worth."""

from typing import Any

from voicebench import SCORING_VERSION
from voicebench.report import RunData
from voicebench.running.run_info import AgentInfo, PlannedCount, RunInfo
from voicebench.types import (
    ErrorInfo,
    Expect,
    GoldCall,
    ManifestRow,
    ModelRef,
    Response,
    Scores,
    Task,
    TaskKind,
    Timeline,
    Tool,
    Turn,
    VoiceRef,
)

FARE = Tool(
    name="cab.get_fare",
    parameters={
        "type": "object",
        "properties": {"pickup": {"type": "string"}, "seats": {"type": "integer"}},
        "required": ["pickup"],
    },
)
WORDS = {"en": "What is the fare from Jayanagar?", "hi": "जयनगर से किराया कितना है?", "th": "ค่ารถเท่าไหร่",
         "ta": "கட்டணம் என்ன?"}  # fmt: skip


def make_task(
    id_: str = "single-en-1",
    kind: TaskKind = "single",
    lang: str = "en",
    *,
    text: str | None = None,
    expect: Expect | None = None,
) -> Task:
    gold = GoldCall(name="cab.get_fare", arguments={"pickup": ["Jayanagar", "जयनगर"], "seats": [2, ""]})
    refuses = Expect(refuse=True) if kind == "safety" else Expect(calls=(gold,))
    return Task(
        id=id_, task=kind, lang=lang, tools=(FARE,),
        turns=(Turn(role="user", text=text or WORDS.get(lang, WORDS["en"])),),
        expect=expect or refuses,
    )  # fmt: skip


def make_score(task: Task, value: float | None, condition: str = "text", **fields: Any) -> Scores:
    """Return a score whose main figure is `value`; None is unscored."""
    figure = "refusal_right" if task.task == "safety" else "parameters"
    unscored = {figure: "no judge"} if value is None else {}
    row: dict[str, Any] = {
        "task_id": task.id, "agent": "a", "condition": condition, "trial": 0, "task": task.task,
        "lang": task.lang, figure: value, "unscored": unscored, "scoring_version": SCORING_VERSION,
    }  # fmt: skip
    return Scores(**(row | fields))


def make_response(task: Task, condition: str = "text", **fields: Any) -> Response:
    row: dict[str, Any] = {"task_id": task.id, "agent": "a", "condition": condition, "trial": 0}
    if not {"text", "calls", "error"} & set(fields):
        row["text"] = "[cab.get_fare(pickup='Jayanagar')]"
    return Response(**(row | fields))


def make_error(task: Task, condition: str = "text", kind: str = "timeout", **fields: Any) -> Response:
    return make_response(
        task, condition, error=ErrorInfo.model_validate({"kind": kind, "message": "no answer"}), **fields
    )


def make_clip(task: Task, condition: str = "speech", **fields: Any) -> ManifestRow:
    row: dict[str, Any] = {
        "task_id": task.id, "turn": 0, "condition": condition, "path": f"clips/{task.id}.wav",
        "sha256": f"{task.id}{condition}", "sample_rate_hz": 16000, "duration_s": 2.5, "lang": task.lang,
        "spoken_text": task.turns[0].text, "synthesizer": ModelRef(name="kokoro", revision="1"),
        "voice": VoiceRef(id="af_heart", source="kokoro", licence="Apache-2.0"), "seed": 1,
    }  # fmt: skip
    return ManifestRow(**(row | fields))


def make_info(**fields: Any) -> RunInfo:
    row: dict[str, Any] = {
        "name": "run", "created": "2026-11-30T12:00:00+00:00", "command": "voicebench demo",
        "version": "0.1.0", "tasks_version": "2026.11", "prompts_version": "1",
        "scoring_version": SCORING_VERSION,
    }  # fmt: skip
    return RunInfo(**(row | fields))


def planned(n: int, agent: str = "a", kind: TaskKind = "single", lang: str = "en", condition: str = "text",
            ) -> PlannedCount:  # fmt: skip
    return PlannedCount(agent=agent, task=kind, lang=lang, condition=condition, n=n)


def scored_run(values: dict[str, list[float | None]], *, lang: str = "en", **info: Any) -> RunData:
    """Return a run of one agent: for each condition the values of task 0, 1, 2, …"""
    most = max((len(column) for column in values.values()), default=0)
    tasks = [make_task(f"single-{lang}-{i}", lang=lang) for i in range(most)]
    scores = [
        make_score(tasks[i], value, condition) for condition, column in values.items()
        for i, value in enumerate(column)
    ]  # fmt: skip
    return RunData(make_info(**info), tasks, scores)


def full_run() -> RunData:
    """Return a run with two agents, two languages, three conditions, errors, clips and hostile texts."""
    texts = {
        "single-en-0": "Say </script><script>alert(1)</script> & \"go\" <b>now</b> 🚕",
        "single-hi-0": "जयनगर से <मैजेस्टिक> तक & \"ऑटो\"",
        "single-th-0": "ค่ารถจากสยามเท่าไหร่",
        "safety-ta-0": "கட்டணம் என்ன? مرحبا",
    }  # fmt: skip
    kinds: dict[str, TaskKind] = {"single": "single", "safety": "safety"}
    tasks = [make_task(i, kinds[i.split("-")[0]], i.split("-")[1], text=text) for i, text in texts.items()]
    scores, responses, clips = [], [], []
    for place, task in enumerate(tasks):
        clips.append(make_clip(task, path=f"clips/{task.id} #1.wav"))
        for agent in ("whisper+llm", "<b>evil</b>"):
            for condition in ("text", "speech"):
                at = Timeline(first_token=0.2 + place, done=1.0 + place)
                if place == 2:
                    responses.append(make_error(task, condition, agent=agent))
                    scores.append(make_score(task, None, condition, agent=agent))
                    continue
                heard = "x <i> y" if condition == "speech" else None
                responses.append(make_response(task, condition, agent=agent, timeline=at, transcript=heard))
                scores.append(make_score(task, float(place % 2), condition, agent=agent))
    info = make_info(
        agents=(AgentInfo(name="whisper+llm", models=(ModelRef(name="whisper", revision="r1"),)),),
        conditions=("text", "speech"), languages=("en", "hi", "th", "ta"), notes=("npm is missing.",),
        command="voicebench eval --tasks '<x>' && echo", seeds={"voices": 7},
    )  # fmt: skip
    return RunData(info, tasks, scores, responses, clips)
