import json
from pathlib import Path

import pytest

from tests.audio.references.helpers import recording, speech, voices
from voicebench.audio.io import read_audio
from voicebench.audio.references import store
from voicebench.audio.references.own_voices import own_voices
from voicebench.audio.references.rows import RejectedRow
from voicebench.audio.references.store import add, check_recordings, read_voices
from voicebench.errors import UserError
from voicebench.fakes_audio import FakeSynthesizer
from voicebench.files import read_rows, sha256_file


def rejected(folder: Path) -> list[tuple[str, str, str]]:
    return [(row.origin, row.kind, row.reason) for row in read_rows(folder / "rejected.jsonl", RejectedRow)]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_recording_becomes_a_voice_under_its_hash(tmp_path: Path) -> None:
    added = add(tmp_path, [recording("a.wav", speech(-1.0, 2.0, -1.0), speaker="आशा", gender="female")])
    (row,) = read_voices(tmp_path)
    assert added.voices == (row,)
    assert (row.id, row.speaker, row.lang, row.gender, row.licence, row.source, row.origin) == (
        "आशा", "आशा", "hi", "female", "CC0-1.0", "corpus", "a.wav",
    )  # fmt: skip
    assert row.path == f"recordings/{row.sha256[:16]}.wav"
    assert sha256_file(tmp_path / row.path) == row.sha256
    assert read_audio(tmp_path / row.path).duration_s == pytest.approx(row.duration_s, abs=1e-4)
    assert rejected(tmp_path) == []


def test_everything_that_is_turned_away_is_listed_with_its_reason(tmp_path: Path) -> None:
    added = add(
        tmp_path,
        [
            recording("good"),
            recording("broken", "x.wav: not readable as audio"),
            recording("quiet", speech(2.0, level=0.0001)),
            recording("free", licence=None),
            recording("from nowhere", source=None),
            recording("again", speaker="other"),
        ],
    )
    assert [row.id for row in added.voices] == ["good"]
    assert rejected(tmp_path) == [
        ("from nowhere", "source", "nobody said where it is from (--source)"),
        ("again", "duplicate", "it is the recording of voice 'good'"),
        ("broken", "unreadable", "x.wav: not readable as audio"),
        ("free", "licence", "nobody said under which licence it is (--licence)"),
        ("quiet", "silent", "nothing is louder than -60 dBFS"),
    ]


def test_the_same_command_again_changes_no_byte(tmp_path: Path) -> None:
    given = [*voices(3), recording("short", speech(0.3)), recording("x", speech(4.0), speaker="s1")]
    first = add(tmp_path, given)
    before = files(tmp_path)
    again = add(tmp_path, given)
    assert files(tmp_path) == before
    assert (len(first.new), len(again.new), again.kept) == (3, 0, 3)


def test_the_best_recording_of_a_speaker_is_kept_and_the_other_listed(tmp_path: Path) -> None:
    given = [
        recording("short", speech(2.0), speaker="a"),
        recording("long", speech(5.0), speaker="a"),
        recording("middle", speech(3.0), speaker="a"),
    ]
    for order in (given, given[::-1]):
        folder = tmp_path / order[0].origin
        add(folder, order)
        (row,) = read_voices(folder)
        assert row.origin == "long"
        assert [(origin, kind) for origin, kind, _ in rejected(folder)] == [
            ("middle", "spare"), ("short", "spare"),
        ]  # fmt: skip
        assert len(list((folder / "recordings").iterdir())) == 1


def test_every_good_recording_is_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    given = [recording(str(seconds), speech(seconds), speaker="a") for seconds in (2.0, 3.0, 4.0)]
    add(tmp_path, given, every=True)
    assert [row.id for row in read_voices(tmp_path)] == ["a", "a-2", "a-3"]
    assert len(add(tmp_path, given, every=True).new) == 0


def test_an_id_of_another_source_is_turned_away_unless_a_prefix_tells_them_apart(tmp_path: Path) -> None:
    add(tmp_path, [recording("1", speech(2.0), speaker="spk1")])
    other = [recording("1", speech(3.0, hz=200), speaker="spk1", source="others")]
    add(tmp_path, other)
    assert [(kind, reason) for _, kind, reason in rejected(tmp_path)] == [
        ("duplicate", "the id 'spk1' is a voice of corpus already. Give another one by --prefix")
    ]
    add(tmp_path, other, prefix="o-")
    assert [row.id for row in read_voices(tmp_path)] == ["o-spk1", "spk1"]
    assert rejected(tmp_path) == []


def test_an_id_has_no_blanks_commas_or_slashes_and_can_be_printed(tmp_path: Path) -> None:
    names = ["Asha K, Pune", "a/b", "f" * 128]
    add(
        tmp_path,
        [recording(str(n), speech(2.0 + n / 2), speaker=name) for n, name in enumerate(names)],
    )
    ids = sorted(row.id for row in read_voices(tmp_path))
    assert ids[1:] == ["Asha-K-Pune", "a-b"]
    assert len(ids[0]) == 12


def test_what_was_accepted_outlives_a_source_that_breaks_off(tmp_path: Path) -> None:
    def breaking():  # type: ignore[no-untyped-def]
        yield from voices(2)
        raise UserError("the hub is gone")

    with pytest.raises(UserError, match="the hub is gone"):
        add(tmp_path, breaking())
    with (tmp_path / "voices.jsonl").open("ab") as file:
        file.write(b'{"id": "torn')
    assert [row.id for row in read_voices(tmp_path)] == ["s0", "s1"]
    assert [row.id for row in add(tmp_path, voices(3)).voices] == ["s0", "s1", "s2"]


def test_a_full_disk_stops_the_command_and_is_no_rejection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise UserError(f"{path}: the disk is full")

    monkeypatch.setattr(store, "write_bytes", full)
    with pytest.raises(UserError, match="the disk is full"):
        add(tmp_path, voices(1))
    assert (tmp_path / "voices.jsonl").read_bytes() == b""
    assert (tmp_path / "rejected.jsonl").read_bytes() == b""


def test_a_recording_that_changed_or_is_gone_is_noticed(tmp_path: Path) -> None:
    add(tmp_path, voices(2))
    first, second = read_voices(tmp_path)
    check_recordings(tmp_path, [first, second])
    (tmp_path / first.path).write_bytes(b"x")
    (tmp_path / second.path).unlink()
    with pytest.raises(UserError, match="voice 's0' has changed"):
        check_recordings(tmp_path, [first])
    with pytest.raises(UserError, match="voice 's1' is gone"):
        check_recordings(tmp_path, [second])


def test_a_folder_without_voices_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Run: voicebench voices add --out"):
        read_voices(tmp_path)
    add(tmp_path, [recording("a", "broken")])
    with pytest.raises(UserError, match="holds no voice"):
        read_voices(tmp_path)


def test_a_synthesizers_own_voices_carry_its_licence(tmp_path: Path) -> None:
    add(tmp_path, own_voices(FakeSynthesizer(), "ta"))
    rows = read_voices(tmp_path)
    assert [row.id for row in rows] == ["high", "highest", "low", "middle"]
    assert {(row.source, row.licence, row.lang) for row in rows} == {("fake", "Apache-2.0", "ta")}
    assert rows[0].checks["spoken"] == "ta"


def test_rows_hold_letters_as_they_are(tmp_path: Path) -> None:
    add(tmp_path, [recording("ก.wav", speaker="สมชาย")])
    text = (tmp_path / "voices.jsonl").read_text(encoding="utf-8")
    assert '"id":"สมชาย"' in text
    assert json.loads(text)["origin"] == "ก.wav"
