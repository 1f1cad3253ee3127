"""A small task set in two languages, and what reviewers might hand back of it."""

import json
from pathlib import Path
from typing import Any

from voicebench.tasks.read import read_tasks, read_tools
from voicebench.tasks.review.sheet import Sheet, rows_around, sheets
from voicebench.tasks.review.submission import Filled, Submission

TOOLS = read_tools()
ENGLISH = "Get me an auto from Jayanagar to Majestic."
TAMIL = "தி. நகரிலிருந்து சென்ட்ரலுக்கு ஒரு ஆட்டோ பிடி."
# One item of every script, with joiners and marks that a file format could lose.
SCRIPTS = {
    "en": "It's a café, e\u0301 and é.",
    "hi": "क्\u200dष और क्\u200cष, हज़रतगंज (क + नुक्ता: ज़)",
    "bn": "ক্\u200cষ, র\u200d্যাম, ড\u09bc",
    "mr": "र\u094d\u200dया, ऱ्हास",
    "ta": "க்\u200cஷ, கொ (ெ + ா: கொ)",
    "te": "క్\u200cష, రామ్\u200cకు",
    "ml": "ന്\u200d, ൻ, അവന്\u200dറെ",
    "vi": "tie\u0302\u0301ng Việt, tiếng",
    "th": "น้ำ, น\u0e4d\u0e49า, ก็\u200bได้",
    "id": "Tolong pesankan ojek ke Monas.",
    "fil": "Pakibook mo ako ng sasakyan pa-Makati, please.",
    "zh": "帮我订一张去北京的高铁票，𠮷野家。",
}


def item(id_: str, lang: str, text: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "task": "single",
        "lang": lang,
        "turns": [{"role": "user", "text": text}],
        "tools": ["cab.book_ride", "cab.get_fare"],
        "expect": {
            "calls": [
                {
                    "name": "cab.book_ride",
                    "arguments": {
                        "pickup": ["Jayanagar"],
                        "dropoff": ["Majestic"],
                        "vehicle": ["auto"],
                        "when": ["now", ""],
                    },
                }
            ]
        },
        "meta": {"source": "test", "review": "machine", "region": "IN"},
    } | changes


def tamil(number: int, text: str = TAMIL, **changes: Any) -> dict[str, Any]:
    return item(f"single-ta-{number:04}", "ta", f"{text} ({number})", origin="single-en-0001", **changes)


def line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def make_set(folder: Path, *items: dict[str, Any]) -> Path:
    """Write en.jsonl with one item, and ta.jsonl with three, or the ones given; return the folder."""
    folder.mkdir()
    english = item("single-en-0001", "en", ENGLISH)
    (folder / "en.jsonl").write_text(line(english) + "\n", encoding="utf-8")
    chosen = items or (tamil(1), tamil(2), tamil(3))
    (folder / "ta.jsonl").write_text("".join(line(data) + "\n" for data in chosen), encoding="utf-8")
    return folder


def sheets_of(folder: Path, lang: str = "ta") -> list[Sheet]:
    tasks = read_tasks(folder, langs=[lang], tools=TOOLS)
    return sheets(tasks, rows_around([folder]))


def filled(sheet: Sheet, verdict: Any = "ok", **more: Any) -> Filled:
    return Filled(more.pop("where", f"sheet:{sheet.id}"), sheet.id, sheet.seen, verdict, **more)


def submission(*items: Filled, alias: str = "neem", native: bool | None = True) -> Submission:
    return Submission(Path("sheet"), "ta", alias, native, items)


def rows(folder: Path, lang: str = "ta") -> list[dict[str, Any]]:
    return [json.loads(text) for text in (folder / f"{lang}.jsonl").read_text(encoding="utf-8").splitlines()]
