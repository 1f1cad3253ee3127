"""Noise of the user's own under the speech, at a signal-to-noise ratio."""

from voicebench.audio.effects.effect import Effect, Parameter, Parameters, Scene, Values
from voicebench.audio.effects.level import mix
from voicebench.audio.effects.noise import SNR
from voicebench.audio.effects.recordings import cut, read_recording, recordings
from voicebench.types import Audio


def _run(audio: Audio, values: Values, scene: Scene) -> tuple[Audio, Parameters]:
    files = recordings(values["path"])
    file = files[int(scene.rng.integers(len(files)))]
    noise, sha256 = read_recording(file, audio.sample_rate_hz)
    piece = cut(noise.samples, len(audio.samples), scene.rng).copy()
    noisy, levels = mix(audio, piece, values["snr"])
    return noisy, {
        "path": values["path"], "file": file.name, "sha256": sha256, "snr_db": values["snr"], **levels,
    }  # fmt: skip


NOISE_FILE = Effect(
    name="noise-file",
    summary="a recording of yours as noise, cut or repeated to length; of a folder one file a clip",
    parameters=(SNR, Parameter("path", "the noise", "path", required=True)),
    run=_run,
    example="noise-file:snr=10,path=cafe.wav",
    draws=True,
)
