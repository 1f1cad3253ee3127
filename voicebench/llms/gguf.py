"""Any GGUF model through the prebuilt llama.cpp (xllamacpp), held to a JSON Schema where one is given."""

import json
import logging
import os
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.models import locate
from voicebench.types import Message, ModelRef, Part, Tool
from voicebench.wire.chat import ChatReader, chat_body

log = logging.getLogger(__name__)

_CUDA_BUILDS = "https://github.com/xorbitsai/xllamacpp#installation"
_HELD = {
    "whitespace_flexible": False, "item_separator": ", ", "key_separator": ": ",
    "coerce_one_of": True, "lenient": True,
}  # fmt: skip
"""How llguidance holds the answer to a schema: one layout (free white space costs tokens and time), `oneOf`
read as `anyOf`, and keywords that it cannot hold to (`uniqueItems`) ignored."""

_JSON_STARTS = frozenset('{["-0123456789tfn')
_CACHED_PROMPTS_MIB = 64
"""Room for the states of earlier prompts, so that prompts with the same beginning start from there."""


class Gguf:
    """A chat model in a GGUF file.

    Requests are served one at a time, and what two prompts in a row have in common is not read twice.
    llama.cpp's own messages are switched off, and its built-in HTTP listener answers nobody: it is bound to
    this machine and asks for a key that nothing knows.

    Attributes:
        model: Name and revision.
        holds_schema: True; decoding is constrained by llguidance.
    """

    holds_schema = True

    def __init__(
        self,
        name: str = "smollm2",
        *,
        path: Path | None = None,
        revision: str | None = None,
        offline_first: bool = False,
        threads: int | None = None,
        context: int = 8192,
        device: str = "cpu",
    ) -> None:
        """Load the model.

        Args:
            name: A name of the model catalog; with `path`, any name.
            path: A GGUF file (or a folder with one), taken instead of the catalog's.
            revision: What to record as the revision of the file at `path`.
            offline_first: Take the offline packages before the hub.
            threads: CPU threads; None takes all cores, eight at most.
            context: Prompt and answer together, in tokens; 0 takes what the model was trained with.
            device: "cpu", "cuda" or "cuda:N"; without xllamacpp's CUDA build, the model stays on the CPU and
                a warning says so.

        Raises:
            UserError: The file is not at hand or damaged, or the device is unknown.
        """
        if path is None:
            found = locate(name, offline_first=offline_first)
            file, revision = _gguf_file(found.path), found.revision
        else:
            file = _gguf_file(path)
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(file)
        params.n_ctx = context
        params.n_parallel = 1
        params.cache_ram_mib = _CACHED_PROMPTS_MIB
        params.verbosity = -1
        params.ui = False
        params.api_keys = [f"{time.time_ns():x}"]
        for threading_of in (params.cpuparams, params.cpuparams_batch):
            threading_of.n_threads = threads or _cores()
            # Threads that wait by spinning stall for seconds where another process holds one of the cores.
            threading_of.poll = 0
        _choose_device(params, device, xllamacpp)
        try:
            self._server = xllamacpp.Server(params)
        except RuntimeError:
            raise UserError(
                f"{file}: llama.cpp cannot load this model: the file is damaged or cut short, its "
                "architecture is unknown, or the memory does not suffice"
            ) from None
        self._grammar_of = xllamacpp.json_schema_to_grammar
        self.model = ModelRef(name=name, revision=revision)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 512,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> Iterator[Part]:
        """Stream the answer in parts, each stamped when llama.cpp handed it over; a "usage" part comes last.

        Args:
            messages: The chat so far.
            tools: Offered natively, by the model's own template; not together with `schema`.
            schema: JSON Schema that the content must satisfy.
            max_tokens: Upper bound of what is generated.
            temperature: 0 is greedy.
            seed: For sampling.

        Raises:
            AgentFailure: The prompt is longer than the context, the schema or the tools cannot be held to
                ("unsupported"), or llama.cpp failed ("server").
        """
        body = chat_body(
            None, messages, tools=tools if schema is None else (), max_tokens=max_tokens,
            temperature=temperature, seed=seed,
        )  # fmt: skip
        if schema is not None:
            body["grammar"] = self._grammar_of({**schema, "x-guidance": _HELD})
        yield from _parts(self._chunks(body), held=schema is not None)

    def _chunks(self, body: dict[str, Any]) -> Iterator[tuple[float, dict[str, Any]]]:
        """Yield (time of arrival, chunk) of a streamed chat completion; leaving early cancels it."""
        arrived: queue.SimpleQueue[tuple[float, dict[str, Any]] | BaseException | None] = queue.SimpleQueue()
        left = threading.Event()

        def on_chunk(chunk: dict[str, Any]) -> bool:
            arrived.put((time.perf_counter(), chunk))
            return left.is_set()

        def generate() -> None:
            try:
                self._server.handle_chat_completions(body, on_chunk)
                arrived.put(None)
            # It is raised again where the answer is awaited; here it would only end the thread.
            except Exception as error:
                arrived.put(error)

        thread = threading.Thread(target=generate, name="llama.cpp", daemon=True)
        thread.start()
        try:
            while (item := arrived.get()) is not None:
                if isinstance(item, BaseException):
                    raise AgentFailure("unsupported", f"llama.cpp refused the request ({first_line(item)})")
                yield item
        finally:
            left.set()
            thread.join()


def _parts(chunks: Iterator[tuple[float, dict[str, Any]]], *, held: bool) -> Iterator[Part]:
    """Turn llama.cpp's chunks into parts, and make sure that what was to be held to a schema is."""
    reader = ChatReader("llama.cpp")
    content: list[str] = []
    for at_s, chunk in chunks:
        for part in reader.feed(at_s, chunk):
            if part.kind == "content":
                content.append(part.text)
            yield part
    if held:
        _check_held("".join(content), reader.finish_reason)
    yield from reader.finish()


def _check_held(text: str, finish: str | None) -> None:
    """Make sure that an answer was held to its schema.

    A schema that llguidance cannot read at all (an unknown type, a pattern with look-around, an empty enum)
    makes llama.cpp drop the grammar without a word, and the answer is free text.

    Raises:
        AgentFailure: It was not.
    """
    try:
        json.loads(text)
        return
    except ValueError:
        cut_short = finish == "length" and text[:1] in _JSON_STARTS
    if not cut_short:
        raise AgentFailure("unsupported", "llama.cpp could not hold the answer to the schema")


def _gguf_file(path: Path) -> Path:
    if path.is_dir():
        files = sorted(path.glob("*.gguf"))
        if len(files) != 1:
            raise UserError(f"{path}: one GGUF file is expected in this folder, it holds {len(files)}")
        path = files[0]
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if magic != b"GGUF":
        raise UserError(f"{path}: not a GGUF file")
    return path


def _choose_device(params: Any, device: str, xllamacpp: Any) -> None:
    kind, _, index = device.partition(":")
    if kind == "cpu":
        params.n_gpu_layers = 0
        return
    if kind != "cuda" or (index and not index.isdecimal()):
        raise UserError(f"unknown device {device!r}; it is 'cpu', 'cuda' or 'cuda:N'")
    names = [str(entry.get("name", "")) for entry in xllamacpp.get_device_info()]
    cuda = [name for name in names if name.startswith("CUDA")]
    if len(cuda) > int(index or 0):
        params.n_gpu_layers = -1
        params.main_gpu = int(index or 0)
        return
    # The package that pip installs is built for the CPU alone, also where there is a GPU.
    log.warning(
        "this build of llama.cpp sees %d CUDA devices: the model runs on the CPU. For a CUDA build see %s",
        len(cuda), _CUDA_BUILDS,
    )  # fmt: skip
    params.n_gpu_layers = 0


def _cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, 8)
