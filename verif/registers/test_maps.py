"""The register maps of cores with networks take the parameters of every core that they may stand in."""

import pytest

from rlcores.eda import configs, registers

# A configuration of several networks of each core that has one.
SEVERAL = {
    core: config
    for core in configs.cores()
    for config in configs.names(core)
    if ":" in str(configs.load(core, config).get("SIZES", ""))
}


@pytest.mark.parametrize("name", ["agent", "learner", "learners", "policy", "ppo", "replay_learner"])
def test_a_map_takes_parameters_of_several_networks(name: str) -> None:
    assert {"learner", "ppo", "replay_learner"} <= set(SEVERAL)
    for core, config in SEVERAL.items():
        assert registers.load(name, configs.load(core, config)), (core, config)
