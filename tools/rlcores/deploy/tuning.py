"""Quantisation-aware fine-tuning: weights that give the policy's own outputs again, with the formats in the loop.

The policy in float64 is the teacher, on the observations that the formats were chosen by, and on those that the
integers meet when they act (Ross, Gordon and Bagnell, 2011). Nearer actions are no promise of the return, so where the
task is there, the return selects the integers. The forward pass rounds and limits as the core does, the gradient passes
as if it did not (Bengio, Léonard and Courville, 2013). Needs torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rlcores.cores.mlp.norm import Norm
from rlcores.cores.mlp.shape import BIAS_BITS
from rlcores.deploy import formats
from rlcores.deploy.formats import Quantised
from rlcores.deploy.network import Layer
from rlcores.errors import UserError, warn

if TYPE_CHECKING:
    import torch

_LOOKS = 20  # times that the integers are judged on the way
_KEPT_OUT = 5  # every fifth observation judges, and is not trained on
_ROUNDS = 8  # times that the integers act


def fine_tune(
    quantised: Quantised,
    observations: np.ndarray,
    steps: int = 1000,
    *,
    meets: Callable[[Quantised], np.ndarray] | None = None,
    earns: Callable[[Quantised], float] | None = None,
    batch_size: int = 256,
    learning_rate: float = 0.05,
    seed: int = 0,
) -> Quantised:
    """The same formats with other weights and biases, whose actions are nearer to the policy's in float64.

    observations: float64 [batch, inputs]; a fifth of them judges the integers, and the best of the way are kept, those
    of the start included. steps: of Adam. meets: observations [batch, inputs] that integers meet when they act; it is
    asked for those of the best ones several times on the way. earns: the return of integers, always of the same
    episodes; it judges them instead, so the integers that come out earn no less than those of the start.
    learning_rate: how far a weight moves per step at first, in units of its last bit. Warns when nothing better was
    found. Raises UserError without torch, or for fewer than 10 observations.
    """
    try:
        import torch
    except ImportError as error:
        raise UserError("fine-tuning needs torch: pip install 'rlcores[torch]'") from error
    x = np.atleast_2d(np.asarray(observations, dtype=np.float64))
    if len(x) < 2 * _KEPT_OUT:
        raise UserError(f"fine-tuning needs at least {2 * _KEPT_OUT} observations, and there are {len(x)}")
    network = _Network(quantised)
    optimiser = torch.optim.Adam(network.parameters, lr=learning_rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    generator = torch.Generator().manual_seed(seed)
    best, worth = quantised, (0.0, 0.0)
    for step in range(steps):
        if step == 0 or (meets is not None and step % max(1, steps // _ROUNDS) == 0):
            if meets is not None:
                x = np.concatenate([x, meets(best)])
            judged = np.arange(len(x)) % _KEPT_OUT == 0
            if step == 0 or earns is None:
                worth = _worth(best, x[judged], earns)
            targets = torch.from_numpy(quantised.policy.outputs(x[~judged]))
            taken = np.ldexp(quantised.observations.integers(x[~judged]).astype(np.float64), -quantised.shape.in_frac)
            taken = torch.from_numpy(taken)
            loss = _indices(targets) if quantised.shape.argmax else _actions(quantised)
        chosen = torch.randint(len(taken), (min(batch_size, len(taken)),), generator=generator)
        optimiser.zero_grad()
        loss(network.outputs(taken[chosen]), targets[chosen]).backward()
        optimiser.step()
        schedule.step()
        if (step + 1) % max(1, steps // _LOOKS) == 0 or step + 1 == steps:
            tried = network.integers()
            if (now := _worth(tried, x[judged], earns)) > worth:
                best, worth = tried, now
    if best is quantised:
        better = "are nearer to the policy" if earns is None else "earn more"
        warn(f"fine-tuning found no integers that {better}: the weights stay as they were")
    return best


def _worth(quantised: Quantised, x: np.ndarray, earns: Callable[[Quantised], float] | None) -> tuple[float, float]:
    """What integers are judged by, more is better: their return, or how near they are."""
    if earns is not None:
        return earns(quantised), 0.0
    far, further = _far(quantised, x)
    return -far, -further


def _far(quantised: Quantised, x: np.ndarray) -> tuple[float, float]:
    """How far actions are from float64: the share of indices that differ, and the root mean square over outputs or
    actions."""
    exact = quantised.policy.outputs(x)
    outputs = np.ldexp(quantised.outputs(x).astype(np.float64), -quantised.shape.act_fracs[-1])
    if quantised.shape.argmax:
        differ = (exact.argmax(axis=1) != outputs.argmax(axis=1)).mean()
        return float(differ), float(np.sqrt(((exact - outputs) ** 2).mean()))
    head = quantised.policy.head
    return float(np.sqrt(((head.act(exact) - head.act(outputs)) ** 2).mean())), 0.0


def _indices(targets: torch.Tensor):
    """The loss of an index: cross entropy of softmax, as sharp as the usual lead of the greatest output."""
    import torch

    if targets.shape[1] < 2:
        return lambda outputs, known: ((outputs - known) ** 2).mean()
    first, second = targets.topk(2, dim=1).values.T
    sharp = 1 / float((first - second).median().clamp(min=1e-6))

    def loss(outputs: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.cross_entropy(outputs * sharp, torch.softmax(known * sharp, dim=1))

    return loss


def _actions(quantised: Quantised):
    """The loss of continuous actions: squares, but none where both are beyond the same limit."""
    import torch

    head = quantised.policy.head
    gain, offset, low, high = (torch.from_numpy(np.asarray(n)) for n in (head.gain, head.offset, head.low, head.high))

    def loss(outputs: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        ours, theirs = outputs * gain + offset, known * gain + offset
        same = ((ours < low) & (theirs < low)) | ((ours > high) & (theirs > high))
        clipped = torch.minimum(torch.maximum(theirs, low), high)
        return (torch.where(same, 0.0, ours - clipped) ** 2).mean()

    return loss


def _rounded(x: torch.Tensor, frac: int, width: int) -> torch.Tensor:
    """Rounded half up to a format and clipped by it; the gradient of what is inside passes."""
    top = 2.0 ** (width - 1)
    y = (x * 2.0**frac).clamp(-top, top - 1)
    return (y + (y.add(0.5).floor() - y).detach()) * 2.0**-frac


class _Network:
    """The layers of an integer policy in torch. Weights and biases are in units of a weight's last bit."""

    def __init__(self, quantised: Quantised) -> None:
        import torch

        self._quantised, shape = quantised, quantised.shape
        self._layers = formats.folded(quantised.policy, quantised.observations, shape.in_frac)
        self._weights, self._biases = (
            [
                torch.from_numpy(np.ldexp(value, frac).copy()).requires_grad_()
                for value, frac in zip(values, shape.weight_fracs, strict=True)
            ]
            for values in ([layer.weights for layer in self._layers], [layer.bias for layer in self._layers])
        )
        self.parameters = [*self._weights, *self._biases]

    def outputs(self, x: torch.Tensor) -> torch.Tensor:
        """Outputs of the last layer of what the core takes, float64 [batch, outputs]."""
        shape = self._quantised.shape
        for n, layer in enumerate(self._layers):
            w, b = self._weights[n], self._biases[n]
            if layer.norm is not None:  # as formats.centred: the core takes no mean
                w, b = w - w.mean(dim=0), b - b.mean()
            unit = 2.0 ** -shape.weight_fracs[n]
            z = x @ _rounded(w, 0, shape.weight_widths[n]).T * unit + _rounded(b * unit, shape.bias_fracs[n], BIAS_BITS)
            norm = shape.norms[n]
            if norm is not None:
                z = _normalised(_rounded(z, norm.frac, 18), layer, norm)
            z = _rounded(z, shape.drained_frac(n), 18)
            x = _rounded(_activated(layer, z), shape.act_fracs[n], shape.result_widths[n])
        return x

    def integers(self) -> Quantised:
        """What the weights are in the formats."""
        units = [2.0**-frac for frac in self._quantised.shape.weight_fracs]
        layers = [
            replace(layer, weights=w.detach().numpy() * unit, bias=b.detach().numpy() * unit)
            for layer, w, b, unit in zip(self._layers, self._weights, self._biases, units, strict=True)
        ]
        return formats.rounded(self._quantised, layers)


def _normalised(z: torch.Tensor, layer: Layer, norm: Norm) -> torch.Tensor:
    import torch

    epsilon = norm.epsilon / z.shape[1] / 4.0**norm.frac
    gain, offset = torch.from_numpy(layer.norm.gain), torch.from_numpy(layer.norm.offset)
    return z * torch.rsqrt((z**2).mean(dim=1, keepdim=True) + epsilon) * gain + offset


def _activated(layer: Layer, z: torch.Tensor) -> torch.Tensor:
    import torch

    match layer.activation:
        case "relu":
            return torch.relu(z)
        case "leaky_relu":
            return torch.where(z >= 0, z, z * layer.slope)
        case "tanh":
            return torch.tanh(z)
        case "sigmoid":
            return torch.sigmoid(z)
        case "elu":
            return torch.where(z >= 0, z, layer.slope * torch.expm1(z.clamp(max=0)))
        case "silu":
            return z * torch.sigmoid(z)
    return z
