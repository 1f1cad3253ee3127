"""What agents are told: the texts of data/prompts, put together for a request, under one version.

All functions are pure: the same request is always told the same. The texts are English in every language of
the benchmark, they suit any chat model, and the tools of a worked example are not among the offered ones. A
test keeps the hash of what they render; whoever changes a text must bump `PROMPTS_VERSION`.
"""

from voicebench.prompts.fill import fill_chat
from voicebench.prompts.instruction import instruction, messages, prompt_hash
from voicebench.prompts.texts import Example, examples

__all__ = ["Example", "examples", "fill_chat", "instruction", "messages", "prompt_hash"]
