"""What travels of experiences and of weights: docs/net_learner.md.

A record is the experience as a memory with beats of 64 bits would hold it. A set of weights is a text: layer by layer
the groups of the learner's weight bus, each filled up to a power of two of words of 64 bits, two weights a word.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.format import WEIGHT_FRAC
from rlcores.cores.learner.layout import Matrices, WeightLayout
from rlcores.cores.learner.shape import LearnerShape, NetworkShape
from rlcores.cores.replay_learner.records import RecordLayout
from rlcores.errors import UserError

BEAT = 64  # bits


def acting(shape: LearnerShape) -> NetworkShape:
    """The network that acts: the actor, if there is one."""
    return shape.actor or shape.value


def record_bytes(shape: LearnerShape) -> int:
    """Bytes of a record, a multiple of 8."""
    return RecordLayout(shape, BEAT).beats * BEAT // 8


def to_records(shape: LearnerShape, rows: np.ndarray) -> np.ndarray:
    """Bytes of records, uint8 (n, record_bytes), from experiences as the core takes them, uint32 (n, elements)."""
    return RecordLayout(shape, BEAT).to_memory(np.asarray(rows, np.uint32))


def from_records(shape: LearnerShape, data: np.ndarray) -> np.ndarray:
    """Experiences, uint32 (n, elements), from the bytes of records, uint8 (n, record_bytes)."""
    return RecordLayout(shape, BEAT).from_memory(data)


def _places(network: NetworkShape) -> np.ndarray:
    """Where in the text, in weights, each word of a plane's stream stands."""
    parts, at = [], 0
    for layer in range(1, network.layers + 1):
        lanes = network.update_lanes(layer)
        groups = network.weight_groups(layer) + network.bias_groups(layer)
        room = 2 << (-(-lanes // 2) - 1).bit_length()
        parts.append((at + room * np.arange(groups)[:, None] + np.arange(lanes)).reshape(-1))
        at += room * groups
    return np.append(np.concatenate(parts), at)


def text_bytes(network: NetworkShape) -> int:
    """Bytes of a set of weights."""
    return 4 * int(_places(network)[-1])


def placed(network: NetworkShape, stream: np.ndarray) -> np.ndarray:
    """The words of 32 bits of a text, from those of a plane's stream."""
    *places, total = _places(network).tolist()
    words = np.zeros(total, "<i4")
    words[places] = stream
    return words


def to_text(network: NetworkShape, matrices: Matrices) -> bytes:
    """The text of weights, codes (W, b) layer by layer, sfix(27,22)."""
    return placed(network, WeightLayout(network).to_stream(matrices)).tobytes()


def from_text(network: NetworkShape, text: bytes) -> Matrices:
    """Codes (W, b), int64, layer by layer, of a text. Raises UserError when it is not one of this network."""
    *places, total = _places(network).tolist()
    if len(text) != 4 * total:
        raise UserError(f"the weights have {len(text)} bytes; those of this network have {4 * total}")
    return WeightLayout(network).from_stream(np.frombuffer(text, "<i4").astype(np.int64)[places])


def state_dict(parameters: Mapping[str, int | str], text: bytes) -> dict[str, Any]:
    """The weights of the network that acts by PyTorch's names, float64, exact, from what get_weights() gives.

    parameters: the core's, as rlcores.eda.configs.load gives them. Raises UserError when the text is another
    network's.
    """
    return learner_state.to_state(from_text(acting(LearnerShape.of(parameters)), text), WEIGHT_FRAC)
