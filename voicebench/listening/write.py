"""Make a page: draw the clips, order them, encode them, write the page and its key."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from voicebench.errors import UserError
from voicebench.files import write_bytes, write_text
from voicebench.listening.arrange import Entry, arrange
from voicebench.listening.clips import Clip
from voicebench.listening.key import Key, key_path, make_key, read_key, write_key
from voicebench.listening.page import page
from voicebench.listening.sample import draw, one_a_sentence
from voicebench.listening.sound import Sound, check_anchors, page_sound

log = logging.getLogger(__name__)

PAGE = "listening.html"
MOST_BYTES = 100_000_000
"""A page larger than this is slow to open on a phone and cannot be sent by mail."""


@dataclass(frozen=True)
class Wish:
    """What a page should be like.

    Attributes:
        sample: Clips of each language, or of each engine in each language.
        per_engine: Whether `sample` counts for each engine.
        seed: Of the draw, the order and the anchors' effects.
        blind: Nothing on the page says what made a clip.
        write_down: Listeners write down what they hear before they see the words; each sentence comes once.
        repeats: Clips of each language heard twice; None is one in ten.
        anchors: Effects that spoil a clip of each language on purpose.
        link: Clips as files beside the page, not inside it.
        opus: Clips smaller and lossy.
    """

    sample: int = 50
    per_engine: bool = False
    seed: int = 0
    blind: bool = True
    write_down: bool = False
    repeats: int | None = None
    anchors: tuple[str, ...] = ()
    link: bool = False
    opus: bool = False


@dataclass(frozen=True)
class Written:
    """Where a page is, and what is in it."""

    page: Path
    key_file: Path
    key: Key
    size_bytes: int


def write_page(clips: Sequence[Clip], wish: Wish, out: Path, *, fresh: bool = False) -> Written:
    """Write a page and its key.

    Args:
        clips: What there is to hear.
        wish: What the page should be like.
        out: The page's file; the key lies beside it, and so do the clips where they are linked.
        fresh: Replace another page's key.

    Raises:
        UserError: A clip is not as its manifest says, an anchor's effect is unknown, the page would be too
            large, the key of another page is there, or the disk is full.
    """
    anchors = check_anchors(list(wish.anchors))
    heard = one_a_sentence(clips, wish.seed) if wish.write_down else clips
    drawn = draw(heard, wish.sample, per_engine=wish.per_engine, seed=wish.seed)
    entries = arrange(drawn, seed=wish.seed, repeats=wish.repeats, anchors=anchors)
    clips_of_key = tuple(entry.key for entry in entries)
    key = make_key(clips_of_key, seed=wish.seed, blind=wish.blind, write_down=wish.write_down)
    if not fresh:
        _refuse_to_replace(key_path(out), key)
    sounds = _sounds(entries, wish, out)
    text = page(key, entries, sounds)
    size = len(text.encode("utf-8"))
    # The key first: a page without its key cannot be read back, a key without its page harms nobody.
    write_key(key_path(out), key)
    write_text(out, text)
    return Written(out, key_path(out), key, size)


def clips_folder(page_file: Path) -> Path:
    """Return where the clips of a page lie that does not hold them itself."""
    return page_file.with_name(f"{page_file.stem}-clips")


def _refuse_to_replace(path: Path, key: Key) -> None:
    if path.is_file() and read_key(path).page != key.page:
        raise UserError(
            f"{path}: is the key of another page, whose ratings mean nothing without it. "
            "Give another --out, or --fresh to replace it"
        )


def _sounds(entries: Sequence[Entry], wish: Wish, out: Path) -> Mapping[str, str]:
    """Return each clip's data URI, or its link after its file was written."""
    found: dict[str, str] = {}
    total = 0
    for entry in entries:
        sound = page_sound(entry, seed=wish.seed, opus=wish.opus)
        if wish.link:
            found[entry.key.id] = _linked(sound, entry.key.id, out)
            continue
        found[entry.key.id] = sound.uri
        total += len(found[entry.key.id])
        if total > MOST_BYTES:
            raise UserError(
                f"{out}: the page would hold more than {MOST_BYTES / 1e6:.0f} MB. Take a smaller --sample, "
                "one --lang, --opus (smaller clips, lossy), or --link (clips as files beside the page)"
            )
    return found


def _linked(sound: Sound, id_: str, out: Path) -> str:
    folder = clips_folder(out)
    write_bytes(folder / f"{id_}{sound.suffix}", sound.data)
    return quote(f"{folder.name}/{id_}{sound.suffix}")
