"""Ten million steps of each environment's Verilated core, each equal to the engine's, while episodes end and begin.

The engine is held equal to the model by verif/native/test_native_envs.py. It is many times as fast as the model.
"""

import numpy as np
import pytest

from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.env.environments import ENVIRONMENTS
from rlcores.cores.env.native import NativeEnvs
from rlcores.eda import configs


@pytest.mark.slow
@pytest.mark.parametrize("config", [name for name in ENVIRONMENTS if name in configs.names("env")])
def test_ten_million_steps_equal_the_engines(config: str, seed: int) -> None:
    core = EnvDriver.verilated(config, limit=500_000_000)
    physics, n_envs = core.physics, core.n_envs
    engine = NativeEnvs(physics, n_envs, core.time_limit)
    rng = np.random.default_rng(seed)
    answers = engine.start(seed)
    assert np.array_equal(core.start(seed), answers)
    turns, done = 500, 0
    while done < 10_000_000:
        # Mostly random, and for stretches of an episode always the same, so that all of its ends are reached.
        actions = ENVIRONMENTS[config].random_actions(turns * n_envs, rng).reshape(turns, n_envs)
        actions[:, ::2] = np.where(rng.random((turns, 1)) < 0.5, actions[:, ::2], actions[:1, ::2])
        simulated = core.step(actions.ravel())
        assert np.array_equal(simulated, engine.step(actions.ravel())), f"after {done} steps"
        done += actions.size
    assert core.counters == engine.counters and core.counters["steps"] == done
    assert core.counters["terminated"] + core.counters["truncated"] > 1000
