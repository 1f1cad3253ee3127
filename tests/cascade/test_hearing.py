"""Requests in words: batches by language, one bad clip alone, nothing heard where words were given."""

from collections.abc import Sequence

import pytest

from tests.agent_requests import request, tone
from voicebench.cascade.hearing import Heard, hear
from voicebench.errors import UserError
from voicebench.types import Audio, ErrorInfo, InputTurn, ModelRef, Request, Transcript


class Ears:
    """Hears a clip's length; refuses clips of 0.9 s; remembers its batches."""

    model = ModelRef(name="ears", revision="1")

    def __init__(self) -> None:
        self.batches: list[tuple[str | None, int]] = []

    def transcribe(self, clips: Sequence[Audio], *, lang: str | None) -> list[Transcript]:
        self.batches.append((lang, len(clips)))
        if any(clip.duration_s == 0.9 for clip in clips):
            raise RuntimeError("bad clip")
        if lang == "zh":
            raise UserError("no Chinese")
        return [Transcript(f"{clip.duration_s:.1f} सेकंड", lang, 0.25) for clip in clips]


def heard_text(result: Heard | ErrorInfo) -> str | None:
    assert isinstance(result, Heard)
    return result.transcript


def test_words_are_taken_as_they_are_and_nobody_is_asked() -> None:
    ears = Ears()
    [result] = hear(ears, [request("नमस्ते")])
    assert result == Heard(turns=result.turns)  # type: ignore[union-attr]
    assert [turn.text for turn in result.turns] == ["नमस्ते"]  # type: ignore[union-attr]
    assert ears.batches == []


def test_every_user_turn_is_heard_and_the_assistants_words_stay() -> None:
    [result] = hear(Ears(), [request(tone(seconds=0.2), "Where to?", tone(seconds=0.4))])
    assert isinstance(result, Heard)
    assert [turn.text for turn in result.turns] == ["0.2 सेकंड", "Where to?", "0.4 सेकंड"]
    assert result.transcript == "0.2 सेकंड\n0.4 सेकंड"
    assert (result.seconds, round(result.audio_s, 3)) == (0.5, 0.6)


def test_the_clips_of_a_language_are_heard_together_and_the_order_is_kept() -> None:
    ears = Ears()
    requests = [
        request(tone(seconds=0.1), lang="hi"), request(tone(seconds=0.2)),
        request(tone(seconds=0.3), lang="hi"),
    ]  # fmt: skip
    results = hear(ears, requests)
    assert [heard_text(result) for result in results] == ["0.1 सेकंड", "0.2 सेकंड", "0.3 सेकंड"]
    assert ears.batches == [("hi", 2), ("en", 1)]


def test_a_bad_clip_costs_its_own_request_alone() -> None:
    good, bad, last = hear(Ears(), [request(tone(seconds=s)) for s in (0.1, 0.9, 0.2)])
    assert (heard_text(good), heard_text(last)) == ("0.1 सेकंड", "0.2 सेकंड")
    assert bad == ErrorInfo(kind="crash", message="RuntimeError: bad clip")


def test_a_language_that_the_asr_does_not_know_is_unsupported() -> None:
    [result] = hear(Ears(), [request(tone(), lang="zh")])
    assert result == ErrorInfo(kind="unsupported", message="no Chinese")


def test_a_turn_without_words_and_sound_is_an_audio_error() -> None:
    silent = Request("t", "a", "speech", 0, "en", (InputTurn("user"),), ())
    good, result = hear(Ears(), [request("hello"), silent])
    assert isinstance(good, Heard)
    assert result == ErrorInfo(kind="audio", message="a turn has neither words nor sound")


@pytest.mark.parametrize("count", [0, 1])
def test_the_result_is_as_long_as_the_requests(count: int) -> None:
    assert len(hear(Ears(), [request("x")] * count)) == count
