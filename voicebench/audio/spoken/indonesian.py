"""How Indonesian says figures: "se-" for one of a kind, "ke-" for a rank."""

import re

from voicebench.audio.spoken.language import (
    INITIALISMS,
    Form,
    Half,
    Language,
    Words,
    hour_of_day,
    part_of_day,
)
from voicebench.audio.spoken.vocabulary import currencies, months, units

_BELOW_TWELVE = (
    "nol", "satu", "dua", "tiga", "empat", "lima", "enam", "tujuh", "delapan", "sembilan", "sepuluh",
    "sebelas",
)  # fmt: skip
_LARGE = ((10**12, "triliun"), (10**9, "miliar"), (10**6, "juta"))
_MONTHS = (
    "Januari", "Februari", "Maret", "April", "Mei", "Juni", "Juli", "Agustus", "September", "Oktober",
    "November", "Desember",
)  # fmt: skip
_SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "agt": 8, "agu": 8, "sep": 9, "okt": 10,
    "nov": 11, "des": 12,
}  # fmt: skip
_UNITS = {
    "km/h": "kilometer per jam", "km/jam": "kilometer per jam", "km": "kilometer", "cm": "sentimeter",
    "mm": "milimeter", "m": "meter", "kg": "kilogram", "g": "gram", "mg": "miligram", "ml": "mililiter",
    "l": "liter", "h": "jam", "min": "menit", "sec": "detik", "°C": "derajat Celsius",
    "°F": "derajat Fahrenheit",
    "GB": "gigabita", "MB": "megabita", "Mbps": "megabit per detik", "kWh": "kilowatt jam", "kW": "kilowatt",
    "W": "watt", "lb": "pon", "ft": "kaki", "sq ft": "kaki persegi", "m²": "meter persegi",
    "km²": "kilometer persegi",
}  # fmt: skip
_SCALES = {
    **{word: word for word in "ratus ribu juta miliar milyar triliun".split()},
    "rb": "ribu", "jt": "juta", "k": "ribu", "million": "juta", "m": "miliar", "billion": "miliar",
    "b": "miliar",
}  # fmt: skip
_FRACTIONS = {(1, 2): "setengah", (1, 3): "sepertiga", (1, 4): "seperempat"}
_PARTS_OF_THE_DAY = "dini hari|pagi|siang|sore|petang|malam"
_TIME_ZONES = "WIB|WITA|WIT"
_DAY = (
    (4, "dini hari"), (11, "pagi"), (15, "siang"), (18, "sore"), (24, "malam"),
)  # fmt: skip


class Indonesian(Language):
    """Indonesian; the dot groups thousands, and the comma is the decimal mark."""

    code = "id"
    comma_decimals = True
    words = Words(
        digits=_BELOW_TWELVE[:10],
        point="koma",
        minus="minus",
        plus="plus",
        to="sampai",
        dot="titik",
        slash="garis miring",
        percent="persen",
        hashtag="tagar",
        months=months(_MONTHS, _SHORT_MONTHS),
        currencies=currencies(
            INR="rupee|paisa", BDT="taka|paisa", THB="baht|satang", VND="dong", IDR="rupiah|sen",
            PHP="peso|centavo", CNY="yuan", JPY="yen", USD="dolar|sen", EUR="euro|sen", GBP="pound|penny",
        ),
        units=units(_UNITS),
        scales=_SCALES,
        symbols={
            "&": "dan", "@": "at", "+": "plus", "=": "sama dengan", "%": "persen", "#": "nomor",
            "°": "derajat",
            "×": "kali", "÷": "dibagi", "²": "kuadrat", "³": "kubik", "~": "sekitar",
        },
        abbreviations={
            "Jl.": "Jalan", "Jln.": "Jalan", "Gg.": "Gang", "No.": "nomor", "no.": "nomor", "Bpk.": "Bapak",
            "Bp.": "Bapak", "Sdr.": "Saudara", "Sdri.": "Saudari", "dr.": "dokter", "Dr.": "Doktor",
            "Prof.": "Profesor",
            "Ir.": "Insinyur", "dll.": "dan lain-lain", "dll": "dan lain-lain", "dsb.": "dan sebagainya",
            "dst.": "dan seterusnya", "tgl.": "tanggal", "tgl": "tanggal", "Tgl.": "Tanggal",
            "hlm.": "halaman",
            "yg": "yang", "dgn": "dengan", "utk": "untuk", "Kec.": "Kecamatan", "Kel.": "Kelurahan",
            "Kab.": "Kabupaten",
            "a.n.": "atas nama", "s.d.": "sampai dengan", "s/d": "sampai dengan", "d.a.": "dengan alamat",
            "Telp.": "telepon", "telp.": "telepon", "Lt.": "lantai",
        },
        initialisms=INITIALISMS
        | frozenset("ATM API UPI SUV USB URL ID AC UK US USA MRI IP IT KUR NIK".split()),
        identifiers=(
            r"(?:kode(?:\s(?:OTP|PIN|pos|verifikasi|booking|promo|pesanan))?|nomor|rekening"
            r"|nomor rekening|pesanan|tiket|kamar"
            r"|penerbangan|kereta|telepon|hp|ponsel|referensi|faktur|tagihan|pelanggan|meteran|polisi|pelat"
            r"|OTP|PIN|code|CVV|ID|account|PNR|order|booking|flight|NIK|KTP)"
            r"(?:\s(?:Anda|saya|kamu|kami|kalian|mereka|dia))?"
        ),
        counted=(
            r"rupiah|ribu|juta|miliar|dolar|sen|orang|buah|porsi|potong|gram|kilo|kilogram|liter|menit|jam|hari|bulan|tahun"
            r"|meter|kilometer|persen|piza|pizza|gelas|botol|bungkus|kotak|lembar|tiket|kg|km|kwh"
        ),
        day="tanggal|tgl",
        parts_of_day="pukul|jam",
        o_clock=_PARTS_OF_THE_DAY,
    )  # fmt: skip

    def cardinal(self, number: int, *, indian: bool) -> str:
        """Return a count in words: "seratus lima ribu", "seribu"."""
        said: list[str] = []
        for value, name in _LARGE:
            count, number = divmod(number, value)
            said.extend([self.cardinal(count, indian=False), name] if count else [])
        thousands, rest = divmod(number, 1000)
        if thousands:
            said.append("seribu" if thousands == 1 else f"{_below_thousand(thousands)} ribu")
        if rest:
            said.append(_below_thousand(rest))
        return " ".join(said) or _BELOW_TWELVE[0]

    def ordinal(self, number: int, suffix: str) -> str:
        """Return a rank in words: "pertama", "ketiga"."""
        return "pertama" if number == 1 else f"ke{self.cardinal(number, indian=False)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Return a date in words: "dua puluh tiga Maret dua ribu dua puluh enam"."""
        said = f"{_below_thousand(day)} {_MONTHS[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def year(self, number: int) -> str:
        """Return a year in words: "seribu sembilan ratus sembilan puluh lima"."""
        return self.cardinal(number, indian=False)

    def clock(self, hour: int, minute: int, half: Half | None, before: str, after: str) -> str:
        """Return a time in words: "jam lima tiga puluh sore", "pukul tujuh belas lewat lima menit"."""
        part = after
        if half is not None:
            hour = hour_of_day(hour, half)
            part = part or part_of_day(hour, _DAY)
            hour = hour % 12 or 12
        said = _below_thousand(hour) or _BELOW_TWELVE[0]
        if 0 < minute < 10:
            said += f" lewat {_below_thousand(minute)} menit"
        elif minute:
            said += f" {_below_thousand(minute)}"
        named = before or ("" if part else "pukul")
        return f"{named} {said} {part}".strip()

    def fraction(self, numerator: int, denominator: int) -> str:
        """Return a fraction in words: "setengah", "dua pertiga"."""
        named = _FRACTIONS.get((numerator, denominator))
        upper = "se" if numerator == 1 else f"{_below_thousand(numerator)} "
        return named or f"{upper}per{self.cardinal(denominator, indian=False)}"

    def forms(self) -> tuple[Form, ...]:
        """Return "pukul 17.30", "ke-3", "2x", "250rb", "RT 05" and the like."""

        def clock(match: re.Match[str]) -> str:
            hour, minute = int(match[2]), int(match[3])
            if hour > 24 or minute > 59:
                return match.group()
            return self.clock(hour, minute, None, match[1], match[4] or "")

        def zoned(match: re.Match[str]) -> str:
            hour, minute = int(match[1]), int(match[2])
            if hour > 24 or minute > 59:
                return match.group()
            return f"{self.clock(hour, minute, None, '', '')} {match[3]}"

        part = rf"(?:\s({_PARTS_OF_THE_DAY})(?!\w))?"
        return (
            (rf"(?<!\w)(pukul|jam)\s(\d{{1,2}})[.:](\d{{2}})(?!\d){part}", clock),
            (rf"(?<![\d.,:/])(\d{{1,2}})[.:](\d{{2}})\s?({_TIME_ZONES})(?!\w)", zoned),
            (r"(?<!\w)ke-?(\d{1,4})(?![\d.,]\d|\d)", lambda m: self.ordinal(int(m[1]), "")),
            (r"(?<![\d.,])(\d{1,3})x(?!\w)", lambda m: f"{self.cardinal(int(m[1]), indian=False)} kali"),
            (r"(?<![\d.,\w])(\d{1,6}(?:,\d{1,2})?)\s?(rb|jt)(?!\w)",
             lambda m: f"{self._with_comma(m[1])} {_SCALES[m[2].lower()]}"),
        )  # fmt: skip

    def _with_comma(self, written: str) -> str:
        whole, _, fraction = written.partition(",")
        return self.number(int(whole), fraction, indian=False)


def _below_thousand(number: int) -> str:
    """Return the words of 1 to 999; "" for 0."""
    said = []
    hundreds, rest = divmod(number, 100)
    if hundreds:
        said.append("seratus" if hundreds == 1 else f"{_BELOW_TWELVE[hundreds]} ratus")
    if 0 < rest < 12:
        said.append(_BELOW_TWELVE[rest])
    elif rest < 20 and rest:
        said.append(f"{_BELOW_TWELVE[rest - 10]} belas")
    elif rest:
        tens, ones = divmod(rest, 10)
        said.append(f"{_BELOW_TWELVE[tens]} puluh" + (f" {_BELOW_TWELVE[ones]}" if ones else ""))
    return " ".join(said)
