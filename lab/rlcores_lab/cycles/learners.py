"""Clocks of averaging, of the design that is built and of others: `python -m rlcores_lab.cycles.learners`.

A round of L learners takes H steps of one learner and what averaging adds. The scaling factor is the time of H steps
of one learner over that of a round; with T_total = L times a step, that is equation 5.6 of Zhang (2022).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import LearnerShape
from rlcores.eda import configs
from rlcores_lab.cycles import learner as learner_cycles

Parameters = Mapping[str, int | str]
CROSS = 1  # registers on the way from a learner to the average, and on the way back
DIVIDE = 6  # clocks of a product with a reciprocal, where L is no power of two


def levels(learners: int) -> int:
    """Levels of the tree of adders."""
    return (learners - 1).bit_length()


def average_clocks(learners: int, cross: int = CROSS) -> int:
    """What averaging adds to a round: the way to the average and back, once for "due" and "go", once for the weights.

    Between the two ways of the weights are the levels of the tree and the division.
    """
    odd = learners // (learners & -learners)
    return 4 * cross + levels(learners) + (1 if odd == 1 else 2 + DIVIDE) if learners > 1 else 0


@dataclass(frozen=True)
class Design:
    """A way to average: the clocks that it adds to a round, and the adders of 27 bits and more that it has."""

    name: str
    clocks: int
    adders: int


def designs(parameters: Parameters, learners: int) -> list[Design]:
    """What was counted before one was built, the chosen one first."""
    shape = LearnerShape.of(parameters)
    net = shape.value
    layers = range(1, net.layers + 1)
    lanes = [net.update_lanes(layer) for layer in layers]
    groups = [net.weight_groups(layer) + net.bias_groups(layer) for layer in layers]
    own = WeightLayout(net)
    # Reading a plane takes a clock a word and three a group, loading one a word; all learners at once.
    host = 2 * own.beats + 3 * sum(groups)
    widest = max(lanes)
    own_pass = average_clocks(learners)
    around = own_pass - levels(learners) + 2 * (learners - 1)
    return [
        Design("tree of adders in the update pass", own_pass, learners * sum(lanes)),
        Design("ring of learners in the update pass", around, learners * sum(lanes)),
        Design("one unit of a group per clock, a pass of its own", sum(groups) + own_pass, learners * widest),
        Design("one unit of a word per clock, through load and read", host + own_pass, learners),
    ]


def step_clocks(parameters: Parameters, batch: int) -> int:
    """Clocks of a gradient step of one learner alone."""
    return learner_cycles.cycles(parameters, batch).period


def scaling(step: float, added: float, average: int) -> float:
    """Equation 5.6: of a round of `average` steps to which averaging adds `added` clocks.

    >>> round(scaling(763, 5, 10), 4)
    0.9993
    """
    return average * step / (average * step + added)


def table(learners: int = 4, average: int = 10) -> list[tuple[str, ...]]:
    """Rows of docs/learners.md: design, added clocks, scaling factor, adders; at a batch of 64."""
    rows = []
    for name in ("zcu106", "u200"):
        parameters = configs.load("replay_learner", name)
        step = step_clocks(parameters, 64)
        for design in designs(parameters, learners):
            factor = f"{scaling(step, design.clocks, average):.4f}"
            rows.append((name, design.name, f"{design.clocks:,}", factor, f"{design.adders:,}"))
    return rows


if __name__ == "__main__":
    for row in table():
        print(" | ".join(row))
