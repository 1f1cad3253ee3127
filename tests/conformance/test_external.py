"""Other people's scorers: what they answer, and all that can go wrong with them."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conformance.cases import case
from tests.pages import DOCS, blocks
from voicebench.conformance.answers import Answer, Said
from voicebench.conformance.external import external_scorer
from voicebench.conformance.run import run
from voicebench.conformance.suite import read_cases
from voicebench.errors import UserError
from voicebench.types import ConformanceRow

Module = Callable[[str, str], None]
LOOP = "import json, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n    "


def command(script: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(script)}"


def said_by(script: str, cases: list[ConformanceRow], timeout_s: float = 60.0) -> Said:
    return external_scorer(command(script), timeout_s)(cases)


# ---- A command ----


def test_a_command_answers_line_by_line_in_any_order(three: list[ConformanceRow]) -> None:
    script = (
        "import json, sys\n"
        "for line in reversed(list(sys.stdin)):\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'parameters': 1}))"
    )
    said = said_by(script, three)
    assert said == Said(dict.fromkeys("abc", Answer({"parameters": 1})))


def test_a_command_gets_letters_as_they_are_and_no_verdict() -> None:
    script = (
        "import sys\n"
        "line = sys.stdin.buffer.read()\n"
        "good = 'चेन्नई'.encode() in line and b'want' not in line and b'because' not in line\n"
        'print(\'{"id": "x", "parameters": %d}\' % good)'
    )
    assert said_by(script, [case("x")]).answers["x"] == Answer({"parameters": 1})


def test_a_crash_keeps_what_came_before_and_is_a_fault(three: list[ConformanceRow]) -> None:
    script = (
        LOOP
        + "print(json.dumps({'id': case['id'], 'parameters': 1}), flush=True)\n    raise SystemExit('no GPU')"
    )
    said = said_by(script, three)
    assert said.faults == ("the scorer ended with exit code 1: no GPU",)
    assert said.answers["a"] == Answer({"parameters": 1})
    assert said.answers["b"].error == "no answer (the scorer ended with exit code 1: no GPU)"
    assert not run(lambda cases: said, three).conforms


def test_a_command_that_was_killed_is_a_fault(three: list[ConformanceRow]) -> None:
    said = said_by("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", three)
    assert said.faults == ("the scorer ended by signal 9",)


def test_a_command_that_never_ends_is_stopped_with_its_children(three: list[ConformanceRow]) -> None:
    script = (
        "import subprocess, sys, time\n"
        'print(\'{"id": "a", "parameters": 1}\', flush=True)\n'
        "subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    )
    said = said_by(script, three, timeout_s=3.0)
    assert said.faults == ("the scorer was stopped after 3 s",)
    assert said.answers["a"] == Answer({"parameters": 1})
    assert said.answers["c"] == Answer(error="no answer (the scorer was stopped after 3 s)")


def test_a_line_that_is_no_json_is_a_fault(three: list[ConformanceRow]) -> None:
    said = said_by("print('loading the model …')", three)
    assert said.faults == ("line 1 of its output is not JSON: 'loading the model …'",)
    assert {answer.error for answer in said.answers.values()} == {"no answer"}


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('{"id": "z", "parameters": 1}', "'z'"),
        ('{"parameters": 1}', "'None'"),
        ("[1]", "'None'"),
        ('{"id": [1]}', "'[1]'"),
    ],
)
def test_a_line_that_names_no_case_is_a_fault(three: list[ConformanceRow], line: str, shown: str) -> None:
    said = said_by(f"print({line!r})", three)
    assert said.faults == (f"line 1 of its output names no case that was asked: {shown}",)


def test_a_second_answer_to_a_case_is_an_error_of_the_case(three: list[ConformanceRow]) -> None:
    said = said_by('print(\'{"id": "a", "parameters": 1}\\n\' * 2)', three)
    assert said.answers["a"] == Answer(error="line 2 of its output answers this case a second time")


def test_an_answer_that_cannot_be_read_is_an_error_of_the_case(three: list[ConformanceRow]) -> None:
    said = said_by('print(\'{"id": "a", "parameters": 7}\')', three)
    assert (
        said.answers["a"].error
        == "line 1 of its output: parameters must be a number from 0 to 1, or null, not 7"
    )


def test_a_command_that_does_not_read_its_input_may_still_answer() -> None:
    cases = [case(str(number), why="x" * 100) for number in range(2000)]
    said = said_by('print(\'{"id": "7", "parameters": 0}\')', cases)
    assert said.answers["7"] == Answer({"parameters": 0})


def test_a_command_that_is_not_there_is_the_users_mistake(three: list[ConformanceRow]) -> None:
    with pytest.raises(UserError, match=r"--scorer: no-such-scorer: cannot be run \(No such file"):
        external_scorer("no-such-scorer --fast", 60.0)(three)


@pytest.mark.parametrize(("spec", "said"), [("", "is empty"), ("python 'x", "No closing quotation")])
def test_a_command_that_cannot_be_read_is_the_users_mistake(spec: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        external_scorer(spec, 60.0)


# ---- A callable ----


def test_a_function_is_given_each_case(module: Module, three: list[ConformanceRow]) -> None:
    module("mine_a", "def score(case):\n    return {'parameters': int(case['lang'] == 'ta')}\n")
    said = external_scorer("mine_a:score", 60.0)(three)
    assert [said.answers[name].figures["parameters"] for name in "abc"] == [0, 1, 0]


def test_a_function_that_raises_fails_its_case_alone(module: Module, three: list[ConformanceRow]) -> None:
    module(
        "mine_b",
        "def score(case):\n"
        "    if case['id'] == 'b':\n"
        "        raise KeyError('items')\n"
        "    return {'parameters': 1}\n",
    )
    said = external_scorer("mine_b:score", 60.0)(three)
    assert said.answers["b"] == Answer(error="KeyError: 'items'")
    assert said.answers["c"] == Answer({"parameters": 1})


def test_a_function_that_returns_no_object_is_an_error(module: Module) -> None:
    module("mine_c", "def score(case):\n    return 1\n")
    said = external_scorer("mine_c:score", 60.0)([case("x")])
    assert said.answers["x"].error == "ValueError: an answer is an object, not int"


def test_a_module_that_is_not_there_is_the_users_mistake(module: Module) -> None:
    with pytest.raises(UserError, match="--scorer nowhere_at_all:score: no module 'nowhere_at_all' here"):
        external_scorer("nowhere_at_all:score", 60.0)


def test_a_function_that_is_not_there_is_the_users_mistake(module: Module) -> None:
    module("mine_d", "def score(case):\n    return {}\n")
    with pytest.raises(UserError, match=r"mine_d has no function 'scor'\. Did you mean 'score'\?"):
        external_scorer("mine_d:scor", 60.0)


# ---- The page's example ----


def test_the_example_of_the_page_says_the_same_both_ways(module: Module, tmp_path: Path) -> None:
    (example,) = (block for block in blocks(DOCS / "conformance.md", "python") if block.file)
    module(example.file.removesuffix(".py"), example.text)
    cases = read_cases()
    as_command = external_scorer(f"{shlex.quote(sys.executable)} {example.file}", 120.0)(cases)
    as_function = external_scorer("exact_match:score", 120.0)(cases)
    assert as_command == as_function
    total = run(lambda _: as_command, cases).total
    assert total.errors == 0
    assert min(total.passed, total.failed, total.not_judged) > 20
