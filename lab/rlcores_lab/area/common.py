"""What the modules of rtl/common take: registers and memories counted from their Verilog, control from measurements."""

from itertools import pairwise

from rlcores_lab.area.estimate.memory import clog2, distributed
from rlcores_lab.area.estimate.part import Part, of


def delay(width: int, clocks: int) -> Part:
    """`rlc_delay`; never in shift-register LUTs."""
    return Part(ff=width * clocks)


def delay_ram(width: int, clocks: int) -> Part:
    """`rlc_delay_ram`: LUT memory, its output register and an address that counts round."""
    if clocks < 4:
        return delay(width, clocks)
    bits = clog2(clocks - 1)
    return of(distributed(width, clocks - 1), width + bits) + Part(lut=bits + (bits > 2))


def fifo(width: int, depth: int) -> Part:
    """`rlc_fifo` in LUT memory: three addresses, a count, two handshake bits."""
    bits = clog2(depth) if depth > 2 else 1
    return of(distributed(width, depth), 3 * bits + clog2(depth + 1) + 2) + Part(lut=8 * bits + 6)


def fifo_async(width: int, depth_log2: int, stages: int) -> Part:
    """`rlc_fifo_async`: LUT memory, pointers in both clocks, in Gray code and across."""
    bits = depth_log2 + 1
    return of(distributed(width, 1 << depth_log2), 2 * bits * (2 + stages)) + Part(lut=6 * bits - 4)


def skid(width: int) -> Part:
    """`rlc_skid`: two words and a multiplexer."""
    return Part(lut=width + 3, ff=2 * width + 2)


def credit(places: int) -> Part:
    """`rlc_credit`: a counter up and down."""
    bits = clog2(places + 1)
    return Part(lut=3 * bits + 1, ff=bits + 1)


def umul(width_a: int, width_b: int, c_reg: int = 0) -> Part:
    """`rlc_umul`: a chain of DSP slices; operands that wait for their link, product bits that are early."""
    chunks_b = -(-width_b // 17)
    links = -(-width_a // 26) * chunks_b
    weight = [k // chunks_b * 26 + k % chunks_b * 17 for k in range(links)]
    early = sum((b - a) * (links - 1 - k) for k, (a, b) in enumerate(pairwise(weight)))
    return Part(ff=(1 + c_reg) * ((links - 1) * (width_a + width_b) + early), dsp=links)
