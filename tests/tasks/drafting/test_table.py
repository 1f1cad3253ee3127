"""A team's table, as spreadsheets save it, becomes queries; what is wrong in it is named by its row."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicebench.errors import UserError
from voicebench.tasks.drafting import documents, sheet
from voicebench.tasks.drafting.table import Query, example_call, gold_calls, read_queries
from voicebench.types import Tool, Turn

BOOK = Tool(
    name="book_table",
    parameters={
        "type": "object",
        "properties": {
            "people": {"type": "integer"}, "time": {"type": "string"},
            "area": {"type": "string", "enum": ["inside", "terrace"]},
            "dishes": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["people"],
    },
)  # fmt: skip
PAY = Tool(name="pay.bill", parameters={"type": "object", "properties": {"amount": {"type": "number"}}})
TOOLS = (BOOK, PAY)


def saved(folder: Path, text: str | bytes, name: str = "queries.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def read(folder: Path, text: str | bytes, tools: Sequence[Tool] = TOOLS) -> list[Query]:
    return read_queries(saved(folder, text), tools)[0]


def mistake(folder: Path, text: str | bytes) -> str:
    with pytest.raises(UserError) as raised:
        read(folder, text)
    said = str(raised.value)
    assert "\n" not in said
    return said.removeprefix(str(folder / "queries.csv"))


def gold(text: str) -> list[dict[str, Any]]:
    return [call.model_dump() for call in gold_calls(text, TOOLS)]


# ---- Forms of tables ----


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_each_separator_is_found_out(tmp_path: Path, separator: str) -> None:
    text = separator.join(["utterance", "language", "gold"]) + "\r\n"
    text += separator.join(["Vier, bitte", "de", "pay.bill(amount=4)"]) if separator != "," else "Vier,de,"
    [query] = read(tmp_path, text)
    assert query.lang == "de" and query.turns[0].text.startswith("Vier")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marks_and_encodings_of_spreadsheets_are_read(tmp_path: Path, encoding: str) -> None:
    [query] = read(tmp_path, "Utterance,Lang\nதமிழ் சொல்,ta\n".encode(encoding))
    assert (query.turns[0].text, query.lang) == ("தமிழ் சொல்", "ta")


def test_quotes_and_line_breaks_in_cells_are_kept_apart_from_rows(tmp_path: Path) -> None:
    text = 'utterance,language,notes\n"He said ""now"",\nplease",en,"a\nb"\n\nNext,en,\n'
    first, second = read(tmp_path, text)
    assert first.turns[0].text == 'He said "now", please' and first.notes == "a\nb"
    # As a spreadsheet counts: the cells of two lines are one row, the blank line is one.
    assert second.where.endswith(":4")


def test_a_workbook_is_read_like_a_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["utterance", "language", "gold", "date"])
    book.active.append(["चार लोग", "hi", "book_table(people=4)", None])
    book.active.append([42, "en", None, __import__("datetime").datetime(2026, 12, 1)])
    book.save(tmp_path / "queries.xlsx")
    first, second = read_queries(tmp_path / "queries.xlsx", TOOLS)[0]
    assert first.calls is not None and first.calls[0].arguments == {"people": [4]}
    assert (second.turns[0].text, second.reference_date) == ("42", "2026-12-01")


def test_a_formula_is_refused_in_a_workbook_and_in_a_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["utterance", "language"])
    book.active.append(['=HYPERLINK("http://x.example","hi")', "en"])
    book.save(tmp_path / "queries.xlsx")
    with pytest.raises(UserError, match=r"queries.xlsx:2: cell 1 holds a formula; put its value there"):
        read_queries(tmp_path / "queries.xlsx", TOOLS)
    assert (
        mistake(tmp_path, "utterance,language\n=1+1,en\n")
        == ":2: cell 1 holds a formula; put its value there"
    )


def test_what_only_calls_itself_a_workbook_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a workbook that can be read"):
        read_queries(saved(tmp_path, "utterance,language\n", "queries.xlsx"), TOOLS)
    assert "name it .xlsx" in mistake(tmp_path, b"PK\x03\x04abc")


def test_a_table_of_ten_megabytes_is_read_and_a_larger_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "word " * 200 + ",en\n"
    text = "utterance,language\n" + row * 10_000
    assert len(text) > 10_000_000 and len(read(tmp_path, text)) == 10_000
    monkeypatch.setattr(documents, "MOST_BYTES", 1_000_000)
    assert "at most 1,000,000 are read" in mistake(tmp_path, text)
    monkeypatch.setattr(documents, "MOST_BYTES", 100_000_000)
    monkeypatch.setattr(sheet, "MOST_ROWS", 100)
    assert "has more than 100 rows" in mistake(tmp_path, text)


# ---- What a row says ----


def test_a_row_says_all_that_an_item_needs(tmp_path: Path) -> None:
    text = (
        "ID;Utterance;Language;Gold;Said;Date;Region;Tools;Notes\n"
        't1;Outside for four;en;"book_table(people=4, area=\'terrace\')";"0.area=Outside; 0.people=four";'
        "2026-11-30;GB;book_table pay.bill;see\n"
    )
    [query] = read(tmp_path, text)
    assert query == Query(
        where=f"{tmp_path / 'queries.csv'}:2", lang="en", turns=(Turn(role="user", text="Outside for four"),),
        calls=gold_calls("book_table(people=4, area='terrace')", TOOLS), kind="single",
        tools=("book_table", "pay.bill"), said={"0.area": "Outside", "0.people": "four"},
        reference_date="2026-11-30", region="GB", id="t1", notes="see",
    )  # fmt: skip


def test_the_kind_is_found_out_from_the_calls(tmp_path: Path) -> None:
    text = (
        "utterance,language,gold\n"
        'a,en,pay.bill(amount=1)\nb,en,"[pay.bill(amount=1), pay.bill(amount=2)]"\n'
        "c,en,\"[pay.bill(amount=1), pay.bill(amount={'$ref': '0.sum'})]\"\nd,en,refuse\ne,en,\n"
    )
    queries = read(tmp_path, text)
    assert [query.kind for query in queries] == ["single", "parallel", "sequential", "safety", None]
    assert [query.is_drafted for query in queries] == [False, False, False, False, True]


def test_a_dialogue_has_a_line_a_turn(tmp_path: Path) -> None:
    [query] = read(tmp_path, 'utterance,language,kind\n"A table.\nHow many?\nFour.",en,dialogue\n')
    assert [(turn.role, turn.text) for turn in query.turns] == [
        ("user", "A table."), ("assistant", "How many?"), ("user", "Four."),
    ]  # fmt: skip


def test_a_row_without_an_utterance_is_left_out_and_said(tmp_path: Path) -> None:
    path = saved(tmp_path, "utterance,language,gold\n,en,pay.bill(amount=0)\nPay,en,\n")
    queries, notes = read_queries(path, TOOLS)
    assert [query.where for query in queries] == [f"{path}:3"]
    assert notes == [f"{path}:2: has no utterance and is left out"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": is empty. It wants the columns utterance and language"),
        ("utterance,language\n", ": holds no utterances"),
        ("utterence,language\n", ":1: unknown column 'utterence'. Did you mean 'utterance'?"),
        ("utterance,lang,language\n", ":1: the column 'language' stands twice"),
        ("utterance,gold\n", ":1: the column 'language' is missing; there are: utterance, gold"),
        ("utterance,language\na,Hindi\n", ":2: language 'Hindi' is written as its code. Did you mean 'hi'?"),
        ("utterance,language\na,\n", ":2: no language; write one such as en, hi or fil"),
        ("utterance,language,kind\na,en,singel\n", ":2: unknown kind 'singel'. Did you mean 'single'?"),
        ("utterance,language,kind\n\"a\nb\",en,dialogue\n", "so an odd number of them, not 2"),
        ("utterance,language,date\na,en,1.12.2026\n", ":2: date '1.12.2026' is not written as 2026-11-30"),
        ("utterance,language,tools\na,en,book_tabel\n", "unknown tool 'book_tabel'. Did you mean"),
        ("utterance,language,said\na,en,area: out\n", "is not written as 0.parameter=words"),
        ("utterance,language,id\na,en,x\nb,en,x\n", ":3: id 'x' is already used at "),
        ("utterance,language,gold,kind\na,en,refuse,single\n", "so the kind is safety, not single"),
        ("utterance,language,gold\na,en,book_table(people=4, area='inside')\n",
         ":2: has 4 cells, the header 3. A cell with a separator in it stands in double quotes"),
        ('utterance,language\n"a,en\n', ":2: not CSV (unexpected end of data)"),
        ("utterance,language\na\x07b,en\n", ":2: cell 1 holds a control character"),
        ("utterance,language\na,xxxxx\nb,hindi\n", "(and 1 more rows have mistakes)"),
        (b"utterance,language\n\xff,en\n", ":2: not UTF-8 (invalid start byte). Save it as UTF-8"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_its_row(tmp_path: Path, text: str | bytes, said: str) -> None:
    assert said in mistake(tmp_path, text)


# ---- Gold ----


def test_gold_is_read_as_an_agents_answer_is() -> None:
    want = [{"name": "book_table", "arguments": {"people": [4], "time": ["19:30"]}}]
    assert gold("book_table(people=4, time='19:30')") == want
    assert gold('{"name": "book_table", "arguments": {"people": 4, "time": "19:30"}}') == want
    assert gold('[book_table(4, "19:30")]') == want


def test_a_list_where_none_is_taken_gives_accepted_values() -> None:
    [call] = gold("book_table(people=4, time=['19:30', 'साढ़े सात'], dishes=['dal', 'naan'])")
    assert call["arguments"] == {
        "people": [4], "time": ["19:30", "साढ़े सात"], "dishes": [["dal", "naan"]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("book_tabel(people=4)", "gold calls 'book_tabel', which is no tool. Did you mean 'book_table'?"),
        ("book_table()", "people is required"),
        ("book_table(people='4')", "people='4'"),
        ("book_table(people=4, area='roof')", "area='roof'"),
        ("book_table(people=4, areas='inside')", "Did you mean 'area'?"),
        ("book_table(people=__import__('os').getpid())", "gold cannot be read"),
        ("book a table", "gold cannot be read"),
        ("4", "gold is no call, such as book_table(people=0)"),
        ("book_table(people=4", "gold cannot be read"),
    ],
)
def test_gold_that_is_no_call_or_does_not_fit_says_why(text: str, said: str) -> None:
    with pytest.raises(UserError) as raised:
        gold(text)
    assert said in str(raised.value)


def test_the_example_of_a_call_is_one() -> None:
    assert example_call(BOOK) == "book_table(people=0)"
    assert gold(example_call(BOOK)) == [{"name": "book_table", "arguments": {"people": [0]}}]


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=60))
def test_any_text_as_gold_is_calls_or_one_line(text: str) -> None:
    try:
        gold(text)
    except UserError as error:
        assert str(error)


CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('\n",;|\t'), max_size=12)


@settings(max_examples=150, deadline=None)
@given(cells=st.lists(CELLS.map(lambda c: "x" + c + "x"), min_size=1, max_size=4))
def test_whatever_a_cell_holds_comes_back(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([["utterance", "language"], *([cell, "en"] for cell in cells)])
    queries = read(tmp_path_factory.mktemp("table"), out.getvalue())
    assert [query.turns[0].text for query in queries] == [" ".join(cell.split()) for cell in cells]
