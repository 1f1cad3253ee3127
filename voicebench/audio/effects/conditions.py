"""From what the command line says (`--effect`, `--ladder`) to the names of conditions."""

import itertools
import re
from collections.abc import Sequence

from voicebench.audio.effects.chain import effect_named, parse
from voicebench.errors import UserError

_CONTINUES = re.compile(r"\s*[\w-]+=")


def conditions(effects: Sequence[str], ladders: Sequence[str] = ()) -> list[str]:
    """Return the names of conditions, each once, in their short form.

    Args:
        effects: Values of `--effect`. Each names one effect or, by commas, several to choose from; the values
            are the links of one chain, and every choice of one from each becomes a condition:
            `["noise-10dB,noise-0dB", "phone"]` → noise-10dB+telephony and noise-0dB+telephony.
        ladders: Values of `--ladder`, `EFFECT=VALUE,…`; each value of the effect's first parameter becomes a
            condition beside those.

    Raises:
        UserError: An effect or a value is unknown.
    """
    chains = itertools.product(*(alternatives(effect) for effect in effects)) if effects else ()
    names = [parse("+".join(chain)).name for chain in chains]
    names += [name for ladder in ladders for name in rungs(ladder)]
    return list(dict.fromkeys(names))


def alternatives(text: str) -> list[str]:
    """Return the effects that commas separate.

    A comma goes on with the parameters of `noise:snr=5,colour=pink` where `key=` follows it.

    Raises:
        UserError: None is named.
    """
    found: list[str] = []
    for piece in text.split(","):
        if found and ":" in found[-1] and _CONTINUES.match(piece):
            found[-1] += f",{piece}"
        elif piece.strip():
            found.append(piece.strip())
    if not found:
        raise UserError("--effect names no effect. Example: --effect noise-10dB")
    return found


def rungs(text: str) -> list[str]:
    """Return the conditions of a ladder: `noise=20,10,0` → noise-20dB, noise-10dB, noise-0dB.

    Raises:
        UserError: It is no ladder, or a value is not allowed.
    """
    head, _, steps = text.rpartition("=")
    values = [step.strip() for step in steps.split(",") if step.strip()]
    if not head or not values:
        raise UserError(f"--ladder {text!r} is no ladder. Write EFFECT=VALUE,VALUE, such as noise=20,10,5,0")
    if "+" in head:
        raise UserError(f"--ladder {text!r}: a ladder has one effect. For chains, repeat --effect")
    bare = f"{head}{',' if ':' in head else ':'}{effect_named(head).first.name}="
    return [parse(f"{bare}{value}").name for value in values]
