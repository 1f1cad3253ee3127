"""Numbers in text whose words stand between spaces."""

from voicebench.scoring.number_words.grammar import Piece, read_run
from voicebench.scoring.number_words.lexicon import Lexicon
from voicebench.scoring.number_words.terms import Figure, Link, Term


def with_digits(text: str, lexicon: Lexicon) -> str:
    """Return a text with the numbers among its whole words in digits."""
    return _read(lexicon.split(text), lexicon) if lexicon.may_hold_numbers(text, text.split(" ")) else text


def _read(words: list[str], lexicon: Lexicon) -> str:
    written: list[str] = []
    run: list[Piece] = []

    def end_run(after: int, *, counted: bool = False) -> list[str]:
        start = after - len(run)
        led = start > 0 and words[start - 1] in lexicon.leaders
        digits = _digits(run, whole_text=len(run) == len(words), counted=counted or led)
        run.clear()
        return digits

    for index, word in enumerate(words):
        terms = lexicon.terms(word, words[index - 1] if index else "", after_a_number=bool(run))
        if terms:
            run.append(Piece(word, terms))
        elif suffixed := lexicon.without_suffix(word):
            stem, terms = suffixed
            run.append(Piece(stem, terms))
            *before, last = end_run(index + 1, counted=True)
            written += [*before, last, word.removeprefix(stem)] if last != stem else [*before, word]
        else:
            written += end_run(index, counted=word in lexicon.counters)
            written.append(word)
    return " ".join(written + end_run(len(words)))


def _digits(run: list[Piece], *, whole_text: bool, counted: bool) -> list[str]:
    if all(_says_nothing_new(term) for piece in run for term in piece.terms):
        return [piece.text for piece in run]
    digits = read_run(run, whole_text=whole_text, counted=counted)
    return [piece.text for piece in run] if digits is None else digits


def _says_nothing_new(term: Term) -> bool:
    return isinstance(term, Figure | Link)
