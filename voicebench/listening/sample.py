"""Draw the clips that are listened to: evenly over engines, conditions and voices, by seed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from voicebench.listening.clips import Clip

Trait = Callable[[Clip], str]


def by_engine(clip: Clip) -> str:
    """Return a clip's engine."""
    return clip.engine


def by_condition(clip: Clip) -> str:
    """Return a clip's condition."""
    return clip.row.condition


def by_voice(clip: Clip) -> str:
    """Return a clip's voice."""
    return clip.voice


def draw(clips: Iterable[Clip], n: int, *, per_engine: bool, seed: int) -> list[Clip]:
    """Draw `n` clips of each language, or of each engine in each language.

    Within a language the number is split as evenly as the clips allow over the engines, within an engine over
    the conditions, within these over the voices; what cannot be split goes by seed. Among the clips of one
    voice it is by seed and turn alone, so that engines tend to be heard with the same sentences.

    Args:
        clips: To draw from.
        n: How many; where there are fewer, all.
        per_engine: Whether `n` counts for each engine.
        seed: The same seed draws the same clips, whatever their order.

    Returns:
        The clips by language, in no other order.
    """
    drawn: list[Clip] = []
    for group in grouped(clips, lambda clip: clip.row.lang).values():
        parts = list(grouped(group, by_engine).values()) if per_engine else [group]
        for part in parts:
            drawn += _evenly(part, n, (by_engine, by_condition, by_voice), seed)
    return drawn


def one_a_sentence(clips: Iterable[Clip], seed: int) -> list[Clip]:
    """Return one clip of each sentence, those of engines, conditions and voices in turn.

    Who writes down what they hear must not have heard, or read, the same sentence before.

    Args:
        clips: To choose from.
        seed: The same seed chooses the same clips, whatever their order.
    """
    sentences: dict[tuple[str, str, int], list[Clip]] = defaultdict(list)
    for clip in clips:
        sentences[clip.row.lang, clip.row.task_id, clip.row.turn].append(clip)
    used: Counter[tuple[str, ...]] = Counter()
    chosen = []
    for place in sorted(sentences, key=lambda place: order_key(seed, *place)):
        clip = min(sentences[place], key=lambda clip: (*(used[t] for t in _traits(clip)), clip.row.sha256))
        used.update(_traits(clip))
        chosen.append(clip)
    return chosen


def order_key(seed: int, *parts: object) -> str:
    """Return a text whose order is random, and fixed by the seed and what it stands for."""
    text = "\n".join(str(part) for part in (seed, *parts))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def grouped(clips: Iterable[Clip], trait: Trait) -> dict[str, list[Clip]]:
    """Return clips by a trait, its values in order."""
    groups: dict[str, list[Clip]] = defaultdict(list)
    for clip in clips:
        groups[trait(clip)].append(clip)
    return {name: groups[name] for name in sorted(groups)}


def even_shares(sizes: Mapping[str, int], n: int, seed: int) -> dict[str, int]:
    """Return how many of `n` each group gives: as even as their sizes allow, remainders by seed."""
    shares = dict.fromkeys(sizes, 0)
    left = min(n, sum(sizes.values()))
    turns = sorted(sizes, key=lambda name: order_key(seed, name))
    while left:
        open_ = [name for name in turns if shares[name] < sizes[name]]
        each = max(1, min(left // len(open_), min(sizes[name] - shares[name] for name in open_)))
        for name in open_[:left]:
            shares[name] += each
            left -= each
    return shares


def _evenly(clips: Sequence[Clip], n: int, traits: Sequence[Trait], seed: int) -> list[Clip]:
    if n >= len(clips):
        return list(clips)
    if not traits:
        return sorted(clips, key=lambda clip: _place(clip, seed))[:n]
    groups = grouped(clips, traits[0])
    shares = even_shares({name: len(group) for name, group in groups.items()}, n, seed)
    return [clip for name, group in groups.items() for clip in _evenly(group, shares[name], traits[1:], seed)]


def _traits(clip: Clip) -> list[tuple[str, ...]]:
    """Return what a clip is one more of, from the widest on: its engine, its condition there, its voice."""
    traits = (clip.row.lang, clip.engine, clip.row.condition, clip.voice)
    return [traits[:n] for n in (2, 3, 4)]


def _place(clip: Clip, seed: int) -> tuple[str, str]:
    return order_key(seed, clip.row.task_id, clip.row.turn), clip.row.sha256
