"""A retriever picks the tool and a language model fills its arguments: an agent for small models."""

from voicebench.retrieve.rank import ToolRanker
from voicebench.retrieve.retrieve_then_fill import RetrieveThenFill

__all__ = ["RetrieveThenFill", "ToolRanker"]
