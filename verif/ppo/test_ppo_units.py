"""The parts of the PPO core, bit for bit as their models, in both simulators."""

from functools import partial

import pytest
from ppo_records import BINS
from simulators import NO_ICARUS, both, covered

from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:system:ppo_units_verif"
run = partial(covered, CORE)


@pytest.mark.parametrize(("simulator", "parameters"), both({"BITS": 9}, {"BITS": 1}, {"BITS": 14}, {"BITS": 24}))
def test_every_epoch_goes_through_all_records_once_in_the_order_of_its_keys(simulator, parameters, seed):
    hits = run("permute", simulator, seed, parameters)
    assert hits["epochs"] == 15 and hits["m words"] >= 15


NORMS = both({"LAYERS": 6}, {"LAYERS": 1}, {"LAYERS": 16})


@pytest.mark.parametrize(("simulator", "parameters"), NORMS)
def test_the_factor_that_clips_the_norm_is_the_models(simulator, parameters, seed):
    hits = run("norm", simulator, seed, parameters)
    assert hits["whole"] + hits["less"] == 120 and hits["less"] >= 2 and hits["nothing"] >= 1, hits


RATES = both(
    {"BETA1_NUM": 205, "BETA1_SHIFT": 11, "BETA2_NUM": 131, "BETA2_SHIFT": 17},
    {"BETA1_NUM": 1, "BETA1_SHIFT": 4, "BETA2_NUM": 77, "BETA2_SHIFT": 9},
    {"BETA1_NUM": 1, "BETA1_SHIFT": 1, "BETA2_NUM": 1, "BETA2_SHIFT": 20},
)


@pytest.mark.parametrize(("simulator", "parameters"), RATES)
def test_the_rate_of_every_step_is_the_models(simulator, parameters, seed):
    hits = run("rate", simulator, seed, parameters)
    assert hits == {"level": 80, "falling": 240}, hits


ROWS = both(
    {"ENVIRONMENTS": 8, "TAG_WIDTH": 9}, {"ENVIRONMENTS": 1, "TAG_WIDTH": 1}, {"ENVIRONMENTS": 33, "TAG_WIDTH": 4}
)


@pytest.mark.parametrize(("simulator", "parameters"), ROWS)
def test_advantages_of_environments_that_take_turns_are_those_of_the_model(simulator, parameters, seed):
    hits = run("gae", simulator, seed, parameters)
    assert hits["advantages"] >= 10 * parameters["ENVIRONMENTS"] and hits["saturated"] > 0, hits


@pytest.mark.parametrize(("simulator", "parameters"), both({}))
def test_mean_and_deviation_of_a_minibatch_are_those_of_the_model(simulator, parameters, seed):
    hits = run("scale", simulator, seed, parameters)
    assert hits["equal"] + hits["scales"] == 24 and hits["equal"] >= 3 and hits["scales"] >= 2, hits


@pytest.mark.parametrize(("simulator", "parameters"), both({}))
def test_standardised_advantages_are_those_of_the_model(simulator, parameters, seed):
    hits = run("standardise", simulator, seed, parameters)
    assert hits["numbers"] >= 200 and hits["equal"] >= 1 and hits["far"] >= 1, hits


LOOPS = both(
    {"N_ENVS": 8, "STEPS": 4, "BATCH": 16, "OBS": 2, "COLUMNS": 8},
    {"N_ENVS": 6, "STEPS": 5, "BATCH": 10, "OBS": 3, "COLUMNS": 4},
    {"N_ENVS": 4, "STEPS": 8, "BATCH": 8, "OBS": 2, "COLUMNS": 5},
    {"N_ENVS": 1, "STEPS": 8, "BATCH": 4, "OBS": 1, "COLUMNS": 2},
    {"N_ENVS": 65, "STEPS": 1, "BATCH": 65, "OBS": 4, "COLUMNS": 5},
)
RECORDS = both(
    {"N_ENVS": 8, "STEPS": 4, "BATCH": 16, "OBS": 2, "COLUMNS": 8, "RECORD_BITS": 8},
    {"N_ENVS": 1, "STEPS": 8, "BATCH": 4, "OBS": 1, "COLUMNS": 2, "RECORD_BITS": 3},
    {"N_ENVS": 6, "STEPS": 5, "BATCH": 10, "OBS": 3, "COLUMNS": 4, "RECORD_BITS": 10},
    icarus=(),
)


@pytest.mark.parametrize(("simulator", "parameters"), LOOPS)
def test_whole_iterations_around_the_networks_are_those_of_the_model(simulator, parameters, seed):
    hits = run("loop", simulator, seed, parameters)
    assert hits["runs"] == 4 and hits["given up"] == 1 and hits["minibatches"] >= 12, hits
    assert hits["runs of elsewhere"] == 2 and hits["external records"] >= 6 * parameters["N_ENVS"], hits
    assert hits["held"] == 1500
    assert hits.get("timed", 0) == 2 * ((parameters["N_ENVS"] * parameters["STEPS"]).bit_count() == 1)
    assert hits.get("saturated codes", 0) == 0, hits


@pytest.mark.parametrize(("simulator", "parameters"), RECORDS)
def test_rollouts_in_few_bits_are_those_of_the_model(simulator, parameters, seed):
    hits = run("loop", simulator, seed, parameters)
    assert hits["runs"] == 4 and hits["given up"] == 1 and hits["minibatches"] >= 12, hits
    assert hits["runs of elsewhere"] == 2 and hits["saturated codes"] >= 20 and hits["cut off"] >= 4, hits


CODES = both({"BITS": 8, "RECORDS": 24}, {"BITS": 3, "RECORDS": 32}, {"BITS": 10, "RECORDS": 27})


@pytest.mark.parametrize(("simulator", "parameters"), CODES)
def test_numbers_of_a_rollout_come_back_as_the_model_keeps_them(simulator, parameters, seed):
    hits = run("codes", simulator, seed, parameters)
    assert hits["runs"] == 5 and hits["given up"] == 1, hits
    assert not [name for name in BINS if not hits.get(name)], hits


SMALL = {
    "SIZES": "3-6-5-2", "LANES": "1-2-2-1", "FORWARD": "1-2-1", "BACKWARD": "1-2-1", "UPDATE_ROWS": "2-2-1",
    "UPDATE_COLS": "1-2-2", "DP": 2, "TARGET": 0, "CLIP": 1, "OUT_WIDTH": 27,
}  # fmt: skip
LARGER = {
    "SIZES": "4-16-16-1", "LANES": "1-4-2-1", "FORWARD": "1-4-1", "BACKWARD": "1-4-1", "UPDATE_ROWS": "4-2-1",
    "UPDATE_COLS": "1-4-2",
}  # fmt: skip


@pytest.mark.parametrize(("simulator", "parameters"), both(SMALL, {**SMALL, **LARGER, "DP": 3}))
def test_a_network_acts_and_trains_with_clipped_gradients_as_the_model(simulator, parameters, seed):
    hits = run("net", simulator, seed, parameters)
    assert (hits["acted"], hits["trained"], hits["planes read"]) == (8, 4, 3), hits


LEAST = {
    "SIZES": "2-3-1", "LANES": "1-1-1", "FORWARD": "1-1", "BACKWARD": "1-1", "UPDATE_ROWS": "1-1", "UPDATE_COLS": "1-1",
}  # fmt: skip
TINY = {
    "SIZES": "4-8-8-1", "LANES": "1-4-2-1", "FORWARD": "1-2-1", "BACKWARD": "1-2-1", "UPDATE_ROWS": "4-2-1",
    "UPDATE_COLS": "1-2-2",
}  # fmt: skip
WIDE = {
    "SIZES": "3-6-5-1", "LANES": "2-2-2-1", "FORWARD": "1-2-1", "BACKWARD": "1-2-1", "UPDATE_ROWS": "2-2-1",
    "UPDATE_COLS": "1-2-2",
}  # fmt: skip
PENDULUM = {**TINY, "SIZES": "3-8-8-1"}
SHUT = {
    "SIZES": "4-64-8-1", "LANES": "1-4-2-1", "FORWARD": "1-2-1", "BACKWARD": "1-2-1", "UPDATE_ROWS": "4-1-1",
    "UPDATE_COLS": "1-1-2",
}  # fmt: skip
SHUT_MORE = {**SHUT, "SIZES": "7-48-8-1", "FORWARD": "1-4-1", "BACKWARD": "1-4-1"}


def networks(shape: dict[str, str], sizes: str, columns: int, gaussian: int = 0, **other: str) -> dict[str, int | str]:
    """Parameters of both networks of one shape; sizes: the actor's; other: more of it."""
    actor = shape | {"SIZES": sizes, **other}
    both = {name: f"{value}:{actor[name]}" for name, value in shape.items()}
    return {**both, "DP": columns, **({"GAUSSIAN": 1} if gaussian else {})}


NETWORKS = both(
    networks(LEAST, "2-3-2", 2), networks(LEAST, "2-3-2", 3, gaussian=1), networks(TINY, "4-8-8-2", 2),
    networks(WIDE, "3-6-5-5", 3, LANES="2-2-2-2", UPDATE_ROWS="2-2-2"),
    networks(TINY, "4-8-8-1", 3, gaussian=1), icarus=range(1, 2),
)  # fmt: skip


@pytest.mark.parametrize(("simulator", "parameters"), NETWORKS)
def test_both_networks_act_and_train_as_the_model(simulator, parameters, seed):
    hits = run("networks", simulator, seed, parameters)
    assert (hits["trained"], hits["planes read"]) == (4, 12) and hits["cut off"] == 3 and hits["finished"] >= 1, hits


@NO_ICARUS
@NO_ICARUS
@pytest.mark.parametrize(
    ("name", "value"), [("OPTIMISER", 0), ("OPTIMISER", 3), ("POLYAK", 1), ("ROUND", 1), ("ROUND", 2)]
)
def test_an_update_that_the_model_does_not_have_is_refused(name, value):
    """A chip would learn other weights than the model of the same settings."""
    with pytest.raises(RunFailed, match="rlc_ppo_networks: OPTIMISER must be 2 Adam and POLYAK and ROUND 0"):
        sim.run(CORE, "networks_icarus", {"OPTIMISER": 2, **networks(LEAST, "2-3-2", 2), name: value})


@pytest.mark.parametrize("gaussian", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_no_coin_is_so_small_that_a_policy_explores(gaussian, seed):
    name = "no_coin_is_so_small_that_it_explores"
    parameters = networks(LEAST, "2-3-2", 2, gaussian=gaussian)
    assert sim.run(CORE, "networks_icarus", parameters, testcase=name, seed=seed).coverage["coins of 0"] == 6


WIDEST = {**LEAST, "SIZES": "12-3-1"}


@NO_ICARUS
def test_sums_near_the_end_of_their_bits_are_counted_of_both_networks(seed):
    name = "sums_near_the_end_of_their_bits_are_counted_of_both_networks"
    outcome = sim.run(CORE, "networks_icarus", networks(WIDEST, "12-3-2", 2), testcase=name, seed=seed)
    assert outcome.coverage["sums"] >= 4, outcome.coverage


@pytest.mark.slow
@NO_ICARUS
@pytest.mark.parametrize(
    ("shape", "sizes", "columns", "batch"),
    [
        *((LEAST, "2-3-2", 2, 41), (TINY, "4-8-8-2", 2, 61), (SHUT, "4-64-8-2", 2, 21), (SHUT_MORE, "7-48-8-2", 3, 19)),
        (SHUT, "4-8-8-2", 2, 21),  # the critic is the slower one, by far
    ],
)
def test_long_minibatches_take_the_clocks_of_the_model(shape, sizes, columns, batch, seed):
    """More batch slices than are inside at once: in the smallest shape the loss has no place for a sample at times.

    In the last two, the first layer stands still with a vector whose results are more than the queue behind it holds,
    until the second layer has its weights.
    """
    hits = run("networks", "icarus", seed, networks(shape, sizes, columns), RLCORES_PPO_BATCH=str(batch))
    assert hits["trained"] == 2 and hits["planes loaded"] == 6


WHOLE = both(
    {**networks(LEAST, "2-3-3", 2), "N_ENVS": 5, "STEPS": 4, "BATCH_MAX": 10},
    {**networks(TINY, "4-8-8-2", 2), "N_ENVS": 6, "STEPS": 8, "BATCH_MAX": 12},
    {**networks(TINY, "4-8-8-2", 5), "N_ENVS": 3, "STEPS": 16, "BATCH_MAX": 16},
    {**networks(LEAST, "2-3-1", 2, gaussian=1), "N_ENVS": 6, "STEPS": 4, "BATCH_MAX": 12},
    icarus=range(0),
)


@pytest.mark.parametrize(("simulator", "parameters"), WHOLE)
def test_whole_iterations_are_those_of_the_model(simulator, parameters, seed):
    hits = run("ppo", simulator, seed, parameters)
    assert hits["iterations"] == 3 and hits["planes read"] == 18 and hits["cut off"] > 0, hits
    assert hits["external records"] == 3 * parameters["N_ENVS"] * (parameters["STEPS"] + 1), hits


TOGETHER = both(
    {**networks(LEAST, "2-3-3", 2), "N_ENVS": 6, "STEPS": 4, "BATCH_MAX": 12, "ENV": 1},
    {**networks(TINY, "4-8-8-2", 2), "N_ENVS": 6, "STEPS": 8, "BATCH_MAX": 12, "ENV": 0},
    {**networks(LEAST, "2-3-1", 2, gaussian=1), "N_ENVS": 6, "STEPS": 8, "BATCH_MAX": 12, "ENV": 2},
    {**networks(PENDULUM, "3-8-8-1", 2, gaussian=1), "N_ENVS": 6, "STEPS": 8, "BATCH_MAX": 12, "ENV": 3},
    icarus=range(0),
)


@pytest.mark.parametrize(("simulator", "parameters"), TOGETHER)
def test_it_learns_in_environments_on_the_same_chip_as_the_model(simulator, parameters, seed):
    hits = run("with_env", simulator, seed, parameters)
    assert hits["iterations"] == 3 and hits["planes read"] == 12 and hits["cut off"] > 0, hits
