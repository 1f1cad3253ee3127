"""Density-based sampling: voices with few neighbours are drawn more often."""

import numpy as np

from voicebench.audio.speakers.accelerator import Accelerator
from voicebench.audio.speakers.distances import mean_pairwise_distance
from voicebench.audio.speakers.pairs import tallies
from voicebench.audio.speakers.points import Doubles, Embeddings, Indices, prepare
from voicebench.audio.speakers.quotas import Seats
from voicebench.errors import UserError


def neighbour_counts(embeddings: Embeddings, radius: float, *, device: str | None = None) -> Indices:
    """Return how many other voices lie within a radius of each: n_i = #{j != i: |e_i - e_j| <= r}.

    Exact: pairs that float32 cannot decide are measured by direct difference in float64. The memory is that
    of a few blocks and of the undecided pairs.

    Args:
        embeddings: Shape (voices, d).
        radius: r, in units of the embeddings.
        device: A torch device that computes the distances, or None for numpy.

    Returns:
        Shape (voices,).

    Raises:
        UserError: The radius is negative or not finite, an embedding is not finite, or the device needs a
            package that is not installed.
    """
    if not (np.isfinite(radius) and radius >= 0):
        raise UserError(f"a radius of {radius} is no distance. Give 0 or more")
    points = prepare(embeddings)
    if not len(points):
        return np.zeros(0, np.intp)
    squared_radius = (radius / points.unit) ** 2
    counts = np.zeros(len(points), np.intp)
    if device is None:
        found = tallies(points, squared_radius)
    else:
        found = Accelerator(points, device).tallies(squared_radius)
    for tally in found:
        counts[tally.rows] += tally.by_row.astype(np.intp)
        counts[tally.columns] += tally.by_column.astype(np.intp)
        within = np.sqrt(points.exact(tally.left, tally.right)) * points.unit <= radius
        for side in (tally.left, tally.right):
            np.add.at(counts, side[within], 1)
    return counts


def density_weights(embeddings: Embeddings, *, radius: float = 1.0, device: str | None = None) -> Doubles:
    """Return the probability of each voice, p_i ∝ 1 / (1 + n_i), shape (voices,).

    n_i counts the voices within r = c d of voice i, d being the mean pairwise distance: the density sampler
    of VoiceAgentBench, which leaves the form of the score open. On unit vectors d is about sqrt(2) and c = 1
    tells voices apart weakly, so c is an option.

    Args:
        embeddings: Shape (voices, d).
        radius: c, in mean pairwise distances.
        device: A torch device that computes the distances, or None for numpy.

    Raises:
        UserError: As `neighbour_counts`.
    """
    mean = mean_pairwise_distance(embeddings, device=device)
    counts = neighbour_counts(embeddings, radius * (mean or 0.0), device=device)
    weights = 1.0 / (1.0 + counts)
    return np.asarray(weights / weights.sum())


def choose_by_density(
    embeddings: Embeddings, seats: Seats, *, rng: np.random.Generator, radius: float, device: str | None
) -> list[int]:
    """Draw voices without replacement with `density_weights`, within quotas and after the seeds.

    The one whose exponential clock with rate p_i rings first is drawn, then the next of those whose group is
    open: the same as drawing one after another from what is left (Efraimidis & Spirakis 2006).

    Args:
        embeddings: Shape (voices, d).
        seats: How many are drawn from where.
        rng: Draws.
        radius: c, in mean pairwise distances.
        device: A torch device that computes the distances, or None for numpy.

    Raises:
        UserError: As `neighbour_counts`.
    """
    weights = density_weights(embeddings, radius=radius, device=device)
    return draw(seats, weights, rng=rng)


def draw(seats: Seats, weights: Doubles, *, rng: np.random.Generator) -> list[int]:
    """Draw voices without replacement, with probabilities in proportion to weights of shape (voices,)."""
    clocks = rng.exponential(size=len(weights)) / weights
    for voice in seats.seeds:
        seats.take(voice)
    return seats.fill(np.argsort(clocks, kind="stable"), seats.seeds)
