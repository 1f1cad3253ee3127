"""`python -m voicebench` is the `voicebench` command."""

from voicebench.cli.main import run

run()
