"""Forward passes of four layers of 1,024 neurons over the batch: Zhang's (2022) Figure 5.3.

On the processor NumPy in float32, one thread; on the FPGA the matrix unit of `rlcores:tensor:tensor` that trains such
networks, by its count of clocks.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.tensor.program import TensorShape
from rlcores.cores.tensor.steps import Step, TensorLayout
from rlcores.eda.boards import Board, Clock
from rlcores_lab.bench import peer
from rlcores_lab.mapping.workloads import CPU, FPGA

SIZES = (23, 1024, 1024, 1024, 1)  # a critic of HalfCheetah's 17 numbers and 6 actions
BATCHES = tuple(1 << n for n in range(11))
UNIT = TensorShape(side=8, blocks=4)  # 2,048 multipliers: one die of a U200


@dataclass(frozen=True)
class Forward:
    """Seconds of a forward pass over the batch."""

    device: str
    title: str
    how: str  # measured or model
    seconds: dict[int, float]


def processor(
    seconds: float, step: Callable[[str], None] = lambda what: None, batches: Sequence[int] = BATCHES, seed: int = 0
) -> Forward:
    """NumPy here: the least processor time of the repeats in `seconds`."""
    rng = np.random.default_rng(seed)
    network = FloatNetwork(SIZES)
    network.initialise(rng)
    curve = Forward(CPU, "CPU, one thread", "measured", {})
    for batch in batches:
        step(f"forward pass: {curve.title}, batch {batch:,}")
        states = rng.standard_normal((batch, SIZES[0]), np.float32)
        curve.seconds[batch] = peer.least(partial(_output, network, states), seconds, time.process_time)
    return curve


def _output(network: FloatNetwork, states: np.ndarray, number: int) -> None:
    network.output(states)


def board(of: Board, clock: Clock, batches: Sequence[int] = BATCHES) -> Forward:
    """The matrix unit at the board's clock."""
    return Forward(
        FPGA, f"{of.title} at {clock.mhz:g} MHz", "model", {b: 1e-6 * clocks(b) / clock.mhz for b in batches}
    )


def clocks(batch: int) -> int:
    """Of a forward pass on UNIT.

    >>> clocks(1) == clocks(UNIT.span), clocks(2 * UNIT.span) > clocks(UNIT.span)
    (True, True)
    """
    layout = TensorLayout(UNIT, batch)
    pass_ = Step(layout)
    pass_.forward("network", layout.network(SIZES), layout.tensors(SIZES))
    return pass_.clocks
