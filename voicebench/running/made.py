"""What was made of what: a run that is called again without anything new makes nothing again."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voicebench.files import sha256_file, write_text

STATE = ".made.json"


def fingerprint(files: Sequence[Path], *versions: str) -> str:
    """Return a hash of files' contents and of what else decides about what is made of them.

    Args:
        files: They may be absent.
        versions: Versions of the rules that read them.
    """
    parts = [sha256_file(file) if file.is_file() else "" for file in files]
    return hashlib.sha256("\n".join([*parts, *versions]).encode()).hexdigest()


def recall(folder: Path, what: str, inputs: str) -> Any:
    """Return what was noted of something that was made of these inputs; None where it was not.

    Args:
        folder: The run's folder.
        what: The name of what is made.
        inputs: The fingerprint of what it is made of.
    """
    noted = _read(folder).get(what)
    return noted.get("note") if isinstance(noted, dict) and noted.get("inputs") == inputs else None


def remember(folder: Path, what: str, inputs: str, note: Any = True) -> None:
    """Note that something was made of these inputs.

    Args:
        folder: The run's folder.
        what: The name of what was made.
        inputs: The fingerprint of what it was made of.
        note: Whatever is needed to tell of it again, as JSON.

    Raises:
        UserError: The disk is full or the folder cannot be written.
    """
    state = _read(folder) | {what: {"inputs": inputs, "note": note}}
    write_text(folder / STATE, json.dumps(state, ensure_ascii=False) + "\n")


def _read(folder: Path) -> dict[str, Any]:
    try:
        state = json.loads((folder / STATE).read_text(encoding="utf-8"))
    # It only saves work: whatever is wrong with it, things are made again.
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}
