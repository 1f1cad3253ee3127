import warnings
from types import ModuleType

import numpy as np
import pytest

from tests.audio.effects.helpers import heard, lag, white
from voicebench.audio.effects.telephony import g711

EVERY = np.arange(-32768, 32768)


@pytest.fixture
def audioop() -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("audioop")


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 44100])
def test_the_telephone_keeps_its_band_and_nothing_else(rate: int) -> None:
    clip = white(2.0, rate)
    line, _ = heard("telephony", clip)
    assert len(line) == rate * 2
    power = np.abs(np.fft.rfft(line)) ** 2
    hz = np.fft.rfftfreq(len(line), 1 / rate)
    inside = power[(hz > 400) & (hz < 3300)].mean()
    assert power[hz < 200].mean() < inside / 300
    assert power[(hz > 3600) & (hz < 3950)].mean() < inside / 300
    before = np.abs(np.fft.rfft(clip.samples)) ** 2
    for low, high in ((350, 700), (700, 1500), (1500, 3000), (3000, 3350)):
        band = (hz > low) & (hz < high)
        assert 10 * np.log10(power[band].sum() / before[band].sum()) == pytest.approx(0, abs=0.5)


@pytest.mark.parametrize("hz", [300, 3400])
def test_the_edges_of_the_band_are_where_they_should_be(hz: int) -> None:
    time_s = np.arange(16000) / 16000
    from voicebench.types import Audio

    def level_db(at: float) -> float:
        clip = Audio((0.3 * np.sin(2 * np.pi * at * time_s)).astype(np.float32), 16000)
        return float(20 * np.log10(np.std(heard("telephony", clip)[0]) / np.std(clip.samples)))

    inward = 1 if hz == 300 else -1
    assert level_db(hz + inward * 60) == pytest.approx(0, abs=0.5)
    assert level_db(hz - inward * 120) < -30


def test_the_telephone_does_not_shift_the_speech() -> None:
    clean = white()
    assert lag(clean.samples, heard("telephony", clean)[0]) == 0


def test_the_parameters_say_what_was_done() -> None:
    assert heard("telephony", white())[1] == {
        "name": "telephony", "codec": "G.711", "law": "mulaw", "rate_hz": 8000, "band_hz": [300.0, 3400.0],
    }  # fmt: skip
    assert heard("phone:law=alaw", white())[1]["law"] == "alaw"


def test_g711_is_that_of_the_standard() -> None:
    pcm = np.array([0, 3, 100, -100, 1000, -1000, 32767, -32768], np.float32)
    assert (g711(pcm / 32768, "mulaw") * 32768).tolist() == [0, 0, 104, -104, 988, -988, 32124, -32124]
    assert (g711(pcm / 32768, "alaw") * 32768).tolist() == [8, 8, 104, -104, 1008, -1008, 32256, -32256]


@pytest.mark.parametrize(("law", "levels"), [("mulaw", 255), ("alaw", 256)])
def test_eight_bits_are_left_and_what_they_give_is_kept_by_them(law: str, levels: int) -> None:
    decoded = g711((EVERY / 32768).astype(np.float32), law)
    assert len(np.unique(decoded)) == levels
    assert np.array_equal(g711(decoded, law), decoded)
    assert (np.diff(decoded) >= 0).all()


@pytest.mark.parametrize("law", ["mulaw", "alaw"])
def test_g711_equals_the_standard_librarys_for_every_sample(law: str, audioop: ModuleType) -> None:
    pcm = EVERY.astype("<i2").tobytes()
    there, back = (
        (audioop.lin2ulaw, audioop.ulaw2lin) if law == "mulaw" else (audioop.lin2alaw, audioop.alaw2lin)
    )
    want = np.frombuffer(back(there(pcm, 2), 2), "<i2")
    assert np.array_equal(g711((EVERY / 32768).astype(np.float32), law) * 32768, want)


def test_samples_beyond_full_scale_are_taken_as_full_scale() -> None:
    assert g711(np.array([1.5, -1.5], np.float32), "mulaw").tolist() == [32124 / 32768, -32124 / 32768]
