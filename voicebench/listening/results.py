"""What ratings say: mean opinion scores with intervals, wrong words, agreement, how steady listeners are."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from voicebench.audio.round_trip import character_error_rate
from voicebench.listening.agreement import krippendorff_alpha, weighted_kappa
from voicebench.listening.axes import AXIS_KEYS
from voicebench.listening.key import Key, KeyClip
from voicebench.listening.ratings import Rating, Sheet
from voicebench.listening.shape import AxisAgreement, By, ClipLine, Group, Listening, Mean, RaterLine
from voicebench.scoring.statistics import Interval, clustered_mean, wilson


@dataclass(frozen=True)
class _Judged:
    """A clip that a listener was asked about, and what they said; None for nothing."""

    rater: str
    clip: KeyClip
    rating: Rating | None

    def grade(self, axis: str) -> int | None:
        return None if self.rating is None or self.rating.unplayable else self.rating.grade(axis)

    @property
    def wrong_words(self) -> bool | None:
        return None if self.rating is None or self.rating.unplayable else self.rating.wrong_words

    @property
    def heard_wrongly(self) -> float | None:
        """The character error rate of what was written down."""
        if self.rating is None or self.rating.unplayable or self.rating.heard is None:
            return None
        return character_error_rate(self.clip.spoken_text, self.rating.heard, self.clip.lang)

    @property
    def complete(self) -> bool:
        return all(self.grade(axis) is not None for axis in AXIS_KEYS)


Part = tuple[By, dict[str, str]]


def summarise(key: Key, sheets: Sequence[Sheet], *, seed: int = 0) -> Listening:
    """Return what ratings say.

    A grade that was not given is counted as missing, never filled in. Repeats and anchors count for no
    engine.

    Args:
        key: The page's key.
        sheets: The listeners' ratings (`voicebench.listening.ratings.read_ratings`).
        seed: Of the resamples behind the intervals.
    """
    judged = [
        _Judged(sheet.rater.name, clip, sheet.ratings.get(clip.id))
        for sheet in sheets
        for clip in key.clips
        if clip.lang in sheet.langs
    ]
    counting = [one for one in judged if one.clip.counts]
    return Listening(
        page=key.page,
        raters=tuple(_rater(sheet, key) for sheet in sheets),
        groups=tuple(_groups(key, judged, seed)),
        agreement=tuple(_agreements(counting)),
        clips=tuple(_clip(clip, counting) for clip in key.clips if clip.counts),
    )


# ---- Scores ----


def _groups(key: Key, judged: Sequence[_Judged], seed: int) -> Iterable[Group]:
    own = [clip for clip in key.clips if clip.counts]
    anchors = [clip for clip in key.clips if clip.anchor is not None]
    for clips, parts in ((own, _parts(own)), (anchors, _anchor_parts(anchors))):
        for by, traits in parts:
            inside = {clip.id for clip in clips if _has(clip, traits)}
            part = [one for one in judged if one.clip.id in inside]
            yield _group(by, traits, len(inside), part, key.write_down, seed)


def _parts(clips: Sequence[KeyClip]) -> list[Part]:
    """Return the groups of clips; a trait that all share makes none."""
    parts: list[Part] = [("all", {})]
    ways: list[tuple[By, tuple[str, ...]]] = [
        ("engine", ("engine",)),
        ("language", ("lang",)),
        ("language and engine", ("lang", "engine")),
        ("condition", ("engine", "condition")),
        ("voice", ("engine", "voice")),
    ]
    for by, names in ways:
        varies = [len({getattr(clip, name) for clip in clips}) > 1 for name in names]
        # Engines beside their conditions and voices only say whose these are; languages must differ, too.
        if by == "engine" or (all(varies) if by == "language and engine" else varies[-1]):
            parts += [(by, dict(zip(names, values, strict=True))) for values in _values(clips, names)]
    return parts


def _anchor_parts(clips: Sequence[KeyClip]) -> list[Part]:
    return [("anchor", {"anchor": str(anchor)}) for (anchor,) in _values(clips, ("anchor",))]


def _values(clips: Sequence[KeyClip], names: Sequence[str]) -> list[tuple[str, ...]]:
    return sorted({tuple(getattr(clip, name) for name in names) for clip in clips})


def _has(clip: KeyClip, traits: Mapping[str, str]) -> bool:
    return all(getattr(clip, name) == value for name, value in traits.items())


def _group(
    by: By, traits: Mapping[str, str], n_clips: int, judged: Sequence[_Judged], written: bool, seed: int
) -> Group:
    return Group(
        by=by,
        lang=traits.get("lang"),
        engine=traits.get("engine"),
        condition=traits.get("condition"),
        voice=traits.get("voice"),
        anchor=traits.get("anchor"),
        clips=n_clips,
        asked=len(judged),
        complete=sum(one.complete for one in judged),
        unplayable=sum(one.rating is not None and one.rating.unplayable for one in judged),
        scores={axis: _mean(judged, partial(_Judged.grade, axis=axis), seed) for axis in AXIS_KEYS},
        wrong_words=_mean(judged, lambda one: one.wrong_words, seed, of_shares=True),
        heard_wrongly=_mean(judged, lambda one: one.heard_wrongly, seed) if written else None,
    )


def _mean(
    judged: Sequence[_Judged],
    value: Callable[[_Judged], float | None],
    seed: int,
    *,
    of_shares: bool = False,
) -> Mean:
    said = [(one, float(found)) for one in judged if (found := value(one)) is not None]
    values = [found for _, found in said]
    raters, clips = [one.rater for one, _ in said], [one.clip.id for one, _ in said]
    interval = _interval(values, raters, clips, seed, of_shares)
    return Mean(
        n=len(values),
        missing=len(judged) - len(values),
        clips=len(set(clips)),
        raters=len(set(raters)),
        mean=sum(values) / len(values) if values else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _interval(
    values: Sequence[float], raters: Sequence[str], clips: Sequence[str], seed: int, of_shares: bool
) -> Interval | None:
    """Return the interval of a mean over clips crossed with listeners; None for one clip of one listener."""
    clusters = [len(set(way)) for way in (raters, clips) if len(set(way)) > 1]
    if of_shares and clusters and len(set(values)) == 1:
        # No resample can vary what everybody said; it is worth as much as there are clusters.
        return wilson(int(values[0]) * min(clusters), min(clusters))
    return clustered_mean(values, raters, seed=seed, crossed=clips)


# ---- Agreement ----


def _agreements(judged: Sequence[_Judged]) -> Iterable[AxisAgreement]:
    langs = sorted({one.clip.lang for one in judged})
    for lang in [None, *langs] if len(langs) > 1 else [None]:
        part = [one for one in judged if lang in (None, one.clip.lang)]
        for axis in AXIS_KEYS:
            yield _agreement(axis, lang, part)


def _agreement(axis: str, lang: str | None, judged: Sequence[_Judged]) -> AxisAgreement:
    by_clip: dict[str, dict[str, int]] = defaultdict(dict)
    for one in judged:
        grade = one.grade(axis)
        if grade is not None:
            by_clip[one.clip.id][one.rater] = grade
    units = [list(grades.values()) for grades in by_clip.values() if len(grades) > 1]
    raters = sorted({one.rater for one in judged})
    common = [
        [(grades[a], grades[b]) for grades in by_clip.values() if a in grades and b in grades]
        for a, b in combinations(raters, 2)
    ]
    pairs = [pair for pair in common if len(pair) > 1]
    kappas = [kappa for pair in pairs if (kappa := weighted_kappa(pair)) is not None]
    return AxisAgreement(
        axis=axis, lang=lang, clips=len(units), grades=sum(map(len, units)), alpha=krippendorff_alpha(units),
        pairs=len(pairs), kappa=sum(kappas) / len(kappas) if kappas else None,
    )  # fmt: skip


# ---- Listeners and clips ----


def _rater(sheet: Sheet, key: Key) -> RaterLine:
    asked = [
        _Judged(sheet.rater.name, c, sheet.ratings.get(c.id)) for c in key.clips if c.lang in sheet.langs
    ]
    by_id = {one.clip.id: one for one in asked}
    own = [one for one in asked if one.clip.counts]
    repeats = [second - first for first, second in _pairs(asked, by_id, lambda clip: clip.is_repeat)]
    anchors = [spoilt - first for first, spoilt in _pairs(asked, by_id, lambda clip: clip.anchor is not None)]
    return RaterLine(
        name=sheet.rater.name,
        languages=dict(sheet.rater.languages),
        asked=len(own),
        complete=sum(one.complete for one in own),
        repeats=len(repeats),
        repeats_same=_share(difference == 0 for difference in repeats),
        repeats_near=_share(abs(difference) <= 1 for difference in repeats),
        repeats_apart=_share(abs(difference) for difference in repeats),
        anchors=len(anchors),
        anchors_below=_share(difference < 0 for difference in anchors),
    )


def _pairs(
    asked: Sequence[_Judged], by_id: Mapping[str, _Judged], wanted: Callable[[KeyClip], bool]
) -> list[tuple[int, int]]:
    """Return the grades of a clip's original and of the clip itself, wherever both are there."""
    found = []
    for one in asked:
        if one.clip.of is None or not wanted(one.clip):
            continue
        for axis in AXIS_KEYS:
            first, second = by_id[one.clip.of].grade(axis), one.grade(axis)
            if first is not None and second is not None:
                found.append((first, second))
    return found


def _share(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None


def _clip(clip: KeyClip, judged: Sequence[_Judged]) -> ClipLine:
    said = {one.rater: one for one in judged if one.clip.id == clip.id and one.rating is not None}
    ratings = {rater: one.rating for rater, one in said.items() if one.rating is not None}
    means = {
        axis: _share([grade for one in said.values() if (grade := one.grade(axis)) is not None])
        for axis in AXIS_KEYS
    }
    return ClipLine(
        clip=clip.id, task_id=clip.task_id, turn=clip.turn, condition=clip.condition, lang=clip.lang,
        engine=clip.engine, voice=clip.voice, spoken_text=clip.spoken_text, raters=len(said),
        means={axis: mean for axis, mean in means.items() if mean is not None},
        wrong_words=sum(one.wrong_words is True for one in said.values()),
        unplayable=sum(rating.unplayable for rating in ratings.values()),
        comments={rater: rating.comment for rater, rating in ratings.items() if rating.comment},
        heard={rater: rating.heard for rater, rating in ratings.items() if rating.heard is not None},
    )  # fmt: skip
