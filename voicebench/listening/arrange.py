"""The order of a page: shuffled by seed, with clips heard twice and spoilt clips hidden among the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from voicebench.listening.clips import Clip
from voicebench.listening.key import KeyClip
from voicebench.listening.sample import grouped, order_key

ONE_REPEAT_IN = 10
FEWEST_FOR_REPEATS = 4


@dataclass(frozen=True)
class Entry:
    """A place on the page: a clip, and the line of the key about it."""

    clip: Clip
    key: KeyClip


@dataclass(frozen=True)
class _Place:
    """A clip on its way into the order: itself, or (`of_itself` false) once more, or spoilt."""

    clip: Clip
    at: float
    of_itself: bool = True
    anchor: str | None = None


def arrange(
    clips: Sequence[Clip], *, seed: int, repeats: int | None = None, anchors: Sequence[str] = ()
) -> list[Entry]:
    """Return the entries of a page, language by language, each with an id that says nothing of its clip.

    A clip that is heard twice, and a spoilt one and its original, stand half of the language's clips apart,
    on a circle: listeners begin at different places of it, and go round.

    Args:
        clips: What is listened to.
        seed: The same seed gives the same page, whatever the clips' order.
        repeats: Clips of each language that are heard twice; None is one in ten, and none below four clips.
        anchors: Effects; for each, one clip of each language is heard spoilt by it as well.
    """
    places = [
        place
        for group in grouped(clips, lambda clip: clip.row.lang).values()
        for place in _ordered(group, seed, repeats, anchors)
    ]
    digits = max(2, len(str(len(places))))
    ids = [f"c{number:0{digits}d}" for number in range(1, len(places) + 1)]
    originals = {
        _identity(place.clip): id_ for id_, place in zip(ids, places, strict=True) if place.of_itself
    }
    return [
        Entry(place.clip, _key_clip(id_, place, originals[_identity(place.clip)]))
        for id_, place in zip(ids, places, strict=True)
    ]


def _ordered(clips: Sequence[Clip], seed: int, repeats: int | None, anchors: Sequence[str]) -> list[_Place]:
    order = sorted(clips, key=lambda clip: order_key(seed, "order", *_identity(clip)))
    n = len(order)
    if repeats is None:
        repeats = max(1, n // ONE_REPEAT_IN) if n >= FEWEST_FOR_REPEATS else 0
    picked = sorted(range(n), key=lambda i: order_key(seed, "pick", *_identity(order[i])))
    extras: list[tuple[int, str | None]] = [(i, None) for i in picked[:repeats]]
    # From the other end, so that a clip is spoilt or repeated, not both, wherever there are enough.
    extras += [(picked[-1 - k % n], anchor) for k, anchor in enumerate(anchors)]
    places = [_Place(clip, i) for i, clip in enumerate(order)]
    places += [
        _Place(order[i], (i + n / 2) % n + 0.25, of_itself=False, anchor=anchor) for i, anchor in extras
    ]
    return sorted(places, key=lambda place: place.at)


def _identity(clip: Clip) -> tuple[str, int, str, str, str]:
    row = clip.row
    return row.task_id, row.turn, row.condition, clip.engine, row.sha256


def _key_clip(id_: str, place: _Place, original: str) -> KeyClip:
    clip, row = place.clip, place.clip.row
    return KeyClip(
        id=id_, task_id=row.task_id, turn=row.turn, condition=row.condition, lang=row.lang,
        engine=clip.engine, voice=clip.voice, sha256=row.sha256, spoken_text=row.spoken_text,
        written_text=clip.written, of=None if place.of_itself else original, anchor=place.anchor,
    )  # fmt: skip
