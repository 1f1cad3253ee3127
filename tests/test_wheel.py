"""The wheel alone, installed elsewhere, runs the stages from tasks to report."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built without a network from what is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
               "--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel, and sees this one's other packages."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    others = [path for path in sys.path if path.endswith("-packages")]
    (site / "others.pth").write_text("\n".join(others), encoding="utf-8")
    return folder


def run(elsewhere: Path, where: Path, *words: str) -> str:
    environment = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    command = [str(elsewhere / "bin" / "python"), "-m", "voicebench", *words]
    ran = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_wheel_holds_the_data_the_pages_assets_and_no_bare_package(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "voicebench/_data/conformance/reading.jsonl",
        "voicebench/_data/tasks/hi.jsonl",
        "voicebench/_data/tools/cab.json",
        "voicebench/_data/LICENSE",
        "voicebench/py.typed",
    } <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "voicebench", "voicebench_tts", "voicebench_asr", "voicebench_speech_lms",
    }  # fmt: skip
    source = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "voicebench").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert source <= names


def test_the_wheel_runs_from_tasks_to_report(elsewhere: Path, tmp_path: Path) -> None:
    where = run(elsewhere, tmp_path, "--version")
    assert where == "voicebench 0.1.0\n"
    fakes = ("--synthesizer", "fake", "--converter", "fake", "--encoder", "fake")
    run(elsewhere, tmp_path, "build-audio", "--lang", "hi", "--limit", "1", *fakes)
    run(elsewhere, tmp_path, "transcribe", "--asr", "fake")
    conditions = "text,speech,transcript:fake"
    run(elsewhere, tmp_path, "eval", "--model", "oracle", "--lang", "hi", "--limit", "1",
        "--condition", conditions, "--run", "r")  # fmt: skip
    assert (tmp_path / "r" / "report.html").is_file()
    assert not (tmp_path / "voicebench").exists()


def test_the_wheel_is_imported_from_where_it_was_installed(elsewhere: Path, tmp_path: Path) -> None:
    code = (
        "import voicebench, voicebench_tts, voicebench_asr, voicebench_speech_lms; print(voicebench.__file__)"
    )
    ran = subprocess.run(
        [str(elsewhere / "bin" / "python"), "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith(str(elsewhere))
