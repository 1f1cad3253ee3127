import json
from pathlib import Path

import numpy as np
import pytest

from voicebench.audio.references.comparison import compare_methods
from voicebench.audio.references.embeddings import Embedded
from voicebench.audio.references.rows import VoiceRow
from voicebench.audio.references.selection import METHODS, choose, read_selection, write_selection
from voicebench.errors import UserError
from voicebench.types import ModelRef


def row(index: int, *, gender: str | None = None, lang: str = "hi") -> VoiceRow:
    return VoiceRow(
        id=f"v{index}", speaker=f"v{index}", path="x", sha256=f"{index:064x}", lang=lang, licence="CC0-1.0",
        gender=gender or ("female" if index < 9 else "male"),  # type: ignore[arg-type]
        source="corpus", origin=str(index), duration_s=2.0,
    )  # fmt: skip


ROWS = [row(index) for index in range(12)]


def embedded(count: int = 12, width: int = 6) -> Embedded:
    points = np.random.default_rng(7).standard_normal((count, width)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return Embedded(ModelRef(name="fake", revision="1"), points, 0)


def ids(**more: object) -> list[str]:
    return [voice.id for voice in choose(ROWS, embedded(), 4, **more).voices]  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_chooses_the_same_under_a_seed(method: str) -> None:
    assert ids(method=method, seed=3) == ids(method=method, seed=3)
    assert len({tuple(ids(method=method, seed=seed)) for seed in range(5)}) > 1
    assert len(set(ids(method=method))) == 4


@pytest.mark.parametrize("method", METHODS)
def test_genders_have_equal_shares_where_asked_for(method: str) -> None:
    chosen = choose(ROWS, embedded(), 4, method=method, balance=["gender"]).voices
    assert sorted(voice.gender or "" for voice in chosen) == ["female", "female", "male", "male"]


def test_kept_voices_come_first_and_excluded_ones_never() -> None:
    chosen = ids(keep=["v5", "v2"], exclude=["v0", "v1"])
    assert chosen[:2] == ["v5", "v2"]
    assert not {"v0", "v1"} & set(chosen)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"method": "fsp"}, "--method 'fsp' is unknown. Did you mean 'fps'?"),
        ({"balance": ["gendre"]}, "--balance 'gendre' is unknown. Did you mean 'gender'?"),
        ({"keep": ["v99"]}, "there is no voice 'v99'"),
        ({"keep": ["v1"], "exclude": ["v1"]}, "'v1' is to be kept and to be excluded"),
        ({"exclude": [f"v{n}" for n in range(10)]}, "4 voices are asked for, there are 2"),
    ],
)
def test_what_cannot_be_says_why(more: dict[str, object], said: str) -> None:
    with pytest.raises(UserError) as caught:
        ids(**more)
    assert said in str(caught.value)


def test_a_selection_is_written_with_all_that_led_to_it(tmp_path: Path) -> None:
    chosen = choose(ROWS, embedded(), 3, seed=2, balance=["gender"], reason="asked for")
    path = tmp_path / "selected.json"
    write_selection(path, chosen)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert read_selection(path) == [voice.id for voice in chosen.voices]
    assert (kept["method"], kept["seed"], kept["balance"], kept["candidates"]) == ("fps", 2, ["gender"], 12)
    assert kept["encoder"] == {"name": "fake", "revision": "1", "why": "asked for"}
    points = chosen.embeddings.astype(float)
    pairs = [np.linalg.norm(points[i] - points[j]) for i in range(3) for j in range(i)]
    assert kept["distance"]["chosen_mean"] == pytest.approx(np.mean(pairs), abs=1e-4)
    assert kept["distance"]["chosen_min"] == pytest.approx(min(pairs), abs=1e-4)
    assert kept["voices"][0]["licence"] == "CC0-1.0"


def test_a_broken_selection_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Run: voicebench voices select"):
        read_selection(tmp_path / "selected.json")
    (tmp_path / "selected.json").write_text("{}")
    with pytest.raises(UserError, match="no selection of voices"):
        read_selection(tmp_path / "selected.json")


def test_a_comparison_gives_each_method_its_runs_and_their_spread() -> None:
    compared = compare_methods(ROWS, embedded(), 4, methods=["fps", "random"], runs=5, seed=1)
    assert {method: len(runs) for method, runs in compared.runs.items()} == {"fps": 5, "random": 5}
    means = [run.mean_distance for run in compared.runs["random"]]
    mean, deviation = compared.spread("random", "mean_distance")
    assert mean == pytest.approx(np.mean(means))
    assert deviation == pytest.approx(np.std(means, ddof=1))
    assert compared.spread("fps", "min_distance")[0] > compared.spread("random", "min_distance")[0]
    headers, table = compared.table()
    assert headers[:3] == ["method", "runs", "mean distance"]
    assert [line[0] for line in table] == ["fps", "random"]
    assert f"| fps | 5 | {compared.spread('fps', 'mean_distance')[0]:.3f} ± " in compared.as_markdown()
    assert compared.as_json()["methods"]["fps"]["runs"][0]["voices"][0].startswith("v")


def test_one_run_has_no_spread() -> None:
    assert compare_methods(ROWS, embedded(), 4, methods=["fps"], runs=1).spread("fps", "coverage_max")[1] == 0


@pytest.mark.parametrize(
    ("n", "runs", "said"), [(1, 3, "two voices"), (4, 0, "one run"), (13, 2, "there are 12")]
)
def test_a_comparison_of_nothing_is_a_mistake(n: int, runs: int, said: str) -> None:
    with pytest.raises(UserError, match=said):
        compare_methods(ROWS, embedded(), n, runs=runs)
