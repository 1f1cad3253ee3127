"""What must hold of every task and every answer: what gold accepts is right, what it does not is wrong."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scoring.forms import TEXT_FORMS, VALUE_FORMS, Form
from tests.scoring.strategies import CALLS, TEXTS, as_json, as_python, typed_calls
from voicebench.scoring.calls import Unreadable, read_calls
from voicebench.scoring.match import match_calls
from voicebench.scoring.schema import compiled_parameters, tool_named
from voicebench.scoring.score import score
from voicebench.tasks.read import first_of_each, read_tasks
from voicebench.types import Expect, GoldCall, Response, Scores, Task, Tool, ToolCall, Turn


@cache
def shipped() -> list[Task]:
    """Return four tasks of each kind and language; `tasks check` tries mutations of all of them."""
    return [task for task in first_of_each(read_tasks(), 4) if task.expect.calls]


def scored(task: Task, calls: Sequence[ToolCall], form: Form = as_json) -> Scores:  # type: ignore[assignment]
    text = form(list(calls))
    return score(task, Response(task_id=task.id, agent="a", condition="text", trial=0, text=text))


def firsts(task: Task) -> list[ToolCall]:
    """Return the calls that gold lists first for each parameter."""
    return [
        ToolCall(
            name=call.name,
            arguments={name: values[0] for name, values in call.arguments.items() if values[0] != ""},
        )
        for call in task.expect.calls or ()
    ]


# ---- Every variant of a gold is right ----


def test_every_accepted_value_of_every_shipped_task_is_right() -> None:
    for task in shipped():
        base = firsts(task)
        assert scored(task, base).parameters == 1, task.id
        for place, gold in enumerate(task.expect.calls or ()):
            for name, values in gold.arguments.items():
                for value in values:
                    arguments = {k: v for k, v in base[place].arguments.items() if k != name}
                    arguments |= {name: value} if value != "" else {}
                    calls = [*base[:place], ToolCall(name=gold.name, arguments=arguments), *base[place + 1 :]]
                    assert scored(task, calls).parameters == 1, (task.id, name, value)


@given(st.data())
def test_any_choice_of_accepted_values_of_a_shipped_task_is_right_in_any_form(data: st.DataObject) -> None:
    task = data.draw(st.sampled_from(shipped()))
    calls = []
    for gold in task.expect.calls or ():
        chosen = {name: data.draw(st.sampled_from(values)) for name, values in gold.arguments.items()}
        calls.append(ToolCall(name=gold.name, arguments={k: v for k, v in chosen.items() if v != ""}))
    form = data.draw(st.sampled_from(sorted(VALUE_FORMS)))
    found = scored(task, calls, VALUE_FORMS[form])
    assert (found.parameters, found.parameter_fraction, found.call_fraction) == (1, 1.0, 1.0)
    assert (found.prefix_fraction == 1.0) is (task.expect.order == "sequence")


@st.composite
def generated_tasks(draw: st.DrawFn) -> tuple[Task, list[ToolCall]]:
    """Return a task with several accepted values, and one choice of them, in any order where that is free."""
    drawn = draw(st.lists(typed_calls(), min_size=1, max_size=3, unique_by=lambda pair: pair[0].name))
    order = draw(st.sampled_from(["any", "sequence"]))
    golds, calls = [], []
    for tool, call in drawn:
        _, other = draw(typed_calls())
        accepted = {}
        for name, value in call.arguments.items():
            same = [v for v in other.arguments.values() if type(v) is type(value)]
            accepted[name] = draw(st.permutations([value, *same[:1]]))
        golds.append(GoldCall(name=tool.name, arguments=accepted))
        calls.append(
            ToolCall(name=tool.name, arguments={k: draw(st.sampled_from(v)) for k, v in accepted.items()})
        )
    if order == "any":
        calls = draw(st.permutations(calls))
    task = Task(
        id="t", task="parallel", lang="hi", turns=(Turn(role="user", text="…"),),
        tools=tuple(tool for tool, _ in drawn), expect=Expect(calls=tuple(golds), order=order),
    )  # fmt: skip
    return task, list(calls)


@given(generated_tasks(), st.sampled_from(sorted(VALUE_FORMS)))
def test_any_choice_of_accepted_values_of_a_generated_task_is_right(
    drawn: tuple[Task, list[ToolCall]], form: str
) -> None:
    task, calls = drawn
    found = scored(task, calls, VALUE_FORMS[form])
    assert (found.call_structure, found.parameters, found.tool_selection) == (1, 1, 1)


# ---- Every change of meaning is wrong ----


def needed(gold: GoldCall, tool: Tool | None) -> list[str]:
    defaults = compiled_parameters(tool).defaults if tool is not None else {}
    return [name for name, values in gold.arguments.items() if "" not in values and name not in defaults]


def other_values(value: Any) -> Iterator[Any]:
    """Yield values of another meaning: sign, decimal point, digit, word, order, type, one member more."""
    if isinstance(value, bool):
        yield from (not value, str(value).lower(), int(value))
    elif isinstance(value, int | float):
        yield from (value + 1, value * 10 + 3, [value], {"value": value})
        if value:
            yield -value
            yield value / 10
        yield f"{value}x"
    elif isinstance(value, str):
        yield from (f"{value} ग़लत", f"not {value}", [value], {"value": value})
        yield from (_digit_changed(value), _sign_changed(value), _point_moved(value))
        if " " in value and len(set(value.split())) > 1:
            yield value.rsplit(" ", 1)[0]
    elif isinstance(value, list):
        yield [*value, "more"]
        yield value[:-1]
        if value and value != value[::-1]:
            yield value[::-1]
    elif isinstance(value, dict) and "$ref" not in value:
        yield value | {"more": 1}
        yield dict(list(value.items())[1:])
    elif isinstance(value, dict):
        yield {"$ref": f"7{value['$ref']}"}
        yield {"$ref": f"{value['$ref']}_x"}
        yield value["$ref"]


def _digit_changed(text: str) -> str | None:
    return (
        re.sub(r"\d", lambda digit: str((int(digit.group()) + 1) % 10), text, count=1)
        if re.search(r"\d", text)
        else None
    )


def _sign_changed(text: str) -> str | None:
    return f"-{text}" if re.fullmatch(r"\d+(\.\d+)?", text) and float(text) else None


def _point_moved(text: str) -> str | None:
    return f"{text[:-1]}.{text[-1]}" if re.fullmatch(r"[1-9]\d+", text) else None


def wrong_calls(task: Task) -> Iterator[tuple[str, list[ToolCall]]]:
    """Yield answers that differ from gold in one thing that changes the meaning, with its name."""
    base = firsts(task)
    golds = task.expect.calls or ()
    for place, (gold, call) in enumerate(zip(golds, base, strict=True)):
        tool = tool_named(gold.name, task.tools)

        def with_arguments(
            arguments: dict[str, Any], place: int = place, name: str = gold.name
        ) -> list[ToolCall]:
            return [*base[:place], ToolCall(name=name, arguments=arguments), *base[place + 1 :]]

        for name in needed(gold, tool):
            yield "dropped", with_arguments({k: v for k, v in call.arguments.items() if k != name})
            yield (
                "renamed",
                with_arguments({k if k != name else f"{k}_": v for k, v in call.arguments.items()}),
            )
        yield "added", with_arguments(call.arguments | {"made_up": 1})
        for name in compiled_parameters(tool).properties if tool is not None else ():
            if name not in gold.arguments and name not in compiled_parameters(tool).defaults:  # type: ignore[arg-type]
                yield "added", with_arguments(call.arguments | {name: "made up"})
        for name, value in call.arguments.items():
            schema = compiled_parameters(tool).properties.get(name, {}) if tool is not None else {}
            for other in other_values(value):
                unordered = (
                    schema.get("uniqueItems")
                    and isinstance(other, list)
                    and sorted(map(str, other)) == sorted(map(str, value))
                )
                shorter = isinstance(other, str) and any(
                    isinstance(one, str) and len(one.split()) == len(other.split()) < len(str(value).split())
                    for one in gold.arguments[name]
                )
                if other is None or unordered or shorter:
                    continue
                if other not in gold.arguments[name]:
                    yield f"changed {name} to {other!r}", with_arguments(call.arguments | {name: other})
        yield "dropped call", [*base[:place], *base[place + 1 :]]
        yield "duplicated call", [*base, call]
        yield (
            "renamed tool",
            [*base[:place], ToolCall(name=f"{gold.name}_", arguments=call.arguments), *base[place + 1 :]],
        )
    if task.expect.order == "sequence" and len(base) > 1:
        yield "other order", base[::-1]


def test_every_change_of_meaning_of_every_shipped_task_is_wrong() -> None:
    seen = 0
    for task in shipped():
        for what, calls in wrong_calls(task):
            seen += 1
            assert scored(task, calls).parameters == 0, (task.id, what, as_json(calls))
    assert seen > 2000


@given(generated_tasks(), st.data())
def test_one_change_of_meaning_of_a_generated_task_is_wrong(
    drawn: tuple[Task, list[ToolCall]], data: st.DataObject
) -> None:
    task, _ = drawn
    what, calls = data.draw(st.sampled_from(list(wrong_calls(task))))
    assume(not (what == "other order" and calls == firsts(task)))
    assert scored(task, calls).parameters == 0, what


# ---- What is written is read back ----


@given(st.lists(CALLS, min_size=1, max_size=3), st.sampled_from(sorted(VALUE_FORMS)))
def test_calls_written_in_a_familys_form_are_read_back(calls: list[ToolCall], form: str) -> None:
    tools = [Tool(name=call.name) for call in calls]
    assert list(read_calls(VALUE_FORMS[form](calls), tools)) == calls


@given(st.lists(typed_calls(), min_size=1, max_size=3), st.sampled_from(sorted(TEXT_FORMS)))
def test_calls_written_as_text_between_tags_are_read_back(
    drawn: list[tuple[Tool, ToolCall]], form: str
) -> None:
    tools = {tool.name: tool for tool, _ in drawn}
    calls = [call for tool, call in drawn if tools[tool.name] is tool]
    assert list(read_calls(TEXT_FORMS[form](calls), list(tools.values()))) == calls


# ---- No answer ends in another error ----

ODD_TOOLS = [
    Tool(
        name="cab.get_fare", parameters={"properties": {"drop": {"type": "string"}, "n": {"type": "integer"}}}
    ),
    Tool(name="get-weather", parameters={"properties": {"drop": {"type": "string"}}}),
    Tool(name="मौसम"),
]
PIECES = re.findall(r"<[^<>]{1,40}>|\[[A-Z_]+\]|[\w.▁]+|.", "".join(
    form([ToolCall(name=name, arguments={"drop": "पुणे", "n": -2.5})])
    for form in (*VALUE_FORMS.values(), *TEXT_FORMS.values())
    for name in ("cab.get_fare", "get-weather")
), re.DOTALL)  # fmt: skip


def readable_or_not(text: str) -> None:
    try:
        assert read_calls(text, ODD_TOOLS)
    except Unreadable as error:
        assert error.reason


@given(TEXTS)
def test_no_text_ends_in_another_error(text: str) -> None:
    readable_or_not(text)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_pieces_of_forms_end_in_another_error(text: str) -> None:
    readable_or_not(text)


@given(
    st.lists(CALLS, min_size=1, max_size=2),
    st.sampled_from(sorted(VALUE_FORMS | TEXT_FORMS)),
    st.integers(0, 400),
    st.integers(0, 12),
    st.sampled_from(
        ["", "'", '"', "\\", "{", "}", "[", ")", "<", "</", "<tool_call>", "\n", ",", "न", "\x00"]
    ),
)
def test_no_damaged_answer_ends_in_another_error(
    calls: list[ToolCall], form: str, start: int, length: int, instead: str
) -> None:
    text = (VALUE_FORMS | TEXT_FORMS)[form](calls)
    place = start % (len(text) + 1)
    readable_or_not(text[:place] + instead + text[place + length :])


# ---- Matching agrees with trying every pairing ----


@pytest.mark.parametrize("order", ["any", "sequence"])
@given(st.data())
def test_an_answer_is_right_where_any_pairing_makes_it_right(order: str, data: st.DataObject) -> None:
    from itertools import permutations

    values = st.integers(0, 2)
    accepted = data.draw(st.lists(st.lists(values, min_size=1, max_size=2), min_size=1, max_size=4))
    given_values = data.draw(st.lists(values, min_size=len(accepted), max_size=len(accepted)))
    gold = tuple(GoldCall(name="f", arguments={"x": list(variants)}) for variants in accepted)
    calls = [ToolCall(name="f", arguments={"x": value}) for value in given_values]
    found = match_calls(Expect(calls=gold, order=order), calls, [Tool(name="f")])  # type: ignore[arg-type]
    orders = permutations(given_values) if order == "any" else [tuple(given_values)]
    assert found.right is any(
        all(value in variants for value, variants in zip(chosen, accepted, strict=True)) for chosen in orders
    )


@given(st.permutations([0, 1, 2]), st.permutations([0, 1, 2]), st.booleans())
def test_markers_are_read_whatever_way_alike_calls_are_numbered(
    made: list[int], used: list[int], swapped: bool
) -> None:
    """Three carts that are made alike, and one thing put into each: which cart got which number is free."""
    gold = (
        *(GoldCall(name="new") for _ in range(3)),
        *(
            GoldCall(name="add", arguments={"cart": [{"$ref": f"{cart}.id"}], "item": [f"item {cart}"]})
            for cart in range(3)
        ),
    )
    adds = [
        ToolCall(name="add", arguments={"cart": {"$ref": f"{made[cart]}.id"}, "item": f"item {cart}"})
        for cart in used
    ]
    if swapped:
        same_cart = {"cart": adds[0].arguments["cart"], "item": adds[1].arguments["item"]}
        adds[1] = ToolCall(name="add", arguments=same_cart)
    calls = [*(ToolCall(name="new") for _ in range(3)), *adds]
    assert match_calls(Expect(calls=gold), calls, [Tool(name="new"), Tool(name="add")]).right is not swapped


def test_as_python_and_as_json_say_the_same() -> None:
    calls = [ToolCall(name="cab.get_fare", arguments={"drop": 'It\'s "மாம்பலம்"', "n": [1, None, True]})]
    assert read_calls(as_python(calls), ODD_TOOLS) == read_calls(as_json(calls), ODD_TOOLS) == tuple(calls)
