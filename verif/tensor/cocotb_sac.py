"""SAC and TD3 with every product and update of their networks on the unit, beside the same learners in the model."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import cocotb
import numpy as np
from cocotb.task import bridge
from tensor_bench import HITS
from tensor_networks import Shared, network_of

from rlcores.cores.learner.network import Network
from rlcores.cores.rl import actor_critic
from rlcores.cores.rl.sac import Sac, Temperature
from rlcores.cores.rl.sac import Settings as SacSettings
from rlcores.cores.rl.td3 import Settings as Td3Settings
from rlcores.cores.rl.td3 import Td3


# What is trained: a dict of Case's fields as JSON.
@dataclass(frozen=True)
class Case:
    """steps: of each learner; the rest: their shape."""

    steps: int = 6
    states: int = 3
    actions: int = 2
    network: tuple[int, ...] = (6, 5)
    batch: int = 6
    learners: tuple[str, ...] = ("Td3", "Sac")


CASE = Case(**json.loads(os.environ.get("RLCORES_CASE", "{}")))
LEARNERS = {"Td3": (Td3, Td3Settings), "Sac": (Sac, SacSettings)}


def pair(shared: Shared, kind, settings, seed: int):
    """The same learner twice: on the unit, and in the model."""
    own = actor_critic._kind
    actor_critic._kind = lambda _: network_of(shared)
    try:
        on_unit = kind(CASE.states, CASE.actions, settings, seed=seed, backend="model")
    finally:
        actor_critic._kind = own
    if isinstance(on_unit, Sac):
        on_unit.temperature = Temperature(settings, CASE.actions, Network)
    return on_unit, kind(CASE.states, CASE.actions, settings, seed=seed, backend="model")


def train(shared: Shared, kind, settings, seed: int) -> None:
    """Steps on random transitions: TD errors, saturations and fractions of each, and at the end every plane."""
    on_unit, model = pair(shared, kind, settings, seed)
    rng = np.random.default_rng(seed)
    rows, states, actions = CASE.batch, CASE.states, CASE.actions
    for _ in range(CASE.steps):
        batch = (
            rng.normal(size=(rows, states)), rng.uniform(-1, 1, (rows, actions)), rng.normal(size=rows),
            rng.normal(size=(rows, states)), rng.choice([0, 0.99], rows), rng.uniform(0.1, 1, rows),
        )  # fmt: skip
        assert np.array_equal(on_unit.step(*batch), model.step(*batch)), "TD errors differ"
        assert on_unit.fractions() == model.fractions(), "fractions differ"
        HITS["steps"] += 1
    for mine, other in zip(on_unit.networks, model.networks, strict=True):
        mine.integers.read()
        assert np.array_equal(mine.integers.planes, other.integers.planes), "parameters differ"
    moved = sum(e.moves for network in model.networks for e in network.own())
    HITS["moves"] += moved
    HITS[kind.__name__] += 1


@cocotb.test()
async def learners(dut) -> None:
    """One after the other on the same unit."""
    shared = Shared(dut, CASE.batch)
    await shared.start()
    for name in CASE.learners:
        kind, settings = LEARNERS[name]
        await bridge(train)(shared, kind, settings(network=tuple(CASE.network)), shared.rng.getrandbits(31))
    Path(os.environ["RLCORES_RUN_DIR"], "coverage.json").write_text(json.dumps(HITS))
