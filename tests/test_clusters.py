"""Where actors run: what options mean, and what a machine without a cluster is told."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from voicebench import clusters
from voicebench.clusters import Cluster, actor_count, connect, device_there, gpus_each, placed
from voicebench.errors import UserError


class Ray:
    """Ray, as far as it says what a cluster has."""

    def __init__(self, **resources: float) -> None:
        self._resources = resources

    def cluster_resources(self) -> Mapping[str, float]:
        return self._resources


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> Ray:
    ray = Ray(CPU=8, GPU=2)
    monkeypatch.setattr(clusters, "connect", lambda address: ray)
    return ray


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> Ray:
    ray = Ray(CPU=3)
    monkeypatch.setattr(clusters, "connect", lambda address: ray)
    return ray


@pytest.mark.parametrize(
    ("cluster", "resources", "actors"),
    [
        (Cluster(), {"CPU": 8.0, "GPU": 2.0}, 2),
        (Cluster(), {"CPU": 3.0}, 3),
        (Cluster(gpus=0.5), {"CPU": 8.0, "GPU": 2.0}, 4),
        (Cluster(gpus=0.0), {"CPU": 8.0, "GPU": 2.0}, 8),
        (Cluster(cpus=2.0), {"CPU": 3.0}, 1),
        (Cluster(actors=5), {"CPU": 1.0}, 5),
        (Cluster(gpus=1.0), {"CPU": 1.0}, 1),
        (Cluster(), {}, 1),
    ],
)
def test_there_are_as_many_actors_as_there_is_room_for(
    cluster: Cluster, resources: dict[str, float], actors: int
) -> None:
    assert actor_count(Ray(**resources), cluster) == actors


def test_an_actor_has_a_gpu_where_there_are_any(two_gpus: Ray, no_gpu: Ray) -> None:
    assert (gpus_each(two_gpus, Cluster()), gpus_each(no_gpu, Cluster())) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("device", "there"), [(None, "cuda:0"), ("cuda", "cuda:0"), ("cpu", "cpu")]
)  # fmt: skip
def test_a_gpu_of_the_cluster_is_the_first_that_an_actor_sees(
    two_gpus: Ray, device: str | None, there: str
) -> None:
    assert device_there(Cluster(), None, device) == there


def test_workers_on_cpus_take_no_gpu(two_gpus: Ray) -> None:
    assert placed(4, None, "cpu") == (Cluster(actors=4, gpus=0.0), "cpu")
    assert placed(None, None, None) == (Cluster(), "cuda:0")


@pytest.mark.parametrize(
    ("gpu", "device", "said"),
    [
        ("1", None, "the cluster chooses GPUs. Give --device cuda, or nothing"),
        (None, "cuda:1", "the cluster chooses GPUs"),
        (None, "cuda", "--device cuda: the Ray cluster has no GPU. On CPUs: --device cpu"),
        (None, "tpu", "--device 'tpu' is unknown. Known with --engine ray: cpu, cuda"),
    ],
)
def test_a_device_that_a_cluster_cannot_give_is_refused(
    no_gpu: Ray, gpu: str | None, device: str | None, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        device_there(Cluster(), gpu, device)
    assert device_there(Cluster(), None, None) == "cpu"


def test_without_ray_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match=r"--engine ray needs the package 'ray'. Run: pip install .*\[ray\]"):
        connect(None)


def test_a_cluster_that_cannot_be_reached_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreachable(Ray):
        def is_initialized(self) -> bool:
            return False

        def init(self, **options: Any) -> None:
            raise ConnectionError("no GCS there\nat all")

    monkeypatch.setitem(sys.modules, "ray", Unreachable())
    with pytest.raises(UserError, match=r"^no Ray cluster at head:6379 \(no GCS there\)$"):
        connect("head:6379")
