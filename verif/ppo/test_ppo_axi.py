"""The UVM tests of the PPO core behind AXI. `rlcores regress` adds configurations and seeds."""

from collections.abc import Callable

import pytest

from rlcores.base import tools
from rlcores.eda import configs, sim

needs_icarus = pytest.mark.skipif(not tools.have("iverilog"), reason="iverilog is not on PATH")
SEQUENCES = (
    "what_is_refused_is_flagged_and_changes_nothing",
    "runs_are_the_models_and_go_on_where_they_ended",
    "numbers_that_do_not_deviate_or_do_not_fit_are_the_models",
    "rollouts_of_elsewhere_are_trained_on_as_the_model_does",
    "an_abort_at_any_time_leaves_a_whole_next_run",
    "a_reset_at_any_time_leaves_a_working_core",
    "registers_keep_what_is_written_and_a_reset_takes_it_back",
)


@pytest.mark.slow
@needs_icarus
@pytest.mark.parametrize("config", ["tiny", "records8"])
@pytest.mark.parametrize(("core", "tests"), [("ppo", len(SEQUENCES)), ("ppo_env", 1)])
def test_both_simulators_see_the_models_learning_at_the_same_clocks(
    seed: int, core: str, tests: int, config: str, same_transcripts: Callable[..., int]
) -> None:
    """All UVM tests of a configuration; a failing one, or an unhit coverage bin, raises."""
    parameters = configs.load(core, config)
    results = [sim.run(configs.core(core).vlnv, target, parameters, seed=seed) for target in sim.TARGETS.values()]
    assert all(len(result.tests) == tests + 1 for result in results)
    assert same_transcripts(*results) == tests


@pytest.mark.slow
@needs_icarus
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("gaussian", [0, 1])
def test_the_smallest_core_does_what_software_asks(seed: int, gaussian: int, sequence: str) -> None:
    """The same tests, each by itself, also of a core whose actions are numbers."""
    parameters = configs.load("ppo", "tiny")
    small = {"SIZES": "2-3-1", "LANES": "1-1-1", "UPDATE_ROWS": "1-1", "UPDATE_COLS": "1-1", "FORWARD": "1-1"}
    small["BACKWARD"] = small["FORWARD"]
    both = {name: f"{value}:{value}" for name, value in small.items()} | {"SIZES": f"2-3-1:2-3-{2 - gaussian}"}
    parameters |= {**both, "GAUSSIAN": gaussian, "N_ENVS": 3, "STEPS": 4, "BATCH_MAX": 6}
    assert sim.run(configs.core("ppo").vlnv, "sim_icarus", parameters, testcase=sequence, seed=seed).passed
