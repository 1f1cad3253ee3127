"""SEATauBench's printed tables beside its repository's numbers."""

from pathlib import Path

import pytest

from tests.tau2.helpers import SHARED
from voicebench.tau2.read import read
from voicebench.tau2.shape import Beside

PRINTED = """table,domain,model,lang,p1,p2,p3,rho
10,airline,Kimi-K2.5,TH,0.600,0.487,0.400,0.667
10,airline,GPT-5-mini,TH,0.593,0.473,0.400,0.674
12,airline,GPT-5-mini,mix3,0.593,0.473,0.400,0.674
12,retail,GPT-5-mini,mix3,0.500,0.400,0.300,0.600
"""
OWN = """scenario,domain,language_senario,normalized_agent_llm,pass_hat_1,pass_hat_2,pass_hat_3,total_tasks
l2_interaction,airline,thai,kimi-k2.5,0.6,0.48,0.4,50
l2_interaction,airline,thai,gpt-5-mini,0.593,0.474,0.4,50
l2_tools,airline,tool_mix_3,gpt-5-mini,0.593,0.473,0.4,50
l2_tools,airline,thai,gpt-5-mini,0.1,0.1,0.1,50
"""


def beside(folder: Path) -> tuple[Beside, ...]:
    return read(folder).report().beside


def test_rows_of_one_experiment_are_put_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "printed.csv").write_text(PRINTED, encoding="utf-8")
    (tmp_path / "own.csv").write_text(OWN, encoding="utf-8")
    ten, twelve = beside(tmp_path)
    assert (ten.table, ten.n) == ("10", 2)
    assert ten.different == ("10 · airline · Kimi-K2.5 · TH: 0.600 0.487 0.400, there 0.600 0.480 0.400",)
    assert (twelve.table, twelve.n, twelve.different) == ("12", 1, ())


def test_one_kind_of_table_alone_has_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "printed.csv").write_text(PRINTED, encoding="utf-8")
    assert beside(tmp_path) == ()


@pytest.mark.skipif(
    not (SHARED / "seatau" / "experiments.csv").is_file(),
    reason="the public tables are not beside this checkout",
)
def test_the_papers_english_runs_are_not_those_of_the_repository() -> None:
    found = {one.table: one for one in beside(SHARED / "seatau")}
    assert {table: (one.n - len(one.different), one.n) for table, one in found.items()} == {
        "9": (2, 9), "10": (45, 45), "11": (30, 30), "12": (24, 24), "13": (41, 45),
    }  # fmt: skip
    # Of the two rows of table 13 that are alike, the Chinese one is not the repository's.
    assert [row.partition(":")[0] for row in found["13"].different] == [
        "13 · airline · Kimi-K2.5 · TL",
        "13 · telecom · Qwen3-235B · ZH",
        "13 · telecom · Kimi-K2.5 · VI",
        "13 · telecom · Kimi-K2.5 · ID",
    ]
