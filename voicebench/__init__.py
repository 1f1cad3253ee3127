"""voicebench: the open benchmark and toolkit for spoken tool-using agents in many languages."""

__version__ = "0.1.0"

TASKS_VERSION = "1.0"
"""Version of the shipped task set and tools; stands in every row made from them."""

PROMPTS_VERSION = "3"
"""Version of the instruction texts of `voicebench.prompts`; part of every prompt hash."""

SCORING_VERSION = "2"
"""Version of the scoring rules; two scores compare only under the same one."""
