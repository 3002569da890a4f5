"""`python -m rlcores_lab.study TASK ARITHMETIC FIRST LAST FOLDER`: seeds FIRST to LAST of one task, a JSON file each.

`rlcores regress --long` does all of it; this is for one part, or for parts side by side. A run that has its file is
not repeated. `python -m rlcores_lab.study ranges TASK`: the largest numbers of a float32 run, and the fractions that
hold them; rlcores.train.tasks has those that were chosen so, once, from seed 0.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatValueLearner
from rlcores.cores.learner.format import ACT_WIDTH, GRADIENT_WIDTH, Batch
from rlcores.cores.learner.ranges import Ranges, observe
from rlcores.errors import UserError
from rlcores.train import tasks as settings
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


def main(arguments: list[str]) -> None:
    """Raises UserError for arguments that make no sense."""
    if len(arguments) == 2 and arguments[0] == "ranges":
        seen = watch_run(settings.task(arguments[1]))
        for tensor, fractions in suggest(seen).items():
            print(f"{tensor}: largest {[float(f'{x:.3g}') for x in seen.largest[tensor]]}, fractions {fractions}")
        return
    if len(arguments) != 5 or not all(x.isdigit() for x in arguments[2:4]):
        raise UserError("the study takes a task, an arithmetic, the first seed, the last seed and a folder")
    name, arithmetic, first, last, folder = arguments
    task = settings.task(name)
    for seed in range(int(first), int(last) + 1):
        if learning.kept(Path(folder), task, arithmetic, seed):
            continue
        run = learning.one(task, arithmetic, seed, Path(folder))
        print(
            f"{name} {arithmetic} seed {seed}: best {run.best:.1f} at {run.best_step}, final {run.final:.1f}, "
            f"{run.seconds:.0f} s, saturations {run.saturations}",
            flush=True,
        )


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        sys.exit(str(error))
