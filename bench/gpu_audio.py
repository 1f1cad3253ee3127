"""Measure each stage of the audio factory on a GPU: synthesis, embedding, conversion, effects, choice, build.

    python bench/gpu_audio.py --gpu 0      # one GPU
    python bench/gpu_audio.py --gpu 0,1    # and the whole build on both
    python bench/gpu_audio.py --quick --device cpu --synthesizer fake --converter fake --encoder fake

Prints JSON lines. What cannot be run here (no CUDA device, packages or weights that are missing) is a line
with `not_run`, the reason, instead of seconds. Seconds are wall seconds, the best of some rounds after one
that warms up; `times_real_time` is seconds of sound for each of them.

- `synthesis`: a batch at a time, against one text at a time; `same_result`: each clip is as long, and no
  sample differs by more than 0.001 of full scale.
- `embedding`: all clips at once, against one at a time; each cosine between the two is above 1 - 1e-3.
- `conversion`: clip by clip, which is all that converters do.
- `effects`: noise, a room and a telephone line in the threads beside the GPU, against one thread; same bytes.
- `choice`: 1,000 of 100,000 voices (quick: 100 of 10,000) by farthest-point sampling on the device,
  against numpy; the same voices.
- `build`: from texts to checked clips with effects, against the stages one after the other (no work beside
  the GPU, batches of one); then, with several devices, against the first alone. The same clips but for what
  rounding in batches changes: as many, and as long.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from voicebench.audio.build import build
from voicebench.audio.effects import apply
from voicebench.audio.speakers import farthest_point
from voicebench.audio.spoken import spoken
from voicebench.audio.studio import Studio
from voicebench.audio.wishes import VoiceWish
from voicebench.audio.work import Engines
from voicebench.audio.workers import Recipe, Workers
from voicebench.devices import choose_devices, cuda_devices
from voicebench.errors import UserError
from voicebench.files import read_rows
from voicebench.registry import find, load_on, require
from voicebench.tasks.read import read_tasks
from voicebench.types import Audio, ManifestRow, Task

EFFECTS = ("noise-10dB", "room", "telephony")
RATE_HZ = 16000
SAMPLE_OFF, COSINE_OFF, LENGTH_OFF_S = 1e-3, 1e-3, 0.02
STAGES = ("synthesis", "embedding", "conversion", "effects", "choice", "build")


def main() -> None:
    """Run the stages and print their lines."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gpu", metavar="N[,M]")
    parser.add_argument("--device", help="cpu, to prove that the script runs")
    parser.add_argument("--synthesizer", default="mms")
    parser.add_argument("--converter", default="coqui")
    parser.add_argument("--encoder", default="ecapa")
    parser.add_argument("--lang", default="hi")
    parser.add_argument("--only", choices=STAGES)
    parser.add_argument("--quick", action="store_true", help="end within two minutes")
    chosen = parser.parse_args()
    try:
        devices = choose_devices(chosen.gpu, chosen.device or (None if cuda_devices() else "cuda"))
    except UserError as error:
        for stage in [chosen.only] if chosen.only else STAGES:
            say(stage, not_run=str(error))
        return
    bench = Bench(chosen, devices)
    for stage in [chosen.only] if chosen.only else STAGES:
        try:
            for line in getattr(bench, stage)():
                say(**line, device=bench.named)
        except UserError as error:
            say(stage, not_run=str(error))


def say(case: str, **figures: Any) -> None:
    """Print a line."""
    print(json.dumps({"bench": "gpu_audio", "case": case, **figures}, ensure_ascii=False), flush=True)


class Bench:
    """The stages; each yields its lines, and raises `UserError` for what is missing."""

    def __init__(self, chosen: argparse.Namespace, devices: Sequence[str]) -> None:
        self.chosen = chosen
        self.devices = devices
        self.device = devices[0]
        self.on_cpu = self.device == "cpu"
        names = cuda_devices()
        self.named = "cpu" if self.on_cpu else names[int(self.device.partition(":")[2])]
        self.rounds = 2 if chosen.quick else 3
        self.count = 16 if chosen.quick else 256
        self.lang = chosen.lang
        self.tasks = tasks_of(self.lang, self.count)
        self.texts = [spoken(task.turns[-1].text, self.lang) for task in self.tasks]

    # ---- Stages ----

    def synthesis(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of synthesis."""
        speaker = self._load("tts", self.chosen.synthesizer)
        voice = speaker.voices(self.lang)[0].id

        def together() -> list[Audio]:
            made: list[Audio] = speaker.synthesize(self.texts, lang=self.lang, voice=voice, seed=0)
            return made

        def one_by_one() -> list[Audio]:
            return [speaker.synthesize([text], lang=self.lang, voice=voice, seed=0)[0] for text in self.texts]

        ours, alone = self._best(together), self._best(one_by_one)
        yield {
            **race(f"synthesis {self.chosen.synthesizer} {self.lang}", ours, "one by one", alone),
            "same_result": all(map(same_sound, ours[1], alone[1])),
            **self._figures(ours),
        }

    def embedding(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of embedding."""
        encoder = self._load("encoder", self.chosen.encoder)
        clips = self._clips()
        ours = self._best(lambda: encoder.embed(clips))
        alone = self._best(lambda: np.concatenate([encoder.embed([clip]) for clip in clips]))
        off = float(1 - np.einsum("ij,ij->i", ours[1], alone[1]).min())
        yield {
            **race(f"embedding {self.chosen.encoder}", ours, "one by one", alone),
            "same_result": off < COSINE_OFF,
            **self._figures((ours[0], clips)),
        }

    def conversion(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of conversion."""
        converter = self._load("converter", self.chosen.converter)
        reference, *clips = self._clips()[: self.count // 4 + 1]
        made = self._best(lambda: [converter.convert(clip, voice=reference, seed=0) for clip in clips])
        yield {
            "case": f"conversion {self.chosen.converter}",
            "ours_s": round(made[0], 4),
            **self._figures((made[0], clips)),
        }

    def effects(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of effects, which numpy applies in threads while a GPU speaks."""
        clips = self._clips()

        def one(clip: Audio) -> list[bytes]:
            return [
                apply(name, clip, np.random.default_rng(0))[0].samples.tobytes() for name in EFFECTS
            ]  # fmt: skip

        with ThreadPoolExecutor(8) as pool:
            ours = self._best(lambda: list(pool.map(one, clips)))
        alone = self._best(lambda: list(map(one, clips)))
        yield {
            **race("effects " + " ".join(EFFECTS), ours, "one thread", alone),
            "same_result": ours[1] == alone[1],
            **self._figures((ours[0], clips * len(EFFECTS))),
        }

    def choice(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of diversity sampling."""
        voices, n = (10_000, 100) if self.chosen.quick else (100_000, 1_000)
        rows = np.random.default_rng(0).standard_normal((voices, 192)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        device = None if self.on_cpu else self.device

        def choose(device: str | None) -> list[int]:
            return farthest_point(rows, n, rng=np.random.default_rng(0), device=device)

        ours, plain = self._best(lambda: choose(device)), self._best(lambda: choose(None))
        yield {
            **race(f"choice {n} of {voices}", ours, "numpy", plain),
            "same_result": ours[1] == plain[1],
        }

    def build(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of whole builds, each process with its backends loaded."""
        recipe = self._recipe()
        with tempfile.TemporaryDirectory() as folder:
            engines = recipe.load(self.device)
            # The same voices for all, heard before the clock starts.
            root = Path(folder)
            self._built(Studio(engines, device=self.device), root / "warm", self.tasks[:2])
            ours = self._built(Studio(engines, device=self.device), root / "ours")
            plain = self._built(OneByOne(engines), root / "plain")
            yield {
                **race(f"build {self._named(recipe)}", ours, "batches of one", plain),
                "same_result": same_build(root / "ours", root / "plain"),
                **self._figures((ours[0], []), clips=self._made(root / "ours")),
            }
            if len(self.devices) == 1:
                return
            del engines
            with Workers(recipe, self.devices) as workers:
                self._built(workers, root / "warm2", self.tasks[:2])
                several = self._built(workers, root / "several")
            yield {
                **race(f"build on {len(self.devices)} devices", several, "one device", ours),
                "same_result": same_build(root / "several", root / "ours"),
                **self._figures((several[0], []), clips=self._made(root / "several")),
            }

    # ---- Help ----

    def _load(self, kind: Any, name: str) -> Any:
        return load_on(find(kind, name), self.device)

    def _recipe(self) -> Recipe:
        """Return the backends of a build; without what is missing, but a synthesizer there must be."""
        optional: dict[str, Any] = {}
        for kind, name in (("converter", self.chosen.converter), ("encoder", self.chosen.encoder)):
            record = find(kind, name)  # type: ignore[arg-type]
            try:
                require(record)
                load_on(record, self.device)
            except UserError as error:
                say(f"build: {kind}", not_run=str(error))
            else:
                optional[kind] = record
        return Recipe(find("tts", self.chosen.synthesizer), **optional)

    def _named(self, recipe: Recipe) -> str:
        records = (recipe.synthesizer, recipe.converter, recipe.encoder)
        return "+".join(record.name for record in records if record is not None)

    def _built(self, maker: Any, out: Path, tasks: Sequence[Task] = ()) -> tuple[float, None]:
        started = time.perf_counter()
        build(tasks or self.tasks, maker, out=out, voices=VoiceWish(), effects=EFFECTS)
        taken = time.perf_counter() - started
        if isinstance(maker, Studio):
            maker.close()
        return taken, None

    def _made(self, out: Path) -> list[float]:
        return [row.duration_s for row in read_rows(out / "manifest.jsonl", ManifestRow)]

    def _clips(self) -> list[Audio]:
        """Return clips of 1 to 15 s: bursts of noise, as no weights are needed for them."""
        rng = np.random.default_rng(0)
        lengths_s = np.clip(rng.lognormal(1.2, 0.6, self.count), 1.0, 15.0)
        return [
            Audio((rng.standard_normal(round(s * RATE_HZ)) * 0.1).astype(np.float32).clip(-1, 1), RATE_HZ)
            for s in lengths_s
        ]

    def _best(self, do: Callable[[], Any]) -> tuple[float, Any]:
        """Return the seconds of the best round after one that warms up, and what was made."""
        made = do()
        best = float("inf")
        for _ in range(self.rounds):
            self._wait()
            started = time.perf_counter()
            made = do()
            self._wait()
            best = min(best, time.perf_counter() - started)
        return best, made

    def _wait(self) -> None:
        if self.on_cpu or "torch" not in sys.modules:
            return
        import torch

        torch.cuda.synchronize(self.device)

    def _figures(self, done: tuple[float, Any], *, clips: Sequence[float] | None = None) -> dict[str, Any]:
        durations = [clip.duration_s for clip in done[1]] if clips is None else clips
        return {"n": len(durations), "times_real_time": round(sum(durations) / done[0], 1)}


class OneByOne(Studio):
    """A studio that does one turn after the other, and nothing beside it."""

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines, device="cpu", threads=1)
        self.batch = 1


def tasks_of(lang: str, count: int) -> list[Task]:
    """Return so many tasks of a language with a user turn each, from the shipped ones, again and again."""
    shipped = [task for task in read_tasks(langs=[lang]) if len(task.user_turns) == 1]
    again = (shipped * (count // len(shipped) + 1))[:count]
    return [replace_id(task, f"{task.id}-{number}") for number, task in enumerate(again)]


def replace_id(task: Task, name: str) -> Task:
    """Return a task under another id."""
    return task.model_copy(update={"id": name, "twin": None})


def race(case: str, ours: tuple[float, Any], peer: str, theirs: tuple[float, Any]) -> dict[str, Any]:
    """Return the figures of a race."""
    return {
        "case": case, "ours_s": round(ours[0], 4), "peer": peer, "peer_s": round(theirs[0], 4),
        "ratio": round(theirs[0] / ours[0], 2),
    }  # fmt: skip


def same_sound(one: Audio, other: Audio) -> bool:
    """Whether two clips are alike but for rounding."""
    if len(one.samples) != len(other.samples):
        return False
    return bool(np.abs(one.samples - other.samples).max(initial=0.0) < SAMPLE_OFF)


def same_build(one: Path, other: Path) -> bool:
    """Whether two builds have the same clips but for rounding."""
    rows = [
        {(r.task_id, r.turn, r.condition): r.duration_s for r in read_rows(p / "manifest.jsonl", ManifestRow)}
        for p in (one, other)
    ]
    return rows[0].keys() == rows[1].keys() and all(
        abs(rows[0][place] - rows[1][place]) < LENGTH_OFF_S for place in rows[0]
    )


if __name__ == "__main__":
    main()
