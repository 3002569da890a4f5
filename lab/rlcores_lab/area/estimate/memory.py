"""What yosys makes of a memory on UltraScale+: LUT memory, block RAM or UltraRAM, and how much of each.

Flip-flops are what remembers the row of blocks that was read, where a word's bits lie in several.

The shapes and the costs by which it chooses are those of its technology files (lutrams_xcu, brams, urams).
"""

from functools import cache

from rlcores_lab.area.estimate.part import Part, of

_LUTS = 8  # of a RAM32M16 or RAM64M8
_LUTRAM_COST, _BLOCK_COST = 16, 129  # of one of these; of a RAMB18
_CHOICE_COST = 0.5  # of choosing among one bank more, a bit
# Depth and bits of a word: of a RAMB18, then of a RAMB36. With both ports reading and writing a word is half as long.
_SMALL = ((512, 36), (1024, 18), (2048, 9), (4096, 4), (8192, 2), (16384, 1))
_LARGE = ((512, 72), (1024, 36), (2048, 18), (4096, 9), (8192, 4), (16384, 2), (32768, 1))
_ULTRA = (4096, 72)


def up(value: int, by: int) -> int:
    """value / by, rounded up."""
    return -(-value // by)


def clog2(value: int) -> int:
    """Bits that count to value - 1, as Verilog's $clog2."""
    return (value - 1).bit_length() if value > 1 else 0


@cache
def distributed(width: int, depth: int) -> Part:
    """In LUTs, one port to write and one to read."""
    if depth <= 32:
        return Part(lut=up(width, 14) * _LUTS)
    banks = up(depth, 64)
    # Banks are chosen by multiplexers of four a LUT, and their writes decoded.
    choice = width * up(banks - 1, 3) if banks > 1 else 0
    return Part(lut=up(width, 7) * _LUTS * banks + choice + (banks if banks > 1 else 0))


def _halves(width: int, depth: int, dual: bool) -> tuple[int, int]:
    """Fewest RAMB18s, a RAMB36 counting as two, and their rows. Bytes of 9 bits of different rows may share one."""

    def blocks(words: int, bits: int) -> int:
        rows = up(depth, words)
        return up(up(width, 9) * rows, bits // 9) if bits >= 9 else up(width, bits) * rows

    one = ((blocks(*s), up(depth, s[0])) for s in _SMALL[dual:])
    return min(*one, *((2 * blocks(*s), up(depth, s[0])) for s in _LARGE[dual:]))


@cache
def block(width: int, depth: int, dual: bool = False) -> Part:
    """In block RAM. dual: both ports read and write."""
    halves, rows = _halves(width, depth, dual)
    return Part(bram36=halves / 2, ff=clog2(rows))


@cache
def lanes(style: int, count: int, width: int, depth: int) -> Part:
    """A word of `count` lanes that are written apart, each in whole bytes of 9 bits where the memory has such.

    style: 0 auto, 1 distributed, 2 block, 3 ultra, as the sum tree's parameters say it.
    """
    if style == 1:
        return distributed(width, depth) * count
    octets = count * up(width, 9)
    if style == 3:
        return ultra(octets * 9, depth)
    costs = []
    for cost, shapes in ((1, _SMALL), (2, _LARGE)):
        for words, bits in shapes:
            blocks, rows = up(octets, bits // 9) if bits >= 9 else count * up(width, bits), up(depth, words)
            costs.append((cost * blocks * rows, rows))
    least, rows = min(costs)
    in_luts = _LUTRAM_COST * up(width, 14) * count * up(depth, 32)
    if style == 0 and in_luts <= _BLOCK_COST * least:
        return distributed(width, depth) * count
    return Part(bram36=least / 2, ff=clog2(rows))


def ultra(width: int, depth: int) -> Part:
    """In UltraRAM; its rows are chosen in fabric, seven LUTs a bit of sixteen rows, and decoded."""
    words, bits = _ULTRA
    rows = up(depth, words)
    choice = width * max((rows - 1) // 2, 1) + 2 * rows if rows > 1 else 0
    return Part(lut=choice, uram=rows * up(width, bits), ff=clog2(rows))


@cache
def auto(width: int, depth: int) -> Part:
    """As yosys chooses when the Verilog leaves it open: LUTs or block RAM, what is cheaper in its own reckoning."""
    banks = up(depth, 32)
    in_luts = _LUTRAM_COST * width / 14 * banks + _CHOICE_COST * width * (banks - 1 if banks > 2 else 0)
    if in_luts <= _BLOCK_COST * _halves(width, depth, False)[0]:
        return distributed(width, depth)
    return block(width, depth)


def read(width: int, depth: int, times: int = 1, registers: int = 1) -> Part:
    """`auto`, `times` times, and the registers of what it reads, one behind the other: a block RAM has the first."""
    memory = auto(width, depth)
    return of(memory, width * (registers - (memory.bram36 > 0))) * times
