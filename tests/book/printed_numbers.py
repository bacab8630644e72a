"""Numbers as prose prints them: what they are, and how exact they claim to be."""

import operator
import re
from dataclasses import dataclass

UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
UNITS += ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
UNITS += ["eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = {word: n for n, word in enumerate(UNITS)} | {w: 10 * n for n, w in enumerate(TENS, 2)}
WORDS |= {"no": 0, "none": 0, "a": 1, "an": 1, "once": 1, "both": 2, "twice": 2}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8}
PARTS |= {
    "ninth": 9,
    "tenth": 10,
    "fifteenth": 15,
    "twentieth": 20,
    "hundredth": 100,
    "thousandth": 1000,
}
PARTS |= {"millionth": 10**6, "sixtieth": 60}
FRACTIONS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅛": 1 / 8}
COMPARE = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

# Not a digit before it, so that the end of "1.25" is not taken for 25.
DIGITS = re.compile(
    r"(?<![\d.,])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d)"
    r"(?P<scale> (?:thousand|million|billion))?"
    r"(?P<power>e-?\d+| ?(?:·|\\cdot) ?10(?:\^\{?-?\d+\}?|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?"
    r"(?P<percent>\s?\\?%)?[)\]}$*_”\"']*$"
)
# In "53, 63 and 68%" all three are per cent.
LISTED_PERCENT = re.compile(
    r"(?:[°*_$)]*(?:,| and| or| to|–) ?(?:of |about |only )?[-−]?\d[\d.,]*)+\s?%"
)
ONE_IN_SO_MANY = re.compile(
    r"\b(one|two|three|four|five)(?: [a-z]+){0,2} in ((?:[a-z]+ ){0,2}[a-z]+)$"
)
WORD_RUN = re.compile(r"((?:[A-Za-z]+[ -]){0,3}[A-Za-z]+)[*_]*$")


@dataclass(frozen=True)
class Printed:
    """A number as it stands in a text: its value, and half a unit of its last digit."""

    text: str
    value: float
    half_unit: float

    def agrees(self, computed: float, relation: str | None = None) -> bool:
        """Whether the text is true: rounded, or above, below or about (``~``) what it says."""
        if relation in COMPARE:
            return COMPARE[relation](round(computed, 12), self.value)
        tolerance = self.half_unit
        if relation == "~":
            tolerance = max(tolerance, 0.1 * abs(self.value))
        return abs(computed - self.value) <= tolerance * (1 + 1e-9) + 1e-15


def number_before(text: str, after: str = "") -> Printed:
    """The number that a text ends with, in digits or in words; a list has its unit after it.

    >>> number_before("it takes 83%")
    Printed(text='83%', value=0.83, half_unit=0.005)
    >>> number_before("almost nine million").value
    9000000.0
    >>> number_before("takes two thirds").half_unit < 0.04
    True
    >>> number_before("about 53", after=", 63 and 68% of it").value
    0.53
    """
    text = text.replace("{,}", ",")
    if text[-1:].isdigit() and LISTED_PERCENT.match(after):
        text += "%"
    found = _digits(text) or _words(text)
    if not found:
        raise ValueError(f"a mark stands right after a number: found …{text[-30:]!r}")
    return found


def _digits(text: str) -> Printed | None:
    fraction = re.search(r"[½⅓⅔¼¾⅛][*_$]*$", text)
    if fraction:
        value = FRACTIONS[fraction[0][0]]
        return Printed(fraction[0][0], value, 0.05 * value)
    found = DIGITS.search(text)
    if not found:
        return None
    digits = re.match(r"[-−+]?[\d,]*(?:\.\d+)?", found[0])[0]
    _, _, decimals = digits.partition(".")
    factor = _power(found["power"]) * (0.01 if found["percent"] else 1)
    factor *= SCALES[found["scale"].strip()] if found["scale"] else 1
    value = float(digits.replace(",", "").replace("−", "-"))
    # 0.83 * 0.01 and the like end in a digit that nobody printed.
    rounded = float(f"{value * factor:.12g}")
    half_unit = float(f"{0.5 * 10 ** -len(decimals) * factor:.12g}")
    return Printed(found[0].rstrip(")]}$*_”\"'"), rounded, half_unit)


def _power(text: str | None) -> float:
    if not text:
        return 1
    exponent = re.search(r"(-?\d+)\}?$", text.translate(SUPERSCRIPT).replace("10", "10^", 1))
    return 10.0 ** int(exponent[1])


def _words(text: str) -> Printed | None:
    """The longest run of words at the end that is a number."""
    share = ONE_IN_SO_MANY.search(text)
    if share:
        count, of = (_value(part.lower().split()) for part in share.groups())
        if of and count[0] < of[0]:
            return Printed(share[0], count[0] / of[0], 0.05 * count[0] / of[0])
    found = WORD_RUN.search(text)
    words = re.split(r"[ -]", found[1].lower()) if found else []
    for start in range(max(0, len(words) - 4), len(words)):
        value = _value(words[start:])
        if value is not None:
            return Printed(" ".join(words[start:]), *value)
    return None


def _value(words: list[str]) -> tuple[float, float] | None:
    """What words come to, and how exact they are: "a quarter", "twenty-one", "nine million"."""
    last = words[-1].removesuffix("s") if words[-1] not in WORDS else words[-1]
    if last in PARTS:
        count = _value(words[:-1])[0] if words[:-1] and _value(words[:-1]) else 1
        value = count / PARTS[last]
        return (value, 0.05 * value) if len(words) == 1 or _value(words[:-1]) else None
    if last in SCALES:
        count = _value(words[:-1]) if words[:-1] else (1, 0.5)
        scale = float(SCALES[last])
        return (count[0] * scale, count[1] * scale) if count else None
    if not all(word in WORDS for word in words):
        return None
    values = [WORDS[word] for word in words]
    if len(values) == 1 or (
        len(values) == 2 and values[0] >= 20 > values[1] > 0 and values[1] < 10
    ):
        return float(sum(values)), 0.5
    return None
