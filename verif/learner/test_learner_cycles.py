"""The learner's cycle model: what it says of every configuration, against the RTL that it predicts, and its formula."""

from fractions import Fraction

import numpy as np
import pytest

from rlcores.cores.learner.optimisers import ADAM, MOMENTUM, SGD, adam
from rlcores.cores.learner.registers import settings
from rlcores.cores.learner.shape import LearnerShape, fields
from rlcores.eda import configs
from rlcores_lab.bench import learner
from rlcores_lab.bench.learner_drive import LearnerDrive
from rlcores_lab.cycles import learner as learner_cycles

CONFIGS = configs.names("learner")
QUICK = ("tiny", "ddpg_tiny")  # the others in `make regress`
SHAPES = {name: LearnerShape.of(configs.load("learner", name)) for name in CONFIGS}


@pytest.mark.parametrize(
    "config", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CONFIGS]
)
def test_the_rtl_takes_the_clocks_that_the_model_says(config, seed):
    measured = learner.measure(configs.load("learner", config), seed, (1, 16, 33, 64))
    assert measured.steps and measured.checked >= 5 * min(measured.steps)
    for one in (*measured.steps.values(), measured.other):
        assert one.error <= 0.05, f"batch {one.batch}: {one.model.period} predicted, {one.period} counted"
        assert abs(one.model.latency - one.run.latency) <= 0.05 * one.run.latency
        for unit in one.model.units:
            if unit.stage is not None:
                assert one.run.busy[unit.stage] == one.model.busy[unit.name] * learner.STEPS, unit.name


@pytest.mark.parametrize("config", QUICK)
def test_every_step_ends_in_the_clock_that_the_model_says(config, seed):
    parameters = configs.load("learner", config)
    rng = np.random.default_rng(seed)
    with LearnerDrive(parameters) as drive:
        formats = learner.formats(drive.shape)
        for size in (1, 2, 7):
            registers = settings(formats, batch=size)
            model = drive.model(formats, registers)
            learner.initialise(model, drive.shape, rng)
            drive.configure(formats, registers)
            drive.load_model(model)
            run = drive.run(learner.random_records(model, drive.shape, size, 4, rng))
            _, expected = learner_cycles.times(parameters, [size] * 4)
            assert (run.done - run.begun[0]).tolist() == expected


@pytest.mark.parametrize(("config", "clocks", "dsp"), [("u200", 790, 2280), ("zcu106", 1200, 1500)])
def test_a_dqn_step_of_64_stays_below_its_clocks_and_dsps(config, clocks, dsp):
    cycles = learner_cycles.cycles(configs.load("learner", config), 64)
    assert cycles.period <= clocks and SHAPES[config].dsp_count <= dsp
    assert SHAPES[config].value.sizes == (4, 64, 64, 2)


@pytest.mark.parametrize(("config", "dsp"), [("ddpg_u200", 2280), ("ddpg_zcu106", 1500)])
def test_ddpg_fits_the_same_devices(config, dsp):
    shape = SHAPES[config]
    assert shape.dsp_count <= dsp
    assert shape.actor.sizes == (3, 64, 64, 1) and shape.value.sizes == (4, 64, 64, 1)


def test_the_ecp5_configuration_fits_its_156_multipliers():
    # A product of 27 by 18 bits takes two of 18 by 18.
    assert 2 * SHAPES["ecp5"].dsp_count <= 156


@pytest.mark.parametrize("config", ["u200", "zcu106", "lunar", "tiny", "deep", "ecp5", "ddpg_u200", "ddpg_zcu106"])
@pytest.mark.parametrize("batch", [1, 32, 64, 256])
def test_the_formula_holds_where_the_input_is_not_the_slowest(config, batch):
    cycles = learner_cycles.cycles(configs.load("learner", config), batch)
    assert cycles.t_in < cycles.t_max
    assert cycles.formula == pytest.approx(cycles.period, rel=0.005)


@pytest.mark.parametrize("config", CONFIGS)
def test_no_unit_works_more_than_all_the_time_and_the_slowest_sets_the_pace(config):
    parameters = configs.load("learner", config)
    few, many = (learner_cycles.cycles(parameters, 16 * SHAPES[config].columns * n) for n in (1, 9))
    pace = Fraction(many.period - few.period, many.batch_slices - few.batch_slices)
    assert many.t_max <= pace <= max(many.t_max, many.t_in)
    assert all(0 < many.utilisation(u.name) <= 1 for u in many.units)
    assert many.t_max == max(u.least for u in many.units if u.name != "IN")


@pytest.mark.parametrize("config", CONFIGS)
def test_every_multiplier_belongs_to_a_unit(config):
    units = learner_cycles.units(configs.load("learner", config))
    assert sum(u.macs for u in units) == SHAPES[config].mac_count
    stages = [u.stage for u in units if u.stage is not None]
    assert len(stages) == len(set(stages)) and all(0 < s < 64 for s in stages)


def test_macs_times_clocks_cover_every_product_of_a_batch_slice():
    for name, shape in SHAPES.items():
        net = shape.value
        for layer in range(1, net.layers + 1):
            products = net.sizes[layer] * net.sizes[layer - 1]
            assert net.forward_macs(layer) * net.forward_steps(layer) >= products, name
            assert net.backward_macs(layer) * net.backward_steps(layer) >= products, name
            groups = net.weight_groups(layer) + net.bias_groups(layer)
            assert groups * net.update_lanes(layer) >= products + net.sizes[layer], name


def test_digits_of_a_constant_are_those_of_its_canonical_form():
    # 205 = 256 - 64 + 16 - 4 + 1, 131 = 128 + 4 - 1.
    assert [adam.digits(n) for n in (0, 1, 3, 205, 131, 255)] == [0, 1, 2, 5, 3, 2]


def test_lanes_of_the_optimisers_have_their_multipliers():
    one = {
        kind: LearnerShape.of(configs.load("learner", "tiny") | {"OPTIMISER": kind}) for kind in (SGD, MOMENTUM, ADAM)
    }
    lanes = one[SGD].update_lanes
    assert lanes == 8
    assert one[MOMENTUM].dsp_count - one[SGD].dsp_count == lanes
    assert one[ADAM].dsp_count == one[SGD].dsp_count
    averaged = LearnerShape.of(configs.load("learner", "tiny") | {"POLYAK": 1})
    assert averaged.dsp_count - one[SGD].dsp_count == lanes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"SIZES": "3-x-2"}, "not a list of numbers"),
        ({"SIZES": "3-4-4-4-4-2"}, "5 weight layers; allowed are 1 to 4"),
        ({"LANES": "3-2"}, "LANES has 2 numbers; SIZES has 3"),
        ({"FORWARD": "1"}, "FORWARD has 1 numbers; there are 2"),
        ({"FORWARD": "2-1"}, "FORWARD is 2 in layer 1"),
        ({"FORWARD": "1-2"}, "FORWARD is 2 in layer 2"),
        ({"BACKWARD": "2-1"}, "BACKWARD is 2 in layer 1"),
        ({"BACKWARD": "1-2"}, "BACKWARD is 2 in layer 2"),
        ({"UPDATE_ROWS": "2-3"}, "UPDATE_ROWS is 3 in layer 2"),
        ({"UPDATE_COLS": "2-1"}, "UPDATE_COLS is 2 in layer 1"),
    ],
)
def test_a_shape_that_the_core_refuses_is_refused_with_a_reason(change, message):
    with pytest.raises(ValueError, match=message):
        LearnerShape.of(configs.load("learner", "tiny") | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"SIZES": "4-4-1:2-3-1"}, "SIZES begins with 4; the state's words and the action make 3"),
        ({"SIZES": "3-4-2:2-3-1"}, "a critic has one value"),
        ({"LANES": "2-2-1:2-2-1"}, "begin and end with the 2 lanes"),
        ({"SIZES": "3-1:2-3-1", "LANES": "2-1:2-2-2", **dict.fromkeys(("FORWARD", "BACKWARD"), "1:1-1"),
          "UPDATE_ROWS": "1:2-1", "UPDATE_COLS": "1:1-2"}, "a critic needs a hidden layer"),
        ({"SIZES": "3-4-1:2-3-1:2-3-1"}, "LANES has 2 networks; SIZES has 3"),
        ({"UPDATE_ROWS": "2-1"}, "UPDATE_ROWS has 1 networks; SIZES has 2"),
    ],
)  # fmt: skip
def test_an_actor_that_does_not_fit_its_critic_is_refused_with_a_reason(change, message):
    with pytest.raises(ValueError, match=message):
        LearnerShape.of(configs.load("learner", "ddpg_tiny") | change)


def test_fields_read_what_the_rtl_reads():
    assert fields("4-64-64-2") == (4, 64, 64, 2) and fields("1") == fields(1) == (1,)
