"""Every effect that there is."""

from voicebench.audio.effects.babble import BABBLE
from voicebench.audio.effects.clipping import CLIPPING
from voicebench.audio.effects.codec import CODEC
from voicebench.audio.effects.effect import Effect
from voicebench.audio.effects.gain import GAIN
from voicebench.audio.effects.noise import NOISE
from voicebench.audio.effects.noise_file import NOISE_FILE
from voicebench.audio.effects.packet_loss import PACKET_LOSS
from voicebench.audio.effects.room import ROOM
from voicebench.audio.effects.speed import SPEED
from voicebench.audio.effects.telephony import TELEPHONY
from voicebench.audio.effects.tempo import TEMPO

EFFECTS: tuple[Effect, ...] = (
    NOISE, BABBLE, NOISE_FILE, ROOM, TELEPHONY, CODEC, PACKET_LOSS, CLIPPING, GAIN, SPEED, TEMPO,
)  # fmt: skip
"""Adding an effect means adding its file and its name here."""
