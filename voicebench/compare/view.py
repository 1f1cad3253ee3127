"""A comparison as lines and tables for people: plain text, and Markdown."""

from collections.abc import Iterator

from voicebench.compare.shape import Comparison, Difference, Flip, SideFacts
from voicebench.report.labels import count, kind_label, language_label, number, one_line, reasons, signed
from voicebench.report.markdown_parts import escaped, table
from voicebench.scoring.reliability import Bounded

DIGITS = 3
GROUP_HEADERS = ("group", "n", "A", "B", "B − A", "95 %", "p", "p (Holm)", "test", "worse", "better")
FLIP_HEADERS = ("item", "condition", "kind", "lang", "A", "B", "why")
RELIABILITY_HEADERS = ("side", "condition", "k", "pass^k", "pass@k", "rho", "trials")
TESTS = {"mcnemar": "McNemar's exact test", "sign-flip": "sign-flip test"}
UNITS = {"item": "item", "speaker": "speaker", "none": "pair"}


def head(comparison: Comparison) -> Iterator[str]:
    """Yield what is compared, the difference over all items, and what is missing, a line each."""
    for letter, side in (("A", comparison.a), ("B", comparison.b)):
        yield f"{letter}: {_side(side)}"
    yield _difference(comparison)
    yield _pairing(comparison)
    if comparison.bounds is not None:
        bounds = comparison.bounds
        yield (
            f"{count(bounds.n_incomplete, 'item has', 'items have')} unscored answers: had they all gone "
            f"against B or all for it, B − A over {count(bounds.n, 'item')} would be "
            f"{signed(bounds.low, DIGITS)} to {signed(bounds.high, DIGITS)}"
        )
    yield from (f"! {note}" for note in comparison.notes)


def groups(comparison: Comparison) -> list[list[str | None]]:
    """Return a row for all items and for each group, under `GROUP_HEADERS`."""
    overall = [comparison.overall] if comparison.overall is not None else []
    return [_group(found) for found in (*overall, *comparison.groups)]


def flips(comparison: Comparison, change: str | None = None) -> list[list[str | None]]:
    """Return a row for each item that changed, under `FLIP_HEADERS`; of one kind of change, or all."""
    return [_flip(flip) for flip in comparison.flips if change is None or flip.change == change]


def reliability(comparison: Comparison) -> list[list[str | None]]:
    """Return a row for each side, condition and k, under `RELIABILITY_HEADERS`."""
    return [
        [
            side.side.upper(), side.condition, str(at.k), bounded(at.pass_hat), bounded(at.pass_at),
            None if at.rho is None else bounded(at.rho),
            f"{side.n_present:,} of {side.n_tasks * side.trials:,}",
        ]
        for side in comparison.reliability for at in side.by_k
    ]  # fmt: skip


def bounded(figure: Bounded) -> str:
    """Return a figure, or the least and the most it can be where trials are missing."""
    if figure.low == figure.high:
        return number(figure.low, DIGITS)
    return f"{number(figure.low, DIGITS)} to {number(figure.high, DIGITS)}"


def flip_title(comparison: Comparison) -> str:
    """Return how many items changed: "3 items worse, 20 better"."""
    worse = sum(flip.change == "worse" for flip in comparison.flips)
    return f"{count(worse, 'item')} worse, {len(comparison.flips) - worse:,} better"


def markdown(comparison: Comparison) -> str:
    """Return the whole comparison as a Markdown page."""
    title = f"# {escaped(comparison.b.agent)} against {escaped(comparison.a.agent)}: {comparison.figure}"
    parts = [title, "\n".join(f"- {escaped(line)}" for line in head(comparison))]
    rows = groups(comparison)
    if rows:
        parts += ["## Differences", table(GROUP_HEADERS, rows, text_columns=1)]
    if comparison.family:
        parts.append(f"p (Holm) is adjusted over {comparison.family}.")
    if comparison.reliability:
        parts += ["## Over trials", table(RELIABILITY_HEADERS, reliability(comparison), text_columns=2)]
    parts.append(f"## {flip_title(comparison)}")
    for change in ("worse", "better"):
        changed = flips(comparison, change)
        if changed:
            parts += [f"### {change.capitalize()}", table(FLIP_HEADERS, changed, text_columns=4)]
    return "\n\n".join(parts) + "\n"


def p_value(p: float | None) -> str | None:
    """Return a p value with four decimals, "< 0.0001" below that."""
    if p is None:
        return None
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def span(low: float | None, high: float | None) -> str | None:
    """Return an interval ("−0.120 to +0.040"); None where there is none."""
    if low is None or high is None:
        return None
    return f"{signed(low, DIGITS)} to {signed(high, DIGITS)}"


def _side(side: SideFacts) -> str:
    agent = f"{one_line(side.agent)} under {', '.join(side.conditions) or 'no condition'}"
    unscored = f" ({reasons(side.unscored)})" if side.unscored else ""
    scored = f"scored {side.scored:,} of {side.planned:,}{unscored}"
    return f"{side.path}: {agent}, {number(side.mean, DIGITS)}, {scored}"


def _difference(comparison: Comparison) -> str:
    found = comparison.overall
    if found is None:
        return f"B − A, {comparison.figure}: no item is scored on both sides"
    interval = span(found.low, found.high)
    certainty = f"95 % interval {interval}" if interval else "no interval"
    unit = UNITS[comparison.cluster]
    clusters = f", clustered by {unit}: {found.n_clusters:,}" if found.n_clusters != found.n else ""
    p = p_value(found.p) or ""
    return (
        f"B − A, {comparison.figure}: {signed(found.difference, DIGITS)}, {certainty}, "
        f"p {p if p.startswith('<') else f'= {p}'} ({TESTS[found.test]}, {count(found.n, 'item')}{clusters})"
    )


def _pairing(comparison: Comparison) -> str:
    pairing = comparison.pairing
    said = (
        f"{count(pairing.shared, 'item')} scored on both sides, {pairing.only_a:,} only in A, "
        f"{pairing.only_b:,} only in B, {pairing.unscored:,} unscored"
    )
    why = [
        f"in {letter}: {reasons(found)}"
        for letter, found in (("A", pairing.unscored_a), ("B", pairing.unscored_b))
        if found
    ]
    return f"{said} ({'; '.join(why)})" if why else said


def _group(found: Difference) -> list[str | None]:
    labels = {"task": kind_label, "lang": language_label}
    name = "all" if found.by == "all" else labels.get(found.by, str)(found.name)
    means = [number(found.a, DIGITS), number(found.b, DIGITS), signed(found.difference, DIGITS)]
    certainty = [span(found.low, found.high), p_value(found.p), p_value(found.p_adjusted), found.test]
    return [name, f"{found.n:,}", *means, *certainty, f"{found.n_worse:,}", f"{found.n_better:,}"]


def _flip(flip: Flip) -> list[str | None]:
    return [flip.task_id, flip.condition, flip.task, flip.lang, number(flip.a), number(flip.b), flip.why]
