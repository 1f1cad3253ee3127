"""Measure the ECAPA encoder against a padded batch in the order of arrival, and against one clip at a time.

    python bench/embedding.py [--quick] [--device cuda:0]

Prints JSON lines: seconds are CPU seconds with one thread (on a GPU wall seconds), the best of some rounds in
which ours and the peer take turns. The network has the size of speechbrain/spkrec-ecapa-voxceleb (20.8 M
parameters) and random weights; the clips are noise of 1 to 15 s, as reference voices are long. Peers:

- `padded batch`: SpeechBrain's own pieces on batches of eight (on a GPU 64) in the order of arrival, padded
  to the longest, with relative lengths: what `EncoderClassifier.encode_batch` does.
- `one by one`: the same, a clip at a time, without any padding.

`same_result`: every cosine between ours and one by one is above 1 - 1e-3; `peer_off` is how far the padded
batch is from that. Without torch and speechbrain nothing is measured.
"""

# The number of threads is read when numpy and torch are imported.
# ruff: noqa: E402

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

import numpy as np

from voicebench.types import Audio

RATE_HZ = 16000
CHANNELS = [1024, 1024, 1024, 1024, 3072]
NEAR = 1e-3


def main() -> None:
    """Run the cases and print their lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="end within two minutes on two cores")
    parser.add_argument("--device", default="cpu")
    chosen = parser.parse_args()
    try:
        import speechbrain  # noqa: F401
        import torch
    except ImportError as error:
        print(f"embedding: not measured, no package {error.name!r} (extra: speakers)", file=sys.stderr)
        return
    on_gpu = chosen.device.startswith("cuda")
    count, rounds = (512, 5) if on_gpu else (16, 2) if chosen.quick else (48, 3)
    clips = make_clips(count)
    with tempfile.TemporaryDirectory() as folder:
        network = write_checkpoint(Path(folder))
        from voicebench_tts.ecapa import Ecapa

        ours = Ecapa(path=folder, device=chosen.device)
        peer = Padded(network.to(chosen.device).eval(), chosen.device, half=on_gpu)
        clock = time.perf_counter if on_gpu else time.process_time
        size = 8 if not on_gpu else 64
        runs: dict[str, Callable[[], Any]] = {
            "ours": lambda: ours.embed(clips),
            "padded batch": lambda: peer.embed(clips, size),
            "one by one": lambda: peer.embed(clips, 1),
        }
        results, seconds = measure(runs, rounds, clock, torch.cuda.synchronize if on_gpu else lambda: None)
    alone = results["one by one"]
    off = {name: float(1 - (rows * alone).sum(axis=1).min()) for name, rows in results.items()}
    for name in ("padded batch", "one by one"):
        measured = {
            "bench": "embedding", "case": f"ecapa {count} clips", "ours_s": round(seconds["ours"], 4),
            "peer": name, "peer_s": round(seconds[name], 4),
            "ratio": round(seconds[name] / seconds["ours"], 2), "same_result": off["ours"] < NEAR,
            "device": chosen.device, "peer_off": round(off[name], 6),
            "times_real_time": round(sum(clip.duration_s for clip in clips) / seconds["ours"], 1),
        }  # fmt: skip
        print(json.dumps(measured), flush=True)


def make_clips(count: int) -> list[Audio]:
    """Return clips of 1 to 15 s, most of them short, in no order."""
    rng = np.random.default_rng(0)
    lengths_s = np.clip(rng.lognormal(1.2, 0.6, count), 1.0, 15.0)
    return [
        Audio((rng.standard_normal(round(s * RATE_HZ)) * 0.1).astype(np.float32).clip(-1, 1), RATE_HZ)
        for s in lengths_s
    ]


def write_checkpoint(folder: Path) -> Any:
    """Write random weights where the encoder finds them; return the network that has them."""
    import torch
    from speechbrain.lobes.models.ECAPA_TDNN import ECAPA_TDNN

    torch.manual_seed(0)
    network = ECAPA_TDNN(input_size=80, lin_neurons=192, channels=CHANNELS)
    torch.save(network.state_dict(), folder / "embedding_model.ckpt")
    return network


class Padded:
    """SpeechBrain's features, mean and network on padded batches, as its `encode_batch` runs them."""

    def __init__(self, network: Any, device: str, *, half: bool) -> None:
        from speechbrain.lobes.features import Fbank
        from speechbrain.processing.features import InputNormalization

        self.network, self.device, self.half = network, device, half
        self.fbank = Fbank(n_mels=80).to(device)
        self.normalise = InputNormalization(norm_type="sentence", std_norm=False)

    def embed(self, clips: list[Audio], size: int) -> np.ndarray:
        """Return unit vectors, shape (clips, 192)."""
        import torch

        rows = []
        for start in range(0, len(clips), size):
            waves = [torch.from_numpy(clip.samples) for clip in clips[start : start + size]]
            padded = torch.nn.utils.rnn.pad_sequence(waves, batch_first=True).to(self.device)
            shares = torch.tensor([len(wave) / padded.shape[1] for wave in waves], device=self.device)
            kind = self.device.partition(":")[0]
            with torch.inference_mode():
                features = self.normalise(self.fbank(padded), shares)
                with torch.autocast(kind, dtype=torch.bfloat16, enabled=self.half):
                    embedded = self.network(features, shares)[:, 0]
            rows.append(torch.nn.functional.normalize(embedded.float()).cpu().numpy())
        return np.concatenate(rows)


def measure(
    runs: dict[str, Callable[[], Any]], rounds: int, clock: Callable[[], float], wait: Callable[[], None]
) -> tuple[dict[str, Any], dict[str, float]]:
    """Return what each run gives, and the seconds of its best round; runs take turns."""
    results: dict[str, Any] = {}
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            wait()
            started = clock()
            results[name] = run()
            wait()
            best[name] = min(best[name], clock() - started)
    return results, best


if __name__ == "__main__":
    main()
