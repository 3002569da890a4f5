"""What an installed wheel must pass: the engine answers, in every instruction set that this processor has."""

import numpy as np

import rlcores
from rlcores.native import choose_isa, isas

ends = np.zeros((2, 1), bool)
for isa in isas():
    choose_isa(isa)
    advantages, returns = rlcores.advantages(
        [[1.0], [1.0]], [[0.5], [0.5]], ends, ends, [0.0], gamma=1.0, gae_lambda=1.0
    )
    assert np.allclose(advantages.ravel(), [1.5, 0.5]) and np.allclose(returns.ravel(), [2.0, 1.0]), isa
buffer = rlcores.ReplayBuffer(16, {"observation": ((), "f4")}, seed=1)
buffer.add(observation=0.0, next_observation=1.0, reward=1.0, terminated=False, truncated=False)
assert buffer.sample(4)["reward"].tolist() == [1.0] * 4
print(f"{rlcores.__version__}: {', '.join(isas())}")
