"""A language model that answers by a rule; see `voicebench.protocols.LanguageModel`."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voicebench.types import Message, ModelRef, Part, Tool


class FirstTool:
    """Calls the tool whose name has a word of the last turn in it, else the first one; without arguments."""

    holds_schema = False

    def __init__(self) -> None:
        self.model = ModelRef(name="first-tool", revision="1.0")

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
        """Stream the answer in two parts, then what it took."""
        told = messages[0].content if messages else ""
        offered = told.rpartition("Your tools:")[2]
        names = [tool.name for tool in tools] or re.findall(r'^{"name": "([^"]+)"', offered, re.MULTILINE)
        words = set(re.findall(r"\w+", messages[-1].content.lower())) if messages else set()
        said = [name for name in names if words & set(re.split(r"[._]", name.lower()))]
        calls: list[dict[str, Any]] = [{"name": name, "arguments": {}} for name in (said or names)[:1]]
        for piece in ("[", json.dumps(calls)[1:]):
            yield Part("content", piece, time.perf_counter())
        counts = {"input_tokens": sum(len(m.content.split()) for m in messages), "output_tokens": 2}
        yield Part("usage", "", time.perf_counter(), counts)
