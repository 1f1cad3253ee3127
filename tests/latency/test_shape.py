"""What the page says about the files is so."""

import re

from tests.pages import DOCS, tables
from voicebench.costs import Price
from voicebench.latency.breakdown import PARTS
from voicebench.latency.shape import LatencySummary

PAGE = DOCS / "latency.md"


def column(header: str, of: str) -> list[str]:
    table = next(table for table in tables(PAGE) if table.headers[0] == header)
    return [row[of] for row in table.rows]


def test_the_page_explains_every_key_of_the_summary() -> None:
    assert set(re.findall(r"`(\w+)`", " ".join(column("key", "key")))) == set(LatencySummary.model_fields)


def test_the_page_names_every_part_and_the_moment_that_ends_it() -> None:
    ends = [re.findall(r"`(\w+)`", cell)[0] for cell in column("part", "ends with")]
    assert dict(zip(ends, column("part", "part"), strict=True)) == PARTS


def test_the_page_explains_every_key_of_a_price_and_marks_those_that_must_be_there() -> None:
    cells = " ".join(column("key of prices.jsonl", "key of prices.jsonl"))
    assert set(re.findall(r"`(\w+)`", cells)) == set(Price.model_fields)
    required = {key for key, field in Price.model_fields.items() if field.is_required()}
    assert set(re.findall(r"\*\*`(\w+)`\*\*", cells)) == required
