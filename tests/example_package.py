"""The backends of the example package of docs/, made without installing it."""

import sys
from typing import Any

from tests.pages import DOCS
from voicebench.registry import Record, load

EXAMPLE = DOCS / "example-backends"
sys.path.append(str(EXAMPLE))


def example_records() -> tuple[Record, ...]:
    """Return what the package tells voicebench of itself."""
    from voicebench_example import RECORDS

    return RECORDS


def example(name: str) -> Any:
    """Make one of its backends."""
    return load(next(record for record in example_records() if record.name == name))
