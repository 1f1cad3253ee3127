"""Measure the engine on a Ray cluster of one and of two nodes on this machine, with an agent that costs CPU.

Prints a JSON line: answers a second of two nodes against one (`peer` "one node"), and whether both gave, byte
for byte after sorting, what this process gives. Each node has one CPU; what connects them is not measured.

    python bench/ray_nodes.py
    python bench/ray_nodes.py --quick
"""

import argparse
import json
import os
import time
from collections.abc import Sequence

from voicebench.clusters import Cluster
from voicebench.files import to_line
from voicebench.running.local import LocalAsker
from voicebench.running.ray_engine import RayAsker
from voicebench.running.wanted import Answer, Asker, Wanted
from voicebench.types import InputTurn, ModelRef, Request, Response

ROUNDS = 40_000
"""Steps of a multiplication that no cache shortens: about ten milliseconds of one core."""


class Busy:
    """Answers with a number that takes a while to compute."""

    model = ModelRef(name="busy", revision="1")

    def respond(self, requests: Sequence[Request]) -> list[Response]:
        """Answer each request."""
        return [request.answer(text=str(self._number(request.seed))) for request in requests]

    def _number(self, seed: int) -> int:
        value = seed
        for _ in range(ROUNDS):
            value = (value * 6364136223846793005 + 1442695040888963407) % 2**64
        return value


def wanted(n: int) -> list[Wanted]:
    """Return so many requests."""
    asked = [
        Request(f"t{place:05}", "busy", "text", 0, "en", (InputTurn("user", "x"),), (), seed=place)
        for place in range(n)
    ]
    return [Wanted(0.0, lambda request=request: request) for request in asked]


def lines(asker: Asker, n: int) -> tuple[list[str], float]:
    """Ask all, and return the answers as sorted lines, and the seconds that it took."""
    found: dict[int, Answer] = {}
    started_s = time.perf_counter()
    asker.answer(wanted(n), found.__setitem__)
    took_s = time.perf_counter() - started_s
    return sorted(to_line(answer) for answer in found.values() if isinstance(answer, Response)), took_s


def on_nodes(count: int, n: int) -> tuple[list[str], float]:
    """Ask on a cluster of so many nodes; the actors are up before the clock starts."""
    import ray
    from ray.cluster_utils import Cluster as Nodes

    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(count - 1):
        nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    try:
        lines(RayAsker(Busy, Cluster(actors=count)), 8 * count)
        return lines(RayAsker(Busy, Cluster(actors=count)), n)
    finally:
        ray.shutdown()
        nodes.shutdown()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer requests")
    n = 800 if parser.parse_args().quick else 3_000
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
    here, _ = lines(LocalAsker(Busy()), n)
    one, one_s = on_nodes(1, n)
    two, two_s = on_nodes(2, n)
    result = {
        "bench": "engine", "case": "ray two nodes", "peer": "one node",
        "ours_per_s": round(n / two_s, 1), "peer_per_s": round(n / one_s, 1),
        "ratio": round(one_s / two_s, 2), "same_result": one == two == here, "goal": 1.6,
    }  # fmt: skip
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
