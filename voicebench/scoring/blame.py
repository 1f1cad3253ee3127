"""Why an answer that was right when the request was read is wrong when it is heard, or wrong both ways.

The same task reaches the same agent twice, as text and as sound. The causes, in the order in which they are
looked for:

- **none**: right both ways. **only_heard**: wrong when read and right when heard; reported apart.
- Wrong both ways is explained by the answer to the text. **writing**: the right tools, each as often as it
  should be, with a wrong argument. **planning**: anything else (another tool, too few or too many calls, the
  wrong order, no call, an unreadable answer, a refusal or the lack of one).
- Right when read and wrong when heard. **hearing**: the words that the agent worked from lack what the
  failing argument needs. **planning**: they have it. **undecided**: it cannot be told; never guessed.

The words that the agent worked from are its own transcript. They are compared with the request as it is
written and as it was spoken:

1. They are the same words (canonical text): planning.
2. Each parameter that failed is looked up by its accepted values (`voicebench.scoring.mentions`): one that is
   in the request and not in the transcript was lost: hearing. If all of them are in the transcript: planning.
   A number is lost only where the transcript has as many numbers as the request, in digits or in words that
   can be read; else it may stand there in words that cannot.
3. What failed cannot be looked up (a wrong tool, a value that nobody says): planning where the transcript
   differs from the request in at most 5 % of its letters, hearing where it differs in half of them or more,
   else undecided. Texts in different scripts are not compared.

A missing call fails with all of its values, which may show a loss; that they are all there does not show that
the words which choose the tool are, so that step 3 decides then.

An agent without a transcript (a speech language model) is judged by the transcripts of others: if it was
right when it read what some ASR had heard, the sound held what was needed, and its own hearing is to blame.
Otherwise undecided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from voicebench.scoring.mentions import distance, mentioned, numbers
from voicebench.scoring.text import canonical_text
from voicebench.types import Reason

Cause = Literal["none", "only_heard", "hearing", "planning", "writing", "undecided"]
CAUSES: tuple[Cause, ...] = get_args(Cause)

NEARLY_THE_SAME = 0.05
"""A transcript that differs from the request in at most this share of letters has lost nothing."""
MOSTLY_LOST = 0.5
"""One that differs in this share or more has lost the request."""


@dataclass(frozen=True)
class Side:
    """What one answer was worth.

    Attributes:
        right: Whether it is right.
        reasons: Why not.
        right_tools: Whether the tools called are the right ones; None where calls are not what is scored.
    """

    right: bool
    reasons: tuple[Reason, ...] = ()
    right_tools: bool | None = None


@dataclass(frozen=True)
class Words:
    """What was said, and what the agent had of it.

    Attributes:
        said: The request's words: as written, and as spoken where that differs.
        transcript: What the agent worked from; None where it wrote nothing down.
        right_from_a_transcript: Whether the agent was right when it read what some ASR had heard of the same
            request; None where it was not asked.
        lang: The language of the request, for its number words.
    """

    said: tuple[str, ...] = ()
    transcript: str | None = None
    right_from_a_transcript: bool | None = None
    lang: str | None = None


@dataclass(frozen=True)
class Blame:
    """The cause, with what it rests on.

    Attributes:
        cause: See the module.
        why: One phrase.
        parameter: The parameter that shows it, or None.
        wanted: Its accepted values.
        got: What the answer has for it.
        by_ear: Whether the answer was right when read and wrong when heard.
    """

    cause: Cause
    why: str
    parameter: str | None = None
    wanted: tuple[Any, ...] = ()
    got: Any = None
    by_ear: bool = False


@dataclass(frozen=True)
class _Failing:
    """A parameter that failed; `by_itself` where its call was made."""

    name: str
    wanted: tuple[Any, ...]
    got: Any
    by_itself: bool


@dataclass(frozen=True)
class _Traces:
    """The parameters that failed, by what became of them between the request and the transcript."""

    lost: list[_Failing] = field(default_factory=list)
    kept: list[_Failing] = field(default_factory=list)
    untraced: list[_Failing] = field(default_factory=list)


def blame(read: Side, heard: Side, words: Words) -> Blame:
    """Return why the answer to a heard request is what it is.

    Args:
        read: The answer of the same agent to the same task as text.
        heard: The answer to what it heard.
        words: What was said, and what the agent had of it.
    """
    if read.right and heard.right:
        return Blame("none", "right both ways")
    if heard.right:
        return Blame("only_heard", "wrong when read, right when heard")
    if not read.right:
        return _wrong_both_ways(read)
    return replace(_lost_by_ear(heard, words), by_ear=True)


def _wrong_both_ways(read: Side) -> Blame:
    failing = next(_failing(read.reasons), None)
    shown = (failing.name, failing.wanted, failing.got) if failing and failing.by_itself else (None, (), None)
    beyond_arguments = any(reason.kind != "parameter" for reason in read.reasons)
    if read.right_tools and read.reasons and not beyond_arguments:
        return Blame("writing", "wrong when read, too: the right tools, a wrong argument", *shown)
    if read.right_tools is None:
        return Blame("planning", "wrong when read, too: refused or acted where it should not")
    return Blame("planning", "wrong when read, too: not the right calls")


def _lost_by_ear(heard: Side, words: Words) -> Blame:
    if words.transcript is None:
        if words.right_from_a_transcript:
            return Blame("hearing", "right from what an ASR heard, wrong by its own ear")
        if words.right_from_a_transcript is False:
            return Blame("undecided", "no transcript of its own; wrong from what an ASR heard, too")
        return Blame("undecided", "no transcript of its own, and none of an ASR's to compare with")
    written = canonical_text(words.transcript, words.lang)
    if any(written == canonical_text(said, words.lang) for said in words.said):
        return Blame("planning", "what was heard is what was said")
    traces = _traces(_failing(heard.reasons), words, words.transcript)
    if traces.lost:
        return _of("hearing", "what was heard lacks the value", traces.lost[0])
    beyond_arguments = any(reason.kind != "parameter" for reason in heard.reasons)
    if traces.kept and not traces.untraced and not beyond_arguments:
        return _of("planning", "what was heard has the value", traces.kept[0])
    apart = _apart(words, words.transcript)
    if apart is None:
        return Blame("undecided", "what was heard cannot be compared with what was said")
    if apart <= NEARLY_THE_SAME:
        return Blame(
            "planning", f"what was heard is nearly what was said ({apart:.0%} of the letters differ)"
        )
    if apart >= MOSTLY_LOST:
        return Blame("hearing", f"what was heard is not what was said ({apart:.0%} of the letters differ)")
    return Blame("undecided", f"part of what was said was lost ({apart:.0%} of the letters differ)")


def _of(cause: Cause, why: str, failing: _Failing) -> Blame:
    return Blame(cause, why, failing.name, failing.wanted, failing.got)


def _apart(words: Words, transcript: str) -> float | None:
    """Return how far the transcript is from the form of the request that it is nearest to."""
    found = [distance(text, transcript, words.lang) for text in words.said]
    return min((share for share in found if share is not None), default=None)


def _traces(failing: Iterator[_Failing], words: Words, transcript: str) -> _Traces:
    traces = _Traces()
    for parameter in failing:
        if any(mentioned(value, transcript, words.lang) for value in parameter.wanted):
            traces.kept.append(parameter)
        elif any(
            _lost(value, said, transcript, words.lang) for value in parameter.wanted for said in words.said
        ):
            traces.lost.append(parameter)
        else:
            traces.untraced.append(parameter)
    return traces


def _lost(value: Any, said: str, transcript: str, lang: str | None) -> bool:
    """Tell whether a value that the transcript lacks was said, and cannot be there in number words."""
    if not mentioned(value, said, lang):
        return False
    return numbers(str(value), lang) == 0 or numbers(transcript, lang) >= numbers(said, lang)


def _failing(reasons: Sequence[Reason]) -> Iterator[_Failing]:
    """Yield the parameters that failed: wrong ones, and all that a missing call had to give."""
    for reason in reasons:
        if reason.kind == "parameter" and reason.verdict != "ok":
            wanted = reason.gold if isinstance(reason.gold, list) else []
            yield _Failing(reason.parameter or "", _given(wanted), reason.got, True)
        elif reason.kind == "missing_call" and isinstance(reason.gold, dict):
            arguments = reason.gold.get("arguments")
            for name, wanted in arguments.items() if isinstance(arguments, dict) else ():
                if isinstance(wanted, list) and "" not in wanted:
                    yield _Failing(name, _given(wanted), None, False)


def _given(wanted: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(value for value in wanted if value != "")
