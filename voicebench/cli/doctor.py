"""`voicebench doctor`: what is here, and what each command would need."""

from voicebench.cli import console
from voicebench.cli.options import Json


def doctor(as_json: Json = False) -> None:
    """Say what is here and what each command would need.

    Example: voicebench doctor
    """
    from voicebench.doctor import examine

    rows = [(finding.part, finding.name, finding.state, finding.detail) for finding in examine()]
    console.say_table(("part", "name", "state", "detail"), rows, as_json=as_json)
