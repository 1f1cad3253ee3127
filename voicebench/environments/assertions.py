"""Whether a statement on the final state holds."""

from collections.abc import Mapping
from typing import Any

from voicebench.environments.contract import Assertion
from voicebench.environments.state import at, canonical


def holds(assertion: Assertion, state: Any) -> bool:
    """Tell whether an assertion holds; values compare in their canonical form (25 = 25.0)."""
    part = canonical(at(state, assertion.path))
    if assertion.where is None:
        return bool(part == canonical(assertion.equals))
    rows = part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ()
    wanted = canonical(assertion.where)
    return sum(_has(row, wanted) for row in rows) == assertion.count


def worded(assertion: Assertion) -> str:
    """Return an assertion as a line to read, such as `rides.R-1.status is "cancelled"`."""
    if assertion.where is None:
        return f"{assertion.path} is {assertion.equals!r}"
    return f"{assertion.count} of {assertion.path} have {assertion.where!r}"


def _has(row: Any, wanted: Mapping[str, Any]) -> bool:
    return isinstance(row, Mapping) and all(row.get(key) == value for key, value in wanted.items())
