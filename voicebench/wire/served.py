"""Whether a server can be used, asked before a run: it answers, takes the key, and has the model."""

import logging
from collections.abc import Sequence

from voicebench.errors import AgentFailure, UserError, did_you_mean
from voicebench.wire.client import Client
from voicebench.wire.keys import Key, require_key
from voicebench.wire.place import Place
from voicebench.wire.refusals import Refused

log = logging.getLogger(__name__)

_MOST_NAMED = 10
_CHECK_S = 20.0


async def require_served(name: str, place: Place, key: Key | None) -> None:
    """Refuse a server that does not list the model; one that lists none is taken as it is.

    Args:
        name: The backend, for messages.
        place: The server and the model.
        key: The key that it is asked with.

    Raises:
        UserError: The server does not answer, does not take the key or has no such model.
    """
    require_key(place, key, name)
    asked = Client(name, place, key, timeout_s=_CHECK_S, attempts=2)
    try:
        models = _names(await asked.get_json("/models"))
    except Refused as refused:
        if refused.status == 401:
            raise
        log.info("%s does not list its models (%s)", asked.peer, refused.status)
        return
    except AgentFailure as failure:
        raise UserError(str(failure)) from None
    if models and not any(_is_same(place.model, model) for model in models):
        raise UserError(f"{asked.peer} has no model {place.model!r}.{_told(place.model, models)}")


def _names(listed: object) -> list[str]:
    """Return the names in a server's list of models; none where it is of no usual shape."""
    models = listed.get("data", listed.get("models")) if isinstance(listed, dict) else listed
    if not isinstance(models, list):
        return []
    names = [model.get("id") or model.get("name") for model in models if isinstance(model, dict)]
    return [name for name in names if isinstance(name, str)]


def _is_same(asked: str, listed: str) -> bool:
    """Tell whether a listed model is the one that is asked for.

    Gemini lists "models/NAME", Ollama "NAME:latest"; OpenRouter and Hugging Face take "NAME:VARIANT".
    """
    return listed.removeprefix("models/") in (
        asked, asked.removeprefix("models/"), f"{asked}:latest", asked.rpartition(":")[0],
    )  # fmt: skip


def _told(asked: str, models: Sequence[str]) -> str:
    """Return which models there are, the nearest name first, without listing hundreds."""
    if len(models) > _MOST_NAMED:
        close = did_you_mean(asked, models)
        return close if close.startswith(" Did") else f" It has {len(models)} others"
    return f" It has: {', '.join(models)}"
