import numpy as np
import pytest

from tests.audio.effects.helpers import heard, rng, tone
from voicebench.audio.effects import parse
from voicebench.audio.effects.packet_loss import lost_frames
from voicebench.errors import UserError
from voicebench.types import Audio


def runs(lost: np.ndarray) -> list[int]:
    """The lengths of the bursts."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], lost, [False]]).astype(int)))
    return (edges[1::2] - edges[::2]).tolist()


@pytest.mark.parametrize(("loss", "burst"), [(0.05, 1.0), (0.1, 2.0), (0.2, 4.0), (0.5, 1.0), (0.6, 10.0)])
def test_the_share_and_the_bursts_are_those_that_were_asked_for(loss: float, burst: float) -> None:
    lost = lost_frames(200_000, loss, burst, rng())
    assert lost.mean() == pytest.approx(loss, rel=0.05)
    assert np.mean(runs(lost)) == pytest.approx(burst, rel=0.05)


def test_the_first_frame_is_lost_as_often_as_any_other() -> None:
    first = [bool(lost_frames(1, 0.3, 5.0, rng(seed))[0]) for seed in range(2000)]
    assert np.mean(first) == pytest.approx(0.3, abs=0.03)


def test_a_seed_has_its_pattern() -> None:
    lost = lost_frames(60, 0.2, 3.0, rng(5))
    assert np.flatnonzero(lost).tolist() == [4, 5, 6, 8, 9, 10, 19, 20, 23, 24, 25, 29, 30, 48, 49]
    assert not lost_frames(50, 0.0, 3.0, rng(5)).any()


def test_what_the_manifest_says_was_lost_is_silent() -> None:
    clip = tone(440, 2.0)
    heard_, done = heard("packet-loss:loss=20,burst=2,conceal=silence", clip, seed=3)
    frames = heard_.reshape(-1, 320)
    silent = (np.abs(frames).max(axis=1) == 0).sum()
    assert silent == done["lost"] > 5
    assert done["frames"] == 100
    kept = np.abs(frames).max(axis=1) > 0
    assert np.array_equal(frames[kept], clip.samples.reshape(-1, 320)[kept])


def test_a_lost_frame_is_the_last_one_again_and_fades_out_in_three() -> None:
    levels = np.repeat([0.5, 0.4, 0.3, 0.2, 0.1], 320).astype(np.float32)
    found = None
    for seed in range(2000):
        pattern = lost_frames(5, 0.6, 4.0, rng_of_first_link(seed))
        if pattern.tolist() == [False, True, True, True, True]:
            found = heard("packet-loss:loss=60,burst=4", Audio(levels, 16000), seed)[0].reshape(5, 320)
            break
    assert found is not None
    assert (found[0] == 0.5).all()
    assert found[1, [0, -1]].tolist() == pytest.approx([0.5, 0.25])
    assert found[2, [0, -1]].tolist() == pytest.approx([0.25, 0.125])
    assert found[3, [0, -1]].tolist() == pytest.approx([0.125, 0.0])
    assert (found[4] == 0).all()


def rng_of_first_link(seed: int) -> np.random.Generator:
    return np.random.default_rng(int(np.random.default_rng(seed).integers(1 << 53)))


def test_nothing_is_made_up_before_the_first_frame_arrives() -> None:
    clip = tone(440, 0.1)
    for seed in range(200):
        if lost_frames(5, 0.6, 4.0, rng_of_first_link(seed))[0]:
            assert (heard("packet-loss:loss=60,burst=4", clip, seed)[0][:320] == 0).all()
            return
    raise AssertionError("no seed loses the first frame")


def test_more_loss_than_bursts_can_hold_is_refused() -> None:
    with pytest.raises(UserError, match=r"bursts of 1 frames lose 50.0 % at most"):
        parse("packet-loss:loss=51,burst=1")
    assert parse("packet-loss:loss=50,burst=1").name == "packet-loss-50%@burst=1"
