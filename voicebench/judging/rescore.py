"""A judge by name, and the rule that it completes."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

from voicebench.agents import load_llm
from voicebench.models import Progress, no_progress
from voicebench.scoring.judge import Judge
from voicebench.scoring.judgements import JudgementStore
from voicebench.scoring.names import Aliases
from voicebench.scoring.score import score
from voicebench.types import Response, Scores, Task


def load_judge(
    name: str,
    *,
    device: str = "cpu",
    store: Path | None = None,
    offline_first: bool = False,
    always: bool = False,
) -> Judge:
    """Load a language model as a judge; used with `with`, it closes its store at the end.

    Args:
        name: A language model's name (`smollm2`), or `gguf:FILE`.
        device: "cpu", "cuda" or "cuda:N".
        store: The file in which verdicts are kept and looked up; None keeps none.
        offline_first: Take offline packages of weights before the hub.
        always: Ask about every refusal in words, also where the rule is certain.

    Raises:
        MissingExtraError: Packages are not installed; the message is the install line.
        UserError: The name is unknown, the weights are not at hand, or the store cannot be used.
    """
    model = load_llm(name, device=device, offline_first=offline_first)
    return Judge(model, JudgementStore(store) if store is not None else None, always=always)


def judged(
    judge: Judge,
    *,
    aliases: Aliases | None = None,
    total: int = 0,
    progress: Progress = no_progress,
) -> Callable[[Task, Response], Scores]:
    """Return the rule that a judge completes: `score`, then the judge's figures; for `score_stream`.

    Args:
        judge: Who judges.
        aliases: The table of names; None for the shipped one.
        total: How many answers there are at most, for the progress; 0 reports none.
        progress: Told how it goes on.
    """
    number = count(1)

    def rule(task: Task, response: Response) -> Scores:
        row = judge.judge_scores(task, response, score(task, response, aliases))
        if total:
            progress("judged", next(number), total)
        return row

    return rule
