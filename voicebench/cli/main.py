"""The `voicebench` command: the list of commands, and what happens to their errors."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from voicebench import __version__
from voicebench.cli import (
    audio,
    build_audio,
    compare,
    conformance,
    console,
    demo,
    doctor,
    eval,
    gate,
    judge_check,
    latency,
    listen,
    merge,
    models,
    report,
    runs,
    schema,
    score,
    table_check,
    tasks,
    tasks_apply,
    tasks_export,
    tasks_import,
    tasks_new,
    tasks_review,
    tau2,
    transcribe,
    voices,
)
from voicebench.errors import AgentFailure, UserError, did_you_mean

FAILED = 1
USERS_MISTAKE = 2
INTERRUPTED = 130


class Commands(TyperGroup):
    """The commands; a user's mistake ends in one line, a bug keeps its traceback."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command.

        Raises:
            UserError: There is none of this name; the message names the closest one.
        """
        if args and self.get_command(ctx, args[0]) is None:
            known = self.list_commands(ctx)
            raise UserError(
                f"unknown command {args[0]!r}.{did_you_mean(args[0], known)} See: {ctx.command_path} --help"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command and turn its errors into lines and exit codes."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            console.note(f"voicebench: {error}")
            raise typer.Exit(USERS_MISTAKE) from None
        except AgentFailure as error:
            console.note(f"voicebench: {error}")
            raise typer.Exit(FAILED) from None
        except KeyboardInterrupt:
            console.note("voicebench: stopped. What is finished is kept; run the same command again to go on")
            raise typer.Exit(INTERRUPTED) from None


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
app = typer.Typer(
    name="voicebench",
    help="Benchmark spoken tool-using agents in many languages.\n\n"
    "tasks → build-audio → (transcribe) → eval → score → report. Start with: voicebench demo",
    cls=Commands,
    context_settings=SETTINGS,
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(value: bool) -> None:
    if value:
        console.say(f"voicebench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    console.show_log_lines()


GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "runs": (
        "The runs there are: list them, show what made one, remove some.",
        {"list": runs.list_runs, "show": runs.show, "prune": runs.prune},
    ),
    "models": (
        "The backends there are, and their weights.",
        {"list": models.list_models, "fetch": models.fetch},
    ),
    "tasks": (
        "Task sets: check, count, read others', write your own, review.",
        {
            "check": tasks.check,
            "stats": tasks.stats,
            "new": tasks_new.new,
            "import": tasks_import.import_,
            "export": tasks_export.export,
            "review": tasks_review.review,
            "apply": tasks_apply.apply,
        },
    ),
    "voices": (
        "Reference voices and their diversity.",
        {"add": voices.add, "embed": voices.embed, "select": voices.select, "compare": voices.compare},
    ),
    "tau2": ("Others' results of stateful environments.", {"read": tau2.read}),
    "audio": ("Look at audio files, export them.", {"probe": audio.probe, "export": audio.export}),
}


def _add_commands() -> None:
    app.command("demo")(demo.demo)
    app.command("doctor")(doctor.doctor)
    app.command("build-audio")(build_audio.build_audio)
    app.command("transcribe")(transcribe.transcribe)
    app.command("listen")(listen.listen)
    app.command("eval")(eval.evaluate)
    app.command("latency")(latency.latency)
    app.command("score")(score.score)
    app.command("report")(report.report)
    app.command("merge")(merge.merge)
    app.command("compare")(compare.compare)
    app.command("gate")(gate.gate)
    app.command("judge-check")(judge_check.judge_check)
    app.command("table-check")(table_check.table_check)
    app.command("conformance")(conformance.conformance)
    app.command("schema")(schema.schema)
    for name, (help_text, commands) in GROUPS.items():
        group = typer.Typer(
            help=help_text,
            cls=Commands,
            context_settings=SETTINGS,
            no_args_is_help=True,
            rich_markup_mode=None,
        )
        for command, function in commands.items():
            group.command(command)(function)
        app.add_typer(group, name=name)


_add_commands()


def run() -> None:
    """Run the command line of this process and exit: 0 done, 1 a check failed, 2 the user's mistake."""
    app()
