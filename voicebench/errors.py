"""The errors a user can act on: each says what, where and what next, in one line."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class VoicebenchError(Exception):
    """Base of every error that voicebench raises on purpose; each can be sent to another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        # By default the class would be called with the message alone, whatever its arguments are.
        return type(self).__new__, (type(self), *self.args), self.__dict__


class UserError(VoicebenchError):
    """A mistake of the user's: the CLI prints its one line and exits with 2."""


class MissingExtraError(UserError):
    """A backend's packages are not installed; the message is the exact install line, and what it needs."""

    def __init__(self, name: str, extra: str, missing: str, *, memory: str = "") -> None:
        needs = f". It needs {memory}" if memory else ""
        super().__init__(
            f"{name} is not installed (no package {missing!r}){needs}. Run: {install_line(extra)}"
        )
        self.extra = extra


class AgentFailure(VoicebenchError):
    """The harness or the machine failed while an agent answered; becomes `Response.error`.

    Args:
        kind: One of the kinds of `voicebench.types.ErrorKind`.
        message: What happened, in one line.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message, or its type where it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean 'x'?` for the closest known name, or the known names, or ''.

    Args:
        name: What the user wrote.
        known: The names that exist.
    """
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if close:
        return f" Did you mean {close[0]!r}?"
    return f" Known: {', '.join(names)}." if names else ""


def install_line(extra: str) -> str:
    """Return the pip command that installs an extra, for a checkout or for an installed wheel."""
    checkout = Path(__file__).resolve().parent.parent
    if (checkout / "pyproject.toml").is_file():
        here = "." if checkout == Path.cwd() else str(checkout)
        return f"pip install -e '{here}[{extra}]'"
    return f"pip install 'voicebench-agents[{extra}]'"
