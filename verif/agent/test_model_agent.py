"""The agent's model against its order written out by hand: one environment, one observation, one operation a time."""

from dataclasses import replace

import numpy as np
import pytest
from replay_cases import CORES, formats, model, same, start, state_of_all

from rlcores.cores.agent.model import AgentModel, Schedule, policy_of
from rlcores.cores.common.draws import state_of
from rlcores.cores.env.environments import named
from rlcores.cores.env.model import EnvModel
from rlcores.cores.learner.records import Records
from rlcores.cores.replay_learner.records import LARGEST
from rlcores.eda import configs

# By the environment: actions that are indices, and an actor's numbers.
TINY = {
    "cartpole": CORES["tiny"] | {"SIZES": "4-4-2", "LANES": "2-2-2"},
    "pendulum": configs.load("agent", "ddpg_tiny"),
}
SCALE, DEVIATION, SHIFT = 50_000, -(1 << 21), 6  # of numbers
LIMIT, BLOCKS, SLOTS = 7, 6, 29


def pair(environment: str, seed: int, schedule: Schedule, ahead: int, envs: int) -> tuple[AgentModel, AgentModel]:
    """Two agents with the same start."""
    agents = []
    for _ in range(2):
        rng = np.random.default_rng(seed)
        loop = model(TINY[environment])
        start(rng, loop, batch=3, capacity=SLOTS, ahead=ahead)
        policy = policy_of(loop.learner.shape, formats(loop.learner.shape))
        agent = AgentModel(EnvModel(named(environment), envs, LIMIT), policy, loop)
        if policy.continuous:
            agent.settings = replace(agent.settings, scale=SCALE)
            agent.log_deviation, agent.shift = DEVIATION, SHIFT
        agent.schedule = schedule
        agent.epsilon, agent.epsilon_end, agent.epsilon_fall = 1 << 30, 1 << 27, 1 << 28
        agent.reload()
        agent.begin(state_of(seed), state_of(seed + 1))
        agents.append(agent)
    return agents[0], agents[1]


class AgentByHand:
    """BLOCKS blocks of an agent's parts, one thing at a time, as docs/agent.md has it."""

    def __init__(self, agent: AgentModel) -> None:
        self.parts, self.schedule = agent, agent.schedule
        self.seen, self.epsilon = list(agent.observations), agent.epsilon

    def _step(self, i: int) -> None:
        policy, loop = self.parts.policy, self.parts.loop
        settings = replace(self.parts.settings, epsilon=self.epsilon >> 15)
        action = policy.act(self.seen[i][None], settings).actions
        beat = self.parts.envs.step(action.reshape(1))
        if policy.continuous:
            assert settings.scale == SCALE and (policy.log_deviations == DEVIATION).all()
            action = np.floor(action / 2**15 * 2 ** (16 - SHIFT) + 0.5).astype(np.int64)
        reward, first = np.array([int(beat["reward"][0]) + 4 >> 3]), np.array([LARGEST])
        row = Records(self.seen[i][None], action, reward, beat["final"], beat["terminated"], first)
        loop.insert(loop.layout.pack(row, first))
        self.seen[i] = beat["obs"][0]

    def run(self) -> None:
        loop, ahead = self.parts.loop, self.parts.loop.registers.ahead
        starts, lag = self.schedule.learning_starts, self.schedule.lag
        log = np.array([DEVIATION])
        after, batches, updated = [(self.parts.weights(), log)], [], 0
        for block in range(BLOCKS):
            self.parts.policy.load(*after[max(0, block + 1 - starts - lag)])
            for _ in range(self.schedule.train_freq):
                for i in range(len(self.seen)):
                    self._step(i)
            self.epsilon = max(self.epsilon - self.parts.epsilon_fall, self.parts.epsilon_end)
            if block + 1 >= starts:
                for _ in range(self.schedule.gradient_steps):
                    batches.append(loop.sample())
                    # U(k) stands before S(k + D + 1), and before the experiences in front of it.
                    while updated < len(batches) - ahead:
                        loop.update(batches[updated])
                        updated += 1
                after.append((self.parts.weights(), log))
        for batch in batches[updated:]:
            loop.update(batch)


@pytest.mark.parametrize("lag", [0, 1, 2])
@pytest.mark.parametrize("environment", TINY)
def test_a_run_is_the_order_that_the_contract_says(environment, lag, seed):
    rng = np.random.default_rng([seed, lag])
    rounds = int(rng.integers(1, 3)) if lag < 2 else 1
    schedule = Schedule(rounds, int(rng.integers(1, 4)), int(rng.integers(1, 4)), lag)
    ahead = int(rng.integers(0, TINY[environment]["AHEAD_MAX"] + 1))
    agent, other = pair(environment, int(rng.integers(2**31)), schedule, ahead, int(rng.integers(1, 4)))
    agent.run(BLOCKS)
    hand = AgentByHand(other)
    hand.run()
    same(state_of_all(agent.loop, SLOTS), state_of_all(other.loop, SLOTS), f"{schedule}, {ahead} ahead")
    assert np.array_equal(agent.observations, np.array(hand.seen)) and agent.epsilon == hand.epsilon
    assert agent.counters["steps"] == BLOCKS * schedule.train_freq * len(hand.seen)
    assert agent.counters["published"] == schedule.training_blocks(BLOCKS) == BLOCKS - schedule.learning_starts + 1


def test_the_registers_of_a_schedule_have_limits():
    for name, wrong in (("train_freq", 0), ("gradient_steps", 65536), ("learning_starts", 0), ("lag", 3)):
        with pytest.raises(ValueError, match=f"{name} is {wrong}; the register holds"):
            Schedule(**{name: wrong})
    with pytest.raises(ValueError, match="a lag of 2 takes a train_freq of 1"):
        Schedule(train_freq=2, lag=2)
