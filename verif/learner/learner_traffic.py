"""Random registers, weights and records of a learner core, by what they should provoke."""

import random

import numpy as np

from rlcores.cores.learner.format import (
    ACTOR_FRAC,
    FACTOR_ONE,
    WEIGHT_FRAC,
    DdpgFormats,
    LearnerFormats,
    LearnerSettings,
    NetworkSettings,
)
from rlcores.cores.learner.layout import SQUARES, plane_range, value_columns
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape, NetworkShape

# calm: numbers of a real training; hot: every stage saturates; far: sums beyond 2**46; loose: any fractions at all;
# fine: those of a real training, but the least that goes back through the critic moves the actor's weights.
MOODS = ("calm", "hot", "far", "loose")

CALM = ("calm", "fine")


def formats(rng: random.Random, shape: LearnerShape, mood: str) -> LearnerFormats | DdpgFormats:
    """Fractions of all tensors."""
    while True:
        try:
            return _formats(rng, shape, mood)
        except ValueError:  # these make a shift that the core does not have
            continue


def _formats(rng: random.Random, shape: LearnerShape, mood: str) -> LearnerFormats | DdpgFormats:
    value = _network(rng, shape.value.layers, mood, 16 if shape.actor else 31)
    if shape.actor is None:
        return value
    actor = _network(rng, shape.actor.layers, mood, 16)
    actor = LearnerFormats((value.act_frac[0], *actor.act_frac[1:-1], ACTOR_FRAC), actor.delta_frac, actor.grad_frac)
    layers = shape.value.layers
    if mood == "fine":
        actor = LearnerFormats(actor.act_frac, (*actor.delta_frac[:-1], 29), actor.grad_frac)
        return DdpgFormats(value, actor, tuple(min(31, WEIGHT_FRAC * (layers - layer)) for layer in range(layers + 1)))
    if mood == "hot":
        # The slope of tanh is small where the actor's output is large, so its delta needs many fraction bits.
        return DdpgFormats(value, actor, (4,) * (layers + 1))
    low, high = (0, 31) if mood == "loose" else (12, 16)
    return DdpgFormats(value, actor, tuple(rng.randint(low, high) for _ in range(layers + 1)))


def _network(rng: random.Random, layers: int, mood: str, input_most: int) -> LearnerFormats:
    if mood in CALM:
        act = [rng.randint(10, 12) for _ in range(layers)] + [rng.randint(14, 17)]
        delta = [0] + [rng.randint(13, 16) for _ in range(layers)]
        grad = [0] + [rng.randint(16, 20) for _ in range(layers)]
    elif mood == "hot":
        act, delta, grad = [12] * layers + [24], [0] + [20] * layers, [0] + [rng.randint(28, 31)] * layers
    elif mood == "far":
        act = [min(rng.randint(22, 25), input_most)] + [rng.randint(22, 25) for _ in range(layers - 1)] + [26]
        delta, grad = [0] + [20] * layers, [0] + [24] * layers
    else:
        act = [rng.randint(0, input_most)] + [rng.randint(0, 31) for _ in range(layers)]
        delta = [0] + [rng.randint(0, 31) for _ in range(layers)]
        grad = [0] + [rng.randint(0, 47) for _ in range(layers)]
    return LearnerFormats(tuple(act), tuple(delta), tuple(grad))


def settings(
    rng: random.Random, shape: LearnerShape, form: LearnerFormats | DdpgFormats, mood: str, batch: int
) -> LearnerSettings:
    """The other registers."""
    value = form.value if isinstance(form, DdpgFormats) else form
    hot = mood == "hot"
    if mood in CALM:
        factors = {"gamma": rng.choice((129761, 131072, 120000)), "reward_scale": rng.choice((FACTOR_ONE, 13107))}
    else:
        factors = {name: rng.choice((0, FACTOR_ONE, rng.randint(0, FACTOR_ONE))) for name in ("gamma", "reward_scale")}
    if hot:
        factors = {"gamma": FACTOR_ONE, "reward_scale": FACTOR_ONE}
    interval = rng.choice((0, 1, 1, 2, 3, 7))
    tau = rng.choice((0, 2**17 - 1, rng.randint(1, 2**17 - 1)))
    huber = rng.choice((0, min(1 << value.act_frac[-1], 2**26 - 1), rng.getrandbits(rng.randint(1, 26))))
    registers = {
        **factors,
        "batch": batch,
        "huber": 0 if hot else huber,
        "double": bool(rng.getrandbits(1)),
        "lag": bool(rng.getrandbits(1)),
        "sync_interval": interval,
        "tau": tau,
        "momentum": rng.choice((0, 2**17 - 1, 117964, rng.getrandbits(17))),
        "log_eps": rng.randint(-(2**16), -1) if rng.random() < 0.6 else rng.randint(1, 2**16),
        "log_clip": rng.choice((3 * 2048, -2048, rng.randint(-(2**14), 2**14))),
        "pass_delta": -(2**17) if hot else rng.randint(-(2**17), 2**17 - 1),
        "seed": rng.getrandbits(32),
    }
    networks = []
    for network in (value, form.actor if isinstance(form, DdpgFormats) else value):
        least = max(0, WEIGHT_FRAC - min(network.grad_frac[1:]))
        most = min(63, 63 + WEIGHT_FRAC - max(network.grad_frac[1:]))
        if hot or mood == "fine":
            exponent, rate, log_rate = least, 2**17 - 1, 26 * 2048
        else:
            exponent = rng.randint(least, most) if mood == "loose" else min(max(rng.randint(24, 32), least), most)
            rate = rng.choice((0, 2**17 - 1, rng.getrandbits(17), rng.getrandbits(17)))
            log_rate = rng.randint(-(2**19), 2**19 - 1) if mood == "loose" else rng.randint(8 * 2048, 14 * 2048)
        networks.append(NetworkSettings(rate, exponent, log_rate))
    if hot:
        registers |= {"log_eps": -(2**16), "log_clip": 3 * 2048, "momentum": 2**17 - 1}
    return LearnerSettings(networks=networks, **registers)


def plane(rng: random.Random, shape: LearnerShape, network: NetworkShape, number: int, mood: str) -> list[tuple]:
    """(W, b) layer by layer of one plane, int64; padding columns of a critic are 0."""
    low, high = plane_range(number, shape.optimiser, shape.polyak)
    draw = np.random.default_rng(rng.getrandbits(64))
    pairs = []
    for layer, (m, n) in enumerate(zip(network.sizes[:-1], network.sizes[1:], strict=True), 1):
        if mood in CALM:
            spread = (1 << WEIGHT_FRAC if number < 2 else 1 << 18) << (9 if number == 1 and shape.polyak else 0)
            w, b = (draw.integers(max(low, -spread), spread, size) for size in ((n, m), n))
        else:
            w, b = (draw.integers(low, high + 1, size) for size in ((n, m), n))
        if number == SQUARES and mood in CALM:
            w, b = w >> 20, b >> 20
        if layer == 1 and network is shape.value and shape.actor is not None:
            kept = np.zeros(m, bool)
            kept[value_columns(shape)] = True
            w[:, ~kept] = 0
        pairs.append((w, b))
    return pairs


def records(
    rng: random.Random, shape: LearnerShape, form: LearnerFormats | DdpgFormats, count: int, mood: str
) -> Records:
    """A batch in integers."""
    draw = np.random.default_rng(rng.getrandbits(64))
    value = form.value if isinstance(form, DdpgFormats) else form
    bits = 17 if mood not in CALM else min(17, value.act_frac[0] + 1)
    states, next_states = (draw.integers(-(2**bits), 2**bits, (count, shape.state_size)) for _ in range(2))
    rewards = draw.integers(-(2**26), 2**26, count) if mood not in CALM else draw.integers(-(2**17), 2**17, count)
    weights = draw.choice([FACTOR_ONE, 0, 1], count, p=[0.4, 0.1, 0.5])
    weights = np.where(weights == 1, draw.integers(1, FACTOR_ONE, count), weights)
    terminated = draw.random(count) < draw.choice([0, 0.3, 1], p=[0.3, 0.6, 0.1])
    if shape.actor is not None:
        actions = draw.integers(-(2**bits), 2**bits, (count, shape.action_size))
    else:
        actions = draw.integers(0, shape.value.sizes[-1], count)
    if mood not in CALM:
        # What does not fit: states, rewards, importance weights, actions.
        states = np.where(draw.random(states.shape) < 0.1, draw.integers(-(2**31), 2**31, states.shape), states)
        rewards = np.where(draw.random(count) < 0.1, draw.integers(-(2**31), 2**31, count), rewards)
        weights = np.where(draw.random(count) < 0.1, draw.integers(FACTOR_ONE, 2**31, count), weights)
        if shape.actor is None:
            # The first action that does not exist, and any.
            beyond = shape.value.sizes[-1] + draw.integers(0, 2, count) * draw.integers(0, 2**16, count)
            actions = np.where(draw.random(count) < 0.1, beyond, actions)
    return Records(states, actions, rewards, next_states, terminated, weights)
