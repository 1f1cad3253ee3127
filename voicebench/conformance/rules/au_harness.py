"""AU-Harness's comparison of spoken BFCL calls, re-implemented from a description of it; not its code.

Described, and done here:

- A parameter that gold does not have fails. Only the schema's *required* parameters are compared, so a wrong
  value of an optional one passes.
- Values are put in a standard form, recursively, before they are compared.
- A scalar is never compared with the scalars that gold accepts: `base=999` passes where gold is 10.
- A schema without `required` breaks it.

Assumed, because the description does not say: the standard form is lower case without blanks at the ends; as
many calls as gold; each gold call takes the first free call that fits; lists and objects are right if they
equal one of the accepted values.

Not covered: its own reading of answers, and how it rewrites schemas for a model.
"""

from collections.abc import Sequence
from typing import Any

from voicebench.conformance.rules.common import CannotJudge, each_takes_the_first, tool_of
from voicebench.types import Expect, GoldCall, Tool, ToolCall


def au_harness(expected: Expect, calls: Sequence[ToolCall], tools: Sequence[Tool]) -> bool:
    """Tell whether the calls are right by the described comparison.

    Raises:
        CannotJudge: A called tool's schema does not say which parameters are required.
    """
    return each_takes_the_first(expected, calls, lambda gold, call: _is_right(gold, call, tools))


def _is_right(gold: GoldCall, call: ToolCall, tools: Sequence[Tool]) -> bool:
    if call.name != gold.name:
        return False
    schema = tool_of(gold.name, tools).parameters
    if "required" not in schema:
        raise CannotJudge("the rule needs 'required' in a schema")
    if not call.arguments.keys() <= gold.arguments.keys():
        return False
    return all(
        name in call.arguments and _value_is_right(call.arguments[name], gold.arguments.get(name, ()))
        for name in schema["required"]
    )


def _value_is_right(value: Any, variants: Sequence[Any]) -> bool:
    if not isinstance(value, list | dict):
        return True
    return _standard(value) in [_standard(variant) for variant in variants]


def _standard(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip().lower()
    if isinstance(value, list):
        return [_standard(item) for item in value]
    if isinstance(value, dict):
        return {key: _standard(item) for key, item in value.items()}
    return value
