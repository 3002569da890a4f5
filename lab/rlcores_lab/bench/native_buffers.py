"""Whole replay buffers that people use, filled with the same transitions, as their batches are drawn."""

import numpy as np

from rlcores_lab.bench.native_peers import ALPHA, BETA

BATCH = 256

Steps = dict[str, np.ndarray]


class Torchrl:
    """torchrl's TensorDictPrioritizedReplayBuffer, in memory."""

    name, title, module = "torchrl", "torchrl, TensorDict(Prioritized)ReplayBuffer", "torchrl._torchrl"

    def __init__(self, steps: Steps, shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """steps: one environment's, in order, of single frames; stack: frames an observation."""
        import torch
        from tensordict import TensorDict
        from torchrl.data import LazyTensorStorage, TensorDictPrioritizedReplayBuffer, TensorDictReplayBuffer

        count = len(steps["reward"])
        kinds = {"alpha": ALPHA, "beta": BETA} if prioritized else {}
        kind = TensorDictPrioritizedReplayBuffer if prioritized else TensorDictReplayBuffer
        self._buffer = kind(storage=LazyTensorStorage(count), batch_size=BATCH, **kinds)
        arrays = stacked(steps, stack)
        self._buffer.extend(TensorDict({k: torch.from_numpy(v) for k, v in arrays.items()}, batch_size=[count]))
        self.size = sum(array.nbytes for array in arrays.values())

    def batch(self, turn: int) -> object:
        """A batch of 256."""
        return self._buffer.sample()


class Sb3:
    """Stable-Baselines3's ReplayBuffer, whose draws are uniform."""

    name, title, module = "sb3", "stable-baselines3, ReplayBuffer", "stable_baselines3"

    def __init__(self, steps: Steps, shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """See Torchrl."""
        from gymnasium.spaces import Box, Discrete
        from stable_baselines3.common.buffers import ReplayBuffer as Buffer

        arrays = stacked(steps, stack)
        seen = arrays["observation"]
        low, high = (0, 255) if seen.dtype == np.uint8 else (-np.inf, np.inf)
        self._buffer = Buffer(len(seen), Box(low, high, seen.shape[1:], seen.dtype), Discrete(4), device="cpu")
        self._buffer.observations[:, 0], self._buffer.next_observations[:, 0] = seen, arrays["next_observation"]
        self._buffer.actions[:, 0, 0], self._buffer.rewards[:, 0] = arrays["action"], arrays["reward"]
        self._buffer.dones[:, 0], self._buffer.full = arrays["terminated"], True
        held = (self._buffer.observations, self._buffer.next_observations, self._buffer.actions, self._buffer.rewards)
        self.size = sum(array.nbytes for array in (*held, self._buffer.dones, self._buffer.timeouts))

    def batch(self, turn: int) -> object:
        """A batch of 256."""
        return self._buffer.sample(BATCH)


class Tianshou:
    """tianshou's PrioritizedReplayBuffer, or its ReplayBuffer of single frames, which stacks them itself."""

    name, title, module = "tianshou", "tianshou, (Prioritized)ReplayBuffer", "tianshou.data"

    def __init__(self, steps: Steps, shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """See Torchrl."""
        from tianshou.data import Batch, PrioritizedReplayBuffer
        from tianshou.data import ReplayBuffer as Buffer

        count = len(steps["reward"])
        ends = {"terminated": steps["terminated"], "truncated": steps["truncated"]}
        held = {"obs": steps["observation"], "act": steps["action"], "rew": steps["reward"].astype(np.float64)} | ends
        held |= {"done": steps["terminated"] | steps["truncated"]}
        if prioritized:
            held |= {"obs_next": steps["next_observation"]}
            self._buffer = PrioritizedReplayBuffer(count, alpha=ALPHA, beta=BETA)
        else:
            self._buffer = Buffer(count, stack_num=stack, ignore_obs_next=True)
        self._buffer.set_batch(Batch(**held, info=Batch()))
        self._buffer._size = count  # as if that many transitions had been added
        if prioritized:
            self._buffer.update_weight(np.arange(count), np.ones(count))
        self.size = sum(array.nbytes for array in held.values())

    def batch(self, turn: int) -> object:
        """A batch of 256."""
        return self._buffer.sample(BATCH)


class Cpprb:
    """cpprb's PrioritizedReplayBuffer or ReplayBuffer."""

    name, title, module = "cpprb", "cpprb, (Prioritized)ReplayBuffer", "cpprb"

    def __init__(self, steps: Steps, shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """See Torchrl."""
        from cpprb import PrioritizedReplayBuffer
        from cpprb import ReplayBuffer as Buffer

        arrays = stacked(steps, stack)
        types = {name: {"shape": array.shape[1:] or 1, "dtype": array.dtype} for name, array in arrays.items()}
        count = len(steps["reward"])
        self._buffer = PrioritizedReplayBuffer(count, types, alpha=ALPHA) if prioritized else Buffer(count, types)
        self._buffer.add(**arrays)
        self._arguments = (BATCH, BETA) if prioritized else (BATCH,)
        self.size = sum(array.nbytes for array in arrays.values())

    def batch(self, turn: int) -> object:
        """A batch of 256."""
        return self._buffer.sample(*self._arguments)


class Flashbax:
    """flashbax's flat buffers, one jit of JAX a batch; a transition is two steps that follow one another."""

    name, title, module = "flashbax", "flashbax, (prioritised) flat buffer", "flashbax"

    def __init__(self, steps: Steps, shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """See Torchrl."""
        import flashbax
        import jax

        arrays = {name: array for name, array in stacked(steps, stack).items() if name != "next_observation"}
        make = flashbax.make_prioritised_flat_buffer if prioritized else flashbax.make_flat_buffer
        kinds = {"priority_exponent": ALPHA} if prioritized else {}
        count = len(steps["reward"])
        buffer = make(count, min_length=2, sample_batch_size=BATCH, add_sequences=True, **kinds)
        first = buffer.init({name: array[0] for name, array in arrays.items()})
        self._state = jax.jit(buffer.add, donate_argnums=0)(first, arrays)
        self.size = sum(array.nbytes for array in jax.tree.leaves(self._state.experience))

        def sample(state, key):
            key, subkey = jax.random.split(key)
            batch = buffer.sample(state, subkey)
            if not prioritized:
                return key, batch.experience
            weights = (count * batch.probabilities) ** -BETA
            return key, (batch.experience, batch.indices, weights / weights.max())

        self._sample, self._key, self._wait = jax.jit(sample), jax.random.PRNGKey(0), jax.block_until_ready

    def batch(self, turn: int) -> object:
        """A batch of 256."""
        self._key, batch = self._wait(self._sample(self._state, self._key))
        return batch


def stacked(steps: Steps, stack: int) -> Steps:
    """The steps as environments give them that stack frames themselves."""
    if stack == 1:
        return steps
    result = dict(steps)
    for name in ("observation", "next_observation"):
        frames = np.concatenate([np.repeat(steps[name][:1], stack - 1, 0), steps[name]])
        windows = np.lib.stride_tricks.sliding_window_view(frames, stack, axis=0)
        result[name] = np.ascontiguousarray(np.moveaxis(windows, -1, 1))
    return result


PEERS = Torchrl, Sb3, Tianshou, Cpprb, Flashbax
