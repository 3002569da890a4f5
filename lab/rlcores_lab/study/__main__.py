"""`python -m rlcores_lab.study TASK ARITHMETIC FIRST LAST FOLDER`: seeds FIRST to LAST of one task, a JSON file each.

`rlcores regress --long` does all of it; this is for one part, or for parts side by side. A run that has its file is
not repeated. `python -m rlcores_lab.study ranges TASK`: the largest numbers of a float32 run, and fractions for them.
"""

import sys
from pathlib import Path

from rlcores.errors import UserError
from rlcores.train import tasks as settings
from rlcores_lab.study import learning, ranges


def main(arguments: list[str]) -> None:
    """Raises UserError for arguments that make no sense."""
    if len(arguments) == 2 and arguments[0] == "ranges":
        seen = ranges.watch_run(settings.task(arguments[1]))
        for tensor, fractions in ranges.suggest(seen).items():
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
