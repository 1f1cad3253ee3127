"""What an answer costs: exact sums, and None wherever a count or a price is missing."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agent_requests import request
from voicebench.costs import Counted, Price, cost_usd, load_prices, price_of, spend
from voicebench.errors import UserError

HOST = "api.example.org"
DAY = date(2026, 11, 30)


def price(*models: str, as_of: str = "2026-01-01", **fields: Any) -> Price:
    return Price.model_validate(
        {"models": models, "host": HOST, "as_of": as_of, "source": "https://example.org/prices", **fields}
    )


CHAT = price("chat", input_usd=2.0, cached_usd=0.5, output_usd=8.0)
VOICE = price(
    "voice", input_usd=4.0, cached_usd=0.4, output_usd=16.0,
    audio_input_usd=32.0, cached_audio_usd=0.8, audio_output_usd=64.0,
)  # fmt: skip
EARS = price("ears", audio_minute_usd=0.006)
TABLE = (CHAT, VOICE, EARS)
TEXT = {"input_tokens": 1000, "output_tokens": 100}


def cost(model: str, usage: dict[str, Any], audio_s: float | None = None, host: str | None = HOST) -> Any:
    return cost_usd(model, host, usage, audio_s, TABLE, on=DAY)


def test_tokens_cost_their_price_a_million() -> None:
    assert cost("chat", TEXT) == (1000 * 2.0 + 100 * 8.0) / 1e6 == 0.0028


def test_cached_tokens_are_among_those_that_were_read() -> None:
    assert cost("chat", TEXT | {"cached_tokens": 600}) == (400 * 2.0 + 600 * 0.5 + 100 * 8.0) / 1e6


def test_reasoning_is_among_what_was_written() -> None:
    assert cost("chat", TEXT | {"reasoning_tokens": 90}) == cost("chat", TEXT)


def test_sound_has_prices_of_its_own_both_ways() -> None:
    counts = TEXT | {"audio_input_tokens": 200, "audio_output_tokens": 50}
    expected = (800 * 4.0 + 200 * 32.0 + 50 * 16.0 + 50 * 64.0) / 1e6
    assert cost("voice", counts, 8.0) == pytest.approx(expected, rel=1e-15)


def test_cached_sound_and_cached_text_are_told_apart_or_the_cost_is_not_known() -> None:
    counts = TEXT | {"audio_input_tokens": 200, "cached_tokens": 300}
    assert cost("voice", counts, 8.0) is None
    expected = (600 * 4.0 + 100 * 32.0 + 200 * 0.4 + 100 * 0.8 + 100 * 16.0) / 1e6
    assert cost("voice", counts | {"cached_audio_tokens": 100}, 8.0) == pytest.approx(expected, rel=1e-15)


def test_sound_whose_tokens_were_not_counted_makes_the_cost_unknown() -> None:
    assert cost("voice", TEXT, 8.0) is None
    assert cost("voice", TEXT, None) is not None


def test_sound_that_costs_as_much_as_text_need_not_be_counted() -> None:
    same = price("even", input_usd=1.25, output_usd=10.0, audio_input_usd=1.25)
    assert cost_usd("even", HOST, TEXT, 8.0, (same,), on=DAY) == 0.00225


def test_counted_sound_without_a_price_is_never_left_out_of_the_sum() -> None:
    assert cost("chat", TEXT | {"audio_input_tokens": 200}, 8.0) is None
    assert cost("chat", TEXT | {"audio_output_tokens": 1}) is None
    assert cost("chat", TEXT | {"audio_input_tokens": 0}) == 0.0028


@pytest.mark.parametrize("missing", ["input_tokens", "output_tokens"])
def test_a_missing_count_makes_the_cost_unknown(missing: str) -> None:
    assert cost("chat", {key: n for key, n in TEXT.items() if key != missing}) is None
    assert cost("chat", TEXT | {missing: None}) is None


@pytest.mark.parametrize("broken", ["12", -1, True, 1.5])
def test_a_count_that_is_none_makes_the_cost_unknown(broken: object) -> None:
    assert cost("chat", TEXT | {"input_tokens": broken}) is None


def test_counts_that_contradict_each_other_make_the_cost_unknown() -> None:
    assert cost("chat", TEXT | {"cached_tokens": 1001}) is None
    assert cost("voice", TEXT | {"audio_output_tokens": 101}) is None


def test_an_asr_costs_by_the_minute_of_sound() -> None:
    assert cost("ears", {}, 90.0) == pytest.approx(0.009, rel=1e-15)
    assert cost("ears", {}, None) is None


def test_an_unknown_model_another_host_and_this_machine_have_no_price() -> None:
    assert cost("chat-2", TEXT) is None
    assert cost("chat", TEXT, host="localhost:8000") is None
    assert cost("chat", TEXT, host=None) is None


def test_the_newest_price_that_held_on_the_day_is_taken() -> None:
    table = [price("m", as_of=day, input_usd=usd) for day, usd in
             (("2026-03-01", 3.0), ("2025-01-01", 1.0), ("2026-12-01", 9.0))]  # fmt: skip
    found = [price_of("m", HOST, table, on=date.fromisoformat(day)) for day in
             ("2024-12-31", "2025-01-01", "2026-02-28", "2026-03-01", "2026-11-30")]  # fmt: skip
    assert [each and each.input_usd for each in found] == [None, 1.0, 1.0, 3.0, 3.0]


def test_an_exact_name_goes_before_a_pattern_however_old_it_is() -> None:
    table = [price("m-1", as_of="2025-01-01", input_usd=1.0), price("m-*", as_of="2026-01-01", input_usd=2.0)]
    found = [price_of(name, HOST, table, on=DAY) for name in ("m-1", "m-2", "m")]
    assert [each and each.input_usd for each in found] == [1.0, 2.0, None]


def test_a_later_row_of_the_same_day_goes_before_an_earlier_one() -> None:
    table = [price("m", input_usd=1.0), price("m", input_usd=2.0)]
    found = price_of("m", HOST, table, on=DAY)
    assert found is not None and found.input_usd == 2.0


def test_a_price_for_short_requests_does_not_hold_for_long_ones() -> None:
    table = (
        price("m", as_of="2025-01-01", input_usd=0.5, output_usd=1.0),
        price("m", input_usd=1.0, output_usd=1.0, most_input_tokens=200),
        price("m", input_usd=2.0, output_usd=1.0),
    )
    counts = [{"input_tokens": n, "output_tokens": 0} for n in (200, 201)]
    assert [cost_usd("m", HOST, each, None, table, on=DAY) for each in counts] == [0.0002, 0.000402]
    assert cost_usd("m", HOST, counts[1], None, table[:2], on=DAY) is None


@given(st.dictionaries(st.sampled_from(
    ["input_tokens", "output_tokens", "cached_tokens", "audio_input_tokens", "audio_output_tokens"]
), st.integers(0, 10**6)), st.none() | st.floats(0, 100))  # fmt: skip
def test_a_cost_is_known_and_not_negative_or_unknown(usage: dict[str, int], audio_s: float | None) -> None:
    for model in ("chat", "voice", "ears"):
        found = cost(model, usage, audio_s)
        assert found is None or found >= 0
        if model != "ears" and not {"input_tokens", "output_tokens"} <= usage.keys():
            assert found is None


# ---- The table ----


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"models": ["m"], "host": "h", "as_of": "2026-13-01", "source": "s", "input_usd": 1}', "as_of: "),
        (
            '{"models": ["m"], "host": "h", "as_of": "2026-01-01", "source": "s"}',
            "either by token or by minute",
        ),
        ('{"models": ["m"], "host": "h", "as_of": "2026-01-01", "source": "s", "input": 1}', "'input_usd'"),
        ('{"models": [], "host": "h", "as_of": "2026-01-01", "source": "s", "input_usd": 1}', "models: "),
        (
            '{"models": ["m"], "host": "h", "as_of": "2026-01-01", "source": "s", "input_usd": -1}',
            "input_usd: ",
        ),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_row_is_told_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "मूल्य.jsonl"
    good = '{"models": ["m"], "host": "h", "as_of": "2026-01-01", "source": "s", "input_usd": 1}'
    path.write_text(f"{good}\n{row}\n", encoding="utf-8")
    with pytest.raises(UserError) as raised:
        load_prices(path)
    assert str(raised.value).startswith(f"{path}:2: ")
    assert said in str(raised.value)


SHIPPED = load_prices()


def test_every_shipped_price_has_a_page_of_its_vendor_and_a_day() -> None:
    vendors = {
        "api.openai.com": ("https://platform.openai.com/", "https://developers.openai.com/"),
        "generativelanguage.googleapis.com": ("https://ai.google.dev/",),
    }
    for row in SHIPPED:
        assert row.source.startswith(vendors[row.host])
        assert date(2023, 1, 1) <= row.as_of <= DAY


def test_no_shipped_price_stands_twice() -> None:
    keys = [(name, row.host, row.as_of, row.most_input_tokens) for row in SHIPPED for name in row.models]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("model", "host", "usage", "audio_s", "usd"),
    [
        ("gpt-4o-mini-2024-07-18", "api.openai.com", TEXT, None, 0.00021),
        ("gpt-5-nano", "api.openai.com", TEXT | {"cached_tokens": 1000}, None, 0.000045),
        ("gpt-audio", "api.openai.com", TEXT | {"audio_input_tokens": 500}, 5.0, 0.01825),
        ("whisper-1", "api.openai.com", {}, 60.0, 0.006),
        ("gemini-2.5-pro", "generativelanguage.googleapis.com", TEXT, 5.0, 0.00225),
        ("gemini-2.5-flash", "generativelanguage.googleapis.com", TEXT, 5.0, None),
        ("gpt-4o-mini-transcribe-x", "api.openai.com", TEXT, None, None),
    ],
)
def test_shipped_prices_give_known_costs(
    model: str, host: str, usage: dict[str, int], audio_s: float | None, usd: float | None
) -> None:
    assert cost_usd(model, host, usage, audio_s, SHIPPED, on=DAY) == (usd and pytest.approx(usd, rel=1e-12))


def test_a_run_before_the_first_known_price_has_no_cost() -> None:
    assert cost_usd("gpt-4o", "api.openai.com", TEXT, None, SHIPPED, on=date(2026, 2, 6)) is None


# ---- A run ----


def test_a_runs_spend_counts_what_is_known_and_says_what_is_not() -> None:
    usages: list[dict[str, Any] | None] = [
        {"input_tokens": 10, "audio_s": 1.5, "cost_usd": 0.5}, {"input_tokens": 20, "cost_usd": None},
        {"cost_usd": 0.25, "finish": "stop"}, None,
    ]  # fmt: skip
    found = spend(request("x").answer(text="", usage=usage) for usage in usages)
    assert (found.answers, found.priced, found.usd) == (4, 2, 0.75)
    assert found.usage == {"input_tokens": Counted(30, 2), "audio_s": Counted(1.5, 1)}
    assert found.describe() == "spend known for 2 of 4 answers: 0.7500 USD"
    assert found.describe_usage() == "input_tokens 30 (2 of 4), audio_s 1.5 (1 of 4)"


def test_a_spend_that_nobody_knows_is_not_nothing() -> None:
    found = spend([request("x").answer(text="", usage={"input_tokens": 12345})])
    assert found.usd is None
    assert found.describe() == "spend not known for any of 1 answers"
    assert found.describe_usage() == "input_tokens 12,345"
