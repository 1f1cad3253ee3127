"""Escaping by construction."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from voicebench.report.markup import Html, join, tag


def test_text_is_escaped_and_markup_is_not() -> None:
    assert tag("p", "<b> & ", tag("i", "x")) == "<p>&lt;b&gt; &amp; <i>x</i></p>"


def test_attributes_are_escaped_quotes_included() -> None:
    assert tag("a", title="\"><script>'") == '<a title="&quot;&gt;&lt;script&gt;&#x27;"></a>'


def test_underscores_name_attributes_that_python_cannot() -> None:
    made = tag("td", class_="x", data_label="Right", hidden=True, lang=None, open=False)
    assert made == '<td class="x" data-label="Right" hidden></td>'


def test_void_elements_have_no_end() -> None:
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8"/>'


def test_children_may_be_nested_or_absent() -> None:
    assert join("a", None, ["<", [Html("<br/>")]], (text for text in "bc")) == "a&lt;<br/>bc"


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_text_comes_back_as_text_and_adds_no_element(text: str) -> None:
    parser = _Text()
    parser.feed(tag("p", text, title=text))
    parser.close()
    assert parser.tags == ["p"]
    assert parser.text == text
