"""Several learners on the RTL: clocks of a step in rounds of H, and the scaling factor beside equation 5.6.

The scaling factor is the clocks of a step of a learner that averages nothing over those of a step in rounds that do,
and whose importance weights are those of all banks (Zhang 2022, section 5.2.3). Memories never pause, so what is left
are the clocks of averaging.
"""

from collections.abc import Callable, Mapping

from rlcores.base.report import Figure
from rlcores.eda import configs, sim
from rlcores_lab import shown
from rlcores_lab.bench import system
from rlcores_lab.bench.tables import Outcome
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.cycles import learners as cycles

CONFIG, DDPG = "tiny", "ddpg_tiny"  # of the replay learner
LEARNERS, AVERAGES = (2, 3, 4), (1, 5, 10, 25)


def run(seed: int, say: Callable[[str], None]) -> Outcome:
    """Count steps of one learner, and rounds of 2, 3 and 4, and of two with actors. Raises RunFailed."""
    say("1 learner: building and running")
    one = step_of_one(seed)
    figures = [Figure("learners.step_l1", round(one, 2), "clocks", "measured")]
    rows = [("L", "H", "clocks per step", "scaling factor", "equation 5.6"), ("1", "", f"{one:.2f}", "1", "1")]
    for learners in LEARNERS:
        say(f"{learners} learners: building and running")
        own, row = counted(learners, seed)
        figures += own
        rows += row
    say("2 learners with an actor each: building and running")
    own, row = counted(2, seed, DDPG)
    figures += own
    rows += row
    return Outcome(figures, [shown.table(f"Rounds of several learners, configuration {CONFIG}", rows)])


def step_of_one(seed: int, config: str = CONFIG) -> float:
    """Clocks of a step of a replay learner by itself, which samples a batch ahead, as its model bit for bit."""
    parameters = configs.load("replay_learner", config)
    batch = int(parameters["BATCH_MAX"])
    alone = {batch: system.Alone(1.0, learner_cycles.cycles(parameters, batch))}  # nothing is said beside it here
    bench = system.measure(parameters, seed, (batch,), ahead=(1,), dram=system.QUICK, alone=alone)
    return bench.of(batch, 1).period


def counted(learners: int, seed: int, config: str = CONFIG) -> tuple[list[Figure], list[tuple[str, ...]]]:
    """Figures and rows of L learners of a configuration of the replay learner."""
    counts = rounds(configs.load("replay_learner", config) | {"LEARNERS": learners, "CROSS": cycles.CROSS}, seed)
    alone, added = counts["step 0"], cycles.average_clocks(learners)
    of, who = ("", str(learners)) if config == CONFIG else ("_ddpg", f"{learners}, DDPG")
    figures = [
        Figure(f"learners.step{of}_l{learners}", round(alone, 2), "clocks", "measured"),
        Figure(f"learners.step{of}_l{learners}_exact", round(counts["exact"], 2), "clocks", "measured"),
    ]
    rows = []
    for average in AVERAGES:
        step = counts[f"step {average}"]
        factor, expected = alone / step, cycles.scaling(alone, added, average)
        name = f"learners.scaling{of}_l{learners}_h{average}"
        figures += [
            Figure(name, round(factor, 4), "of one learner's rate", "measured"),
            Figure(f"{name}_model", round(expected, 4), "of one learner's rate", "model"),
        ]
        rows.append((who, str(average), f"{step:.2f}", f"{factor:.4f}", f"{expected:.4f}"))
    return figures, rows


def rounds(parameters: Mapping[str, int | str], seed: int) -> Mapping[str, float]:
    """Clocks of a step of replay learners in rounds of H, by "step H"; H = 0: no rounds. Raises RunFailed."""
    module = "cocotb_learners_clocks"
    return sim.run("rlcores:learners:learners", "sim", parameters, module=module, seed=seed).coverage
