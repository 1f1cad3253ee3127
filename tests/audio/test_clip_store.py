"""Where a line reads and puts clips: files of a folder, or what is carried to and fro."""

from pathlib import Path

import numpy as np
import pytest

from tests.audio.clip_folders import clip, task
from voicebench.audio.clip_store import CarriedClips, ClipFiles
from voicebench.errors import UserError

ROW, DATA = clip(task(1, "hi"))
PLACE = (ROW.task_id, ROW.turn)


def test_files_are_written_and_read_in_the_folder(tmp_path: Path) -> None:
    files = ClipFiles(tmp_path)
    files.write(ROW.path, DATA)
    assert (tmp_path / ROW.path).read_bytes() == DATA
    assert len(files.read(ROW).samples) == ROW.sample_rate_hz // 2


def test_a_carried_clip_sounds_as_its_file(tmp_path: Path) -> None:
    files, carried = ClipFiles(tmp_path), CarriedClips()
    files.write(ROW.path, DATA)
    carried.give({PLACE: DATA})
    assert np.array_equal(carried.read(ROW).samples, files.read(ROW).samples)


def test_what_was_made_is_taken_once() -> None:
    carried = CarriedClips()
    carried.write(ROW.path, DATA)
    assert carried.take([(PLACE, (ROW,))]) == {ROW.path: DATA}
    assert carried.take([(PLACE, (ROW,))]) == {}


def test_a_clip_of_a_turn_that_is_not_finished_stays() -> None:
    carried = CarriedClips()
    carried.write(ROW.path, DATA)
    assert carried.take([]) == {}
    assert carried.take([(PLACE, (ROW,))]) == {ROW.path: DATA}


def test_a_dry_clip_is_forgotten_with_its_turn_and_missed_then() -> None:
    carried = CarriedClips()
    carried.give({PLACE: DATA})
    carried.take([(PLACE, ())])
    with pytest.raises(UserError, match=r"^clips/.*\.wav: cannot be read\. Run the same command again"):
        carried.read(ROW)
