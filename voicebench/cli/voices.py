"""`voicebench voices`: reference voices — add recordings, embed them, choose among them, compare the ways."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from voicebench.cli import console
from voicebench.cli.options import Device, Gpu, Json, Seed, TrustRemoteCode, split_list
from voicebench.errors import UserError, did_you_mean

KERNELS, PROJECTIONS = ("rbf", "cosine"), ("pca", "tsne")
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Voices folder that `voices add` wrote.")]
EncoderName = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        help="What tells speakers apart: voicebench models list --kind encoder.",
        show_default="ecapa where it is at hand, else d-vector",
    ),
]
Lang = Annotated[
    str | None, typer.Option("--lang", metavar="xx[,yy]", help="Only voices of these.", show_default="all")
]
Balance = Annotated[
    str | None,
    typer.Option("--balance", metavar="gender[,…]", help="Equal shares of gender, lang or source."),
]
Radius = Annotated[
    float, typer.Option("--radius", help="density: neighbourhood, in mean pairwise distances.")
]
Kernel = Annotated[str, typer.Option("--kernel", help="dpp: rbf or cosine.")]


def add(
    sound: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="A folder of recordings, or with --rttm also one recording.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="The voices folder.")] = Path("voices"),
    licence: Annotated[
        str | None, typer.Option("--licence", help="Licence of recordings whose metadata names none.")
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", help="Where they are from, where metadata does not say.")
    ] = None,
    lang: Annotated[str | None, typer.Option("--lang", metavar="xx", help="The language spoken.")] = None,
    metadata: Annotated[
        Path | None,
        typer.Option("--metadata", help="CSV or JSON Lines: file, speaker, lang, gender, licence, source."),
    ] = None,
    rttm: Annotated[
        Path | None, typer.Option("--rttm", help="RTTM file or folder: who speaks when in SOURCE.")
    ] = None,
    shared_labels: Annotated[
        bool, typer.Option("--shared-labels", help="With --rttm: a label is one person in all recordings.")
    ] = False,
    dataset: Annotated[
        str | None, typer.Option("--dataset", help="Hugging Face data set, or a folder of its parquet files.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="The data set's configuration.")] = None,
    split: Annotated[str, typer.Option("--split", help="The data set's split.")] = "train",
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", metavar="KEY=NAME", help="A data set's column: audio, speaker, lang, gender, …"
        ),
    ] = None,
    synthesizer: Annotated[
        str | None, typer.Option("--synthesizer", help="Take the own voices of this synthesizer.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Hear at most so many recordings.")
    ] = None,
    min_s: Annotated[float, typer.Option("--min-s", help="Least seconds of speech.")] = 1.0,
    max_s: Annotated[float, typer.Option("--max-s", help="Most seconds; cut at a pause.")] = 15.0,
    min_snr: Annotated[float, typer.Option("--min-snr", help="Least dB of speech above noise.")] = 10.0,
    min_rate: Annotated[int, typer.Option("--min-rate", help="Least sample rate in Hz.")] = 16000,
    every: Annotated[
        bool, typer.Option("--all", help="Every good recording, not the best a speaker.")
    ] = False,
    prefix: Annotated[str, typer.Option("--prefix", help="Put before each speaker's id.")] = "",
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    trust_remote_code: TrustRemoteCode = False,
) -> None:
    """Add reference recordings: heard, trimmed, levelled and checked.

    Give one of: a folder; recordings with --rttm; --dataset; --synthesizer. Licence and source must be
    said. What is turned away stands in rejected.jsonl with its reason.

    Exits with 1 if the folder has no voice.

    Example: voicebench voices add recordings --licence CC0-1.0 --source "Radio Aman" --lang hi
    """
    from voicebench.audio.references.prepare import Limits
    from voicebench.audio.references.store import REJECTED
    from voicebench.audio.references.store import add as add_recordings
    from voicebench.devices import choose_device

    limits = Limits(min_s=min_s, max_s=max_s, min_rate_hz=min_rate, min_snr_db=min_snr)
    said = {"lang": lang, "licence": licence, "source": source}
    given = [name for name, value in (("--dataset", dataset), ("--synthesizer", synthesizer)) if value]
    if len(given) + (sound is not None) != 1:
        raise UserError("say where voices come from, once: a folder, --dataset NAME or --synthesizer NAME")
    if sound is None and (metadata or rttm):
        raise UserError("--metadata and --rttm go with a folder or a recording. Name it first")
    if metadata and rttm:
        raise UserError("--metadata and --rttm contradict each other. Give one of them")
    recordings: Any
    if dataset is not None:
        from voicebench.audio.references.hub_dataset import dataset_recordings

        recordings = dataset_recordings(
            dataset, config=config, split=split, columns=_pairs(column or []), limit=limit, **said
        )
    elif synthesizer is not None:
        recordings = _own_voices(synthesizer, lang, choose_device(gpu, device), seed, trust_remote_code)
    elif rttm is not None:
        from voicebench.audio.references.rttm import rttm_recordings

        recordings = rttm_recordings(Path(str(sound)), rttm, min_s=min_s, shared_labels=shared_labels, **said)
    else:
        from voicebench.audio.references.folder import folder_recordings

        recordings = folder_recordings(Path(str(sound)), metadata=metadata, **said)
    if limit is not None and dataset is None:
        recordings = recordings[:limit]
    with console.progress() as progress:
        added = add_recordings(out, recordings, limits=limits, every=every, prefix=prefix, progress=progress)
    console.say(
        f"{len(added.new)} voices added, {added.kept} kept, {len(added.rejected)} recordings rejected; "
        f"{len(added.voices)} voices in {out}"
    )
    if added.rejected:
        counts: dict[str, int] = {}
        for row in added.rejected:
            counts[row.kind] = counts.get(row.kind, 0) + 1
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
        console.say(f"rejected: {kinds} ({out / REJECTED})")
    if not added.voices:
        raise typer.Exit(1)
    console.say_next(f"voicebench voices embed {out}")


def embed(
    folder: Folder = Path("voices"),
    encoder: EncoderName = None,
    gpu: Gpu = None,
    device: Device = None,
) -> None:
    """Place the voices in speaker space; what is kept already is not made again.

    Example: voicebench voices embed voices --encoder ecapa --gpu 0
    """
    from voicebench.audio.references.embeddings import embed_voices
    from voicebench.audio.references.store import read_voices
    from voicebench.devices import choose_device
    from voicebench.registry import load_on

    rows = read_voices(folder)
    record, _ = _encoder(encoder)
    with console.progress() as progress:
        done = embed_voices(folder, rows, load_on(record, choose_device(gpu, device)), progress=progress)
    console.say(
        f"{done.made} voices embedded, {len(rows) - done.made} kept; {done.embeddings.shape[1]} dimensions, "
        f"{done.encoder.name} ({done.encoder.revision})"
    )
    console.say_next(f"voicebench voices select {folder} -n {min(8, len(rows))}")


def select(
    folder: Folder = Path("voices"),
    number: Annotated[int, typer.Option("-n", min=1, help="How many voices.")] = 8,
    method: Annotated[str, typer.Option("--method", help="fps, dpp, density or random.")] = "fps",
    balance: Balance = None,
    exclude: Annotated[str | None, typer.Option("--exclude", metavar="ID[,…]", help="Never these.")] = None,
    keep: Annotated[str | None, typer.Option("--keep", metavar="ID[,…]", help="These in any case.")] = None,
    radius: Radius = 1.0,
    kernel: Kernel = "rbf",
    lang: Lang = None,
    encoder: EncoderName = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The file to write.", show_default="DIR/selected.json")
    ] = None,
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Choose voices that differ, and keep the choice.

    Example: voicebench voices select voices -n 8 --balance gender,lang --seed 1
    """
    from voicebench.audio.references.selection import SELECTED, check_request, choose, write_selection

    options = _options(radius, kernel)
    rows = _voices_of(folder, lang)
    asked: dict[str, Any] = {
        "method": method,
        "balance": split_list(balance) or (),
        "exclude": split_list(exclude) or (),
        "keep": split_list(keep) or (),
    }
    check_request(rows, number, **asked)
    embedded, reason = _embedded(folder, rows, encoder, gpu, device)
    chosen = choose(rows, embedded, number, **asked, seed=seed, options=options, reason=reason)
    path = out or folder / SELECTED
    write_selection(path, chosen)
    if as_json:
        import json

        console.say(json.dumps(chosen.summary, ensure_ascii=False, indent=2))
        return
    console.say_table(
        ("id", "lang", "gender", "seconds", "snr_db", "licence", "source"),
        [
            (
                row.id,
                row.lang,
                row.gender,
                f"{row.duration_s:.1f}",
                row.checks.get("snr_db"),
                row.licence,
                row.source,
            )
            for row in chosen.voices
        ],
        optional=("licence", "source"),
    )
    distance = chosen.summary["distance"]
    console.say(
        f"mean distance {_figure(distance['chosen_mean'])} (all {len(rows)}: "
        f"{_figure(distance['candidates_mean'])}), smallest {_figure(distance['chosen_min'])}: {path}"
    )
    console.say_next(f"voicebench voices compare {folder} -n {number}")


def compare(
    folder: Folder = Path("voices"),
    number: Annotated[int, typer.Option("-n", min=2, help="How many voices a run chooses.")] = 8,
    method: Annotated[
        str, typer.Option("--method", metavar="M[,…]", help="Which to compare.")
    ] = "fps,dpp,density,random",
    runs: Annotated[int, typer.Option("--runs", min=1, help="How often each method chooses.")] = 10,
    balance: Balance = None,
    radius: Radius = 1.0,
    kernel: Kernel = "rbf",
    lang: Lang = None,
    encoder: EncoderName = None,
    projection: Annotated[
        str, typer.Option("--projection", help="The picture's plane: pca, or tsne (scikit-learn).")
    ] = "pca",
    plot: Annotated[bool, typer.Option("--plot/--no-plot", help="Draw comparison.png as well.")] = True,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the files.", show_default="DIR")
    ] = None,
    gpu: Gpu = None,
    device: Device = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Compare the ways of choosing: distances over runs, as table and picture.

    Writes comparison.json, comparison.md and comparison.png.

    Example: voicebench voices compare voices -n 8 --runs 20
    """
    import json

    from voicebench.audio.references.comparison import compare_methods
    from voicebench.audio.references.plots import draw, require_matplotlib
    from voicebench.audio.references.selection import check_request
    from voicebench.files import write_text

    if projection not in PROJECTIONS:
        raise UserError(f"--projection {projection!r} is unknown.{did_you_mean(projection, PROJECTIONS)}")
    if plot:
        require_matplotlib()
    options = _options(radius, kernel)
    methods, balanced = split_list(method) or (), split_list(balance) or ()
    rows = _voices_of(folder, lang)
    for name in methods:
        check_request(rows, number, method=name, balance=balanced)
    embedded, _ = _embedded(folder, rows, encoder, gpu, device)
    compared = compare_methods(
        rows, embedded, number, methods=methods, runs=runs, seed=seed, balance=balanced, options=options,
    )  # fmt: skip
    target = out or folder
    written = json.dumps(compared.as_json(), ensure_ascii=False, indent=1)
    write_text(target / "comparison.json", written + "\n")
    write_text(target / "comparison.md", compared.as_markdown())
    if plot:
        draw(compared, target / "comparison.png", projection=projection)  # type: ignore[arg-type]
    if as_json:
        console.say(written)
        return
    console.say_table(*compared.table())
    console.say(f"{target / 'comparison.md'}, .json{' and .png' if plot else ''}")


def _options(radius: float, kernel: str) -> Any:
    from voicebench.audio.speakers import Options

    if kernel not in KERNELS:
        raise UserError(f"--kernel {kernel!r} is unknown.{did_you_mean(kernel, KERNELS)}")
    return Options(radius=radius, kernel=kernel)  # type: ignore[arg-type]


def _own_voices(name: str, lang: str | None, device: str, seed: int, trust_remote_code: bool) -> Any:
    from voicebench.audio.references.own_voices import own_voices
    from voicebench.registry import find, load_on, require, trusted

    if not lang:
        raise UserError("a synthesizer's voices speak some language. Give --lang")
    record = find("tts", name)
    require(record)
    return own_voices(load_on(trusted(record, allowed=trust_remote_code), device), lang, seed=seed)


def _encoder(name: str | None) -> tuple[Any, str]:
    """Return the encoder's record and why it is taken; where nobody named it, say so."""
    from voicebench.audio.encoders import default_encoder
    from voicebench.registry import find

    if name is not None:
        return find("encoder", name), "asked for"
    record, reason = default_encoder()
    console.note(f"encoder: {record.name} ({reason})")
    return record, reason


def _embedded(
    folder: Path, rows: Sequence[Any], encoder: str | None, gpu: str | None, device: str | None
) -> tuple[Any, str]:
    from voicebench.audio.encoders import revision_at_hand
    from voicebench.audio.references.embeddings import embeddings_of
    from voicebench.devices import choose_device
    from voicebench.registry import load_on

    record, reason = _encoder(encoder)
    with console.progress() as progress:
        found = embeddings_of(
            folder, rows, record.name, lambda: load_on(record, choose_device(gpu, device)),
            revision=revision_at_hand(record), progress=progress,
        )  # fmt: skip
    return found, reason


def _voices_of(folder: Path, lang: str | None) -> list[Any]:
    from voicebench.audio.references.store import read_voices

    rows = read_voices(folder)
    langs = split_list(lang)
    chosen = [row for row in rows if langs is None or row.lang in langs]
    if not chosen:
        there = ", ".join(sorted({row.lang or "unknown" for row in rows}))
        raise UserError(f"{folder}: no voice in {lang!r}. There are voices in: {there}")
    return chosen


def _pairs(given: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for entry in given:
        key, sign, value = entry.partition("=")
        if not (key and sign and value):
            raise UserError(f"--column {entry!r} is no KEY=NAME. Example: --column speaker=client_id")
        pairs[key.strip()] = value.strip()
    return pairs


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
