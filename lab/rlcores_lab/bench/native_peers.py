"""What people use for prioritised replay, as they call it: samples with importance weights, updates from TD errors."""

import numpy as np

ALPHA, BETA = 0.6, 0.4


class Torchrl:
    """torchrl's PrioritizedSampler, on tensors; its priorities are kept in C++."""

    name, title, module = "torchrl", "torchrl, PrioritizedSampler", "torchrl._torchrl"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        import torch
        from torchrl.data import LazyTensorStorage
        from torchrl.data.replay_buffers.samplers import PrioritizedSampler

        self._tensor = torch.from_numpy
        self._storage = LazyTensorStorage(slots)
        self._storage.set(range(slots), torch.zeros(slots, 1))
        self._sampler = PrioritizedSampler(slots, ALPHA, BETA)
        self._sampler.extend(torch.arange(slots))
        self.update(np.arange(slots), errors)

    def sample(self, count: int) -> object:
        """Slots and weights."""
        return self._sampler.sample(self._storage, count)

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._sampler.update_priority(self._tensor(indices), self._tensor(errors))


class Tianshou:
    """tianshou's PrioritizedReplayBuffer, on arrays; its tree runs under Numba."""

    name, title, module = "tianshou", "tianshou, PrioritizedReplayBuffer", "tianshou.data"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        from tianshou.data import PrioritizedReplayBuffer

        self._buffer = PrioritizedReplayBuffer(slots, alpha=ALPHA, beta=BETA)
        self._buffer._size = slots  # as if that many transitions had been added
        self.update(np.arange(slots), errors)

    def sample(self, count: int) -> object:
        """Slots and weights."""
        indices = self._buffer.sample_indices(count)
        weights = self._buffer.get_weight(indices)
        return indices, weights / weights.max()

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._buffer.update_weight(indices, errors)


class Cpprb:
    """cpprb's PrioritizedReplayBuffer, on arrays; its segment trees are C++."""

    name, title, module = "cpprb", "cpprb, PrioritizedReplayBuffer", "cpprb"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        from cpprb import PrioritizedReplayBuffer

        # A transition of one number, which a batch has with it.
        self._buffer = PrioritizedReplayBuffer(slots, {"done": {}}, alpha=ALPHA)
        self._buffer.add(done=np.zeros(slots), priorities=np.abs(errors))

    def sample(self, count: int) -> object:
        """Slots and weights."""
        return self._buffer.sample(count, BETA)

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._buffer.update_priorities(indices, np.abs(errors))


class Flashbax:
    """flashbax's prioritised flat buffer, one jit of JAX a call, its state donated."""

    name, title, module = "flashbax", "flashbax, prioritised flat buffer", "flashbax"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        import flashbax
        import jax
        import jax.numpy as jnp

        self._jax, self._slots = jax, slots

        def made(count: int):
            kinds = {"add_sequences": True, "priority_exponent": ALPHA}
            return flashbax.make_prioritised_flat_buffer(slots, min_length=2, sample_batch_size=count, **kinds)

        def sampler(count: int):
            buffer = made(count)

            def sample(state, key):
                key, subkey = jax.random.split(key)
                batch = buffer.sample(state, subkey)
                weights = (slots * batch.probabilities) ** -BETA
                return key, batch.indices, weights / weights.max()

            return jax.jit(sample)

        buffer = made(1)
        self._samplers = {count: sampler(count) for count in (64, 256)}
        self._state = jax.jit(buffer.add, donate_argnums=0)(buffer.init({"done": 0.0}), {"done": jnp.zeros(slots)})
        self._set = jax.jit(buffer.set_priorities, donate_argnums=0)
        self._key = jax.random.PRNGKey(0)
        self.update(np.arange(slots), errors)

    def sample(self, count: int) -> object:
        """Slots and weights."""
        self._key, *batch = self._jax.block_until_ready(self._samplers[count](self._state, self._key))
        return batch

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from |TD errors|."""
        self._state = self._jax.block_until_ready(self._set(self._state, indices, np.abs(errors)))


PEERS = Torchrl, Tianshou, Cpprb, Flashbax
