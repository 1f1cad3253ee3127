"""What a page's ratings say, as values: scores by group, agreement by axis, lines for listeners and clips."""

from typing import Literal

from voicebench.types import Row

FORMAT: Literal["voicebench-listening/1"] = "voicebench-listening/1"

By = Literal["all", "engine", "language", "language and engine", "condition", "voice", "anchor"]


class Mean(Row):
    """A mean of grades, of yes and no, or of error rates, and what it is a mean of.

    Attributes:
        n: Answers.
        missing: Answers that were asked for and not given.
        clips: Clips with an answer.
        raters: Listeners with an answer.
        mean: None where there is no answer.
        low: Of the 95 % interval; None where a single clip and a single listener leave nothing to draw.
        high: Its other end.
    """

    n: int
    missing: int
    clips: int
    raters: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


class Group(Row):
    """The scores of some clips.

    Attributes:
        by: What holds them together.
        lang: Their language; None is several.
        engine: Their engine; None is several.
        condition: Their condition; None is several.
        voice: Their voice; None is several.
        anchor: The effect that spoils them on purpose.
        clips: Clips on the page.
        asked: Ratings asked for: clips × the listeners who know their language.
        complete: Ratings with all axes.
        unplayable: Ratings that a browser made impossible; their answers count as missing.
        scores: By axis, the mean opinion score from 1 to 5.
        wrong_words: The share of ratings that say that words are wrong.
        heard_wrongly: The character error rate of what listeners wrote down before they saw the words
            (`voicebench.audio.round_trip`), nothing written being 1; None where they were not asked to.
    """

    by: By
    lang: str | None = None
    engine: str | None = None
    condition: str | None = None
    voice: str | None = None
    anchor: str | None = None
    clips: int
    asked: int
    complete: int
    unplayable: int
    scores: dict[str, Mean]
    wrong_words: Mean
    heard_wrongly: Mean | None = None


class AxisAgreement(Row):
    """How far listeners agree on one axis.

    Attributes:
        axis: The axis.
        lang: The language of the clips; None is all.
        clips: Clips that two or more graded.
        grades: Their grades.
        alpha: Krippendorff's α, ordinal.
        pairs: Pairs of listeners with two or more clips in common.
        kappa: The mean of these pairs' quadratically weighted κ; pairs whose κ is undefined are left out.
    """

    axis: str
    lang: str | None = None
    clips: int
    grades: int
    alpha: float | None = None
    pairs: int
    kappa: float | None = None


class RaterLine(Row):
    """One listener: how much they rated, and how steady they are.

    Attributes:
        name: What they call themselves.
        languages: How well they know each language.
        asked: Clips that were played to them, repeats and anchors left out.
        complete: Those that they rated on all axes.
        repeats: Pairs of grades of a clip that they heard twice, over all axes.
        repeats_same: The share of pairs that are the same.
        repeats_near: The share of pairs at most one apart.
        repeats_apart: The mean distance within a pair.
        anchors: Grades of spoilt clips whose original they graded too, over all axes.
        anchors_below: The share of these that are below the original's.
    """

    name: str
    languages: dict[str, str]
    asked: int
    complete: int
    repeats: int
    repeats_same: float | None = None
    repeats_near: float | None = None
    repeats_apart: float | None = None
    anchors: int
    anchors_below: float | None = None


class ClipLine(Row):
    """What was said of one clip: mean grades, how many found wrong words, comments, what was written down."""

    clip: str
    task_id: str
    turn: int
    condition: str
    lang: str
    engine: str
    voice: str
    spoken_text: str
    raters: int
    means: dict[str, float]
    wrong_words: int
    unplayable: int
    comments: dict[str, str]
    heard: dict[str, str]


class Listening(Row):
    """All that a page's ratings say.

    Attributes:
        page: The page's hash.
        raters: The listeners, by name.
        groups: All clips, then by engine, language, condition, voice and anchor; what does not vary once.
        agreement: By axis, over all clips and for each language.
        clips: Those that count, in the order of the page.
    """

    format: Literal["voicebench-listening/1"] = FORMAT
    page: str
    raters: tuple[RaterLine, ...]
    groups: tuple[Group, ...]
    agreement: tuple[AxisAgreement, ...]
    clips: tuple[ClipLine, ...]
