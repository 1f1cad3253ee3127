"""Measure the effects and the loudness meter against the libraries that people use for them.

Prints JSON lines; seconds are those of one clip of 10 s at 16 kHz, the best of many rounds in which ours and
the peer take turns, with one thread. `same_result` is within the tolerance that is said here:

- `noise`: white noise at 10 dB under the clip, against AddGaussianSNR of audiomentations; both ratios are
  within 0.1 dB of what was asked for. `noise pink`: against AddColorNoise, likewise.
- `room`: the clip through a response of 1 s whose spectrum is at hand, as it is for all clips of a recorded
  room but the first, against oaconvolve of scipy.signal; no sample differs by more than 1e-5 of the largest.
- `telephony`: 300-3400 Hz, 8 kHz, G.711 and back, against what the standard library has for it (ratecv,
  lin2ulaw, ulaw2lin, ratecv: a linear resampler, and no band limit but its own). G.711 gives the same for all
  65,536 samples, and the levels of thirds of octaves are within 1 dB from 400 to 1000 Hz, where that
  resampler is flat. `telephony, same band`: against soxr, a fourth-order Butterworth filter of scipy and
  audioop, which limit the band as ours does; likewise, from 400 to 3200 Hz.
- `loudness`: gated loudness (BS.1770), against pyloudnorm; within 0.1 LU.
- `resample`: 48 kHz to 16 kHz, against soxr, which is what ours calls, and resample_poly of scipy.signal; the
  levels of thirds of octaves from 100 to 7000 Hz are within 0.1 dB.

    python bench/effects.py
    python bench/effects.py --quick
"""

# BLAS reads its number of threads when numpy is imported.
# ruff: noqa: E402

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_threads] = "1"

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects import apply
from voicebench.audio.effects.fourier import Response
from voicebench.audio.effects.telephony import g711
from voicebench.audio.io import resample
from voicebench.audio.loudness import loudness_lufs
from voicebench.types import Audio

Floats = npt.NDArray[np.float32]

RATE_HZ = 16000
CLIP_S = 10
SNR_DB = 10.0
ROUNDS = 200


def speech(rate: int = RATE_HZ) -> Audio:
    """Return a clip with the harmonics, the slope and the pauses of speech.

    Pauses are quiet, not silent: on zeros the recursive filters of the peers fall into denormal numbers, and
    take several times as long.
    """
    time_s = np.arange(CLIP_S * rate) / rate
    pitch = 140 + 20 * np.sin(2 * np.pi * 0.5 * time_s)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    voice = sum(np.sin(k * phase) / k for k in range(1, 50) if k * 160 < rate / 2)
    swell = np.maximum(0, np.sin(2 * np.pi * 2 * time_s)) * (np.sin(2 * np.pi * 0.2 * time_s) > -0.6)
    breath = np.random.default_rng(1).standard_normal(len(time_s)) * 0.02
    return Audio((0.1 * ((voice + breath) * swell + 0.05 * breath)).astype(np.float32), rate)


def race(
    case: str,
    goal: float | None,
    ours: Callable[[], Any],
    peer_name: str,
    peer: Callable[[], Any],
    same: Callable[[Any, Any], bool],
    rounds: int,
) -> None:
    """Print one comparison; a ratio above 1 means that ours is faster."""
    mine, theirs = ours(), peer()
    ours_s = peer_s = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        ours()
        middle = time.perf_counter()
        peer()
        end = time.perf_counter()
        ours_s, peer_s = min(ours_s, middle - start), min(peer_s, end - middle)
    result = {
        "bench": "effects",
        "case": case,
        "ours_s": float(f"{ours_s:.4g}"),
        "peer": peer_name,
        "peer_s": float(f"{peer_s:.4g}"),
        "ratio": round(peer_s / ours_s, 2),
        "same_result": bool(same(mine, theirs)),
    }
    print(json.dumps(result | ({} if goal is None else {"goal": goal})), flush=True)


def noise(clip: Audio, rounds: int, *, quick: bool) -> None:
    """Race noise at a signal-to-noise ratio."""
    from audiomentations import AddColorNoise, AddGaussianSNR

    def exact(mine: tuple[Audio, Any], theirs: Floats) -> bool:
        gain = mine[1][0]["gain"]
        ratios = snr_db(clip.samples * gain, mine[0].samples), snr_db(clip.samples, theirs)
        return max(abs(ratio - SNR_DB) for ratio in ratios) < 0.1

    rng = np.random.default_rng(0)
    white = AddGaussianSNR(min_snr_db=SNR_DB, max_snr_db=SNR_DB, p=1.0)
    race(
        "noise", 4, lambda: apply("noise-10dB", clip, rng), "audiomentations",
        lambda: white(clip.samples, RATE_HZ), exact, rounds,
    )  # fmt: skip
    if not quick:
        pink = AddColorNoise(
            min_snr_db=SNR_DB, max_snr_db=SNR_DB, min_f_decay=-3.01, max_f_decay=-3.01, p=1.0
        )
        race(
            "noise pink", None, lambda: apply("pink-noise-10dB", clip, rng), "audiomentations",
            lambda: pink(clip.samples, RATE_HZ), exact, rounds,
        )  # fmt: skip


def room(clip: Audio, rounds: int) -> None:
    """Race the convolution with a room's response of 1 s."""
    from scipy.signal import oaconvolve

    rng = np.random.default_rng(2)
    samples = rng.standard_normal(RATE_HZ) * np.exp(-6.9 * np.arange(RATE_HZ) / RATE_HZ) * 0.05
    samples[0] = 1
    response = Response(samples.astype(np.float32))
    race(
        "room", 1.8, lambda: response.convolve(clip.samples), "scipy",
        lambda: oaconvolve(clip.samples, response.samples)[: len(clip.samples)],
        lambda mine, theirs: float(np.abs(mine - theirs).max()) <= 1e-5 * float(np.abs(theirs).max()), rounds,
    )  # fmt: skip


def telephony(clip: Audio, rounds: int) -> None:
    """Race a telephone line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import audioop
    import soxr
    from scipy.signal import butter, sosfilt

    def coded(pcm: bytes) -> bytes:
        return audioop.ulaw2lin(audioop.lin2ulaw(pcm, 2), 2)

    def alone() -> Floats:
        narrow, _ = audioop.ratecv(pcm_of(clip.samples), 2, 1, RATE_HZ, 8000, None)
        return samples_of(audioop.ratecv(coded(narrow), 2, 1, 8000, RATE_HZ, None)[0])

    band = butter(4, [300, 3400], "bandpass", fs=8000, output="sos")

    def limited() -> Floats:
        narrow = sosfilt(band, soxr.resample(clip.samples, RATE_HZ, 8000))
        return np.asarray(soxr.resample(samples_of(coded(pcm_of(narrow))), 8000, RATE_HZ))

    every = np.arange(-32768, 32768).astype("<i2")
    same_codes = np.array_equal(
        g711(samples_of(every.tobytes()), "mulaw"), samples_of(coded(every.tobytes()))
    )
    rng = np.random.default_rng(0)
    for case, goal, name, peer, highest_hz in (
        ("telephony", 1.4, "audioop", alone, 1000),
        ("telephony, same band", None, "soxr+scipy+audioop", limited, 3200),
    ):
        race(
            case, goal, lambda: apply("telephony", clip, rng)[0].samples, name, peer,
            lambda mine, theirs, top=highest_hz: same_codes and levels_differ_db(mine, theirs, 400, top) < 1,
            rounds,
        )  # fmt: skip


def loudness(clip: Audio, rounds: int) -> None:
    """Race the loudness meter."""
    from pyloudnorm import Meter

    meter, samples = Meter(RATE_HZ), clip.samples.astype(np.float64)
    race(
        "loudness", 2.5, lambda: loudness_lufs(clip), "pyloudnorm",
        lambda: meter.integrated_loudness(samples), lambda mine, theirs: abs(mine - theirs) < 0.1, rounds,
    )  # fmt: skip


def resampling(rounds: int) -> None:
    """Race resampling; ours is soxr's, so the ratio to it says what the wrapping costs."""
    import soxr
    from scipy.signal import resample_poly

    clip = speech(48000)
    for name, peer in (
        ("soxr", lambda: soxr.resample(clip.samples, 48000, RATE_HZ)),
        ("scipy", lambda: resample_poly(clip.samples, 1, 3)),
    ):
        race(
            "resample", None, lambda: resample(clip, RATE_HZ).samples, name, peer,
            lambda mine, theirs: levels_differ_db(mine, theirs, 100, 7000) < 0.1, rounds,
        )  # fmt: skip


def snr_db(clean: Floats, noisy: Floats) -> float:
    """Return the ratio of the mean powers of a clip and of what was added to it."""
    speech_power = np.mean(clean.astype(np.float64) ** 2)
    return float(10 * np.log10(speech_power / np.mean((noisy.astype(np.float64) - clean) ** 2)))


def levels_differ_db(mine: Floats, theirs: Floats, low_hz: float, high_hz: float) -> float:
    """Return the largest difference of the levels of two clips in bands of a third of an octave."""
    length = min(len(mine), len(theirs))
    hz = np.fft.rfftfreq(length, 1 / RATE_HZ)
    powers = [np.abs(np.fft.rfft(samples[:length].astype(np.float64))) ** 2 for samples in (mine, theirs)]
    edges = [
        low_hz * 2 ** (third / 3) for third in range(99) if low_hz * 2 ** ((third + 1) / 3) <= high_hz * 1.01
    ]
    ratios = [
        powers[0][band].sum() / powers[1][band].sum()
        for band in ((hz >= edge) & (hz < edge * 2 ** (1 / 3)) for edge in edges)
    ]
    return float(np.abs(10 * np.log10(ratios)).max())


def pcm_of(samples: npt.NDArray[Any]) -> bytes:
    """Return samples as 16-bit PCM."""
    return (np.clip(samples, -1, 32767 / 32768) * 32768).astype("<i2").tobytes()


def samples_of(pcm: bytes) -> Floats:
    """Return 16-bit PCM as samples, shape (n,)."""
    return np.frombuffer(pcm, "<i2") / np.float32(32768)


def main() -> None:
    """Run the cases and print their lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and peers")
    quick = parser.parse_args().quick
    rounds = ROUNDS // 2 if quick else ROUNDS
    clip = speech()
    noise(clip, rounds, quick=quick)
    room(clip, rounds)
    telephony(clip, rounds)
    loudness(clip, rounds)
    if not quick:
        resampling(rounds)


if __name__ == "__main__":
    main()
