"""How much of what the first ASR loses a second one recovers."""

from voicebench.ablation.found import Found, Place
from voicebench.ablation.layout import FIRST, GOLD, SECOND
from voicebench.ablation.shape import Recovery
from voicebench.ablation.shared import Shared
from voicebench.report.estimates import Estimate


def recoveries(found: Found) -> dict[Place, Recovery]:
    """Return the share of the loss that is recovered, for each line with tasks scored under all three.

    The share is (second − first) ÷ (gold − first). Its interval is the percentile bootstrap's: tasks are
    drawn with their three figures, a task with its translations. Where gold is not above the first ASR, or
    the loss's interval holds 0, there is no loss to recover and no share.
    """
    everything = {place: found.shared(place, (GOLD, FIRST, SECOND)) for place in found.places}
    common = {place: own for place, own in everything.items() if own.n}
    asked = [own.difference(FIRST, GOLD) for own in common.values()]
    losses = found.estimator.estimates(asked)
    return {place: _recovery(own, loss) for (place, own), loss in zip(common.items(), losses, strict=True)}


def _recovery(own: Shared, loss: Estimate) -> Recovery:
    found = Recovery(n=own.n, loss=loss.mean, loss_low=loss.low, loss_high=loss.high)
    if loss.mean <= 0 or (loss.low is not None and loss.low <= 0):
        return found
    ends = own.ratio_interval((FIRST, SECOND), (FIRST, GOLD))
    return found.model_copy(
        update={
            "share": own.difference(FIRST, SECOND).mean / loss.mean,
            "low": ends.low if ends else None,
            "high": ends.high if ends else None,
        }
    )
