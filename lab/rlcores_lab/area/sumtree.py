"""Resources of the sum tree, module by module as its Verilog composes them.

Registers, memories and multipliers are counted; adders, comparisons and control are fitted to what yosys counted of
the same modules (measurements.json), whatever core they stood in.
"""

from collections.abc import Mapping

from rlcores.cores.sumtree.shape import digit, places, timetable
from rlcores_lab.area import common
from rlcores_lab.area.estimate.memory import clog2, lanes
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, of

Parameters = Mapping[str, int]


# --- modules ---


def _words(count: int, width: int, word_bits: int, read: int, style: int, bypass: int = 0) -> Part:
    """`rlc_sumtree_words`: a memory of words of lanes, or one word in registers."""
    word = count * width
    if not word_bits:
        return Part(ff=word)
    memory = lanes(style, count, width, 1 << word_bits)
    # A read of LUT memory is registered outside of it.
    ff = word * (read - 1 - bypass + (memory.lut > 0 and not memory.bram36 + memory.uram))
    if not bypass:
        return of(memory, ff)
    # A write that meets a read waits beside the RAM, and a multiplexer chooses.
    ff += (count + word_bits + word) + (count + word) + (count + 2 * word)
    return of(memory, ff) + Part(lut=word + count + word_bits)


def _line(width: int, taps: int) -> Part:
    return Part(ff=width * (taps - 1))


def _pick_sizes(p: Parameters) -> tuple[float, float, float, float]:
    """Bits of all adders, of those behind another one, and of the steps, and flip-flops, of `rlc_sumtree_pick`."""
    bits, width, adds, leaf = p["BITS"], p["WIDTH"], p["ADDS"], p["LEAF"]
    clocks = -(-(bits - 1) // adds)
    adders, series, steps, ff = 0, 0, 0, (width + bits) * clocks + bits * (bits + 1) // 2
    for j in range(bits):
        count, size = 1 << (bits - j), width + j
        keep = 2 if j == 0 and leaf else 1
        clock, following = -(-j // adds), (j + adds) // adds
        registered = j == 0 or following > clock
        if j:
            adders += (count - 1) * size
            series += (count - 1) * size * (j > 1 and (j - 1 + adds) // adds == -(-(j - 1) // adds))
            ff += (count - 1) * size * (following > clock)
        ff += count // 2 * keep * size * (clocks - (clock if registered else clock - 1))
        for e in range(1, bits - 1 - j + keep):
            half = (keep << (bits - 1 - j) >> e) * size
            steps += half
            ff += half
        step = width + bits - 1 - j
        steps += 2 * step + 2
        ff += step
    return adders, series, steps, ff


def _sums_ff(p: Parameters) -> float:
    """Registers of `rlc_sumtree_sums` without its memory."""
    read, width = p["READ_LATENCY"], p["WIDTH"]
    write = read + 2
    return write * (2 + p["NODE_WIDTH"]) + write * read + width * (read + 2) + 1


def _recent_ff(p: Parameters) -> float:
    index, value, window = p["INDEX_WIDTH"], p["VALUE_WIDTH"], p["WINDOW"]
    return (1 + index) * p["WAIT"] + value * (p["WAIT"] + 2) + window * (3 + index + value) + 1 + value


def _stages(p: Parameters) -> int:
    return -(-p["DRAW_WIDTH"] // p["BITS"]) if p["STRATA"] else 0


def _draw_ff(p: Parameters) -> float:
    """Generators, seed and strata; a stage of the division holds the remainder's 16 bits, the word, and a bit more."""
    draw, strata = p["DRAW_WIDTH"], p["STRATA"]
    return 436 + 80 * strata + draw + 1 + _stages(p) * (draw + 17)


PICK = Module("rlc_sumtree_pick", lambda p: Part(ff=_pick_sizes(p)[3]), lambda p: [*_pick_sizes(p)[:3], p["BITS"]])
SUMS = Module(
    "rlc_sumtree_sums",
    lambda p: _words(1, p["WIDTH"], p["NODE_WIDTH"], p["READ_LATENCY"], p["STYLE"]) + Part(ff=_sums_ff(p)),
    lambda p: [1, p["WIDTH"], p["WIDTH"] * p["READ_LATENCY"], p["NODE_WIDTH"]],
)
RECENT = Module(
    "rlc_sumtree_recent",
    lambda p: Part(ff=_recent_ff(p)),
    lambda p: [p["WINDOW"] * p["INDEX_WIDTH"], p["WINDOW"] * p["VALUE_WIDTH"]],
)
RING = Module(
    "rlc_sumtree_ring",
    lambda p: Part(ff=3 * p["INDEX_WIDTH"] + 2 * p["GENERATION_WIDTH"] + 5),
    lambda p: [1, p["INDEX_WIDTH"], p["GENERATION_WIDTH"]],
)
SLOTS = Module(
    "rlc_sumtree_slots",
    lambda p: (
        RING({"INDEX_WIDTH": p["INDEX_WIDTH"], "GENERATION_WIDTH": p["TAG_WIDTH"]})
        + Part(ff=28 + 2 * p["INDEX_WIDTH"] + 2 * p["TAG_WIDTH"] + 3 * p["PRIORITY_WIDTH"])
    ),
    lambda p: [1, p["PRIORITY_WIDTH"], p["TAG_WIDTH"], p["INDEX_WIDTH"]],
)
DRAW = Module(
    "rlc_sumtree_draw",
    lambda p: Part(ff=_draw_ff(p)) + common.skid(p["DRAW_WIDTH"]),
    lambda p: [1, p["DRAW_WIDTH"], _stages(p) * p["BITS"], _stages(p) * p["DRAW_WIDTH"]],
)


# --- the tree ---


def _tag(p: Parameters) -> int:
    return max(p["GENERATION_WIDTH"], 1)


def _levels(p: Parameters) -> Part:
    """Memories, sums and searches of all levels, and the ways between them."""
    levels, times = places(p), timetable(p)
    index, delta = p["LEAVES_LOG2"], p["PRIORITY_WIDTH"] + 1
    area = Part()
    for place, level in enumerate(levels):
        last = place == len(levels) - 1
        before = 0 if last else times.enter[place + 1]
        area += common.delay_ram(index, times.enter[place] - before)
        if place:
            since = times.head + 2 if last else times.place[place + 1] - 2
            area += common.delay_ram(delta, times.place[place] - 2 - since)
            area += SUMS(
                {
                    "WIDTH": level.width, "NODE_WIDTH": level.word_bits + level.bits,
                    "READ_LATENCY": digit(p["NARROW_LATENCY"], place - 1), "STYLE": digit(p["NARROW_STYLE"], place - 1),
                }
            )  # fmt: skip
        area += _words(
            level.lanes, level.width, level.word_bits, level.read, digit(p["WIDE_STYLE"], place), p["BYPASS"]
        )
        area += common.delay(level.width + level.bits, level.read)
        area += PICK({"BITS": level.bits, "WIDTH": level.width, "ADDS": p["ADDS"], "LEAF": int(place == 0)})
        if not last:
            area += common.delay_ram(max(level.word_bits, 1), level.clocks)
    return area


def _tree_known(p: Parameters) -> Part:
    """`rlc_sumtree_tree` but for the adders and multiplexers between its modules."""
    levels, times = places(p), timetable(p)
    leaves, width, draw = levels[0], p["PRIORITY_WIDTH"], p["DRAW_WIDTH"]
    top = width + p["LEAVES_LOG2"]
    area = _levels(p) + _line(1, times.exit) * 2 + _line(2, times.exit) + _line(1, times.exit + 1)
    if p["SHARED"]:
        area += RECENT(
            {
                "INDEX_WIDTH": p["LEAVES_LOG2"], "VALUE_WIDTH": width, "WINDOW": times.place[0] - 1,
                "WAIT": times.old - 3,
            }
        )  # fmt: skip
    else:
        area += _words(1 << leaves.bits, width, leaves.word_bits, times.head, p["HEAD_STYLE"], p["BYPASS"])
    # The old priority, and what the operation changes it by.
    area += common.delay(leaves.bits, times.head) + common.delay(width, times.old) + Part(ff=2 * width + 1)
    area += common.delay_ram(width, times.place[0] - 1 - times.old)
    since = times.place[1] - 2 if len(levels) > 1 else times.head + 2
    area += common.delay_ram(width + 1, times.exit - 1 - since)
    # Totals, the target and the way of the sample to it.
    area += Part(lut=2 * (top + 1), ff=2 * top) + common.delay_ram(2 + draw + top, times.total)
    area += common.umul(top, draw, p["BYPASS"]) + Part(lut=top, ff=4 + top)
    area += common.delay(1, times.multiply - 1) + common.delay_ram(top, times.multiply)
    return area + common.delay_ram(2, times.exit - times.total - 1)


def _tree_rest(p: Parameters) -> list[float]:
    leaves = places(p)[0]
    return [1, p["PRIORITY_WIDTH"] * (1 << leaves.bits), p["PRIORITY_WIDTH"] + p["LEAVES_LOG2"]]


TREE = Module("rlc_sumtree_tree", _tree_known, _tree_rest)


def _known(p: Parameters) -> Part:
    """`rlc_sumtree` but for the control of its ports."""
    times = timetable(p)
    index, width, draw, tag = p["LEAVES_LOG2"], p["PRIORITY_WIDTH"], p["DRAW_WIDTH"], _tag(p)
    top, words = width + index, places(p)[0].word_bits
    area = TREE(p) + DRAW({"DRAW_WIDTH": draw, "STRATA": 1, "BITS": 2 if p["ADDS"] > 1 else 1})
    slots = {"INDEX_WIDTH": index, "PRIORITY_WIDTH": width, "GENERATION_WIDTH": p["GENERATION_WIDTH"]}
    area += SLOTS(slots | {"TAG_WIDTH": tag}) + RING({"INDEX_WIDTH": index, "GENERATION_WIDTH": tag})
    operations, samples = times.old + 8, times.exit + 8
    area += common.credit(operations) + common.credit(samples)
    area += common.fifo(5 + index + tag + width, operations) + common.fifo(2 + index + width + top + tag, samples)
    # What was taken, its ways to the tree, and the answers on theirs.
    area += Part(ff=10 + index + tag + width) + common.delay(2 + draw + top, 3) + _line(2, 3)
    area += common.delay(words + 1, 2) + _line(1, times.old + 1) + common.delay(6 + index + tag, times.old)
    area += Part(ff=3 + index + width + top + tag)
    # Clearing: the word, and the clocks until the last one has arrived.
    area += Part(ff=2 + words + 1 + clog2(times.exit + 6) + index + 1)
    return area + Part(ff=p["SHARED"] * (times.place[0] + 2))


def _rest(p: Parameters) -> list[float]:
    return [1, p["LEAVES_LOG2"], p["PRIORITY_WIDTH"], p["DRAW_WIDTH"]]


SUMTREE = Module("rlc_sumtree", _known, _rest)


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_sumtree`."""
    return SUMTREE(parameters).counts
