"""The counters of a run, by a clock that the test moves."""

from voicebench.running.watch import Snapshot, Watch
from voicebench.types import ErrorInfo, Response


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def row(*, cost: float | None = None, failed: bool = False) -> Response:
    usage = None if cost is None else {"cost_usd": cost}
    error = ErrorInfo(kind="server", message="gone") if failed else None
    text = None if failed else "ठीक"
    return Response(task_id="t", agent="a", condition="text", trial=0, text=text, usage=usage, error=error)


def test_answers_errors_and_spend_are_counted() -> None:
    watch = Watch()
    watch.begin("व्हिस्पर", 10, 20)
    for each in (row(cost=0.25), row(failed=True), row(cost=0.5)):
        watch.kept(each)
    now = watch.snapshot()
    assert (now.agent, now.done, now.total, now.failed, now.spent_usd) == ("व्हिस्पर", 13, 20, 1, 0.75)


def test_a_spend_that_nobody_knows_is_none_and_not_0() -> None:
    watch = Watch()
    watch.begin("a", 0, 1)
    watch.kept(row())
    assert watch.snapshot().spent_usd is None
    assert "spent_usd" not in watch.snapshot().as_json()


def test_requests_under_way_go_up_and_down() -> None:
    watch = Watch()
    watch.begin("a", 0, 3)
    watch.started()
    watch.started()
    watch.ended()
    assert watch.snapshot().in_flight == 1


def test_the_rate_and_the_time_that_is_left_follow_from_the_clock() -> None:
    clock = Clock()
    watch = Watch(clock=clock)
    watch.begin("a", 100, 200)
    for _ in range(20):
        clock.now_s += 0.5
        watch.kept(row())
    now = watch.snapshot()
    assert (now.rate_per_s, now.left_s) == (2.0, 40.0)


def test_the_rate_is_that_of_the_last_seconds() -> None:
    clock = Clock()
    watch = Watch(clock=clock)
    watch.begin("a", 0, 1000)
    for step_s in [10.0] * 10 + [0.1] * 300:
        clock.now_s += step_s
        watch.kept(row())
    rate = watch.snapshot().rate_per_s
    assert rate is not None and 9.5 < rate < 10.5


def test_before_the_first_answer_nothing_is_said_of_rate_and_time() -> None:
    watch = Watch()
    watch.begin("a", 5, 10)
    assert watch.snapshot() == Snapshot("a", 5, 10)


def test_listeners_hear_of_the_beginning_and_of_each_answer() -> None:
    heard: list[tuple[int, int]] = []
    watch = Watch(lambda now: heard.append((now.done, now.retries)))
    watch.begin("a", 1, 3, retries=lambda: 7)
    watch.kept(row())
    assert heard == [(1, 7), (2, 7)]


def test_the_next_agent_begins_anew() -> None:
    watch = Watch()
    watch.begin("a", 0, 2)
    watch.kept(row(failed=True, cost=1.0))
    watch.begin("b", 0, 5)
    assert watch.snapshot() == Snapshot("b", 0, 5)
