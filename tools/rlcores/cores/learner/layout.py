"""The order in which host streams of the learner core carry weights, and which of them there are.

Layer l = 1 … M has weights (N_l, N_{l-1}), kept in groups of JB_l = UPDATE_ROWS rows by IB_l = UPDATE_COLS columns. A
stream brings the groups of a layer in the order (word of rows, group of rows, word of columns, group of columns), the
last one fastest, then its bias groups in the order (word of rows, group of rows); layer after layer, JB_l * IB_l words
a group, row by row. Bias groups have their values in column 0. What lies beyond a matrix is 0.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rlcores.cores.common.fixed import limits
from rlcores.cores.learner.format import POLYAK_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.optimisers import ALL
from rlcores.cores.learner.shape import LearnerShape, NetworkShape

Matrices = list[tuple[np.ndarray, np.ndarray]]  # (W_l (N_l, N_{l-1}), b_l (N_l,)), l = 1 … M

# Planes of a weight memory, as the core's registers number them: weights, target weights, first moment (momentum's
# velocity), second moment.
WEIGHTS, TARGET, MOMENT, SQUARES = range(4)
STATE = MOMENT  # the first of the optimiser's


def numbers(sizes: Sequence[int]) -> int:
    """How many weights and biases a network of these sizes has."""
    return sum((m + 1) * n for m, n in pairwise(sizes))


def split(flat: np.ndarray, sizes: Sequence[int]) -> Matrices:
    """Views of one vector that holds a network layer by layer: weights row by row, then biases."""
    pairs, at = [], 0
    for m, n in pairwise(sizes):
        pairs.append((flat[at : at + n * m].reshape(n, m), flat[at + n * m : at + n * m + n]))
        at += n * m + n
    return pairs


def flatten(matrices: Matrices) -> np.ndarray:
    """The same vector from (W, b) layer by layer."""
    return np.concatenate([np.asarray(x).reshape(-1) for pair in matrices for x in pair])


def planes(shape: LearnerShape) -> tuple[int, ...]:
    """The planes that a core's weight memories have."""
    return (WEIGHTS, TARGET, MOMENT, SQUARES)[: STATE + len(ALL[shape.optimiser].state)]


def plane_range(plane: int, optimiser: int, polyak: bool) -> tuple[int, int]:
    """The least and the greatest integer of a plane."""
    if plane >= STATE:
        state = ALL[optimiser].state
        return state[plane - STATE].range if plane - STATE < len(state) else (0, 0)
    bits = WEIGHT_WIDTH
    if plane == TARGET and polyak:
        bits += POLYAK_FRAC  # averaging needs more fraction bits than a weight has
    return limits(bits)


def value_columns(shape: LearnerShape) -> np.ndarray:
    """Which inputs of the value network carry numbers, int64: the state's, then (DDPG) the action's behind whole words.

    The others are padding; their columns of the first layer are 0.
    """
    state = np.arange(shape.state_size)
    action = shape.state_words * shape.value.lanes[0] + np.arange(shape.action_size)
    return np.concatenate([state, action])


class WeightLayout:
    """The stream order of one network's planes."""

    def __init__(self, network: NetworkShape) -> None:
        self.network = network
        self.shapes = [(n, m) for m, n in zip(network.sizes[:-1], network.sizes[1:], strict=True)]
        self._order = self._places()

    @property
    def beats(self) -> int:
        """Words of 64 bits that a plane has."""
        return len(self._order)

    @property
    def count(self) -> int:
        """Weights and biases of the network."""
        return numbers(self.network.sizes)

    def matrices(self, flat: np.ndarray) -> Matrices:
        """(W, b) layer by layer, views of a flat vector."""
        return split(flat, self.network.sizes)

    def indices(self, layer: int) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each stream word of layer 1 … M, int64 each; column -1 is the bias, row -1 is padding."""
        net = self.network
        n, m = net.sizes[layer], net.sizes[layer - 1]
        jb, ib = net.update_rows[layer - 1], net.update_cols[layer - 1]
        j = np.arange(net.words[layer] * net.lanes[layer]).reshape(-1, 1, jb, 1)
        i = np.arange(net.words[layer - 1] * net.lanes[layer - 1]).reshape(1, -1, 1, ib)
        rows, columns = (x.reshape(-1) for x in np.broadcast_arrays(j, i))
        rows = np.where(columns < m, rows, -1)
        bias_rows = np.where(np.arange(ib) == 0, j.reshape(-1, 1), -1).reshape(-1)
        rows = np.concatenate([rows, bias_rows])
        columns = np.concatenate([columns, np.full(bias_rows.size, -1)])
        return np.where(rows < n, rows, -1), columns

    def _places(self) -> np.ndarray:
        """For each stream word the place of its value among all weights and biases, layer by layer; -1 for none."""
        places, base = [], 0
        for layer, (n, m) in enumerate(self.shapes, 1):
            rows, columns = self.indices(layer)
            place = base + np.where(columns >= 0, rows * m + columns, n * m + rows)
            places.append(np.where(rows >= 0, place, -1))
            base += n * m + n
        return np.concatenate(places)

    def to_stream(self, matrices: Matrices) -> np.ndarray:
        """The stream of one plane, int64 (beats,), from (W, b) layer by layer.

        Raises ValueError when a shape is not the network's.
        """
        for layer, (shape, (w, b)) in enumerate(zip(self.shapes, matrices, strict=True), 1):
            if np.shape(w) != shape or np.shape(b) != shape[:1]:
                raise ValueError(f"layer {layer} has shapes {np.shape(w)} and {np.shape(b)}; the network's is {shape}")
        # The last place is the zero of the padding.
        return np.append(flatten(matrices).astype(np.int64), 0)[self._order]

    def from_stream(self, stream: np.ndarray) -> Matrices:
        """(W, b) layer by layer, int64, from the stream of one plane. Raises ValueError when its length is wrong."""
        if np.shape(stream) != (self.beats,):
            raise ValueError(f"the stream has shape {np.shape(stream)}; a plane of this network has {self.beats} words")
        flat = np.zeros(numbers(self.network.sizes), np.int64)
        held = self._order >= 0
        flat[self._order[held]] = np.asarray(stream, np.int64)[held]
        return split(flat, self.network.sizes)
