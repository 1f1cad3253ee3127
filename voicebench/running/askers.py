"""Who hands requests to an agent in this process: in batches, or many at once where it waits for a server."""

from typing import TypeGuard

from voicebench.protocols import Agent, ServerAgent
from voicebench.running.local import LocalAsker
from voicebench.running.server import ServerAsker


def is_server(agent: Agent) -> TypeGuard[ServerAgent]:
    """Whether an agent waits for a server, so that many requests can be under way at once."""
    return hasattr(agent, "answer")


def asker_of(agent: Agent, *, most_requests: int, at_once: int) -> LocalAsker | ServerAsker:
    """Return who hands requests to an agent.

    Args:
        agent: Made already.
        most_requests: Requests of a batch, of an agent on this machine.
        at_once: Requests under way at most, of one that waits for a server.
    """
    if is_server(agent):
        return ServerAsker(agent, at_once=at_once)
    return LocalAsker(agent, most_requests=most_requests)
