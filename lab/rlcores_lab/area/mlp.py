"""Resources of rlc_mlp: multipliers, memories and registers from its Verilog, the rest as Yosys counted it."""

from collections.abc import Mapping

from rlcores.cores.mlp import activations, cycles
from rlcores.cores.mlp.shape import OUT_WIDTH, MlpShape
from rlcores_lab.area.estimate.memory import clog2, distributed, lanes
from rlcores_lab.area.estimate.part import Counts, Part, of

# Counted by `rlcores synth`, as everything here that is no product of widths.
_UNITS = {
    "leaky_relu": Part(lut=60, ff=60),
    "tanh": Part(lut=97, ff=91, bram36=0.5),
    "sigmoid": Part(lut=120, ff=110, bram36=0.5),
    "elu": Part(lut=66, ff=177, bram36=0.5),
    "silu": Part(lut=160, ff=230, bram36=0.5),
    "scaled_elu": Part(lut=126, ff=237, bram36=0.5),
}
_LAYER = Part(lut=25)  # limits and shifts of a layer, in each result's way out
_WAY = Part(lut=135, ff=36)
_ROUNDED = Part(lut=30)  # behind a layer's unit
_SCHEDULE = Part(lut=110, ff=71)
_LOAD = Part(lut=46, ff=11)
_NORM, _NORM_LANE = Part(lut=450, ff=450, bram36=0.5), Part(lut=275, ff=215)


def _memory(parts: int, depth: int) -> Part:
    """`rlc_mlp_memory`: a block RAM has the first register of what is read."""
    memory_part = lanes(0, parts, 32, depth)
    return of(memory_part, 32 * parts * (1 if memory_part.bram36 else 2))


def _tree(cols: int, width: int) -> Part:
    levels = clog2(cols)
    kept = sum(cols >> level for level in range(1, levels + 1) if level % 2 == 0 or level == levels)
    return Part(lut=(cols - 1) * (width + 1), ff=kept * width)


def _products(s: MlpShape) -> Part:
    """The registers behind the multipliers, or the adders in their place; of the whole array."""
    width = s.weight_width + s.act_width
    each = Part(ff=width)
    if s.multiplier == "lut":
        each += Part(lut=s.weight_width * (s.act_width + 1) - 1)
    if s.multiplier == "pair":
        each += Part(lut=s.weight_width + s.act_width / 2)
    return each * (s.rows * s.cols)


def _array(s: MlpShape, width: int) -> Part:
    rows = _tree(s.cols, width) + Part(lut=width, ff=width)
    return _products(s) + rows * s.rows + Part(lut=s.cols * s.act_width, ff=4)


def _way_out(s: MlpShape) -> Part:
    """`rlc_mlp_activate`, one of `acts`."""
    units = [kind for kind, _ in set(zip(s.kinds, s.slopes, strict=True)) if kind in _UNITS]
    area = _WAY + _LAYER * (s.layers + any(norm is not None for norm in s.norms))
    if units:
        slowest = max(activations.CLOCKS[kind] for kind in units)
        waits = sum(slowest - activations.CLOCKS[kind] for kind in units)
        area += sum((_UNITS[kind] for kind in units), Part(ff=OUT_WIDTH * waits))
        area += _ROUNDED * sum(kind in _UNITS for kind in s.kinds)
    return area


def _delays(s: MlpShape) -> Part:
    tree, slowest = cycles.tree_clocks(s.cols), max(activations.CLOCKS[kind] for kind in s.kinds)
    bits = clog2(s.groups) * (1 + tree) + 3 * (3 + tree) + 2 * (s.cols + 2) + 14 * (4 + tree)
    return Part(ff=bits + 13 + 17 * (slowest + 1))


def total(parameters: Mapping[str, str | int]) -> Counts:
    """Resources of `rlc_mlp`."""
    s, width = MlpShape.of(parameters), int(parameters["SUM_WIDTH"])
    outputs = s.sizes[-1]
    normed = any(norm is not None for norm in s.norms)
    words = max(s.pieces(size, s.cols) for size in s.sizes)
    area = _array(s, width) + _way_out(s) * s.acts + _delays(s) + _SCHEDULE
    area += _memory(s.weight_parts, 2 * s.steps) + _memory(s.rows, 2 * s.groups)
    element = distributed(s.acts * s.act_width, 2 << max(clog2(words), 1)) * (s.cols // s.acts)
    area += of(element, 2 * s.cols * s.act_width)
    area += _LOAD + Part(lut=s.rows + s.weight_parts + s.acts * normed * 2, ff=clog2(s.groups) + clog2(s.steps))
    # Biases by layer, and the sums that wait for their turn.
    area += Part(lut=20 + s.rows * width, ff=s.pieces(outputs, s.acts) * s.acts * OUT_WIDTH)
    if s.rows > s.acts:
        area += Part(lut=s.rows * width, ff=s.rows * width)
    if normed:
        area += _memory(s.acts, 2 * s.norm_pieces) + _NORM + _NORM_LANE * s.acts
    if s.argmax:
        area += Part(lut=OUT_WIDTH * outputs + 14, ff=OUT_WIDTH * outputs + 21)
    return (area + Part(dsp=cycles.dsps(s))).counts
