"""Where the data lie that come with voicebench: tasks, tools, prompts, prices, cases."""

from importlib import resources
from pathlib import Path

from voicebench.errors import UserError


def data_folder() -> Path:
    """Return the folder of the shipped data: the wheel's copy, or a checkout's `data/`.

    Raises:
        UserError: Neither is there, so the installation is incomplete.
    """
    package = Path(str(resources.files("voicebench")))
    for folder in (package / "_data", package.parent / "data"):
        if (folder / "tools").is_dir():
            return folder
    raise UserError(f"{package}: the shipped tasks and tools are missing. Install voicebench again")
