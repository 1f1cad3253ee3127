"""Tools in order of meaning."""

from voicebench.llms.char_ngram import CharNgram
from voicebench.retrieve.rank import ToolRanker
from voicebench.types import Tool


def test_what_a_tool_returns_does_not_decide() -> None:
    tools = [
        Tool(name="a", description="Show a fare. Returns the cab, the ride and the basket."),
        Tool(name="b", description="Book a cab ride."),
    ]
    assert [tool.name for tool in ToolRanker(CharNgram()).rank("book a cab ride", tools)] == ["b", "a"]


def test_a_tool_without_a_description_is_ranked_by_its_name() -> None:
    tools = [Tool(name="water.bill"), Tool(name="cab.book_ride")]
    assert ToolRanker(CharNgram()).rank("book a ride", tools)[0].name == "cab.book_ride"


def test_equally_near_tools_keep_their_order() -> None:
    tools = [Tool(name=name, description="Same.") for name in "abc"]
    assert [tool.name for tool in ToolRanker(CharNgram()).rank("x", tools)] == ["a", "b", "c"]


def test_no_tools_are_ranked_as_none() -> None:
    assert ToolRanker(CharNgram()).rank("x", []) == []


def test_a_description_is_embedded_once() -> None:
    class Counted(CharNgram):
        seen = 0

        def embed_passages(self, texts):  # type: ignore[no-untyped-def]
            self.seen += len(texts)
            return super().embed_passages(texts)

    encoder = Counted()
    ranker = ToolRanker(encoder)
    for _ in range(3):
        ranker.rank("टैक्सी", [Tool(name="cab.book_ride"), Tool(name="water.bill")])
    # CharNgram embeds requests as it embeds passages: two tools once, and three requests.
    assert encoder.seen == 2 + 3
