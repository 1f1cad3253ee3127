"""A server that drops, stalls, truncates, babbles or refuses: rows with their reason, a run that ends."""

import time
from pathlib import Path

import pytest

from tests.running.commands import TASKS, Unsteady, evaluated, responses, seeds_asked
from voicebench.fakes_server import Behaviour, FakeServer


@pytest.mark.parametrize(
    ("model", "kind", "told"),
    [
        ("drops", "server", "broke off"),
        ("truncated", "server", "not a piece of a chat completion"),
        ("no-finish", "server", "broke off"),
        ("garbage", "server", "no stream of events"),
        ("no-http", "server", "no HTTP"),
        ("error-in-stream", "server", "the engine died"),
        ("error-500", "server", "answers 500"),
        ("busy&patience_s=0.05", "rate_limit", "answers 429"),
        ("stalls&timeout_s=0.3", "timeout", "0.3 s"),
        ("silent&timeout_s=0.3", "timeout", "did not answer within 0.3 s"),
        ("endless", "server", "answers more than 32 MiB"),
    ],
)
def test_a_broken_server_costs_rows_that_say_why_and_the_run_ends(
    tmp_path: Path, model: str, kind: str, told: str
) -> None:
    with FakeServer() as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#{model}", "--limit=3")
    assert ran.returncode == 0, ran.stderr
    assert "3 asked, 0 kept, 3 with an error" in ran.stdout
    assert "Traceback" not in ran.stderr
    errors = [row.error for row in responses(tmp_path / "r")]
    assert [error.kind for error in errors if error] == [kind] * 3
    assert all(error and told in error.message for error in errors), errors
    assert "0 of 3" in (tmp_path / "r" / "report.md").read_text(encoding="utf-8")


def test_what_failed_is_asked_again_and_nothing_else(tmp_path: Path) -> None:
    with Unsteady(lambda n: "drops" if n in (2, 5, 7) else "fake") as server:
        model = f"fake+{server.url}#unsteady"
        first = evaluated(tmp_path, model)
        assert f"{TASKS} asked, 0 kept, 3 with an error" in first.stdout, first.stderr
        failed = {row.seed for row in responses(tmp_path / "r") if row.error}
        server.forget()
        second = evaluated(tmp_path, model)
        assert f"3 asked, {TASKS - 3} kept, 0 with an error" in second.stdout, second.stderr
        assert set(seeds_asked(server)) == failed and len(seeds_asked(server)) == 3
    assert len(responses(tmp_path / "r")) == TASKS


def test_a_server_that_limits_the_rate_for_a_while_costs_waiting_and_no_row(tmp_path: Path) -> None:
    began_s: list[float] = []

    def for_a_second(number: int) -> str:
        began_s.append(time.monotonic())
        return "limited" if began_s[-1] - began_s[0] < 1.0 else "fake"

    limited = Behaviour("asks to wait", 429, {"retry-after-ms": "250", "Retry-After": "1"})
    with Unsteady(for_a_second, behaviours={"limited": limited}) as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#unsteady", "--json-log=-")
        sent = server.times
    assert f"{TASKS} asked, 0 kept, 0 with an error" in ran.stdout, ran.stderr
    assert f'"retries": {sent - TASKS}' in ran.stderr
    # It waited as long as it was told, knocked once each time, and not in between.
    assert TASKS < sent < TASKS + 20


def test_a_server_that_hangs_ends_the_run_in_one_line_and_what_was_not_asked_is_no_failure(
    tmp_path: Path,
) -> None:
    hangs = [True]
    with Unsteady(lambda n: "silent" if n >= 2 and hangs[0] else "fake") as server:
        words = (f"fake+{server.url}#unsteady&timeout_s=0.2", "--trials=3", "--concurrency=2")
        ran = evaluated(tmp_path, *words)
        assert ran.returncode == 1
        told = ran.stderr.strip().splitlines()[-1]
        assert "5 requests in a row failed at the server" in told and "within 0.2 s (2 attempts)" in told
        assert "The rest is not asked, and what was finished is kept." in told
        rows = responses(tmp_path / "r")
        assert [row.error is None for row in rows].count(True) == 2
        assert {row.error.kind for row in rows if row.error} == {"timeout"}
        # One that was sent before the last answer does not count to the five.
        failed = len(rows) - 2
        assert failed in (5, 6)
        hangs[0] = False
        server.forget()
        again = evaluated(tmp_path, *words)
        assert f"{TASKS * 3 - 2} asked, 2 kept, 0 with an error" in again.stdout, again.stderr
        # What failed before is asked last.
        assert {row.seed for row in rows if row.error} == set(seeds_asked(server)[-failed:])


def test_of_two_servers_one_that_hangs_costs_no_row(tmp_path: Path) -> None:
    silent = Behaviour("never answers", sent=0, end="stall")
    with FakeServer() as well, FakeServer(behaviours={"fake": silent}) as hangs:
        ran = evaluated(tmp_path, f"fake+{hangs.url},{well.url}#fake&timeout_s=1")
    assert f"{TASKS} asked, 0 kept, 0 with an error" in ran.stdout, ran.stderr


def test_a_server_that_wants_an_hour_is_not_waited_for(tmp_path: Path) -> None:
    hour = Behaviour("asks for an hour", 429, {"Retry-After": "3600"})
    with FakeServer(behaviours={"hour": hour}) as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#hour", "--limit=2")
    assert ran.returncode == 0
    [error, _] = [row.error for row in responses(tmp_path / "r")]
    assert error is not None and error.kind == "rate_limit"
    assert "it asks to wait 3600 s. Run the same command again then" in error.message


def test_a_server_that_is_not_there_is_said_in_one_line_before_anything_is_asked(tmp_path: Path) -> None:
    with FakeServer() as server:
        url = server.url
    ran = evaluated(tmp_path, f"fake+{url}#fake")
    assert ran.returncode == 2
    assert len(ran.stderr.strip().splitlines()) <= 2 and "Traceback" not in ran.stderr
    assert responses(tmp_path / "r") == []


def test_of_two_servers_one_that_breaks_in_the_middle_costs_no_row(tmp_path: Path) -> None:
    with Unsteady(lambda n: "error-500" if n else "fake") as breaks, Unsteady(lambda n: "fake") as well:
        model = f"fake+{breaks.url},{well.url}#unsteady"
        ran = evaluated(tmp_path, model)
        assert f"{TASKS} asked, 0 kept, 0 with an error" in ran.stdout, ran.stderr
        assert well.times == TASKS - 1
        other_order = evaluated(tmp_path, f"fake+{well.url},{breaks.url}#unsteady")
        assert f"0 asked, {TASKS} kept" in other_order.stdout, other_order.stderr
    assert len(responses(tmp_path / "r")) == TASKS


def test_a_run_begins_where_one_of_two_servers_is_not_there(tmp_path: Path) -> None:
    with FakeServer() as gone:
        url = gone.url
    with FakeServer() as server:
        ran = evaluated(tmp_path, f"fake+{url},{server.url}#fake")
    assert f"{TASKS} asked, 0 kept, 0 with an error" in ran.stdout, ran.stderr
    assert "nothing answers there" in ran.stderr and "1 of 2 servers are used" in ran.stderr
    [name] = {row.model.name for row in responses(tmp_path / "r")}
    assert name == "fake+openai:fake"


def test_an_answer_of_a_hundred_thousand_letters_is_a_row_like_any_other(tmp_path: Path) -> None:
    rubbish = "हि[[{(" * 20_000
    events = f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{rubbish}"}}}}]}}\n\ndata: [DONE]\n\n'
    with FakeServer(behaviours={"long": Behaviour("babbles", raw=events.encode())}) as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#long", "--limit=1")
    assert ran.returncode == 0, ran.stderr
    [row] = responses(tmp_path / "r")
    assert (row.text, row.error) == (rubbish, None)


def test_a_character_that_a_server_cuts_in_two_costs_no_row(tmp_path: Path) -> None:
    halves = (r"हि \ud83d", r"\ude00")
    events = "".join(f'data: {{"choices": [{{"delta": {{"content": "{half}"}}}}]}}\n\n' for half in halves)
    cut = Behaviour("cuts", raw=(events + "data: [DONE]\n\n").encode())
    with FakeServer(behaviours={"cut": cut}) as server:
        ran = evaluated(tmp_path, f"fake+{server.url}#cut", "--limit=1")
    assert ran.returncode == 0, ran.stderr
    [row] = responses(tmp_path / "r")
    assert (row.text, row.error) == ("हि ??", None)
