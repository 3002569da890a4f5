"""A reset of one clock leaves no unknown register, in any core that has registers."""

import json
from collections.abc import Collection

import pytest

from rlcores.cores.agent.driver import AGENT
from rlcores.cores.ppo.driver import ENV as PPO_ENV
from rlcores.eda import configs, sim

# The windows of each core: where registers stand, and whose they are.
LOOP = {0: "replay_learner", 0x1000: "sumtree", 0x2000: "learner"}
CORES = {
    "gae": {0: "gae"}, "policy": {0: "policy"}, "env": {0: "env"}, "tensor": {0: "tensor"}, "ppo": {0: "ppo"},
    "ppo_env": {0: "ppo", PPO_ENV: "env"}, "replay_learner": LOOP, "agent": LOOP | {AGENT: "agent"},
    "learners": LOOP | {0x20000: "learners"},
    "learners_ppo": {0: "ppo", PPO_ENV: "env", 0x20000: "learners"},
}  # fmt: skip


# Parts of a core that are only there in some configurations.
GAUSSIAN = {"GAUSSIAN": 1, "ENV": 3, "SIZES": "3-8-8-1:3-8-8-1", "LANES": "1-4-2-1:1-4-2-1"}


# Nearly every map stands in one of these, and each block of registers has a test of its own; the other cores have them
# again, at other addresses.
ENOUGH = ("gae", "policy", "env", "tensor", "agent")


def case(core: str, config: str, *more: dict, quick: Collection[str] = ENOUGH):
    """The parameters of a test, slow where other cores show the same."""
    return pytest.param(core, config, *more, marks=[pytest.mark.slow] * (core not in quick))


CASES = [case(core, "tiny", {}, quick=(*ENOUGH, "ppo")) for core in CORES]
CASES += [
    case("ppo_env", "tiny", GAUSSIAN | {"RECORD_BITS": 8}),
    case("ppo_env", "tiny", GAUSSIAN),
    case("ppo_env", "tiny", {"RECORD_BITS": 8}),
    case("replay_learner", "ddpg_tiny", {}),
]


def target(core: str) -> str:
    """Icarus on a core's own ports."""
    return "sim_axi_icarus" if "sim_axi_icarus" in configs.core(core).targets else "sim_icarus"


@pytest.mark.parametrize(("core", "config", "changed"), CASES)
def test_no_register_is_unknown_behind_a_reset_of_one_clock(core: str, config: str, changed: dict, seed: int) -> None:
    run = sim.run(
        configs.core(core).vlnv, target(core), configs.load(core, config) | changed, seed=seed,
        module="cocotb_one_clock_reset", env={"RLCORES_WINDOWS": json.dumps(CORES[core])},
    )  # fmt: skip
    assert len(run.tests) == 1
