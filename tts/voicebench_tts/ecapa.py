"""ECAPA-TDNN: a 192-d speaker embedding through SpeechBrain's network (torch; CPU or CUDA).

Desplanques et al. 2020, "ECAPA-TDNN: Emphasized channel attention, propagation and aggregation in TDNN based
speaker verification". The network is built from the shapes in the checkpoint instead of from the YAML beside
it, which may construct any Python object; the checkpoint is read as tensors alone.

Clips are batched by length. A batch gives each clip the embedding that it has alone: means, attention and
pooling leave padding out, and each convolution sees a clip's end mirrored, as it sees the end of a batch.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from voicebench.errors import UserError
from voicebench.models import locate
from voicebench.types import Audio, ModelRef
from voicebench_tts._speaker_features import Floats, at_rate, by_length, content_revision, unit

CHECKPOINT = "embedding_model.ckpt"
SAMPLE_RATE_HZ = 16000
HOP = 160
"""Samples from one frame to the next."""

_SHORTEST_S = 0.25
# What a batch may hold, padding included: as much as keeps a large GPU busy. On a CPU long batches fall out
# of the cache and cost half as much again.
_BATCH_S = {"cpu": 8.0, "cuda": 1200.0}
Precision = Literal["float32", "bfloat16"]


class Ecapa:
    """The encoder.

    Args:
        path: A folder with `embedding_model.ckpt`; None looks for speechbrain/spkrec-ecapa-voxceleb.
        offline_first: Changes nothing: no package carries these weights.
        device: "cpu" or "cuda:N".
        precision: Of the network (features are always float32); None takes bfloat16 on a GPU.
        batch_s: Seconds of sound, padding included, that go through the network at once.

    Raises:
        UserError: The weights cannot be had, or are no ECAPA-TDNN.
    """

    def __init__(
        self,
        *,
        path: str | None = None,
        offline_first: bool = False,
        device: str = "cpu",
        precision: Precision | None = None,
        batch_s: float | None = None,
    ) -> None:
        weights = locate("ecapa", path=Path(path) if path else None, offline_first=offline_first)
        checkpoint = weights.path / CHECKPOINT
        # A folder of the user's has no revision: its content tells it apart in every cache.
        revision = weights.revision or content_revision(checkpoint)
        self.model = ModelRef(name="ecapa", revision=revision)
        import torch
        from speechbrain.lobes.features import Fbank

        self._torch = torch
        self._device = torch.device(device)
        on_gpu = self._device.type == "cuda"
        self._half = (precision or ("bfloat16" if on_gpu else "float32")) == "bfloat16"
        self._largest = round((batch_s or _BATCH_S["cuda" if on_gpu else "cpu"]) * SAMPLE_RATE_HZ)
        state = _state(torch.load(checkpoint, map_location="cpu", weights_only=True), checkpoint)
        network = _network(state, checkpoint)
        self._ends = _MirroredEnds(network)
        self._network = network.to(self._device).eval()
        self._fbank = Fbank(n_mels=state["blocks.0.conv.conv.weight"].shape[1]).to(self._device).eval()
        self._width = int(state["fc.conv.weight"].shape[0])

    def embed(self, clips: Sequence[Audio]) -> Floats:
        """Return embeddings, shape (len(clips), 192), float32, each row of unit length.

        A clip shorter than 0.25 s is followed by silence.

        Raises:
            UserError: A clip holds no samples.
        """
        waves = [_wave(clip) for clip in clips]
        rows = np.zeros((len(waves), self._width), np.float32)
        for batch in by_length([len(wave) for wave in waves], self._largest):
            rows[batch] = self._embed([waves[index] for index in batch])
        return unit(rows)

    def _embed(self, waves: Sequence[Floats]) -> Floats:
        torch = self._torch
        longest = max(map(len, waves))
        same = min(map(len, waves)) == longest
        # Room behind the longest clip, so that its end is mirrored as the others' are.
        room = 0 if same else self._ends.reach * HOP
        padded = np.zeros((len(waves), longest + room), np.float32)
        for row, wave in zip(padded, waves, strict=True):
            row[: len(wave)] = wave
        frames = torch.tensor([1 + len(wave) // HOP for wave in waves], device=self._device)
        with torch.inference_mode():
            features = self._fbank(torch.from_numpy(padded).to(self._device))
            count = features.shape[1]
            inside = torch.arange(count, device=self._device) < frames[:, None]
            mean = (features * inside[..., None]).sum(1, keepdim=True) / frames[:, None, None]
            # The network takes shares of the longest and rounds: a quarter of a frame less is the same frame.
            shares = (frames - 0.25) / count
            with (
                self._ends.at(None if same else frames),
                torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._half),
            ):
                embedded = self._network(features - mean, lengths=shares)
        return np.asarray(embedded[:, 0].float().cpu().numpy(), dtype=np.float32)


class _MirroredEnds:
    """Makes each convolution see every clip's end mirrored, wherever in the padded batch it lies.

    A convolution with "reflect" padding mirrors the end of the batch; a clip that ends earlier would be
    followed by what padding became. Before each convolution the frames behind a clip's end are overwritten
    with its mirrored last ones; all that these hold is padding.
    """

    def __init__(self, network: Any) -> None:
        from speechbrain.nnet.CNN import Conv1d

        self._frames: Any = None
        self.reach = 0
        for module in network.modules():
            if isinstance(module, Conv1d) and module.kernel_size > 1:
                reach = module.dilation * (module.kernel_size - 1) // 2
                self.reach = max(self.reach, reach)
                module.register_forward_pre_hook(self._mirror(reach))

    def at(self, frames: Any) -> "_MirroredEnds":
        """Set how many frames each clip has, shape (clips,), for a `with` block; None mirrors nothing."""
        self._frames = frames
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._frames = None

    def _mirror(self, reach: int) -> Any:
        import torch

        def hook(_: Any, inputs: tuple[Any, ...]) -> None:
            if self._frames is None:
                return
            batch = inputs[0]
            steps = torch.arange(reach, device=batch.device)
            ends = self._frames[:, None, None]
            shape = (-1, batch.shape[1], -1)
            mirrored = batch.gather(2, (ends - 2 - steps).expand(shape))
            batch.scatter_(2, (ends + steps).expand(shape), mirrored)

        return hook


def _state(loaded: Any, where: Path) -> Mapping[str, Any]:
    """Return the network's tensors by name; a checkpoint may hold them under a key of its own."""
    if isinstance(loaded, Mapping):
        for state in (loaded, *loaded.values()):
            if isinstance(state, Mapping) and "blocks.0.conv.conv.weight" in state:
                return state
    raise UserError(
        f"{where}: no ECAPA-TDNN checkpoint of SpeechBrain's. Get speechbrain/spkrec-ecapa-voxceleb"
    )


def _network(state: Mapping[str, Any], where: Path) -> Any:
    """Return a network of the checkpoint's sizes with its weights."""
    from speechbrain.lobes.models.ECAPA_TDNN import ECAPA_TDNN

    def shape(name: str) -> tuple[int, ...]:
        return tuple(state[name].shape)

    try:
        blocks = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("blocks."))
        inner = range(1, blocks)
        scaled = {name.split(".")[4] for name in state if name.startswith("blocks.1.res2net_block.blocks.")}
        first, last = shape("blocks.0.conv.conv.weight"), shape("mfa.conv.conv.weight")
        network = ECAPA_TDNN(
            input_size=first[1],
            lin_neurons=shape("fc.conv.weight")[0],
            channels=[
                first[0],
                *(shape(f"blocks.{i}.tdnn1.conv.conv.weight")[0] for i in inner),
                last[0],
            ],
            kernel_sizes=[
                first[2],
                *(shape(f"blocks.{i}.res2net_block.blocks.0.conv.conv.weight")[2] for i in inner),
                last[2],
            ],
            # The paper's: one more a layer. (Where the last kernel is 1 wide, its dilation has no effect.)
            dilations=list(range(1, blocks + 2)),
            attention_channels=shape("asp.tdnn.conv.conv.weight")[0],
            res2net_scale=1 + len(scaled),
            se_channels=shape("blocks.1.se_block.conv1.conv.weight")[0],
        )
        network.load_state_dict(state)
    except (KeyError, RuntimeError, ValueError) as error:
        raise UserError(f"{where}: does not fit an ECAPA-TDNN ({str(error).splitlines()[0]})") from None
    return network


def _wave(clip: Audio) -> Floats:
    if not len(clip.samples):
        raise UserError("ecapa: a clip without samples has no voice")
    wave = at_rate(clip, SAMPLE_RATE_HZ)
    return np.pad(wave, (0, max(0, round(_SHORTEST_S * SAMPLE_RATE_HZ) - len(wave))))
