"""`bench/gpu_agents.py` runs, and says what it cannot run."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from voicebench.devices import cuda_devices

ROOT = Path(__file__).parent.parent
TINY = ("--device", "cpu", "--tiny", "--requests", "2", "--answer-tokens", "4", "--prompt-tokens", "40")


def lines(*options: str) -> dict[str, dict[str, Any]]:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "gpu_agents.py"), *options], cwd=ROOT, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    return {line["case"]: line for line in found}


@pytest.mark.skipif(bool(cuda_devices()), reason="there is a GPU")
def test_without_a_gpu_every_case_says_why_it_did_not_run() -> None:
    found = lines()
    assert {"qwen2.5-omni", "voxtral", "whisper-large-v3+qwen3-8b", "llama3.3-70b"} <= set(found)
    assert all("no CUDA device" in line["not_run"] for line in found.values())


def test_a_model_of_full_size_is_not_measured_on_a_cpu() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("accelerate")
    found = lines("--device", "cpu", "--only", "qwen3-8b")
    assert found["qwen3-8b"]["not_run"].endswith("on a CPU measure nothing. Give --tiny")


def test_every_case_runs_on_tiny_models() -> None:
    for package in (
        "torch",
        "torchaudio",
        "torchvision",
        "transformers",
        "accelerate",
        "peft",
        "mistral_common",
    ):
        pytest.importorskip(package)
    found = lines(*TINY)
    assert [case for case, line in found.items() if "not_run" in line] == []
    for line in found.values():
        assert (line["weights"], line["n"], line["device"]) == ("random", 2, "cpu")
        assert 0 < line["done_s"]["p50"] <= line["done_s"]["p99"]
        assert 0 < line["answer_tokens"] <= 4
    assert found["qwen3-8b"]["clip_s"] is None
    assert found["voxtral"]["clip_s"] == 3.5
