"""Where tasks are read from: here, or a pinned commit of the hub."""

from pathlib import Path

import pytest

from voicebench.errors import UserError
from voicebench.tasks.doors import Source

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_what_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no such file or folder\. A data set of the hub is hf:OWNER/NAME"):
        Source(str(tmp_path / "gone"))


@pytest.mark.parametrize("revision", [None, "main", "v1.0", COMMIT[:12], COMMIT.upper()])
def test_a_hub_name_needs_a_whole_commit(revision: str | None) -> None:
    with pytest.raises(UserError, match="40 hexadecimal digits of a commit"):
        Source("hf:somebody/tasks", revision)


@pytest.mark.parametrize("name", ["hf:", "hf:tasks", "hf:a/b/c", "hf:../x", "hf:a/b?c"])
def test_a_hub_name_has_two_parts(name: str) -> None:
    with pytest.raises(UserError, match="hf:OWNER/NAME"):
        Source(name, COMMIT)


def test_without_a_network_the_hub_is_said_to_be_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("voicebench.tasks.doors.source.hub_answers", lambda: False)
    with pytest.raises(UserError, match=r"the hub cannot be reached\. Check the network, or give a folder"):
        Source("hf:somebody/tasks", COMMIT).files("*.json")


def test_only_what_is_asked_for_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    snapshot = tmp_path / "snapshots" / COMMIT
    (snapshot / "data").mkdir(parents=True)
    (snapshot / "data" / "a.json").write_text("[]", encoding="utf-8")
    asked = []

    def give(repo: str, **options: object) -> str:
        asked.append((repo, options["repo_type"], options["revision"], options["allow_patterns"]))
        if options["local_files_only"]:
            raise OSError("not here")
        return str(snapshot)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", give)
    monkeypatch.setattr("voicebench.tasks.doors.source.hub_answers", lambda: True)
    source = Source("hf:somebody/tasks", COMMIT)
    (found,) = source.files("data/*.json")
    assert asked[-1] == ("somebody/tasks", "dataset", COMMIT, ["data/*.json"])
    assert source.where(found) == "hf:somebody/tasks/data/a.json"


def test_files_come_in_order_of_path_and_from_the_top_too(tmp_path: Path) -> None:
    for inside in ("b/x.json", "a.json", "b/y.txt"):
        (tmp_path / inside).parent.mkdir(exist_ok=True)
        (tmp_path / inside).write_text("[]", encoding="utf-8")
    found = [path.relative_to(tmp_path).as_posix() for path in Source(str(tmp_path)).files("*/*.json")]
    assert found == ["a.json", "b/x.json"]
