"""The names of A to Z in scripts other than Latin, as initialisms are written in them ("ओटीपी")."""

DEVANAGARI_LETTERS = tuple(
    "ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड".split()
)
BENGALI_LETTERS = tuple(
    "এ বি সি ডি ই এফ জি এইচ আই জে কে এল এম এন ও পি কিউ আর এস টি ইউ ভি ডব্লিউ এক্স ওয়াই জেড".split()
)
TAMIL_LETTERS = tuple(
    "ஏ பி சி டி ஈ எஃப் ஜி எச் ஐ ஜே கே எல் எம் என் ஓ பி க்யூ ஆர் எஸ் டி யூ வி டபிள்யூ எக்ஸ் ஒய் இசட்".split()
)
TELUGU_LETTERS = tuple("ఏ బీ సీ డీ ఈ ఎఫ్ జీ హెచ్ ఐ జే కే ఎల్ ఎమ్ ఎన్ ఓ పీ క్యూ ఆర్ ఎస్ టీ యూ వీ డబ్ల్యూ ఎక్స్ వై జెడ్".split())
MALAYALAM_LETTERS = tuple(
    "എ ബി സി ഡി ഇ എഫ് ജി എച്ച് ഐ ജെ കെ എൽ എം എൻ ഒ പി ക്യു ആർ എസ് ടി യു വി ഡബ്ല്യു എക്സ് വൈ ഇസഡ്".split()
)
THAI_LETTERS = tuple(
    "เอ บี ซี ดี อี เอฟ จี เอช ไอ เจ เค แอล เอ็ม เอ็น โอ พี คิว อาร์ เอส ที ยู วี ดับเบิลยู เอ็กซ์ วาย แซด".split()
)
