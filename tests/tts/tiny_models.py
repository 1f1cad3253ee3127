"""Tiny random models in the real files' shape, to be loaded by the real loading code."""

import json
from pathlib import Path

ALPHABETS = {
    "en": " 'abcdefghijklmnopqrstuvwxyz",
    "hi": " ँंअआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ़्",
    "ta": " அஆஇஈஉஊஎஏஐஒஓகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்",
    "th": " กขคฆงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอะาำิีึืุูเแโใไๅๆ็่้๊๋์",
}


def save_mms(folder: Path, alphabet: str, *, seed: int = 0, **tokenizer: bool) -> None:
    """Save a VITS model of 100,000 random weights and its tokenizer as an MMS-TTS checkpoint is saved."""
    import torch
    from transformers import VitsConfig, VitsModel

    folder.mkdir(parents=True)
    symbols = ["_", *dict.fromkeys(alphabet)]
    config = VitsConfig(
        vocab_size=len(symbols), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, ffn_dim=32,
        flow_size=16, spectrogram_bins=9, prior_encoder_num_flows=2, prior_encoder_num_wavenet_layers=1,
        posterior_encoder_num_wavenet_layers=1, duration_predictor_num_flows=2,
        duration_predictor_filter_channels=16, depth_separable_num_layers=1, upsample_initial_channel=32,
        upsample_rates=[8, 4], upsample_kernel_sizes=[16, 8], resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1, 3]],
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = VitsModel(config)
        # As they come, random weights drive every sample to full scale.
        model.decoder.conv_post.weight.data *= 1e-3
        model.save_pretrained(folder)
    (folder / "vocab.json").write_text(
        json.dumps({symbol: place for place, symbol in enumerate(symbols)}, ensure_ascii=False), "utf-8"
    )
    (folder / "tokenizer_config.json").write_text(
        json.dumps(
            {
                "tokenizer_class": "VitsTokenizer", "pad_token": "_", "unk_token": "<unk>", "add_blank": True,
                "normalize": True, "phonemize": False, "is_uroman": False, **tokenizer,
            }
        ), "utf-8",
    )  # fmt: skip
