"""What made a run."""

from voicebench.report.facts import facts
from voicebench.running.run_info import AgentInfo, Machine
from voicebench.types import JudgeRef, ModelRef, Prompting

from .helpers import make_info


def test_what_is_unknown_is_left_out() -> None:
    assert dict(facts(make_info())) == {
        "Started": "2026-11-30T12:00:00+00:00", "voicebench": "0.1.0", "Task set": "2026.11", "Prompts": "1",
        "Scoring rules": make_info().scoring_version, "Trials": "1",
    }  # fmt: skip


def test_models_stand_with_their_revisions() -> None:
    agent = AgentInfo(name="w+l", models=(ModelRef(name="w", revision="abc"), ModelRef(name="l")))
    said = dict(facts(make_info(agents=(agent,), seeds={"voices": 3, "sampling": 0})))
    assert said["Agent w+l"] == "w (abc), l (no revision)"
    assert said["Seeds"] == "voices 3, sampling 0"


def test_the_encoder_stands_with_the_reason_for_it() -> None:
    info = make_info(encoders=(ModelRef(name="d-vector", revision="r"),), encoder_reason="no ecapa here")
    assert dict(facts(info))["Voices chosen by"] == "d-vector (r); no ecapa here"


def test_a_machine_is_said_as_far_as_it_is_known() -> None:
    machine = Machine(python="3.11.7", platform="Linux", cpus=None, gpu="H200")
    assert dict(facts(make_info(machine=machine)))["Machine"] == "Linux, H200, Python 3.11.7"


def test_a_judge_stands_with_the_prompts_it_was_asked_with() -> None:
    judge = JudgeRef(name="qwen3-8b", revision="r1", prompts={"parameters_judge": "ab" * 32})
    said = dict(facts(make_info(), [judge]))["Judge"]
    assert said == "qwen3-8b (r1): parameters_judge by prompt abababababab"


def test_the_instruction_says_what_was_left_out() -> None:
    info = make_info(prompting=Prompting(one_shot=False, refusal_prompt=False))
    assert dict(facts(info))["Instruction"] == "no example, nothing said of refusing"
