"""Every command explains itself, with an example that names real options."""

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from tests.cli.conftest import Run
from voicebench.cli.main import app


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    group = group or typer.main.get_command(app)
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = list(commands())


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_help_ends_with_an_example_of_this_command(run: Run, path: tuple[str, ...], command: Any) -> None:
    said = run(*path, "--help")
    assert said.exit_code == 0
    example = re.search(r"Example: voicebench (.+)", command.help)
    assert example is not None
    words = shlex.split(example.group(1))
    assert tuple(words[: len(path)]) == path
    known = {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_every_option_has_a_help_text(path: tuple[str, ...], command: Any) -> None:
    assert [p.name for p in command.params if not getattr(p, "help", None)] == []


@pytest.mark.parametrize("words", [(), ("models",), ("tasks",), ("audio",)])
def test_lists_of_commands_are_not_cut(run: Run, words: tuple[str, ...]) -> None:
    _, _, listed = run(*words, "--help").output.partition("Commands:")
    assert listed.strip()
    assert "..." not in listed


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").output == "voicebench 0.1.0\n"
