"""Training steps to be timed: NumPy and PyTorch on a CPU, PyTorch on a GPU; and a priority tree on a GPU.

MLPs in NumPy are rlcores.cores.learner.float64's. The convolutions here are im2col and one matrix product each, as the
paper maps them.
"""

from collections.abc import Callable

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatSettings, FloatValueLearner, Optimiser
from rlcores.cores.learner.format import LearnerBatch
from rlcores_lab.bench import learner_peers
from rlcores_lab.bench.sumtree_peers import ArrayTree
from rlcores_lab.mapping.workloads import Conv, Workload

GAMMA, RATE, TAU = 0.99, 1e-4, 0.005


def batch(workload: Workload, size: int, rng: np.random.Generator) -> LearnerBatch:
    """Random records: normal numbers, or pixels 0 to 1 of shape (size, channels, height, width)."""
    shape = (2, size, *workload.image) if workload.image else (2, size, workload.state_words)
    states = rng.random(shape, np.float32) if workload.image else rng.standard_normal(shape, np.float32)
    if workload.actor_sizes:
        actions = rng.uniform(-1, 1, (size, workload.action_words)).astype(np.float32)
    else:
        actions = rng.integers(0, workload.sizes[-1], size)
    rewards, ends = rng.standard_normal(size, np.float32), rng.random(size) < 0.1
    return LearnerBatch(states[0], actions, rewards, states[1], ends, np.ones(size, np.float32))


def numpy_step(workload: Workload, size: int, seed: int = 0) -> Callable[[], object]:
    """A function that does one gradient step on one batch of that size, float32."""
    transitions = batch(workload, size, np.random.default_rng(seed))
    settings = FloatSettings(gamma=GAMMA, learning_rate=RATE, tau=TAU)
    if workload.image:
        learner = ConvDqn(workload, settings, seed)
    elif workload.actor_sizes:
        learner = FloatDdpgLearner(workload.sizes, workload.actor_sizes, settings, seed)
    else:
        learner = FloatValueLearner(workload.sizes, settings, seed)
    return lambda: learner.step(transitions)


def numpy_inference(workload: Workload, seed: int = 0) -> Callable[[np.ndarray], np.ndarray]:
    """What an actor does before each step: outputs (1, n) of its network for a state (1, …)."""
    if workload.image:
        network = ConvNetwork(workload, np.random.default_rng(seed))
        return lambda state: network.forward(state)[1]
    made = FloatNetwork(workload.actor_sizes or workload.sizes)
    made.initialise(np.random.default_rng(seed))
    return made.output


class ConvNetwork:
    """Convolutions with ReLU and a FloatNetwork behind them; all weights are views of `theta`.

    kernels[l] (inputs * k * k, outputs), inputs in the order channel, row, column.
    """

    def __init__(self, workload: Workload, rng: np.random.Generator, dtype: type = np.float32) -> None:
        self._convs, self._shapes = workload.convs, workload.conv_shapes()
        self.dense = FloatNetwork(workload.sizes, dtype)
        inputs = [channels for channels, _, _ in self._shapes]
        self._conv_sizes = sizes = [(i * c.kernel**2, c.channels) for i, c in zip(inputs, self._convs, strict=False)]
        count = sum((i + 1) * j for i, j in sizes)
        self.theta = np.zeros(count + self.dense.theta.size, dtype)
        self.kernels, self.biases = self.split(self.theta)
        for kernel, (inputs, outputs) in zip(self.kernels, sizes, strict=True):
            kernel[:] = rng.standard_normal((inputs, outputs)) * (2 / inputs) ** 0.5
        self.dense.initialise(rng)
        self.theta[count:] = self.dense.theta
        self.dense.theta = self.theta[count:]
        self.dense.weights, self.dense.biases = self.dense.split(self.dense.theta)

    def split(self, flat: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Views of the convolutions' part of a flat vector: kernels, and biases."""
        kernels, biases, at = [], [], 0
        for inputs, outputs in self._conv_sizes:
            kernels.append(flat[at : at + inputs * outputs].reshape(inputs, outputs))
            biases.append(flat[at + inputs * outputs : at + (inputs + 1) * outputs])
            at += (inputs + 1) * outputs
        return kernels, biases

    def forward(self, states: np.ndarray) -> tuple[tuple[list[np.ndarray], ...], np.ndarray]:
        """For states (B, C, H, W): (inputs and columns of the convolutions, dense vectors), and outputs (B, n)."""
        x, inputs, columns = np.moveaxis(states, 1, -1), [], []
        for conv, kernel, bias in zip(self._convs, self.kernels, self.biases, strict=True):
            inputs.append(x)
            columns.append(_columns(x, conv))
            height, width = ((n - conv.kernel) // conv.stride + 1 for n in x.shape[1:3])
            x = np.maximum(columns[-1] @ kernel + bias, 0).reshape(len(x), height, width, conv.channels)
        vectors = self.dense.forward(x.reshape(len(x), -1))
        return (inputs, columns, vectors), vectors[-1]

    def backward(self, kept: tuple[list[np.ndarray], ...], delta: np.ndarray, out: np.ndarray) -> None:
        """The gradient into the flat vector `out`; delta (B, n): of the loss by the outputs."""
        inputs, columns, vectors = kept
        kernels, biases = self.split(out)
        x = self.dense.backward(vectors, delta, out[-self.dense.theta.size :], to_input=True)
        x = x * (vectors[0] > 0)
        for n in range(len(self._convs) - 1, -1, -1):
            conv = self._convs[n]
            x = x.reshape(-1, conv.channels)
            np.matmul(columns[n].T, x, out=kernels[n])
            x.sum(0, out=biases[n])
            if n:
                x = _uncolumns(x @ self.kernels[n].T, conv, inputs[n].shape) * (inputs[n] > 0)


def _columns(x: np.ndarray, conv: Conv) -> np.ndarray:
    """im2col: x (B, H, W, C) to (B * H' * W', C * k * k)."""
    windows = np.lib.stride_tricks.sliding_window_view(x, (conv.kernel, conv.kernel), axis=(1, 2))
    windows = windows[:, :: conv.stride, :: conv.stride]
    return windows.reshape(-1, windows.shape[3] * conv.kernel**2)


def _uncolumns(columns: np.ndarray, conv: Conv, shape: tuple[int, ...]) -> np.ndarray:
    """The sum of all columns' numbers at the place of x that they come from: x's shape (B, H, W, C)."""
    count, height, width, channels = shape
    rows, places = ((n - conv.kernel) // conv.stride + 1 for n in (height, width))
    parts = columns.reshape(count, rows, places, channels, conv.kernel, conv.kernel)
    out = np.zeros(shape, columns.dtype)
    for i in range(conv.kernel):
        for j in range(conv.kernel):
            ends = i + conv.stride * rows, j + conv.stride * places
            out[:, i : ends[0] : conv.stride, j : ends[1] : conv.stride] += parts[..., i, j]
    return out


class ConvDqn:
    """DQN with a ConvNetwork: Huber loss, Adam, target weights averaged."""

    def __init__(self, workload: Workload, settings: FloatSettings, seed: int = 0, dtype: type = np.float32) -> None:
        self.network = ConvNetwork(workload, np.random.default_rng(seed), dtype)
        self.target = ConvNetwork(workload, np.random.default_rng(seed), dtype)
        self.gradient = np.zeros_like(self.network.theta)
        self._settings = settings
        self._optimiser = Optimiser(self.gradient.size, dtype, settings, settings.learning_rate)

    def gradients(self, records: LearnerBatch) -> np.ndarray:
        """Gradient of the batch's mean loss into .gradient; returns |td| (B,)."""
        rows = np.arange(len(records))
        following = self.target.forward(records.next_states)[1].max(1)
        targets = records.rewards + self._settings.gamma * following * ~records.terminated
        kept, values = self.network.forward(records.states)
        td = values[rows, records.actions] - targets
        delta = np.zeros_like(values)
        delta[rows, records.actions] = np.clip(td, -1, 1) * records.weights / len(td)
        self.network.backward(kept, delta, self.gradient)
        return np.abs(td)

    def step(self, records: LearnerBatch) -> np.ndarray:
        """One gradient step; returns |td| (B,), the new priorities."""
        priorities = self.gradients(records)
        self._optimiser.step(self.network.theta, self.gradient)
        self.target.theta += TAU * (self.network.theta - self.target.theta)
        return priorities


# --- PyTorch: imported inside, it need not be there ---


def torch_step(workload: Workload, size: int, device: str, seed: int = 0) -> Callable[[], object]:
    """As numpy_step, on a device of PyTorch ('cpu', 'cuda'); the call ends when the device has done it."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    transitions = batch(workload, size, np.random.default_rng(seed))
    states, rewards, following, weights = (
        torch.as_tensor(x, device=device)
        for x in (transitions.states, transitions.rewards, transitions.next_states, transitions.weights)
    )
    actions, going = (torch.as_tensor(x, device=device) for x in (transitions.actions, ~transitions.terminated))

    def network(sizes: tuple[int, ...], *last: nn.Module) -> nn.Sequential:
        layers: list[nn.Module] = []
        if workload.image:
            for (channels, _, _), c in zip(workload.conv_shapes(), workload.convs, strict=False):
                layers += [nn.Conv2d(channels, c.channels, c.kernel, c.stride), nn.ReLU()]
            layers.append(nn.Flatten())
        return nn.Sequential(*layers, *learner_peers.torch_layers(sizes), *last).to(device)

    makes = [lambda: network(workload.sizes)]
    if workload.actor_sizes:
        makes.append(lambda: network(workload.actor_sizes, nn.Tanh()))
    networks, targets = [m() for m in makes], [m() for m in makes]
    optimisers = [torch.optim.Adam(n.parameters(), RATE) for n in networks]

    def values(value: nn.Module, x, action):
        return value(torch.cat([x, action], 1))[:, 0]

    def losses():
        with torch.no_grad():
            if workload.actor_sizes:
                ahead = values(targets[0], following, targets[1](following))
            else:
                ahead = targets[0](following).max(1).values
            wanted = rewards + GAMMA * ahead * going
        if not workload.actor_sizes:
            td = networks[0](states)[torch.arange(size, device=device), actions] - wanted
            return td, None
        return values(networks[0], states, actions) - wanted, -values(networks[0], states, networks[1](states)).mean()

    def step():
        td, actor = losses()
        loss = (weights * nn.functional.huber_loss(td, torch.zeros_like(td), reduction="none")).mean()
        for n, value in zip(networks, (loss, actor), strict=False):
            for p, g in zip(n.parameters(), torch.autograd.grad(value, list(n.parameters())), strict=True):
                p.grad = g
        for optimiser in optimisers:
            optimiser.step()
        with torch.no_grad():
            for n, t in zip(networks, targets, strict=True):
                torch._foreach_lerp_(list(t.parameters()), list(n.parameters()), TAU)
        priorities = td.detach().abs()
        if device != "cpu":
            torch.cuda.synchronize()
        return priorities

    return step


class TorchTree(ArrayTree):
    """A priority tree on a device of PyTorch. Indices are int64 and priorities and draws float64 tensors there."""

    def __init__(self, leaves: int, device: str) -> None:
        import torch

        super().__init__(leaves, lambda shape: torch.zeros(shape, dtype=torch.float64, device=device))
        self._device = device

    def sample(self, u):
        import torch

        return super().sample(u, torch.arange(len(u), device=self._device))
