"""The learner's side of DQN and DDPG on the chip: a round is a run of blocks of the agent, in the chip's integers."""

from collections.abc import Mapping

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.agent.model import AgentModel, Schedule
from rlcores.cores.env.physics import REWARD_FRACTION
from rlcores.cores.learner.layout import WEIGHTS
from rlcores.errors import UserError, WarningCounter
from rlcores.train import agents
from rlcores.train.actor import Rollout
from rlcores.train.on_chip import OnChipTrainer
from rlcores.train.policies import FloatPolicy
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces


class AgentTrainer(OnChipTrainer):
    """An agent: policy, environments and replay learner. A block is a step of each environment."""

    looks = True

    def __init__(self, plan: Plan, spaces: Spaces) -> None:
        """Raises UserError: settings that do not fit the core; RunFailed when the core does not build."""
        self._task, self._plan = plan.settings, plan
        self.kind = plan.algorithm.kind(spaces)
        task = plan.settings
        self.made = agents.make(task, plan.backend, plan.seed, plan.envs, plan.config, task.ahead)
        self._blocks = self._ended = 0
        self._tally = WarningCounter()

    @property
    def updates(self) -> int:
        """Gradient steps."""
        return self.made.learner.steps

    @property
    def clocks(self) -> int:
        """See Trainer: those in which the loop was busy."""
        return self.made.learner.counters().get("clocks", 0) if self._plan.backend == "rtl" else 0

    def learn(self, seen: Rollout, step: int) -> None:
        """The whole round; `seen` gets the returns of the episodes that ended, and nothing else of them."""
        plan, task = self._plan, self._task
        learner, agent = self.made.learner, self.made.agent
        starts = max(1, task.learning_starts // plan.envs - self._blocks)
        agent.schedule = Schedule(1, plan.envs, starts, agents.LAG)
        blocks = plan.round_steps
        learner._prepare()
        agent.run(blocks)
        learner._record_progress(blocks * plan.envs, plan.envs * agent.schedule.training_blocks(blocks))
        self._blocks += blocks
        returns = np.array(agent.take_returns(), float)[:, None] * 2.0**-REWARD_FRACTION
        ended, self._ended = agent.counters["episodes"] - self._ended, agent.counters["episodes"]
        missing = "episodes ended in a round whose returns found no place in the core: training_return is without them"
        self._tally.add("returns", ended - len(returns), missing)
        nothing = np.zeros((len(returns), 1))
        seen.episodes = np.concatenate([nothing, nothing, returns, nothing], axis=1).reshape(-1, 4)

    def policy(self) -> FloatPolicy:
        """The network that acts over Gymnasium's observations, in float32."""
        network = agents.exported(self.made, self._task)
        return FloatPolicy(network.sizes, network.theta.astype(np.float32), squashes=self.kind == "noise")

    def weights(self) -> list[np.ndarray]:
        read, networks = self.made.learner.driver.learner.read, range(1 if self._task.actor is None else 2)
        return [np.asarray(x, np.int64) for actor in networks for pair in read(WEIGHTS, bool(actor)) for x in pair]

    def live(self) -> dict[str, float]:
        return {"replay": len(self.made.learner) / self.made.learner.buffer_size}

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything of the agent; the RTL keeps its environments to itself."""
        kept = add_prefix("learner", self.made.learner.state_dict()) | {"blocks": np.array(self._blocks)}
        agent = self.made.agent
        return kept | add_prefix("agent", agent.save()) if isinstance(agent, AgentModel) else kept

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the agent that gave checkpoint() would. Raises UserError on the RTL."""
        agent = self.made.agent
        if not isinstance(agent, AgentModel) or "agent.epsilon" not in kept:
            raise UserError("a run of the RTL cannot go on: its environments' states stay in the core")
        self.made.learner.load_state_dict(strip_prefix(kept, "learner"))
        agent.reload()
        agent.load(strip_prefix(kept, "agent"))
        self._blocks, self._ended = int(kept["blocks"]), agent.counters["episodes"]
