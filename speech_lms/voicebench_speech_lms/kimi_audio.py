"""Kimi-Audio-7B-Instruct through its own package, kimia_infer: an agent that hears the user itself.

Never run here with its weights: what was tested is the shape of the calls to kimia_infer, against a stand-in.
"""

import logging
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from voicebench.audio.io import resample, wav_bytes
from voicebench.errors import AgentFailure, UserError
from voicebench.models import locate
from voicebench.types import InputTurn, ModelRef, Request, Response, Timeline

log = logging.getLogger(__name__)

KIMI_RATE_HZ = 16_000


class KimiAudio:
    """Kimi-Audio (Moonshot AI, 2025, arXiv 2504.18425): speech and text in, text out.

    The conversation goes in as kimia_infer's list of messages: the instruction in words, then each turn in
    words or as the path of a WAV file. The model answers in one piece (kimia_infer streams tokens only
    together with its detokenizer for speech, which is not loaded), so a response has the moments
    `request_sent` and `done` and no first token. Importing kimia_infer opens a log file, kimia_audio.log, in
    the working directory.

    Attributes:
        model: Name and revision.
    """

    def __init__(
        self,
        *,
        instruct: Callable[[Request], str],
        path: Path | None = None,
        offline_first: bool = False,
        device: str = "cuda",
        max_new_tokens: int = 512,
    ) -> None:
        """Load the model onto a CUDA device: about 24 GB in bfloat16.

        Args:
            instruct: Gives the instruction for a request.
            path: A folder with the weights, taken instead of the catalog's.
            offline_first: Look at offline packages before the hub (none carries these weights).
            device: "cuda" or "cuda:N".
            max_new_tokens: Upper bound of an answer.

        Raises:
            UserError: There is no such CUDA device, or the weights are not at hand.
        """
        index = _cuda_index(device)
        import torch

        if not torch.cuda.is_available() or torch.cuda.device_count() <= index:
            raise UserError(f"kimi-audio needs a CUDA device of about 24 GB, and {device!r} is not there")
        found = locate("kimi-audio", path=path, offline_first=offline_first)
        from kimia_infer.api.kimia import KimiAudio as Engine

        # kimia_infer always uses the current device.
        torch.cuda.set_device(index)
        self._engine: Any = Engine(model_path=str(found.path), load_detokenizer=False)
        self._instruct = instruct
        self._max_new_tokens = max_new_tokens
        self.model = ModelRef(name="kimi-audio", revision=found.revision)

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request; same length and order. A fault of the machine becomes `Response.error`."""
        return [self._respond(request) for request in requests]

    def _respond(self, request: Request) -> Response:
        started_s = time.perf_counter()
        try:
            with tempfile.TemporaryDirectory(prefix="voicebench-") as folder:
                chats = self._chats(request, Path(folder))
                _, text = self._engine.generate(
                    chats,
                    output_type="text",
                    text_temperature=0.0,
                    text_top_k=5,
                    audio_temperature=0.8,
                    audio_top_k=10,
                    max_new_tokens=self._max_new_tokens,
                )
        except AgentFailure as error:
            return request.failure("audio", str(error))
        # One bad item must not take the batch down; torch raises RuntimeErrors of many kinds.
        except Exception as error:
            log.debug("kimi-audio raised", exc_info=error)
            said = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:500]}"
            return request.failure("out_of_memory" if "out of memory" in said.lower() else "crash", said)
        return request.answer(
            text=text,
            timeline=Timeline(request_sent=0.0, done=time.perf_counter() - started_s),
            usage={
                "audio_s": round(sum(t.audio.duration_s for t in request.turns if t.audio is not None), 3)
            },
            model=self.model,
        )

    def _chats(self, request: Request, folder: Path) -> list[dict[str, str]]:
        """Return a request as kimia_infer's messages; clips are written into the folder."""
        told = {"role": "user", "message_type": "text", "content": self._instruct(request)}
        return [told, *(_message(turn, folder / f"{n}.wav") for n, turn in enumerate(request.turns))]


def _message(turn: InputTurn, path: Path) -> dict[str, str]:
    if turn.text is not None:
        return {"role": turn.role, "message_type": "text", "content": turn.text}
    if turn.audio is None:
        raise AgentFailure("audio", "a turn has neither words nor sound")
    path.write_bytes(wav_bytes(resample(turn.audio, KIMI_RATE_HZ)))
    return {"role": turn.role, "message_type": "audio", "content": str(path)}


def _cuda_index(device: str) -> int:
    kind, _, index = device.partition(":")
    if kind != "cuda" or (index and not index.isdecimal()):
        raise UserError(f"kimi-audio needs a CUDA device, not {device!r}. Give --gpu 0 or --device cuda")
    return int(index or 0)
