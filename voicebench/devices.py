"""Which device a command runs on: the CPU, or a CUDA device that is really there."""

import ctypes
from collections.abc import Sequence
from functools import cache

from voicebench.errors import UserError


@cache
def cuda_devices() -> tuple[str, ...]:
    """Return the names of the CUDA devices of this machine, asked of the driver; empty without one."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return ()
    count = ctypes.c_int()
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return ()
    names = []
    for index in range(count.value):
        name = ctypes.create_string_buffer(128)
        driver.cuDeviceGetName(name, len(name), index)
        names.append(name.value.decode("utf-8", "replace"))
    return tuple(names)


def choose_devices(gpu: str | None, device: str | None) -> tuple[str, ...]:
    """Return "cpu", or "cuda:N" for each GPU that is asked for; see `choose_device`.

    Args:
        gpu: What `--gpu` said: device numbers with commas between them, or None.
        device: What `--device` said.

    Raises:
        UserError: A device is not there or named twice, or the two contradict each other.
    """
    if gpu is None or "," not in gpu:
        return (choose_device(gpu, device),)
    chosen = tuple(choose_device(number.strip(), device) for number in gpu.split(","))
    if len(set(chosen)) < len(chosen):
        raise UserError(f"--gpu {gpu} names a device twice. Name each once")
    return chosen


def choose_device(gpu: str | None, device: str | None) -> str:
    """Return "cpu" or "cuda:N"; or "cuda", where that was asked for and there are several.

    Args:
        gpu: What `--gpu` said: a device number, or None.
        device: What `--device` said: "cpu", "cuda", "cuda:N", or None for the first GPU where there is one.

    Raises:
        UserError: The device is not there, or the two contradict each other; the message says how to go on.
    """
    found = cuda_devices()
    if gpu is not None:
        if device is not None and not device.startswith("cuda"):
            raise UserError(f"--gpu {gpu} and --device {device} contradict each other. Give one of them")
        if "," in gpu:
            raise UserError(f"--gpu {gpu}: this command runs on one GPU. Give one number")
        if not gpu.isdigit():
            raise UserError(f"--gpu {gpu!r} is no device number. Example: --gpu 0")
        device = f"cuda:{gpu}"
    if device is None:
        return "cuda:0" if found else "cpu"
    if device == "cpu":
        return device
    kind, _, number = device.partition(":")
    if kind != "cuda" or not (number == "" or number.isdigit()):
        raise UserError(f"--device {device!r} is unknown. Known: cpu, cuda, cuda:N")
    index = int(number or 0)
    if index >= len(found):
        said = f"--gpu {gpu}" if gpu is not None else f"--device {device}"
        have = f"it has {len(found)}" if found else "it has none"
        raise UserError(f"{said}: this machine has no CUDA device {index} ({have}). On the CPU: --device cpu")
    # Without a number a model may spread over all of them.
    return f"cuda:{index}" if number or len(found) == 1 else "cuda"


def gpu_names(devices: Sequence[str]) -> str | None:
    """Return the names of the GPUs of several devices in one line; None where all are the CPU."""
    names = [name for device in devices if (name := gpu_name(device)) is not None]
    return " + ".join(names) or None


def gpu_name(device: str) -> str | None:
    """Return the names of the GPUs that a device stands for; None for the CPU.

    Args:
        device: "cpu", "cuda:N", or "cuda" for all of them.
    """
    kind, _, number = device.partition(":")
    if kind != "cuda":
        return None
    found = cuda_devices()
    return found[int(number)] if number else " + ".join(found)
