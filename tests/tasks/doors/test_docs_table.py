"""The page on other sets lists the doors as the registry has them."""

from tests.pages import DOCS, tables
from voicebench.tasks.doors import DOORS


def test_the_table_of_doors_is_the_registry() -> None:
    table = next(t for t in tables(DOCS / "other-sets.md") if t.headers[0] == "set")
    assert [tuple(row.values()) for row in table.rows] == [
        (f"`{door.name}`", door.title, "yes" if door.reads_audio else "no", door.licence)
        for door in DOORS.values()
    ]
