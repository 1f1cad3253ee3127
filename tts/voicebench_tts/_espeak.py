"""espeak-ng through ctypes: a text's phonemes, and a text spoken.

The library keeps its voice, its translator and the phase of its oscillators in globals. Every call here loads
it afresh (4 ms) and holds a lock meanwhile, so that the same text always gives the same answer.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from voicebench.errors import UserError

REVISION = "espeakng-loader==0.2.4"

# Constants of espeak-ng's public header, speak_lib.h.
_AUDIO_OUTPUT_SYNCHRONOUS = 2
_INITIALIZE_DONT_EXIT = 0x8000
_CHARS_UTF8 = 1
_PHONEMES_IPA = 0x02
_SEPARATOR_BIT = 8
_OK = 0
_SEED = 1

_SEPARATOR = "_"
_LOCK = threading.Lock()
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


def phonemes(text: str, voice: str) -> list[list[str]]:
    """Return the IPA phonemes of a text: one list a word, stress marks in front of their vowels.

    Args:
        text: One clause; its punctuation is not said.
        voice: Name of an espeak-ng voice, such as "en-us" or "hi".

    Raises:
        UserError: There is no such voice, or the library is not usable.
    """
    mode = _PHONEMES_IPA | ord(_SEPARATOR) << _SEPARATOR_BIT
    buffer = ctypes.create_string_buffer(_encoded(text))
    rest = ctypes.c_void_p(ctypes.addressof(buffer))
    clauses = []
    with _loaded(voice) as (library, _):
        library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        library.espeak_TextToPhonemes.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        while rest.value:
            said = library.espeak_TextToPhonemes(ctypes.byref(rest), _CHARS_UTF8, mode)
            clauses.append((said or b"").decode("utf-8", "replace"))
    words = [word.split(_SEPARATOR) for word in " ".join(clauses).split()]
    return [kept for word in words if (kept := [phoneme for phoneme in word if phoneme])]


def speak(text: str, voice: str) -> tuple[npt.NDArray[np.float32], int]:
    """Return a text spoken: float32 samples of shape (samples,) in [-1, 1], and their rate in Hz.

    Raises:
        UserError: There is no such voice, or the library is not usable.
    """
    data = _encoded(text)
    chunks: list[npt.NDArray[np.int16]] = []

    def receive(samples: "ctypes._Pointer[ctypes.c_short]", count: int, _events: int | None) -> int:
        if samples and count > 0:
            chunks.append(np.ctypeslib.as_array(samples, (count,)).copy())
        return 0

    callback = _CALLBACK(receive)
    with _loaded(voice) as (library, sample_rate_hz):
        library.espeak_SetSynthCallback(callback)
        library.espeak_Synth.argtypes = [
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
            ctypes.c_void_p, ctypes.c_void_p,
        ]  # fmt: skip
        status = library.espeak_Synth(data, len(data) + 1, 0, 0, 0, _CHARS_UTF8, None, None)
    if status != _OK:
        raise UserError(f"espeak-ng could not speak {text[:40]!r} (status {status})")
    samples = np.concatenate(chunks) if chunks else np.zeros(0, np.int16)
    return samples.astype(np.float32) / np.float32(32768), sample_rate_hz


@contextmanager
def _loaded(voice: str) -> Iterator[tuple[ctypes.CDLL, int]]:
    """Load the library with a voice, hand it out with its sample rate, and unload it."""
    import espeakng_loader

    with _LOCK:
        try:
            library = ctypes.CDLL(espeakng_loader.get_library_path())
        except OSError as error:
            raise UserError(f"espeak-ng could not be loaded ({error}). Reinstall espeakng-loader") from None
        data = espeakng_loader.get_data_path()
        try:
            rate = library.espeak_Initialize(
                _AUDIO_OUTPUT_SYNCHRONOUS, 0, data.encode(), _INITIALIZE_DONT_EXIT
            )
            if rate <= 0:
                raise UserError(f"{data}: espeak-ng could not read its data. Reinstall espeakng-loader")
            if library.espeak_SetVoiceByName(voice.encode()) != _OK:
                raise UserError(f"espeak-ng has no voice {voice!r}")
            # Breathy voices draw noise, which otherwise begins with the time of day.
            library.espeak_ng_SetRandSeed.argtypes = [ctypes.c_long]
            library.espeak_ng_SetRandSeed(_SEED)
            yield library, rate
        finally:
            library.espeak_Terminate()
            _unload(library)


def _unload(library: ctypes.CDLL) -> None:
    import _ctypes

    if sys.platform == "win32":
        _ctypes.FreeLibrary(library._handle)
    else:
        _ctypes.dlclose(library._handle)


def _encoded(text: str) -> bytes:
    # A NUL would end the C string early, and half surrogates are no UTF-8.
    return text.replace("\0", " ").encode("utf-8", "replace")
