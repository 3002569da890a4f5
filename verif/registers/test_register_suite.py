"""Every core with registers keeps to its map at its AXI4-Lite port: one suite, driven by the maps."""

import json

import pytest
from test_one_clock_reset import CORES

from rlcores.cores.learner.optimisers import ALL
from rlcores.eda import configs, sim

# PPO's learners refuse WEIGHTS of the map that they share with replay learners.
RUN = [(core, "tiny") for core in CORES if core != "learners_ppo"]


@pytest.mark.parametrize(("core", "config"), [*RUN, ("replay_learner", "ddpg_tiny")])
def test_every_register_does_what_the_map_says(core: str, config: str, seed: int) -> None:
    cell, parameters = configs.core(core), configs.load(core, config)
    optimiser = ALL[int(parameters.get("OPTIMISER", 0))]
    derived = {"STATE_WORDS": len(optimiser.state), "DECAYS": int("decay" in optimiser.settings)}
    run = sim.run(
        cell.vlnv, "sim_axi" if "sim_axi" in cell.targets else "sim", parameters, seed=seed,
        module="cocotb_register_suite",
        env={"RLCORES_WINDOWS": json.dumps(CORES[core]), "RLCORES_DERIVED": json.dumps(derived)},
    )  # fmt: skip
    hits = run.coverage
    assert hits["refused"] > 0 and hits["registers"] > 1 and hits["read only"] > 3, hits
