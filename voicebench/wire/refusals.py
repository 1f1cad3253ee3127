"""What goes wrong between a request and its answer, in one line and as the right kind of error."""

import json
import socket
import ssl
from dataclasses import dataclass

from voicebench.errors import AgentFailure, UserError, first_line
from voicebench.types import ErrorKind
from voicebench.wire.keys import Key
from voicebench.wire.place import Place
from voicebench.wire.retry import Headers, Passing, retry_after_s

_PASSING = {408, 425, 429, 500, 502, 503, 504, 529}
_LONGEST_QUOTE = 200
_LARGEST_READ = 4096


class Refused(UserError):
    """A server refuses a request for good.

    Attributes:
        status: The HTTP status.
        said: The server's own words, in one line and without the key.
        about: The parameter that it complains of; "" where it names none.
    """

    def __init__(self, message: str, *, status: int, said: str, about: str) -> None:
        super().__init__(message)
        self.status = status
        self.said = said
        self.about = about


@dataclass(frozen=True)
class Complaint:
    """What an error's body says.

    Attributes:
        text: The message; the body as it is where it has none of the usual shapes.
        code: The error's code or type; "" for none.
        about: The parameter that is complained of; "" for none.
    """

    text: str
    code: str = ""
    about: str = ""


@dataclass(frozen=True)
class Peer:
    """Who is asked, as messages name it.

    Attributes:
        name: The backend.
        place: The server.
        key: The key that it is asked with, which no message may hold.
        check: What the user is to look at where a request is refused.
    """

    name: str
    place: Place
    key: Key | None = None
    check: str = "the URL and the model"

    def __str__(self) -> str:
        return f"{self.name}: {self.place.host}"

    def quoted(self, said: bytes | str) -> str:
        """Return the beginning of what a server said as one line that is safe to show."""
        text = said[:_LARGEST_READ].decode("utf-8", "replace") if isinstance(said, bytes) else said
        text = " ".join(text.split())
        text = self.key.redacted(text) if self.key else text
        return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"

    def refusal(self, status: int, headers: Headers, body: bytes, today_s: float) -> Exception:
        """Return what an answer of a status other than 200 means.

        Args:
            status: The HTTP status.
            headers: Of the answer.
            body: Of the answer, or its beginning.
            today_s: Seconds since the epoch, for a Retry-After that is a date.
        """
        complaint = read_complaint(body)
        said = self.quoted(complaint.text)
        told = f"{self} answers {status}" + (f" ({said})" if said else "")
        if status in _PASSING and complaint.code != "insufficient_quota":
            kind: ErrorKind = "rate_limit" if status == 429 else "server"
            return Passing(kind, told, retry_after_s(headers, today_s))
        if status in (401, 403):
            told = f"{told}. {self._about_the_key()}"
        elif 300 <= status < 400:
            told = f"{told}: the server is elsewhere. Give the URL that it redirects to"
        else:
            told = f"{told}. Check {self.check}"
        return Refused(told, status=status, said=said, about=complaint.about)

    def unreachable(self, reason: object, timeout_s: float) -> Exception:
        """Return what a failure below HTTP means.

        Args:
            reason: The exception, or what is said of it.
            timeout_s: How long the answer was waited for.
        """
        if isinstance(reason, TimeoutError):
            return Passing("timeout", f"{self} did not answer within {timeout_s:g} s")
        if isinstance(reason, ssl.SSLCertVerificationError):
            return UserError(f"{self}: its certificate is not valid ({reason.verify_message})")
        if isinstance(reason, socket.gaierror) and reason.errno != socket.EAI_AGAIN:
            return AgentFailure("server", f"{self}: no such host is known. Check the URL and the network")
        if isinstance(reason, ConnectionRefusedError):
            return Passing("server", f"{self}: nothing answers there. Is the server running?")
        said = first_line(reason) if isinstance(reason, BaseException) else str(reason)
        return Passing("server", f"{self} cannot be reached ({self.quoted(said)})")

    def broke_off(self, missing: int = 0) -> Passing:
        """Return what an answer that ends early means.

        Args:
            missing: How many bytes are missing; 0 where that is not known.
        """
        early = f", {missing} bytes early" if missing else ""
        return Passing("server", f"{self} broke off its answer{early}")

    def too_much(self, largest: int) -> AgentFailure:
        """Return what an answer of more than so many bytes means."""
        return AgentFailure("server", f"{self} answers more than {largest / 2**20:g} MiB")

    def _about_the_key(self) -> str:
        if self.key is None:
            return "If it wants a key, name the variable that holds it: &key=VARIABLE"
        return f"{'Check' if self.key.value() else 'Set'} the key in {self.key.variable}"


def read_complaint(body: bytes) -> Complaint:
    """Return what an error's body says, in any of the usual shapes.

    OpenAI and its likes say {"error": {"message", "code", "param"}}, some {"error": "…"}, ElevenLabs
    {"detail": {"message", "status"}}, FastAPI {"detail": "…"} or {"detail": [{"msg", "loc"}]}, Google a list
    of these.
    """
    try:
        said = json.loads(body)
    except ValueError:
        return Complaint(body[:_LARGEST_READ].decode("utf-8", "replace"))
    return complaint_of(said, body[:_LARGEST_READ].decode("utf-8", "replace"))


def complaint_of(said: object, otherwise: str) -> Complaint:
    """Return what an error object says; a text of one's own where it says nothing.

    Args:
        said: Parsed JSON.
        otherwise: Taken where it has none of the usual shapes.
    """
    inner = _first(said)
    if isinstance(inner, dict):
        inner = _first(inner.get("error", inner.get("detail", inner)))
    if isinstance(inner, str):
        return Complaint(inner or otherwise)
    if not isinstance(inner, dict):
        return Complaint(otherwise)
    where = inner.get("loc")
    about = inner.get("param") or (where[-1] if isinstance(where, list) and where else "")
    code = inner.get("code") or inner.get("status") or inner.get("type") or ""
    return Complaint(str(inner.get("message") or inner.get("msg") or otherwise), str(code), str(about))


def _first(said: object) -> object:
    return said[0] if isinstance(said, list) and said else said
