"""Choose among the voices of a folder, and keep the choice as `selected.json`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicebench.audio.references.embeddings import Embedded
from voicebench.audio.references.rows import VoiceRow
from voicebench.audio.speakers import (
    Method,
    Options,
    coverage,
    mean_pairwise_distance,
    min_pairwise_distance,
    select,
)
from voicebench.errors import UserError, did_you_mean
from voicebench.files import write_text

SELECTED = "selected.json"
METHODS: Mapping[str, Method] = {
    "fps": "farthest_point",
    "dpp": "dpp",
    "density": "density",
    "random": "random",
}
"""The methods by the names that options give them."""

BALANCES = ("gender", "lang", "source")
UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Selection:
    """Chosen voices.

    Attributes:
        voices: In the order of choice.
        embeddings: Theirs, shape (voices, d).
        method: "fps", "dpp", "density" or "random".
        seed: What the choice started from.
        embedded: The candidates' places, and what put them there.
        summary: What `selected.json` holds.
    """

    voices: tuple[VoiceRow, ...]
    embeddings: npt.NDArray[np.float32]
    method: str
    seed: int
    embedded: Embedded
    summary: Mapping[str, Any]


def choose(
    rows: Sequence[VoiceRow],
    embedded: Embedded,
    n: int,
    *,
    method: str = "fps",
    seed: int = 0,
    balance: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep: Sequence[str] = (),
    options: Options = Options(),  # noqa: B008 (frozen)
    reason: str | None = None,
) -> Selection:
    """Choose n of the voices.

    Args:
        rows: The candidates.
        embedded: Their embeddings, in the same order.
        n: How many.
        method: A key of `METHODS`.
        seed: Of the choice; the same seed gives the same voices.
        balance: Of what each value has an equal share: "gender", "lang", "source", also together.
        exclude: Ids that are not chosen.
        keep: Ids that are chosen in any case, before the others.
        options: What single methods are told.
        reason: Why this encoder, for the file.

    Raises:
        UserError: A method, an id or a balance is unknown, an id is kept and excluded, or there are fewer
            voices than n.
    """
    kept, left_out = check_request(rows, n, method=method, balance=balance, exclude=exclude, keep=keep)
    indices = select(
        embedded.embeddings,
        n,
        method=method_of(method),
        rng=np.random.default_rng(seed),
        groups=group_labels(rows, balance),
        exclude=left_out,
        seeds=kept,
        options=options,
    )
    chosen = tuple(rows[index] for index in indices)
    embeddings = embedded.embeddings[indices]
    covered = coverage(embedded.embeddings, indices)
    summary = {
        "method": method,
        "seed": seed,
        "encoder": embedded.encoder.model_dump() | {"why": reason},
        "balance": list(balance),
        "exclude": sorted(exclude),
        "keep": list(keep),
        "voices": [
            row.model_dump(
                include={"id", "speaker", "lang", "gender", "licence", "source", "sha256"}, mode="json"
            )
            for row in chosen
        ],
        "distance": {
            "chosen_mean": _rounded(mean_pairwise_distance(embeddings)),
            "chosen_min": _rounded(min_pairwise_distance(embeddings)),
            "candidates_mean": _rounded(mean_pairwise_distance(embedded.embeddings)),
            "candidates_to_chosen_mean": _rounded(covered.mean_distance if covered else None),
            "candidates_to_chosen_max": _rounded(covered.max_distance if covered else None),
        },
        "candidates": len(rows),
    }
    return Selection(chosen, embeddings, method, seed, embedded, summary)


def check_request(
    rows: Sequence[VoiceRow],
    n: int,
    *,
    method: str = "fps",
    balance: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> tuple[list[int], list[int]]:
    """Find mistakes in what is asked of `choose`, before anything is embedded for it.

    Returns:
        The positions of the voices that are kept, and of those that are left out.

    Raises:
        UserError: As `choose`.
    """
    method_of(method)
    group_labels(rows, balance)
    known = {row.id: index for index, row in enumerate(rows)}
    kept, left_out = (_indices(ids, known) for ids in (keep, exclude))
    both = sorted(set(keep) & set(exclude))
    if both:
        raise UserError(f"voice {both[0]!r} is to be kept and to be excluded. Leave it out of one of them")
    if len(rows) - len(left_out) < n:
        raise UserError(
            f"{n} voices are asked for, there are {len(rows) - len(left_out)}. Ask for fewer, or add voices: "
            "voicebench voices add"
        )
    return kept, left_out


def method_of(name: str) -> Method:
    """Return the sampler's name for an option's.

    Raises:
        UserError: There is no such method.
    """
    if name not in METHODS:
        raise UserError(f"--method {name!r} is unknown.{did_you_mean(name, METHODS)}")
    return METHODS[name]


def group_labels(rows: Sequence[VoiceRow], balance: Sequence[str]) -> list[str] | None:
    """Return each voice's group ("female, hi"), or None where nothing is balanced.

    Raises:
        UserError: One of the names is nothing that can be balanced.
    """
    for name in balance:
        if name not in BALANCES:
            raise UserError(f"--balance {name!r} is unknown.{did_you_mean(name, BALANCES)}")
    if not balance:
        return None
    return [", ".join(getattr(row, name) or UNKNOWN for name in balance) for row in rows]


def write_selection(path: Path, selection: Selection) -> None:
    """Write a selection as JSON.

    Raises:
        UserError: It cannot be written.
    """
    write_text(path, json.dumps(selection.summary, ensure_ascii=False, indent=1) + "\n")


def read_selection(path: Path) -> list[str]:
    """Return the ids that a `selected.json` names, in the order of choice.

    Raises:
        UserError: It is missing or broken.
    """
    try:
        return [str(voice["id"]) for voice in json.loads(path.read_text(encoding="utf-8"))["voices"]]
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. Run: voicebench voices select {path.parent}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: no selection of voices ({error}). Run voices select again") from None


def _indices(ids: Sequence[str], known: Mapping[str, int]) -> list[int]:
    for voice in ids:
        if voice not in known:
            raise UserError(f"there is no voice {voice!r}.{did_you_mean(voice, known)}")
    return list(dict.fromkeys(known[voice] for voice in ids))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
