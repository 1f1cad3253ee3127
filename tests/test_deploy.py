"""The files of deploy/ parse, name commands and options that exist, and agree with themselves."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pages import ROOT, mistake_in
from voicebench.running.shards import Shard

DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "docker-compose.yml"
KUBERNETES = DEPLOY / "kubernetes-job.yaml"
SLURM = DEPLOY / "slurm-array.sh"
DOCKERFILES = (ROOT / "Dockerfile", DEPLOY / "Dockerfile")
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
OWN_IMAGES = ("voicebench", "voicebench-batch")
INSTRUCTIONS = {
    "ARG", "FROM", "ENV", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD", "STOPSIGNAL", "LABEL",
}  # fmt: skip


def in_shell(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of each voicebench command in a shell text; in comments, commands are indented."""
    for line in text.replace("\\\n", " ").splitlines():
        if re.match(r"# ?\S", line):
            continue
        for part in re.split(r"&&|;|\|", line):
            match = re.search(r"(?:^|\s)voicebench(?:-batch)? ([a-z][a-z-]*(?: .*)?)$", part.rstrip())
            if match is not None:
                # What the shell fills in is one word; which one does not matter here.
                words = shlex.split(re.sub(r"\$\(\([^)]*\)\)|\$\{[^}]*\}|\$[A-Z_a-z]+", "X", match[1]))
                yield tuple(words)


def containers() -> Iterator[dict[str, Any]]:
    for document in yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8")):
        if document["kind"] == "Job":
            yield from document["spec"]["template"]["spec"]["containers"]


def commands() -> Iterator[Any]:
    """Yield (words) of each voicebench command line in deploy/."""
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"].values()
    found: list[tuple[str, tuple[str, ...]]] = [
        (COMPOSE.name, tuple(service["command"])) for service in services if service["image"] in OWN_IMAGES
    ]
    for container in containers():
        if "command" in container:
            assert container["command"] == ["sh", "-c"]
            found += [(KUBERNETES.name, words) for words in in_shell(container["args"][0])]
        else:
            found.append((KUBERNETES.name, tuple(container["args"])))
    found += [(SLURM.name, words) for words in in_shell(SLURM.read_text(encoding="utf-8"))]
    for path in DOCKERFILES:
        found += [("Dockerfile", words) for words in in_shell(path.read_text(encoding="utf-8"))]
    for name, words in found:
        yield pytest.param(words, id=f"{name}: {' '.join(words[:3])}")


def test_every_file_is_known_here() -> None:
    assert {path.name for path in FILES} == {COMPOSE.name, KUBERNETES.name, SLURM.name, "Dockerfile"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_says_how_it_was_checked_and_that_it_never_ran(path: Path) -> None:
    head = " ".join(line.lstrip("# ") for line in path.read_text("utf-8").splitlines() if line[:1] == "#")
    assert re.search(r"Checked: \S+", head)
    assert re.search(r"Never (run|built)( by Slurm)? here", head)


@pytest.mark.parametrize("words", list(commands()))
def test_a_command_exists_with_its_options(words: tuple[str, ...]) -> None:
    assert mistake_in(words) is None


def test_all_kinds_of_command_are_found() -> None:
    found = {param.values[0][0] for param in commands()}
    assert {"build-audio", "eval", "merge", "demo", "models"} <= found


def test_a_batch_job_waits_for_the_server_and_for_the_clips() -> None:
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    job = services["voicebench"]
    assert {name: wait["condition"] for name, wait in job["depends_on"].items()} == {
        "vllm": "service_healthy",
        "audio": "service_completed_successfully",
    }
    assert "/health" in services["vllm"]["healthcheck"]["test"][-1]
    served = services["vllm"]["command"][services["vllm"]["command"].index("--served-model-name") + 1]
    model = job["command"][job["command"].index("--model") + 1]
    assert model == f"whisper-base+http://vllm:8000/v1#{served}"


def test_the_pods_of_a_job_take_all_shards() -> None:
    jobs = {doc["metadata"]["name"]: doc for doc in yaml.safe_load_all(KUBERNETES.read_text("utf-8"))}
    spec = jobs["voicebench-eval"]["spec"]
    [container] = spec["template"]["spec"]["containers"]
    shards = int(container["env"][0]["value"])
    assert spec["completions"] == spec["parallelism"] == shards
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 1
    written = re.search(r'--shard "(\S+)"', container["args"][0])
    assert written is not None
    said = [
        subprocess.run(
            ["sh", "-c", f'echo "{written[1]}"'], env={"JOB_COMPLETION_INDEX": str(i), "SHARDS": str(shards)},
            capture_output=True, text=True, check=True,
        ).stdout
        for i in range(shards)
    ]  # fmt: skip
    assert [Shard.parse(text) for text in said] == [Shard(i + 1, shards) for i in range(shards)]


def test_no_pod_runs_as_root() -> None:
    jobs = [doc for doc in yaml.safe_load_all(KUBERNETES.read_text("utf-8")) if doc["kind"] == "Job"]
    assert len(jobs) == 3
    for job in jobs:
        pod = job["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert [c["securityContext"]["allowPrivilegeEscalation"] for c in pod["containers"]] == [False]


@pytest.mark.parametrize("path", DOCKERFILES, ids=["top", "deploy"])
def test_a_dockerfile_holds_known_instructions_and_ends_without_rights(path: Path) -> None:
    text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line.strip()]
    assert {words[0] for words in lines} <= INSTRUCTIONS
    assert [words[1] for words in lines if words[0] == "USER"][-1] == "voicebench"


# ---- The array script, with stand-ins for Slurm and for us ----


@pytest.fixture
def slurm(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which sbatch and voicebench write down how they were called."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sbatch", "voicebench"):
        program = programs / name
        program.write_text(
            f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/called\n[ {name} = voicebench ] || echo "4711;big"\n',
            encoding="utf-8",
        )
        program.chmod(0o755)
    return {"PATH": f"{programs}:/usr/bin:/bin", "RUN": f"{tmp_path}/runs"}


def called(tmp_path: Path, *words: str, **env: str) -> list[str]:
    subprocess.run(["bash", str(SLURM), *words], env=env, check=True, capture_output=True, cwd=tmp_path)
    return (tmp_path / "called").read_text(encoding="utf-8").splitlines()


def test_the_array_script_is_bash() -> None:
    subprocess.run(["bash", "-n", str(SLURM)], check=True)


def test_submitting_makes_the_merge_wait_for_the_array(tmp_path: Path, slurm: dict[str, str]) -> None:
    assert called(tmp_path, **slurm) == [
        f"sbatch --parsable {SLURM} eval",
        f"sbatch --dependency=afterok:4711 --array=1 --gres=none {SLURM} merge",
    ]


@pytest.mark.parametrize(("shards", "expected"), [({}, "3/8"), ({"SHARDS": "16"}, "3/16")])
def test_a_task_of_the_array_takes_its_shard(
    tmp_path: Path, slurm: dict[str, str], shards: dict[str, str], expected: str
) -> None:
    array = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "8"}
    [line] = called(tmp_path, "eval", **slurm, **array, **shards)
    assert f"--shard {expected} --run {tmp_path}/runs/shard-3" in line


def test_the_merge_takes_the_folders_of_all_shards(tmp_path: Path, slurm: dict[str, str]) -> None:
    for number in (1, 2):
        (tmp_path / "runs" / f"shard-{number}").mkdir(parents=True)
    runs = f"{tmp_path}/runs"
    assert called(tmp_path, "merge", **slurm) == [
        f"voicebench merge {runs}/shard-1 {runs}/shard-2 --out {runs}/all --fresh"
    ]
