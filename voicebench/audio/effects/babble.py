"""Other people talking at once under the speech, at a signal-to-noise ratio."""

import numpy as np

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.level import mix
from voicebench.audio.effects.noise import SNR
from voicebench.audio.effects.recordings import cut, read_recording, recordings
from voicebench.audio.io import resample
from voicebench.errors import UserError
from voicebench.files import sha256_bytes
from voicebench.types import Audio


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    count, rate = round(values["talkers"]), audio.sample_rate_hz
    if values["path"] is not None:
        files = recordings(values["path"])
        picked = [read_recording(files[index], rate) for index in _pick(len(files), count, scene.rng)]
        where = {"path": values["path"]}
    else:
        if not scene.talkers:
            raise UserError("babble needs other people's clips. Name some: babble:snr=10,path=FOLDER")
        chosen = [scene.talkers[index] for index in _pick(len(scene.talkers), count, scene.rng)]
        picked = [(resample(clip, rate), sha256_bytes(clip.samples.tobytes())) for clip in chosen]
        where = {}
    babble = np.zeros(len(audio.samples), np.float32)
    for clip, _ in picked:
        level = float(np.sqrt(np.mean(clip.samples.astype(np.float64) ** 2)))
        if level > 0:
            babble += cut(clip.samples, len(babble), scene.rng) / np.float32(level)
    noisy, levels = mix(audio, babble, values["snr"])
    heard = sorted({sha256[:16] for _, sha256 in picked})
    return noisy, {"snr_db": values["snr"], "talkers": count, **where, "sha256": heard, **levels}


def _pick(there: int, wanted: int, rng: np.random.Generator) -> list[int]:
    """Return the indices of so many clips, each as often as any other; all of them before one comes again."""
    rounds = [rng.permutation(there) for _ in range(-(-wanted // there))]
    return [int(index) for index in np.concatenate(rounds)[:wanted]]


BABBLE = Effect(
    name="babble",
    summary="other people talking at once, all at one level",
    parameters=(
        SNR,
        Parameter("talkers", "how many", low=1, high=64, default=6.0),
        Parameter("path", "recordings of them; without it the voices of the build", "path"),
    ),
    run=_run,
    example="babble-10dB",
    draws=True,
    check=lambda values: "talkers must be a whole number" if values["talkers"] % 1 else None,
)
