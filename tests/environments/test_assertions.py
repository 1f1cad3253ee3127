import pytest
from pydantic import ValidationError

from voicebench.environments.assertions import holds, worded
from voicebench.environments.contract import Assertion

STATE = {"rides": {"a": {"status": "booked", "n": 2.0}, "b": {"status": "booked", "n": 1}}, "list": [1]}


@pytest.mark.parametrize(
    ("assertion", "held"),
    [
        (Assertion(path="rides.a.status", equals="booked"), True),
        (Assertion(path="rides.a.n", equals=2), True),
        (Assertion(path="rides.a.n", equals="2"), False),
        (Assertion(path="rides.c"), True),
        (Assertion(path="rides.a"), False),
        (Assertion(path="rides", where={"status": "booked"}, count=2), True),
        (Assertion(path="rides", where={"status": "booked", "n": 1.0}, count=1), True),
        (Assertion(path="nothing", where={"n": 1}, count=0), True),
    ],
)
def test_a_statement_on_the_state_holds_or_not(assertion: Assertion, held: bool) -> None:
    assert holds(assertion, STATE) is held


def test_where_and_count_come_together() -> None:
    with pytest.raises(ValidationError, match="come together"):
        Assertion(path="rides", count=1)


def test_an_assertion_can_be_read() -> None:
    assert worded(Assertion(path="a.b", equals="x")) == "a.b is 'x'"
    assert worded(Assertion(path="a", where={"n": 1}, count=2)) == "2 of a have {'n': 1}"
