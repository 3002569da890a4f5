"""What is learned on the chip: tasks, a learner of one with its first weights, and the policy that is exported.

task_files/ has the settings and formats of each environment; docs/ppo_study.md says how they were found. What is
exported takes observations as Gymnasium gives them.
"""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from rlcores.cores.common.draws import Xoshiro128pp, state_of, stream_state
from rlcores.cores.env import environments
from rlcores.cores.env.physics import REWARD_FRACTION, Physics
from rlcores.cores.learner.float64 import FloatNetwork
from rlcores.cores.learner.format import WEIGHT_FRAC
from rlcores.cores.learner.format import LearnerFormats as NetworkFormats
from rlcores.cores.learner.layout import numbers
from rlcores.cores.policy.density import OUT_FRAC
from rlcores.cores.ppo.model import Ppo, Rollout
from rlcores.cores.ppo.settings import PpoFormats, registers
from rlcores.cores.ppo.shape import PpoShape
from rlcores.eda import configs
from rlcores.errors import UserError
from rlcores.train import tasks as known_tasks

ENVS, STEPS = 64, 128  # environments, and steps of a rollout where a task says no other
_FIRST = 66  # number of the generator of the first weights
T = TypeVar("T")


@dataclass(frozen=True)
class ChipSettings:
    """How PPO learns an environment, `name`.

    goal: the mean return that counts as learned; iterations: of a run; input: fraction with which the networks see the
    observations' codes. critic None: a trunk that both share, whose last output is the value.
    """

    name: str
    goal: float
    iterations: int
    input: int
    settings: dict[str, Any]
    actor: dict[str, list[int]]
    critic: dict[str, list[int]] | None
    network: tuple[int, ...] = (64, 64)
    deviation: float = 0.0  # first log-deviation
    logs: int = 17  # fraction of its gradient
    last: float = 0.01  # the actor's last layer begins within this
    learners: int = field(default=1, repr=False)  # L, each with its environments
    average: int = field(default=1, repr=False)  # H, minibatches from one average of their weights to the next


@cache
def tasks() -> dict[str, ChipSettings]:
    """All tasks by our name of the environment."""
    known = known_tasks.on_chip("ppo")
    return {name: ChipSettings(name=name, **known[name]) for name in environments.ENVIRONMENTS if name in known}


def task_of(environment: str) -> ChipSettings:
    """The task of an environment, by our name or Gymnasium's. Raises UserError."""
    return known_task(tasks(), environment)


def known_task(known: Mapping[str, T], environment: str, how: str = "") -> T:
    """One of tasks that have our names, by our name or Gymnasium's. Raises UserError. how: for its words."""
    name = {p.gymnasium: p.name for p in environments.ENVIRONMENTS.values()}.get(environment, environment)
    if name not in known:
        names = ", ".join(environments.named(one).gymnasium for one in known)
        raise UserError(f"the chip does not learn {environment}{how}; environments of --on chip: {names}")
    return known[name]


def built(core: str, config: str, task: str) -> dict[str, int | str]:
    """Verilog parameters of a configuration of a core. Raises UserError where it is not of the task's environment."""
    made = configs.load(core, config)
    other, own = list(environments.ENVIRONMENTS.values())[int(made["ENV"])], environments.named(task)
    if other.name != own.name:
        raise UserError(f"the configuration {config} is of {other.gymnasium}, not of {own.gymnasium}")
    return made


def hidden(task: Any, overrides: Mapping[str, Any]) -> tuple[int, ...]:
    """The hidden layers that tuning gives a task. Raises UserError: the chip's formats do not fit them."""
    sizes = tuple(overrides.get("network", task.network))
    if len(sizes) != len(task.network):
        raise UserError(f"the chip's formats are of {len(task.network)} hidden layers; network is {list(sizes)}")
    return sizes


def of_config(task: ChipSettings, config: str) -> tuple[ChipSettings, int, int]:
    """A task with the networks and records of a configuration of ppo_env, its environments and its steps.

    Raises UserError.
    """
    shape = PpoShape.of(built("ppo_env", config, task.name))
    settings = task.settings | ({"record_bits": shape.record_bits} if shape.record_bits else {})
    return (
        dataclasses.replace(task, network=shape.actor.sizes[1:-1], settings=settings),
        shape.environments,
        shape.steps,
    )


def tuned(task: ChipSettings, overrides: Mapping[str, Any], envs: int, steps: int) -> ChipSettings:
    """A task with these settings of rlcores.train.tuning; envs: of a learner.

    Raises UserError: the chip's formats do not fit them.
    """
    names = ("gamma", "gae_lambda", "learning_rate", "entropy")
    settings = task.settings | {name: overrides[name] for name in names if name in overrides}
    if "batch_size" in overrides:
        settings["minibatches"], left = divmod(envs * steps, overrides["batch_size"])
        if left:
            raise UserError(
                f"batch_size is {overrides['batch_size']}; it must divide a rollout of {envs * steps} steps"
            )
    more = {name: overrides[name] for name in ("learners", "average") if name in overrides}
    return dataclasses.replace(task, settings=settings, network=hidden(task, overrides), **more)


def plan(environment: str, config: str | None, envs: int | None, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """As OnChip.plan. Raises UserError."""
    task = task_of(environment)
    built, steps = ENVS, task.settings.get("steps", STEPS)
    if config is not None:
        task, built, steps = of_config(task, config)
    whole, learners = task.iterations * built * steps, overrides.get("learners", 1)
    number = chosen_envs(config, built * learners, envs)
    if number % learners:
        raise UserError(f"envs is {number}; it must be a multiple of learners = {learners}")
    return fields(tuned(task, overrides, number // learners, steps), whole, number, steps, 1)


def chosen_envs(config: str | None, built: int, wanted: int | None) -> int:
    """Environments of a run. Raises UserError: not those of the configuration."""
    if config is not None and wanted not in (None, built):
        raise UserError(f"the configuration {config} has {built} environments; the run needs {wanted}")
    return wanted or built


def fields(task: Any, steps: int, envs: int, round_steps: int, rounds: int) -> dict[str, Any]:
    """Fields of the plan of a task on the chip, which is looked at every `rounds` rounds."""
    return {
        "settings": task,
        "steps": steps,
        "envs": envs,
        "round_steps": round_steps,
        "evaluate_every": rounds * round_steps * envs,
        "state_scale": (1.0,) * len(environments.named(task.name).observations),
        "until": task.goal,
        "report": 100,
    }


def learner(task: ChipSettings, seed: int, kind: type[Ppo] = Ppo, columns: int = 1, **changes: int) -> Ppo:
    """A learner of the task with its first weights: uniform within 1/sqrt(inputs), from the seed's generator.

    columns: as Ppo's. changes: of the settings. Raises ValueError where they do not fit.
    """
    physics = environments.named(task.name)
    gaussian = physics.actions == 0
    outputs = physics.components if gaussian else physics.actions
    networks = []
    for fractions in (task.actor, task.critic):
        if fractions is not None:
            act = (task.input, *fractions["act"][:-1], OUT_FRAC)
            networks.append(NetworkFormats(act, (0, *fractions["delta"]), (0, *fractions["grad"])))
    shared = task.critic is None
    formats = PpoFormats(networks[0], None if shared else networks[1], task.logs)
    options = {"falls": task.iterations} | task.settings | changes
    settings = registers(formats, gaussian=gaussian, seed=seed, **options)
    inputs = len(physics.observations)
    sizes, critic = (inputs, *task.network, outputs + shared), (inputs, *task.network, 1)
    model = kind(sizes, None if shared else critic, formats, settings, gaussian, columns)
    generator = Xoshiro128pp(stream_state(state_of(seed), _FIRST))
    flats = [_uniform(generator, sizes, task.last)]
    if not shared:
        flats.append(_uniform(generator, critic, None))
    model.load(*flats, logs=np.full(outputs, task.deviation) if gaussian else None)
    return model


def _uniform(generator: Xoshiro128pp, sizes: tuple[int, ...], last: float | None) -> np.ndarray:
    limits = []
    for i, (m, n) in enumerate(pairwise(sizes)):
        limit = last if last is not None and i == len(sizes) - 2 else 1 / math.sqrt(m)
        limits.append(np.full((m + 1) * n, limit))
    words = generator.take(numbers(sizes)).astype(np.float64)
    return np.concatenate(limits) * (words / 2.0**31 - 1)


def exported(own: Ppo, physics: Physics, frac: int) -> FloatNetwork:
    """The actor over real observations: the scale of the codes is folded into its first layer."""
    network = FloatNetwork((*own.actor.sizes[:-1], own.outputs), np.float64)
    for (w, b), mine, biases in zip(own.actor.matrices(), network.weights, network.biases, strict=True):
        mine[:], biases[:] = (x[: len(mine)] / 2.0**WEIGHT_FRAC for x in (w, b))
    network.weights[0] *= 2.0 ** (np.array(physics.observations) - frac)
    return network


@dataclass
class Episodes:
    """Returns of the episodes that environments are in."""

    returns: np.ndarray  # (N,)
    lengths: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.lengths = np.zeros(len(self.returns), np.int64)

    def ended(self, rollout: Rollout) -> np.ndarray:
        """Those that end in a rollout, (E, 4): step, environment, return, length."""
        episodes = []
        ends = rollout.terminated | rollout.truncated
        for t, rewards in enumerate(rollout.raw_rewards * 2.0**-REWARD_FRACTION):
            self.returns += rewards
            self.lengths += 1
            over = np.flatnonzero(ends[t])
            episodes += [(t, n, self.returns[n], self.lengths[n]) for n in over]
            self.returns[over], self.lengths[over] = 0, 0
        return np.array(episodes, float).reshape(-1, 4)
