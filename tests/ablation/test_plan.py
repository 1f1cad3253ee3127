"""What is asked for the tables, each cell once."""

from tests.ablation.helpers import AGENT, CASCADE
from voicebench.ablation import Cell, Subject, plan
from voicebench.types import TASK_KINDS, Prompting

CALLS = TASK_KINDS[:-1]


def test_each_cell_is_asked_once_with_all_kinds_that_some_table_needs() -> None:
    base = Prompting()
    assert plan(CASCADE) == (
        Cell(AGENT, base, "text", CALLS),
        Cell(AGENT, base, "speech", TASK_KINDS),
        Cell(AGENT, base, "transcript:indic-conformer", CALLS),
        Cell(f"{AGENT}@zero-shot", Prompting(one_shot=False), "speech", CALLS),
        Cell(f"{AGENT}@no-refusal", Prompting(refusal_prompt=False), "speech", ("safety",)),
    )


def test_without_sound_only_what_is_read_is_asked() -> None:
    cells = plan(Subject(AGENT, asr="whisper-base", second_asr="indic-conformer", condition="text"))
    assert [(cell.agent, cell.condition, cell.kinds) for cell in cells] == [
        (AGENT, "text", TASK_KINDS),
        (AGENT, "transcript:indic-conformer", CALLS),
        (f"{AGENT}@zero-shot", "text", CALLS),
        (f"{AGENT}@no-refusal", "text", ("safety",)),
    ]


def test_what_its_own_asr_heard_before_can_stand_for_speech() -> None:
    cells = plan(Subject(AGENT, asr="whisper-base", condition="transcript:whisper-base"))
    assert [(cell.agent, cell.condition) for cell in cells] == [
        (AGENT, "text"),
        (AGENT, "transcript:whisper-base"),
        (f"{AGENT}@zero-shot", "transcript:whisper-base"),
        (f"{AGENT}@no-refusal", "transcript:whisper-base"),
    ]


def test_native_tools_ask_for_no_zero_shot() -> None:
    cells = plan(Subject("a", Prompting(tools="native")))
    assert [cell.agent for cell in cells] == ["a", "a", "a@no-refusal"]


def test_a_base_that_is_zero_shot_is_changed_to_one_shot() -> None:
    cells = plan(Subject("a", Prompting(one_shot=False)))
    assert Cell("a@one-shot", Prompting(), "speech", CALLS) in cells
