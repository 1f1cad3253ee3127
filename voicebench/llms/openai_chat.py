"""Chat models behind any OpenAI-compatible server: OpenAI, OpenRouter, vLLM, llama.cpp, Ollama and others."""

import os

from voicebench.errors import UserError
from voicebench.wire.chat_server import ChatServer
from voicebench.wire.client import TIMEOUT_S
from voicebench.wire.place import Place
from voicebench.wire.retry import ATTEMPTS, PATIENCE_S

URLS: dict[str, str] = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
}
"""Where a server is that the user names without its URL; $OPENAI_BASE_URL is taken before OpenAI's own."""


class OpenAIChat(ChatServer):
    """A chat model on a server, with native tools or with the tools in the prompt.

    Attributes:
        model: Such as "openai:MODEL"; the revision is `MODEL@HOST`.
    """

    def __init__(
        self,
        *,
        argument: str = "",
        server: str = "openai",
        timeout_s: float = TIMEOUT_S,
        attempts: int = ATTEMPTS,
    ) -> None:
        """Make a client of the server; nothing is asked yet.

        Args:
            argument: `MODEL` or `URL#MODEL`, then maybe `&key=VARIABLE` (the environment variable that holds
                the key), `&timeout_s=SECONDS` (for one answer) and `&patience_s=SECONDS` (how long a request
                waits for a server that limits the rate).
            server: Which of `URLS` is meant where the argument has none.
            timeout_s: For one answer, where the argument does not say.
            attempts: How often one request is sent at most.

        Raises:
            UserError: The argument cannot be read, or the key cannot be used.
        """
        place = self.place_of(argument, server=server)
        super().__init__(
            server,
            place,
            timeout_s=_seconds(place, server, "timeout_s", timeout_s),
            patience_s=_seconds(place, server, "patience_s", PATIENCE_S),
            attempts=attempts,
        )

    @staticmethod
    def place_of(argument: str, *, server: str = "openai") -> Place:
        """Return the server and the model that an argument stands for.

        Raises:
            UserError: It cannot be read.
        """
        default = URLS[server]
        if server == "openai":
            default = os.environ.get("OPENAI_BASE_URL") or default
        return Place.parse(
            argument, name=server, default_url=default, options=("key", "timeout_s", "patience_s")
        )


def _seconds(place: Place, name: str, option: str, otherwise: float) -> float:
    said = place.options.get(option, "")
    if not said:
        return otherwise
    if not said.replace(".", "", 1).isdecimal() or float(said) <= 0:
        raise UserError(f"{name}: {option}={said} is no number of seconds")
    return float(said)
