"""What the tests of the replay learner start from: cores, settings, experiences of any kind, a driver's whole state."""

import itertools

import numpy as np
import pytest

from rlcores.cores.common.draws import state_of
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings, NetworkSettings
from rlcores.cores.learner.layout import planes
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.learner.words import NETWORKS
from rlcores.cores.replay_learner.driver import Driver, ReplayLearnerDriver
from rlcores.cores.replay_learner.model import ReplayLearnerModelDriver
from rlcores.cores.replay_learner.records import LARGEST
from rlcores.eda import configs

Parameters = dict[str, int | str]


def _cores() -> dict[str, Parameters]:
    cores = {name: configs.load("replay_learner", name) for name in ("tiny", "ddpg_tiny")}
    # A word of the stream needs four beats of memory; as far ahead as it goes, Adam; addresses of more than 32 bits.
    cores["split"] = {
        **cores["tiny"],
        **{"SIZES": "5-4-3", "LANES": "4-2-3", "UPDATE_ROWS": "1-1", "UPDATE_COLS": "1-1", "OPTIMISER": 2},
        **{"BATCH_MAX": 12, "DATA_WIDTH": 32, "READS": 8, "WRITES": 5, "AHEAD_MAX": 255},
        **{"LEAVES_LOG2": 6, "RADIX_LOG2": 3, "CAPACITY": 50, "ADDR_WIDTH": 34},
    }
    # The same with another layer and samples side by side.
    cores["deep"] = {
        **cores["split"],
        **{"SIZES": "5-6-4-3", "LANES": "4-3-2-3", "FORWARD": "1-1-1", "BACKWARD": "1-1-1", "DP": 2},
        **{"UPDATE_ROWS": "3-2-3", "UPDATE_COLS": "2-1-1"},
    }
    return cores


CORES = _cores()
# What takes time is to build a core, so tests of the RTL that are not slow have these only.
QUICK = ("tiny", "split")


def on_rtl(*arguments: tuple) -> list:
    """Arguments of a test, the core first; those of cores that are not quick to build are slow."""
    return [pytest.param(*values, marks=() if values[0] in QUICK else pytest.mark.slow) for values in arguments]


RTL = on_rtl(*((core,) for core in CORES))


def formats(shape: LearnerShape) -> LearnerFormats | DdpgFormats:
    """Fractions for weights and states of about 1."""
    if shape.actor:
        return DdpgFormats.default(shape.value.layers, shape.actor.layers)
    return LearnerFormats.default(shape.value.layers)


def td_frac(shape: LearnerShape) -> int:
    """Fraction of Q."""
    chosen = formats(shape)
    return (chosen.value if isinstance(chosen, DdpgFormats) else chosen).act_frac[-1]


def settings(rng: np.random.Generator, shape: LearnerShape, batch: int, **options) -> LearnerSettings:
    """Registers of a learner that learns fast."""
    registers = {
        "batch": batch,
        "gamma": int(rng.integers(2**16, 2**17)),
        "huber": int(rng.integers(0, 2)) << 17,
        "double": bool(rng.integers(0, 2)) and shape.actor is None,
        "lag": bool(rng.integers(0, 2)) and shape.actor is not None,
        "sync_interval": int(rng.integers(1, 6)),
        "tau": int(rng.integers(1, 2**17)) if shape.polyak else 0,
        "networks": [
            NetworkSettings(rate=int(rng.integers(2**10, 2**12)), rate_exp=20, log_rate=int(rng.integers(2**14, 2**15)))
            for _ in NETWORKS
        ],
        "pass_delta": -(2**13),
    }
    return LearnerSettings(**(registers | options))


def experiences(rng: np.random.Generator, shape: LearnerShape, count: int) -> tuple[Records, np.ndarray]:
    """Records of any kind, some of an action that does not exist, and their initial priorities."""
    states, next_states = rng.integers(-(2**13), 2**13, (2, count, shape.state_size))
    rewards = rng.integers(-(2**17), 2**17, count)
    terminated = rng.random(count) < 0.2
    if shape.actor:
        actions = rng.integers(-(2**12), 2**12, (count, shape.action_size))
    else:
        actions = rng.integers(0, shape.value.sizes[-1], count)
        wild = rng.random(count) < 0.1
        actions[wild] = rng.integers(shape.value.sizes[-1], 2**31, int(wild.sum()))
    first = rng.integers(0, 2**32, count) >> rng.integers(0, 33, count)
    first = np.where(rng.random(count) < 0.4, LARGEST, first)
    return Records(states, actions, rewards, next_states, terminated, np.zeros(count, np.int64)), first


def weights(rng: np.random.Generator, shape: LearnerShape, actor: bool):
    """Random weights of about 1."""
    sizes = (shape.actor if actor else shape.value).sizes
    return [
        (rng.integers(-(2**21), 2**21, (n, m)), rng.integers(-(2**20), 2**20, n)) for m, n in itertools.pairwise(sizes)
    ]


def networks(shape: LearnerShape) -> tuple[bool, ...]:
    """Whether it is the actor, of each network."""
    return (False, True) if shape.actor else (False,)


def start(
    rng: np.random.Generator, *drivers: Driver, batch: int, capacity: int, ahead: int, **options
) -> LearnerSettings:
    """The same weights, registers, draws and empty memory in all drivers."""
    shape = drivers[0].learner.shape
    chosen = settings(rng, shape, batch, **options)
    loaded = {}
    for actor in networks(shape):
        first = weights(rng, shape, actor)
        for plane in planes(shape):
            if plane == 0:
                loaded[actor, plane] = first
            elif plane == 1:
                shift = 9 if shape.polyak else 0
                loaded[actor, plane] = [(w << shift, b << shift) for w, b in first]
            else:
                loaded[actor, plane] = [(w * 0, b * 0) for w, b in first]
    maths = {
        "stratified": bool(rng.integers(0, 2)),
        "alpha": int(rng.integers(2**13, 2**15 + 1)),
        "epsilon": int(rng.integers(1, 2**15)),
        "scale": int(rng.integers(6 * 256, 9 * 256)),
        "beta": int(rng.integers(0, 2**15 + 1)),
        "initial": int(rng.integers(1, 2**10)),
    }
    draws = state_of(int(rng.integers(0, 2**63)))
    for driver in drivers:
        driver.learner.configure(formats(shape), chosen)
        for (actor, plane), matrices in loaded.items():
            driver.learner.load(matrices, plane, actor)
        driver.configure(capacity=capacity, batch=batch, ahead=ahead, td_frac=td_frac(shape), **maths)
        driver.clear()
        driver.load_draws(draws)
    return chosen


def planes_of(driver: Driver) -> list:
    """All weights and moments."""
    shape = driver.learner.shape
    return [
        np.concatenate([np.concatenate([w.reshape(-1), b]) for w, b in driver.learner.read(plane, actor)]).tolist()
        for actor in networks(shape)
        for plane in planes(shape)
    ]


def state_of_all(driver: Driver, slots: int) -> dict[str, object]:
    """All that a user could see of a core between two calls."""
    return {
        "weights": planes_of(driver),
        "priorities": driver.priorities(slots).tolist(),
        "records": driver.records(driver.size).tolist(),
        "largest": driver.largest,
        "size": driver.size,
        "filled": driver.filled,
        "steps": driver.learner.steps,
        "saturations": driver.learner.counters().tolist(),
    }


def same(actual: dict[str, object], wanted: dict[str, object], when: str) -> None:
    """Says which part differs."""
    for name, value in wanted.items():
        assert actual[name] == value, f"{name} after {when}"


def model(core: str | Parameters) -> ReplayLearnerModelDriver:
    """The integer model of a core, by name or by its parameters."""
    return ReplayLearnerModelDriver(CORES[core] if isinstance(core, str) else core)


def rtl(core: str, **options) -> ReplayLearnerDriver:
    """The Verilated core, just reset."""
    return ReplayLearnerDriver.verilated(CORES[core], **options)


def fresh(driver: ReplayLearnerDriver) -> ReplayLearnerDriver:
    """The driver of a core that was reset."""
    return ReplayLearnerDriver(driver.bus, driver.base)
