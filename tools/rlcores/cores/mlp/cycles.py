"""Clocks of rlc_mlp, counted; the same functions as in rtl/mlp/rlc_mlp_defs.vh."""

from rlcores.cores.mlp import activations, norm
from rlcores.cores.mlp.shape import MlpShape


def tree_clocks(cols: int) -> int:
    """Registers of the tree that adds `cols` products, two levels a clock."""
    return ((cols - 1).bit_length() + 1) // 2


def depth(shape: MlpShape, layer: int) -> int:
    """Clocks from the last step of a group of rows in a layer (from 0) to the first step that may read its results."""
    slowest = max(activations.CLOCKS[kind] for kind in shape.kinds)
    through = slowest + 1 if shape.kinds[layer] in activations.UNITS else 0
    return 6 + tree_clocks(shape.cols) + (shape.rows > shape.acts) + through


def slot(shape: MlpShape, layer: int) -> int:
    """Clocks from one group of rows to the next."""
    return max(shape.pieces(shape.sizes[layer], shape.cols), shape.rows // shape.acts)


def ready(shape: MlpShape, layer: int, result: int) -> int:
    """Clocks from a layer's first step to the first step that may read one of its results (from 0)."""
    words = shape.pieces(shape.sizes[layer], shape.cols)
    after = words - 1 + depth(shape, layer)
    if shape.norms[layer] is None:
        return (result // shape.rows) * slot(shape, layer) + after + (result % shape.rows) // shape.acts
    groups = shape.pieces(shape.sizes[layer + 1], shape.rows)
    whole = (groups - 1) * slot(shape, layer) + after + shape.rows // shape.acts - 1
    return whole + norm.CLOCKS + tree_clocks(shape.acts) + result // shape.acts


def starts(shape: MlpShape) -> list[int]:
    """Clock of each layer's first step, the first layer's at 0."""
    clocks = [0]
    for layer in range(shape.layers - 1):
        words, groups = shape.pieces(shape.sizes[layer], shape.cols), shape.pieces(shape.sizes[layer + 1], shape.rows)
        begin = clocks[-1] + (groups - 1) * slot(shape, layer) + words  # the array is free
        outputs = groups * shape.rows if shape.norms[layer] is None else shape.sizes[layer + 1]
        for j in range(shape.pieces(shape.sizes[layer + 1], shape.cols)):
            last = min((j + 1) * shape.cols, outputs) - 1
            begin = max(begin, clocks[-1] + ready(shape, layer, last) - j)
        clocks.append(begin)
    return clocks


def answer(shape: MlpShape) -> int:
    """Clocks from an observation's last word at `s_obs` to its action at `m_act`, counted from edge to edge.

    >>> formats = dict(in_frac=5, act_fracs=(5, 5, 5), weight_fracs=(6, 6, 6), bias_fracs=(11, 11, 11), unit_frac=10)
    >>> array = dict(weight_width=8, act_width=8, rows=16, cols=16, acts=16)
    >>> answer(MlpShape((4, 64, 64, 2), ("relu", "relu", "identity"), **formats, **array))
    39
    """
    outputs = shape.sizes[-1]
    return starts(shape)[-1] + ready(shape, shape.layers - 1, outputs - 1) + 1 + (outputs if shape.argmax else 0)


def interval(shape: MlpShape) -> int:
    """Clocks from an observation's last word to the first word of the next one, if the action is taken at once."""
    return answer(shape) + 1


def dsps(shape: MlpShape) -> int:
    """Multipliers of the array, of the activation units and of the normalisation."""
    units = {"leaky_relu": 1, "tanh": 1, "sigmoid": 1, "elu": 1, "silu": 2, "scaled_elu": 2}
    array = {"one": shape.rows * shape.cols, "pair": (shape.rows + 1) // 2 * shape.cols, "lut": 0}[shape.multiplier]
    each = sum(units.get(kind, 0) for kind, _ in set(zip(shape.kinds, shape.slopes, strict=True)))
    normalised = any(norm is not None for norm in shape.norms)
    return array + shape.acts * (each + (2 if normalised else 0)) + (1 if normalised else 0)
