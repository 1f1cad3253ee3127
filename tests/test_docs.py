"""What the documentation says is so: its commands run, its examples give what they state, its links lead."""

import errno
import importlib
import itertools
import json
import logging
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.pages import (
    DOCS,
    PAGES,
    ROOT,
    Block,
    Command,
    Table,
    anchors,
    blocks,
    code,
    console,
    json_of,
    links,
    mistake_in,
    parts,
    shell_commands,
    tables,
    text_of,
)
from voicebench import devices, models, registry
from voicebench.audio.spoken import spoken
from voicebench.cli.main import app
from voicebench.cli.schema import FORMATS
from voicebench.errors import MissingExtraError, VoicebenchError
from voicebench.files import disk_error, parse_object, to_json
from voicebench.model_catalog import OFFLINE_SET, PACKAGES
from voicebench.running import runs
from voicebench.running.materials import Materials, read_materials
from voicebench.running.plan import plan
from voicebench.scoring.score import score
from voicebench.scoring.setting import Setting
from voicebench.scoring.statistics import wilson
from voicebench.scoring.values import compare
from voicebench.tasks.read import parse_task, read_tools
from voicebench.types import FIGURES, ManifestRow, Response, Task
from voicebench_asr import whisper

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = set(PROJECT["optional-dependencies"])
FILES_SUFFIXES = {".jsonl", ".json", ".csv", ".txt", ".py", ".toml"}


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def having(lang: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, lang)]


# ---- Commands ----


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    registry.records.cache_clear()
    yield
    registry.records.cache_clear()


def install(folder: Path, project: str) -> None:
    """Make a page's own project importable and its entry points known, as `pip install -e` would."""
    described = tomllib.loads(project)["project"]
    dist = folder / f"{described['name'].replace('-', '_')}-{described['version']}.dist-info"
    dist.mkdir()
    (dist / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {described['name']}\nVersion: {described['version']}\n",
        encoding="utf-8",
    )
    groups = described.get("entry-points", {})
    lines = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items())
        for group, points in groups.items()
    ]
    (dist / "entry_points.txt").write_text("".join(lines), encoding="utf-8")


@pytest.mark.parametrize("page", having("console"), ids=name_of)
@pytest.mark.usefixtures("fresh_registry")
def test_the_commands_of_a_page_run_in_order_as_documented(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    for part in parts(page):
        if isinstance(part, Table):
            continue
        if part.file and Path(part.file).suffix in FILES_SUFFIXES and part.lang != "console":
            path = tmp_path / part.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part.text, encoding="utf-8")
            if path.name == "pyproject.toml":
                install(tmp_path, part.text)
        elif part.lang == "console":
            for command in console(part):
                run(command, f"{page.name}:{command.line}")


def run(command: Command, where: str) -> None:
    assert command.words[0] == "voicebench", f"{where}: a console block holds voicebench commands alone"
    result = CliRunner().invoke(app, list(command.words[1:]))
    problem = result.exception if not isinstance(result.exception, SystemExit) else None
    assert problem is None, f"{where}: {problem!r}"
    assert result.exit_code == command.exit_code, f"{where}: {result.output}"
    said = iter(result.output.splitlines())
    for line in command.shown:
        # Every documented line is printed, in this order.
        assert line.strip() in ("…", "") or any(matches(line, printed) for printed in said), (
            f"{where}: {line!r} is not printed:\n{result.output}"
        )


def matches(documented: str, said: str) -> bool:
    """Tell whether a line is as documented, where "…" stands for anything."""
    pieces = (re.escape(piece) for piece in documented.rstrip().split("…"))
    return re.fullmatch(".*".join(pieces), said.rstrip()) is not None


@pytest.mark.parametrize("page", having("sh"), ids=name_of)
def test_the_commands_that_are_not_run_exist_with_their_options(page: Path) -> None:
    assert [found for words in shell_commands(page) if (found := mistake_in(words))] == []


def test_an_unknown_option_is_noticed() -> None:
    assert mistake_in(("eval", "--model", "fake", "--colour")) == "eval has no option --colour"
    assert mistake_in(("evaluate", "--model", "fake")) == "no command 'evaluate --model'"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_in_running_text_exist(page: Path) -> None:
    written = re.findall(r"`voicebench ([a-z][^`…]*)`", text_of(page))
    named = [tuple(words) for line in written if (words := line.split()) and words[0] != "X"]
    assert [found for words in named if (found := mistake_in(words))] == []


# ---- Error lines ----


def error_lines(folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what is really said, in the situations that the table of error lines speaks of."""
    monkeypatch.setenv("VOICEBENCH_CACHE", str(folder / "cache"))
    task = parse_task(example("tasks"), "tasks.jsonl", read_tools())
    clip = parse_object(example("manifest"), ManifestRow, "manifest.jsonl")
    audio = folder / "my-audio" / clip.path
    audio.parent.mkdir(parents=True)
    audio.write_bytes(b"not what it was")
    sought = [str(MissingExtraError("kimi-audio", "kimi-audio", "kimia_infer"))]
    with caplog.at_level(logging.WARNING), monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda name: None)
        models.fetch_offline("kokoro-voices")
    with monkeypatch.context() as patch:
        failed = subprocess.CompletedProcess([], 1, "", "ERROR: no route to host")
        patch.setattr(subprocess, "run", lambda *args, **options: failed)
        sought.append(said_by(lambda: models.fetch_offline("d-vector")))
        patch.setattr(models, "fetch_offline", lambda *args, **options: None)
        sought.append(said_by(lambda: models.locate("smollm2")))
        patch.setattr(devices, "cuda_devices", lambda: ())
        sought.append(said_by(lambda: devices.choose_device("0", None)))
    with runs.opened(folder / "run"):
        sought.append(said_by(lambda: runs.opened(folder / "run").__enter__()))
    sought += [
        said_by(lambda: read_materials(Path("my-audio"))),
        said_by(lambda: plan([task], ["speech/noise-10dB"], Materials())),
        str(disk_error(Path("x"), OSError(errno.ENOSPC, "full"))),
        said_by(lambda: heard(task, clip, folder / "my-audio")),
        said_by(lambda: raise_inside_whisper("Library libcublas.so.12 is not found")),
    ]
    return [*sought, *caplog.messages]


def heard(task: Task, clip: ManifestRow, folder: Path) -> None:
    materials = Materials(folder, {(task.id, 0, clip.condition): clip})
    plan([task], [clip.condition], materials)[0].request("fake", materials, with_gold=False)


def raise_inside_whisper(message: str) -> None:
    with whisper._explained():
        raise RuntimeError(message)


def said_by(action: Callable[[], object]) -> str:
    with pytest.raises(VoicebenchError) as raised:
        action()
    return str(raised.value)


def test_the_error_lines_are_those_that_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = next(t for t in tables(DOCS / "getting-started.md") if t.headers[0] == "the line says")
    said = error_lines(tmp_path, monkeypatch, caplog)
    unsaid = [
        code(row["the line says"]) for row in table.rows
        if not any(matches(code(row["the line says"]), line) for line in said)
    ]  # fmt: skip
    assert unsaid == [], said


# ---- Generated pages ----


@pytest.mark.parametrize("name", ["cli.md", "models.md"])
def test_a_generated_page_is_what_its_generator_makes(name: str) -> None:
    made = runpy.run_path(str(ROOT / "tools" / "docs.py"))["pages"]()[name]
    assert text_of(DOCS / name) == made, "run: python tools/docs.py"


def test_the_datasheet_counts_what_is_there() -> None:
    page = text_of(ROOT / "data" / "README.md")
    assert runpy.run_path(str(ROOT / "tools" / "docs.py"))["datasheet"](page) == page, (
        "run: python tools/docs.py"
    )


# ---- Formats ----

FORMATS_PAGE = DOCS / "formats.md"


def format_examples() -> list[Block]:
    return [block for block in blocks(FORMATS_PAGE, "json") if block.file.endswith(".jsonl")]


def example(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(b.text for b in format_examples() if b.file == f"{name}.jsonl"))
    return found


def test_every_format_has_an_example() -> None:
    assert [block.file.removesuffix(".jsonl") for block in format_examples()] == list(FORMATS)


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_example_of_a_format_is_a_valid_row(name: str) -> None:
    parse_object(example(name), FORMATS[name], name)


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_page_explains_every_key_of_a_format(name: str) -> None:
    section = text_of(FORMATS_PAGE).split(f"\n## {name}.jsonl\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    explained = set(re.findall(r"`([a-z_0-9]+)`", " ".join(rows)))
    assert set(FORMATS[name].model_fields) <= explained
    required = {key for key, field in FORMATS[name].model_fields.items() if field.is_required()}
    assert set(re.findall(r"\*\*`([a-z_0-9]+)`\*\*", " ".join(rows))) == required


def test_the_example_response_gets_the_example_scores() -> None:
    task = parse_task(example("tasks"), "tasks.jsonl", read_tools())
    response = parse_object(example("responses"), Response, "responses.jsonl")
    assert to_json(score(task, response)) == example("scores")


# ---- Scoring ----

SCORING_PAGE = DOCS / "scoring.md"


def worked_answers() -> Iterator[Any]:
    """Yield each row of an answers' table with the example block before it."""
    given: dict[str, Any] = {}
    for part in parts(SCORING_PAGE):
        if isinstance(part, Block) and part.file == "example":
            given = json.loads(part.text)
        elif isinstance(part, Table) and part.headers[0] == "answer":
            for row in part.rows:
                yield pytest.param(given, row, id=f"{part.line}-{row['answer'][:60]}")


@pytest.mark.parametrize(("given", "row"), list(worked_answers()))
def test_a_worked_answer_gets_the_stated_figures(given: dict[str, Any], row: dict[str, str]) -> None:
    task = Task.model_validate(
        {"id": "t", "task": "single", "lang": "en", "turns": [{"role": "user", "text": "…"}], **given}
    )
    text = code(row["answer"]).replace("↵", "\n")
    scores = score(task, Response(task_id="t", agent="a", condition="text", trial=0, text=text))
    for figure in row.keys() - {"answer"}:
        assert figure in FIGURES
        got = getattr(scores, figure)
        if row[figure] == "–":
            assert got is None and figure in scores.unscored
        else:
            assert got == pytest.approx(float(row[figure]), abs=0.0005), figure


def worked_values() -> Iterator[Any]:
    for table in tables(SCORING_PAGE):
        if table.headers[:2] == ("given", "accepted"):
            for row in table.rows:
                yield pytest.param(row, id=f"{table.line}-{row['given']}")


@pytest.mark.parametrize("row", list(worked_values()))
def test_a_worked_value_gets_the_stated_verdict(row: dict[str, str]) -> None:
    schema = json_of(row["schema"]) if "schema" in row else {}
    setting = Setting(code(row.get("lang", "")) or None, code(row.get("today", "")) or None)
    got, gold = json_of(row["given"]), json_of(row["accepted"])
    assert compare(got, gold, schema, setting=setting) == row["verdict"]


def test_the_worked_intervals_are_right() -> None:
    rows = next(table for table in tables(SCORING_PAGE) if table.headers[0] == "right").rows
    for row in rows:
        found = wilson(int(row["right"]), int(row["of"]))
        assert found is not None
        assert (f"{found.low:.2f}", f"{found.high:.2f}") == (row["low"], row["high"])


def test_the_page_explains_every_figure() -> None:
    explained = {
        code(row["figure"])
        for table in tables(SCORING_PAGE)
        if "figure" in table.headers
        for row in table.rows
    }
    assert explained == set(FIGURES)


# ---- Audio ----


def worked_spoken_forms() -> Iterator[Any]:
    for table in tables(DOCS / "audio.md"):
        if table.headers[0] == "written":
            for row in table.rows:
                yield pytest.param(row, id=row["written"])


@pytest.mark.parametrize("row", list(worked_spoken_forms()))
def test_a_worked_text_is_said_as_stated(row: dict[str, str]) -> None:
    assert spoken(code(row["written"]), code(row["lang"]), region=code(row["region"]) or None) == code(
        row["said"]
    )


# ---- Links and extras ----


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in anchors(path), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_extra_that_a_page_names_exists(page: Path) -> None:
    written = re.findall(r"(?:'\.|voicebench-agents)\[([a-z0-9,-]+)\]|EXTRAS=([a-z0-9,-]+)", text_of(page))
    named = set(itertools.chain.from_iterable((one or other).split(",") for one, other in written))
    assert named <= EXTRAS


def test_the_extras_table_names_every_extra() -> None:
    table = next(table for table in tables(DOCS / "getting-started.md") if table.headers[0] == "extra")
    assert {code(row["extra"]) for row in table.rows} == EXTRAS


def test_the_size_of_the_offline_weights_is_right() -> None:
    keys = {key for name in OFFLINE_SET for key in models.weights(name).package_keys}
    size_mb = sum(PACKAGES[key].size_bytes for key in keys) / 1e6
    assert f"about {round(size_mb, -1):.0f} MB" in text_of(DOCS / "getting-started.md")


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {(ROOT / target.partition("#")[0]).resolve() for target in links(ROOT / "README.md")}
    assert {page for page in PAGES if page.parent == DOCS} <= linked


# ---- Python ----


def test_python_blocks_with_a_file_are_python() -> None:
    for page in PAGES:
        for block in blocks(page, "python"):
            compile(block.text, f"{page.name}:{block.line}", "exec")


@pytest.mark.parametrize("page", having("python"), ids=name_of)
def test_python_blocks_without_a_file_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    modules = set(sys.modules)
    names: dict[str, Any] = {"__name__": page.stem.replace("-", "_")}
    for block in blocks(page, "python"):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        else:
            exec(compile(block.text, f"{page.name}:{block.line}", "exec"), names)
    for name in sys.modules.keys() - modules:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(sys.modules[name].__file__):
            del sys.modules[name]
