"""A team's own tasks: from tools and a table of utterances to checked items, in one language or many."""
