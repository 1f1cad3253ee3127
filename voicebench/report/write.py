"""Write a report: report.html, report.md, report.json and its tables, each file whole or not at all."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from voicebench.files import write_text
from voicebench.report.csv_tables import csv_tables
from voicebench.report.html import html
from voicebench.report.markdown import markdown
from voicebench.report.shape import Clip, Summary
from voicebench.types import Row

FORMAT = "voicebench-report/2"
"""First key of report.json; changes when its keys do."""


@dataclass(frozen=True)
class ReportPaths:
    """Where a report's three files are, and its tables as CSV."""

    html: Path
    markdown: Path
    json: Path
    tables: tuple[Path, ...] = ()


def write_report(
    summary: Summary, out: Path, audio_root: Path | Mapping[str, Path] | None = None
) -> ReportPaths:
    """Write report.html, report.md, report.json and tables/*.csv into a folder.

    Args:
        summary: What to write.
        out: The folder; made if it is not there.
        audio_root: The folder that the manifest's paths start from (of each run, by its name, where they
            differ); None where it is `out` itself.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    tables = {out / "tables" / name: text for name, text in csv_tables(summary).items()}
    written = tuple(path for path, text in tables.items() if text)
    paths = ReportPaths(out / "report.html", out / "report.md", out / "report.json", written)
    write_text(paths.html, html(summary, lambda clip: clip_link(clip, out, audio_root)))
    write_text(paths.markdown, markdown(summary))
    write_text(paths.json, report_json(summary))
    for path, text in tables.items():
        if text:
            write_text(path, text)
        else:
            # An earlier report may have had this table.
            path.unlink(missing_ok=True)
    return paths


def report_json(summary: Summary) -> str:
    """Return report.json: `format`, then the Summary's keys, one row a line; what is None stays null."""
    parts = [f'"format": {json.dumps(FORMAT)}']
    for key in type(summary).model_fields:
        value = getattr(summary, key)
        if isinstance(value, tuple) and value and isinstance(value[0], Row):
            rows = ",\n".join(row.model_dump_json() for row in value)
            parts.append(f"{json.dumps(key)}: [\n{rows}\n]")
        else:
            data = summary.model_dump(mode="json", include={key})[key]
            parts.append(f"{json.dumps(key)}: {json.dumps(data, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def clip_link(clip: Clip, out: Path, audio_root: Path | Mapping[str, Path] | None) -> str:
    """Return the percent-encoded link from a page in `out` to a clip."""
    root = audio_root.get(clip.run) if isinstance(audio_root, Mapping) else audio_root
    target = (root or out) / clip.path
    relative = Path(os.path.relpath(target.absolute(), out.absolute())).as_posix()
    return quote(relative)
