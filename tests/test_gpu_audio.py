"""`bench/gpu_audio.py` runs, and says what it cannot run."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from voicebench.devices import cuda_devices

ROOT = Path(__file__).parent.parent
FAKES = ("--quick", "--device", "cpu", "--synthesizer", "fake", "--converter", "fake", "--encoder", "fake")


def lines(*options: str) -> list[dict[str, Any]]:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "gpu_audio.py"), *options], cwd=ROOT, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.skipif(bool(cuda_devices()), reason="there is a GPU")
def test_without_a_gpu_every_stage_says_why_it_did_not_run() -> None:
    found = lines()
    assert [line["case"] for line in found] == [
        "synthesis", "embedding", "conversion", "effects", "choice", "build",
    ]  # fmt: skip
    assert all("no CUDA device" in line["not_run"] for line in found)


@pytest.mark.parametrize("stage", ["synthesis", "embedding", "conversion", "effects", "build"])
def test_every_stage_runs_on_the_fakes(stage: str) -> None:
    (line,) = lines(*FAKES, "--only", stage)
    assert line["case"].startswith(stage)
    assert line["ours_s"] > 0 and line["n"] > 0
    assert line.get("same_result", True)
