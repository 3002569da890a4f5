"""The cores in Stable-Baselines3: a rollout buffer for PPO and A2C, a prioritised replay buffer, and a DQN for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rlcores.base.arguments import fraction
from rlcores.base.arrays import plain
from rlcores.buses.bus import Bus
from rlcores.cores.net.frames import padded, schema_of
from rlcores.cores.sumtree.api import PrioritizedSampler
from rlcores.cores.sumtree.driver import Driver
from rlcores.errors import UserError, warn
from rlcores.integrations import finest, need, of_sampler, seed_of
from rlcores.integrations.cleanrl import Advantages
from rlcores.net import ReplayClient

try:
    import gymnasium
    import torch
    from stable_baselines3 import DQN
    from stable_baselines3.common.buffers import ReplayBuffer, RolloutBuffer

    _MISSING = None
except ImportError as error:
    DQN = ReplayBuffer = RolloutBuffer = object
    _MISSING = error


def _one_array(args: tuple, kwargs: Mapping[str, Any]) -> None:
    """Raise UserError where the arguments of a buffer say that an observation is more than one array."""
    space = kwargs.get("observation_space", args[1] if len(args) > 1 else None)
    if isinstance(space, gymnasium.spaces.Dict):
        raise UserError("dictionary observations are not supported: flatten them, as FlattenObservation does")


class GaeRolloutBuffer(RolloutBuffer):
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
        need("stable-baselines3", _MISSING)
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

    def compute_returns_and_advantage(self, last_values: "torch.Tensor", dones: np.ndarray) -> None:
        """Fill .advantages and .returns; see RolloutBuffer."""
        found = self.core(self.rewards, self.values, self.episode_starts, last_values, dones)
        self.advantages, self.returns = found


class PrioritizedSamples(NamedTuple):
    """SB3's ReplayBufferSamples, and what prioritised replay needs."""

    observations: "torch.Tensor"
    actions: "torch.Tensor"
    next_observations: "torch.Tensor"
    dones: "torch.Tensor"
    rewards: "torch.Tensor"
    discounts: "torch.Tensor | None"
    weights: "torch.Tensor"  # (batch, 1): importance weights, the largest is 1
    indices: np.ndarray  # int64 (batch,): for update_priorities
    generations: np.ndarray  # int64 (batch,): likewise


class PrioritizedReplayBuffer(ReplayBuffer):
    """SB3's ReplayBuffer that samples in proportion to priorities kept by the sum tree core.

    The transition of environment e at row p has slot p * n_envs + e, in the order in which they were added.
    optimize_memory_usage and dictionary observations are not supported. A saved or copied buffer has its priorities,
    its tags, and the same next draws; where the tree is on a board, its copy is the integer model, with new tags.
    """

    def __init__(
        self,
        *args: Any,
        alpha: float = 0.6,
        beta: float = 0.4,
        epsilon: float = 1e-6,
        seed: int | None = None,
        backend: str | Driver = "native",
        sampler_options: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """args, kwargs: as ReplayBuffer. alpha … backend, sampler_options: as rlcores.PrioritizedSampler.

        epsilon is its priority_epsilon. seed: by default one that NumPy's global generator gives, which SB3 seeds.
        Priorities are by default as fine as the core has them, 32 bits up to 2**20 transitions.
        """
        need("stable-baselines3", _MISSING)
        _one_array(args, kwargs)
        super().__init__(*args, **kwargs)
        if self.optimize_memory_usage:
            raise UserError("optimize_memory_usage is not supported: a transition keeps its own next observation")
        slots = self.buffer_size * self.n_envs
        self._options = {"alpha": alpha, "beta": beta, "priority_epsilon": epsilon, "backend": backend}
        self._options |= {"seed": seed_of(seed)} | finest(slots, backend, sampler_options or {})
        self.sampler = PrioritizedSampler(slots, **self._options)

    beta = of_sampler("beta", "Exponent of the importance weights; may be set between samples.")
    alpha = of_sampler("alpha", "Exponent of the priorities; may be set, see rlcores.PrioritizedSampler.alpha.")

    def reset(self) -> None:
        """Forget all transitions and priorities."""
        super().reset()
        self.sampler.clear()

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one transition of every environment, with the largest priority seen; see ReplayBuffer."""
        row = self.pos
        super().add(*args, **kwargs)
        slots = self.sampler.add(self.n_envs).indices
        assert slots[0] == row * self.n_envs, "the tree and the buffer disagree about the next slot"

    def sample(self, batch_size: int, env: Any = None) -> PrioritizedSamples:
        """A batch in proportion to the priorities."""
        if not len(self.sampler) and self.size():
            # Somebody filled the arrays without add(). A full buffer needs a turn and the rows after it.
            rows = self.buffer_size + self.pos if self.full else self.pos
            self.sampler.add(rows * self.n_envs)
        batch = self.sampler.sample(batch_size)
        rows, envs = np.divmod(batch.indices, self.n_envs)
        done = self.dones[rows, envs] * (1 - self.timeouts[rows, envs])
        data = (
            self._normalize_obs(self.observations[rows, envs], env),
            self.actions[rows, envs],
            self._normalize_obs(self.next_observations[rows, envs], env),
            done.reshape(-1, 1),
            self._normalize_reward(self.rewards[rows, envs].reshape(-1, 1), env),
        )
        weights = self.to_torch(batch.weights.reshape(-1, 1))
        return PrioritizedSamples(*map(self.to_torch, data), None, weights, batch.indices, batch.generations)

    def update_priorities(self, samples: PrioritizedSamples, td_errors: Any) -> int:
        """Priorities from new TD errors, one for each sample; how many were still there."""
        errors = plain("td_errors", td_errors).reshape(-1)
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
        if isinstance(self.sampler, dict):
            held = self.sampler
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
        need("stable-baselines3", _MISSING)
        _one_array((), {"observation_space": observation_space})
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

    @property
    def record_bytes(self) -> int:
        """Bytes of a transition."""
        return self._row.itemsize

    beta = property(
        lambda self: self._beta,
        lambda self, beta: setattr(self, "_beta", fraction("beta", beta, 0.0, 1.0)),
        doc="Exponent of the importance weights; may be set between samples.",
    )
    alpha = property(lambda self: self.client.settings.alpha / 32768, doc="Exponent of the priorities; the server's.")

    def size(self) -> int:
        """Transitions that the server holds, whoever put them."""
        return self.client.stats()["size"]

    def reset(self) -> None:
        """Nothing: what others have put is not ours to forget."""

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Put one transition of every environment; see ReplayBuffer. Waits only for credit."""
        ReplayBuffer.add(self, *args, **kwargs)
        rows = np.zeros(self.n_envs, self._row)
        for name in self._row.names:
            rows[name] = getattr(self, name)[0]
        rows["dones"] *= 1 - self.timeouts[0]
        self.client.put(rows)

    def sample(self, batch_size: int, env: Any = None) -> PrioritizedSamples:
        """A batch in proportion to the priorities, drawn by the server after all that this client put before."""
        self.client.flush()
        batch = self.client.sample(batch_size, beta=self._beta)
        rows = np.ascontiguousarray(batch.records[:, : self.record_bytes]).view(self._row)[:, 0]
        data = (
            self._normalize_obs(rows["observations"], env),
            rows["actions"],
            self._normalize_obs(rows["next_observations"], env),
            rows["dones"].reshape(-1, 1),
            self._normalize_reward(rows["rewards"].reshape(-1, 1), env),
        )
        weights = self.to_torch(np.where(batch.gone, np.float32(0), batch.weights).reshape(-1, 1))
        slots, generations = batch.slots.astype(np.int64), batch.generations.astype(np.int64)
        return PrioritizedSamples(*map(self.to_torch, data), None, weights, slots, generations)

    def update_priorities(self, samples: PrioritizedSamples, td_errors: Any) -> int:
        """Priorities from new TD errors, one for each sample; how many were sent. The server drops late ones."""
        errors = plain("td_errors", td_errors).reshape(-1)
        self.client.update(samples.indices, samples.generations, errors)
        return len(errors)

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copy: the address; the transitions stay at the server."""
        self.client.flush()
        return {name: value for name, value in self.__dict__.items() if name != "client"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()


class PrioritizedDQN(DQN):
    """SB3's DQN with prioritised replay: importance weights in the loss, TD errors back to the buffer.

    `PrioritizedDQN("MlpPolicy", env, replay_buffer_kwargs={"backend": "rtl", "sampler_options": {...}})`. beta goes
    from the buffer's own to 1 over the training, as Schaul et al. (2016) anneal it. All else is DQN's.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """args, kwargs: as DQN; replay_buffer_kwargs go to PrioritizedReplayBuffer."""
        need("stable-baselines3", _MISSING)
        if kwargs.get("n_steps", 1) != 1:
            raise UserError(f"n_steps is {kwargs['n_steps']}; PrioritizedDQN looks one step ahead")
        given = kwargs.get("replay_buffer_class") or PrioritizedReplayBuffer
        if not issubclass(given, PrioritizedReplayBuffer):
            raise UserError(f"replay_buffer_class is {given.__name__}; it must be a PrioritizedReplayBuffer")
        super().__init__(*args, **(kwargs | {"replay_buffer_class": given}))

    def train(self, gradient_steps: int, batch_size: int = 100) -> None:
        """Gradient steps as DQN.train takes them, each sample's loss times its weight."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        buffer = self.replay_buffer
        first = buffer._options["beta"]
        buffer.beta = min(max(1 - (1 - first) * self._current_progress_remaining, 0.0), 1.0)
        losses = []
        for _ in range(gradient_steps):
            data = buffer.sample(batch_size, env=self._vec_normalize_env)
            with torch.no_grad():
                following = self.q_net_target(data.next_observations).max(dim=1)[0].reshape(-1, 1)
                targets = data.rewards + (1 - data.dones) * self.gamma * following
            current = torch.gather(self.q_net(data.observations), dim=1, index=data.actions.long())
            each = torch.nn.functional.smooth_l1_loss(current, targets, reduction="none")
            loss = (data.weights * each).mean()
            losses.append(loss.item())
            self.policy.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.policy.optimizer.step()
            buffer.update_priorities(data, targets - current)
        self._n_updates += gradient_steps
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        self.logger.record("train/loss", np.mean(losses))
        self.logger.record("train/beta", buffer.beta)
