"""Words of bits, field by field: a position is declared once, and nobody counts bits.

>>> word = Word("pair", high=4, low=8)
>>> word.bits, word.pack(high=1, low=2), word.unpack(0x102)
(12, 258, {'high': 1, 'low': 2})
"""

from collections.abc import Iterator, Mapping


class Word:
    """A name, and the bits of each field from the high end on."""

    def __init__(self, name: str, **fields: int) -> None:
        self.name, self.fields = name, fields

    @property
    def bits(self) -> int:
        """Of all fields."""
        return sum(self.fields.values())

    def positions(self) -> Iterator[tuple[str, int, int]]:
        """(field, lowest bit, bits), from the high end on."""
        at = self.bits
        for name, bits in self.fields.items():
            at -= bits
            yield name, at, bits

    def at(self, name: str) -> int:
        """The lowest bit of a field."""
        return next(at for each, at, _ in self.positions() if each == name)

    def pack(self, **values: int) -> int:
        """The word with these values, every field given; each is cut to its bits."""
        if set(values) != set(self.fields):
            raise ValueError(f"a word {self.name} has {', '.join(self.fields)}, not {', '.join(values)}")
        return sum((int(values[name]) & (1 << bits) - 1) << at for name, at, bits in self.positions())

    def pack_whole(self, **values: int) -> int:
        """The same of numbers without signs. Raises ValueError where a field does not hold its number."""
        for name, bits in self.fields.items():
            if not 0 <= values[name] < 1 << bits:
                raise ValueError(f"{name} of the word {self.name} is {values[name]}; it has {bits} bits")
        return self.pack(**values)

    def unpack(self, word: int) -> dict[str, int]:
        """The fields of a word, without signs."""
        return {name: word >> at & (1 << bits) - 1 for name, at, bits in self.positions()}


def first(stages: Mapping[str, int], name: str) -> int:
    """The number of the first stage of a kind; stages: how many there are of each, in their order.

    >>> first({"in": 1, "layer": 4, "out": 1}, "out")
    5
    """
    at = 0
    for kind, count in stages.items():
        if kind == name:
            return at
        at += count
    raise KeyError(name)
