from pathlib import Path

from voicebench.environments.check import problems
from voicebench.environments.domain import load_domain


def test_good_tasks_have_no_problems(lamps_folder: Path) -> None:
    assert problems(load_domain(lamps_folder)) == []


def test_bad_tasks_are_told_apart(lamps_folder: Path) -> None:
    path = lamps_folder / "tasks.jsonl"
    up, same, no, _ = path.read_text("utf-8").split("\n")[1:5]
    path.write_text(
        "\n".join(
            (
                up.replace('"रसोई"', '"छत"'),
                same.replace("set_level", "get_level").replace(', "level": {"$ref": "0.level"}', "")
                .replace('["state", "actions"]', '["state"]'),
                no.replace('"judged"]', '"said"]'),
            )
        ),
        encoding="utf-8",
    )  # fmt: skip
    assert problems(load_domain(lamps_folder)) == [
        'lamps: up: gold[0]: lamps.set_level fails: {"error": "There is no lamp in \'छत\'."}',
        "lamps: same: doing nothing earns 1",
        "lamps: no: 'said' counts, but the task has none",
    ]
