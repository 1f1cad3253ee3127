"""What all tests share: no network, no GPU, no user's settings."""

import os

import pytest

# Set before anything imports the hub's client: no test may look for a hub.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VOICEBENCH_MODELS", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
