"""The tool that every domain has: give the conversation to a person."""

from voicebench.environments.state import Database
from voicebench.environments.tool import Effect, writes


@writes
def hand_over(data: Database, summary: str) -> Effect[Database]:
    """Give the conversation to a person. Only for what the policy says a person must do.

    What the summary says is not part of the state, so any wording is right.

    Args:
        data: The state.
        summary: What the user wants, in one sentence.
    """
    return Effect(data.changed(handed_over=True), {"handed_over": True})
