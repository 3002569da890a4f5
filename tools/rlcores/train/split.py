"""Zhang et al.'s (2021) split of cores (equation 5): how many for actors, how many for learners.

f_a(x) are the environment steps per second of x cores, f_l(x) the gradient steps; wanted is f_a(x_a) = update_interval
* f_l(x_l) with x_a + x_l <= M. Whole cores seldom meet it, so what is searched for, over all pairs as in the paper, is
the most gradient steps per second that the actors' steps allow: min(f_l(x_l), f_a(x_a) / update_interval).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rlcores.errors import UserError

Curve = Mapping[int, float]  # cores -> steps per second


@dataclass(frozen=True)
class Split:
    """A split, and what it gives."""

    actors: int
    learners: int  # 0 when the learner is not on the CPU
    rate: float  # gradient steps per second
    ratio: float  # environment steps that the actors can do in the time of a gradient step
    bound: str  # what limits: 'actors' or 'learner'


def at(curve: Curve, cores: int) -> float:
    """The curve at a number of cores: straight between measured ones, above them as much a core as at the last."""
    known = sorted(curve)
    if cores <= 0:
        return 0.0
    if cores > known[-1]:
        return curve[known[-1]] * cores / known[-1]
    return float(np.interp(cores, [0, *known], [0.0, *(curve[k] for k in known)]))


def split(actors: Curve, learners: Curve | float, cores: int, update_interval: float) -> Split:
    """The best split of `cores` cores. learners: the curve on the CPU, or an accelerator's rate, which takes no core.

    update_interval: environment steps per gradient step. Of splits of the same rate the one of fewest cores is taken.
    Raises UserError when there are too few cores.
    """
    accelerated = isinstance(learners, int | float)
    if cores < (1 if accelerated else 2):
        raise UserError(f"{cores} cores are too few: actors need one, and a learner on the processor another")
    splits = []
    for x_l in [0] if accelerated else range(1, cores):
        learnt = float(learners) if accelerated else at(learners, x_l)
        for x_a in range(1, cores - x_l + 1):
            fed = at(actors, x_a) / update_interval
            bound = "actors" if fed < learnt else "learner"
            splits.append(Split(x_a, x_l, min(learnt, fed), at(actors, x_a) / learnt, bound))
    most = max(s.rate for s in splits)
    return min((s for s in splits if s.rate >= most * (1 - 1e-9)), key=lambda s: s.actors + s.learners)
