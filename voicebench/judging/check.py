"""Measure a judge, or the rule, against what people said of the same answers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from voicebench.judging.labels import Item
from voicebench.models import Progress, no_progress
from voicebench.scoring.agreement import Agreement, agreement_of
from voicebench.scoring.judge import Judge
from voicebench.scoring.refusal import refused
from voicebench.scoring.score import score
from voicebench.scoring.verdicts import JudgeError

Decide = Callable[[Item], tuple[bool | None, str]]
"""Returns yes, no or (unsure) None, and the reason. It raises JudgeError where it fails."""


@dataclass(frozen=True)
class Decision:
    """What a judge said of an item.

    Attributes:
        item: The item.
        verdict: Yes, no, or None: unsure, or failed.
        reason: The judge's reason, or the error.
        failed: Whether the judge failed.
    """

    item: Item
    verdict: bool | None
    reason: str
    failed: bool = False

    @property
    def contradicts(self) -> bool:
        """Whether judge and people are both sure and differ."""
        return None not in (self.verdict, self.item.label) and self.verdict is not self.item.label


@dataclass(frozen=True)
class Line:
    """How a judge (the first rater) agrees with people (the second) on some of the items.

    Attributes:
        name: A language, a group, or "all".
        items: How many items.
        agreement: Over those of which both are sure.
        unsure: Items that people are sure of and the judge is not.
        failed: Items on which the judge failed.
        no_label: Items that people are not sure of, or not agreed on.
        no_label_decided: Those of them that the judge is sure of.
    """

    name: str
    items: int
    agreement: Agreement
    unsure: int
    failed: int
    no_label: int
    no_label_decided: int


@dataclass(frozen=True)
class RaterPair:
    """How two raters agree on the items that both are sure of."""

    first: str
    second: str
    agreement: Agreement


def by_rule(item: Item) -> tuple[bool | None, str]:
    """Decide as scoring does without a judge: the rule for refusals, the strict comparison of parameters.

    Raises:
        UserError: A tool's schema is broken.
    """
    if item.figure == "refusal":
        return refused(item.answer.said, item.answer.calls, item.lang), ""
    if item.task is None:
        raise ValueError("calls cannot be compared without their task")
    return score(item.task, item.response).parameters == 1, ""


def by_judge(judge: Judge) -> Decide:
    """Return a decider that asks a judge about each item, also where scoring would not need to.

    Only an answer without a call has no right calls, and only words can refuse: these are not asked about.
    """

    def decide(item: Item) -> tuple[bool | None, str]:
        answer = item.answer
        if item.figure == "refusal":
            if answer.calls or not any(char.isalnum() for char in answer.said):
                return False, ""
            verdict = judge.refusal(answer.said)
        elif item.task is None or not answer.calls:
            return False, ""
        else:
            verdict = judge.parameters(item.task, answer)
        return verdict.yes, verdict.reason

    return decide


def decide_all(items: Sequence[Item], decide: Decide, *, progress: Progress = no_progress) -> list[Decision]:
    """Let a judge decide on each item; a failure becomes a decision that says so.

    Raises:
        UserError: A tool's schema is broken, or a verdict cannot be written to the judge's store.
    """
    decisions = []
    for number, item in enumerate(items, start=1):
        try:
            verdict, reason = decide(item)
            decisions.append(Decision(item, verdict, reason))
        except JudgeError as error:
            decisions.append(Decision(item, None, str(error), failed=True))
        progress("judged", number, len(items))
    return decisions


def lines(decisions: Sequence[Decision]) -> list[Line]:
    """Return the agreement for each language and each group, in the order they come, and over all."""
    langs = dict.fromkeys(decision.item.lang for decision in decisions)
    groups = dict.fromkeys(decision.item.group for decision in decisions if decision.item.group is not None)
    return [
        *(_line(lang, [each for each in decisions if each.item.lang == lang]) for lang in langs),
        *(_line(group, [each for each in decisions if each.item.group == group]) for group in groups),
        _line("all", decisions),
    ]


def rater_pairs(decisions: Sequence[Decision], judge: str) -> list[RaterPair]:
    """Return the agreement of each two raters, the judge among them; none where one person labelled all."""
    people = list(dict.fromkeys(rater for decision in decisions for rater in decision.item.labels))
    if len(people) < 2:
        return []
    said = {
        person: [decision.item.labels.get(person) for decision in decisions] for person in people
    } | {judge: [decision.verdict for decision in decisions]}  # fmt: skip
    return [
        RaterPair(first, second, agreement_of(_both_sure(zip(said[first], said[second], strict=True))))
        for first, second in combinations(said, 2)
    ]


def _line(name: str, decisions: Sequence[Decision]) -> Line:
    labelled = [each for each in decisions if each.item.label is not None]
    others = [each for each in decisions if each.item.label is None]
    return Line(
        name=name,
        items=len(decisions),
        agreement=agreement_of(_both_sure((each.verdict, each.item.label) for each in labelled)),
        unsure=sum(each.verdict is None and not each.failed for each in labelled),
        failed=sum(each.failed for each in decisions),
        no_label=len(others),
        no_label_decided=sum(each.verdict is not None for each in others),
    )


def _both_sure(pairs: Iterable[tuple[bool | None, bool | None]]) -> Iterable[tuple[bool, bool]]:
    return ((first, second) for first, second in pairs if first is not None and second is not None)
