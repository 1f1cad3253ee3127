"""What every speech LM must do: a language model whose messages may carry sound. A new one adds a line."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench import random_models
from tests.agent_requests import tone
from voicebench.fakes_server import FakeServer
from voicebench.protocols import LanguageModel
from voicebench.registry import find, load
from voicebench.types import Message, Part

Maker = Callable[[ExitStack], LanguageModel]
TRANSFORMERS = (
    "qwen2-audio", "qwen2.5-omni", "audio-flamingo-3", "voxtral", "granite-speech", "phi-4-multimodal",
)  # fmt: skip
SERVERS = ("audio-chat", "openai-realtime")
CLIP = tone(seconds=0.5)
LENGTHS_S = {"voxtral": (25.0, 31.0)}
"""Of two clips that differ; one model hears whole windows of half a minute."""


def tiny_model(name: str) -> Maker:
    """Return a maker of what a record makes of tiny random weights."""

    def make(_: ExitStack) -> LanguageModel:
        with tempfile.TemporaryDirectory() as folder:
            random_models.save(name, Path(folder))
            model: LanguageModel = load(find("agent", name), path=Path(folder))
        return model

    return make


def behind_a_server(name: str) -> Maker:
    """Return a maker of a client, and of the server that it asks."""

    def make(running: ExitStack) -> LanguageModel:
        server = running.enter_context(FakeServer())
        model: LanguageModel = load(find("agent", f"{name}:{server.url}#fake"))
        return model

    return make


MAKERS: dict[str, Maker] = {
    **{name: tiny_model(name) for name in TRANSFORMERS},
    **{name: behind_a_server(name) for name in SERVERS},
}


@pytest.fixture(scope="module", params=MAKERS)
def model(request: pytest.FixtureRequest) -> Iterator[LanguageModel]:
    if request.param in TRANSFORMERS:
        for package in find("agent", request.param).imports:
            pytest.importorskip(package)
    with ExitStack() as running:
        yield MAKERS[request.param](running)


def heard(*clips: object, words: str = "") -> list[Message]:
    said = [Message("user", words, clip) for clip in clips]  # type: ignore[arg-type]
    return [Message("system", "Be brief."), *said]


def text(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if part.kind in ("content", "answer"))


def test_it_names_its_model(model: LanguageModel) -> None:
    assert model.model.name


def test_its_record_says_how_much_it_hears() -> None:
    for name in MAKERS:
        record = find("agent", name)
        assert record.hears in ("one clip", "several clips")
        assert record.verified in ("wire format", "tiny random weights")


def test_it_streams_text_and_tells_its_usage_last(model: LanguageModel) -> None:
    parts = list(model.complete(heard(CLIP), max_tokens=6))
    assert text(parts)
    assert [part.kind for part in parts].index("usage") == len(parts) - 1
    usage = parts[-1].usage
    assert usage["input_tokens"] > 0
    assert usage["output_tokens"] > 0
    assert usage["audio_input_tokens"] > 0


def test_the_times_are_those_of_arrival(model: LanguageModel) -> None:
    before_s = time.perf_counter()
    times = [part.at_s for part in model.complete(heard(CLIP), max_tokens=6)]
    assert times == sorted(times)
    assert before_s <= times[0] <= times[-1] <= time.perf_counter()


def test_the_same_question_has_the_same_answer(model: LanguageModel) -> None:
    one, other = (text(list(model.complete(heard(CLIP), max_tokens=6, seed=1))) for _ in range(2))
    assert one == other


def test_other_sound_has_another_answer_and_more_of_it_more_tokens(model: LanguageModel) -> None:
    short_s, long_s = LENGTHS_S.get(model.model.name, (0.5, 1.5))
    clips = tone(200, seconds=short_s), tone(1500, seconds=long_s)
    short, long = (list(model.complete(heard(clip), max_tokens=16)) for clip in clips)
    assert text(short) != text(long)
    assert short[-1].usage["audio_input_tokens"] < long[-1].usage["audio_input_tokens"]
    assert short[-1].usage["input_tokens"] < long[-1].usage["input_tokens"]


def test_words_alone_are_answered_too(model: LanguageModel) -> None:
    parts = list(model.complete([Message("system", "Be brief."), Message("user", "नमस्ते")], max_tokens=6))
    assert parts[-1].usage["output_tokens"] > 0
    assert not parts[-1].usage.get("audio_input_tokens")


def test_a_conversation_of_sound_and_words_is_answered(model: LanguageModel) -> None:
    chat = [
        Message("system", "Be brief."), Message("user", "in words"), Message("assistant", "कहाँ?"),
        Message("user", "", CLIP),
    ]  # fmt: skip
    assert text(list(model.complete(chat, max_tokens=6)))


def test_several_clips_are_heard_where_the_record_says_so(model: LanguageModel) -> None:
    record = find("agent", model.model.name.partition(":")[0])
    if record.hears != "several clips":
        pytest.skip("hears one clip a conversation")
    chat = [*heard(CLIP), Message("assistant", "कहाँ?"), Message("user", "", tone(220))]
    one, both = (list(model.complete(asked, max_tokens=4)) for asked in (heard(CLIP), chat))
    assert both[-1].usage["audio_input_tokens"] > one[-1].usage["audio_input_tokens"]


def test_nothing_is_asked_before_the_first_part_is_asked_for(model: LanguageModel) -> None:
    parts = model.complete(heard(CLIP), max_tokens=4)
    asked_s = time.perf_counter()
    assert next(iter(parts)).at_s >= asked_s


def test_a_reader_may_leave_early(model: LanguageModel) -> None:
    parts = model.complete(heard(CLIP), max_tokens=200)
    next(iter(parts))
    del parts
    assert list(model.complete(heard(CLIP), max_tokens=2))


def test_the_clips_are_left_as_they_were(model: LanguageModel) -> None:
    before = CLIP.samples.copy()
    list(model.complete(heard(CLIP), max_tokens=2))
    assert (CLIP.samples == before).all()
