"""tau2-bench's action match, re-implemented from a description of it; not its code.

Described, and done here:

- Every gold call must have a predicted call of the same name whose arguments match.
- Arguments are compared as raw Python values with `==`, on the names that the *predicted* call gives: an
  argument that gold has and the prediction leaves out is not missed, a call without arguments matches any
  call of its name, and an argument that gold does not have fails.
- No order, no using up: one prediction may stand for several gold calls, and further predictions are ignored.

Adapted: its gold has one value for an argument; where ours accepts several, any of them is right, and ""
("may be left out") says nothing that the rule needs.

Not covered: gold calls that name which arguments to compare (`compare_args`), and what really makes that
benchmark's reward (the state of its database, and what was said), of which action match is seldom a part.
"""

from collections.abc import Sequence

from voicebench.types import Expect, GoldCall, Tool, ToolCall


def tau2(expected: Expect, calls: Sequence[ToolCall], tools: Sequence[Tool]) -> bool:
    """Tell whether every gold call is matched by some predicted call."""
    return all(any(_matches(gold, call) for call in calls) for gold in expected.calls or ())


def _matches(gold: GoldCall, call: ToolCall) -> bool:
    return gold.name == call.name and all(
        any(value == accepted for accepted in gold.arguments.get(name, ()) if accepted != "")
        for name, value in call.arguments.items()
    )
