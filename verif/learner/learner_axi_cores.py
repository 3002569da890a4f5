"""Small cores for the tests of the AXI wrapper, its registers, its drivers and the API; and what goes through them."""

import numpy as np

from rlcores.cores.learner.api import small_parameters
from rlcores.cores.learner.driver import Driver, LearnerDriver
from rlcores.cores.learner.format import DdpgFormats, LearnerFormats, LearnerSettings, equal_networks
from rlcores.cores.learner.layout import WEIGHTS, plane_range, planes, value_columns
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.eda import configs

SETTINGS = LearnerSettings(
    batch=4, networks=equal_networks(rate=1000, rate_exp=24, log_rate=20_000, decay=3 << 18 | 9000), lag=False
)
LIMIT = 20_000  # clocks without progress that are a failure

# The ends of the register map, and no more: a core takes half a minute to build.
CORES = {
    # AdamW, which has all that Adam has.
    "dqn": small_parameters((3, 5, 2), optimiser="adamw", batch_max=24),
    # SGD, with an actor and averaged target weights.
    "ddpg": configs.load("learner", "ddpg_tiny"),
}


def rtl(core: str) -> LearnerDriver:
    """A core of CORES, just out of reset."""
    return LearnerDriver.verilated(CORES[core], limit=LIMIT)


def model(core: str) -> LearnerModelDriver:
    """Its model."""
    return LearnerModelDriver(LearnerShape.of(CORES[core]))


def formats(shape: LearnerShape) -> LearnerFormats | DdpgFormats:
    """LearnerFormats that hold small weights and states."""
    if shape.actor:
        return DdpgFormats.default(shape.value.layers, shape.actor.layers)
    return LearnerFormats.default(shape.value.layers)


def random_plane(rng: np.random.Generator, shape: LearnerShape, plane: int, actor: bool, share: float = 1.0):
    """(W, b) layer by layer over `share` of a plane's range; padding is 0."""
    low, high = (int(share * end) for end in plane_range(plane, shape.optimiser, shape.polyak))
    net = shape.actor if actor else shape.value
    matrices = []
    for layer, (m, n) in enumerate(zip(net.sizes[:-1], net.sizes[1:], strict=True)):
        w, b = rng.integers(low, high, (n, m), endpoint=True), rng.integers(low, high, n, endpoint=True)
        if layer == 0 and not actor:
            padding = np.ones(m, bool)
            padding[value_columns(shape)] = False
            w[:, padding] = 0
        matrices.append((w, b))
    return matrices


def random_records(rng: np.random.Generator, shape: LearnerShape, count: int, *, invalid: float = 0.0) -> Records:
    """A batch whose numbers are mostly small; `invalid` of the actions of a DQN do not exist."""
    states = rng.integers(-9000, 9000, (2, count, shape.state_size))
    states[rng.random(states.shape) < 0.02] = 2**17 + 5  # does not fit its 18 bits
    if shape.actor:
        actions = rng.integers(-4096, 4097, (count, shape.action_size))
    else:
        actions = rng.integers(0, shape.value.sizes[-1], count)
        actions[rng.random(count) < invalid] = shape.value.sizes[-1] + 1
    rewards, weights = rng.integers(-90_000, 90_000, count), rng.integers(0, 2**17 + 1, count)
    return Records(states[0], actions, rewards, states[1], rng.random(count) < 0.2, weights)


def networks(shape: LearnerShape) -> tuple[bool, ...]:
    """The values of `actor` that a core takes."""
    return (False, True) if shape.actor else (False,)


def start(rng: np.random.Generator, *drivers: Driver, settings: LearnerSettings | None = None) -> None:
    """The same formats, settings and small random planes in all drivers."""
    shape = drivers[0].shape
    content = {
        (actor, plane): random_plane(rng, shape, plane, actor, 0.04)
        for actor in networks(shape)
        for plane in planes(shape)
    }
    for driver in drivers:
        driver.configure(formats(shape), settings or SETTINGS)
        for (actor, plane), matrices in content.items():
            driver.load(matrices, plane, actor)


def everything(driver: Driver) -> list:
    """All planes of all networks as lists."""
    shape = driver.shape
    return [
        [(w.tolist(), b.tolist()) for w, b in driver.read(plane, actor)]
        for actor in networks(shape)
        for plane in planes(shape)
    ]


def weights_of(driver: Driver) -> list:
    """The weights of the value network as lists."""
    return [(w.tolist(), b.tolist()) for w, b in driver.read(WEIGHTS)]
