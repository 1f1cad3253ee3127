from collections.abc import Callable
from pathlib import Path

import pytest

from voicebench import registry
from voicebench.audio import encoders
from voicebench.models import LocalModel
from voicebench.registry import Record

Arrange = Callable[[bool, bool], None]


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Arrange:
    """Make ECAPA's packages and weights be there or not."""

    def set_to(installed: bool, weights: bool) -> None:
        monkeypatch.setattr(Record, "missing", property(lambda _: None if installed else "speechbrain"))
        found = LocalModel(tmp_path, "hub", "r") if weights else None
        monkeypatch.setattr(encoders, "at_hand", lambda name: found if name == "ecapa" else None)

    return set_to


@pytest.mark.parametrize(
    ("installed", "weights", "name", "why"),
    [
        (True, True, "ecapa", "its packages and weights are at hand"),
        (True, False, "d-vector", "ecapa's weights are not at hand: voicebench models fetch ecapa"),
        (False, True, "d-vector", "ecapa is not installed, extra 'speakers'"),
        (False, False, "d-vector", "ecapa is not installed, extra 'speakers'"),
    ],
)
def test_ecapa_is_the_default_where_packages_and_weights_are_at_hand(
    arrange: Arrange, installed: bool, weights: bool, name: str, why: str
) -> None:
    arrange(installed, weights)
    record, reason = encoders.default_encoder()
    assert record.name == name
    assert reason == why


def test_the_default_is_a_checkpoint_for_speakers() -> None:
    assert registry.find("encoder", "ecapa").weights == ("ecapa",)


def test_weights_of_the_users_own_have_no_revision_before_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = registry.find("encoder", "ecapa")
    for revision, expected in ((None, None), ("r", record.revision)):
        local = LocalModel(tmp_path, "VOICEBENCH_MODELS", revision)
        monkeypatch.setattr(encoders, "at_hand", lambda _, local=local: local)
        assert encoders.revision_at_hand(record) == expected
    assert encoders.revision_at_hand(registry.find("encoder", "fake")) == "1"
