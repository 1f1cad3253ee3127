"""What voicebench is told of this package; nothing here loads a model."""

from voicebench.registry import Record

_COMMON = {"licence": "Apache-2.0", "revision": "1.0", "memory_mb": 1, "verified": "control"}

RECORDS = (
    Record(
        name="tone", kind="tts", target="voicebench_example.tone:Tone",
        summary="example: a tone a letter", **_COMMON,
    ),
    Record(
        name="tone-reader", kind="asr", target="voicebench_example.tone_reader:ToneReader",
        summary="example: reads the tones of `tone`", **_COMMON,
    ),
    Record(
        name="first-tool", kind="llm", target="voicebench_example.first_tool:FirstTool",
        summary="example: calls the tool whose name the user says, else the first", **_COMMON,
    ),
    Record(
        name="loudness", kind="agent", target="voicebench_example.loudness:Loudness",
        summary="example: calls one tool for loud clips and another for quiet ones", **_COMMON,
    ),
)  # fmt: skip
