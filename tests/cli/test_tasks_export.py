"""`voicebench tasks export`: the shipped tasks, or anybody's, in the forms of others."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from tests.tasks.exports.tasks import ALL, HARMFUL
from voicebench.cli.tasks_export import export
from voicebench.errors import UserError
from voicebench.files import write_rows


def _run(*words: str) -> Result:
    app = typer.Typer()
    app.command("export")(export)
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.jsonl"
    write_rows(path, ALL)
    return path


def test_what_is_left_out_is_counted_and_the_next_command_is_named(tasks: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = _run("bfcl", str(tasks), "--out", str(out))
    assert ran.exit_code == 0, ran.output
    assert ran.stdout.splitlines()[:2] == [
        "4 tasks in 7 files",
        "left out: 2 × BFCL has no refusals, as bad",
    ]
    assert ran.stdout.splitlines()[-1].endswith(f"voicebench tasks import bfcl {out}")


def test_languages_and_kinds_can_be_chosen(tasks: Path, tmp_path: Path) -> None:
    ran = _run(
        "openai", str(tasks), "--lang", "en", "--task", "parallel", "--out", str(tmp_path / "o"), "--json"
    )
    found = json.loads(ran.stdout)
    assert (found["count"], [Path(name).name for name in found["files"]]) == (1, ["tools.json", "en.jsonl"])


def test_a_hub_data_set_says_how_it_is_loaded(tasks: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    ran = _run("hub", str(tasks), "--out", str(tmp_path / "h"))
    assert ran.exit_code == 0, ran.output
    assert f"written: {tmp_path / 'h'}" in ran.stdout
    assert f"datasets.load_dataset('{tmp_path / 'h'}')" in ran.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("bfkl",), r"there is no form 'bfkl'. Did you mean 'bfcl'"),
        (("bfcl", "--audio", "x"), "--audio: bfcl holds no clips; hub does"),
        (("hub", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], message: str) -> None:
    ran = _run(*words)
    assert isinstance(ran.exception, UserError)
    assert message in str(ran.exception)


def test_where_nothing_fits_it_is_a_mistake(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.jsonl", [HARMFUL])
    assert isinstance(_run("openai", str(tmp_path / "t.jsonl")).exception, UserError)
