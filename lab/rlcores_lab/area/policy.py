"""Resources of the policy core: multipliers, memories and delays from its Verilog, the rest from Yosys.

A multiplier's registers and adder are in its DSP slice.
"""

from collections.abc import Mapping

from rlcores_lab.area import common
from rlcores_lab.area.estimate.memory import auto, clog2, distributed, read
from rlcores_lab.area.estimate.part import Counts, Part, of
from rlcores_lab.cycles.policy import PolicyShape

_WEIGHT, _X, _SUM = 27, 18, 48  # bits
# Counted by `rlcores synth`.
# An output of a layer: the bias moved to the fraction of the products, the sum narrowed.
_OUT = {18: Part(lut=315, ff=46), 27: Part(lut=337, ff=64)}
_ALIGN = Part(lut=240, ff=106)  # rlc_shift_sat to 27 bits
_GENERATOR = Part(lut=233, ff=160)
_QUANTILE = Part(lut=205, ff=165, dsp=1, bram36=1)
_GUMBEL_SHIFT = Part(lut=170, ff=86)
_SOFTMAX = Part(lut=650, ff=1190, dsp=3, bram36=1)
# The continuous head: quantile, log-deviation, power and product of the noise, tanh, scale; and the density.
_CONTINUOUS = Part(lut=850, ff=1250, dsp=6, bram36=1.5)
_DENSITY = Part(lut=1003, ff=1878, dsp=7, bram36=1.5)
_CONTROL = Part(lut=330, ff=215)
_COUNTER = Part(lut=20, ff=40)  # and the sum in front of its register


def _layer(s: PolicyShape, layer: int) -> Part:
    inputs, outputs = s.lanes[layer - 1], s.lanes[layer]
    words_in, words_out, groups = s.words[layer - 1], s.words[layer], s.forward[layer - 1]
    folds = s.folds(layer)
    bits = 1 + (clog2(folds) if folds > 1 else 0) + max(clog2(words_in), 1)
    out_bits = max(clog2(folds * groups), 1)
    macs = groups * inputs * outputs
    area = read(_WEIGHT, 1 << bits, macs) + of(auto(_WEIGHT, 2 << out_bits), _WEIGHT) * outputs
    area += Part(dsp=1) * macs
    taps = groups + inputs - 1
    area += Part(ff=_X * (inputs * (inputs + 1) / 2 + inputs * (groups - 1)) + bits * taps * (taps - 1) / 2)
    area += Part(ff=4 * (taps + 3) + s.update_rows[layer - 1] * s.update_cols[layer - 1] * _WEIGHT + 40)
    area += Part(ff=_WEIGHT * outputs * s.operands)  # of the biases; the others are in the DSP slices
    if folds > 1:
        area += distributed(inputs * _X, 1 << max(clog2(words_in), 1)) + Part(lut=inputs * _X)
    if groups > 1:
        area += Part(ff=outputs * _SUM, lut=outputs * _SUM * groups / 3)
    width = s.output_width if layer == s.layers else _X
    area += _OUT[width] * outputs
    area += Part(lut=60, ff=40 + 4 * clog2(words_in * words_out + 1)) + _COUNTER
    return area


def total(parameters: Mapping[str, int | str]) -> Counts:
    """Resources of `rlc_policy`."""
    s = PolicyShape.of(parameters)
    area = sum((_layer(s, layer) for layer in range(1, s.layers + 1)), Part())
    passes = (s.pass_clocks + s.noise_wait + s.lanes[-1]) // s.interval + 2
    acts = (s.act_clocks + 2) // s.interval + 2
    area += _CONTROL + _GENERATOR + _COUNTER * 4
    area += common.fifo(18 * s.actions if s.continuous else 8, acts) + common.credit(acts)
    if s.continuous:
        depth = s.actions * ((s.pass_clocks + s.noise_wait + s.lanes[-1] + 4) // s.interval + 2) + 1
        area += _CONTINUOUS + common.fifo(28, depth) + common.fifo(19, depth)
        area += Part(ff=(2 * _WEIGHT + 18) * s.actions, lut=_WEIGHT * s.actions)
        if s.logp:
            area += _DENSITY + common.fifo(24, depth) + common.fifo(_WEIGHT * s.actions, 25 // s.actions + 3)
            area += Part(ff=_WEIGHT * s.actions)
    else:
        area += _QUANTILE + _GUMBEL_SHIFT + common.fifo(39, s.actions * passes + 1)
    if s.words[0] == 1:
        area += Part(ff=_X * s.lanes[0])
    else:
        area += distributed(_X * s.lanes[0], 2 << clog2(s.words[0]))
    area += Part(ff=s.output_width * (s.lanes[-1] - 1 + s.noise_wait), lut=s.output_width)
    if s.logp:
        places = (s.log_clocks + 2) // s.interval + 2
        area += common.fifo(_WEIGHT * (1 + s.actions * s.continuous), places) + common.credit(places)
        if not s.continuous:
            area += _SOFTMAX + _ALIGN
    return area.counts
