"""The agent without its clock, bit for bit: environments, policy and replay learner in one order.

Environment steps come in blocks: TRAIN_FREQ rounds, each a step of all N environments. A training block of
GRADIENT_STEPS gradient steps follows the data of LEARNING_STARTS blocks, and from then on that of each block. Acting
meets the weights of a whole number of training blocks, and experiences are stored between the samples of two of them.
So nothing depends on how long anything takes; docs/agent.md says how the core keeps this order while all of it goes on
at once.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rlcores.base.arguments import held, ranged
from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.common.fixed import round_shift
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.physics import REWARD_FRACTION
from rlcores.cores.learner.format import ACT_WIDTH, DdpgFormats, LearnerFormats
from rlcores.cores.learner.layout import Matrices
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.policy.head import ACTION_FRAC, EPSILON_FRAC, MEAN, HeadSettings
from rlcores.cores.policy.model import PolicyModel
from rlcores.cores.replay_learner.model import Errors, ReplayLearnerModelDriver
from rlcores.cores.replay_learner.records import LARGEST

RECORD_REWARD_FRAC = 16  # of a reward in a record
EPSILON_BITS = 31  # fraction bits with which epsilon falls
LAG_MAX = 2
SHIFT_FRAC = ACTION_FRAC + 1  # of an action that is numbers, before its experience loses bits of it
SHIFT_MAX = 17
CONTINUOUS = HeadSettings(noise=True, squash=MEAN)  # of actions that are numbers: tanh, then noise
COUNTERS = ("steps", "blocks", "episodes", "terminated", "published")


@dataclass(frozen=True)
class Schedule:
    """What follows what. Raises ValueError.

    train_freq       rounds of acting in a block, each a step of every environment
    gradient_steps   in a training block
    learning_starts  blocks whose experiences are stored before the first training block
    lag              0: a block acts with what all experiences before it have taught, and nothing is trained meanwhile;
                     1: it acts while the training block before it goes on, with the weights before that; 2: one more,
                     for environments that take longer than a training block; only with a train_freq of 1
    """

    train_freq: int = ranged(1, 1, 2**16 - 1)
    gradient_steps: int = ranged(1, 1, 2**16 - 1)
    learning_starts: int = ranged(1, 1, 2**32 - 1)
    lag: int = ranged(1, 0, LAG_MAX)

    def __post_init__(self) -> None:
        held(self)
        if self.lag == 2 and self.train_freq > 1:
            raise ValueError(f"lag is 2 and train_freq {self.train_freq}; a lag of 2 takes a train_freq of 1")

    def training_blocks(self, blocks: int) -> int:
        """Training blocks of a run of `blocks` blocks."""
        return max(0, blocks - self.learning_starts + 1)

    def version(self, block: int) -> int:
        """The training blocks whose weights a block of a run acts with."""
        return max(0, block + 1 - self.learning_starts - self.lag)


def policy_of(shape: LearnerShape, formats: LearnerFormats | DdpgFormats) -> PolicyModel:
    """The policy in front of a learner: the actor, if there is one, else the values of the actions."""
    if shape.actor is None:
        return PolicyModel(shape.value.sizes, formats.act_frac, logp=False)
    return PolicyModel(shape.actor.sizes, formats.actor.act_frac, output_width=ACT_WIDTH, continuous=True, logp=False)


class AgentModel:
    """Environments, a policy and a replay learner that take turns.

    envs: N environments. policy: over their observations, its last fraction that of Q. loop: configured, with weights.
    schedule, settings (of the policy's head) may change between runs. epsilon: how often an action is uniform,
    EPSILON_BITS fraction bits; it falls by epsilon_fall behind each block, down to epsilon_end. returns, lengths: of
    each episode that ended, in order.

    Where the policy is continuous, settings have the noise and the scale of its actions, log_deviation the natural
    logarithm of the noise's deviation, sfix(27,22), which counts with the next weights, and shift the bits that an
    action with SHIFT_FRAC fraction bits loses in its experience.
    """

    def __init__(self, envs: EnvModel, policy: PolicyModel, loop: ReplayLearnerModelDriver) -> None:
        self.envs, self.policy, self.loop = envs, policy, loop
        self.schedule, self.settings = Schedule(), CONTINUOUS if policy.continuous else HeadSettings()
        self.log_deviation, self.shift = 0, 1
        self.epsilon = self.epsilon_end = self.epsilon_fall = 0
        self.counters = dict.fromkeys(COUNTERS, 0)
        self.returns: list[int] = []
        self.lengths: list[int] = []
        self._given = 0  # returns that were taken

    def begin(self, state: tuple[int, ...], acting: tuple[int, ...]) -> None:
        """All episodes restart: generators' states of the environments and of the policy."""
        self.policy.seed(acting)
        self.observations = self.envs.start(state=state)["obs"]
        self._return = np.zeros(self.envs.n_envs, np.int64)
        self._length = np.zeros(self.envs.n_envs, np.int64)

    def reload(self) -> None:
        """The policy takes the present weights, as it does when they are loaded."""
        self._meet(self.weights())

    def save(self) -> dict[str, np.ndarray]:
        """What begin() began, and what has come of it, between runs; the replay learner keeps its own state."""
        numbers = {"epsilon": self.epsilon, **self.counters}
        state = {name: np.array(value, np.int64) for name, value in numbers.items()}
        state |= add_prefix("envs", self.envs.save())
        state["generator"] = np.array(self.policy.generator.state, np.int64)
        state["observations"] = np.asarray(self.observations, np.int64)
        return state | {"returns": self._return.copy(), "lengths": self._length.copy()}

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the agent that gave save() would; its weights are those of the replay learner, by reload()."""
        self.epsilon = int(kept["epsilon"])
        self.counters = {name: int(kept[name]) for name in COUNTERS}
        self.envs.load(strip_prefix(kept, "envs"))
        self.policy.seed([int(word) for word in kept["generator"]])
        self.observations = kept["observations"].astype(np.int64)
        self._return, self._length = kept["returns"].copy(), kept["lengths"].copy()

    def run(self, blocks: int) -> None:
        """Act for this many blocks, and do every gradient step and priority update that follows from them."""
        schedule = self.schedule
        published: deque[Matrices] = deque()  # that the policy has not taken yet
        taken = 0
        waiting: deque[Errors] = deque()
        for block in range(blocks):
            while taken < schedule.version(block):
                self._meet(published.popleft())
                taken += 1
            self.loop.insert(self._act())
            self.counters["blocks"] += 1
            if block < schedule.learning_starts - 1:
                continue
            for _ in range(schedule.gradient_steps):
                waiting.append(self.loop.sample())
                if len(waiting) > self.loop.registers.ahead:
                    self.loop.update(waiting.popleft())
            published.append(self.weights())
            self.counters["published"] += 1
        while waiting:
            self.loop.update(waiting.popleft())
        for matrices in published:
            self._meet(matrices)

    def take_returns(self) -> list[int]:
        """Returns of the episodes that have ended since the last call, in order; REWARD_FRACTION fraction bits."""
        returns = self.returns[self._given :]
        self._given = len(self.returns)
        return returns

    @property
    def returned(self) -> int:
        """The sum of all returns, REWARD_FRACTION fraction bits."""
        return sum(self.returns)

    def weights(self) -> Matrices:
        """The present weights of the network that acts."""
        networks = self.loop.learner.model.networks
        return [(w.copy(), b.copy()) for w, b in networks[len(networks) - 1].matrices()]

    def _meet(self, matrices: Matrices) -> None:
        """The policy acts with these from now on."""
        self.policy.load(matrices, np.full(self.policy.sizes[-1], self.log_deviation))

    def _act(self) -> np.ndarray:
        """The experiences of a block, in their order."""
        settings = replace(self.settings, epsilon=self.epsilon >> EPSILON_BITS - EPSILON_FRAC)
        rows = []
        for _ in range(self.schedule.train_freq):
            actions = self.policy.act(self.observations, settings).actions
            beats = self.envs.step(actions[:, 0] if self.policy.continuous else actions)
            rows.append(self.rows(self.observations, actions, beats))
            self.observations = beats["obs"]
            self._count(beats)
        if self.epsilon > self.epsilon_end:
            self.epsilon = max(self.epsilon - self.epsilon_fall, self.epsilon_end)
        return np.concatenate(rows)

    def rows(self, observations: np.ndarray, actions: np.ndarray, beats: np.ndarray) -> np.ndarray:
        """Experiences as the replay learner takes them: observations, what was done, and how it was answered."""
        first = np.full(len(beats), LARGEST)
        rewards = round_shift(beats["reward"], REWARD_FRACTION - RECORD_REWARD_FRAC)
        if self.policy.continuous:
            actions = round_shift(actions << SHIFT_FRAC - ACTION_FRAC, self.shift)
        records = Records(observations, actions, rewards, beats["final"], beats["terminated"], first)
        return self.loop.layout.pack(records, first)

    def _count(self, beats: np.ndarray) -> None:
        ended = beats["terminated"] | beats["truncated"]
        self._return += beats["reward"]
        self._length += 1
        self.counters["steps"] += len(beats)
        self.counters["episodes"] += int(ended.sum())
        self.counters["terminated"] += int(beats["terminated"].sum())
        self.returns += self._return[ended].tolist()
        self.lengths += self._length[ended].tolist()
        self._return[ended] = self._length[ended] = 0
