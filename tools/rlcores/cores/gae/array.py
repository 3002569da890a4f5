"""GAE core, integer model of the array: stacks of codes in, advantage and return codes out. Bit for bit the RTL.

Units: u = 2**-SHIFT of a reward step (docs/gae.md, "Numbers"). All lanes are computed side by side, backwards in
time; int64 holds every intermediate (the widest is a 62-bit product).
"""

from dataclasses import dataclass

import numpy as np

from rlcores.cores.common.fixed import fits, round_shift, saturate
from rlcores.cores.gae.scale import NONE, STEP, Derived, GaeFormats, Scales, formats

DROP_MAX = 31  # of the register OUT_DROP


def out_drop(depth: int, qbits: int, out_bits: int) -> int:
    """Low bits of u that an output code leaves out: a code is 2**(out_drop - SHIFT) reward steps.

    Of a narrow core for ever; of a wide one the value after reset of its register OUT_DROP: nothing saturates.
    """
    known = formats(depth, qbits)
    # A return has one bit more than the sums.
    return known.sums + 1 - out_bits if known.wide else max(1, known.shift_max - (out_bits - qbits) // 2)


@dataclass(frozen=True)
class GaeArrayResults:
    """Outputs of a run, shape (lanes, records), 0 where the record is not a step.

    advantages, returns: codes of OUT_BITS. exact_advantages, exact_values: A and v in u before the output quantiser.
    saturated: how many records had a code clipped.
    """

    advantages: np.ndarray
    returns: np.ndarray
    exact_advantages: np.ndarray
    exact_values: np.ndarray
    saturated: int


def discounted_add(x: np.ndarray, a: np.ndarray, keep: np.ndarray, b: int | np.ndarray, fraction: int) -> np.ndarray:
    """x + c*a rounded to u where keep, else x; b = (c - 1) * 2**fraction (rlc_gae_dadd)."""
    return np.where(keep, x + a + round_shift(a * b, fraction), x)


def run(
    kinds: np.ndarray,
    rewards: np.ndarray,
    values: np.ndarray,
    shift: int,
    drop: int,
    scales: Scales,
    derived: Derived,
    lookahead: int,
    out_bits: int,
    known: GaeFormats,
    trace: bool = False,
) -> GaeArrayResults:
    """Generalised advantages of stacked records (Taha and Abdelhadi 2025, eq. 2, 4, 5, 10; docs/gae.md).

    kinds, rewards, values: shape (lanes, records) in push order; kinds NONE pads short lanes at the end; rewards and
    values are codes. shift: SHIFT register; drop: out_drop(...) or the register OUT_DROP; known: the core's formats.
    trace: of a core with TRACE, where values hold the steps' coefficients: A = r + c*A_next, and exact_values are 0.
    Raises OverflowError when a sum leaves its width, which the bounds of docs/gae.md exclude for legal registers.
    """
    kinds, codes = np.asarray(kinds), np.asarray(values, dtype=np.int64)
    step, keep = (kinds & 1) == 1, kinds == STEP
    r = np.asarray(rewards, dtype=np.int64) << shift
    fraction, coefficient = known.fraction, known.coefficient
    value_offset = scales.value_offset + (1 << (fraction - 1))
    v = (codes * scales.value_scale + value_offset) >> fraction
    v[kinds == NONE] = 0
    if not fits(v, known.values):
        raise OverflowError(f"a de-quantised value needs more than {known.values} bits")

    if trace:
        # c - 1, clipped to a c of 0 to 1.
        b = np.clip(v, -1 << coefficient, 0)
        outside = keep & (b != v)
        delta = r + (derived.k_cut >> fraction)
        v = np.zeros_like(v)
    else:
        outside = np.zeros(kinds.shape, bool)
        # Behind the last record of a lane there is none.
        code_next = np.pad(np.where(kinds == NONE, 0, codes), ((0, 0), (0, 1)))[:, 1:]
        constant = np.where(keep, derived.k_keep, derived.k_cut)
        delta = (np.where(keep, code_next * derived.s_vn, 0) + ((r - v) << fraction) + constant) >> fraction
    delta = np.where(step, delta, 0)

    lanes, records = kinds.shape
    advantage = np.zeros(kinds.shape, dtype=np.int64)
    # Of the records popped 1, 2, ... lookahead before: D_j, g_j, of a core with TRACE c_t*...*c_(t+j-1) - 1; and A.
    zeros, no = np.zeros(lanes, dtype=np.int64), np.zeros(lanes, dtype=bool)
    d_next = [zeros] * lookahead
    g_next = [no] * lookahead
    p_next = [zeros] * lookahead
    a_ago = [zeros] * lookahead
    for t in range(records - 1, -1, -1):
        present, goes_on = kinds[:, t] != NONE, keep[:, t]
        b_step = b[:, t] if trace else derived.b_step
        d, g, p = [delta[:, t]], [goes_on], [b[:, t] if trace else zeros]
        for j in range(1, lookahead):
            d.append(discounted_add(delta[:, t], d_next[j - 1], goes_on, b_step, coefficient))
            g.append(goes_on & g_next[j - 1])
            p.append(discounted_add(p[0], p_next[j - 1], g[j], b_step, coefficient))
        a = discounted_add(d[-1], a_ago[-1], g[-1], p[-1] if trace else derived.b_loop, coefficient)
        if not (fits(a, known.sums) and all(fits(x, known.sums) for x in d)):
            raise OverflowError(f"a sum of the array needs more than {known.sums} bits")
        advantage[:, t] = a
        # A lane that has not begun keeps its start; its first record, a BOOT, cuts off what was there.
        d_next, g_next, p_next = (
            [np.where(present, new, old) for new, old in zip(now, before, strict=True)]
            for now, before in ((d, d_next), (g, g_next), (p, p_next))
        )
        a_ago = [np.where(present, a, a_ago[0]), *a_ago[:-1]]

    wide = [np.where(step, round_shift(x, drop), 0) for x in (advantage, advantage + v)]
    results = [saturate(x, out_bits) for x in wide]
    saturated = (results[0] != wide[0]) | (results[1] != wide[1]) | outside
    advantage = np.where(step, advantage, 0)
    return GaeArrayResults(results[0], results[1], advantage, v, int(saturated.sum()))
