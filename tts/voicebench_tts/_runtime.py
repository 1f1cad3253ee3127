"""What the ONNX adapters share: a session on the CPU that leaves other processes room."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnxruntime


def cpu_session(model: Path, threads: int | None) -> "onnxruntime.InferenceSession":
    """Return an inference session.

    Args:
        model: The ONNX file.
        threads: Threads for one operator; None takes one a core.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0
    # Spinning threads would take the cores from whatever else runs beside.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
