"""A chat model makes an agent, behind an ASR or by itself: everything between a request and its response."""

from voicebench.cascade.chat_agent import ChatAgent
from voicebench.cascade.server_agent import ServerChatAgent

__all__ = ["ChatAgent", "ServerChatAgent"]
