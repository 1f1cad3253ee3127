"""A tiny random IndicConformer in the real repository's files, inputs and outputs."""

import json
import warnings
from pathlib import Path

import numpy as np

from tests.asr.onnx_files import FLOAT, INT64, node, save

TOKENS = {
    "hi": ["<unk>", "▁न", "म", "स्", "ते", "▁टै", "क्", "सी"],
    "ta": ["<unk>", "▁வ", "ண", "க்", "கம்", "▁டா", "க்சி", "ல்"],
    "bn": ["<unk>", "▁ন", "ম", "স্", "কা", "র", "▁গা", "ড়ি"],
}
BLANK = 8
_WIDTH = 16


def save_indic_conformer(folder: Path, *, apart: bool = True) -> Path:
    """Save a model of three languages and eight tokens each; what it hears is arbitrary and always the same.

    Args:
        folder: Where to.
        apart: Keep the encoder's weights in files beside it, as the real one's are.
    """
    assets = folder / "assets"
    assets.mkdir(parents=True)
    count = sum(map(len, TOKENS.values())) + 1
    rng = np.random.default_rng(0)
    (folder / "config.json").write_text(json.dumps({"BLANK_ID": BLANK, "SOS": BLANK}), "utf-8")
    # The real file has one token more than the head has columns for: the blank's place is taken by a token.
    vocabulary = {lang: [*tokens, "never"] for lang, tokens in TOKENS.items()}
    (assets / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    masks = {
        lang: [place // BLANK == index or place == count - 1 for place in range(count)]
        for index, lang in enumerate(TOKENS)
    }
    (assets / "language_masks.json").write_text(json.dumps(masks), "utf-8")
    kernel = rng.normal(size=(_WIDTH, 80, 8)).astype(np.float32)
    save(
        assets / "encoder.onnx",
        [
            node("Conv", ["audio_signal", "kernel"], ["outputs"], strides=[8]),
            node("Div", ["length", "eight"], ["encoded_lengths"]),
        ],
        {"audio_signal": (FLOAT, ["batch", 80, "frames"]), "length": (INT64, ["batch"])},
        {"outputs": (FLOAT, ["batch", _WIDTH, "steps"]), "encoded_lengths": (INT64, ["batch"])},
        {"kernel": kernel, "eight": np.array([8])},
        apart=apart,
    )
    save(
        assets / "ctc_decoder.onnx",
        [
            node("Transpose", ["encoder_output"], ["steps_first"], perm=[0, 2, 1]),
            node("MatMul", ["steps_first", "columns"], ["logprobs"]),
        ],
        {"encoder_output": (FLOAT, ["batch", _WIDTH, "steps"])},
        {"logprobs": (FLOAT, ["batch", "steps", count])},
        {"columns": rng.normal(size=(_WIDTH, count)).astype(np.float32)},
    )
    _save_features(assets / "preprocessor.ts")
    return folder


def _save_features(file: Path) -> None:
    """Save log-mel-like features as TorchScript: a frame each 10 ms, 256 samples mirrored at each end."""
    import torch

    class Features(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            bands = torch.rand(257, 80, generator=torch.Generator().manual_seed(0))
            self.register_buffer("bands", bands)
            self.register_buffer("window", torch.hann_window(400))

        def forward(
            self, input_signal: torch.Tensor, length: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor]:
            spectrum = torch.stft(
                input_signal, 512, 160, 400, self.window, center=True, pad_mode="reflect", return_complex=True
            )
            features = torch.log(torch.matmul(spectrum.abs().square().transpose(1, 2), self.bands) + 2**-24)
            normal = (features - features.mean(1, True)) / (features.std(1, keepdim=True) + 1e-5)
            return normal.transpose(1, 2), torch.div(length, 160, rounding_mode="floor") + 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        torch.jit.script(Features()).save(str(file))
