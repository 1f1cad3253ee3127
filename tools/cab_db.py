"""Make data/environments/cab/db.json: real places of twelve cities, invented vehicles, riders and rides.

    python tools/cab_db.py

The same seed gives the same file; a test compares the two. Coordinates are those of the places to about a
kilometre. Names of people, numbers and rides are made up.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from voicebench.environments.cab.places import road_km

SEED = 20261130
NOW = "2026-11-30T10:00"
OUT = Path(__file__).parent.parent / "data" / "environments" / "cab" / "db.json"

# City: id letters, currency, factor on tariffs, stop fee, cancel fee, kinds, plate.
CITIES: dict[str, tuple[str, str, float, int, int, str, str]] = {
    "Bengaluru": ("blr", "INR", 1, 30, 50, "auto bike car suv", "KA"),
    "Delhi": ("del", "INR", 1, 30, 50, "auto bike car suv", "DL"),
    "Mumbai": ("bom", "INR", 1.1, 30, 60, "auto bike car suv", "MH01"),
    "Pune": ("pnq", "INR", 0.9, 30, 40, "auto bike car suv", "MH12"),
    "Chennai": ("maa", "INR", 1, 30, 50, "auto bike car suv", "TN"),
    "Hyderabad": ("hyd", "INR", 0.9, 30, 50, "auto bike car suv", "TS"),
    "Kolkata": ("ccu", "INR", 0.8, 20, 40, "auto bike car suv", "WB"),
    "Kochi": ("cok", "INR", 1, 30, 50, "auto car suv", "KL"),
    "London": ("lon", "GBP", 0.12, 2, 5, "car suv", "LD"),
    "Bangkok": ("bkk", "THB", 0.6, 20, 40, "bike car suv", "BK"),
    "Manila": ("mnl", "PHP", 1, 25, 50, "bike car suv", "MN"),
    "Jakarta": ("jkt", "IDR", 180, 5000, 10000, "bike car suv", "JK"),
}
TARIFFS = {"auto": (30, 15, 3), "bike": (15, 8, 1), "car": (60, 19, 4), "suv": (100, 27, 6)}
# name | kind | latitude | longitude | other names
PLACES = {
    "Bengaluru": """
        Jayanagar|area|12.925|77.593|जयनगर/ಜಯನಗರ/ஜெயநகர்
        Indiranagar|area|12.978|77.641|इंदिरानगर/ಇಂದಿರಾನಗರ
        Koramangala|area|12.935|77.624|कोरमंगला/ಕೋರಮಂಗಲ
        Whitefield|area|12.970|77.750|व्हाइटफील्ड/ವೈಟ್‌ಫೀಲ್ಡ್
        Malleshwaram|area|13.003|77.564|मल्लेश्वरम/Malleswaram
        Electronic City|area|12.845|77.660|इलेक्ट्रॉनिक सिटी
        Hebbal|area|13.035|77.597|हेब्बल
        MG Road|area|12.975|77.606|एमजी रोड/एम जी रोड/Mahatma Gandhi Road
        Banashankari|area|12.918|77.573|बनशंकरी
        HSR Layout|area|12.911|77.638|एचएसआर लेआउट
        Marathahalli|area|12.959|77.697|मराठाहल्ली
        Yelahanka|area|13.100|77.596|येलहंका
        Majestic|station|12.977|77.572|मैजेस्टिक/ಮೆಜೆಸ್ಟಿಕ್/Kempegowda Bus Station
        Bengaluru City Railway Station|station|12.978|77.569|KSR Bengaluru/बेंगलुरु रेलवे स्टेशन
        Bengaluru Airport|airport|13.199|77.707|Bangalore Airport/Kempegowda Airport/बेंगलुरु एयरपोर्ट
        Cubbon Park|sight|12.976|77.593|कब्बन पार्क
        Lalbagh|sight|12.951|77.585|लालबाग/Lalbagh Botanical Garden
        Manipal Hospital|hospital|12.958|77.649|मणिपाल अस्पताल
        Phoenix Marketcity|mall|12.997|77.696|फीनिक्स मार्केटसिटी""",
    "Delhi": """
        Connaught Place|area|28.632|77.220|कनॉट प्लेस/CP
        Karol Bagh|area|28.652|77.190|करोल बाग
        Hauz Khas|area|28.549|77.200|हौज़ खास
        Lajpat Nagar|area|28.568|77.243|लाजपत नगर
        Dwarka|area|28.592|77.046|द्वारका
        Rohini|area|28.736|77.113|रोहिणी
        Saket|area|28.524|77.207|साकेत
        Chandni Chowk|area|28.656|77.230|चाँदनी चौक/चांदनी चौक
        Nehru Place|area|28.549|77.251|नेहरू प्लेस
        Vasant Kunj|area|28.529|77.154|वसंत कुंज
        New Delhi Railway Station|station|28.642|77.220|नई दिल्ली रेलवे स्टेशन/New Delhi Station
        Anand Vihar|station|28.647|77.316|आनंद विहार
        Indira Gandhi International Airport|airport|28.556|77.100|Delhi Airport/IGI Airport/दिल्ली एयरपोर्ट
        India Gate|sight|28.613|77.229|इंडिया गेट
        Red Fort|sight|28.656|77.241|लाल किला
        AIIMS|hospital|28.567|77.210|एम्स
        Select Citywalk|mall|28.528|77.219|सेलेक्ट सिटीवॉक""",
    "Mumbai": """
        Andheri|area|19.119|72.847|अंधेरी
        Bandra|area|19.060|72.836|बांद्रा
        Colaba|area|18.915|72.826|कोलाबा/कुलाबा
        Dadar|area|19.018|72.844|दादर
        Powai|area|19.118|72.906|पवई
        Borivali|area|19.229|72.857|बोरीवली
        Worli|area|19.017|72.817|वर्ली/वरळी
        Juhu|area|19.107|72.826|जुहू
        Chembur|area|19.062|72.900|चेंबूर
        Ghatkopar|area|19.086|72.908|घाटकोपर
        Chhatrapati Shivaji Terminus|station|18.940|72.835|CST/CSMT/सीएसटी
        Bandra Terminus|station|19.063|72.841|बांद्रा टर्मिनस
        Mumbai Airport|airport|19.090|72.868|मुंबई एयरपोर्ट/Chhatrapati Shivaji Airport
        Gateway of India|sight|18.922|72.835|गेटवे ऑफ इंडिया
        Lilavati Hospital|hospital|19.051|72.829|लीलावती अस्पताल
        Infiniti Mall|mall|19.141|72.831|इनफिनिटी मॉल""",
    "Pune": """
        Shivajinagar|area|18.531|73.845|शिवाजीनगर
        Kothrud|area|18.507|73.807|कोथरूड
        Koregaon Park|area|18.536|73.894|कोरेगाँव पार्क/कोरेगाव पार्क
        Hinjewadi|area|18.591|73.739|हिंजेवाड़ी/हिंजवडी
        Viman Nagar|area|18.568|73.914|विमान नगर
        Hadapsar|area|18.508|73.926|हडपसर
        Aundh|area|18.558|73.807|औंध
        Baner|area|18.560|73.787|बाणेर
        Pune Station|station|18.529|73.874|पुणे स्टेशन/Pune Railway Station/Pune Junction
        Swargate|station|18.501|73.858|स्वारगेट
        Pune Airport|airport|18.582|73.920|पुणे एयरपोर्ट/पुणे विमानतळ
        Shaniwar Wada|sight|18.519|73.855|शनिवार वाड़ा/शनिवारवाडा
        Ruby Hall Clinic|hospital|18.534|73.877|रूबी हॉल क्लिनिक""",
    "Chennai": """
        T Nagar|area|13.042|80.234|टी नगर/தி நகர்/T. Nagar
        Adyar|area|13.006|80.257|अड्यार/அடையாறு
        Velachery|area|12.975|80.221|वेलाचेरी/வேளச்சேரி
        Anna Nagar|area|13.085|80.210|अन्ना नगर/அண்ணா நகர்
        Mylapore|area|13.037|80.268|मायलापुर/மயிலாப்பூர்
        Tambaram|area|12.925|80.127|तांबरम/தாம்பரம்
        Guindy|area|13.007|80.220|गिंडी/கிண்டி
        Egmore|station|13.078|80.261|एग्मोर/எழும்பூர்
        Chennai Central|station|13.083|80.275|चेन्नई सेंट्रल/சென்னை சென்ட்ரல்
        Chennai Airport|airport|12.994|80.171|चेन्नई एयरपोर्ट/சென்னை விமான நிலையம்
        Marina Beach|sight|13.050|80.282|मरीना बीच/மெரினா கடற்கரை
        Apollo Hospital|hospital|13.063|80.252|अपोलो अस्पताल/அப்பல்லோ மருத்துவமனை""",
    "Hyderabad": """
        Banjara Hills|area|17.415|78.435|बंजारा हिल्स/బంజారా హిల్స్
        Jubilee Hills|area|17.432|78.407|जुबली हिल्स/జూబ్లీ హిల్స్
        Gachibowli|area|17.440|78.349|गाचीबोवली/గచ్చిబౌలి
        Madhapur|area|17.448|78.391|माधापुर/మాదాపూర్
        Ameerpet|area|17.437|78.448|अमीरपेट/అమీర్‌పేట
        Kukatpally|area|17.494|78.399|कुकटपल्ली/కూకట్‌పల్లి
        Begumpet|area|17.444|78.463|बेगमपेट/బేగంపేట
        Secunderabad Station|station|17.434|78.502|सिकंदराबाद स्टेशन/సికింద్రాబాద్ స్టేషన్
        Hyderabad Airport|airport|17.240|78.429|हैदराबाद एयरपोर्ट/హైదరాబాద్ విమానాశ్రయం/Rajiv Gandhi Airport
        Charminar|sight|17.361|78.475|चारमीनार/చార్మినార్
        Inorbit Mall|mall|17.435|78.386|इनऑर्बिट मॉल
        Yashoda Hospital|hospital|17.424|78.457|यशोदा अस्पताल""",
    "Kolkata": """
        Salt Lake|area|22.586|88.417|साल्ट लेक/সল্টলেক
        Park Street|area|22.552|88.352|पार्क स्ट्रीट/পার্ক স্ট্রিট
        Gariahat|area|22.517|88.366|गड़ियाहाट/গড়িয়াহাট
        New Town|area|22.580|88.462|न्यू टाउन/নিউ টাউন
        Behala|area|22.498|88.318|बेहाला/বেহালা
        Ballygunge|area|22.527|88.366|बालीगंज/বালিগঞ্জ
        Howrah Station|station|22.583|88.342|हावड़ा स्टेशन/হাওড়া স্টেশন
        Sealdah|station|22.568|88.371|सियालदह/শিয়ালদহ
        Kolkata Airport|airport|22.654|88.446|कोलकाता एयरपोर्ट/কলকাতা বিমানবন্দর
        Victoria Memorial|sight|22.545|88.343|विक्टोरिया मेमोरियल/ভিক্টোরিয়া মেমোরিয়াল
        South City Mall|mall|22.501|88.362|साउथ सिटी मॉल""",
    "Kochi": """
        Fort Kochi|area|9.965|76.242|फोर्ट कोच्चि/ഫോർട്ട് കൊച്ചി
        Edappally|area|10.025|76.308|एडापल्ली/ഇടപ്പള്ളി
        Kakkanad|area|10.016|76.342|कक्कनाड/കാക്കനാട്
        Palarivattom|area|10.004|76.308|पालारिवट्टोम/പാലാരിവട്ടം
        Vyttila|area|9.968|76.318|व्यट्टिला/വൈറ്റില
        Ernakulam Junction|station|9.969|76.291|एर्नाकुलम जंक्शन/എറണാകുളം ജംഗ്ഷൻ
        Kochi Airport|airport|10.152|76.402|कोच्चि एयरपोर्ट/കൊച്ചി വിമാനത്താവളം
        Marine Drive|sight|9.983|76.275|मरीन ड्राइव/മറൈൻ ഡ്രൈവ്
        Lulu Mall|mall|10.027|76.308|लुलु मॉल/ലുലു മാൾ""",
    "London": """
        Paddington|station|51.515|-0.176|Paddington Station
        King's Cross|station|51.531|-0.123|King's Cross Station
        Victoria|station|51.495|-0.144|Victoria Station
        Soho|area|51.513|-0.134|
        Camden Town|area|51.539|-0.143|Camden
        Greenwich|area|51.480|-0.009|
        Canary Wharf|area|51.505|-0.024|
        Shoreditch|area|51.526|-0.078|
        Heathrow Airport|airport|51.470|-0.454|Heathrow
        Tower Bridge|sight|51.505|-0.075|
        St Thomas' Hospital|hospital|51.498|-0.119|""",
    "Bangkok": """
        Siam|area|13.746|100.535|สยาม
        Silom|area|13.728|100.534|สีลม
        Sukhumvit|area|13.737|100.561|สุขุมวิท
        Ari|area|13.780|100.545|อารีย์
        Thong Lo|area|13.724|100.579|ทองหล่อ/Thonglor
        Chatuchak|area|13.800|100.550|จตุจักร
        Hua Lamphong|station|13.739|100.517|หัวลำโพง
        Suvarnabhumi Airport|airport|13.690|100.750|สนามบินสุวรรณภูมิ/สุวรรณภูมิ
        Wat Pho|sight|13.747|100.493|วัดโพธิ์
        Siriraj Hospital|hospital|13.758|100.486|โรงพยาบาลศิริราช""",
    "Manila": """
        Makati|area|14.554|121.024|
        Quiapo|area|14.599|120.984|
        Ermita|area|14.582|120.985|
        Malate|area|14.571|120.990|
        Binondo|area|14.600|120.974|
        Cubao|area|14.619|121.057|
        Tutuban Station|station|14.611|120.973|Tutuban
        Ninoy Aquino Airport|airport|14.509|121.020|NAIA
        Rizal Park|sight|14.583|120.979|Luneta
        SM Mall of Asia|mall|14.535|120.982|MOA""",
    "Jakarta": """
        Menteng|area|-6.195|106.832|
        Kemang|area|-6.261|106.814|
        Kuningan|area|-6.230|106.830|
        Senayan|area|-6.227|106.802|
        Kelapa Gading|area|-6.158|106.906|
        Tanah Abang|area|-6.187|106.811|
        Gambir|station|-6.177|106.831|Stasiun Gambir
        Soekarno-Hatta Airport|airport|-6.126|106.656|Bandara Soekarno-Hatta
        Monas|sight|-6.175|106.827|
        Grand Indonesia|mall|-6.195|106.821|""",
}  # fmt: skip
CITY_ALIASES = {
    "Bengaluru": ("Bangalore", "बेंगलुरु", "बैंगलोर"),
    "Delhi": ("New Delhi", "दिल्ली"),
    "Mumbai": ("Bombay", "मुंबई"),
    "Pune": ("पुणे",),
    "Chennai": ("Madras", "चेन्नई", "சென்னை"),
    "Hyderabad": ("हैदराबाद", "హైదరాబాద్"),
    "Kolkata": ("Calcutta", "कोलकाता", "কলকাতা"),
    "Kochi": ("Cochin", "कोच्चि", "കൊച്ചി"),
    "Bangkok": ("กรุงเทพ",),
}
NEARBY = (("Post Office", "office", 0.004), ("Bus Stop", "stop", 0.002), ("Market", "mall", 0.003))
FIRST = """Aarav Aditi Ananya Arjun Asha Bala Charu Deepa Dev Farhan Gauri Harish Imran Ishaan Jaya Kabir
    Kavya Lata Meera Mohan Nandini Neel Om Pooja Priya Rahul Rekha Ritu Sahil Sanjay Shreya Sunil Tara Uma
    Varun Vidya Vikram Yash Zoya Anil""".split()
LAST = """Agarwal Banerjee Bose Chandra Das Desai Fernandes Ghosh Gupta Iyer Jain Joshi Kapoor Khan Kulkarni
    Kumar Malhotra Menon Mishra Nair Naidu Patel Pillai Rao Reddy Roy Sen Shah Sharma Singh Varma
    Verma Yadav""".split()
METHODS = ("cash", "card", "upi", "wallet")


def database() -> dict[str, Any]:
    """Return the data base as JSON values."""
    rng = Random(SEED)
    places = dict(_places())
    riders = dict(_riders(rng))
    return {
        "now": NOW,
        "rider": "U-101",
        "cities": {name: _city(name) for name in CITIES},
        "places": places,
        "vehicles": dict(_vehicles(rng, places)),
        "riders": riders,
        "rides": dict(_rides(rng, places, riders)),
    }


def _city(name: str) -> dict[str, Any]:
    _, currency, factor, stop_fee, cancel_fee, kinds, _ = CITIES[name]
    tariffs = {
        kind: {"base": max(1, round(base * factor)), "per_km": max(1, round(per_km * factor)), "seats": seats}
        for kind, (base, per_km, seats) in TARIFFS.items()
        if kind in kinds.split()
    }
    city = {"currency": currency, "tariffs": tariffs, "stop_fee": stop_fee, "cancel_fee": cancel_fee}
    return city | ({"aliases": CITY_ALIASES[name]} if name in CITY_ALIASES else {})


def _places() -> Iterator[tuple[str, dict[str, Any]]]:
    for city, lines in PLACES.items():
        listed = [line.strip().split("|") for line in lines.strip().splitlines()]
        taken = {name for name, *_ in listed}
        number = 0
        for name, kind, latitude, longitude, others in listed:
            number += 1
            yield _place(city, number, name, kind, float(latitude), float(longitude), others)
        for name, kind, latitude, longitude, _ in listed:
            for suffix, near_kind, apart in NEARBY if kind == "area" else ():
                if f"{name} {suffix}" in taken:
                    continue
                number += 1
                turn = sha256(f"{name} {suffix}".encode()).digest()
                north, east = (apart * (byte / 128 - 1) for byte in turn[:2])
                where = (float(latitude) + north, float(longitude) + east)
                yield _place(city, number, f"{name} {suffix}", near_kind, *where, "")


def _place(
    city: str, number: int, name: str, kind: str, latitude: float, longitude: float, others: str
) -> tuple[str, dict[str, Any]]:
    place: dict[str, Any] = {
        "name": name, "city": city, "kind": kind,
        "latitude": round(latitude, 4), "longitude": round(longitude, 4),
    }  # fmt: skip
    if others:
        place["aliases"] = others.split("/")
    return f"{CITIES[city][0]}-{number:02d}", place


def _vehicles(rng: Random, places: dict[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for city, (*_, kinds, plate) in CITIES.items():
        near = [place for place in places.values() if place["city"] == city]
        for number in range(36):
            kind = kinds.split()[number % len(kinds.split())]
            # In Kochi every suv is taken.
            free = rng.random() < 0.8 and not (city == "Kochi" and kind == "suv")
            place = rng.choice(near)
            vehicle = {
                "city": city, "kind": kind, "driver": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
                "latitude": round(place["latitude"] + rng.uniform(-0.01, 0.01), 4),
                "longitude": round(place["longitude"] + rng.uniform(-0.01, 0.01), 4),
                "free": free,
            }  # fmt: skip
            yield f"{plate}-{rng.randint(10, 99)}-{1000 + number * 217 + rng.randrange(200)}", vehicle


def _riders(rng: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    cities = list(CITIES)
    for number in range(144):
        yield (
            f"U-{101 + number}",
            {
                "name": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
                "phone": f"555{rng.randrange(10**7):07d}",
                "city": cities[number % len(cities)],
                "method": rng.choice(METHODS),
            },
        )


def _rides(
    rng: Random, places: dict[str, dict[str, Any]], riders: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 5000
    for rider, known in riders.items():
        city = known["city"]
        near = [key for key, place in places.items() if place["city"] == city]
        tariffs = _city(city)["tariffs"]
        for _ in range(4):
            number += 1
            way = rng.sample(near, 2)
            kind = rng.choice(["car", "suv"])
            length_km = road_km([(places[key]["latitude"], places[key]["longitude"]) for key in way])
            when = datetime.fromisoformat(NOW) - timedelta(minutes=rng.randrange(600, 60 * 24 * 40))
            yield f"R-{number}", {
                "rider": rider, "pickup": way[0], "dropoff": way[1], "kind": kind,
                "when": when.strftime("%Y-%m-%dT%H:%M"),
                "booked_at": (when - timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M"),
                "passengers": rng.randint(1, tariffs[kind]["seats"]),
                "amount": round(tariffs[kind]["base"] + tariffs[kind]["per_km"] * length_km),
                "currency": CITIES[city][1],
                "status": "finished",
            }  # fmt: skip


def text() -> str:
    """Return the file's text: one row a line, so that a difference can be read."""
    parts = []
    for name, value in database().items():
        if isinstance(value, dict):
            rows = ",\n".join(f"  {_json(key)}: {_json(row)}" for key, row in value.items())
            parts.append(f"{_json(name)}: {{\n{rows}\n}}")
        else:
            parts.append(f"{_json(name)}: {_json(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(text(), encoding="utf-8")
