"""Every core with registers keeps to its map at its AXI4-Lite port: one suite, driven by the maps."""

import json

import pytest
from test_one_clock_reset import CORES, case

from rlcores.cores.learner.optimisers import ALL
from rlcores.eda import configs, sim

CASES = [*(case(core, "tiny") for core in CORES), case("replay_learner", "ddpg_tiny")]


@pytest.mark.parametrize(("core", "config"), CASES)
def test_every_register_does_what_the_map_says(core: str, config: str, seed: int) -> None:
    cell, parameters = configs.core(core), configs.load(core, config)
    optimiser = ALL[int(parameters.get("OPTIMISER", 0))]
    derived = {"STATE_WORDS": len(optimiser.state), "DECAYS": int("decay" in optimiser.settings)}
    derived["BANKS"] = int(core != "learners_ppo")
    run = sim.run(
        cell.vlnv, "sim_axi" if "sim_axi" in cell.targets else "sim", parameters, seed=seed,
        module="cocotb_register_suite",
        env={"RLCORES_WINDOWS": json.dumps(CORES[core]), "RLCORES_DERIVED": json.dumps(derived)},
    )  # fmt: skip
    hits = run.coverage
    assert hits["refused"] > 0 and hits["registers"] > 1 and hits["read only"] > 3, hits
