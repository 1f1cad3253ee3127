"""Find a backend by name and load it: a record says what it is, its file is imported only then."""

import importlib
import importlib.util
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Literal, get_args

from voicebench.errors import MissingExtraError, UserError, did_you_mean, first_line

log = logging.getLogger(__name__)
Kind = Literal["tts", "converter", "encoder", "asr", "llm", "embedder", "agent"]
Verified = Literal["weights", "tiny random weights", "wire format", "never run", "control"]
ENTRY_POINT_GROUP = "voicebench.backends"


@dataclass(frozen=True)
class Record:
    """What is known of a backend without loading it.

    Attributes:
        name: What the user writes.
        kind: The seam it fits.
        target: "module:Class"; the class is called with `options`.
        summary: One line.
        revision: The pinned revision of its weights, None where there are none.
        languages: Language codes; empty means any.
        licence: Of the weights (of the code where there are none).
        extra: The extra of pyproject.toml that installs its packages, None for none.
        imports: Import names that must be there before it can load.
        weights: Names in `voicebench.model_catalog` that it loads.
        memory_mb: Roughly what it needs once loaded.
        gpu: Whether it can use a CUDA device; its class then takes `device="cuda:N"`.
        verified: How it was tried here; "never run" means that only its code was read and tested.
        options: Keyword arguments of the class.
        hears: Of a speech LM: its class is a `LanguageModel` whose messages may carry sound, and
            the core makes an agent of it. How many clips of one conversation it takes; where it is one,
            earlier user turns are given in words. None for every other backend.
        longest_audio_s: The longest clip that it hears, in seconds; None for no bound.
        remote_code: Whether loading it runs code from its pinned hub repository, which the user must allow.
        argument: What may follow the name after a colon, such as "URL#MODEL"; the class takes it as
            `argument`. None where nothing may.
    """

    name: str
    kind: Kind
    target: str
    summary: str
    licence: str
    revision: str | None = None
    languages: tuple[str, ...] = ()
    extra: str | None = None
    imports: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    memory_mb: int | None = None
    gpu: bool = False
    verified: Verified = "never run"
    options: Mapping[str, Any] = field(default_factory=dict)
    hears: Literal["one clip", "several clips"] | None = None
    longest_audio_s: float | None = None
    remote_code: bool = False
    argument: str | None = None

    @property
    def missing(self) -> str | None:
        """The first import name that is not installed, or None."""
        return next((name for name in self.imports if not _is_installed(name)), None)


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of "a.b": there is no a
        return False


@cache
def records() -> tuple[Record, ...]:
    """Return all records: the built-in table, then those of third parties' entry points.

    An entry point in the group `voicebench.backends` names a Record or a sequence of them. One that cannot be
    loaded, or whose name is taken, is left out with a warning.
    """
    from voicebench.backends import RECORDS

    found = {(record.kind, record.name): record for record in RECORDS}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        package = point.dist.name if point.dist else "a package"
        try:
            loaded = point.load()
            theirs = (loaded,) if isinstance(loaded, (Record, str)) else tuple(loaded)
        # Whatever somebody else's package does wrong must not take away what is here; it may even exit.
        except (Exception, SystemExit) as error:
            said = first_line(error)
            log.warning("backends of %s are left out: %s cannot be loaded (%s)", package, point.value, said)
            continue
        for record in theirs:
            fault = _fault_in(record, found)
            if fault:
                log.warning("a backend of %s is left out: %s holds %s", package, point.value, fault)
            else:
                found[record.kind, record.name] = record
    return tuple(found.values())


def _fault_in(record: Any, found: Mapping[tuple[Kind, str], Record]) -> str | None:
    """Return what is wrong with what somebody else's package calls a record; None where nothing is."""
    if not isinstance(record, Record):
        return f"{record!r:.60}, which is no Record"
    if record.kind not in get_args(Kind) or not isinstance(record.name, str):
        return f"a Record of kind {record.kind!r} and name {record.name!r}"
    if (record.kind, record.name) in found:
        return f"{record.kind} {record.name!r}, whose name is taken"
    return None


def find(kind: Kind, name: str) -> Record:
    """Return the record of a backend.

    Args:
        kind: Of which kind.
        name: Its name; where its record says so, `NAME:ARGUMENT`, and the argument becomes an option.

    Raises:
        UserError: No backend of that kind has that name; the message names the closest one.
    """
    known = {record.name: record for record in records() if record.kind == kind}
    if name in known:
        return known[name]
    base, colon, argument = name.partition(":")
    if colon and base in known and known[base].argument is not None:
        return replace(known[base], options={**known[base].options, "argument": argument})
    raise UserError(f"unknown {kind} {name!r}.{did_you_mean(base, known)} See: voicebench models list")


def require_language(record: Record, lang: str) -> None:
    """Refuse a backend that does not know a language.

    Raises:
        UserError: It does not; the message names those of its kind that do.
    """
    if not record.languages or lang in record.languages:
        return
    others = [other for other in records() if other.kind == record.kind and other.verified != "control"]
    able = [other.name for other in others if lang in other.languages]
    # One that states no language leaves it to something else: a server, or the model that it is given.
    maybe = [other.name for other in others if not other.languages]
    told = f"These do: {', '.join(able)}" if able else f"No {record.kind} backend here does"
    depends = f"; with {', '.join(maybe)} it depends on the model behind" if maybe else ""
    raise UserError(
        f"{record.name} does not know the language {lang!r}. {told}{depends}. "
        f"See: voicebench models list --kind {record.kind}"
    )


def require(record: Record) -> None:
    """Refuse a backend whose packages are not installed.

    Raises:
        MissingExtraError: The message is the install line.
    """
    missing = record.missing
    if missing is None:
        return
    if record.extra is None:
        raise UserError(f"{record.name} needs the package {missing!r}, which is not installed")
    raise MissingExtraError(record.name, record.extra, missing, memory=memory_of(record))


def memory_of(record: Record) -> str:
    """Return what a backend needs once loaded, such as "24 GB of GPU memory"; "" where that is not known."""
    if record.memory_mb is None:
        return ""
    size = f"{record.memory_mb / 1000:.0f} GB" if record.memory_mb >= 1000 else f"{record.memory_mb} MB"
    return f"{size} of {'GPU ' if record.gpu else ''}memory"


def trusted(record: Record, *, allowed: bool) -> Record:
    """Return a backend that may be loaded: one that runs code of its hub repository only if that is allowed.

    Raises:
        UserError: It is not, or the code is at no pinned commit; the message names the flag that allows it.
    """
    if not record.remote_code:
        return record
    if re.fullmatch("[0-9a-f]{40}", record.revision or "") is None:
        raise UserError(f"{record.name} runs code from its model's repository at no pinned commit: refused")
    if not allowed:
        raise UserError(
            f"{record.name} runs code from its model's repository at {record.revision}. Read it there; "
            "to allow it, give --trust-remote-code"
        )
    return replace(record, remote_code=False)


def load(record: Record, **options: Any) -> Any:
    """Import a backend's file and make it.

    Args:
        record: Which backend.
        options: Keyword arguments of its class, over those of the record.

    Raises:
        MissingExtraError: Its packages are not installed; the message is the install line.
        UserError: It runs code of its hub repository, and that is not allowed (`trusted`).
    """
    require(record)
    trusted(record, allowed=False)
    return class_of(record)(**{**record.options, **options})


def class_of(record: Record) -> type:
    """Import a backend's file and return its class; what it needs may be missing until it is made."""
    module, _, attribute = record.target.partition(":")
    found: type = getattr(importlib.import_module(module), attribute)
    return found


def load_on(record: Record, device: str, *, offline_first: bool = False) -> Any:
    """Load a backend on a device, or on the CPU where it knows no other.

    Args:
        record: Which backend.
        device: "cpu" or "cuda:N".
        offline_first: Take the offline packages' weights before the hub's.

    Raises:
        MissingExtraError: Its packages are not installed; the message is the install line.
    """
    options: dict[str, Any] = {}
    if record.gpu:
        options["device"] = device
    elif device != "cpu":
        log.info("%s runs on the CPU", record.name)
    if record.weights and offline_first:
        options["offline_first"] = True
    return load(record, **options)
