"""The paper's systems by name."""

import pytest

from voicebench.errors import UserError
from voicebench.model_catalog import CATALOG
from voicebench.presets import PRESETS, Preset, expand
from voicebench.types import Prompting


@pytest.fixture(params=PRESETS)
def preset(request: pytest.FixtureRequest) -> Preset:
    return PRESETS[request.param]


def test_there_are_three_speech_lms_and_three_cascades() -> None:
    assert [name for name in PRESETS if "+" not in name] == [
        "paper:kimi-audio", "paper:qwen2.5-omni", "paper:audio-flamingo-3",
    ]  # fmt: skip
    assert [name for name in PRESETS if "+" in name] == [
        "paper:whisper-large-v3+qwen3-8b",
        "paper:whisper-large-v3+gemma3-27b",
        "paper:whisper-large-v3+llama3.3-70b",
    ]


def test_a_preset_is_its_agent_with_the_papers_instruction(preset: Preset) -> None:
    assert preset.name == f"paper:{preset.model}"
    assert expand(preset.name) == (
        preset.model, Prompting(one_shot=True, refusal_prompt=True, tools="prompt", retriever=None),
    )  # fmt: skip


def test_its_models_are_the_catalogs_at_their_pinned_revisions(preset: Preset) -> None:
    assert "+".join(name for name, _ in preset.pins) == preset.model
    for name, revision in preset.pins:
        hub = CATALOG[name].hub
        assert hub is not None
        assert (len(revision), hub.revision) == (40, revision)


def test_what_is_assumed_is_said_beside_what_is_stated(preset: Preset) -> None:
    assert "greedy decoding" in preset.assumed
    assert "one worked example" in preset.stated
    assert not set(preset.stated) & set(preset.assumed)


@pytest.mark.parametrize("name", ["kimi-audio", "whisper-base+smollm2", "http://localhost:8000/v1#mine", ""])
def test_any_other_name_stands_for_itself(name: str) -> None:
    assert expand(name) == (name, None)


def test_an_unknown_preset_names_the_closest_one() -> None:
    with pytest.raises(
        UserError, match=r"^unknown preset 'paper:kimi-adio'\. Did you mean 'paper:kimi-audio'\?$"
    ):
        expand("paper:kimi-adio")
