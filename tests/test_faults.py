"""Exceptions as what a response says about them."""

import pytest

from voicebench.errors import AgentFailure, UserError
from voicebench.faults import fault


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (AgentFailure("timeout", "no answer in 60 s"), "timeout", "no answer in 60 s"),
        (AgentFailure("made up", "odd"), "crash", "odd"),
        (UserError("tiny.en hears English only"), "unsupported", "tiny.en hears English only"),
        (MemoryError(), "out_of_memory", "MemoryError"),
        (
            RuntimeError("CUDA out of memory. Tried"),
            "out_of_memory",
            "RuntimeError: CUDA out of memory. Tried",
        ),
        (TimeoutError("slow"), "timeout", "TimeoutError: slow"),
        (KeyError("x"), "crash", "KeyError: 'x'"),
        (ValueError("first\nsecond"), "crash", "ValueError: first"),
    ],
)
def test_an_exception_has_a_kind_and_one_line(error: Exception, kind: str, message: str) -> None:
    found = fault(error)
    assert (found.kind, found.message) == (kind, message)


def test_an_endless_message_is_cut() -> None:
    assert len(fault(ValueError("x" * 100_000)).message) < 600
