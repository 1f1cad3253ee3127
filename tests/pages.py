"""Read README.md and docs/*.md as tests need them: blocks, tables, links, and the commands in them."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.main import get_command

from voicebench.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES: tuple[Path, ...] = (README, *sorted(DOCS.glob("*.md")))

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.M | re.S)
_TABLE = re.compile(r"^\|[^\n]*\|\n\|[ :|-]+\|\n(?:\|[^\n]*\|\n?)*", re.M)
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file that its info string names, its text and its line."""

    lang: str
    file: str
    text: str
    line: int


@dataclass(frozen=True)
class Table:
    """A table: its header cells and its rows, each a mapping from header to cell, and its line."""

    headers: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a console block: what is typed, what is shown, and the exit code that is documented."""

    words: tuple[str, ...]
    shown: tuple[str, ...]
    exit_code: int
    line: int


def text_of(page: Path) -> str:
    """Return a page's text."""
    return page.read_text(encoding="utf-8")


def parts(page: Path) -> list[Block | Table]:
    """Return a page's blocks and tables in their order."""
    text = text_of(page)
    blocks = list(_FENCE.finditer(text))
    prose = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    found: list[tuple[int, Block | Table]] = []
    for match in blocks:
        lang, _, file = match["info"].strip().partition(" ")
        found.append((match.start(), Block(lang, file, match["text"], _line(text, match.start()))))
    for match in _TABLE.finditer(prose):
        header, _, *lines = match.group().splitlines()
        names = _cells(header)
        rows = tuple(dict(zip(names, _cells(line), strict=True)) for line in lines)
        found.append((match.start(), Table(names, rows, _line(text, match.start()))))
    return [part for _, part in sorted(found, key=lambda item: item[0])]


def blocks(page: Path, lang: str) -> list[Block]:
    """Return a page's blocks of one language."""
    return [part for part in parts(page) if isinstance(part, Block) and part.lang == lang]


def tables(page: Path) -> list[Table]:
    """Return a page's tables."""
    return [part for part in parts(page) if isinstance(part, Table)]


def links(page: Path) -> list[str]:
    """Return the targets of a page's links and pictures, outside of blocks and of code in a line."""
    prose = re.sub(r"`[^`\n]+`", "", _FENCE.sub("", text_of(page)))
    return [match["target"] for match in _LINK.finditer(prose)]


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings make on GitHub."""
    titles = re.findall(r"^#+ (.+)$", _FENCE.sub("", text_of(page)), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def code(cell: str) -> str:
    """Return what stands in a cell's backticks; "" for none."""
    found = re.search(r"`([^`]*)`", cell.replace("\\|", "|"))
    return found.group(1) if found else ""


def json_of(cell: str) -> Any:
    """Return the JSON value in a cell's backticks."""
    return json.loads(code(cell))


def console(block: Block) -> list[Command]:
    """Return the commands of a console block; `$ echo $?` and the number after it document an exit code."""
    found: list[Command] = []
    lines = list(enumerate(block.text.splitlines(), start=block.line + 1))
    while lines:
        number, typed = lines.pop(0)
        assert typed.startswith("$ "), f"line {number}: output without a command: {typed}"
        while typed.endswith("\\"):
            typed = typed[:-1] + lines.pop(0)[1].strip()
        shown = []
        while lines and not lines[0][1].startswith("$ "):
            shown.append(lines.pop(0)[1])
        exit_code = 0
        if lines and lines[0][1] == "$ echo $?":
            lines.pop(0)
            exit_code = int(lines.pop(0)[1])
        found.append(Command(tuple(shlex.split(typed[2:])), tuple(shown), exit_code, number))
    return found


def shell_commands(page: Path) -> Iterator[tuple[str, ...]]:
    """Yield the voicebench commands of a page's sh blocks, those inside `docker run` included."""
    for block in blocks(page, "sh"):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                words.pop(0)
            if words[:2] == ["docker", "run"]:
                words = words[words.index("voicebench") :]
            if words and words[0].rpartition("/")[2] == "voicebench":
                yield tuple(words[1:])


def cli_commands() -> dict[tuple[str, ...], Any]:
    """Return every command that can be run, by its words."""

    def walk(group: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from walk(command, (*words, name))
            else:
                yield (*words, name), command

    return dict(walk(get_command(app), ()))


def mistake_in(words: tuple[str, ...]) -> str | None:
    """Return what is wrong with a command line: an unknown command or option; None where nothing is."""
    if not words or words[0] in ("--help", "--version"):
        return None
    known = cli_commands()
    name = next((words[:n] for n in (2, 1) if words[:n] in known), None)
    if name is None:
        return f"no command {' '.join(words[:2])!r}"
    options = {option for param in known[name].params for option in (*param.opts, *param.secondary_opts)}
    options |= {"--help", "-h"}
    for word in words[len(name) :]:
        if re.match(r"--?[a-zA-Z]", word) and word.partition("=")[0] not in options:
            return f"{' '.join(name)} has no option {word}"
    return None


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1])


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
