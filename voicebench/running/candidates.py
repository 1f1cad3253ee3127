"""Agents by name, ready to be evaluated: checked now, loaded only when one of their answers is missing."""

from collections.abc import Callable
from dataclasses import dataclass

from voicebench.agents import make_agent, needs, parse_agent
from voicebench.protocols import Agent
from voicebench.registry import require
from voicebench.types import ModelRef


@dataclass(frozen=True)
class Candidate:
    """An agent to evaluate, known without loading it.

    Attributes:
        name: Its name in the results.
        model: Its name and revisions as one reference; part of what makes a kept answer valid.
        parts: The models it is made of, for the record.
        make: Makes the agent.
        sees_gold: Whether it is a control that is shown the right answer.
    """

    name: str
    model: ModelRef
    parts: tuple[ModelRef, ...]
    make: Callable[[], Agent]
    sees_gold: bool = False


def candidate(name: str, *, device: str = "cpu", offline_first: bool = False) -> Candidate:
    """Return an agent by its name.

    Args:
        name: `ASR+LLM`, `ASR+retrieve:LLM`, or the name of an agent.
        device: "cpu" or "cuda:N"; parts that know no CUDA device stay on the CPU.
        offline_first: Take the offline packages' weights before the hub's.

    Raises:
        MissingExtraError: A package of its is not installed; the message is the install line.
        UserError: The name is unknown.
    """
    spec = parse_agent(name)
    for record in needs(spec):
        require(record)

    def make() -> Agent:
        return make_agent(spec, offline_first=offline_first, device=device)

    return Candidate(spec.name, spec.model, spec.parts, make, spec.sees_gold)
