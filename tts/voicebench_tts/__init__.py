"""Speech synthesizers, voice converters and speaker encoders: one file each."""
