"""A chat server on this machine that costs next to nothing: what is measured against it is the client.

It answers with a call of the first tool that a request's instruction lists, without arguments: streamed in
five pieces where a stream is asked for, whole otherwise, and of bytes that are made once a tool. It remembers
the seed of each request, in the order of their coming.

    python bench/engine_peers/server.py             # prints its base URL
    python bench/engine_peers/server.py --wait-ms 200

`GET /v1/seeds?from=N` returns the seeds from the N-th request on, as JSON; None where a request has none.
"""

import argparse
import asyncio
import json
import re
import sys
from functools import cache, partial

PIECES = 5
USAGE = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}
_HEAD_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_STREAM = re.compile(rb'"stream": ?true')
_TOOL = re.compile(rb'tools:\\n\{\\"name\\": ?\\"([^"\\]+)\\"')
_SEED = re.compile(rb'"seed": ?(\d+)')


def _chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, object]:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-0", "object": "chat.completion.chunk", "created": 0, "model": "dummy",
            "choices": choices}  # fmt: skip


@cache
def streamed(tool: bytes) -> bytes:
    """Return an answer that calls a tool, as a stream of events."""
    call = f"[{tool.decode()}()]"
    step = -(-len(call) // PIECES)
    said = [_chunk({"content": call[start : start + step]}) for start in range(0, len(call), step)]
    last = {**_chunk({}), "choices": [], "usage": USAGE}
    chunks = [_chunk({"role": "assistant", "content": ""}), *said, _chunk({}, "stop"), last]
    events = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks] + [b"data: [DONE]\n\n"]
    body = b"".join(b"%x\r\n%s\r\n" % (len(event), event) for event in events) + b"0\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + body


def _json(value: object) -> bytes:
    body = json.dumps(value).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body), body,
    )  # fmt: skip


@cache
def whole(tool: bytes) -> bytes:
    """Return an answer that calls a tool, as one document."""
    message = {"role": "assistant", "content": f"[{tool.decode()}()]"}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return _json({"id": "chatcmpl-0", "object": "chat.completion", "created": 0, "model": "dummy",
                  "choices": choices, "usage": USAGE})  # fmt: skip


MODELS = _json({"object": "list", "data": [{"id": "dummy", "object": "model", "owned_by": "bench"}]})


class Connection(asyncio.Protocol):
    """One client's connection: requests come one after the other."""

    def __init__(self, seeds: list[int | None], wait_s: float) -> None:
        """Begin without a request.

        Args:
            seeds: Where the requests' seeds are kept.
            wait_s: Before each answer.
        """
        self._seeds, self._wait_s = seeds, wait_s
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request that is whole."""
        self._held += data
        while (end := self._held.find(_HEAD_END)) >= 0:
            length = _LENGTH.search(self._held, 0, end)
            stop = end + len(_HEAD_END) + (int(length[1]) if length else 0)
            if len(self._held) < stop:
                return
            request, self._held = self._held[:stop], self._held[stop:]
            self._answer(request)

    def _answer(self, request: bytes) -> None:
        if request.startswith(b"GET /v1/seeds"):
            place = int(request.split(b"from=", 1)[1].split(b" ", 1)[0])
            self._transport.write(_json(self._seeds[place:]))
        elif request.startswith(b"GET"):
            self._transport.write(MODELS)
        else:
            seed = _SEED.search(request)
            self._seeds.append(int(seed[1]) if seed else None)
            tool = _TOOL.search(request)
            make = streamed if _STREAM.search(request) else whole
            answer = make(tool[1] if tool else b"none")
            if self._wait_s:
                asyncio.get_running_loop().call_later(self._wait_s, self._transport.write, answer)
            else:
                self._transport.write(answer)


async def serve(wait_s: float) -> None:
    """Serve until the process ends; the URL goes to standard output."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(partial(Connection, [], wait_s), "127.0.0.1", 0, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    sys.stdout.write(f"http://127.0.0.1:{port}/v1\n")
    sys.stdout.flush()
    await server.serve_forever()


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wait-ms", type=float, default=0.0, help="before each answer")
    asyncio.run(serve(parser.parse_args().wait_ms / 1000))


if __name__ == "__main__":
    main()
