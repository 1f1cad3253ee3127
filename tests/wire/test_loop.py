"""The process's one event loop, from threads, from itself and from a forked child."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator

import pytest

from voicebench.wire import loop


async def thread_name() -> str:
    return threading.current_thread().name


def test_coroutines_of_all_threads_run_on_the_same_thread() -> None:
    names: list[str] = []
    threads = [threading.Thread(target=lambda: names.append(loop.run(thread_name()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names == ["voicebench.wire"] * 3


def test_what_a_coroutine_raises_is_raised_to_its_caller() -> None:
    async def fail() -> None:
        raise KeyError("a")

    with pytest.raises(KeyError, match="a"):
        loop.run(fail())


def test_the_loop_does_not_wait_for_itself() -> None:
    async def inner() -> None:
        loop.run(thread_name())

    async def streamed() -> None:
        async def one() -> AsyncGenerator[int, None]:
            yield 1

        next(loop.iterate(one))

    for waits in (inner, streamed):
        with pytest.raises(RuntimeError, match="cannot wait for the loop: await it"):
            loop.run(waits())


def test_connections_are_refused_on_another_loop() -> None:
    async def elsewhere() -> None:
        loop.session()

    with pytest.raises(RuntimeError, match="live on the loop of"):
        asyncio.run(elsewhere())


def test_a_stream_is_read_from_another_thread_and_its_error_is_raised_there() -> None:
    async def numbers() -> AsyncGenerator[int, None]:
        yield 1
        yield 2
        raise ValueError("three")

    found = []
    with pytest.raises(ValueError, match="three"):
        for number in loop.iterate(numbers):
            found.append(number)  # noqa: PERF402
    assert found == [1, 2]


def test_a_stream_that_is_left_early_is_closed() -> None:
    closed = threading.Event()

    async def endless() -> AsyncGenerator[int, None]:
        try:
            while True:
                yield 1
                await asyncio.sleep(0)
        finally:
            closed.set()

    items = loop.iterate(endless)
    assert next(items) == 1
    items.close()  # type: ignore[attr-defined]
    assert closed.wait(2)


def test_nothing_is_started_before_the_first_item_is_asked_for() -> None:
    started = threading.Event()

    async def one() -> AsyncGenerator[int, None]:
        started.set()
        yield 1

    items = loop.iterate(one)
    assert not started.wait(0.02)
    assert list(items) == [1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_a_loop_of_its_own_and_the_process_ends_quietly() -> None:
    code = (
        "import os, sys; from voicebench.wire import loop\n"
        "async def two(): loop.session(); return 2\n"
        "assert loop.run(two()) == 2\n"
        "child = os.fork()\n"
        "if not child: assert loop.run(two()) == 2; os._exit(7)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 7)"
    )
    warned = [sys.executable, "-W", "default", "-W", "ignore::DeprecationWarning", "-c", code]
    ran = subprocess.run(warned, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
