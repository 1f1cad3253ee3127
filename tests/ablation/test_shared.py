"""Tasks that columns share: which they are, and what each of them weighs."""

import pytest

from voicebench.ablation.shared import Part, Shared, shared
from voicebench.report.estimates import Estimator
from voicebench.report.observed import Group, Observation, by_task


def group(values: dict[str, float | None], origin: str | None = None) -> Group:
    return by_task([Observation(task_id, value, origin=origin) for task_id, value in values.items()])


def columns(*of: dict[Part, dict[str, float | None]]) -> Shared:
    return shared([{part: group(values) for part, values in one.items()} for one in of])


def test_only_tasks_scored_in_every_column_are_shared() -> None:
    part = ("single", "hi")
    found = columns({part: {"a": 1.0, "b": 0.0, "c": None}}, {part: {"b": 1.0, "c": 1.0, "d": 1.0}})
    assert [[[one.task_id for one in row] for row in part] for part in found.parts] == [[["b", "b"]]]
    assert found.difference(0, 1).mean == 1.0


def test_a_part_that_a_column_lacks_is_in_no_mean() -> None:
    single, parallel = ("single", "hi"), ("parallel", "hi")
    found = columns({single: {"a": 1.0}, parallel: {"p": 0.0}}, {single: {"a": 0.0}})
    assert found.difference(0, 1).mean == -1.0


def test_kinds_and_their_languages_count_the_same() -> None:
    text: dict[Part, dict[str, float | None]] = {
        ("single", "en"): {"a": 1.0, "b": 1.0, "c": 1.0},
        ("single", "ta"): {"d": 1.0},
        ("parallel", "en"): {"e": 1.0},
    }
    heard: dict[Part, dict[str, float | None]] = {
        ("single", "en"): {"a": 0.0, "b": 0.0, "c": 0.0},
        ("single", "ta"): {"d": 1.0},
        ("parallel", "en"): {"e": 1.0},
    }
    found = columns(text, heard)
    # Single: the mean of −1 (English) and 0 (Tamil); parallel: 0.
    assert found.difference(0, 1).mean == pytest.approx(-0.25)
    assert found.shares == (0.5, 0.25, 0.25)


def test_nothing_in_common_is_no_row() -> None:
    assert columns({("single", "hi"): {"a": 1.0}}, {("single", "th"): {"b": 1.0}}).n == 0
    assert shared([]).n == 0


def test_p_is_that_of_the_exact_sign_flip_test() -> None:
    part = ("single", "ta")
    ids = [str(n) for n in range(6)]
    found = columns({part: dict.fromkeys(ids, 1.0)}, {part: dict.fromkeys(ids, 0.0)})
    assert found.p(0, 1) == 2 / 64


def test_one_task_with_its_translations_has_no_interval_of_a_ratio() -> None:
    one = shared([{("single", "hi"): group({"a": 1.0, "b": 0.0}, origin="en")} for _ in range(3)])
    assert one.ratio_interval((1, 2), (1, 0)) is None


def lost(n_single: int, n_parallel: int, *values: float) -> Shared:
    """Return a first column of ones, and one for each value that holds it throughout."""
    ids = {("single", "hi"): range(n_single), ("parallel", "hi"): range(100, 100 + n_parallel)}
    return columns(
        *({part: {str(i): value for i in own} for part, own in ids.items()} for value in (1.0, *values))
    )


def test_where_each_kind_loses_all_no_interval_feigns_otherwise() -> None:
    # Kinds of unlike sizes: were tasks weighted one by one, resamples would reach beyond −1.
    (one,) = Estimator().estimates([lost(10, 2, 0.0).difference(0, 1)])
    assert one == (-1.0, None, None)


def test_the_interval_of_a_mean_of_kinds_stays_within_what_is_possible() -> None:
    part = {
        ("single", "hi"): {str(i): float(i > 0) for i in range(10)},
        ("parallel", "hi"): {"p": 1.0, "q": 1.0},
    }
    none = {kind: dict.fromkeys(own, 0.0) for kind, own in part.items()}
    (one,) = Estimator().estimates([columns(part, none).difference(0, 1)])
    # −9/10 and −1: of the ten each resample draws some, and of the two both weigh a half whatever is drawn.
    assert one.mean == pytest.approx(-0.95)
    assert one.low == -1.0
    assert one.high is not None and -0.95 < one.high <= -0.8


def test_a_ratio_that_no_resample_changes_has_no_interval() -> None:
    assert lost(10, 2, 0.0, 0.5).ratio_interval((1, 2), (1, 0)) is None


def test_the_interval_of_a_ratio_holds_the_ratio_and_translations_are_drawn_together() -> None:
    gold: dict[Part, dict[str, float | None]] = {("single", "ta"): {str(i): 1.0 for i in range(8)}}
    first = {("single", "ta"): {str(i): 0.0 for i in range(8)}}
    second = {("single", "ta"): {str(i): float(i < 4) for i in range(8)}}
    alone = shared([{p: group(of) for p, of in one.items()} for one in (gold, first, second)])
    ends = alone.ratio_interval((1, 2), (1, 0))
    # Binomial (8, 1/2): 1 of 8 or fewer in 3.5 % of resamples, none in 0.4 %.
    assert ends is not None
    assert (ends.low, ends.high) == (1 / 8, 7 / 8)
    both = shared([
        {(kind, lang): _of(of, lang) for (kind, _), of in one.items() for lang in ("ta", "te")}
        for one in (gold, first, second)
    ])  # fmt: skip
    assert both.n == 16
    assert both.ratio_interval((1, 2), (1, 0)) == ends


def _of(values: dict[str, float | None], lang: str) -> Group:
    """Return the tasks of a language, each localised from the same one as in the other language."""
    return by_task([Observation(f"{lang}-{i}", value, origin=f"en-{i}") for i, value in values.items()])
