"""Put tools into order by meaning: the one whose description is nearest to a text first."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from voicebench.protocols import SentenceEncoder
from voicebench.types import Tool

_WHAT_COMES_BACK = re.compile(r"(?<=[.!?])\s+Returns?\b.*", re.DOTALL)


class ToolRanker:
    """Ranks tools by a sentence encoder; each description is embedded once."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._described: dict[str, npt.NDArray[np.float32]] = {}

    def rank(self, text: str, tools: Sequence[Tool]) -> list[Tool]:
        """Return the tools, the one nearest to a text first; equally near ones keep their order."""
        if not tools:
            return []
        descriptions = [_description(tool) for tool in tools]
        new = [one for one in dict.fromkeys(descriptions) if one not in self._described]
        if new:
            self._described |= dict(zip(new, self._encoder.embed_passages(new), strict=True))
        [query] = self._encoder.embed_queries([text])
        nearness = np.array([self._described[description] @ query for description in descriptions])
        return [tools[place] for place in np.argsort(-nearness, kind="stable")]


def _description(tool: Tool) -> str:
    """Return what a tool is for; what it returns says nothing about when to call it."""
    purpose = _WHAT_COMES_BACK.sub("", tool.description).strip()
    return purpose or re.sub(r"[._]+", " ", tool.name)
