"""Ray: how to reach a cluster, how many workers it has room for, and what tells that one of them is gone."""

import logging
from dataclasses import dataclass
from typing import Any

from voicebench.errors import UserError, first_line, install_line


@dataclass(frozen=True)
class Cluster:
    """Where actors run, and how many.

    Attributes:
        address: Of the cluster, as Ray takes it; None for the one in $RAY_ADDRESS or around this process, or
            else one that is started on this machine.
        actors: How many; None for one a GPU where the cluster has any, else one a CPU.
        gpus: GPUs of each; None for one where the cluster has any.
        cpus: CPUs of each.
    """

    address: str | None = None
    actors: int | None = None
    gpus: float | None = None
    cpus: float = 1.0


def connect(address: str | None) -> Any:
    """Return Ray, connected to a cluster.

    Args:
        address: As in `Cluster`.

    Raises:
        UserError: Ray is not installed, or the cluster cannot be reached.
    """
    try:
        import ray
    except ImportError:
        raise UserError(f"--engine ray needs the package 'ray'. Run: {install_line('ray')}") from None
    if not ray.is_initialized():
        try:
            ray.init(
                address=address, log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR
            )
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            raise UserError(f"no Ray cluster at {address or 'this machine'} ({first_line(error)})") from None
    return ray


def device_there(cluster: Cluster, gpu: str | None, device: str | None) -> str:
    """Return the device of what runs on a cluster: a GPU that Ray gives an actor is the first one it sees.

    Args:
        cluster: The cluster.
        gpu: What `--gpu` said: no number, since Ray chooses.
        device: What `--device` said.

    Raises:
        UserError: A GPU is named by its number, or wanted where the cluster has none.
    """
    if gpu is not None or ":" in (device or ""):
        raise UserError("with --engine ray the cluster chooses GPUs. Give --device cuda, or nothing")
    if device not in (None, "cpu", "cuda"):
        raise UserError(f"--device {device!r} is unknown. Known with --engine ray: cpu, cuda")
    there = connect(cluster.address).cluster_resources().get("GPU", 0)
    if device == "cuda" and not there:
        raise UserError("--device cuda: the Ray cluster has no GPU. On CPUs: --device cpu")
    return "cuda:0" if there and device != "cpu" else "cpu"


def placed(workers: int | None, gpu: str | None, device: str | None) -> tuple[Cluster, str]:
    """Return the cluster that a command's options mean, and the device of its workers.

    Args:
        workers: What `--workers` said.
        gpu: What `--gpu` said.
        device: What `--device` said.

    Raises:
        UserError: As `device_there`.
    """
    there = device_there(Cluster(), gpu, device)
    return Cluster(actors=workers, gpus=0.0 if there == "cpu" else None), there


def gpus_each(ray: Any, cluster: Cluster) -> float:
    """Return how many GPUs each actor gets."""
    if cluster.gpus is not None:
        return cluster.gpus
    return 1.0 if ray.cluster_resources().get("GPU") else 0.0


def actor_count(ray: Any, cluster: Cluster) -> int:
    """Return how many actors there are to be: those asked for, or those that the cluster has room for."""
    if cluster.actors is not None:
        return cluster.actors
    there = ray.cluster_resources()
    gpus = gpus_each(ray, cluster)
    room = there.get("GPU", 0) / gpus if gpus else there.get("CPU", 1) / max(cluster.cpus, 0.01)
    return max(1, int(room))


def as_actor(ray: Any, cluster: Cluster, worker: type) -> Any:
    """Return a class as Ray starts it: one call after the other, with its share, and gone when it is gone."""
    return ray.remote(worker).options(
        num_cpus=cluster.cpus, num_gpus=gpus_each(ray, cluster), max_restarts=0, max_concurrency=1
    )


def deaths(ray: Any) -> tuple[type[Exception], ...]:
    """Return the exceptions that say: the actor, its machine or what it answered is gone."""
    errors = ray.exceptions
    return (
        errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError, errors.OutOfMemoryError,
    )  # fmt: skip
