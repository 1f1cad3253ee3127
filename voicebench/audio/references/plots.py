"""Draw a comparison: how far apart the chosen are, and where they lie among all voices (matplotlib, PNG)."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.audio.references.comparison import Comparison
from voicebench.audio.speakers import Projection, project_2d
from voicebench.errors import MissingExtraError
from voicebench.files import write_bytes

# Colour-blind safe (Okabe & Ito 2008).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_GREY = "#B8B8B8"
_BINS = 24


def require_matplotlib() -> None:
    """Make sure that plots can be drawn, before anything is computed for them.

    Raises:
        MissingExtraError: matplotlib is not installed; the message is the install line.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("matplotlib", "plots", "matplotlib") from None


def draw(comparison: Comparison, path: Path, *, projection: Projection = "pca") -> None:
    """Draw a comparison as a PNG file; the same comparison gives the same picture.

    Above: the pairwise distances of the chosen, over all runs of each method, and each run's mean. Below: all
    voices in two dimensions, a panel a method, its first run's choice marked.

    Args:
        comparison: What to draw.
        path: The file.
        projection: How voices are laid out on the plane.

    Raises:
        MissingExtraError: matplotlib is not installed.
        UserError: The file cannot be written.
    """
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    methods = list(comparison.runs)
    figure: Any = Figure(figsize=(max(8.0, 3.1 * len(methods)), 6.6), layout="constrained", dpi=150)
    FigureCanvasAgg(figure)
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.1))
    _draw_distances(comparison, above)
    _draw_places(comparison, below, project_2d(comparison.embedded.embeddings, method=projection))
    figure.suptitle(
        f"{comparison.n} of {len(comparison.rows)} voices · {comparison.embedded.encoder.name}", fontsize=11
    )
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    write_bytes(path, buffer.getvalue())


def _draw_distances(comparison: Comparison, part: Any) -> None:
    left, right = part.subplots(1, 2, width_ratios=(1.6, 1))
    pairs = {
        method: np.concatenate(
            [_pair_distances(comparison.embedded.embeddings[list(run.chosen)]) for run in runs]
        )
        for method, runs in comparison.runs.items()
    }
    every = np.concatenate(list(pairs.values()))
    bins = np.linspace(float(every.min()) * 0.95, float(every.max()) * 1.02 + 1e-9, _BINS)
    for colour, (method, values) in zip(_cycled(len(pairs)), pairs.items(), strict=True):
        left.hist(values, bins=bins, histtype="step", density=True, color=colour, label=method, linewidth=1.6)
    left.set(xlabel="distance between two chosen voices", ylabel="density")
    left.legend(frameon=False, fontsize=8, loc="upper left")
    means = [[run.mean_distance for run in runs] for runs in comparison.runs.values()]
    for at, (colour, run_means) in enumerate(zip(_cycled(len(means)), means, strict=True)):
        right.plot(
            np.linspace(at - 0.15, at + 0.15, len(run_means)) if len(run_means) > 1 else [at],
            run_means, "o", color=colour, markersize=4, alpha=0.7,
        )  # fmt: skip
        right.plot(
            [at - 0.25, at + 0.25],
            [np.mean([mean or 0.0 for mean in run_means])] * 2,
            color=colour,
            linewidth=2,
        )
    right.set_xticks(range(len(means)), list(comparison.runs))
    right.set(ylabel="mean distance of a run")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=8)


def _draw_places(comparison: Comparison, part: Any, places: Any) -> None:
    panels = part.subplots(1, len(comparison.runs), sharex=True, sharey=True, squeeze=False)[0]
    for axes, colour, (method, runs) in zip(
        panels, _cycled(len(panels)), comparison.runs.items(), strict=True
    ):
        chosen = list(runs[0].chosen)
        axes.scatter(*places.T, s=9, color=_GREY, linewidths=0)
        axes.scatter(*places[chosen].T, s=34, color=colour, edgecolors="black", linewidths=0.6)
        axes.set_title(f"{method}, run 1", fontsize=9)
        axes.set_xticks([])
        axes.set_yticks([])


def _cycled(count: int) -> list[str]:
    return [_COLOURS[index % len(_COLOURS)] for index in range(count)]


def _pair_distances(points: Any) -> Any:
    """Return the distance of each pair of a choice once, shape (pairs,)."""
    upper = np.triu_indices(len(points), 1)
    return np.linalg.norm(points[upper[0]].astype(np.float64) - points[upper[1]], axis=1)
