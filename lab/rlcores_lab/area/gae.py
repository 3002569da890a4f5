"""Resources of the GAE core, module by module as its Verilog composes them.

Registers, stacks and DSP slices are counted; adders, multiplexers and control are fitted to what yosys counted of the
same modules (measurements.json), whatever core they stood in.
"""

from collections.abc import Mapping

from rlcores.cores.gae.scale import QBITS_NARROW, formats
from rlcores_lab.area import common
from rlcores_lab.area.estimate.fit import features
from rlcores_lab.area.estimate.memory import block, clog2, distributed
from rlcores_lab.area.estimate.modules import Module
from rlcores_lab.area.estimate.part import Counts, Part, of
from rlcores_lab.cycles import gae as gae_cycles

Parameters = Mapping[str, int]
_ADD = 28  # LUTs of a discounted add, `rlc_gae_dadd`
_WIDE_ADD = 126  # of one with sums of 35 bits
_LOW = 17  # bits of a number that the first of two DSP slices multiplies
_READOUT = 8  # beats that wait to be read


def _wide(p: Parameters) -> int:
    """1 of a core whose products take two DSP slices."""
    return int(p["QBITS"] > QBITS_NARROW)


def banks(p: Parameters) -> int:
    """Memories of the array."""
    return p["LANES"] // p["INTERLEAVE"]


def _stacks(p: Parameters) -> int:
    """Memories of each bank; two where a rollout loads while the one before runs or is read."""
    return p.get("STACKS", 1)


def _slot(p: Parameters) -> int:
    return max(clog2(p["INTERLEAVE"]), 1)


# --- a row ---


def _mac2(addend: int, stages: int) -> int:
    """Flip-flops of `rlc_gae_mac2`: the addend's high part, a clear and the low bits wait for the second DSP slice."""
    return 0 if stages == 1 else _LOW + (stages == 3) + (stages - 1) * max(addend - _LOW, 0)


def _row(p: Parameters) -> Part:
    """`rlc_gae_row`: reward, value, recurrence with its look-ahead, result; kind, tag and valid go beside them."""
    ahead, turns, code, out, tag = p["LOOKAHEAD"], p["INTERLEAVE"], p["QBITS"], p["OUT_BITS"], p["TAG_WIDTH"]
    known, wide, trace = formats(p["DEPTH"], code), _wide(p), p.get("TRACE", 0)
    acc, value, step = known.sums, known.values, 2 + wide
    reward = acc - 2 - clog2(p["DEPTH"])
    loop, delta = min(ahead * turns, step), 3 + wide
    clocks = delta + step * (ahead - 1) + loop
    ff = (4 + wide) * (3 + reward + code + tag) + acc + 2 * delta  # before the recurrence
    ff += (ahead - 1) * ((acc + 1) * turns + step) + max(ahead - 2, 0) * step * (acc + 1) + acc * (ahead * turns - loop)
    ff += 2 * (clocks - delta) + (tag + 1) * clocks
    ff += 2 * acc + 2 + (2 + 2 * wide) * (2 + tag)
    adds, coefficient = ahead, known.coefficient + 1
    if trace:
        # Delta and coefficient wait for the look-ahead, beside which products of coefficients are formed.
        ff += acc * (delta - 1) + coefficient * delta + clocks + 2 + 2 * wide
        ff += (ahead - 1) * coefficient * turns + max(ahead - 2, 0) * step * coefficient
        adds += ahead - 1
    else:
        ff += code * turns + known.fraction + value * clocks
    lut = _ADD * adds
    if wide:
        add = acc + 1 + known.coefficient
        ff += 2 * code + _mac2(0, 3) + (0 if trace else _mac2(acc + known.fraction, 3))
        ff += (adds - 1) * _mac2(add, 3) + _mac2(add, loop)
        ff += 3 + 2 * acc + 3 + 2 * (2 * out + 3)  # two `rlc_shift_sat`
        lut = _WIDE_ADD * adds + 10 * acc
    else:
        ff += 2 + 2 * out
    return Part(lut=lut, ff=ff, dsp=(1 + adds + (not trace)) * (1 + wide))


ROW = Module("rlc_gae_row", _row, lambda p: [1, p["OUT_BITS"], 25 - clog2(p["DEPTH"]), _wide(p)])


# --- its memories and what joins them ---


def _level(p: Parameters) -> int:
    return clog2(p["DEPTH"] + 2) + 1


def _stack(p: Parameters) -> Part:
    words = p["DEPTH"] * p["INTERLEAVE"]
    one = block(2 + 2 * p["QBITS"], words, dual=True)
    return one if p["OUT_BITS"] == p["QBITS"] else one + block(2 * p["OUT_BITS"], words)


def _bank(p: Parameters) -> Part:
    """`rlc_gae_bank`: a stack; of several lanes the records on top are in LUT memory."""
    turns, code = p["INTERLEAVE"], p["QBITS"]
    top = of(distributed(code, turns)) if turns > 1 else Part(ff=code)
    return of(_stack(p), 2 * _level(p) * turns + 2 * turns + 2 + code + p["TAG_WIDTH"]) + top


BANK = Module(
    "rlc_gae_bank",
    _bank,
    # The last: rows of blocks are chosen and decoded.
    lambda p: [1, _level(p) * p["INTERLEAVE"], p["OUT_BITS"] - p["QBITS"], _stack(p).ff],
)


def _xbar_ff(p: Parameters) -> int:
    row = 3 + 2 * p["QBITS"] + p["BANK_WIDTH"] + p["TAG_WIDTH"]
    return p["ROWS"] * row + p["BANKS"] * (3 + 2 * p["OUT_BITS"] + p["TAG_WIDTH"])


def _xbar_lut(p: Parameters) -> list[float]:
    rows, count = p["ROWS"], p["BANKS"]
    word, result = 2 + 2 * p["QBITS"] + p["TAG_WIDTH"], 2 + 2 * p["OUT_BITS"] + p["TAG_WIDTH"]
    return [rows * word * (count - 1) / 4, count * result * (rows - 1), count * (rows - 1)]


XBAR = Module("rlc_gae_xbar", lambda p: Part(ff=_xbar_ff(p)), _xbar_lut)
DISPATCH = Module(
    "rlc_gae_dispatch",
    lambda p: Part(ff=p["INTERLEAVE"] * (clog2(p["BANKS"] + 1) + p["ROWS"] * (1 + p["BANK_WIDTH"]))),
    lambda p: [p["ROWS"] * p["BANK_WIDTH"], p["ROWS"] * p["BANKS"]],
)


def _group(p: Parameters) -> Part:
    """`rlc_gae_group`: rows that pull lanes from the same banks."""
    count, bits = p["BANKS"], max(clog2(p["BANKS"]), 1)
    tag = clog2(p["DEPTH"] * p["INTERLEAVE"])
    row = ROW({**p, "TAG_WIDTH": bits + tag})
    area = row * p["ROWS"] + BANK({**p, "TAG_WIDTH": tag}) * (count * _stacks(p))
    area += XBAR({**p, "BANK_WIDTH": bits, "TAG_WIDTH": tag}) + DISPATCH({**p, "BANK_WIDTH": bits})
    if _stacks(p) > 1:
        area += Part(lut=count * (9 + 2 * p["QBITS"] + 2 * p["OUT_BITS"] + tag))  # of two stacks one answers
    return area + common.delay(p["ROWS"] * (1 + bits), 1) + Part(ff=3)


GROUP = Module("rlc_gae_group", _group, lambda p: [p["BANKS"] + p["ROWS"]])


def _readout(p: Parameters) -> Part:
    """`rlc_gae_readout`: elements of all banks, a beat of them, a queue and the beat that is held back."""
    element, groups = 2 + 2 * p["OUT_BITS"], p["BANKS"] // p["BEAT"]
    beat = _slot(p) + max(clog2(groups), 1) + 16 + p["BEAT"] * element
    ff = 27 + max(clog2(groups), 1) + _slot(p) - (p["INTERLEAVE"] == 1) + (p["BANKS"] + p["BEAT"]) * element + beat
    return common.fifo(beat, _READOUT) + Part(ff=ff)


READOUT = Module(
    "rlc_gae_readout",
    _readout,
    lambda p: [1, p["BEAT"] * (2 + 2 * p["OUT_BITS"]) * (p["BANKS"] // p["BEAT"] - 1) / 4, p["BEAT"], p["BANKS"]],
)
POPCOUNT = Module("rlc_popcount", lambda p: Part(), lambda p: [p["WIDTH"] - 1], lambda p: [p["WIDTH"] - 1])


def _array(p: Parameters) -> Part:
    """`rlc_gae_array`: groups, the reader, the beat that is loaded, counters."""
    groups, beat = p["ROWS"] // p["SPAN"], p["BEAT"]
    slot, bank = _slot(p), max(clog2(banks(p)), 1)
    drain = gae_cycles.fill(p)
    area = GROUP({**p, "ROWS": p["SPAN"], "BANKS": banks(p) // groups}) * groups
    area += READOUT({**p, "BANKS": banks(p)}) + POPCOUNT({"WIDTH": p["ROWS"]})
    return area + Part(ff=beat * (slot + bank + 4 + 2 * p["QBITS"]) + 12 + slot + clog2(drain + 1) + 96)


ARRAY = Module("rlc_gae_array", _array, lambda p: [1, banks(p)])


# --- the passes in and out, and the registers ---

# A beat's elements: counted as yosys counts them, so that their DSP slices and registers need no second reading.
STATS = Module("rlc_gae_stats", lambda p: Part(dsp=4 * p["BEAT"]), features("BEAT"), features("BEAT"))
QUANT = Module(
    "rlc_gae_quant",
    lambda p: Part(dsp=2 * p["BEAT"]),
    lambda p: [1, p["BEAT"], p["BEAT"] * p["QBITS"]],
    lambda p: [1, p["BEAT"], p["BEAT"] * p["QBITS"]],
)
SCALE = Module(
    "rlc_gae_scale", lambda p: Part(), lambda p: [1, p["LOOKAHEAD"], _wide(p)], lambda p: [1, p["LOOKAHEAD"], _wide(p)]
)
REGS = Module("rlc_gae_regs", lambda p: Part(), lambda p: [1, _wide(p)], lambda p: [1, _wide(p)])


def _core(p: Parameters) -> Part:
    """`rlc_gae`."""
    bank = max(clog2(banks(p)), 1)
    loader = p["BEAT"] * (4 + _slot(p) - (p["INTERLEAVE"] == 1) + bank + 2 * p["QBITS"])
    area = ARRAY(p) + STATS({"BEAT": p["BEAT"]}) + QUANT(p) + SCALE(p) + REGS(p)
    area += POPCOUNT({"WIDTH": p["BEAT"]}) * 5 + common.delay(p["BEAT"], 2)
    if _stacks(p) > 1:
        # `rlc_gae_auto_run`, with the counters of two rollouts; and the constants that a run keeps.
        f = formats(p["DEPTH"], p["QBITS"])
        kept = 9 + 2 * f.scale_bits + f.values + 2 * f.sums + 3 * f.fraction + 2 * (f.coefficient + 1)
        area += Part(lut=120, ff=305 + kept)
    return area + Part(ff=loader)


CORE = Module(
    "rlc_gae", _core, lambda p: [1, p["BEAT"] * (p["INTERLEAVE"] - 1), p["BEAT"]], lambda p: [1, p["BEAT"], _wide(p)]
)
# AXI4-Lite: a register file's front end.
AXIL = Module("rlc_axil_regs", lambda p: Part(), features(), features())


def total(parameters: Parameters) -> Counts:
    """Resources of `rlc_gae_axi`."""
    return axi(parameters).counts


def axi(parameters: Parameters) -> Part:
    """The same, as a piece of a larger core."""
    return CORE(parameters) + AXIL({})
