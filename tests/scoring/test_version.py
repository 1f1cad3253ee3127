"""Scores compare only under the same rules: the rules cannot change without their version."""

import hashlib
from pathlib import Path

import voicebench.scoring
from voicebench import SCORING_VERSION

RULES = {"1": "286fca568304e025", "2": "470eaac26d5a5ec8"}
"""For each version of the rules the hash of the files that make them.

When this test fails, decide: if any score can come out differently, raise `SCORING_VERSION` and add a line;
if none can (a new name, a comment, a faster way), put the new hash beside the version that stands.
"""


def rules_hash() -> str:
    """Return a hash over the scoring package's files: code, prompts and tables."""
    digest = hashlib.sha256()
    folder = Path(voicebench.scoring.__file__).parent
    files = (path for path in folder.rglob("*") if path.suffix in (".py", ".json", ".jsonl"))
    for path in sorted(files):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()[:16]


def test_the_rules_do_not_change_without_their_version() -> None:
    assert RULES[SCORING_VERSION] == rules_hash()
