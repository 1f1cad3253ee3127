"""Made once for each value."""

from voicebench.memo import once_each


class Value:
    def __init__(self, name: str) -> None:
        self.name = name


def test_each_value_is_made_once_and_equal_ones_apart() -> None:
    made: list[str] = []

    def make(value: Value) -> str:
        made.append(value.name)
        return value.name * 2

    twice = once_each(make)
    first, second = Value("क"), Value("क")
    assert [twice(value) for value in (first, second, first, second)] == ["कक"] * 4
    assert made == ["क", "क"]


def test_no_more_is_kept_than_was_allowed_and_no_result_is_ever_anothers() -> None:
    name = once_each(lambda value: value.name, most=3)
    for number in range(1000):
        assert name(Value(str(number))) == str(number)
