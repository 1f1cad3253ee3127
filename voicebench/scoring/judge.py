"""A judge: a language model that says whether calls mean the right thing, and whether words refuse.

It stands beside the deterministic figures and never replaces one: `parameters_judge` is a figure of its own,
and a refusal is judged only where the rule is unsure. What can be told without a model is told without one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from voicebench.errors import AgentFailure, first_line
from voicebench.protocols import LanguageModel
from voicebench.scoring.answer import Answer, read_answer
from voicebench.scoring.judge_prompts import PROMPTS, parameters_chat, refusal_chat
from voicebench.scoring.judgements import Judgement, JudgementStore, key_of
from voicebench.scoring.schema import compiled_parameters, tool_named
from voicebench.scoring.verdicts import JudgeError, Verdict, read_verdict
from voicebench.types import JudgeRef, Message, Response, Scores, Task

FAILED = "judge error"
"""What the reason of a figure begins with that its judge could not give."""

WAITS_S = (1.0, 2.0, 4.0)
"""Seconds before each new try, where the transport failed."""

_TRANSPORT = frozenset({"timeout", "server", "rate_limit"})
_REFUSAL_FIGURES = ("refusal", "refusal_right")


@dataclass(frozen=True)
class Tally:
    """How a judge's figures came about: asked, found in the store, told without a judge, or not at all."""

    asked: int = 0
    kept: int = 0
    saved: int = 0
    failed: int = 0


class Judge:
    """Judges answers by a language model, at temperature 0, with the prompts of `judge_prompts`.

    As a context manager it closes its store at the end.

    Attributes:
        ref: The model and the hashes of its prompts, by figure.
        tally: How the figures so far came about.
    """

    def __init__(
        self,
        model: LanguageModel,
        store: JudgementStore | None = None,
        *,
        always: bool = False,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Make a judge of a model.

        Args:
            model: What is asked.
            store: Where verdicts are kept and looked up; None keeps none.
            always: Ask about every refusal in words, also where the rule is certain.
            wait: Waits for seconds before a new try.
        """
        prompts = {figure: prompt.sha256 for figure, prompt in PROMPTS.items()}
        self.ref = JudgeRef(name=model.model.name, revision=model.model.revision, prompts=prompts)
        self.tally = Tally()
        self._model = model
        self._store = store
        self._always = always
        self._wait = wait

    def judge_scores(self, task: Task, response: Response, scores: Scores) -> Scores:
        """Return the scores of a response with the judge's figures.

        `parameters_judge` is set where calls are expected, and `refusal` and `refusal_right` where the rule
        was unsure. A figure that the judge cannot give is None, and its reason begins with `FAILED`. Nothing
        is judged of a response that carries an error: its figures stay unscored for the same reason.

        Args:
            task: What was asked.
            response: What was answered.
            scores: What `score` made of it.

        Raises:
            UserError: A tool's schema is broken, or a verdict cannot be written to the store.
        """
        asked = {"parameters_judge": task.expect.calls is not None, "refusal": task.expect.refuse is not None}
        prompts = {figure: self.ref.prompts[figure] for figure, applies in asked.items() if applies}
        if response.error is not None:
            fault = f"{response.error.kind}: {response.error.message}"
            found: dict[str, int | str] = {"parameters_judge": fault} if asked["parameters_judge"] else {}
        else:
            answer = read_answer(task, response)
            found = self._parameters_figure(task, answer, scores) if asked["parameters_judge"] else {}
            if task.expect.refuse is not None:
                found |= self._refusal_figures(task.expect.refuse, answer, scores)
        unscored = {figure: reason for figure, reason in scores.unscored.items() if figure not in found}
        unscored |= {figure: value for figure, value in found.items() if isinstance(value, str)}
        figures = {figure: None if isinstance(value, str) else value for figure, value in found.items()}
        judge = self.ref.model_copy(update={"prompts": prompts})
        return scores.model_copy(update={**figures, "unscored": unscored, "judge": judge})

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def parameters(self, task: Task, answer: Answer) -> Verdict:
        """Ask whether an answer's calls, all together, are right for a task.

        Raises:
            JudgeError: There is no verdict.
        """
        return self._ask("parameters_judge", parameters_chat(task, answer.calls))

    def refusal(self, said: str) -> Verdict:
        """Ask whether an answer in words is a refusal.

        Raises:
            JudgeError: There is no verdict.
        """
        return self._ask("refusal", refusal_chat(said))

    def _parameters_figure(self, task: Task, answer: Answer, scores: Scores) -> dict[str, int | str]:
        """Return the figure as a number, or the reason why there is none."""
        known = certain_parameters(task, answer, scores)
        if known is not None:
            self._count(saved=1)
            return {"parameters_judge": known}
        try:
            return {"parameters_judge": int(self.parameters(task, answer).yes)}
        except JudgeError as error:
            return {"parameters_judge": f"{FAILED}: {error}"}

    def _refusal_figures(self, wanted: bool, answer: Answer, scores: Scores) -> dict[str, int | str]:
        """Return the figures that the judge changes, each as a number or the reason why there is none."""
        only_words = not answer.calls and any(char.isalnum() for char in answer.said)
        if scores.refusal is not None and not (self._always and only_words):
            self._count(saved=1)
            return {}
        try:
            refused = self.refusal(answer.said).yes
        except JudgeError as error:
            return dict.fromkeys(_REFUSAL_FIGURES, f"{FAILED}: {error}")
        return {"refusal": int(refused), "refusal_right": int(refused == wanted)}

    def _ask(self, figure: str, question: tuple[Message, ...]) -> Verdict:
        prompt_sha256 = self.ref.prompts[figure]
        held = self._model.holds_schema
        key = key_of(self._model.model, figure, prompt_sha256, question, held=held)
        known = self._store.find(key) if self._store is not None else None
        if known is not None:
            self._count(kept=1)
            return known
        try:
            # At temperature 0 an unreadable answer would come back as it was, so it is not asked for again.
            verdict = read_verdict(self._answer(figure, question), PROMPTS[figure])
        except JudgeError:
            self._count(asked=1, failed=1)
            raise
        self._count(asked=1)
        if self._store is not None:
            self._store.keep(
                Judgement(
                    key=key, figure=figure, model=self._model.model, prompt_sha256=prompt_sha256,
                    verdict=verdict.yes, reason=verdict.reason,
                )
            )  # fmt: skip
        return verdict

    def _answer(self, figure: str, question: tuple[Message, ...]) -> str:
        """Return what the model writes; where the transport fails, it is tried again."""
        prompt = PROMPTS[figure]
        schema = prompt.schema if self._model.holds_schema else None
        for wait_s in (*WAITS_S, None):
            try:
                parts = self._model.complete(
                    question, schema=schema, max_tokens=prompt.max_tokens, temperature=0.0, seed=0
                )
                return "".join(part.text for part in parts if part.kind == "content")
            except AgentFailure as error:
                if error.kind not in _TRANSPORT or wait_s is None:
                    raise JudgeError(f"{error.kind}: {first_line(error)}") from None
                self._wait(wait_s)
        raise AssertionError("the last try returns or raises")

    def _count(self, *, asked: int = 0, kept: int = 0, saved: int = 0, failed: int = 0) -> None:
        now = self.tally
        self.tally = Tally(now.asked + asked, now.kept + kept, now.saved + saved, now.failed + failed)


def certain_parameters(task: Task, answer: Answer, scores: Scores) -> int | None:
    """Return what a judge of parameters would have to say, where that is certain, or None.

    1 where the strict comparison is right. 0 where the answer has no readable call or where none is
    expected, where the tools are the wrong ones, and where a required argument is missing.

    Raises:
        UserError: A tool's schema is broken.
    """
    if scores.parameters == 1:
        return 1
    if not answer.calls or not task.expect.calls or scores.tool_selection == 0:
        return 0
    for call in answer.calls:
        tool = tool_named(call.name, task.tools)
        if tool is not None and compiled_parameters(tool).required - call.arguments.keys():
            return 0
    return None
