"""An ASR and a language model make an agent: everything between a request and its response."""

from voicebench.cascade.cascade import Cascade

__all__ = ["Cascade"]
