"""Layers from the names of a state_dict, as nn.Sequential and Stable-Baselines3 number them."""

import re

import numpy as np

from rlcores.deploy.network import Layer
from rlcores.errors import UserError


def linear(tensors: dict[str, np.ndarray], name: str, activation: str = "identity", slope: float = 1.0) -> Layer:
    """The layer `name.weight`, `name.bias`; a missing bias counts as 0. Raises UserError if it is no matrix."""
    weights = tensors.get(f"{name}.weight")
    if weights is None:
        raise UserError(f"the tensor '{name}.weight' is missing")
    if weights.ndim != 2:
        kind = {1: "a normalisation", 3: "a 1-D convolution", 4: "a convolution"}.get(weights.ndim, "no linear layer")
        raise UserError(f"'{name}.weight' has the shape {list(weights.shape)}: it is {kind}, which is not imported")
    return Layer(weights, tensors.get(f"{name}.bias", np.zeros(weights.shape[0])), activation, slope)


def numbers(tensors: dict[str, np.ndarray], prefix: str) -> list[int]:
    """The numbers n of `prefix` n `.weight`, in order."""
    pattern = re.compile(re.escape(prefix) + r"(\d+)\.weight")
    return sorted(int(match[1]) for name in tensors if (match := pattern.fullmatch(name)))


def chain(tensors: dict[str, np.ndarray], prefix: str, activation: str, slope: float = 1.0) -> list[Layer]:
    """All linear layers `prefix` n, each with this activation."""
    return [linear(tensors, f"{prefix}{n}", activation, slope) for n in numbers(tensors, prefix)]
