"""Losses, and the learner's tanh behind an actor, bit for bit as their models, in both simulators."""

from fractions import Fraction
from functools import partial
from math import floor

import numpy as np
import pytest
from simulators import NO_ICARUS, both, covered

from rlcores.cores.learner import loss as learner_loss
from rlcores.cores.learner import tail as learner_tail
from rlcores.cores.learner.loss_settings import LossRegisters
from rlcores.eda import sim
from rlcores.errors import RunFailed

CORE = "rlcores:rl:units_verif"
run = partial(covered, CORE)


TD_LOSSES = both(
    {"DP": 3, "ACTIONS": 6, "LANES": 4},
    {"DP": 1, "ACTIONS": 1, "LANES": 1},
    {"DP": 2, "ACTIONS": 2, "LANES": 2},
    {"DP": 4, "ACTIONS": 3, "LANES": 8, "VALUE_WIDTH": 20},
    {"DP": 1, "ACTIONS": 5, "LANES": 1},
)


@pytest.mark.parametrize(("simulator", "parameters"), TD_LOSSES)
def test_td_errors_priorities_and_deltas_are_those_of_the_model(simulator, parameters, seed):
    hits = run("td_loss", simulator, seed, parameters)
    needed = ["td at the limit", "delta saturated", "saturated", "not valid", "last not valid", "delta in time"]
    needed += ["m_prio stalled", "m_delta stalled", "s_q refused", "s_t refused", "s_info refused"]
    needed += ["tie", "double differs"] if parameters["ACTIONS"] > 1 else []
    assert all(hits.get(name, 0) > 0 for name in needed), hits


PRIORITIES = both({"DP": 3, "WIDTH": 26}, {"DP": 2, "WIDTH": 32}, {"DP": 1, "WIDTH": 20})


@pytest.mark.parametrize(("simulator", "parameters"), PRIORITIES)
def test_priorities_come_in_a_row_a_clock_each(simulator, parameters, seed):
    assert sim.run(CORE, {"verilator": "prio", "icarus": "prio_icarus"}[simulator], parameters, seed=seed).passed


SQUASHES = both(
    {"DP": 2, "LANES": 2, "D_PLACES": 20},
    {"DP": 1, "LANES": 1, "D_PLACES": 70},
    {"DP": 1, "LANES": 3, "DERIVATIVE": 0},
)


@pytest.mark.parametrize(("simulator", "parameters"), SQUASHES)
def test_actions_and_slopes_are_those_of_the_model(simulator, parameters, seed):
    hits = run("tanh", simulator, seed, parameters)
    assert hits["m_a words"] >= 640 and hits["m_a stalled"] and hits["slope 0"] and hits["slope 1.0"], hits
    assert parameters.get("DERIVATIVE") == 0 or hits["m_d words"] >= 640, hits


@pytest.mark.parametrize(("simulator", "parameters"), both({"DP": 2, "LANES": 3}, {"DP": 1, "LANES": 1}))
def test_the_actors_deltas_are_those_of_the_model(simulator, parameters, seed):
    hits = run("tanh_backward", simulator, seed, parameters)
    assert hits["m words"] == 480 and hits["saturated"] and hits["inside"] and hits["m stalled"], hits


CATEGORICAL = both({"ACTIONS": 3, "PLACES": 32}, {"ACTIONS": 2, "PLACES": 2}, {"ACTIONS": 18, "PLACES": 16})


@pytest.mark.parametrize(("simulator", "parameters"), CATEGORICAL)
def test_deltas_of_a_categorical_policy_are_those_of_the_model(simulator, parameters, seed):
    hits = run("clip_categorical", simulator, seed, parameters)
    needed = ["cut", "not cut", "ratio is one", "slope saturated", "delta saturated", "sure"]
    needed += ["s_q refused", "s_info refused", "m_delta stalled"]
    assert hits["m_delta words"] == 14 * 40 and all(hits.get(name, 0) > 0 for name in needed), hits


GAUSSIAN = both({"ACTIONS": 2, "PLACES": 64}, {"ACTIONS": 1, "PLACES": 2}, {"ACTIONS": 6, "PLACES": 16})


@pytest.mark.parametrize(("simulator", "parameters"), GAUSSIAN)
def test_deltas_of_a_gaussian_policy_and_its_deviations_are_those_of_the_model(simulator, parameters, seed):
    hits = run("clip_gaussian", simulator, seed, parameters)
    needed = ["cut", "ratio is one", "delta", "delta saturated", "far", "s_q refused", "s_info refused"]
    assert hits["m_delta words"] == 12 * 40 and all(hits.get(name, 0) > 0 for name in needed), hits


@pytest.mark.parametrize(("simulator", "parameters"), both({"PLACES": 16}, {"PLACES": 2}, {"PLACES": 64}))
def test_deltas_of_values_are_those_of_the_model(simulator, parameters, seed):
    hits = run("value_loss", simulator, seed, parameters)
    needed = ["delta saturated", "held", "below a half", "s_q refused", "s_info refused", "m_delta stalled"]
    assert hits["m_delta words"] == 14 * 40 and all(hits.get(name, 0) > 0 for name in needed), hits


ILLEGAL = [
    ("td_loss", {"ACTIONS": 0}, "rlc_rl_td_loss: ACTIONS must be 1 to 32768"),
    ("td_loss", {"VALUE_WIDTH": 28}, "rlc_rl_td_loss: VALUE_WIDTH must be 18 to 27"),
    ("tanh", {"A_PLACES": 1}, "rlc_rl_tanh: A_PLACES and D_PLACES must be at least 2"),
    ("tanh", {"DERIVATIVE": 2}, "rlc_rl_tanh: DERIVATIVE must be 0 or 1"),
    ("clip_categorical", {"ACTIONS": 1}, "rlc_rl_clip_categorical: ACTIONS must be 2 to 128"),
    ("clip_gaussian", {"ACTIONS": 33}, "rlc_rl_clip_gaussian: ACTIONS must be 1 to 32"),
    ("value_loss", {"PLACES": 1}, "rlc_rl_value_loss: PLACES must be 2 to 64"),
]


@NO_ICARUS
@pytest.mark.parametrize(("target", "parameters", "message"), ILLEGAL)
def test_an_illegal_parameter_is_refused_in_words(target, parameters, message):
    with pytest.raises(RunFailed, match=message):
        sim.run(CORE, f"{target}_icarus", parameters)


def rounded(x: Fraction) -> int:
    return floor(x + Fraction(1, 2))


def clip(x, limit: int, least: int | None = None):
    return max(-limit if least is None else least, min(limit, x))


def test_the_model_of_the_loss_is_the_formula(seed: int) -> None:
    """Element by element against exact fractions, saturation and the first of equals included."""
    rng = np.random.default_rng(seed)
    top, rows, actions, delta_frac = 1 << 26, 300, 3, 14
    for double, huber, act_frac in ((False, 1 << 25, 18), (True, 5000, int(rng.integers(8, 20)))):
        q, t, online = rng.integers(-top, top, (3, rows, actions)) >> rng.integers(0, 26, (3, rows, 1))
        action, reward = rng.integers(0, actions, rows), rng.integers(-top, top, rows) >> rng.integers(0, 20, rows)
        over, terminated = rng.integers(0, 2, rows).astype(bool), rng.integers(0, 2, rows).astype(bool)
        weight = np.where(over, 1 << 17, rng.integers(0, 1 << 17, rows))
        gamma, scale = (int(x) for x in rng.integers(1 << 16, (1 << 17) + 1, 2))
        td, count = learner_loss.td_error(
            q, action, t, reward, terminated,
            act_frac=act_frac, gamma=gamma, reward_scale=scale, q_online_next=online if double else None,
        )  # fmt: skip
        delta, saturated = learner_loss.output_delta(
            LossRegisters(huber=huber).clipped(td), weight, act_frac=act_frac, delta_frac=delta_frac
        )
        for n in range(rows):
            asked = [int(x) for x in (online if double else t)[n]]
            chosen = int(t[n, asked.index(max(asked))])
            exact_r = rounded(Fraction(int(reward[n]) * scale, 1 << 33 - act_frac))
            r = clip(exact_r, top - 1, -top)
            next_q = 0 if terminated[n] else Fraction(gamma * chosen, 1 << 17)
            exact = rounded(int(q[n, action[n]]) - r - next_q)
            assert td[n] == clip(exact, top - 1)
            assert count[n] == int(r != exact_r) + int(td[n] != exact)
            e = clip(int(td[n]), huber)
            wanted = rounded(Fraction(e * int(weight[n]) * (1 << delta_frac), 1 << 17 + act_frac))
            assert delta[n] == clip(wanted, (1 << 17) - 1, -(1 << 17)) and saturated[n] == (delta[n] != wanted)
        assert ((count.sum() > 0 and saturated.sum() > 0) or double) and (learner_loss.priority(td) == np.abs(td)).all()


def test_the_model_of_the_actors_end_is_the_mathematics() -> None:
    u = np.arange(-(1 << 17), 1 << 17, 37)
    a = np.tanh(u / 2.0**14)
    assert np.abs(learner_tail.action(u, 3) / 2.0**13 - a).max() < 2.0**-13
    assert np.abs(learner_tail.slope(u) / 2.0**16 - (1 - a * a)).max() < 2.0**-14
    delta, over = learner_tail.tail_delta(np.full(len(u), -70000), learner_tail.slope(u), 15)
    wanted = -140000 * (1 - a * a)
    assert np.abs(delta[~over] - wanted[~over]).max() < 10 and (over == (wanted < -(2**17) - 1)).mean() > 0.999
