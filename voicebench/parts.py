"""A part of an agent by name, as a record: one of the table, or a file, a folder or a server of the user's.

    NAME               whisper-base, smollm2           a record of the table
    NAME:ARGUMENT      whisper-base:vad, openai:MODEL  the same, told more
    whisper:FOLDER     whisper:models/mine             a Whisper model in CTranslate2's format
    gguf:FILE          gguf:models/chat.gguf           a chat model for llama.cpp
    transformers:FOLDER                                a chat model for transformers
    URL#MODEL          http://localhost:8000/v1#mine   a server that speaks as OpenAI's does
    URL,URL#MODEL      http://a/v1,http://b/v1#mine    several servers of one model, which share the requests

A record's name in the results holds the last part of a path, and the model alone of a server; which file it
was, its revision says by its hash, and which servers by their hosts, in whatever order they were written.
"""

import re
from dataclasses import replace
from pathlib import Path

from voicebench.errors import UserError, did_you_mean
from voicebench.files import sha256_file, sha256_json
from voicebench.registry import Kind, Record, class_of, find, records

SERVERS = ("http://", "https://")
_NEXT_SERVER = re.compile(r",\s*(?=https?://)")
_FORMS = {"asr": ("ASR", ("whisper:FOLDER",)), "llm": ("LLM", ("gguf:FILE", "transformers:FOLDER"))}


def transcriber(name: str) -> Record:
    """Return the record of an ASR.

    Raises:
        UserError: The name is unknown, or what it names is not there.
    """
    kind, _, where = name.partition(":")
    if kind != "whisper":
        return _of_table("asr", name)
    folder = Path(where).expanduser()
    model = folder / "model.bin"
    if not model.is_file():
        raise UserError(f"{folder}: not a folder of a Whisper model in CTranslate2's format (no model.bin)")
    return _of_the_users(find("asr", "whisper-base"), f"whisper:{folder.resolve().name}", folder, model)


def language_model(name: str) -> Record:
    """Return the record of a language model.

    Raises:
        UserError: The name is unknown, or what it names is not there.
    """
    kind, _, where = name.partition(":")
    path = Path(where).expanduser()
    if kind == "gguf":
        if not path.is_file():
            raise UserError(f"{path}: no such GGUF file")
        return _of_the_users(find("llm", "smollm2"), f"gguf:{path.stem}", path, path)
    if kind == "transformers":
        if not (path / "config.json").is_file():
            raise UserError(f"{path}: not a folder of a transformers model (no config.json)")
        weights = sorted([*path.glob("*.json"), *path.glob("*.safetensors")])
        own = find("llm", "qwen3-8b")
        return _of_the_users(own, f"transformers:{path.resolve().name}", path, *weights)
    return _of_table("llm", f"openai:{name}" if name.startswith(SERVERS) else name)


def agent(name: str) -> Record | None:
    """Return the record of an agent of its own; None where none has this name.

    Raises:
        UserError: An argument follows the name of one that takes none.
    """
    known = {record.name for record in records() if record.kind == "agent"}
    base = name.partition(":")[0]
    return _told_more(find("agent", name), name) if name in known or base in known else None


def each_server(record: Record) -> tuple[Record, ...]:
    """Return a record for each of the servers that a record names; itself where there is but one."""
    written = str(record.options.get("argument", ""))
    one_each = [{**record.options, "argument": argument} for argument in _arguments(written)]
    return tuple(replace(record, options=options) for options in one_each) if len(one_each) > 1 else (record,)


def _arguments(written: str) -> list[str]:
    """Return `URL1#MODEL&…`, `URL2#MODEL&…`, … of `URL1,URL2,…#MODEL&…`."""
    urls, mark, model = written.partition("#")
    return [f"{url}{mark}{model}" for url in _NEXT_SERVER.split(urls)]


def _of_table(kind: Kind, name: str) -> Record:
    known = [record.name for record in records() if record.kind == kind]
    base = name.partition(":")[0]
    if name in known or base in known:
        return _told_more(find(kind, name), name)
    what, forms = _FORMS[kind]
    raise UserError(
        f"unknown {what} {name!r}.{did_you_mean(name, [*known, *forms])} See: voicebench models list"
    )


def _told_more(record: Record, name: str) -> Record:
    """Return a record that is named, and whose revision is told apart, by the argument behind its name.

    A server's class says by `place_of` which server and model an argument stands for.

    Raises:
        UserError: Several servers are named where only one may be, or one of them twice.
    """
    _, _, argument = name.partition(":")
    if not argument or argument == name:
        return record
    if record.weights:
        return replace(record, name=name, revision=f"{record.revision}:{argument}")
    options = {key: value for key, value in record.options.items() if key != "argument"}
    place_of = getattr(class_of(record), "place_of", None)
    if place_of is None:
        return replace(record, name=name, revision=f"{record.revision}:{argument}")
    places = [place_of(one, **options) for one in _arguments(argument)]
    if len(places) > 1 and not getattr(class_of(record), "may_be_many", False):
        raise UserError(f"{record.name} takes one server, not {len(places)}")
    if len({place.url for place in places}) < len(places):
        raise UserError(f"{record.name}: a server is named twice in {name!r}")
    place = places[0]
    hosts = ",".join(sorted({place.host for place in places}))
    settings = [f"{key}={value}" for key, value in place.options.items() if key != "key"]
    told = "&".join([f"{place.model}@{hosts}", *settings])
    return replace(record, name=f"{record.name}:{place.model}", revision=told)


def _of_the_users(like: Record, name: str, path: Path, *weights: Path) -> Record:
    """Return the record of a model of the user's, which is loaded as `like` is; its hash is its revision."""
    hashes = [sha256_file(file) for file in weights]
    revision = f"sha256:{hashes[0] if len(hashes) == 1 else sha256_json(hashes)}"[:23]
    return replace(
        like, name=name, summary="a model of the user's", licence="unknown", revision=revision, weights=(),
        languages=(), memory_mb=None, verified="never run", argument=None,
        options={"name": name, "path": path, "revision": revision},
    )  # fmt: skip
