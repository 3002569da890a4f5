"""DQN and DDPG on the chip: what they learn with which settings (task_files/), and an agent with its first weights."""

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rlcores.cores.agent.driver import AgentDriver
from rlcores.cores.agent.model import CONTINUOUS, EPSILON_BITS, SHIFT_FRAC, AgentModel, policy_of
from rlcores.cores.common.draws import state_of, stream_state
from rlcores.cores.env import environments
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import WEIGHT_FRAC, DdpgFormats, LearnerFormats
from rlcores.cores.learner.layout import WEIGHTS, flatten
from rlcores.cores.learner.shape import networks
from rlcores.cores.policy.head import SCALE_FRAC
from rlcores.cores.replay_learner.api import ReplayLearner, small_parameters
from rlcores.eda import configs
from rlcores.errors import UserError
from rlcores.train import chip
from rlcores.train import tasks as known_tasks

ENVS, ENVS_MOST = 4, 4096  # where a plan says no other, and of a core
ROUND = 125  # blocks per round: the core has room for the returns of all CartPole episodes that end in one
AHEAD, LAG = 1, 1
_ACTING = 64  # number of the policy's generator
_ENVS = {"native": NativeEnvs, "model": EnvModel}


@dataclass(frozen=True)
class AgentSettings:
    """How DQN or DDPG learns an environment, `name`; steps are environment steps.

    input: fraction with which the networks see an observation's codes; act: of activations 1 … M; delta and grad: of
    deltas and gradients 1 … M; passed: of the way back through the critic.
    """

    name: str
    goal: float
    steps: int
    input: int
    act: tuple[int, ...]
    delta: tuple[int, ...]
    grad: tuple[int, ...]
    learning_starts: int
    explore_steps: int
    settings: dict[str, Any]
    actor: dict[str, list[int]] | None = None  # act, delta and grad of the actor; with it the network is the critic
    passed: tuple[int, ...] = ()
    action_noise: float = 0.0  # deviation of the noise around the actor's answer, of a range -1 … 1
    network: tuple[int, ...] = (64, 64)
    explore_end: float = 0.05
    buffer_size: int = 2**14
    batch_size: int = 64
    alpha: float = 0.6
    beta: float = 0.4
    ahead: int = AHEAD  # D, whose updates a run ends with

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the network; of a critic on state and action."""
        physics = environments.named(self.name)
        if self.actor is not None:
            return (len(physics.observations) + 1, *self.network, 1)
        return (len(physics.observations), *self.network, physics.actions)

    @property
    def actor_sizes(self) -> tuple[int, ...] | None:
        """Of the actor, where actions are numbers."""
        if self.actor is None:
            return None
        return (len(environments.named(self.name).observations), *self.network, 1)

    @property
    def formats(self) -> LearnerFormats | DdpgFormats:
        """Of the networks."""
        value = _formats(self.input, self.act, self.delta, self.grad)
        return value if self.actor is None else DdpgFormats(value, _formats(self.input, **self.actor), self.passed)

    @property
    def acting(self) -> LearnerFormats:
        """Of the network that acts."""
        formats = self.formats
        return formats.actor if isinstance(formats, DdpgFormats) else formats


def _formats(first: int, act: Sequence[int], delta: Sequence[int], grad: Sequence[int]) -> LearnerFormats:
    return LearnerFormats((first, *act), (0, *delta), (0, *grad))


@cache
def tasks(algo: str) -> dict[str, AgentSettings]:
    """The tasks of dqn or ddpg, by our name of the environment."""
    lists = ("act", "delta", "grad", "passed")
    known = known_tasks.on_chip(algo)
    return {
        name: AgentSettings(name=name, **{k: tuple(v) if k in lists else v for k, v in known[name].items()})
        for name in environments.ENVIRONMENTS
        if name in known
    }


def task_of(algo: str, environment: str) -> AgentSettings:
    """The task of an environment, by our name or Gymnasium's. algo: dqn or ddpg. Raises UserError."""
    return chip.known_task(tasks(algo), environment, f" with {algo}")


def plan(
    algo: str, environment: str, config: str | None, envs: int | None, overrides: Mapping[str, Any]
) -> dict[str, Any]:
    """As OnChip.plan. Raises UserError."""
    task = task_of(algo, environment)
    built = ENVS if config is None else envs_of(task, config)
    number = chip.chosen_envs(config, built, envs)
    if not 1 <= number <= ENVS_MOST:
        raise UserError(f"envs is {number}; a core has 1 to {ENVS_MOST}")
    return chip.fields(tuned(task, overrides), task.steps, number, ROUND, 2)


def tuned(task: AgentSettings, overrides: Mapping[str, Any]) -> AgentSettings:
    """A task with these settings of rlcores.train.tuning. Raises UserError: the task's formats do not fit them."""
    changes = {
        name: overrides[name]
        for name in ("batch_size", "buffer_size", "learning_starts", "explore_steps", "ahead")
        if name in overrides
    }
    settings = {name: overrides[name] for name in ("gamma", "learning_rate") if name in overrides}
    return dataclasses.replace(task, settings=task.settings | settings, network=chip.hidden(task, overrides), **changes)


def envs_of(task: AgentSettings, config: str) -> int:
    """Environments of a configuration of the agent. Raises UserError where they are others than the task's."""
    built, own = chip.built("agent", config, task.name), environments.named(task.name).time_limit
    if (limit := built["TIME_LIMIT"]) != own:
        raise UserError(f"episodes of the configuration {config} end after {limit} steps, not {own}")
    return int(built["N_ENVS"])


@dataclass(frozen=True)
class Made:
    """An agent and the replay learner inside it, whose weights, state and settings are read there."""

    learner: ReplayLearner
    agent: AgentModel | AgentDriver


def parameters(task: AgentSettings, envs: int, ahead: int = AHEAD) -> dict[str, int | str]:
    """Verilog parameters of a core with small units for a task."""
    of_learner = {"capacity": task.buffer_size, "ahead": ahead, "batch_max": task.batch_size}
    own = small_parameters(task.sizes, task.actor_sizes, polyak=bool(task.settings.get("tau", 0) > 0), **of_learner)
    acting = networks(own)[-1]
    physics = environments.named(task.name)
    number = list(environments.ENVIRONMENTS).index(task.name)
    return own | {
        "ENV": number,
        "N_ENVS": envs,
        "TIME_LIMIT": physics.time_limit,
        "POLICY_LANES": "-".join(map(str, acting.lanes)),
        "POLICY_FORWARD": "-".join(map(str, acting.forward)),
    }


def make(
    task: AgentSettings, backend: str, seed: int, envs: int, config: str | None = None, ahead: int = AHEAD
) -> Made:
    """An agent with its first weights, all episodes at their beginning. ahead: D, whose updates a run ends with.

    Raises UserError: settings that do not fit the core; RunFailed when the core does not build.
    """
    options = {
        "actor": task.actor_sizes, "buffer_size": task.buffer_size, "batch_size": task.batch_size, "ahead": ahead,
        "alpha": task.alpha, "beta": task.beta, "seed": seed, "formats": task.formats,
    }  # fmt: skip
    agent: AgentModel | AgentDriver
    if backend == "rtl":
        core = configs.load("agent", config) if config else parameters(task, envs, ahead)
        agent = AgentDriver.verilated(core)
        if (agent.physics.name, agent.n_envs) != (task.name, envs):
            raise UserError(f"the core has {agent.n_envs} of {agent.physics.name}; the run needs {envs} of {task.name}")
        agent.act_frac = task.acting.act_frac
        _noise(agent, task)
        agent.configure()  # the noise counts with the first weights
        learner = ReplayLearner(task.sizes, backend=agent.loop, **options, **task.settings)
    else:
        core = configs.load("agent", config) if config else None
        learner = ReplayLearner(task.sizes, backend=backend, config=core, **options, **task.settings)
        policy = policy_of(learner.driver.learner.shape, task.formats)
        agent = AgentModel(_ENVS[backend](environments.named(task.name), envs), policy, learner.driver)
        _noise(agent, task)
        agent.reload()
    one = 1 << EPSILON_BITS
    agent.epsilon_end = round(task.explore_end * one)
    agent.epsilon_fall = round((1 - task.explore_end) * one * envs / task.explore_steps)
    if isinstance(agent, AgentDriver):
        agent.epsilon_first = one
    else:
        agent.epsilon = one
    state = state_of(seed)
    agent.begin(state, stream_state(state, _ACTING))
    return Made(learner, agent)


def _noise(agent: AgentModel | AgentDriver, task: AgentSettings) -> None:
    """Actions that are numbers: the environment's range, a power of two, and the noise."""
    if task.actor is None:
        return
    largest = environments.named(task.name).action_range[1]
    agent.settings = dataclasses.replace(CONTINUOUS, scale=round(largest * (1 << SCALE_FRAC)))
    agent.log_deviation = round(math.log(task.action_noise) * (1 << WEIGHT_FRAC))
    agent.shift = SHIFT_FRAC + round(math.log2(largest)) - task.input


def exported(made: Made, task: AgentSettings) -> FloatNetwork:
    """The network that acts, over real observations: the scale of the codes is folded into its first layer.

    An actor without the tanh at its end.
    """
    network = FloatNetwork(task.actor_sizes or task.sizes, np.float64)
    acting = made.learner.driver.learner.read(WEIGHTS, task.actor is not None)
    network.theta[:] = flatten(acting) / 2.0**WEIGHT_FRAC
    network.weights[0] *= 2.0 ** (np.array(environments.named(task.name).observations) - task.input)
    return network
