"""Packets that the network loses: frames of 20 ms in bursts, covered up as a simple receiver does."""

import numpy as np
import numpy.typing as npt

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.types import Audio

FRAME_S = 0.02
_FADE = 0.5
_COVERED = 3


def lost_frames(count: int, loss: float, burst: float, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Return which frames are lost, shape (count,).

    The line is good or bad, and a frame is lost while it is bad (Gilbert 1960; Elliott 1963, with losses of 0
    and 1 in the two states). It turns good with probability r = 1 / burst, bad with p = r loss / (1 − loss),
    so that the share of lost frames is p / (p + r) = loss and bursts have the mean length that is asked for.

    Args:
        count: How many frames.
        loss: Share of frames that are lost in the long run, in [0, 1).
        burst: Mean number of frames lost in a row.
        rng: One number is drawn for each frame, so the patterns of two shares are alike.
    """
    to_good = 1 / burst
    to_bad = to_good * loss / (1 - loss)
    drawn = rng.random(count)
    lost = np.zeros(count, np.bool_)
    # The line has been in use for long when the clip begins, so it is bad then with the long run's share.
    bad, turns_bad = False, loss
    for index, value in enumerate(drawn):
        bad = bool(value >= to_good if bad else value < turns_bad)
        lost[index], turns_bad = bad, to_bad
    return lost


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    frame = max(1, round(FRAME_S * audio.sample_rate_hz))
    length = len(audio.samples)
    count = -(-length // frame)
    frames = np.pad(audio.samples, (0, count * frame - length)).reshape(count, frame)
    lost = lost_frames(count, values["loss"] / 100, values["burst"], scene.rng)
    _cover(frames, lost, repeat=values["conceal"] == "repeat")
    return Audio(frames.reshape(-1)[:length], audio.sample_rate_hz), {
        "loss_percent": values["loss"], "burst": values["burst"], "conceal": values["conceal"],
        "frames": count, "lost": int(lost.sum()),
    }  # fmt: skip


def _cover(frames: npt.NDArray[np.float32], lost: npt.NDArray[np.bool_], *, repeat: bool) -> None:
    """Replace lost frames, shape (frames, samples): the last good one again, fading, and then nothing."""
    last, gone = None, 0
    for index, is_lost in enumerate(lost):
        if not is_lost:
            last, gone = frames[index], 0
            continue
        gone += 1
        if repeat and last is not None and gone <= _COVERED:
            end = 0.0 if gone == _COVERED else _FADE**gone
            frames[index] = last * np.linspace(_FADE ** (gone - 1), end, len(last), dtype=np.float32)
        else:
            frames[index] = 0


def _check(values: Values) -> str | None:
    largest = values["burst"] / (1 + values["burst"])
    if values["loss"] / 100 > largest:
        return (
            f"bursts of {values['burst']:g} frames lose {100 * largest:.1f} % at most. "
            "Ask for longer bursts, such as packet-loss:loss=70,burst=4"
        )
    return None


PACKET_LOSS = Effect(
    name="packet-loss",
    summary="frames of 20 ms are lost in bursts (Gilbert–Elliott)",
    parameters=(
        Parameter("loss", "share of frames that are lost", unit="%", low=0, high=95, default=5.0),
        Parameter("burst", "mean number of frames lost in a row", low=1, high=100, default=2.0),
        Parameter(
            "conceal", "what is heard instead: the last frame again, fading, or nothing", "choice",
            choices=("repeat", "silence"), default="repeat",
        ),
    ),
    run=_run,
    example="packet-loss-5%",
    draws=True,
    check=_check,
)  # fmt: skip
