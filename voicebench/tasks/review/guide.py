"""What a reviewer is told to do, in the words of the workbook's second sheet."""

from voicebench.tasks.review.submission import MEANINGS


def guide(language: str, items_sheet: str) -> list[tuple[str, str]]:
    """Return the guide's paragraphs: a word for each, and what it says.

    Args:
        language: The language's name.
        items_sheet: The name of the sheet that holds the items.
    """
    verdicts = "; ".join(f"{verdict}: {meaning}" for verdict, meaning in MEANINGS.items())
    return [
        (
            "Who",
            f"Fill in the two yellow cells of the sheet {items_sheet!r}: an alias that you keep for every "
            f"file, and whether {language} is your first language. Neither gets into the data.",
        ),
        (
            "What you see",
            "Each item is a block of rows: what is said, turn by turn, then the calls that the assistant "
            "should make, with every value that counts as right, one a line.",
        ),
        ("Verdict", f"{verdicts}. It stands in the item's first row."),
        (
            "Correction",
            "The whole text anew, or the whole list of values anew, one a line. Leave it empty to keep what "
            "is there.",
        ),
        (
            "Also right",
            "More values that an assistant would rightly give: another spelling, the name in Latin letters.",
        ),
        (
            "Words for …",
            "The words of the request that stand for a value. They must stand in the request exactly so: "
            "correct both together.",
        ),
        (
            "What to look at",
            "Would somebody say this to an assistant? Are names, places, money and dates right for the "
            "country? Is every value what the request asks for, and is one missing that is right as well?",
        ),
        (
            "Please leave",
            "the columns where they are, and the ids as they are. You may sort, filter and leave items open.",
        ),
    ]
