"""The pieces that every section of the page is made of."""

from collections.abc import Sequence

from voicebench.report.markup import Child, Html, tag


def section(id_: str, title: str, *children: Child, lede: str | None = None) -> Html:
    """Return a section with its heading and, below it, a sentence on how to read it."""
    heading = tag("h2", title, id=f"{id_}-title")
    sentence = tag("p", lede, class_="lede") if lede else None
    return tag("section", heading, sentence, *children, id=id_, aria_labelledby=f"{id_}-title")


def heads(words: Sequence[str], numbers: Sequence[str] = ()) -> Html:
    """Return a table's head: columns of words, then columns of numbers."""
    row = [tag("th", text, scope="col") for text in words]
    row += [tag("th", text, scope="col", class_="number") for text in numbers]
    return tag("thead", tag("tr", row))


def cells(words: Sequence[str], numbers: Sequence[str] = ()) -> Html:
    """Return a table's row: cells of words, then cells of numbers."""
    return tag(
        "tr", [tag("td", text) for text in words], [tag("td", text, class_="number") for text in numbers]
    )


def scroll(table: Html, label: str) -> Html:
    """Return a table in a box of its own that scrolls sideways, also by keyboard."""
    return tag("div", table, class_="scroll", role="group", aria_label=label, tabindex=0)


def plain_table(head: Html, rows: Sequence[Html], label: str) -> Html:
    """Return a table of words and numbers in its box."""
    return scroll(tag("table", head, tag("tbody", rows), class_="plain"), label)


def folded(title: str, *children: Child) -> Html:
    """Return what opens on demand."""
    return tag("details", tag("summary", title), *children)
