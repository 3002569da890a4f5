"""Several learners on the RTL: clocks of a step in rounds of H, and the scaling factor beside equation 5.6; and PPO's.

The scaling factor is the clocks of a step of a learner that averages nothing over those of a step in rounds that do,
and whose importance weights are those of all banks (Zhang 2022, section 5.2.3). Memories never pause, so what is left
are the clocks of averaging.
"""

from collections.abc import Callable, Mapping

from rlcores.base.report import Figure
from rlcores.eda import configs, sim
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome
from rlcores_lab.cycles import learners as cycles

CONFIG, DDPG = "tiny", "ddpg_tiny"  # of the replay learner
LEARNERS, AVERAGES = (2, 3, 4), (1, 5, 10, 25)
PPO, DIES, PPO_CROSS = "cartpole", 3, 2  # of ppo_env; a U200 has three dies, and a border a register on either side


def run(seed: int, say: Callable[[str], None]) -> Outcome:
    """Count rounds of 2, 3 and 4 learners, of two with actors, and iterations of three PPO cores. Raises RunFailed."""
    figures, rows = [], [("L", "H", "clocks per step", "scaling factor", "equation 5.6")]
    for learners in LEARNERS:
        say(f"{learners} learners: building and running")
        own, row = counted(learners, seed)
        figures += own
        rows += row
    say("2 learners with an actor each: building and running")
    own, row = counted(2, seed, DDPG)
    figures += own
    rows += row
    say(f"PPO, {DIES} learners: building and running")
    own, ppo = ppo_counted(PPO, seed)
    tables = [
        shown.table(f"Rounds of several learners, configuration {CONFIG}", rows),
        shown.table(f"Iterations of {DIES} PPO cores, configuration {PPO}", ppo),
    ]
    return Outcome([*figures, *own], tables)


def ppo_counted(config: str, seed: int) -> tuple[list[Figure], list[tuple[str, ...]]]:
    """Figures and rows of three PPO cores that average their weights."""
    counts = iterations(configs.load("ppo_env", config) | {"LEARNERS": DIES, "CROSS": PPO_CROSS}, seed)
    alone, steps = counts["iteration 0"], counts["steps"]
    figures = [Figure("ppo.three_slr_alone", round(alone / steps, 2), "clocks per environment step of one", "measured")]
    rows = [("H, minibatches", "clocks per iteration", "environment steps per clock", "speed of one")]
    for average in (int(name.split()[1]) for name in counts if name.startswith("iteration")):
        clocks = counts[f"iteration {average}"]
        factor, rate = DIES * alone / clocks, DIES * steps / clocks
        rows.append((str(average or "none"), f"{clocks:,.1f}", f"{rate:.4f}", f"{factor:.4f}"))
        if average:
            name = "ppo.three_slr_speedup" + (f"_h{average}" if average > 1 else "")
            figures += [
                Figure(name, round(factor, 4), "of one core's rate", "measured"),
                Figure(f"{name}_rate", round(rate, 5), "trained steps per clock", "measured"),
            ]
    return figures, rows


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
    return _counted("learners", parameters, seed)


def iterations(parameters: Mapping[str, int | str], seed: int) -> Mapping[str, float]:
    """Clocks of an iteration of PPO cores in rounds of H, by "iteration H", "steps" in it, and its "minibatches"."""
    return _counted("learners_ppo", parameters, seed)


def _counted(core: str, parameters: Mapping[str, int | str], seed: int) -> Mapping[str, float]:
    module = f"cocotb_{core}_clocks"
    return sim.run(f"rlcores:learners:{core}", "sim", parameters, module=module, seed=seed).coverage
