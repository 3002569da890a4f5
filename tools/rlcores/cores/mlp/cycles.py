"""Clocks of rlc_mlp, counted; the same functions as in rtl/mlp/rlc_mlp_defs.vh."""

from rlcores.cores.mlp import activations
from rlcores.cores.mlp.shape import Shape


def tree_clocks(cols: int) -> int:
    """Registers of the tree that adds `cols` products, two levels a clock."""
    return ((cols - 1).bit_length() + 1) // 2


def depth(shape: Shape, layer: int) -> int:
    """Clocks from the last step of a group of rows in a layer (from 0) to the first step that may read its results."""
    slowest = max(activations.CLOCKS[kind] for kind in shape.kinds)
    through = slowest + 1 if shape.kinds[layer] in activations.UNITS else 0
    return 6 + tree_clocks(shape.cols) + (shape.rows > shape.acts) + through


def slot(shape: Shape, layer: int) -> int:
    """Clocks from one group of rows to the next."""
    return max(shape.pieces(shape.sizes[layer], shape.cols), shape.rows // shape.acts)


def starts(shape: Shape) -> list[int]:
    """Clock of each layer's first step, the first layer's at 0."""
    found = [0]
    for layer in range(shape.layers - 1):
        words, groups = shape.pieces(shape.sizes[layer], shape.cols), shape.pieces(shape.sizes[layer + 1], shape.rows)
        begin = found[-1] + (groups - 1) * slot(shape, layer) + words  # the array is free
        for j in range(shape.pieces(shape.sizes[layer + 1], shape.cols)):
            last = min((j + 1) * shape.cols, groups * shape.rows) - 1
            done = (last // shape.rows) * slot(shape, layer) + words - 1 + depth(shape, layer)
            begin = max(begin, found[-1] + done + (last % shape.rows) // shape.acts - j)
        found.append(begin)
    return found


def answer(shape: Shape) -> int:
    """Clocks from an observation's last word at `s_obs` to its action at `m_act`, counted from edge to edge.

    >>> formats = dict(in_frac=5, act_fracs=(5, 5, 5), weight_fracs=(6, 6, 6), bias_fracs=(11, 11, 11), unit_frac=10)
    >>> array = dict(weight_width=8, act_width=8, rows=16, cols=16, acts=16)
    >>> answer(Shape((4, 64, 64, 2), ("relu", "relu", "identity"), **formats, **array))
    39
    """
    last = shape.layers - 1
    words, outputs = shape.pieces(shape.sizes[last], shape.cols), shape.sizes[-1]
    groups = shape.pieces(outputs, shape.rows)
    end = starts(shape)[-1] + (groups - 1) * slot(shape, last) + words - 1 + depth(shape, last)
    end += ((outputs - 1) % shape.rows) // shape.acts
    return end + 1 + (outputs if shape.argmax else 0)


def interval(shape: Shape) -> int:
    """Clocks from an observation's last word to the first word of the next one, if the action is taken at once."""
    return answer(shape) + 1


def dsps(shape: Shape) -> int:
    """Multipliers of the array and of the activation units."""
    units = {"leaky_relu": 1, "tanh": 1, "sigmoid": 1, "elu": 1, "silu": 2}
    return shape.rows * shape.cols + shape.acts * sum(units.get(kind, 0) for kind in set(shape.kinds))
