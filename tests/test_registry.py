"""Records and how a backend is found and loaded."""

import importlib.metadata
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from voicebench import registry
from voicebench.errors import MissingExtraError, UserError
from voicebench.model_catalog import CATALOG
from voicebench.registry import Record, find, load, load_on, memory_of, records, require_language, trusted

ROOT = Path(__file__).parent.parent


def test_names_are_unique_within_a_kind() -> None:
    names = [(record.kind, record.name) for record in records()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("record", records(), ids=lambda record: f"{record.kind}-{record.name}")
def test_a_record_says_all_that_is_needed(record: Record) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert re.fullmatch(r"[\w.]+:\w+", record.target)
    assert record.summary
    assert record.licence
    assert record.extra is None or record.extra in extras
    assert not record.imports or record.extra is not None
    assert all(name in CATALOG for name in record.weights)


def test_every_model_that_is_not_a_control_has_a_pinned_revision() -> None:
    unpinned = [record.name for record in records() if record.verified != "control" and not record.revision]
    assert unpinned == []


def test_a_wrong_name_is_answered_with_the_closest() -> None:
    with pytest.raises(UserError) as caught:
        find("asr", "whisper-bse")
    assert str(caught.value) == (
        "unknown asr 'whisper-bse'. Did you mean 'whisper-base'? See: voicebench models list"
    )


def test_what_follows_a_name_becomes_an_option_where_the_record_says_so() -> None:
    record = find("tts", "openai-speech:http://127.0.0.1:8880/v1#kokoro")
    assert record.name == "openai-speech"
    assert record.options == {"argument": "http://127.0.0.1:8880/v1#kokoro"}
    assert find("tts", "openai-speech").options == {}
    with pytest.raises(UserError, match=r"unknown tts 'kokoro:x'\. Did you mean 'kokoro'"):
        find("tts", "kokoro:x")


def test_a_backend_that_does_not_know_a_language_names_those_that_do() -> None:
    require_language(find("tts", "kokoro"), "hi")
    require_language(find("tts", "openai-speech"), "xx")
    with pytest.raises(UserError) as caught:
        require_language(find("tts", "kokoro"), "fil")
    assert str(caught.value) == (
        "kokoro does not know the language 'fil'. These do: mms, elevenlabs; with openai-speech it depends "
        "on the model behind. See: voicebench models list --kind tts"
    )
    with pytest.raises(UserError, match=r"know the language 'xx'\. No tts backend here does; with openai"):
        require_language(find("tts", "espeak"), "xx")


def test_a_backend_without_its_packages_answers_with_the_install_line() -> None:
    record = Record(
        name="x", kind="agent", target="nowhere:X", summary="s", licence="l", extra="kimi-audio",
        imports=("json", "a_package_that_is_not_there"),
    )  # fmt: skip
    with pytest.raises(MissingExtraError, match="no package 'a_package_that_is_not_there'"):
        load(record)


def test_a_module_of_a_package_that_is_not_there_is_missing_too() -> None:
    record = Record(
        name="x", kind="asr", target="x:X", summary="s", licence="l", imports=("json", "gone.sub")
    )
    assert record.missing == "gone.sub"


def test_options_of_the_call_go_over_those_of_the_record() -> None:
    record = Record(
        name="x", kind="asr", target="fractions:Fraction", summary="s", licence="l",
        options={"numerator": 1, "denominator": 3},
    )  # fmt: skip
    assert str(load(record, numerator=2)) == "2/3"


def test_a_device_and_the_offline_packages_are_told_to_those_that_know_them(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def record(**more: object) -> Record:
        return Record(name="x", kind="tts", target="builtins:dict", summary="s", licence="l", **more)  # type: ignore[arg-type]

    with caplog.at_level("INFO", "voicebench"):
        assert load_on(record(), "cuda:1", offline_first=True) == {}
    assert "x runs on the CPU" in caplog.text
    able = record(gpu=True, weights=("kokoro",))
    assert load_on(able, "cuda:1", offline_first=True) == {"device": "cuda:1", "offline_first": True}
    assert load_on(able, "cpu") == {"device": "cpu"}


THIRD_PARTY = Record(name="theirs", kind="asr", target="m:C", summary="s", licence="l")


def test_the_installed_distribution_is_the_one_of_this_project() -> None:
    assert importlib.metadata.version("voicebench-agents") == "0.1.0"


PINNED = Record(
    name="far", kind="llm", target="tests.test_registry:Far", summary="", licence="MIT", remote_code=True,
    revision="0123456789abcdef0123456789abcdef01234567", memory_mb=24_000, gpu=True, extra="far",
)  # fmt: skip


class Far:
    """Stands for a model whose repository brings code."""


def test_code_of_a_repository_runs_only_when_the_user_allows_it() -> None:
    with pytest.raises(UserError, match=r"far runs code from .* at 0123456789abcdef.*--trust-remote-code"):
        load(PINNED)
    assert isinstance(load(trusted(PINNED, allowed=True)), Far)


def test_code_at_no_pinned_commit_never_runs() -> None:
    for revision in (None, "main", "v1.0", "0123456"):
        with pytest.raises(UserError, match="no pinned commit"):
            trusted(replace(PINNED, revision=revision), allowed=True)


def test_every_backend_that_brings_code_is_pinned() -> None:
    for record in records():
        trusted(record, allowed=True)


def test_a_missing_package_is_told_with_the_memory_that_is_needed() -> None:
    with pytest.raises(
        MissingExtraError, match=r"^far is not installed .*It needs 24 GB of GPU memory\. Run: pip"
    ):
        load(replace(PINNED, imports=("no_such_package",)))


def test_memory_is_told_in_gigabytes_from_one_on() -> None:
    assert memory_of(replace(PINNED, memory_mb=900, gpu=False)) == "900 MB of memory"
    assert memory_of(replace(PINNED, memory_mb=None)) == ""


class Point:
    """An entry point of somebody else's package."""

    value = "theirs:RECORDS"
    dist = None

    def __init__(self, loaded: object) -> None:
        self._loaded = loaded

    def load(self) -> object:
        if isinstance(self._loaded, BaseException):
            raise self._loaded
        return self._loaded


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    def given(*loaded: object) -> None:
        monkeypatch.setattr(registry, "entry_points", lambda group: [Point(one) for one in loaded])
        records.cache_clear()

    yield given
    records.cache_clear()


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (ImportError("no module named 'gone'"), "theirs:RECORDS cannot be loaded (no module named 'gone')"),
        (RuntimeError("no driver\nat all"), "theirs:RECORDS cannot be loaded (no driver)"),
        (SystemExit(3), "theirs:RECORDS cannot be loaded (3)"),
        (3, "theirs:RECORDS cannot be loaded"),
        (["x"], "theirs:RECORDS holds 'x', which is no Record"),
        ("parrot", "theirs:RECORDS holds 'parrot', which is no Record"),
        (replace(PINNED, name=["far"]), "theirs:RECORDS holds a Record of kind 'llm' and name ['far']"),  # type: ignore[arg-type]
        (replace(PINNED, kind="lm"), "theirs:RECORDS holds a Record of kind 'lm' and name 'far'"),  # type: ignore[arg-type]
        (replace(PINNED, name="smollm2"), "theirs:RECORDS holds llm 'smollm2', whose name is taken"),
    ],
)
def test_a_broken_package_of_somebody_elses_takes_nothing_away(
    points: Callable[..., None], caplog: pytest.LogCaptureFixture, broken: object, said: str
) -> None:
    before = records()
    points(broken, PINNED)
    assert records() == (*before, PINNED)
    assert [said in line for line in caplog.messages] == [True]
    assert find("llm", "smollm2").target == "voicebench.llms.gguf:Gguf"


def test_a_third_party_adds_backends_by_an_entry_point(points: Callable[..., None]) -> None:
    points((THIRD_PARTY,))
    assert find("asr", "theirs") is THIRD_PARTY
