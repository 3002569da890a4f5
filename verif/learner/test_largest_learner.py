"""Layers and batches up to their greatest sizes: what is taken, what is refused, and cores that train with them."""

import random
from contextlib import nullcontext
from dataclasses import replace

import learner_traffic as traffic
import numpy as np
import pytest
from learner_shapes import NEAREST, SGD, Parameters, core, network

from rlcores import Learner, ReplayLearner
from rlcores.base.limits import BATCH, NARROW_BATCH, NEURONS
from rlcores.cores.learner.format import FACTOR_ONE, LearnerFormats, LearnerSettings, equal_networks
from rlcores.cores.learner.layout import TARGET, WEIGHTS
from rlcores.cores.learner.network import NetworkModel
from rlcores.cores.learner.parameters import small_parameters
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import WEIGHT_ADDR
from rlcores.eda import configs, declared, slang, sources
from rlcores.errors import RunFailed, UserError
from rlcores.train import tuning
from rlcores_lab.bench.learner_drive import LearnerDrive

CORES = ("ppo", "replay_learner", "learners", "agent")  # that are made of these
LEGAL, ILLEGAL = (511, 512, 513, 1023, 1024), (0, 1025)
# Each place of a weight takes ten bits; and with MANY the second layer has more groups of weights than 16 bits count.
WIDE, MANY = (
    network(f"3-1024-{last}", "1-1-1", "1-1", "1-1", "1-1", "1-1") | core(1, 2, SGD, NEAREST, 0) for last in (2, 65)
)


def legal(vlnv: str, top: str, parameters: Parameters) -> None:
    """Raises UserError with the sentence of the first illegal parameter."""
    slang.check(sources.of_core(vlnv).design(top, parameters))


def acting(sizes: str) -> Parameters:
    """Parameters of the policy core."""
    names = ("SIZES", "LANES", "FORWARD", "UPDATE_ROWS", "UPDATE_COLS")
    return dict(zip(names, (sizes, "4-4-1", "1-1", "4-1", "1-1"), strict=True))


def test_there_is_one_limit_of_each_kind() -> None:
    assert NEURONS == 1024 and all(bits == 10 for name, bits in WEIGHT_ADDR.fields.items() if name != "bias")
    for name in ("learner", "policy", "mlp", *CORES):
        assert declared.of(name)["SIZES"].numbers == (1, NEURONS), name
    assert (NARROW_BATCH, BATCH) == (8191, 16384)
    for name in ("learner", "replay_learner", "learners", "agent"):
        assert declared.of(name)["BATCH_MAX"].most == BATCH, name


@pytest.mark.parametrize("neurons", LEGAL)
def test_a_layer_of_so_many_neurons_is_taken(neurons: int) -> None:
    sizes = 4, neurons, 2
    parameters = small_parameters(sizes)
    legal("rlcores:learner:learner", "rlc_learner", parameters)
    legal("rlcores:agent:policy", "rlc_policy", acting(f"4-{neurons}-2"))
    assert declared.completed("learner", parameters)["SIZES"] == f"4-{neurons}-2"
    assert LearnerShape.of(parameters).value.sizes == sizes
    assert tuning.checked("dqn", {"network": [neurons]})["network"]
    assert Learner(sizes, backend="model", batch_max=1).shape.value.sizes == sizes
    for ends in ((neurons, 2), (2, neurons)):
        NetworkModel(ends, LearnerFormats.default(1))


@pytest.mark.parametrize("neurons", ILLEGAL)
def test_a_layer_of_so_many_neurons_is_refused_in_one_sentence(neurons: int) -> None:
    sizes, text = (4, neurons, 2), f"4-{neurons}-2"
    parameters = small_parameters((4, 8, 2)) | {"SIZES": text}
    for name, top, chosen in (
        ("learner:learner", "rlc_learner", parameters),
        ("agent:policy", "rlc_policy", acting(text)),
    ):
        with pytest.raises(UserError, match=f"{top}: SIZES must be numbers of 1 to 1024"):
            legal(f"rlcores:{name}", top, chosen)
    with pytest.raises(UserError, match=f"SIZES is '{text}'; it must be numbers of 1 to 1024 joined by '-'"):
        declared.completed("learner", parameters)
    with pytest.raises(ValueError, match=f"SIZES is {text}; a layer has 1 to 1024 neurons"):
        LearnerShape.of(parameters)
    with pytest.raises(ValueError, match="a layer has 1 to 1024 neurons"):
        NetworkModel(sizes, LearnerFormats.default(2))
    for make in (Learner, ReplayLearner):
        with pytest.raises(UserError, match=f"a layer of the network has size {neurons}; it must be .* 1 to 1024"):
            make(sizes)
    with pytest.raises(UserError, match="it must be 1 to 3 hidden layers of 1 to 1024 neurons"):
        tuning.checked("dqn", {"network": [neurons]})


@pytest.mark.parametrize("name", CORES)
def test_every_core_with_such_a_network_refuses_a_layer_of_1025_neurons(name: str) -> None:
    read = sources.of_core(configs.core(name).vlnv)
    sizes = str(declared.defaults(name).get("SIZES", declared.of(name)["SIZES"].default))
    for wide, said in ((1024, False), (1025, True)):
        parameters = declared.defaults(name) | {"SIZES": sizes.replace("-8-8-", f"-{wide}-8-")}
        with pytest.raises(UserError, match="SIZES must be numbers of 1 to 1024") if said else nullcontext():
            slang.check(read.design(read.tops[0], parameters))


def test_an_actor_that_is_too_large_is_refused() -> None:
    parameters = small_parameters((5, 8, 1), (3, 8, 2))
    legal("rlcores:learner:learner", "rlc_learner", parameters)
    wide = str(parameters["SIZES"]).replace(":3-8-2", ":3-1025-2")
    with pytest.raises(UserError, match="rlc_learner: SIZES must be numbers of 1 to 1024"):
        legal("rlcores:learner:learner", "rlc_learner", parameters | {"SIZES": wide})
    # A state of 1,023 numbers in words of four, and the action behind it.
    with pytest.raises(UserError, match="SIZES is 1025-8-1; a layer has 1 to 1024 neurons"):
        Learner((1024, 8, 1), actor=(1023, 8, 1), backend="model")


@pytest.mark.parametrize("batch", [4096, 4097, 8191, 8192, 16384])
def test_a_batch_of_so_many_records_is_taken(batch: int) -> None:
    parameters = small_parameters((4, 8, 2), batch_max=batch)
    legal("rlcores:learner:learner", "rlc_learner", parameters)
    assert LearnerShape.of(declared.completed("learner", parameters)).sum_width == (48 if batch <= NARROW_BATCH else 50)
    assert Learner((4, 8, 2), batch_max=batch).shape.batch_max == batch
    assert ReplayLearner((4, 8, 2), batch_size=batch, buffer_size=batch) is not None
    assert tuning.checked("dqn", {"batch_size": batch})["batch_size"] == batch


@pytest.mark.parametrize("batch", [0, 16385])
def test_a_batch_of_so_many_records_is_refused_in_one_sentence(batch: int) -> None:
    parameters = small_parameters((4, 8, 2), batch_max=batch)
    with pytest.raises(UserError, match="rlc_learner: BATCH_MAX must be 1 to 16384"):
        legal("rlcores:learner:learner", "rlc_learner", parameters)
    with pytest.raises(UserError, match=f"BATCH_MAX is {batch}; it must be 1 to 16384"):
        declared.completed("learner", parameters)
    with pytest.raises(ValueError, match=f"BATCH_MAX is {batch}; it must be 1 to 16384"):
        LearnerShape.of(parameters)
    with pytest.raises(UserError, match=f"batch_max is {batch}; it must be 1 to 16384"):
        Learner((4, 8, 2), batch_max=batch)
    with pytest.raises(UserError, match=f"batch_size is {batch}; it must be 1 to 16384"):
        ReplayLearner((4, 8, 2), batch_size=batch)
    for algo, most in (("dqn", 16384), ("ddpg", 16384), ("sac", 8191), ("td3", 8191), ("ppo", 4096)):
        with pytest.raises(UserError, match=f"batch_size is {batch}; it must be 1 to {most}"):
            tuning.checked(algo, {"batch_size": batch})


@pytest.mark.slow
@pytest.mark.parametrize("columns", [3, 1])
def test_the_gradient_of_16384_of_the_largest_products_is_exact(columns: int) -> None:
    """Each product is 2**34, or about -2**34, so the sum reaches 2**48; SGD's weight shows it."""
    parameters = network("2-1", "1-1", "1", "1", "1", "1") | core(columns, BATCH, SGD, NEAREST, 0)
    form = LearnerFormats((12, 16), (0, 16), (0, 0))
    settings = LearnerSettings(
        batch=BATCH, gamma=0, reward_scale=FACTOR_ONE, networks=equal_networks(rate=1 << 16, rate_exp=38)
    )
    states = np.tile([-(2**17), 2**17 - 1], (BATCH, 1))
    with LearnerDrive(parameters) as drive:
        for signs in (np.ones(BATCH, int), -np.ones(BATCH, int), np.where(np.arange(BATCH) < 10_000, 1, -1)):
            model = drive.model(form, settings)
            model.network.start(np.zeros(3, np.int64))
            drive.reset()
            drive.configure(form, settings)
            drive.load_model(model)
            # The network says 0, and a delta is minus the reward, saturated to 18 bits.
            zeros, none = np.zeros(BATCH, int), np.zeros(BATCH, bool)
            records = Records(states, zeros, signs << 20, states, none, np.full(BATCH, FACTOR_ONE))
            (priorities,) = drive.run([records]).priorities
            assert np.array_equal(priorities, model.step_records(records))
            deltas = np.where(signs > 0, -(2**17), 2**17 - 1)
            sums = [sum((deltas * x).tolist()) for x in states.T] + [sum(deltas.tolist()) << 12]
            assert model.network.planes[WEIGHTS].tolist() == [-((exact + 2**27) >> 28) for exact in sums]
            assert not drive.differences(model)


def train(drive: LearnerDrive, seed: int, mood: str, steps: int) -> None:
    """Some steps of core and model; everything must be the same at their end. Raises AssertionError."""
    rng, shape = random.Random(seed), drive.shape
    form = traffic.formats(rng, shape, mood)
    settings = traffic.settings(rng, shape, form, mood, 2)
    networks = [replace(own, rate=2**17 - 1) for own in settings.networks]
    settings = replace(settings, networks=networks, huber=0)
    model = drive.model(form, settings)
    for plane in (WEIGHTS, TARGET):
        model.network.set_matrices(traffic.plane(rng, shape, shape.value, plane, mood), plane)
    before = model.network.matrices()
    drive.reset()
    drive.configure(form, settings)
    drive.load_model(model)
    batches = [traffic.records(rng, shape, form, 2, mood) for _ in range(steps)]
    run = drive.run(batches, rec_gap=60, prio_wait=60, seed=seed + 1)
    for records, priorities in zip(batches, run.priorities, strict=True):
        assert np.array_equal(priorities, model.step_records(records))
    assert not drive.differences(model)
    assert np.array_equal(run.saturated, model.counters)
    # Weights move in every quarter of the largest layer, to it and from it.
    (to, _), (from_, _) = ((new != old, b) for (new, b), (old, _) in zip(model.network.matrices(), before, strict=True))
    assert mood != "calm" or all(part.any() for part in (*np.split(to, 4), *np.split(from_, 4, axis=1)))


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [WIDE, MANY], ids=["wide", "many"])
def test_a_layer_of_1024_neurons_trains_as_in_the_model(parameters: Parameters, seed: int) -> None:
    with LearnerDrive(parameters) as drive:
        train(drive, seed, "calm", 3)
        train(drive, seed, "far", 1)


# What is broken: the core that shows it, file, right, wrong. Each cuts a bit of a place.
BROKEN = {
    "half of the rows share their weights": (
        WIDE,
        "nn/rlc_nn_matvec",
        "({20'd0, w_fold_q} << W_BITS)",
        "({21'd0, w_fold_q[8:0]} << W_BITS)",
    ),
    "half of the columns share their weights": (
        WIDE,
        "nn/rlc_nn_matvec",
        "| {20'd0, w_word_q}",
        "| {21'd0, w_word_q[8:0]}",
    ),
    "half of the sums are read": (
        WIDE,
        "nn/rlc_nn_weight_grad",
        "at_iof[SET_BITS-1:0]",
        "{1'b0, at_iof[SET_BITS-2:0]}",
    ),
    "the groups are counted in 16 bits": (
        MANY,
        "nn/rlc_nn_param_bank",
        "rd_addr_q <= rd_addr_q + 1'b1;",
        "rd_addr_q <= {1'b0, rd_addr_q[ADDR-2:0] + 1'b1};",
    ),
}


@pytest.mark.slow
def test_a_gradient_that_loses_what_goes_over_48_bits_is_seen(break_line) -> None:
    break_line("rtl/nn/rlc_nn_weight_grad.v", "{down, up || down}", "2'b00")
    with pytest.raises(AssertionError):
        test_the_gradient_of_16384_of_the_largest_products_is_exact(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_a_place_without_its_highest_bit_is_seen(name: str, break_line) -> None:
    parameters, file, right, wrong = BROKEN[name]
    break_line(f"rtl/{file}.*v", right, wrong)
    with LearnerDrive(parameters) as drive, pytest.raises((AssertionError, RunFailed)) as seen:
        train(drive, 1, "calm", 2)
    assert "does not build" not in str(seen.value)


def test_each_line_to_break_is_there(file_with) -> None:
    for _, file, right, _ in BROKEN.values():
        file_with(f"rtl/{file}.*v", right)
