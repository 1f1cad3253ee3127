"""Where a server is and which of its models is meant: `URL#MODEL&key=VARIABLE`."""

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from voicebench.errors import UserError

_EXAMPLE = "http://127.0.0.1:8000/v1"
_SEVERAL = "http://ONE/v1,http://OTHER/v1#MODEL"


@dataclass(frozen=True)
class Place:
    """A model on a server.

    Attributes:
        url: Base URL, without a slash at its end; paths are appended to it.
        model: The model's name there; "" where the server has but one thing to offer.
        options: What else was written, by name.
    """

    url: str
    model: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def at(cls, url: str, *, name: str, model: str = "", options: Mapping[str, str] | None = None) -> "Place":
        """Return the place at a URL, checked.

        Args:
            url: Base URL.
            name: The backend, for messages.
            model: The model's name there.
            options: What else was written.

        Raises:
            UserError: It is no URL, or holds a password.
        """
        require_url(name, url)
        return cls(url.rstrip("/"), model, options or {})

    @classmethod
    def parse(
        cls,
        argument: str,
        *,
        name: str,
        default_url: str | None = None,
        default_model: str | None = None,
        options: Sequence[str] = ("key",),
    ) -> "Place":
        """Read `URL#MODEL&key=VARIABLE&…`, or `MODEL&…` for a model at the default URL.

        Args:
            argument: What the user wrote behind the backend's name.
            name: The backend, for messages.
            default_url: Where to ask if no URL is written; None demands one.
            default_model: What to ask for if no model is written; None demands one.
            options: The options that may follow.

        Raises:
            UserError: It is not of this form, is no URL, or holds a password.
        """
        more = "".join(f"&{option}=…" for option in options)
        form = f"{name}:URL#MODEL{more}" + (f" or {name}:MODEL{more}" if default_url else "")
        url, _, named = argument.partition("#") if "://" in argument else ("", "", argument.lstrip("#"))
        model, _, rest = named.partition("&")
        try:
            given = dict(parse_qsl(rest, strict_parsing=True)) if rest else {}
        except ValueError:
            given = {"": ""}
        if not given.keys() <= set(options):
            # What was written is not repeated: it might hold a key.
            raise UserError(f"{name}: not of the form {form}")
        where = url or default_url
        if not where:
            raise UserError(f"{name}: no server is named. The form is {form}")
        found = cls.at(where, name=name, model=model or default_model or "", options=given)
        if not found.model:
            raise UserError(f"{name}: no model is named. The form is {form}")
        return found

    @property
    def host(self) -> str:
        """The server's host, with its port where one is written."""
        parts = urlsplit(self.url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def is_encrypted(self) -> bool:
        """Whether what is sent there is encrypted on its way."""
        return urlsplit(self.url).scheme == "https"


def require_url(name: str, url: str) -> None:
    """Refuse what is no URL of a server, and a URL that holds a password.

    Args:
        name: The backend, for messages.
        url: What the user wrote.

    Raises:
        UserError: It cannot be used.
    """
    try:
        parts = urlsplit(url)
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise UserError(f"{name}: {url!r} is no URL. Example: {_EXAMPLE}") from None
    if parts.username or parts.password or parts.query:
        raise UserError(
            f"{name}: a URL is recorded, so it must hold no password and nothing behind '?'. "
            "Set the key's variable instead"
        )
    if "," in url:
        raise UserError(f"{name}: {url!r} is not one server's URL. Where several may be named: {_SEVERAL}")
    if not is_url:
        raise UserError(f"{name}: {url!r} is no URL. Example: {_EXAMPLE}")
