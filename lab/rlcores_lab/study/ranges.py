"""Largest numbers of a float32 run, tensor by tensor, and the fractions that hold them.

`python -m rlcores_lab.study ranges TASK` prints them; rlcores.train.tasks has the fractions that were
chosen so, once, from seed 0.
"""

from collections.abc import Callable

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import ACT_WIDTH, GRADIENT_WIDTH, Batch
from rlcores.cores.learner.ranges import Ranges, observe
from rlcores.train.tasks import Task
from rlcores_lab.study import learning


def watch_run(task: Task, seed: int = 0, every: int = 5) -> Ranges:
    """Learns `task` in float32 and looks at every `every`-th batch."""
    ranges = Ranges()

    def watch(learner: FloatValueLearner | FloatDdpgLearner, batch: Batch, step: Callable) -> np.ndarray:
        if learner.steps % every == 0:
            observe(ranges, learner, batch)
        return step(batch)

    learning.train(task, "float32", seed, watch)
    return ranges


def suggest(ranges: Ranges) -> dict[str, tuple[int, ...]]:
    """Fractions for what was seen: one spare bit for activations and deltas, three for gradients."""
    chosen = {}
    for name in ranges.largest:
        if name.endswith("gradient"):
            chosen[name] = ranges.fractions(name, GRADIENT_WIDTH, 3, 40)
        elif name != "td":
            chosen[name] = ranges.fractions(name, ACT_WIDTH, 1, 17)
    return chosen
