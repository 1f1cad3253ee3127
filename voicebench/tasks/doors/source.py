"""Where other people's tasks lie: a file or a folder here, or a data set of the hub at a pinned commit."""

import itertools
import logging
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from voicebench.errors import MissingExtraError, UserError, first_line
from voicebench.models import hub_answers

log = logging.getLogger(__name__)

HUB_PREFIX = "hf:"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_FOLDERS_AROUND = 5
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Source:
    """A place that tasks are read from; of a hub data set only the files that are asked for are fetched.

    Attributes:
        name: As the user wrote it.
        revision: The commit of a hub data set; what the user says of a local one, or None.
    """

    def __init__(self, name: str, revision: str | None = None) -> None:
        """Check the name.

        Raises:
            UserError: There is no such file or folder, a hub name is malformed, or its revision is no commit.
        """
        self.name, self.revision = name, revision
        self._repo = name.removeprefix(HUB_PREFIX) if name.startswith(HUB_PREFIX) else None
        self._root = Path(name)
        if self._repo is None:
            if not self._root.exists():
                raise UserError(f"{name}: no such file or folder. A data set of the hub is hf:OWNER/NAME")
            return
        if not _HUB_NAME.fullmatch(self._repo):
            raise UserError(f"{name}: a data set of the hub is hf:OWNER/NAME")
        if revision is None or not _COMMIT.fullmatch(revision):
            found = "" if revision is None else f", not {revision!r}"
            raise UserError(
                f"{name}: give --revision, the 40 hexadecimal digits of a commit{found}; a branch can change"
            )

    def files(self, *patterns: str) -> list[Path]:
        """Return the files that fit a pattern, in order of path.

        Args:
            patterns: Shell patterns of the path inside the source; `*` also fits `/`, and a pattern that
                begins with `*/` also fits at the top. A source that is one file is what they fit.

        Raises:
            UserError: The hub does not give the data set, or the folder cannot be read.
        """
        if self._repo is None and self._root.is_file():
            return [self._root]
        root = self._root if self._repo is None else self._snapshot(_also_at_top(patterns))
        found = (path for path in root.rglob("*") if path.is_file())
        wanted = _also_at_top(patterns)
        return sorted(p for p in found if any(fnmatch(p.relative_to(root).as_posix(), w) for w in wanted))

    def file(self, inside: str, *, near: Path | None = None) -> Path:
        """Return one file by its path inside the source.

        Args:
            inside: The path, relative to the top of the data set.
            near: A file of the source that names it: where only a part of a data set lies here, the path is
                looked for from each folder around that file.

        Raises:
            UserError: It is not there, or lies outside.
        """
        if Path(inside).is_absolute() or ".." in Path(inside).parts:
            raise UserError(f"{self.name}: the path {inside!r} leads out of the data set")
        if self._repo is not None:
            return self._fetched(inside)
        root = self._root.parent if self._root.is_file() else self._root
        around = near.parents if near is not None else ()
        for folder in (root, *itertools.islice(around, _FOLDERS_AROUND)):
            if (folder / inside).is_file():
                return folder / inside
        raise UserError(f"{root / inside}: no such file")

    def where(self, path: Path) -> str:
        """Return what to call a file of the source."""
        if self._repo is None:
            return str(path)
        parts = path.parts
        inside = parts[parts.index("snapshots") + 2 :] if "snapshots" in parts else parts[-1:]
        return f"{self.name}/{'/'.join(inside)}"

    def _snapshot(self, patterns: Iterable[str]) -> Path:
        hub = _hub()
        for local in (True, False):
            if not local and not hub_answers():
                raise _unreachable(self.name)
            try:
                folder = hub.snapshot_download(  # type: ignore[attr-defined]
                    self._repo, repo_type="dataset", revision=self.revision, allow_patterns=list(patterns),
                    local_files_only=local, etag_timeout=5,
                )  # fmt: skip
            # The hub's client raises its own, the HTTP library's and plain OS errors.
            except Exception as error:
                if not local:
                    raise UserError(f"{self.name}: the hub did not give it ({first_line(error)})") from None
                continue
            if not local:
                return Path(folder)
            if not hub_answers():
                log.warning("%s: the hub cannot be reached; what was fetched before is read", self.name)
                return Path(folder)
        raise AssertionError("the second round returns or raises")

    def _fetched(self, inside: str) -> Path:
        hub = _hub()
        offline = not hub_answers()
        try:
            return Path(
                hub.hf_hub_download(  # type: ignore[attr-defined]
                    self._repo, inside, repo_type="dataset", revision=self.revision, local_files_only=offline
                )
            )
        except Exception as error:
            raise UserError(f"{self.name}/{inside}: the hub did not give it ({first_line(error)})") from None


def _also_at_top(patterns: Iterable[str]) -> list[str]:
    return [p for pattern in patterns for p in {pattern, pattern.removeprefix("*/")}]


def _hub() -> object:
    try:
        import huggingface_hub
    except ImportError:
        raise MissingExtraError("huggingface_hub", "tasks", "huggingface_hub") from None
    hub: object = huggingface_hub
    return hub


def _unreachable(name: str) -> UserError:
    return UserError(
        f"{name}: the hub cannot be reached. Check the network, or give a folder that holds the data set"
    )
