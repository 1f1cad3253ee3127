"""Live environments: tools that act on a data base, tasks over them, and what a conversation was worth."""
