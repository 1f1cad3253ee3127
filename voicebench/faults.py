"""An exception of a model or its runtime as what a response says about it."""

import logging
from typing import get_args

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.types import ErrorInfo, ErrorKind

log = logging.getLogger(__name__)


def fault(error: BaseException) -> ErrorInfo:
    """Return the kind and the one line of an exception; its traceback goes to the log's debug level."""
    log.debug("an agent's part raised", exc_info=error)
    text = first_line(error)[:500] if str(error).strip() else ""
    named = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, AgentFailure):
        kinds: tuple[ErrorKind, ...] = get_args(ErrorKind)
        return ErrorInfo(kind=next((kind for kind in kinds if kind == error.kind), "crash"), message=text)
    if isinstance(error, UserError):
        return ErrorInfo(kind="unsupported", message=text)
    if isinstance(error, MemoryError) or "out of memory" in text.lower():
        return ErrorInfo(kind="out_of_memory", message=named)
    return ErrorInfo(kind="timeout" if isinstance(error, TimeoutError) else "crash", message=named)
