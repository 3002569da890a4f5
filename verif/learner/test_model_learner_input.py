"""What goes into the learner's integer model: records, registers, formats, and what is refused with one sentence."""

import numpy as np
import pytest
from learner_cases import (
    FINE,
    SIZES,
    ddpg_batch,
    ddpg_learner,
    ddpg_of,
    planes,
    real_batch,
    real_weights,
    value_learner,
    value_of,
)

from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings, NetworkSettings, equal_networks
from rlcores.cores.learner.model import DdpgLearner, ValueLearner
from rlcores.cores.learner.optimisers.adam import log_rate
from rlcores.cores.learner.optimisers.slot import Betas, unpacked
from rlcores.cores.learner.records import Records, pack_records
from rlcores.cores.learner.registers import AdamRate, ports, rate_of, settings
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import FRACTIONS
from rlcores.eda import configs


def test_record_words_carry_every_field_where_the_core_reads_it() -> None:
    records = Records(
        np.array([[1, -2, 3], [4, 5, -6]]),
        np.array([7, 2]),
        np.array([-1, 2**26 - 1]),
        np.array([[-7, 8, 9], [10, 11, 12]]),
        np.array([True, False]),
        np.array([2**17, 5]),
    )
    low = 2**32
    first = [7 + 2**31, low - 1, 2**17, 0, 1, low - 2, 3, 0, low - 7, 8, 9, 0]
    second = [2, 2**26 - 1, 5, 0, 4, 5, low - 6, 0, 10, 11, 12, 0]
    words = pack_records(records, 2)
    assert words.dtype == np.uint32 and words.shape == (12, 2)
    assert words.ravel().tolist() == first + second
    records.actions = np.array([[20, 21], [-22, 23]])
    words = pack_records(records, 4).ravel().tolist()
    assert words[:16] == [2**31, low - 1, 2**17, 0, 1, low - 2, 3, 0, 20, 21, 0, 0, low - 7, 8, 9, 0]
    assert words[16:] == [0, 2**26 - 1, 5, 0, 4, 5, low - 6, 0, low - 22, 23, 0, 0, 10, 11, 12, 0]


@pytest.mark.parametrize("rate", [1e-6, 3e-4, 0.0123, 0.5, 1.0, 7.0])
def test_a_learning_rate_has_sixteen_bits_and_a_shift_that_exists(rate: float) -> None:
    for fractions in ((20, 18, 24), (22,), (6, 30), (40,)):
        mantissa, exponent = rate_of(rate / 64, fractions)
        assert mantissa < 2**17
        assert all(0 <= f + exponent - 22 <= 63 for f in fractions)
        assert mantissa / 2**exponent == pytest.approx(rate / 64, rel=2**-16, abs=2.0 ** -(exponent + 1))
    with pytest.raises(ValueError, match="learning rate"):
        rate_of(1e9, (22,))
    with pytest.raises(ValueError, match="learning rate"):
        rate_of(float("nan"), (22,))


def test_ports_hold_the_registers_and_nothing_else_moves() -> None:
    formats = DdpgFormats.default()
    registers = settings(
        formats, gamma=0.5, huber=2.0, tau=0.25, lag=False, learning_rate=1e-3, target_update_interval=9
    )
    values = ports(formats, registers)
    assert values["cfg_gamma"] == 2**16 and values["cfg_huber"] == 2**17 and values["cfg_tau"] == 2**15
    assert values["cfg_lag"] == 0 and values["cfg_sync_interval"] == 9 and values["cfg_batch"] == 64
    value, actor = (FRACTIONS.unpack(values["cfg_fracs"] >> FRACTIONS.bits * network) for network in range(2))
    assert value["act"] == 12 | 12 << 5 | 12 << 10 | 16 << 15 and actor["act"] == value["act"] ^ (16 ^ 14) << 15
    assert value["grad"] == actor["grad"] == 18 << 6 | 18 << 12 | 18 << 18
    assert values["cfg_pass_delta"] == 2**18 - 2**14
    rates = [unpacked(values["cfg_optimisers"] >> 126 * network) for network in range(2)]
    assert all(one["log_eps"] - 2**20 == round(2048 * np.log2(64e-8)) for one in rates)
    assert [one["log_rate"] for one in rates] == [registers.networks[network].log_rate for network in range(2)]
    alone = ports(formats.value, registers)
    assert set(alone) == set(values) and alone["cfg_fracs"] == values["cfg_fracs"] & (1 << 80) - 1
    assert alone["cfg_optimisers"] == values["cfg_optimisers"] & (1 << 126) - 1 and not alone["cfg_pass_frac"]


def test_adams_rate_has_the_bias_correction_and_settles() -> None:
    rate, betas = AdamRate(1e-3), Betas()
    for step in (1, 2, 10, 1000):
        exact = 1e-3 * (1 - betas.beta2**step) ** 0.5 / (1 - betas.beta1**step)
        assert abs(rate.at(step) / 2048 - np.log2(exact * 2**22)) <= 0.5001 / 2048
    assert rate.at(10**6) == log_rate(1e-3)
    settled = rate._last
    assert abs(rate.at(settled) - rate.at(settled + 1)) <= 1


# --- bad input ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m[1][0].__setitem__((0, 0), np.nan), "nan"),
        (lambda m: m[1][0].__setitem__((0, 0), np.inf), "inf"),
        (lambda m: m[2][1].__setitem__(0, 16.0), r"16.*sfix\(27,22\)"),
        (lambda m: m.pop(), "2 layers"),
        (lambda m: m.__setitem__(0, (m[0][0].T, m[0][1])), r"layer 1.*\(4, 16\)"),
        (lambda m: m.__setitem__(1, (m[1][0], m[1][1][:-1])), "layer 2"),
    ],
    ids=["nan", "infinite", "out_of_range", "too_few", "transposed", "short_bias"],
)
def test_bad_weights_are_refused_and_change_nothing(change, message: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    learner.step(real_batch(rng))
    before = planes(learner)
    matrices = real_weights(rng, *SIZES)
    change(matrices)
    with pytest.raises(ValueError, match=message):
        learner.load(matrices)
    assert np.array_equal(planes(learner), before)


def test_a_bad_actor_leaves_the_critic_as_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = ddpg_learner(rng)
    before, batch = planes(learner), ddpg_batch(rng)
    values = learner.q(batch.states, batch.actions)
    with pytest.raises(ValueError, match="layer 1"):
        learner.load(real_weights(rng, 5, 16, 12, 1), real_weights(rng, 4, 16, 12, 2))
    assert np.array_equal(planes(learner), before)
    assert np.array_equal(learner.q(batch.states, batch.actions), values)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("states", np.full((32, 4), np.nan), "state is nan"),
        ("states", np.zeros((32, 5)), r"\(32, 5\)"),
        ("next_states", np.full((32, 4), np.inf), "next state is inf"),
        ("actions", np.full(32, 3), "action is 3"),
        ("actions", np.full(32, -1), "action is -1"),
        ("actions", np.full(32, 0.5), "action is 0.5"),
        ("rewards", np.full(32, 2000.0), "reward is 2000"),
        ("rewards", np.full(32, np.nan), "reward is nan"),
        ("weights", np.full(32, 1.5), "importance weight is 1.5"),
        ("weights", np.full(32, -0.1), "importance weight is -0.1"),
        ("terminated", np.zeros(31, bool), "terminated"),
    ],
)
def test_a_bad_batch_is_refused_and_changes_nothing(field: str, value, message: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    before, counters = planes(learner), learner.counters.copy()
    batch = real_batch(rng)
    setattr(batch, field, value)
    with pytest.raises(ValueError, match=message):
        learner.step(batch)
    assert np.array_equal(planes(learner), before) and learner.steps == 0
    assert np.array_equal(learner.counters, counters)


def test_a_batch_of_the_wrong_length_is_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = value_learner(rng)
    with pytest.raises(ValueError, match="31 transitions; the register says 32"):
        learner.step(real_batch(rng, 31))
    with pytest.raises(ValueError, match="batch is 0"):
        learner.set(batch=0)
    assert learner.settings.batch == 32


@pytest.mark.parametrize(
    ("registers", "message"),
    [
        ({"gamma": 2**17 + 1}, "gamma"),
        ({"networks": [NetworkSettings()]}, "networks has 1 settings"),
        ({"tau": -1}, "tau"),
        ({"huber": 0.5}, "whole number"),
        ({"batch": 2**16}, "batch"),
    ],
)
def test_a_register_out_of_range_is_refused(registers: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LearnerSettings(**registers)


@pytest.mark.parametrize(
    ("registers", "message"),
    [
        ({"rate": 2**17}, "rate"),
        ({"rate_exp": 64}, "rate_exp"),
        ({"log_rate": 0.5}, "whole number"),
        ({"decay": -1}, "decay"),
    ],
)
def test_a_register_of_a_network_out_of_range_is_refused(registers: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NetworkSettings(**registers)


def test_rates_whose_shift_the_core_lacks_are_refused_and_the_old_stay(seed: int) -> None:
    learner = value_learner(np.random.default_rng(seed), FINE, "sgd")
    before = learner.settings
    with pytest.raises(ValueError, match="0 to 63"):
        learner.set(networks=equal_networks(rate_exp=1))
    assert learner.settings == before
    adam = ddpg_learner(np.random.default_rng(seed))
    ddpg = ddpg_of((5, 16, 12, 1), (3, 16, 12, 2), adam.formats, adam.settings, "sgd")
    before = ddpg.settings
    with pytest.raises(ValueError, match="0 to 63"):
        ddpg.set(networks=equal_networks(rate_exp=1))
    assert ddpg.settings == before and np.all(ddpg.actor._rates.rate_shift >= 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LearnerFormats((12, 12), (0, 14, 14), (0, 20)), "delta_frac has 3"),
        (lambda: LearnerFormats((12, 32), (0, 14), (0, 20)), "act_frac.1. is 32"),
        (lambda: LearnerFormats((31, 5), (0, 14), (0, 20)), "forward layer 1 48"),
        (lambda: LearnerFormats((2, 12), (0, 14), (0, 20)), "gradient of layer 1 -4"),
        (lambda: LearnerFormats((12, 4), (0, 31), (0, 10)), "fraction 4 and its delta 31; the delta's is 0 to 21"),
        (lambda: LearnerFormats((12, 31), (0, 0), (0, 10)), "fraction 31 and its delta 0; the delta's is 1 to 31"),
        (lambda: LearnerFormats((12,), (0,), (0,)), "0 weight layers"),
        (lambda: DdpgFormats(FINE, LearnerFormats.default(3), (14,) * 4), "actor's output has fraction 16"),
        (lambda: DdpgFormats(FINE, LearnerFormats.default(3, actor=True), (14,) * 3), "pass_frac has 3"),
        (lambda: value_of((4, 3), FINE, LearnerSettings()), "3 weight layers"),
        (lambda: value_of((4, 1025, 12, 3), FINE, LearnerSettings()), "1 to 1024"),
    ],
)
def test_what_the_core_cannot_be_is_refused(make, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", configs.names("learner"))
def test_every_configuration_has_a_model_that_takes_a_step(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = LearnerShape.of(configs.load("learner", name))
    layers, options = (
        shape.value.layers,
        {"batch": 5, "learning_rate": 1e-2, "actor_learning_rate": 1e-2, "target_update_interval": 1},
    )
    if shape.actor is None:
        formats = LearnerFormats.default(layers)
        learner = ValueLearner(shape, formats, settings(formats, **options))
        learner.load(real_weights(rng, *shape.value.sizes))
        batch = real_batch(rng, 5, shape.state_size, shape.value.sizes[-1])
    else:
        formats = DdpgFormats.default(layers, shape.actor.layers)
        learner = DdpgLearner(shape, formats, settings(formats, **options))
        learner.load(real_weights(rng, *shape.value.sizes), real_weights(rng, *shape.actor.sizes))
        batch = ddpg_batch(rng, 5, shape.state_size, shape.action_size)
    before = planes(learner)
    assert learner.step(batch).shape == (5,)
    assert (planes(learner) != before).mean() > 0.05
