"""Run somebody else's scorer on the cases: a command that reads and writes JSON Lines, or a Python callable.

Whatever goes wrong on the scorer's side (a crash, a line that cannot be read, silence) is reported and never
counts as a verdict. `docs/conformance.md` is the protocol.
"""

import importlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from voicebench.conformance.answers import Answer, Said, Scorer, question_of, read_answer
from voicebench.errors import UserError, did_you_mean, first_line
from voicebench.types import ConformanceRow

_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_LONGEST_SHOWN = 200


def external_scorer(spec: str, timeout_s: float) -> Scorer:
    """Return the scorer that a user names: `module:function`, or else a command line.

    Args:
        spec: `module:function` is imported, the current folder first; anything else is run as a command
            (words as in a shell, but no shell).
        timeout_s: How long a command may take for all cases together. A callable is not interrupted.

    Raises:
        UserError: There is no such command, module or function.
    """
    if _CALLABLE.fullmatch(spec):
        return _callable_scorer(_imported(spec))
    words = _words(spec)
    return lambda cases: _run_command(words, cases, timeout_s)


def _words(spec: str) -> list[str]:
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise UserError(f"--scorer {spec!r}: {error}") from None
    if not words:
        raise UserError("--scorer: is empty. Give a command, or module:function")
    return words


# ---- A Python callable ----


def _imported(spec: str) -> Callable[[dict[str, Any]], Any]:
    module_name, _, name = spec.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise UserError(
            f"--scorer {spec}: no module {error.name!r} here or among what is installed"
        ) from None
    found = getattr(module, name, None)
    if not callable(found):
        known = [key for key, value in vars(module).items() if callable(value) and key[0] != "_"]
        raise UserError(
            f"--scorer {spec}: {module_name} has no function {name!r}.{did_you_mean(name, known)}"
        )
    return found  # type: ignore[no-any-return]


def _callable_scorer(function: Callable[[dict[str, Any]], Any]) -> Scorer:
    def answer(case: ConformanceRow) -> Answer:
        try:
            return read_answer(function(question_of(case)))
        # Whatever a stranger's code raises is its answer to this case, and the next case goes on.
        except Exception as error:
            return Answer(error=f"{type(error).__name__}: {first_line(error)}"[:_LONGEST_SHOWN])

    return lambda cases: Said({case.id: answer(case) for case in cases})


# ---- A command ----


def _run_command(words: Sequence[str], cases: Sequence[ConformanceRow], timeout_s: float) -> Said:
    lines = "".join(json.dumps(question_of(case), ensure_ascii=False) + "\n" for case in cases)
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise UserError(f"--scorer: {words[0]}: cannot be run ({error.strerror})") from None
    try:
        out, err = process.communicate(lines.encode("utf-8", "surrogatepass"), timeout_s)
        ended = _how_it_ended(process.returncode, err)
    except subprocess.TimeoutExpired:
        _kill(process)
        out, err = process.communicate()
        ended = f"the scorer was stopped after {timeout_s:g} s"
    except BaseException:
        _kill(process)
        raise
    return _read_output(out, {case.id for case in cases}, ended)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    # The command may have started others, which would keep the pipes open.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _how_it_ended(code: int, err: bytes) -> str | None:
    """Return what to say of a scorer that did not end well; None where it did."""
    if code == 0:
        return None
    last = err.decode("utf-8", "replace").strip().splitlines()[-1:]
    said = f": {last[0][:_LONGEST_SHOWN]}" if last else ""
    how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
    return f"the scorer ended {how}{said}"


def _read_output(out: bytes, asked: set[str], ended: str | None) -> Said:
    answers: dict[str, Answer] = {}
    faults = [] if ended is None else [ended]
    for number, raw in enumerate(out.splitlines(), start=1):
        if not raw.strip():
            continue
        where = f"line {number} of its output"
        try:
            said = json.loads(raw)
        except (ValueError, RecursionError):
            shown = raw.decode("utf-8", "replace")[:_LONGEST_SHOWN]
            faults.append(f"{where} is not JSON: {shown!r}")
            continue
        name = said.get("id") if isinstance(said, dict) else None
        if not isinstance(name, str) or name not in asked:
            faults.append(f"{where} names no case that was asked: {str(name)[:_LONGEST_SHOWN]!r}")
        elif name in answers:
            answers[name] = Answer(error=f"{where} answers this case a second time")
        else:
            answers[name] = _read(said, where)
    silent = Answer(error=f"no answer ({ended})" if ended else "no answer")
    return Said(dict.fromkeys(asked - answers.keys(), silent) | answers, tuple(faults))


def _read(said: dict[str, Any], where: str) -> Answer:
    try:
        return read_answer(said)
    except ValueError as error:
        return Answer(error=f"{where}: {error}")
