"""What a listener rates, in the words that stand on the page: four questions, five answers each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """One question about a clip.

    Attributes:
        key: Its name in files.
        label: Its name on the page and in tables.
        question: What is asked.
        help: What to judge by.
    """

    key: str
    label: str
    question: str
    help: str


AXES: tuple[Axis, ...] = (
    Axis(
        "naturalness", "Naturalness", "Does it sound like a person?",
        "The voice as a whole: a person speaking, or a machine.",
    ),
    Axis(
        "prosody", "Prosody", "Are melody, stress and pauses right?",
        "As a native speaker would say this sentence in this situation.",
    ),
    Axis(
        "pronunciation", "Pronunciation", "Are the sounds of the words right?",
        "Each word, as it is spoken in this language, names and foreign words too.",
    ),
    Axis(
        "clarity", "Clarity", "Is it easy to understand?",
        "Without effort and at once, as if you had not seen the words.",
    ),
)  # fmt: skip
AXIS_KEYS: tuple[str, ...] = tuple(axis.key for axis in AXES)

GRADES: tuple[str, ...] = ("Bad", "Poor", "Fair", "Good", "Excellent")
"""The words for 1 to 5: the scale of absolute category rating, ITU-T P.800 (1996), annex B."""

LEVELS: dict[str, str] = {
    "native": "My first language",
    "fluent": "Fluent",
    "learner": "I am learning it",
    "none": "I do not speak it",
}
"""How well a listener knows a language; clips in a language of `none` are not played to them."""
