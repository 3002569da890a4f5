"""The agent in both simulators: acting and learning at once, in the order of the integer model."""

import pytest
from simulators import NO_ICARUS

from rlcores.eda import configs, sim
from rlcores_lab.cycles.agent import act_clocks, way

CORE = "rlcores:system:agent_verif"
# What the bench's environments decide.
_ENV = ("ENV", "TIME_LIMIT")
TINY, DDPG = (
    {name: value for name, value in configs.load("agent", config).items() if name not in _ENV}
    for config in ("tiny", "ddpg_tiny")
)
# An observation that enters in two words.
CORES = {
    "tiny": TINY,
    "words": {**TINY, "N_ENVS": 1, "POLICY_LANES": "2-2-2"},
    "ddpg": DDPG,
}


@pytest.mark.slow
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("simulator", [pytest.param("icarus", marks=NO_ICARUS), "verilator"])
def test_acting_and_learning_at_once_are_the_models_whatever_waits(simulator: str, core: str, seed: int) -> None:
    hits = sim.run(CORE, simulator, CORES[core], seed=seed).coverage
    assert hits["runs"] == 6 and hits["gradient steps"] >= 9 and hits["ended"] > 0
    assert hits["m_axi_ar moved"] > 0 and hits["m_axi_aw moved"] > 0
    # Nothing is faster, and where nobody waits nothing is slower.
    assert hits["act clocks"] == act_clocks(CORES[core])


PARTS = (
    {"OBS": 4, "N_ENVS": 3, "OBS_LANES": 4, "REC_LANES": 2},
    {"OBS": 3, "N_ENVS": 1, "OBS_LANES": 2, "REC_LANES": 4},
    {"OBS": 3, "N_ENVS": 2, "OBS_LANES": 3, "REC_LANES": 2, "ACTIONS": 3},
    {"OBS": 2, "N_ENVS": 65, "OBS_LANES": 2, "REC_LANES": 2},
    {"OBS": 2, "N_ENVS": 65, "OBS_LANES": 2, "REC_LANES": 2, "ACTIONS": 1},
)


@pytest.mark.parametrize(
    "simulator", [pytest.param("icarus", marks=NO_ICARUS), pytest.param("verilator", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("parameters", PARTS, ids=str)
def test_experiences_observations_and_returns_are_the_environments(
    simulator: str, parameters: dict[str, int], seed: int
) -> None:
    target = "assemble" if simulator == "verilator" else "assemble_icarus"
    hits = sim.run(CORE, target, parameters, seed=seed).coverage
    assert hits["experiences"] == 200 and hits["ended"] >= 10
    assert hits["way"] == way(parameters["N_ENVS"])


@pytest.mark.parametrize(
    "simulator", [pytest.param("icarus", marks=NO_ICARUS), pytest.param("verilator", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("n_envs", [1, 3])
def test_acting_storing_and_learning_wait_for_what_the_schedule_says(simulator: str, n_envs: int, seed: int) -> None:
    target = "scheduler" if simulator == "verilator" else "scheduler_icarus"
    assert sim.run(CORE, target, {"N_ENVS": n_envs}, seed=seed).tests


@pytest.mark.slow
@pytest.mark.parametrize("simulator", [pytest.param("sim_icarus", marks=NO_ICARUS), "sim"])
@pytest.mark.parametrize("config", ["tiny", "ddpg_tiny"])
def test_environments_and_registers_make_runs_that_are_the_models(config: str, simulator: str, seed: int) -> None:
    hits = sim.run("rlcores:system:agent", simulator, configs.load("agent", config), seed=seed).coverage
    assert hits["run"] == 9 and hits["gradient step"] >= 15 and hits["episode"] >= 8
    assert hits["experience"] >= 40 and hits["sample"] >= 40


@pytest.mark.slow
@NO_ICARUS
def test_registers_keep_what_is_written_and_a_reset_takes_it_back(seed: int) -> None:
    """One of the tests above, by itself: it needs no run."""
    name = "registers_keep_what_is_written_and_a_reset_takes_it_back"
    run = sim.run("rlcores:system:agent", "sim_icarus", configs.load("agent", "tiny"), testcase=name, seed=seed)
    assert run.passed and run.coverage["registers"] == 1
