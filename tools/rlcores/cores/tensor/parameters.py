"""A layer's parameters as the update unit keeps them: groups of `side` weights, in the order of rlc_tensor_groups.

>>> shape, layer = TensorShape(side=2, blocks=1), Matrix(0, outputs=2, inputs=3, bias=0)
>>> groups_of(shape, layer, np.arange(6).reshape(2, 3), np.array([7, 8])).tolist()
[[0, 1], [3, 4], [2, 0], [5, 0], [7, 8]]
"""

import numpy as np

from rlcores.cores.tensor.program import Matrix, TensorShape
from rlcores.cores.tensor.words import UPDATE, UPDATES


def group_count(shape: TensorShape, layer: Matrix) -> int:
    """Groups of a layer, biases included."""
    return layer.rows(shape) * (layer.row(shape) * shape.side + 1)


def groups_of(shape: TensorShape, layer: Matrix, w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(groups, side) of weights (outputs, inputs) and biases (outputs,), padded with 0."""
    side, rows, row = shape.side, layer.rows(shape), layer.row(shape)
    padded = np.zeros((rows * side, row * side), np.int64)
    padded[: layer.outputs, : layer.inputs] = w
    biases = np.zeros(rows * side, np.int64)
    biases[: layer.outputs] = b
    blocks = padded.reshape(rows, side, row, side).swapaxes(1, 2)
    return np.concatenate([blocks.reshape(-1, side), biases.reshape(-1, side)])


def of_groups(shape: TensorShape, layer: Matrix, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reverse of groups_of()."""
    side, rows, row = shape.side, layer.rows(shape), layer.row(shape)
    count = rows * row * side
    blocks = groups[:count].reshape(rows, row, side, side).swapaxes(1, 2)
    return (
        blocks.reshape(rows * side, row * side)[: layer.outputs, : layer.inputs],
        groups[count:].reshape(-1)[: layer.outputs],
    )


def update(
    shape: TensorShape,
    layer: Matrix,
    *,
    kind: int = UPDATES,
    plane: int = 0,
    grad_base: int = 0,
    grad_bias: int = 0,
    grad_frac: int = 0,
    first: int = 0,
    target: Matrix | None = None,
    target_first: int = 0,
    sync: bool = False,
    id: int = 0,
) -> int:
    """A command of the update unit, as bits: a layer's update, or with kind LOAD or READ, a plane's move.

    first, target_first: where the layer's groups begin. target: where its target network's blocks lie.
    Raises ValueError: a field does not hold its number.
    """
    to = target or layer
    return UPDATE.pack_whole(
        id=id,
        kind=kind,
        plane=plane,
        sync=int(sync),
        grad_frac=grad_frac,
        rows=layer.rows(shape),
        blocks=layer.row(shape),
        grad_base=grad_base,
        grad_bias=grad_bias,
        first=first,
        target_first=target_first,
        weight_base=layer.base,
        weight_bias=layer.bias,
        target_base=to.base,
        target_bias=to.bias,
    )
