"""What voicebench is told of this package; nothing here loads a model."""

from functools import partial

from voicebench.registry import Record

example = partial(Record, licence="Apache-2.0", revision="1.0", memory_mb=1, verified="control")

RECORDS = (
    example(
        name="tone", kind="tts", target="voicebench_example.tone:Tone",
        summary="example: a tone a letter", languages=("en",),
    ),
    example(
        name="tone-reader", kind="asr", target="voicebench_example.tone_reader:ToneReader",
        summary="example: reads the tones of `tone`", languages=("en",),
    ),
    example(
        name="first-tool", kind="llm", target="voicebench_example.first_tool:FirstTool",
        summary="example: calls the tool whose name the user says, else the first",
    ),
    example(
        name="loudness", kind="agent", target="voicebench_example.loudness:Loudness",
        summary="example: calls one tool for loud clips and another for quiet ones",
    ),
)  # fmt: skip
