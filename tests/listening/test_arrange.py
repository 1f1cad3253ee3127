"""The order of a page, the clips that come twice, the spoilt ones, and what ids give away."""

from voicebench.listening.arrange import Entry, arrange

from .helpers import make_clip

CLIPS = [make_clip(number, "hi", voice=f"v{number % 3}") for number in range(20)]


def distance(entries: list[Entry], entry: Entry) -> int:
    ids = [one.key.id for one in entries]
    apart = abs(ids.index(entry.key.id) - ids.index(str(entry.key.of)))
    return min(apart, len(ids) - apart)


def test_every_clip_has_one_place_and_an_id_by_place() -> None:
    entries = arrange(CLIPS, seed=0, repeats=0)
    assert [entry.key.id for entry in entries] == [f"c{n:02d}" for n in range(1, 21)]
    assert {entry.clip.row.task_id for entry in entries} == {clip.row.task_id for clip in CLIPS}
    assert all(entry.key.counts for entry in entries)


def test_the_order_is_shuffled_by_seed_alone() -> None:
    def order(clips: list[object], seed: int) -> list[str]:
        return [entry.key.task_id for entry in arrange(clips, seed=seed)]  # type: ignore[arg-type]

    assert order([*CLIPS], 1) == order([*CLIPS[::-1]], 1)
    assert order([*CLIPS], 1) != order([*CLIPS], 2)
    assert order([*CLIPS], 1) != [clip.row.task_id for clip in CLIPS]


def test_one_clip_in_ten_comes_twice_half_of_the_page_apart() -> None:
    entries = arrange(CLIPS, seed=0)
    repeats = [entry for entry in entries if entry.key.is_repeat]
    assert len(repeats) == 2
    for repeat in repeats:
        original = next(entry for entry in entries if entry.key.id == repeat.key.of)
        assert original.clip is repeat.clip
        assert original.key.counts
        assert distance(entries, repeat) >= 9


def test_an_anchor_is_another_clip_spoilt() -> None:
    entries = arrange(CLIPS, seed=0, anchors=["noise-0dB", "telephony"])
    anchors = [entry.key for entry in entries if entry.key.anchor]
    assert sorted(str(key.anchor) for key in anchors) == ["noise-0dB", "telephony"]
    repeated = {entry.key.of for entry in entries if entry.key.is_repeat}
    assert not repeated & {key.of for key in anchors}
    assert not any(key.counts or key.is_repeat for key in anchors)


def test_languages_follow_one_another_with_repeats_of_each() -> None:
    clips = [make_clip(number, lang) for lang in ("th", "ta") for number in range(5)]
    entries = arrange(clips, seed=0)
    assert [entry.key.lang for entry in entries] == ["ta"] * 6 + ["th"] * 6
    assert sum(entry.key.is_repeat for entry in entries) == 2


def test_so_few_clips_that_a_repeat_would_be_noticed_come_once() -> None:
    assert len(arrange(CLIPS[:3], seed=0)) == 3
    assert len(arrange(CLIPS[:1], seed=0, repeats=1, anchors=["noise-0dB"])) == 3
