"""Keys of servers: from the environment alone, to their own servers alone, and in no message."""

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from voicebench.errors import UserError
from voicebench.wire.place import Place

VENDORS: dict[str, str] = {
    "api.openai.com": "OPENAI_API_KEY",
    "openrouter.ai": "OPENROUTER_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "api.anthropic.com": "ANTHROPIC_API_KEY",
    "api.cerebras.ai": "CEREBRAS_API_KEY",
    "api.deepseek.com": "DEEPSEEK_API_KEY",
    "api.fireworks.ai": "FIREWORKS_API_KEY",
    "api.groq.com": "GROQ_API_KEY",
    "api.mistral.ai": "MISTRAL_API_KEY",
    "api.moonshot.ai": "MOONSHOT_API_KEY",
    "api.together.xyz": "TOGETHER_API_KEY",
    "api.x.ai": "XAI_API_KEY",
    "dashscope.aliyuncs.com": "DASHSCOPE_API_KEY",
    "dashscope-intl.aliyuncs.com": "DASHSCOPE_API_KEY",
    "integrate.api.nvidia.com": "NVIDIA_API_KEY",
    "router.huggingface.co": "HF_TOKEN",
}
"""Which environment variable holds a vendor's key, by the vendor's host."""

_OWN_SERVERS = "OPENAI_API_KEY"
_NO_SECRET = 5


@dataclass(frozen=True)
class Key:
    """A key and the environment variable that it comes from; its value is in no repr.

    Attributes:
        variable: Where the user sets it.
        header: The header that carries it.
        prefix: What stands before it there, such as "Bearer ".
    """

    variable: str
    header: str
    prefix: str = ""

    @classmethod
    def bearer(cls, variable: str) -> "Key":
        """Return the key in a variable as most servers take it: a bearer's token."""
        return cls(variable, header="Authorization", prefix="Bearer ")

    def value(self) -> str | None:
        """Return the key, or None where none is set.

        Raises:
            UserError: It holds characters that no header can carry.
        """
        value = os.environ.get(self.variable, "").strip()
        if not all("!" <= char <= "~" for char in value):
            raise UserError(f"{self.variable} holds a space or a character that no key has. Set it again")
        return value or None

    def headers(self) -> dict[str, str]:
        """Return the header that carries the key; none where none is set."""
        value = self.value()
        return {self.header: self.prefix + value} if value else {}

    def redacted(self, text: str) -> str:
        """Return a text with the key taken out."""
        value = self.value()
        # One of a few letters is no secret, and would take ordinary words apart.
        return text.replace(value, "***") if value and len(value) > _NO_SECRET else text


def key_for(place: Place, name: str) -> Key | None:
    """Return the key that a server is asked with; None where there is none for it.

    That is the variable that the user names (`&key=VARIABLE`), else the one of a vendor that is known by its
    host. OPENAI_API_KEY goes, besides to OpenAI, only to servers on this machine and to $OPENAI_BASE_URL: a
    vendor's key is never sent to somebody else's server.

    Args:
        place: The server.
        name: The backend, for messages.

    Raises:
        UserError: What is named is no variable, is not set, or is a key itself; or it would go over an
            unencrypted line to another machine.
    """
    key = _chosen(place, name)
    if key is not None:
        require_closed_line(name, place, key)
    return key


def require_key(place: Place, key: Key | None, name: str) -> None:
    """Refuse to ask a vendor that is known to want a key without one.

    Raises:
        UserError: None is set; the message names its variable.
    """
    vendors = VENDORS.get(_hostname(place))
    if vendors and (key is None or key.value() is None):
        raise UserError(f"{name}: {place.host} wants a key. Set it in {key.variable if key else vendors}")


def require_closed_line(name: str, place: Place, key: Key) -> None:
    """Refuse to send a key to another machine unencrypted.

    Raises:
        UserError: It would be.
    """
    if key.value() and not place.is_encrypted and not place.is_local:
        raise UserError(
            f"{name}: {key.variable} would go to {place.host} unencrypted. Use https, or unset {key.variable}"
        )


def _chosen(place: Place, name: str) -> Key | None:
    if "key" in place.options:
        key = Key.bearer(_variable(place.options["key"], name))
        if key.value() is None:
            raise UserError(f"{name}: the variable {key.variable} is not set; the key is expected there")
        return key
    hostname = _hostname(place)
    if hostname in VENDORS:
        return Key.bearer(VENDORS[hostname])
    if hostname.endswith(".openai.azure.com"):
        return Key("AZURE_OPENAI_API_KEY", header="api-key")
    ours = os.environ.get("OPENAI_BASE_URL", "").rstrip("/")
    return Key.bearer(_OWN_SERVERS) if place.is_local or place.url == ours else None


def _variable(named: str, name: str) -> str:
    # A key that was written here by mistake must not be repeated, so what was written is not.
    if not re.fullmatch("[A-Z_][A-Z0-9_]*", named, re.IGNORECASE) or named.startswith("sk_"):
        raise UserError(
            f"{name}: &key= takes the name of the environment variable that holds the key, not the key"
        )
    return named


def _hostname(place: Place) -> str:
    return urlsplit(place.url).hostname or ""
