"""SpeechBrain for a test session: imported late, and without the stand-ins that it leaves behind."""

import importlib.util
import sys
import warnings

import pytest


def require_speechbrain() -> None:
    """Import what the tests use of SpeechBrain; skip where it is not installed.

    It leaves modules behind that import deprecated ones as soon as anybody looks at them, and Hypothesis
    looks at every module there is: these are taken out again. So it must not be imported while tests are
    collected.
    """
    if any(importlib.util.find_spec(name) is None for name in ("torch", "torchaudio", "speechbrain")):
        pytest.skip("SpeechBrain is not installed (extra: speakers)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import speechbrain.lobes.features
        import speechbrain.lobes.models.ECAPA_TDNN
        import speechbrain.processing.features  # noqa: F401
    for name, module in list(sys.modules.items()):
        if name.startswith("speechbrain.") and type(module).__name__ in (
            "DeprecatedModuleRedirect", "LazyModule",
        ):  # fmt: skip
            del sys.modules[name]
