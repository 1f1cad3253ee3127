"""What an answer cost: the sum over the servers that an agent asked, where all of their prices are known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from voicebench.costs import COST, Price, cost_usd
from voicebench.types import ModelRef


@dataclass(frozen=True)
class Bill:
    """The paid parts of an agent.

    Attributes:
        asr: The server that hears, as "MODEL@HOST"; None where hearing costs no money.
        llm: The server that answers, likewise.
        llm_hears: Whether the latter is sent the sound.
        prices: What servers ask.
        on: The day.
    """

    asr: str | None
    llm: str | None
    llm_hears: bool
    prices: Sequence[Price]
    on: date

    def added(self, usage: Mapping[str, Any] | None, audio_s: float) -> dict[str, Any] | None:
        """Return an answer's usage with its cost in US dollars, which is absent where it is not known.

        Args:
            usage: Counts of tokens.
            audio_s: Seconds of sound that were heard.
        """
        paid = []
        if self.asr is not None and audio_s:
            paid.append(self._cost(self.asr, {}, audio_s))
        if self.llm is not None:
            paid.append(self._cost(self.llm, usage or {}, audio_s if self.llm_hears else None))
        known = [cost for cost in paid if cost is not None]
        if not paid or len(known) < len(paid):
            return dict(usage) if usage is not None else None
        return {**(usage or {}), COST: round(sum(known), 9)}

    def _cost(self, server: str, usage: Mapping[str, Any], audio_s: float | None) -> float | None:
        model, _, host = server.rpartition("@")
        return cost_usd(model, host, usage, audio_s, self.prices, on=self.on)


def server_of(model: ModelRef) -> str | None:
    """Return the server behind a backend as "MODEL@HOST"; None for a model on this machine."""
    return model.revision if model.revision and "@" in model.revision else None
