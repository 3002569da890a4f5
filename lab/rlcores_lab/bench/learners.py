"""Several learners on the RTL: clocks of a step in rounds of H, and the scaling factor beside equation 5.6.

The scaling factor is the clocks of a step of a learner that averages nothing over those of a step in rounds that do
(Zhang 2022, section 5.2.3). Memories never pause, so what is left are the clocks of averaging.
"""

from collections.abc import Callable

from rlcores.base.report import Figure
from rlcores.cores.learners import cycles
from rlcores.eda import configs, sim
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome

CONFIG = "tiny"  # of the replay learner
LEARNERS, AVERAGES = (2, 3, 4), (1, 5, 10, 25)


def run(seed: int, say: Callable[[str], None]) -> Outcome:
    """Count rounds with 2, 3 and 4 learners. Raises RunFailed."""
    figures, rows = [], [("L", "H", "clocks per step", "scaling factor", "equation 5.6")]
    for learners in LEARNERS:
        say(f"{learners} learners: building and running")
        own, row = counted(learners, seed)
        figures += own
        rows += row
    return Outcome(figures, [shown.table(f"Rounds of several learners, configuration {CONFIG}", rows)])


def counted(learners: int, seed: int) -> tuple[list[Figure], list[tuple[str, ...]]]:
    """Figures and rows of L learners."""
    built = configs.load("replay_learner", CONFIG) | {"LEARNERS": learners, "CROSS": cycles.CROSS}
    found = sim.run("rlcores:learners:learners", "sim", built, module="cocotb_learners_clocks", seed=seed).coverage
    alone, added = found["step 0"], cycles.average_clocks(learners)
    figures, rows = [Figure(f"learners.step_l{learners}", round(alone, 2), "clocks", "measured")], []
    for average in AVERAGES:
        step = found[f"step {average}"]
        factor, wanted = alone / step, cycles.scaling(alone, added, average)
        name = f"learners.scaling_l{learners}_h{average}"
        figures += [
            Figure(name, round(factor, 4), "of one learner's rate", "measured"),
            Figure(f"{name}_model", round(wanted, 4), "of one learner's rate", "model"),
        ]
        rows.append((str(learners), str(average), f"{step:.2f}", f"{factor:.4f}", f"{wanted:.4f}"))
    return figures, rows
