"""ONNX files written without the onnx package: as much of the format as a tiny model needs.

https://github.com/onnx/onnx/blob/main/onnx/onnx.proto names the messages and numbers the fields.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

FLOAT, INT64 = 1, 7
_OPSET, _IR_VERSION = 17, 8

Shape = Sequence[int | str]


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Sequence[int]) -> bytes:
    """Return an operator; its attributes are lists of integers."""
    listed = b"".join(
        _field(5, _field(1, name) + b"".join(_field(8, value) for value in values) + _field(20, 7))
        for name, values in attributes.items()
    )
    names = [*(_field(1, name) for name in inputs), *(_field(2, name) for name in outputs)]
    return b"".join(names) + _field(4, op) + listed


def save(
    file: Path,
    nodes: Sequence[bytes],
    inputs: Mapping[str, tuple[int, Shape]],
    outputs: Mapping[str, tuple[int, Shape]],
    weights: Mapping[str, npt.NDArray[np.float32] | npt.NDArray[np.int64]],
    *,
    apart: bool = False,
) -> None:
    """Write a model.

    Args:
        file: Where to.
        nodes: Its operators.
        inputs: Their type and shape by name.
        outputs: The same.
        weights: Its constants by name.
        apart: Write each floating-point constant into a file of its own beside the model, as large models do.
    """
    graph = b"".join(_field(1, made) for made in nodes) + _field(2, "graph")
    for name, value in weights.items():
        graph += _field(5, _tensor(file, name, value, apart=apart and value.dtype == np.float32))
    for number, values in ((11, inputs), (12, outputs)):
        graph += b"".join(_field(number, _value(name, *kind)) for name, kind in values.items())
    opset = _field(1, "") + _field(2, _OPSET)
    file.write_bytes(_field(1, _IR_VERSION) + _field(7, graph) + _field(8, opset))


def _tensor(file: Path, name: str, value: npt.NDArray[np.generic], *, apart: bool) -> bytes:
    head = b"".join(_field(1, size) for size in value.shape)
    head += _field(2, FLOAT if value.dtype == np.float32 else INT64) + _field(8, name)
    if not apart:
        return head + _field(9, value.tobytes())
    (file.parent / name).write_bytes(value.tobytes())
    return head + _field(13, _field(1, "location") + _field(2, name)) + _field(14, 1)


def _value(name: str, kind: int, shape: Shape) -> bytes:
    dims = b"".join(_field(1, _field(2 if isinstance(size, str) else 1, size)) for size in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def _field(number: int, value: int | str | bytes) -> bytes:
    """Return a field of a protocol buffer: a number, or something with a length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
