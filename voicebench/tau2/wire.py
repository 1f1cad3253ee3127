"""The shapes of other harnesses' files: what is read of them, and one line for what does not fit."""

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from voicebench.errors import UserError

M = TypeVar("M", bound="Wire")


class Wire(BaseModel):
    """Base of what is read of a foreign file; keys that are not named are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def read_json(path: Path) -> Any:
    """Return a file's JSON value.

    Raises:
        UserError: It cannot be read, or is not JSON.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        return from_json(data)
    # The standard library is slower, but takes half a surrogate pair, which models do write.
    except ValueError:
        pass
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not JSON ({error})") from None


def fitted(data: Any, model: type[M], where: str) -> M:
    """Return the part of a JSON value that is read.

    Raises:
        UserError: A key that is needed is missing or has a wrong type.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UserError(f"{where}: {f'{key}: ' if key else ''}{first['msg'].lower()}") from None
