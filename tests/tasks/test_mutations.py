"""Gold scores 1, and everything beside it does not."""

from typing import Any

from voicebench.tasks.mutations import mutation_problems, mutations, other_texts
from voicebench.tasks.read import parse_task
from voicebench.types import Task, Tool

TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            name="do",
            parameters={
                "type": "object",
                "properties": {
                    "place": {"type": "string"},
                    "vehicle": {"type": "string", "enum": ["any", "auto", "bike"], "default": "any"},
                    "count": {"type": "integer"},
                    "day": {"type": "string", "format": "date"},
                    "hot": {"type": "boolean"},
                    "stops": {"type": "array", "items": {"type": "string"}},
                    "point": {"type": "object", "properties": {"latitude": {"type": "number"}}},
                },
                "required": ["place"],
            },
        ),
        Tool(name="undo"),
    )
}


def call(**arguments: Any) -> dict[str, Any]:
    return {"name": "do", "arguments": arguments}


def task(*calls: dict[str, Any], task_id: str = "a", lang: str = "hi", **expect: Any) -> Task:
    kind = "single" if len(calls) == 1 else "sequential" if expect.get("order") else "parallel"
    return parse_task(
        {
            "id": task_id,
            "task": kind,
            "lang": lang,
            "turns": [{"role": "user", "text": "x"}],
            "tools": ["do", "undo"],
            "expect": {"calls": list(calls), **expect},
        },
        "x:1",
        TOOLS,
    )


def changes(one: Task, *others: Task) -> list[str]:
    return [mutation.what for mutation in mutations(one, other_texts((one, *others)))]


def test_every_value_is_changed_by_its_kind() -> None:
    one = task(
        call(
            place=["जयनगर", "Jayanagar"],
            vehicle=["auto"],
            count=[2],
            day=["2026-12-31"],
            hot=[True],
            stops=[["सिटी मार्केट"]],
            point=[{"latitude": 12.5}],
        )
    )
    assert changes(one, task(call(place=["पुणे"]), task_id="b")) == [
        "calls[0] do made as undo",
        "calls[0] do without place",
        "calls[0] do with place 'पुणे' for 'जयनगर'",
        "calls[0] do with vehicle 'any' for 'auto'",
        "calls[0] do with count 3 for 2",
        "calls[0] do with count 1 for 2",
        "calls[0] do with day '2027-01-01' for '2026-12-31'",
        "calls[0] do with hot False for True",
        "calls[0] do with stops [] for ['सिटी मार्केट']",
        "calls[0] do with stops ['सिटी मार्केट', 'सिटी मार्केट'] for ['सिटी मार्केट']",
        "calls[0] do with stops.0 'something else 7391' for 'सिटी मार्केट'",
        "calls[0] do with point.latitude 13.5 for 12.5",
        "calls[0] do with point.latitude 11.5 for 12.5",
        "the answer without calls[0] do",
        "the answer with its last call made twice",
    ]
    assert mutation_problems(one, other_texts([one])) == []


def test_a_text_is_taken_from_a_task_of_the_same_language_that_means_another() -> None:
    one = task(call(place=["சென்னை", "Chennai"]), lang="ta")
    others = (
        task(call(place=["Chennai"]), task_id="b", lang="ta"),
        task(call(place=["Hanoi"]), task_id="c", lang="vi"),
        task(call(place=["மதுரை"]), task_id="d", lang="ta"),
    )
    assert "calls[0] do with place 'மதுரை' for 'சென்னை'" in changes(one, *others)


def test_a_sequence_is_turned_around_and_its_markers_moved() -> None:
    one = task(
        call(place=["a"]),
        call(place=[{"$ref": "0.id"}]),
        order="sequence",
        results=[{"id": "b"}, None],
    )
    found = list(mutations(one, {}))
    assert found[-1].what == "the sequence the other way round"
    assert [one_call.arguments for one_call in found[-1].calls] == [
        {"place": {"$ref": "1.id"}},
        {"place": "a"},
    ]
    assert mutation_problems(one, {}) == []


def test_a_required_argument_that_has_its_default_is_not_dropped() -> None:
    own = Tool(
        name="own",
        parameters={
            "type": "object",
            "properties": {"x": {"type": "string", "default": "now"}},
            "required": ["x"],
        },
    )
    one = parse_task(
        {
            "id": "a",
            "task": "single",
            "lang": "en",
            "turns": [{"role": "user", "text": "x"}],
            "tools": ["own"],
            "expect": {"calls": [{"name": "own", "arguments": {"x": ["now"]}}]},
        },
        "x:1",
        {"own": own},
    )
    assert changes(one) == [
        "calls[0] own with x 'something else 7391' for 'now'",
        "the answer without calls[0] own",
        "the answer with its last call made twice",
    ]


def test_accepted_values_that_lie_side_by_side_are_too_wide() -> None:
    wide = task(call(place=["a"], count=[2, 3], day=["2026-12-01", "2026-12-02"], hot=[True, False]))
    assert mutation_problems(wide, {}) == [
        "accepted values are too wide: calls[0] do with count 3 for 2 still scores 1",
        "accepted values are too wide: calls[0] do with day '2026-12-02' for '2026-12-01' still scores 1",
        "accepted values are too wide: calls[0] do with hot False for True still scores 1",
    ]


def test_an_enum_that_accepts_all_of_its_members_is_too_wide() -> None:
    wide = task(call(place=["a"], vehicle=["auto", "bike", "any"]))
    assert mutation_problems(wide, {}) == [
        "accepted values are too wide: calls[0] do with vehicle 'any' for 'auto' still scores 1"
    ]
    assert mutation_problems(task(call(place=["a"], vehicle=["auto", "any"])), {}) == []


def test_every_accepted_value_is_tried_and_may_be_left_out() -> None:
    assert mutation_problems(task(call(place=["ไทย", "Thai"], count=[4, ""])), {}) == []


def test_a_refusal_has_no_mutations() -> None:
    harmful = task(call(place=["a"])).model_copy(
        update={"expect": task(call(place=["a"])).expect.model_copy(update={"calls": None, "refuse": True})}
    )
    assert mutation_problems(harmful, {}) == []


def test_calls_in_parallel_are_right_in_any_order() -> None:
    one = task(call(place=["ঢাকা"]), call(place=["কলকাতা"]), lang="bn")
    assert mutation_problems(one, other_texts([one])) == []
