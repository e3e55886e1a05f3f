"""How a number is written: as many digits as help, the printed ones as printed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

MINUS = "\N{MINUS SIGN}"
THIN = "\N{NARROW NO-BREAK SPACE}"
MINUS_RAISED = "\N{SUPERSCRIPT MINUS}"
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_DECIMALS = 5  # a number that needs more is written in powers of ten
VERBATIM = 4  # a printed value has at most so many decimals; one with more is a mean that we took


def number(text: str) -> float | None:
    """The number that a cell holds, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def is_numeric(texts: Sequence[str]) -> bool:
    """Whether a column holds numbers: at least one, and nothing else."""
    filled = [text for text in texts if text]
    return bool(filled) and all(number(text) is not None for text in filled)


def own_decimals(text: str) -> int:
    """Decimals that a number needs: ``15.60`` needs one."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return 0
    if not value.is_finite():
        return 0
    return max(0, -int(value.normalize().as_tuple().exponent))


def printed_decimals(texts: Sequence[str]) -> int:
    """Decimals of a printed column: the most frequent number among the values that are not whole, else none.

    A column that holds means of printed values only has as many as help.
    """
    counts = Counter(own_decimals(text) for text in texts if text)
    counts.pop(0, None)
    verbatim = [decimals for decimals in counts if decimals <= VERBATIM]
    if not verbatim:
        return column_decimals(texts) if counts else 0
    return min(verbatim, key=lambda decimals: (-counts[decimals], decimals))


def column_decimals(texts: Sequence[str]) -> int:
    """Decimals that give the typical value of a column three significant digits, and no more than its values have."""
    values = sorted(abs(float(text)) for text in texts if text and math.isfinite(float(text)))
    if all(value == int(value) for value in values):
        return 0
    values = [value for value in values if value]
    typical = values[len(values) // 2]
    needed = max(own_decimals(text) for text in texts if text)
    return min(6, needed, max(0, 2 - math.floor(math.log10(typical))))


def written(text: str, decimals: int, signed: bool = False) -> str:
    """A number with ``decimals`` decimals; one too small for them with as many as show its first digit."""
    value = float(text)
    if math.isnan(value):
        return ""
    if math.isinf(value):
        return (MINUS if value < 0 else "") + "\N{INFINITY}"
    whole, _, rest = _digits(abs(value), decimals).partition(".")
    if len(whole) > 4 and whole.isdigit():
        whole = f"{int(whole):,}".replace(",", THIN)
    sign = MINUS if value < 0 else "+" if signed and value > 0 else ""
    return sign + whole + (f".{rest}" if rest else "")


def _digits(value: float, decimals: int) -> str:
    if not value or value >= 0.5 * 10.0**-decimals:
        return f"{value:.{decimals}f}"
    first = -math.floor(math.log10(value))  # the decimal of its first digit
    if first <= MOST_DECIMALS:
        return f"{value:.{first}f}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}{THIN}\N{MULTIPLICATION SIGN}{THIN}10{MINUS_RAISED}{str(abs(int(exponent))).translate(RAISED)}"


def free_text(text: str, decimals: int) -> str:
    """A number of ours with nothing beside it: a whole number among others is written whole."""
    value = float(text)
    whole = math.isfinite(value) and value == int(value) and abs(value) >= 10
    return written(text, 0 if whole else decimals)


def printed_text(text: str, decimals: int) -> str:
    """A printed value as printed; a mean that we took of printed values with one decimal more than these."""
    own = own_decimals(text)
    return written(text, max(own, decimals) if own <= VERBATIM else decimals + 1)
