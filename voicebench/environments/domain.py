"""A domain: its data, tools, policy and tasks, read from a folder.

A folder holds `db.json`, `policy.md`, `tasks.jsonl`, and, where it is a team's own, `tools.py`. The tools of
a shipped domain are a module of the package. Either defines `DATA`, `TOOLS` and, where the user has tools of
their own, `USER_TOOLS`.
"""

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, ModuleType

from pydantic import ValidationError

from voicebench.environments.contract import LiveTask
from voicebench.environments.environment import Environment, replay
from voicebench.environments.hand_over import hand_over
from voicebench.environments.state import Database, patched
from voicebench.environments.tool import BoundTool, ToolFunction, bind
from voicebench.errors import UserError, did_you_mean, first_line
from voicebench.files import read_rows, sha256_bytes
from voicebench.shipped import data_folder

_SHIPPED = MappingProxyType(
    {
        "cab": "voicebench.environments.cab.tools",
        "food": "voicebench.environments.food.tools",
        "payment": "voicebench.environments.payment.tools",
    }
)


@dataclass(frozen=True)
class Domain:
    """One domain, which makes any number of environments.

    Attributes:
        name: What its tools' names start with.
        data: The state that each task starts from.
        policy: What the agent must follow, Markdown.
        tasks: The tasks, in the order of their file.
        functions: The agent's tools.
        user_functions: The tools of the user's own device.
    """

    name: str
    data: Database
    policy: str
    tasks: tuple[LiveTask, ...]
    functions: tuple[ToolFunction, ...]
    user_functions: tuple[ToolFunction, ...] = ()

    @cached_property
    def tools(self) -> Mapping[str, BoundTool]:
        """The agent's tools by name; the last one hands the conversation over, in every domain."""
        return bind(self.functions, self.name) | bind((hand_over,), "desk")

    @cached_property
    def user_tools(self) -> Mapping[str, BoundTool]:
        """The user's tools by name."""
        return bind(self.user_functions, "phone")

    def task(self, task_id: str) -> LiveTask:
        """Return a task.

        Raises:
            UserError: There is none of that id.
        """
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise UserError(
            f"{self.name}: no task {task_id!r}.{did_you_mean(task_id, (t.id for t in self.tasks))}"
        )

    def environment(self, task: LiveTask | None = None) -> Environment:
        """Return a fresh environment, in the state in which a task begins.

        Raises:
            UserError: The task's initial state does not fit the domain.
        """
        if task is None:
            return Environment(self.data, self.tools, self.user_tools, self.policy)
        where = f"{self.name}: {task.id}: initial"
        data = patched(self.data, task.initial.changes, where) if task.initial.changes else self.data
        offered = self.user_tools if task.user_tools is None else _chosen(self.user_tools, task, where)
        if task.initial.calls:
            replayed = Environment(data, self.tools, self.user_tools)
            replay(replayed, task.initial.calls, where)
            data = replayed.data
        return Environment(data, self.tools, offered, self.policy)


def load_domain(source: str | Path) -> Domain:
    """Read a domain: a shipped one by its name, or a folder.

    Raises:
        UserError: There is no such domain, or one of its files is missing or wrong.
    """
    if isinstance(source, str) and source in _SHIPPED:
        folder = data_folder() / "environments" / source
        return _read(folder, source, importlib.import_module(_SHIPPED[source]))
    folder = Path(source)
    if not folder.is_dir():
        raise UserError(f"{source}: no such environment.{did_you_mean(str(source), _SHIPPED)}")
    return _read(folder, folder.resolve().name, _module_from(folder / "tools.py"))


def _read(folder: Path, name: str, module: ModuleType) -> Domain:
    model = getattr(module, "DATA", None)
    functions = tuple(getattr(module, "TOOLS", ()))
    if not (isinstance(model, type) and issubclass(model, Database)):
        raise UserError(f"{folder / 'tools.py'}: it must define DATA, a subclass of Database")
    if not functions or not all(isinstance(function, ToolFunction) for function in functions):
        raise UserError(f"{folder / 'tools.py'}: it must define TOOLS, functions marked @reads or @writes")
    tasks = tuple(read_rows(folder / "tasks.jsonl", LiveTask))
    if len({task.id for task in tasks}) < len(tasks):
        raise UserError(f"{folder / 'tasks.jsonl'}: two tasks have the same id")
    return Domain(
        name=name,
        data=_data(folder / "db.json", model),
        policy=_text(folder / "policy.md"),
        tasks=tasks,
        functions=functions,
        user_functions=tuple(getattr(module, "USER_TOOLS", ())),
    )


def _chosen(tools: Mapping[str, BoundTool], task: LiveTask, where: str) -> dict[str, BoundTool]:
    for name in task.user_tools or ():
        if name not in tools:
            raise UserError(f"{where}: the user has no tool {name!r}.{did_you_mean(name, tools)}")
    return {name: tool for name, tool in tools.items() if name in (task.user_tools or ())}


def _data(path: Path, model: type[Database]) -> Database:
    try:
        return model.model_validate_json(_text(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"{path}: {where}: {first['msg']}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({first_line(error)})") from None


def _module_from(path: Path) -> ModuleType:
    """Run a team's own tools.py as a module whose name is that of no other file."""
    name = f"voicebench_environment_{sha256_bytes(str(path.resolve()).encode())[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UserError(f"{path}: no such file")
    module = importlib.util.module_from_spec(spec)
    # Types that are written as text are looked up here.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
