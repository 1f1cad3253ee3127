"""The command line: one file a command; each parses, calls one function and says what to run next."""
