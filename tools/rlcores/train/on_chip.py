"""The learner's side of a run on the chip: a round is a rollout, and its training, in the chip's integers."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.env import environments
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.learners.driver import PpoLearnersDriver
from rlcores.cores.learners.ppo import PpoLearners
from rlcores.cores.ppo.driver import PpoDriver
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.shape import PpoShape, small
from rlcores.eda import configs
from rlcores.errors import RunFailed, UserError
from rlcores.train import chip
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.policies import FloatPolicy
from rlcores.train.pool import Pool
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_APART = 0x9E3779B9  # between seeds of learners, so that runs with neighbouring seeds share none
_PARTS = {"native": (NativePpo, NativeEnvs), "model": (Ppo, EnvModel), "rtl": (NativePpo, NativeEnvs)}


class OnChipTrainer(Trainer):
    """A learner with its environments on the chip: a round of actors is blank, and all of it is learned."""

    _plan: Plan

    def order(self, number: int, step: int) -> RoundRequest:
        # Only the chip carries out this request, so it needs no policy.
        steps = self._plan.round_steps
        return RoundRequest(number, steps, self.kind, self.policy(), np.zeros(steps))


class Player:
    """A learner with its environments, and the episodes under way in them."""

    def __init__(self, own: Ppo, envs: NativeEnvs | EnvModel, seed: int) -> None:
        self.own, self.envs, self.seed = own, envs, seed
        self._observations = envs.start(seed)["obs"].astype(np.int64)
        self._episodes = chip.Episodes(np.zeros(envs.n_envs))

    def collect(self) -> chip.Rollout:
        """The next rollout."""
        rollout, self._observations = self.own.collect(self.envs, self._observations)
        return rollout

    def ended(self, rollout: chip.Rollout) -> np.ndarray:
        """As chip.Episodes.ended()."""
        return self._episodes.ended(rollout)

    def weights(self) -> list[np.ndarray]:
        """Of its networks, and the log-deviations."""
        return [*(network.planes[0] for network in self.own.own_networks), self.own.logs[0]]

    def save(self) -> dict[str, np.ndarray]:
        """Everything that load() resumes from."""
        kept = add_prefix("ppo", self.own.save()) | add_prefix("envs", self.envs.save())
        return kept | add_prefix("episodes", vars(self._episodes)) | {"observations": self._observations}

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """Go on as the player whose save() this is."""
        self.own.restore(strip_prefix(kept, "ppo"))
        self.envs.load(strip_prefix(kept, "envs"))
        self._observations = kept["observations"]
        self._episodes.returns, self._episodes.lengths = kept["episodes.returns"], kept["episodes.lengths"]


class ChipTrainer(OnChipTrainer):
    """PPO and its environments, or several that average their weights: they begin with the same weights."""

    def __init__(self, plan: Plan, spaces: Spaces) -> None:
        """Raises UserError: numbers that do not fit the core's registers."""
        kind, environment = _PARTS[plan.backend]
        self._plan, self._spaces, self._task = plan, spaces, plan.settings
        self._physics = environments.named(plan.settings.name)
        self.kind = plan.algorithm.kind(spaces)
        rounds = math.ceil(plan.steps / (plan.envs * plan.round_steps))
        each = plan.envs // plan.settings.learners
        self._players = []
        for number in range(plan.settings.learners):
            seed = (plan.seed + _APART * number) % (1 << 32)
            try:
                own = chip.learner(plan.settings, seed, kind, envs=each, steps=plan.round_steps, falls=rounds)
            except ValueError as error:
                raise UserError(str(error)) from error
            self._players.append(Player(own, environment(self._physics, each), seed))
        self.own = self._players[0].own
        self._learners = PpoLearners([player.own for player in self._players], plan.settings.average)
        self._learners.begin()

    @property
    def updates(self) -> int:
        """Gradient steps of each learner."""
        return self.own.updates

    def learn(self, seen: Rollout, step: int) -> None:
        """The whole round; `seen` gets its rewards and the episodes that ended."""
        rollouts = [player.collect() for player in self._players]
        self._learners.train(rollouts)
        seen.rewards[:] = (
            np.concatenate([rollout.raw_rewards for rollout in rollouts], axis=1) * 2.0**-chip.REWARD_FRACTION
        )
        for name in ("terminated", "truncated"):
            setattr(seen, name, np.concatenate([getattr(rollout, name) for rollout in rollouts], axis=1))
        ended = [player.ended(rollout) for player, rollout in zip(self._players, rollouts, strict=True)]
        for number, episodes in enumerate(ended):
            episodes[:, 1] += number * self._players[0].envs.n_envs
        seen.episodes = np.concatenate(ended)[np.argsort(np.concatenate(ended)[:, 0], kind="stable")]

    def policy(self) -> FloatPolicy:
        """The actor over Gymnasium's observations, in float32; -1 … 1 is the range of an action that is a vector."""
        network = chip.exported(self.own, self._physics, self._task.input)
        if self.kind == "gaussian":
            network.weights[-1][:] /= np.array(self._spaces.high)[:, None]
            network.biases[-1][:] /= np.array(self._spaces.high)
        return FloatPolicy(network.sizes, network.theta.astype(np.float32))

    def weights(self) -> list[np.ndarray]:
        return self._players[0].weights()

    def checkpoint(self) -> dict[str, np.ndarray]:
        first, *others = self._players
        kept = first.save()
        for number, player in enumerate(others, 1):
            kept |= add_prefix(f"learner{number}", player.save())
        return kept | ({"since": np.array(self._learners.since)} if others else {})

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        first, *others = self._players
        first.load(kept)
        for number, player in enumerate(others, 1):
            player.load(strip_prefix(kept, f"learner{number}"))
        if others:
            self._learners.since = int(kept["since"])


class CoreTrainer(ChipTrainer):
    """PPO and its environments in the core, simulated.

    What registers do not show of a run, generators and environments, is the same run's on the engine: when a checkpoint
    needs it, the engine does all rounds that the core has done, and must come to the core's weights. A run that goes
    on restarts in the core and does what was done.
    """

    def __init__(self, plan: Plan, spaces: Spaces) -> None:
        """Raises UserError: what the core cannot be built for; RunFailed when it does not build."""
        super().__init__(plan, spaces)
        self._twin = ChipTrainer(replace(plan, backend="native"), spaces)
        self._first = [player.own.save() for player in self._players]
        physics = list(environments.ENVIRONMENTS).index(self._physics.name)
        if plan.config is not None:
            built = configs.load("ppo_env", plan.config) | {"ENV": physics}
        else:
            s = self.own.settings
            actor, critic = small(self.own.actor.sizes)
            ways = {"gaussian": self.own.gaussian, "record_bits": s.record_bits}
            shape = PpoShape(actor, critic, 2, s.envs, s.steps, minibatches=s.minibatches, **ways)
            built = shape.parameters() | {"ENV": physics, "TIME_LIMIT": self._physics.time_limit}
        learners = len(self._players)
        more = {"LEARNERS": learners}
        self._core = PpoLearnersDriver.verilated(built | more) if learners > 1 else PpoDriver.verilated(built)
        self._each = self._core.learners if isinstance(self._core, PpoLearnersDriver) else [self._core]
        self._begin()

    def _begin(self) -> None:
        self._core.abort()
        for one, player in zip(self._each, self._players, strict=True):
            one.adopt(player.own)
        seeds = [player.seed for player in self._players]
        if isinstance(self._core, PpoLearnersDriver):
            self._core.begin(seeds, self._plan.settings.average)
        else:
            self._core.begin(*seeds)

    def _run(self, rounds: int) -> list[np.ndarray]:
        """Run the rounds; returns the episodes that ended, of each learner. Its player shows what it has learned."""
        ended = self._core.run(rounds)
        for one, player in zip(self._each, self._players, strict=True):
            one.show(player.own)
        return ended if isinstance(ended, list) else [ended]

    @property
    def clocks(self) -> int:
        """Of the core's runs."""
        return max(one.clocks for one in self._each)

    def learn(self, seen: Rollout, step: int) -> None:
        seen.episodes = np.pad(np.concatenate(self._run(1)), [(0, 0), (2, 0)])

    def checkpoint(self) -> dict[str, np.ndarray]:
        while self._twin.own.iterations < self.own.iterations:
            self._twin.learn(Rollout.blank(self._plan.round_steps, self._plan.envs, self._spaces), 0)
        self._same()
        return self._twin.checkpoint()

    def restore(self, kept: Mapping[str, np.ndarray]) -> None:
        self._twin.restore(kept)
        for player, first in zip(self._players, self._first, strict=True):
            player.own.restore(first)
        self._begin()
        if rounds := self._twin.own.iterations:
            self._run(rounds)
        self._same()

    def _same(self) -> None:
        here, there = ([w for player in trainer._players for w in player.weights()] for trainer in (self, self._twin))
        if not all(np.array_equal(one, other) for one, other in zip(here, there, strict=True)):
            raise RunFailed(f"after {self.own.iterations} rounds the core's weights are not the engine's")


class ChipPool(Pool):
    """In the place of actors, which the chip has inside: a round is given to the learner blank."""

    def __init__(self, plan: Plan, spaces: Spaces) -> None:
        blank = partial(Rollout.blank, plan.round_steps, plan.envs, spaces)
        nothing = {"number": np.array(0), "actions": np.zeros(0, np.int64)}  # of an environment: the trainer has them
        self._known = {"collect": blank, "checkpoint": lambda: [nothing] * plan.envs, "restore": lambda: True}

    def close(self) -> None:
        pass

    def _ask(self, name: str, *_: Any) -> None:
        self._asked = self._known[name]

    def _answers(self) -> list[Any]:
        return [self._asked()]
