"""Choose voices by any method, with what the choice has to keep: quotas, exclusions, voices that are set."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from voicebench.audio.speakers.density import choose_by_density, draw
from voicebench.audio.speakers.determinantal import Kernel, choose_determinantal
from voicebench.audio.speakers.farthest import choose_farthest
from voicebench.audio.speakers.points import Embeddings, prepare
from voicebench.audio.speakers.quotas import Balance, Seats
from voicebench.errors import UserError

Method = Literal["farthest_point", "dpp", "density", "random"]
METHODS: tuple[Method, ...] = get_args(Method)
"""What `select` knows: see `choose_farthest`, `choose_determinantal` and `choose_by_density`."""


@dataclass(frozen=True)
class Options:
    """What single methods can be told.

    Attributes:
        radius: density: the radius of a neighbourhood, in mean pairwise distances.
        kernel: dpp: "rbf" or "cosine".
        width: dpp: the width of the RBF kernel, in root mean square distances.
        device: farthest_point, density: a torch device ("cuda:0"), or None for numpy.
    """

    radius: float = 1.0
    kernel: Kernel = "rbf"
    width: float = 1.0
    device: str | None = None


DEFAULTS = Options()


def select(
    embeddings: Embeddings,
    n: int,
    *,
    method: Method,
    rng: np.random.Generator,
    groups: Sequence[str] | None = None,
    balance: Balance = "equal",
    exclude: Collection[int] = (),
    seeds: Sequence[int] = (),
    options: Options = DEFAULTS,
) -> list[int]:
    """Return n voices chosen by a method; the same generator state gives the same choice.

    Args:
        embeddings: Shape (voices, d).
        n: How many are chosen, the seeds among them.
        method: One of `METHODS`.
        rng: Draws what is drawn: the first voice (farthest_point, dpp) or all of them (density, random).
        groups: A label for each voice (its gender, language, source, or several in one label), or None.
        balance: The groups' shares of n: "equal" as far as there are voices, "proportional" to the voices
            there are, or a number for each group. See `quotas`.
        exclude: Voices that are left out, as if they were not there.
        seeds: Voices that are in the choice from the start. They come first, and the others are chosen to
            differ from them; they count towards n and towards their groups' shares.
        options: What the method is told.

    Returns:
        Indices in the order of choice, none twice.

    Raises:
        UserError: There are too few voices (says how many, and which group is short), the method is unknown,
            a seed is given twice or excluded, a seed or what is excluded is no voice, or the method itself
            cannot go on.
        ValueError: There are not as many labels as voices.
    """
    count = len(embeddings)
    if method not in METHODS:
        raise UserError(f"unknown method {method!r}. Known: {', '.join(METHODS)}")
    if groups is not None and len(groups) != count:
        raise ValueError(f"{len(groups)} groups for {count} voices")
    excluded = set(exclude)
    _check_indices(seeds, excluded, n, count)
    kept = np.delete(np.arange(count), sorted(excluded)).tolist()
    place = {voice: at for at, voice in enumerate(kept)} if seeds else {}
    seats = Seats(
        len(kept), n,
        labels=None if groups is None else [groups[voice] for voice in kept],
        balance=balance, seeds=[place[seed] for seed in seeds],
    )  # fmt: skip
    chosen = _choose(embeddings if len(kept) == count else embeddings[kept], seats, method, rng, options)
    return [kept[at] for at in chosen]


def _choose(
    embeddings: Embeddings, seats: Seats, method: Method, rng: np.random.Generator, options: Options
) -> list[int]:
    match method:
        case "farthest_point":
            return choose_farthest(prepare(embeddings), seats, rng=rng, device=options.device)
        case "dpp":
            return choose_determinantal(
                embeddings, seats, rng=rng, kernel=options.kernel, width=options.width
            )
        case "density":
            return choose_by_density(embeddings, seats, rng=rng, radius=options.radius, device=options.device)
        case "random":
            return draw(seats, np.ones(len(embeddings)), rng=rng)


def _check_indices(seeds: Sequence[int], excluded: set[int], n: int, count: int) -> None:
    if len(seeds) > max(n, 0):
        raise UserError(f"{len(seeds)} voices are given, but only {n} are asked for")
    if len(set(seeds)) < len(seeds):
        raise UserError("a voice is given twice")
    for voice in (*seeds, *excluded):
        if not 0 <= voice < count:
            raise UserError(f"voice {voice} is none of the {count} voices (0 to {count - 1})")
    for seed in seeds:
        if seed in excluded:
            raise UserError(f"voice {seed} is both given and excluded")
