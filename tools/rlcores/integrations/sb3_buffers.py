"""The cores in Stable-Baselines3: a rollout buffer for PPO and A2C, and prioritised replay buffers.

rlcores.integrations.sb3 has them, and the off-policy algorithms that give priorities back to such a buffer.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rlcores.base.arguments import check_float, check_int
from rlcores.base.arrays import flags, need_finite, plain
from rlcores.base.attributes import Guarded
from rlcores.base.naming import count_of, described
from rlcores.buses.bus import Bus
from rlcores.cores.replay_server.frames import padded, schema_of
from rlcores.cores.sumtree.driver import Driver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import UserError, warn
from rlcores.integrations import long_batches, of_sampler, require_library, seed_of
from rlcores.integrations.cleanrl import Advantages
from rlcores.net import ReplayClient

try:
    import gymnasium
    import torch
    from stable_baselines3.common import buffers
    from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer

    _MISSING = None
except ImportError as error:
    if TYPE_CHECKING:
        raise  # a type checker has tools/typings
    else:
        ReplayBuffer = RolloutBuffer = object
        _MISSING = error

_UNHEARD = 64  # batches after which priorities should have come back


def _checked(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Raise UserError where the arguments of an add() have a number that is not finite, or an end that is no bool."""
    for name, array in [*zip(("obs", "next_obs", "action", "reward", "done"), args, strict=False), *kwargs.items()]:
        if name == "done":
            flags(name, array)
        elif name != "infos":
            need_finite(name, np.asarray(array))


def _one_array(args: tuple[Any, ...], kwargs: Mapping[str, Any], instead: str = "") -> None:
    """Raise UserError where the arguments of a buffer say that an observation is more than one array."""
    space = kwargs.get("observation_space", args[1] if len(args) > 1 else None)
    if isinstance(space, gymnasium.spaces.Dict):
        raise UserError("dictionary observations are not supported: flatten them, as FlattenObservation does" + instead)


def _fill(buffer: Any, of: str) -> str:
    """How much an SB3 buffer holds, of all its environments."""
    return f"{buffer.size() * buffer.n_envs:,} of {buffer.buffer_size * buffer.n_envs:,} {of}"


class GaeRolloutBuffer(Guarded, RolloutBuffer):
    """SB3's RolloutBuffer with the GAE core instead of the loop over steps.

    `PPO(..., rollout_buffer_class=GaeRolloutBuffer, rollout_buffer_kwargs={"backend": "rtl", ...})`. SB3 adds gamma
    times the value of the last observation to the reward of a truncated episode itself, so every end here is an end.
    Advantages and returns are in the unit of the rewards, as SB3's are, unless gae_options say otherwise.
    """

    def __init__(
        self,
        *args: Any,
        config: str | Mapping[str, int] | None = None,
        backend: str | Bus = "native",
        accuracy: str | None = None,
        gae_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """args, kwargs: as RolloutBuffer. config, backend, accuracy, gae_options: as cleanrl.Advantages."""
        require_library("stable-baselines3", _MISSING)
        _one_array(args, kwargs)
        super().__init__(*args, **kwargs)
        self.core = Advantages(
            self.gamma,
            self.gae_lambda,
            config=config,
            backend=backend,
            accuracy=accuracy,
            **(gae_options or {}),
        )

    def __repr__(self) -> str:
        return described(self, _fill(self, "steps"), count_of(self.n_envs, "environments"), repr(self.core.core))

    def compute_returns_and_advantage(self, last_values: "torch.Tensor", dones: np.ndarray) -> None:
        """Fill .advantages and .returns; see RolloutBuffer."""
        pair = self.core(self.rewards, self.values, self.episode_starts, last_values, dones)
        self.advantages, self.returns = pair


class PrioritizedSamples(NamedTuple):
    """SB3's ReplayBufferSamples, and what prioritised replay needs."""

    observations: "torch.Tensor | dict[str, torch.Tensor]"
    actions: "torch.Tensor"
    next_observations: "torch.Tensor | dict[str, torch.Tensor]"
    dones: "torch.Tensor"
    rewards: "torch.Tensor"
    discounts: "torch.Tensor | None"
    weights: "torch.Tensor"  # (batch, 1): importance weights, the largest is 1
    indices: np.ndarray  # int64 (batch,): for update_priorities
    generations: np.ndarray  # int64 (batch,): likewise


class Feedback(Guarded):
    """Says once when batches were drawn from a buffer and no priority came back."""

    _unheard = 0  # batches that were drawn before any priority came back; -1: some did

    def _drew(self, alpha: float) -> None:
        """A batch was drawn, with priorities to the power of alpha."""
        if self._unheard < 0:
            return
        self._unheard += 1
        if self._unheard == _UNHEARD and alpha:
            warn(
                f"{_UNHEARD} batches were drawn from a prioritised buffer and nobody updated priorities, so that draws "
                "are uniform: train with PrioritizedDQN, PrioritizedSAC, … of rlcores.integrations.sb3, or "
                "call update_priorities() with every batch"
            )

    def _heard(self) -> None:
        """Priorities came back."""
        self._unheard = -1


class PrioritizedReplayBuffer(Feedback, ReplayBuffer):
    """SB3's ReplayBuffer that samples in proportion to priorities kept by the sum tree core.

    The transition of environment e at row p has slot p * n_envs + e, in the order in which they were added.
    With n_steps above 1 a sample has the return of up to n steps, as SB3's NStepReplayBuffer makes it, and its
    priority is that of the first. With optimize_memory_usage, as with SB3's, an observation is stored once, the oldest
    row of a full buffer is not drawn, and n_steps is 1. Dictionary observations are of PrioritizedDictReplayBuffer. A
    saved or copied buffer has its priorities, its tags, and the same next draws; where the tree is on a board, its copy
    is the integer model, with new tags.
    """

    n_steps, gamma = 1, 0.99

    def __init__(
        self,
        *args: Any,
        n_steps: int = 1,
        gamma: float = 0.99,
        alpha: float = 0.6,
        beta: float = 0.4,
        priority_epsilon: float = 1e-6,
        seed: int | None = None,
        backend: str | Driver = "native",
        sampler_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """args, kwargs: as ReplayBuffer. n_steps, gamma: as NStepReplayBuffer.

        alpha … backend, sampler_options: as rlcores.PrioritizedSampler.

        seed: by default one that NumPy's global generator gives, which SB3 seeds.
        Priorities have 32 bits by default, as PrioritizedSampler's.
        """
        require_library("stable-baselines3", _MISSING)
        _one_array(args, kwargs, ", or take PrioritizedDictReplayBuffer")
        super().__init__(*args, **kwargs)
        self.n_steps, self.gamma = (
            check_int("n_steps", n_steps, 1, self.buffer_size),
            check_float("gamma", gamma, 0.0, 1.0),
        )
        if self.n_steps > 1 and not hasattr(buffers, "NStepReplayBuffer"):
            raise UserError(f"n_steps is {n_steps}; this version of Stable-Baselines3 takes one step, 2.7 takes more")
        if self.n_steps > 1 and self.optimize_memory_usage:
            raise UserError(f"n_steps is {n_steps}; with optimize_memory_usage it is 1, as of SB3's own buffer")
        slots = self.buffer_size * self.n_envs
        self._options: dict[str, Any] = {
            "alpha": alpha,
            "beta": beta,
            "priority_epsilon": priority_epsilon,
            "backend": backend,
        }
        self._options |= {"seed": seed_of(seed)} | long_batches(backend, sampler_options or {})
        self.sampler = PrioritizedSampler(slots, **self._options)

    beta = of_sampler("beta", "Exponent of the importance weights; may be set between samples.")
    alpha = of_sampler("alpha", "Exponent of the priorities; may be set, see rlcores.PrioritizedSampler.alpha.")

    def __repr__(self) -> str:
        numbers = f"alpha {self.alpha:.3g}, beta {self.beta:.3g}"
        envs = count_of(self.n_envs, "environments")
        return described(self, _fill(self, "transitions"), envs, self.sampler.tree.backend, numbers)

    def reset(self) -> None:
        """Forget all transitions and priorities."""
        super().reset()
        self.sampler.clear()

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one transition of every environment, with the largest priority seen; see ReplayBuffer.

        Raises UserError, before anything changes, when a number is not finite.
        """
        _checked(args, kwargs)
        row = self.pos
        super().add(*args, **kwargs)
        slots = self.sampler.add(self.n_envs).indices
        assert slots[0] == row * self.n_envs, "the tree and the buffer disagree about the next slot"
        if self.optimize_memory_usage and self.full:  # the oldest row's observation is the newest one's next
            self.sampler.tree.update(self.pos * self.n_envs + np.arange(self.n_envs), np.zeros(self.n_envs, np.int64))

    def sample(self, batch_size: int, env: Any = None) -> PrioritizedSamples:
        """A batch in proportion to the priorities."""
        if not len(self.sampler) and self.size():
            # Somebody filled the arrays without add(). A full buffer needs a turn and the rows after it.
            steps = self.buffer_size + self.pos if self.full else self.pos
            self.sampler.add(steps * self.n_envs)
        batch = self.sampler.sample(batch_size)
        self._drew(self.alpha)
        rows, envs = np.divmod(batch.indices, self.n_envs)
        lasts, rewards, discounts = self._returns(rows, envs, env)
        done = self.dones[lasts, envs] * (1 - self.timeouts[lasts, envs])
        return PrioritizedSamples(
            self.to_torch(self._normalize_obs(self.observations[rows, envs], env)),
            self.to_torch(self.actions[rows, envs]),
            self.to_torch(self._normalize_obs(self._following(lasts, envs), env)),
            self.to_torch(done.reshape(-1, 1)),
            self.to_torch(rewards.reshape(-1, 1)),
            None if discounts is None else self.to_torch(discounts.reshape(-1, 1)),
            self.to_torch(batch.weights.reshape(-1, 1)),
            batch.indices,
            batch.generations,
        )

    def _following(self, rows: np.ndarray, envs: np.ndarray) -> np.ndarray:
        """Observations behind steps (n,)."""
        behind: np.ndarray
        if self.optimize_memory_usage:
            behind = self.observations[(rows + 1) % self.buffer_size, envs]
        else:
            behind = self.next_observations[rows, envs]
        return behind

    def _returns(
        self, rows: np.ndarray, envs: np.ndarray, env: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Last rows of the returns from rows (n,), the returns, and the factors of the values behind them."""
        if self.n_steps == 1:
            return rows, self._normalize_reward(self.rewards[rows, envs], env), None
        steps = np.arange(self.n_steps)
        ways = (rows[:, None] + steps) % self.buffer_size
        ends = (self.dones[ways, envs[:, None]] != 0) | (self.timeouts[ways, envs[:, None]] != 0)
        ends |= ways == (self.pos - 1) % self.buffer_size  # the newest step
        ends[:, -1] = True
        count = ends.argmax(axis=1) + 1
        rewards = self._normalize_reward(self.rewards[ways, envs[:, None]], env)
        rewards = rewards * (self.gamma ** steps.astype(np.float32)) * (steps < count[:, None])
        return (rows + count - 1) % self.buffer_size, rewards.sum(axis=1), self.gamma ** count.astype(np.float32)

    def update_priorities(self, samples: PrioritizedSamples, td_errors: Any) -> int:
        """Priorities from new TD errors, one for each sample; how many were still there."""
        errors = plain("td_errors", td_errors).reshape(-1)
        self._heard()
        return int(self.sampler.update(samples.indices, errors, samples.generations).sum())

    def __getstate__(self) -> dict[str, Any]:
        """For pickle, with which SB3 saves a buffer, and for copy."""
        state = dict(self.__dict__)
        if not isinstance(self._options["backend"], str):
            warn("a tree on a board cannot be saved with its buffer: what is loaded goes on with the integer model")
            shape = self.sampler.tree.driver.shape
            state["sampler"] = self.sampler.state_dict()
            state["_options"] = self._options | {
                "backend": "native",
                "priority_width": shape.priority_width,
                "generation_width": shape.generation_width,
            }
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        held = state["sampler"]
        if not isinstance(held, PrioritizedSampler):
            self.sampler = PrioritizedSampler(self.buffer_size * self.n_envs, **self._options)
            self.sampler.load_state_dict(held)


class ServerReplayBuffer(PrioritizedReplayBuffer):
    """SB3's ReplayBuffer whose transitions are kept by a replay server (`rlcores serve`), docs/net.md.

    Many runs may fill one server, each with its own `client` number, and one of them may draw from it. alpha, the
    offset of priorities and the number of transitions are the server's; its records must have room for one
    (`record_bytes` of this class says how much). New transitions have the largest priority seen.

    `PrioritizedDQN(..., replay_buffer_class=ServerReplayBuffer, replay_buffer_kwargs={"address": "10.0.0.2:7878"})`
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        device: Any = "auto",
        n_envs: int = 1,
        *,
        address: str,
        client: int = 0,
        key: bytes | None = None,
        beta: float = 0.4,
        **kwargs: Any,
    ) -> None:
        """buffer_size is the server's; the others: as ReplayBuffer, client, key: as rlcores.net.ReplayClient.

        Raises UserError when the server's records are too short.
        """
        require_library("stable-baselines3", _MISSING)
        _one_array((), {"observation_space": observation_space})
        if (steps := kwargs.pop("n_steps", 1)) != 1:
            raise UserError(f"n_steps is {steps}; transitions at a replay server are of one step")
        kwargs.pop("gamma", None)
        if kwargs.get("optimize_memory_usage"):
            raise UserError("optimize_memory_usage is not supported: a transition keeps its own next observation")
        # SB3's own arrays hold one step: what add() makes of it is what travels.
        ReplayBuffer.__init__(self, n_envs, observation_space, action_space, device, n_envs, **kwargs)
        self._options, self._beta = {"beta": beta}, beta
        fields = ("observations", "next_observations", "actions", "rewards", "dones")
        arrays = {name: getattr(self, name) for name in fields}
        self._row = np.dtype([(name, a.dtype, a.shape[2:]) for name, a in arrays.items()])
        self._place = address, client, key
        self._connect()
        if self.record_bytes > self.client.settings.record_bytes:
            raise UserError(
                f"a transition has {self.record_bytes} bytes, the records of the server at {address} "
                f"{self.client.settings.record_bytes}; start it with --record-bytes {padded(self.record_bytes)}"
            )

    def _connect(self) -> None:
        address, client, key = self._place
        self.client = ReplayClient(address, client, key=key, schema=schema_of(self._row.descr))

    def __repr__(self) -> str:
        room = f"room for {self.client.settings.capacity:,} transitions"
        return described(self, room, repr(self.client), f"beta {self.beta:.3g}")

    @property
    def record_bytes(self) -> int:
        """Bytes of a transition."""
        return self._row.itemsize

    beta = property(
        lambda self: self._beta,
        lambda self, beta: setattr(self, "_beta", check_float("beta", beta, 0.0, 1.0)),
        doc="Exponent of the importance weights; may be set between samples.",
    )
    alpha = property(lambda self: self.client.settings.alpha / 32768, doc="Exponent of the priorities; the server's.")

    def size(self) -> int:
        """Number of transitions in the server, from all clients."""
        return self.client.stats()["size"]

    def reset(self) -> None:
        """Nothing: what others have put is not ours to forget."""

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Put one transition of every environment; see ReplayBuffer. Waits only for credit.

        Raises UserError, before anything changes, when a number is not finite.
        """
        _checked(args, kwargs)
        ReplayBuffer.add(self, *args, **kwargs)
        rows = np.zeros(self.n_envs, self._row)
        for name in self._row.names or ():
            rows[name] = getattr(self, name)[0]
        rows["dones"] *= 1 - self.timeouts[0]
        self.client.put(rows)

    def sample(self, batch_size: int, env: Any = None) -> PrioritizedSamples:
        """A batch in proportion to the priorities, drawn by the server after all that this client put before."""
        self.client.flush()
        batch = self.client.sample(batch_size, beta=self._beta)
        self._drew(self.alpha)
        rows = np.ascontiguousarray(batch.records[:, : self.record_bytes]).view(self._row)[:, 0]
        weights = np.where(batch.gone, np.float32(0), batch.weights)
        return PrioritizedSamples(
            self.to_torch(self._normalize_obs(rows["observations"], env)),
            self.to_torch(rows["actions"]),
            self.to_torch(self._normalize_obs(rows["next_observations"], env)),
            self.to_torch(rows["dones"].reshape(-1, 1)),
            self.to_torch(self._normalize_reward(rows["rewards"].reshape(-1, 1), env)),
            None,
            self.to_torch(weights.reshape(-1, 1)),
            batch.slots.astype(np.int64),
            batch.generations.astype(np.int64),
        )

    def update_priorities(self, samples: PrioritizedSamples, td_errors: Any) -> int:
        """Priorities from new TD errors, one for each sample; how many were sent. The server drops late ones."""
        errors = plain("td_errors", td_errors).reshape(-1)
        self._heard()
        self.client.update(samples.indices, samples.generations, errors)
        return len(errors)

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: the address; the transitions stay at the server."""
        self.client.flush()
        return {name: value for name, value in self.__dict__.items() if name != "client"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()
