"""What happens to speech on its way: noise, rooms, lines, lost packets.

`speech/noise-10dB+telephony` is heard through noise and then a telephone. Each effect is one file with one
record (`effect.Effect`); `table.EFFECTS` lists them, `chain` reads their names and applies them, `conditions`
makes conditions of what the command line says.
"""

from voicebench.audio.effects.chain import Chain, apply, parse
from voicebench.audio.effects.conditions import conditions
from voicebench.audio.effects.effect import Effect, Parameter
from voicebench.audio.effects.table import EFFECTS

__all__ = ["EFFECTS", "Chain", "Effect", "Parameter", "apply", "conditions", "parse"]
