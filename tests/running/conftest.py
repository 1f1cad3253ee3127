"""Fixtures of the engine's tests."""

import pytest

from tests.running.helpers import StubAgent


@pytest.fixture
def stub() -> StubAgent:
    """An agent that always makes the same call."""
    return StubAgent(lambda request: request.answer(text="[music.play()]"))
