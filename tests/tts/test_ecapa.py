"""ECAPA-TDNN through its real loading code, with tiny random weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tts.speechbrain_pieces import require_speechbrain
from voicebench.errors import UserError
from voicebench.types import Audio
from voicebench_tts.ecapa import CHECKPOINT, Ecapa

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
SIZES = {
    "input_size": 20, "lin_neurons": 12, "channels": [32, 32, 32, 32, 48], "attention_channels": 8,
    "res2net_scale": 4, "se_channels": 8, "kernel_sizes": [5, 3, 3, 3, 1], "dilations": [1, 2, 3, 4, 1],
}  # fmt: skip


@pytest.fixture(scope="module")
def network() -> Any:
    """A network with weights that make it listen: batch norms with statistics, none left at their start."""
    require_speechbrain()
    import torch
    from speechbrain.lobes.models.ECAPA_TDNN import ECAPA_TDNN

    torch.manual_seed(3)
    made = ECAPA_TDNN(**SIZES)
    for name, buffer in made.named_buffers():
        if name.endswith("running_mean"):
            buffer.copy_(torch.randn_like(buffer) * 0.1)
        elif name.endswith("running_var"):
            buffer.copy_(0.05 + torch.rand_like(buffer))
    return made.eval()


@pytest.fixture(scope="module")
def folder(network: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    path = tmp_path_factory.mktemp("ecapa")
    torch.save(network.state_dict(), path / CHECKPOINT)
    return path


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Ecapa:
    return Ecapa(path=str(folder))


def clip(seconds: float, seed: int = 0, rate: int = 16000) -> Audio:
    rng = np.random.default_rng(seed)
    wave = rng.standard_normal(round(seconds * rate)) * 0.1
    swell = 1 + np.sin(np.arange(len(wave)) / rate * 9)
    return Audio((wave * swell).astype(np.float32).clip(-1, 1), rate)


CLIPS = [clip(s, n) for n, s in enumerate((0.3, 2.0, 0.55, 1.99, 0.551, 1.2, 3.4, 1.2))]


def cosines(a: Any, b: Any) -> Sequence[float]:
    return [float(value) for value in (a * b).sum(axis=1)]


def test_it_gives_what_speechbrains_own_pieces_give(network: Any, encoder: Ecapa) -> None:
    import torch
    from speechbrain.lobes.features import Fbank
    from speechbrain.processing.features import InputNormalization

    fbank, normalise = Fbank(n_mels=20), InputNormalization(norm_type="sentence", std_norm=False)
    for one in CLIPS:
        wave = torch.from_numpy(one.samples)[None]
        whole = torch.ones(1)
        with torch.no_grad():
            theirs = network(normalise(fbank(wave), whole), whole)[0, 0].numpy()
        theirs /= np.linalg.norm(theirs)
        assert np.allclose(encoder.embed([one])[0], theirs, atol=1e-5)


def test_a_batch_gives_each_clip_what_it_gets_alone(encoder: Ecapa) -> None:
    alone = np.concatenate([encoder.embed([one]) for one in CLIPS])
    assert cosines(encoder.embed(CLIPS), alone) == pytest.approx([1.0] * len(CLIPS), abs=1e-5)
    # The clips do differ, so a mix-up would show.
    assert np.abs(alone @ alone.T - np.eye(len(CLIPS))).max() < 0.9999


def test_padding_without_mirrored_ends_would_change_the_result(encoder: Ecapa) -> None:
    """What the mirroring is for: the same batch without it is off by more than is allowed."""
    alone = np.concatenate([encoder.embed([one]) for one in CLIPS])
    ends, encoder._ends = encoder._ends, NothingMirrored(encoder._ends.reach)  # type: ignore[assignment]
    try:
        plain = encoder.embed(CLIPS)
    finally:
        encoder._ends = ends
    assert 1 - min(cosines(plain, alone)) > 1e-5


class NothingMirrored:
    def __init__(self, reach: int) -> None:
        self.reach = reach

    def at(self, _: object) -> "NothingMirrored":
        return self

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def test_small_batches_give_the_same(folder: Path, encoder: Ecapa) -> None:
    small = Ecapa(path=str(folder), batch_s=2.0)
    assert cosines(small.embed(CLIPS), encoder.embed(CLIPS)) == pytest.approx([1.0] * 8, abs=1e-5)


def test_half_precision_stays_near(folder: Path, encoder: Ecapa) -> None:
    half = Ecapa(path=str(folder), precision="bfloat16")
    rows = half.embed(CLIPS)
    assert rows.dtype == np.float32
    assert min(cosines(rows, encoder.embed(CLIPS))) > 1 - 1e-3


def test_embeddings_are_unit_vectors_in_the_order_given(encoder: Ecapa) -> None:
    rows = encoder.embed(CLIPS)
    assert rows.shape == (8, 12)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert cosines(encoder.embed(CLIPS[::-1])[::-1], rows) == pytest.approx([1.0] * 8, abs=1e-5)


def test_another_rate_is_resampled_and_a_short_clip_followed_by_silence(encoder: Ecapa) -> None:
    time_s = np.arange(48000) / 48000
    wave = (0.2 * np.sin(2 * np.pi * 300 * time_s) * (1 + np.sin(20 * time_s)) / 2).astype(np.float32)
    low, high = Audio(wave[::3].copy(), 16000), Audio(wave, 48000)
    assert cosines(encoder.embed([low]), encoder.embed([high]))[0] > 0.99
    assert np.isfinite(encoder.embed([Audio(np.full(10, 0.1, np.float32), 16000)])).all()


def test_no_clip_has_no_embedding_and_an_empty_one_is_refused(encoder: Ecapa) -> None:
    assert encoder.embed([]).shape == (0, 12)
    with pytest.raises(UserError, match="a clip without samples has no voice"):
        encoder.embed([Audio(np.zeros(0, np.float32), 16000)])


def test_the_revision_of_a_users_folder_is_its_content(encoder: Ecapa) -> None:
    assert encoder.model.name == "ecapa"
    assert (encoder.model.revision or "").startswith("sha256:")


def test_a_checkpoint_under_a_key_of_its_own_is_found(network: Any, encoder: Ecapa, tmp_path: Path) -> None:
    import torch

    torch.save({"epoch": 3, "ecapa_state_dict": network.state_dict()}, tmp_path / CHECKPOINT)
    assert np.allclose(Ecapa(path=str(tmp_path)).embed(CLIPS[:2]), encoder.embed(CLIPS[:2]), atol=1e-6)


@pytest.mark.parametrize("wrong", ["list", "other", "cut"])
def test_what_is_no_ecapa_is_refused_in_one_line(network: Any, tmp_path: Path, wrong: str) -> None:
    import torch

    state = dict(network.state_dict())
    held: Any = {"list": [1], "other": {"weight": torch.zeros(1)}, "cut": state}[wrong]
    state.pop("fc.conv.weight")
    torch.save(held, tmp_path / CHECKPOINT)
    with pytest.raises(UserError, match=r"embedding_model\.ckpt: (no ECAPA-TDNN checkpoint|does not fit)"):
        Ecapa(path=str(tmp_path))


def test_a_folder_without_the_checkpoint_names_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"ecapa needs embedding_model\.ckpt in this folder"):
        Ecapa(path=str(tmp_path))


@pytest.mark.gpu
def test_a_gpu_gives_what_the_cpu_gives(folder: Path, encoder: Ecapa) -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    assert (
        min(cosines(Ecapa(path=str(folder), device="cuda:0").embed(CLIPS), encoder.embed(CLIPS))) > 1 - 1e-3
    )
