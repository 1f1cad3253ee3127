"""What the adapters on torch share: a device that is really there, and its generators from a seed."""

from collections.abc import Iterator
from contextlib import contextmanager

from voicebench.errors import UserError


def check_device(name: str, device: str) -> None:
    """Refuse a device that is not there.

    Args:
        name: The backend, for the message.
        device: "cpu", "cuda" or "cuda:N".

    Raises:
        UserError: It is not there, or unknown.
    """
    import torch

    kind, _, index = device.partition(":")
    if kind not in ("cpu", "cuda") or (index and not index.isdecimal()):
        raise UserError(f"unknown device {device!r}; it is 'cpu', 'cuda' or 'cuda:N'")
    if kind == "cuda" and torch.cuda.device_count() <= int(index or 0):
        raise UserError(
            f"{name}: device {device!r} is not there: torch sees {torch.cuda.device_count()} CUDA devices. "
            "Use --device cpu, or install a CUDA build of torch"
        )


@contextmanager
def seeded(seed: int, device: str) -> Iterator[None]:
    """Run torch's global generators from a seed, and put them back as they were."""
    import torch

    devices = [] if device == "cpu" else [torch.device(device)]
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        yield
