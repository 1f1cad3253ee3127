"""pass^k and ρ^k of others' trials: bounded, not dropped; and the published figures of public files."""

from pathlib import Path

import pytest

from tests.tau2.helpers import FILES, SHARED, results, simulation, write
from voicebench.report.shape import BoundedFigure
from voicebench.tau2.read import read
from voicebench.tau2.shape import Part, Summary
from voicebench.tau2.trials import Planned


def one(path: Path, planned: Planned | None = None) -> Summary:
    (found,) = read(path, planned).report().results
    return found


def test_what_the_harness_lost_and_what_nobody_judged_stand_apart() -> None:
    found = one(FILES / "results.json")
    assert (found.n_tasks, found.trials, found.planned, found.scored) == (4, 2, 8, 5)
    assert found.failed == {"infrastructure_error": 1, "not run": 1}
    assert found.no_verdict == {"unjudged: NL_ASSERTION": 1}
    assert found.ended == {"user_stop": 5, "infrastructure_error": 1, "max_steps": 1}


def test_missing_trials_leave_a_range() -> None:
    once, twice = one(FILES / "results.json").by_k
    # Successes by task: 2; 0 or 1; 1 or 2; 0 or 1.
    assert once.pass_hat == BoundedFigure(estimate=None, low=3 / 8, high=6 / 8)
    assert twice.pass_hat == BoundedFigure(estimate=None, low=1 / 4, high=2 / 4)
    assert twice.rho is not None
    # At worst 1 whole task and 5 successes (a half for each task): (1/4) / (5/8); at best 2 and 4.
    assert (twice.rho.low, twice.rho.high) == pytest.approx((0.4, 1.0))
    assert twice.rho_low is None


def test_the_rule_that_drops_tasks_prints_what_no_outcome_has(tmp_path: Path) -> None:
    rows = [simulation("A", n, 1.0) for n in range(3)] + [simulation("B", n, 0.0) for n in range(2)]
    found = one(write(tmp_path / "r.json", results(rows, num_trials=3)))
    assert found.usual is not None
    assert found.usual.printed == {"p1": "0.500", "p2": "0.500", "p3": "1.000", "rho": "2.000"}
    assert found.usual.possible is False
    assert found.by_k[2].pass_hat == BoundedFigure(estimate=None, low=0.5, high=0.5)
    assert found.by_k[2].rho == BoundedFigure(estimate=None, low=0.75, high=1.0)


def test_three_of_a_hundred_sessions_are_not_a_success_rate_of_one(tmp_path: Path) -> None:
    rows = [simulation(n, 0, 1.0) for n in range(3)]
    found = one(write(tmp_path / "r.json", results(rows)), Planned(n_tasks=100))
    assert found.failed == {"not run": 97}
    assert found.by_k[0].pass_hat == BoundedFigure(estimate=None, low=0.03, high=1.0)


def test_parts_are_counted_over_what_was_looked_at_and_not_over_the_harness_failures() -> None:
    parts = {part.name: (part.right, part.of) for part in one(FILES / "results.json").parts}
    assert parts == {"state": (4, 5), "said": (3, 3), "judged": (1, 1)}


def test_a_file_without_any_reward_has_no_usual_row(tmp_path: Path) -> None:
    found = one(write(tmp_path / "r.json", results([simulation("0", 0, None)])))
    assert (found.usual, found.scored, found.no_verdict) == (None, 0, {"not evaluated": 1})


def shared(name: str) -> Path:
    path = SHARED / "results" / name
    if not path.is_file():
        pytest.skip(f"the public results {name} are not beside this checkout")
    return path


def test_published_trials_of_tau_bench_give_the_published_figures() -> None:
    found = one(shared("tau_bench_gpt-4o-airline.json"))
    assert (found.n_tasks, found.trials, found.scored) == (50, 4, 200)
    assert [at.pass_hat.estimate for at in found.by_k] == pytest.approx(
        [0.42, 0.273333, 0.22, 0.20], abs=1e-6
    )
    assert found.usual is not None
    assert found.usual.printed == {"p1": "0.420", "p2": "0.273", "p3": "0.220", "p4": "0.200", "rho": "0.476"}


@pytest.mark.parametrize(
    ("domain", "n", "pass_1", "right"), [("airline", 50, 0.56, 28), ("retail", 114, 0.8421052631578947, 97)]
)
def test_published_results_of_tau2_give_the_published_figures(
    domain: str, n: int, pass_1: float, right: int
) -> None:
    found = one(shared(f"toolorchestra_{domain}_gpt-5_1trial.json"))
    assert (found.domain, found.n_tasks, found.scored, found.problems) == (domain, n, n, ())
    assert [at.pass_hat.estimate for at in found.by_k] == [pytest.approx(pass_1)]
    database = next(part for part in found.parts if part.name == "state")
    assert isinstance(database, Part)
    assert (database.right, database.of) == (right, n)
    assert found.ended == {"user_stop": n}
