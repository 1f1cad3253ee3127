"""Three other harnesses' rules for "are these calls right?", re-implemented from a description.

None of this is their code, and what they do today may differ. Each module says which described behaviours it
holds. All get the calls that our reader finds and judge one figure, `parameters`; text that our reader cannot
read is 0 for them.
"""

from collections.abc import Mapping, Sequence

from voicebench.conformance.answers import Answer, Said, Scorer
from voicebench.conformance.rules.au_harness import au_harness
from voicebench.conformance.rules.bfcl import bfcl
from voicebench.conformance.rules.common import CannotJudge, Rule
from voicebench.conformance.rules.tau2 import tau2
from voicebench.conformance.suite import response_of
from voicebench.errors import UserError, did_you_mean
from voicebench.scoring.calls import Unreadable, check_native_calls, read_calls
from voicebench.types import ConformanceRow

RULES: Mapping[str, Rule] = {"bfcl": bfcl, "tau2": tau2, "au_harness": au_harness}


def rule_scorer(name: str) -> Scorer:
    """Return a rule as a scorer; it says nothing of cases that want no calls.

    Raises:
        UserError: There is no such rule.
    """
    if name not in RULES:
        raise UserError(f"unknown rule {name!r}.{did_you_mean(name, RULES)}")
    return lambda cases: _all(RULES[name], cases)


def _all(rule: Rule, cases: Sequence[ConformanceRow]) -> Said:
    return Said({case.id: _answer(rule, case) for case in cases})


def _answer(rule: Rule, case: ConformanceRow) -> Answer:
    if case.expect.calls is None:
        return Answer()
    response = response_of(case)
    try:
        if response.text is not None:
            calls = read_calls(response.text, case.tools)
        else:
            calls = check_native_calls(response.calls or ())
        return Answer({"parameters": int(rule(case.expect, calls, case.tools))})
    except Unreadable:
        return Answer({"parameters": 0})
    except CannotJudge as error:
        return Answer(error=str(error))
