"""A key that is planted is found in nothing that a run leaves behind or says."""

from pathlib import Path

import pytest

from tests.running.commands import Unsteady, evaluated
from voicebench.fakes_server import Behaviour

KEY = "sk-planted-8f2c41d97ab3"


@pytest.mark.parametrize("model", ["unsteady", "error-403", "nosuchmodel"])
def test_a_key_is_in_no_file_log_report_or_error(tmp_path: Path, model: str) -> None:
    echo = {"error": {"message": f"Incorrect API key provided: {KEY}", "type": "x", "code": KEY}}
    events = f'data: {{"error": {{"message": "bad key {KEY}", "code": 500}}}}\n\n'.encode()
    behaviours = {
        "echo-401": Behaviour("says the key", 401, complaint=echo),
        "echo-400": Behaviour("says the key", 400, complaint=echo),
        "echo-429": Behaviour("says the key", 429, {"retry-after-ms": "1"}, complaint=echo),
        "echo-500": Behaviour("says the key", 500, {"retry-after-ms": "1"}, complaint=echo),
        "echo-page": Behaviour("says the key", raw=f"<html>{KEY}</html>".encode()),
        "echo-stream": Behaviour("says the key", raw=events),
    }
    kinds = [*behaviours, "drops", "fake"]
    with Unsteady(lambda n: kinds[n % len(kinds)], behaviours=behaviours, key=KEY) as server:
        ran = evaluated(
            tmp_path, f"fake+{server.url}#{model}", "--trials=3", "--json-log=log.jsonl",
            env={"OPENAI_API_KEY": KEY},
        )  # fmt: skip
        asked = [request.headers.get("authorization") for request in server.asked]
    # The key was really sent, and really sent back.
    assert set(asked) == ({f"Bearer {KEY}"} if model != "nosuchmodel" else set())
    assert ran.returncode == (2 if model == "nosuchmodel" else 0), ran.stderr
    if model == "unsteady":
        assert "***" in (tmp_path / "r" / "responses.jsonl").read_text(encoding="utf-8")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > (0 if model == "nosuchmodel" else 5)
    leaks = [path for path in files if KEY.encode() in path.read_bytes()]
    assert leaks == []
    assert KEY not in ran.stdout + ran.stderr
