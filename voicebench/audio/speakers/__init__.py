"""Choose voices that differ: diversity sampling on speaker embeddings, and how diverse a choice is.

All functions take embeddings of shape (voices, d) and measure Euclidean distance; on unit vectors that is
sqrt(2 - 2 cosine), between 0 and 2.
"""

from voicebench.audio.speakers.comparison import Run, compare
from voicebench.audio.speakers.density import density_weights, neighbour_counts
from voicebench.audio.speakers.determinantal import Kernel
from voicebench.audio.speakers.distances import (
    Coverage,
    coverage,
    mean_pairwise_distance,
    min_pairwise_distance,
)
from voicebench.audio.speakers.farthest import farthest_point
from voicebench.audio.speakers.projection import Projection, project_2d
from voicebench.audio.speakers.quotas import Balance, quotas
from voicebench.audio.speakers.selection import METHODS, Method, Options, select

__all__ = [
    "METHODS", "Balance", "Coverage", "Kernel", "Method", "Options", "Projection", "Run", "compare",
    "coverage", "density_weights", "farthest_point", "mean_pairwise_distance", "min_pairwise_distance",
    "neighbour_counts", "project_2d", "quotas", "select",
]  # fmt: skip
