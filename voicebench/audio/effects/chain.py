"""Read the names of effects and chains of them, and put clips through them.

An effect is written in one of two forms, which one reader takes:

    noise:snr=10,colour=pink     its name, a colon, its parameters
    pink-noise-10dB              the short form, which conditions carry

In the short form the first parameter follows the name with its unit, a colour goes before it, and whatever
else differs from its default stands behind at signs: `packet-loss-5%@burst=4@conceal=silence`. A chain is
links that are joined by plus signs, in the order in which the sound meets them: `noise-10dB+telephony`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Value
from voicebench.audio.effects.recordings import fingerprint
from voicebench.audio.effects.table import EFFECTS
from voicebench.errors import UserError, did_you_mean
from voicebench.types import Audio

# A seed that every reader of JSON keeps exactly.
_SEEDS = 1 << 53


@dataclass(frozen=True)
class Link:
    """One effect with its values.

    Attributes:
        effect: The effect.
        given: The values that were written, in the order of the effect's parameters.
    """

    effect: Effect
    given: tuple[tuple[str, Value], ...]

    @cached_property
    def values(self) -> dict[str, Value]:
        """Every parameter's value, defaults included."""
        return {parameter.name: parameter.default for parameter in self.effect.parameters} | dict(self.given)

    @property
    def paths(self) -> list[str]:
        """The files and folders that are read."""
        kinds = {parameter.name: parameter.kind for parameter in self.effect.parameters}
        return [str(value) for name, value in self.given if kinds[name] == "path"]

    @property
    def name(self) -> str:
        """The short form."""
        effect, given = self.effect, dict(self.given)
        parts = [effect.name]
        more = []
        for parameter in effect.parameters:
            if parameter.name not in given:
                continue
            value = given[parameter.name]
            if parameter.name == effect.prefix:
                parts[:0] = [] if value == parameter.default else [parameter.write(value)]
            elif parameter is effect.first and parameter.kind != "path":
                parts.append(parameter.write(value))
            elif value != parameter.default:
                more.append(f"@{parameter.name}={parameter.write(value)}")
        return "-".join(parts) + "".join(more)

    def run(self, audio: Audio, seed: int, talkers: Sequence[Audio] = ()) -> tuple[Audio, Parameters]:
        """Return a clip as it sounds after this effect, and what was done, with the seed where one counts.

        Raises:
            UserError: The effect cannot be applied to this clip.
        """
        scene = Scene(np.random.default_rng(seed), tuple(talkers))
        changed, parameters = self.effect.run(audio, self.values, scene)
        seeded = {"seed": seed} if self.effect.draws else {}
        return changed, {"name": self.effect.name, **parameters, **seeded}


@dataclass(frozen=True)
class Chain:
    """Effects one after the other.

    Attributes:
        links: The effects, in the order in which the sound meets them.
    """

    links: tuple[Link, ...]

    @property
    def name(self) -> str:
        """The chain in its short form, as it stands in a condition."""
        return "+".join(link.name for link in self.links)

    @property
    def needs_talkers(self) -> bool:
        """Whether other people's clips are mixed in that no path names."""
        return any(link.effect.name == "babble" and link.values["path"] is None for link in self.links)

    def require(self) -> None:
        """Refuse a chain that cannot be applied here, before anything is spoken for it.

        Raises:
            UserError: A recording or a program is missing.
        """
        self.made_from()
        for link in self.links:
            lacking = link.effect.lacks(link.values)
            if lacking:
                raise UserError(f"effect {link.name!r}: {lacking}")

    def made_from(self) -> tuple[str, ...]:
        """Return what the result depends on beside name and seed: versions, and the files that are read.

        Raises:
            UserError: A file is missing.
        """
        versions = [f"{link.effect.name} {link.effect.version}" for link in self.links]
        paths = [path for link in self.links for path in link.paths]
        return (*versions, *(fingerprint(path) for path in paths))


def apply(
    name: str, audio: Audio, rng: np.random.Generator, *, talkers: Sequence[Audio] = ()
) -> tuple[Audio, tuple[Parameters, ...]]:
    """Return a clip as it sounds after an effect or a chain of them; same sample rate.

    Every link draws from a generator of its own, so the same noise lies in `noise-10dB`, `noise-0dB` and
    `noise-10dB+telephony` under one seed.

    Args:
        name: The effect or chain, such as "noise-10dB" or "noise-10dB+telephony".
        audio: The clip.
        rng: Where the seeds of the links come from.
        talkers: Other people's clips, for babble.

    Returns:
        The clip, and for each link its name and parameters as the manifest keeps them.

    Raises:
        UserError: There is no such effect, or it cannot be applied to this clip.
    """
    if not len(audio.samples):
        raise UserError("an effect needs a clip that is not empty")
    done = []
    for link in parse(name).links:
        audio, parameters = link.run(audio, int(rng.integers(_SEEDS)), talkers)
        done.append(parameters)
    return audio, tuple(done)


@lru_cache(maxsize=1024)
def parse(name: str) -> Chain:
    """Return the chain that a name means, in either form.

    Raises:
        UserError: There is no such effect, parameter or value; the message says what there is.
    """
    return Chain(tuple(_link(text.strip()) for text in name.split("+")))


def effect_named(text: str) -> Effect:
    """Return the effect that a name begins with: `pink-noise` → noise.

    Raises:
        UserError: There is no such effect; the message names the closest one.
    """
    return _short(text.partition(":")[0])[0]


def _link(text: str) -> Link:
    effect, written = _options(text) if ":" in text else _short(text)
    try:
        found: dict[str, Value] = {}
        for key, value in written:
            if key in found:
                raise UserError(f"{key} is given twice")
            found[key] = effect.parameter(key).read(value)
        missing = [p for p in effect.parameters if p.required and p.name not in found]
        if missing:
            needed = " and ".join(f"{parameter.name} ({parameter.allowed})" for parameter in missing)
            raise UserError(f"{effect.name} needs {needed}, such as {effect.example}")
        given = tuple((p.name, found[p.name]) for p in effect.parameters if p.name in found)
        link = Link(effect, given)
        complaint = effect.check(link.values)
        if complaint:
            raise UserError(complaint)
    except UserError as error:
        raise UserError(f"effect {text!r}: {error}") from None
    return link


def _options(text: str) -> tuple[Effect, list[tuple[str, str]]]:
    """Read `noise:snr=5,colour=pink`."""
    head, _, options = text.partition(":")
    effect, written = _short(head)
    pairs = [option.partition("=") for option in options.split(",") if option.strip()]
    return effect, written + [(key.strip(), value.strip()) for key, _, value in pairs]


def _short(text: str) -> tuple[Effect, list[tuple[str, str]]]:
    """Read `pink-noise-5dB@talkers=3`.

    Raises:
        UserError: There is no such effect.
    """
    head, *more = text.split("@")
    pairs = [pair.partition("=") for pair in more]
    written = [(key, value) for key, _, value in pairs]
    for effect, spelled, before in _spellings():
        if head == spelled:
            return effect, before + written
        value = head.removeprefix(f"{spelled}-")
        if value != head and _may_follow(effect.first, value):
            return effect, [*before, (effect.first.name, value), *written]
    known = [name for effect in EFFECTS for name in (effect.name, *effect.aliases, effect.example)]
    raise UserError(f"unknown effect {text!r}.{did_you_mean(head, known)}")


def _may_follow(parameter: Parameter, value: str) -> bool:
    """Whether a text behind an effect's name is meant as its first parameter."""
    if parameter.kind == "choice":
        return value in parameter.choices
    if parameter.kind == "path" or not value.endswith(parameter.unit):
        return False
    try:
        float(value.removesuffix(parameter.unit))
    except ValueError:
        return False
    return True


def _spellings() -> Iterator[tuple[Effect, str, list[tuple[str, str]]]]:
    """Yield each way an effect's name begins, and what that says of its parameters."""
    for effect in EFFECTS:
        for name in (effect.name, *effect.aliases):
            yield effect, name, []
            if effect.prefix:
                for choice in effect.parameter(effect.prefix).choices:
                    yield effect, f"{choice}-{name}", [(effect.prefix, choice)]
