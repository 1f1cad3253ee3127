"""A model that generates token ids on this machine, as a stream of parts stamped when their ids were made."""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from voicebench.errors import AgentFailure, first_line
from voicebench.types import Part

_UNFINISHED = "\N{REPLACEMENT CHARACTER}"
"""What a byte-level tokenizer decodes the first bytes of a character to."""

_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory", "bad_alloc")


class Sink:
    """Takes token ids as they are made, with the interface of a streamer of transformers.

    `put` stamps and hands over. It raises `ReaderLeftError` once nobody reads any more: so an answer that is
    not wanted stops after one token more.
    """

    def __init__(self, *, prompt_first: bool = True) -> None:
        """Make an empty sink.

        Args:
            prompt_first: Whether the first `put` is the prompt, as transformers' `generate` does it.
        """
        self._arrived: queue.SimpleQueue[tuple[float, list[int]] | BaseException | None] = queue.SimpleQueue()
        self._skips_next = prompt_first
        self._left = threading.Event()

    def put(self, ids: Any) -> None:
        """Take the next ids: one, a sequence of them, or a tensor or array of any shape.

        Raises:
            ReaderLeftError: Nobody reads any more.
        """
        flat = _flat(ids)
        at_s = time.perf_counter()
        if self._left.is_set():
            raise ReaderLeftError
        if self._skips_next:
            self._skips_next = False
        elif flat:
            self._arrived.put((at_s, flat))

    def end(self) -> None:
        """Do nothing: the generating function's return is the end."""

    def _run(self, generate: Callable[["Sink"], object]) -> None:
        try:
            generate(self)
            self._arrived.put(None)
        except ReaderLeftError:
            self._arrived.put(None)
        # It is raised again where the answer is awaited; here it would only end the thread.
        except Exception as error:
            # The traceback of an exception keeps the tensors alive that there was no room for.
            self._arrived.put(out_of_memory(error) or error)

    def _ids(self) -> Iterator[tuple[float, list[int]]]:
        while (item := self._arrived.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item


class ReaderLeftError(Exception):
    """Nobody waits for the rest of the answer."""


def stream_generation(
    generate: Callable[[Sink], object],
    decode: Callable[[Sequence[int]], str],
    *,
    prompt_first: bool = True,
    usage: Mapping[str, Any] | None = None,
) -> Iterator[Part]:
    """Yield an answer's text as its token ids are made, then a "usage" part.

    `generate` runs in a thread of its own, so that decoding and reading hold up nothing; what torch keeps for
    each thread, such as its inference mode, must be set within it. It begins when the first part is asked
    for, and is stopped when the reader leaves, at most one token later. A part's time is when the last id
    that its text needed was made: a character of several tokens, as in Devanagari or Thai, comes whole with
    its last one.

    Args:
        generate: Makes the answer and puts each of its ids into the sink, such as
            `lambda sink: model.generate(**inputs, streamer=sink)`.
        decode: Text of ids, without the ids that end a turn and without tidying up spaces.
        prompt_first: Whether the first `put` is the prompt, as transformers' `generate` does it.
        usage: What is known of the request, such as `input_tokens`; `output_tokens` is added.

    Raises:
        AgentFailure: The device ran out of memory ("out_of_memory").
        Exception: Whatever else `generate` raised, or `decode`.
    """
    sink = Sink(prompt_first=prompt_first)
    thread = threading.Thread(target=sink._run, args=(generate,), name="generate", daemon=True)
    thread.start()
    text = _Text(decode)
    count, at_s = 0, time.perf_counter()
    try:
        for at_s, ids in sink._ids():
            count += len(ids)
            if piece := text.add(ids):
                yield Part("content", piece, at_s)
        if piece := text.rest():
            yield Part("content", piece, at_s)
        yield Part("usage", "", at_s, {**(usage or {}), "output_tokens": count})
    finally:
        sink._left.set()
        thread.join()


def out_of_memory(error: BaseException) -> AgentFailure | None:
    """Return the failure that an exception means if a device or the machine ran out of memory, else None."""
    said = str(error).lower()
    if isinstance(error, MemoryError) or any(words in said for words in _OUT_OF_MEMORY):
        return AgentFailure("out_of_memory", first_line(error)[:300])
    return None


class _Text:
    """Decodes ids piece by piece; all pieces together are the text of all ids.

    A token's text can depend on the tokens before it (a leading space), and a character's bytes can lie in
    several tokens. So what is new is what the text of the last piece and the new ids has over the text of the
    last piece alone, once it ends with a whole character.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]) -> None:
        self._decode = decode
        self._last: list[int] = []
        self._new: list[int] = []

    def add(self, ids: Sequence[int]) -> str:
        self._new += ids
        text = self._decode(self._last + self._new)
        return "" if text.endswith(_UNFINISHED) else self._cut(text)

    def rest(self) -> str:
        return self._cut(self._decode(self._last + self._new)) if self._new else ""

    def _cut(self, text: str) -> str:
        piece = text[len(self._decode(self._last)) :] if self._last else text
        # Ids without a text of their own, such as an end of turn, are no start that a text could depend on.
        self._last, self._new = (self._new if piece else self._last + self._new), []
        return piece


def _flat(ids: Any) -> list[int]:
    if isinstance(ids, int):
        return [ids]
    return [int(i) for i in (ids.reshape(-1).tolist() if hasattr(ids, "reshape") else ids)]
