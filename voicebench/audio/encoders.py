"""Which speaker encoder a command takes where nobody names one, and why."""

from voicebench.models import at_hand
from voicebench.registry import Record, find

PREFERRED, OFFLINE = "ecapa", "d-vector"


def default_encoder() -> tuple[Record, str]:
    """Return the encoder to take, and the reason in a few words.

    ECAPA-TDNN, where its packages are installed and its weights are on this machine; otherwise the small one
    that needs no torch. Nothing is downloaded or loaded for the answer, and no checkpoint that was trained
    for something else than telling speakers apart is ever the answer.
    """
    best = find("encoder", PREFERRED)
    if best.missing is not None:
        return find("encoder", OFFLINE), f"{PREFERRED} is not installed, extra {best.extra!r}"
    if any(at_hand(name) is None for name in best.weights):
        return (
            find("encoder", OFFLINE),
            f"{PREFERRED}'s weights are not at hand: voicebench models fetch {PREFERRED}",
        )
    return best, "its packages and weights are at hand"


def revision_at_hand(record: Record) -> str | None:
    """Return the revision that an encoder would have if it were loaded now; None where loading alone tells.

    Weights in a folder of the user's have the hash of their content as revision, whatever the record says.
    """
    found = [at_hand(name) for name in record.weights]
    own = any(local is not None and local.revision is None for local in found)
    return None if own else record.revision
