"""The agent's model learns CartPole, and what it has learned holds in Gymnasium itself."""

from pathlib import Path

import numpy as np
import pytest

from rlcores.cores.agent.model import EPSILON_BITS, AgentModel, Schedule
from rlcores.cores.common.draws import state_of, stream_state
from rlcores.cores.env.environments import named
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import WEIGHT_FRAC, LearnerFormats
from rlcores.cores.learner.layout import flatten
from rlcores.cores.policy.model import PolicyModel
from rlcores.cores.replay_learner.api import ReplayLearner

SIZES, INPUT, BATCH, ENVS = (4, 64, 64, 2), 16, 64, 4
ACTING = 64  # number of the policy's stream of the generator
GOAL = 475


def judged(agent: AgentModel, episodes: int, seed: int) -> float:
    """The mean return in Gymnasium of the greedy policy, exported: observations' scale folded into the first layer."""
    import gymnasium

    physics = agent.envs.physics
    network = FloatNetwork(SIZES, np.float64)
    network.theta[:] = flatten(agent.weights()) / 2.0**WEIGHT_FRAC
    network.weights[0] *= 2.0 ** (np.array(physics.observations) - INPUT)
    total = 0.0
    for episode in range(episodes):
        env = gymnasium.make(physics.gymnasium)
        seen, over = env.reset(seed=seed + episode)[0], False
        while not over:
            seen, reward, terminated, truncated, _ = env.step(int(network.output(seen[None].astype(float))[0].argmax()))
            total += reward
            over = terminated or truncated
    return total / episodes


def agent_of(seed: int) -> tuple[ReplayLearner, AgentModel]:
    """Four environments and CartPole's network, on the native engine."""
    formats = LearnerFormats((INPUT, 13, 11, 16), (0, 13, 15, 16), (0, 19, 20, 18))
    learner = ReplayLearner(
        SIZES, buffer_size=2**14, batch_size=BATCH, ahead=1, seed=seed, formats=formats, gamma=0.99,
        learning_rate=3e-4, adam_epsilon=1e-5, target_update_interval=200, double=True,
    )  # fmt: skip
    agent = AgentModel(NativeEnvs(named("cartpole"), ENVS), PolicyModel(SIZES, formats.act_frac), learner.driver)
    one = 1 << EPSILON_BITS
    agent.epsilon, agent.epsilon_end, agent.epsilon_fall = one, int(0.05 * one), int(0.95 * one / 2000)
    agent.reload()
    agent.begin(state_of(seed), stream_state(state_of(seed), ACTING))
    return learner, agent


@pytest.mark.slow
@pytest.mark.parametrize("run", [0, 1, 2])
def test_cartpole_is_learned_and_the_exported_policy_keeps_the_pole_up(run: int, tmp_path: Path) -> None:
    learner, agent = agent_of(run)
    agent.schedule = Schedule(1, ENVS, 250, 1)
    blocks, trained = 250, ENVS
    learner._networks.configure(BATCH)
    agent.run(blocks)
    agent.schedule = Schedule(1, ENVS, 1, 1)
    while blocks < 7500:
        learner._networks.advance(trained)
        learner._networks.configure(BATCH)  # Adam's bias correction is in the rate that software writes
        agent.run(125)
        blocks, trained = blocks + 125, 125 * ENVS
        if agent.counters["episodes"] > 50 and judged(agent, 20, 2_000_000) >= 485:
            break
    mean = judged(agent, 100, 1_000_000)
    print(f"seed {run}: {mean:.1f} after {blocks * ENVS} environment steps, {len(agent.returns)} episodes")
    assert mean >= GOAL
