"""The tensor core's design space for TD3 and SAC: blocks of the array, sums of a pass, kinds of its memories.

The depths of its memories follow from the learner; so every design is one that just holds it. The next depth that the
memories on the chip have costs nothing, but a user who wants another learner too takes the larger of both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from rlcores.cores.tensor import clocks
from rlcores.cores.tensor.learner import needs, programs_of
from rlcores.cores.tensor.program import TensorShape
from rlcores.errors import UserError
from rlcores_lab.area import tensor as area
from rlcores_lab.cycles import tensor as cycles
from rlcores_lab.dse.board import Board, short

ALGORITHMS = ("td3", "sac")  # DQN takes fewer clocks on the learner
_SIDES, _BLOCKS, _SPAN = (2, 4, 8, 16), (1, 2, 4, 8, 16, 32), 64
_SUMS = (16, 64, 256, 512, 1024)  # of a pass
_BLOCK, _ULTRA = 2, 3  # block RAM and UltraRAM
_STYLES = ("TILE_STYLE", "WEIGHT_STYLE", "GROUP_STYLE")


@dataclass(frozen=True)
class TensorTask:
    """What the core has to do."""

    algo: str
    states: int
    actions: int
    hidden: tuple[int, ...]
    batch: int

    def learner(self) -> Any:
        """One, in integers. Raises UserError: there is no such learner."""
        kind, settings = cycles.KINDS[self.algo]
        return kind(self.states, self.actions, settings(network=self.hidden), seed=1, backend="model")


@dataclass(frozen=True)
class TensorDesign:
    """A core and what the models say of it."""

    parameters: dict[str, int]
    multipliers: int  # of the array
    period: int  # clocks of a gradient step; of TD3 one in which actor and targets move
    counts: dict[str, float]
    fits: bool


def designs(task: TensorTask, board: Board) -> Iterator[TensorDesign]:
    """A design for each array and number of sums that holds the learner: of its memories the kinds that suit the board
    best. On one die, for no path of the array crosses a border. Raises UserError: there is no such learner."""
    own = task.learner()
    for side, blocks, sums in product(_SIDES, _BLOCKS, _SUMS):
        shape = TensorShape(side, blocks, sums)
        if shape.span > _SPAN:
            continue
        try:
            programs = programs_of(own, shape, task.batch)
        except UserError:  # a word of its commands does not hold a number
            continue
        depths = {name: max(count, 2) for name, count in needs(programs).items()}
        base = {"SIDE": side, "BLOCKS": blocks, "PASS_SUMS": sums} | depths
        variants = [
            (parameters, area.total(parameters))
            for styles in product((_BLOCK, _ULTRA), repeat=len(_STYLES))
            for parameters in [base | dict(zip(_STYLES, styles, strict=True))]
        ]
        parameters, counts = min(variants, key=lambda each: fullest(each[1], board))
        yield TensorDesign(
            parameters, shape.multipliers, clocks.clocks(programs[0]), counts, not short(counts, board.die)
        )


def fullest(counts: dict[str, float], board: Board) -> float:
    """The share of a die that is taken of the resource of which most is."""
    return max(counts[r] / n for r, n in board.die.items())


def rank(design: TensorDesign) -> tuple:
    """Fewest clocks first, of equals the one with the fewest DSP slices, then block RAMs."""
    return design.period, design.counts["dsp"], design.counts["bram36"]
