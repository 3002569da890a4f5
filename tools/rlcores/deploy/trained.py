"""best.npz of `rlcores train`: layers under PyTorch's names, and in `about` what acting with them needs besides."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import files, limits
from rlcores.deploy.network import Head, Layer, LayerNorm, Normaliser, Policy, squashed
from rlcores.errors import UserError

_KEYS = {"algo": str, "action": str, "activation": str, "normalisation": str, "state_scale": list}
_LARGEST = 1e300
_SLOPES = {"leaky_relu": 0.01}
_ACTIONS = ("argmax", "tanh", "clip", "tanh_of_half")


def load(file: Path) -> Policy:
    """The policy of a run, in float64. Raises UserError: the file is another one, or damaged.

    Its inputs are the environment's observations, and its actions those that the environment takes.
    """
    what = "a best.npz of rlcores train"
    arrays = files.read_arrays(file, what)
    wrong = f"'{file.name}' is not {what}"
    if "run" in arrays:
        raise UserError(f"'{file.name}' is a checkpoint; the policy of a run is in best.npz, beside it")
    if "about" not in arrays:
        raise UserError(f"{wrong}: it has no text 'about'")
    about = files.parse_json(str(arrays.pop("about")), wrong)
    if "action" not in about:
        raise UserError(f"'{file.name}' does not say how its policy acts; train it again with this rlcores")
    files.checked(about, _KEYS, wrong)
    if about["action"] not in _ACTIONS or about["activation"] not in limits.ACTIVATIONS:
        raise UserError(f"{wrong}: its action or activation has an unknown name")
    layers = _layers(arrays, about, wrong)
    if about["action"] == "argmax":
        if about.get("first_action", 0):
            raise UserError(f"the actions of '{file.name}' begin at {about['first_action']}; they must begin at 0")
        head = Head("argmax")
    else:
        low, high = (_vector(about.get(name), wrong) for name in ("low", "high"))
        last = layers[-1]
        if about["action"] == "tanh_of_half":  # the other half are log-deviations
            last = Layer(last.weights[: low.size], last.bias[: low.size])
        if about["action"] != "clip":
            last = replace(last, activation="tanh")
        layers[-1], head = last, squashed(low, high)
    scale = _vector(about["state_scale"], wrong)
    endless = np.full(scale.size, np.inf)
    normaliser = Normaliser(np.zeros(scale.size), scale, -endless, endless)
    return Policy(tuple(layers), head, normaliser, source=f"rlcores train, {about['algo']}")


def _layers(arrays: dict[str, np.ndarray], about: dict[str, Any], wrong: str) -> list[Layer]:
    """Layers 0, 2, 4, … of the file; the hidden ones are normalised and activated as it says."""
    count = len(arrays) // 2
    names = {f"{2 * n}.{part}" for n in range(count) for part in ("weight", "bias")}
    if not count or set(arrays) != names or any(x.dtype.kind != "f" for x in arrays.values()):
        raise UserError(f"{wrong}: its arrays are not the weights and biases of layers")
    layers = [Layer(*(arrays[f"{2 * n}.{part}"].astype(np.float64) for part in ("weight", "bias")))
              for n in range(count)]  # fmt: skip
    kind = about["activation"]
    for n, layer in enumerate(layers[:-1]):
        one = np.ones_like(layer.bias)
        norm = LayerNorm(one, 0 * one, epsilon=1e-12) if about["normalisation"] == "layer" else None
        layers[n] = Layer(layer.weights, layer.bias, kind, _SLOPES.get(kind, 1.0), norm)
    return layers


def _vector(values: Any, wrong: str) -> np.ndarray:
    """A list of numbers, float64."""
    if not isinstance(values, list) or not all(type(x) in (int, float) and abs(x) < _LARGEST for x in values):
        raise UserError(f"{wrong}: its limits or scales are no lists of finite numbers")
    return np.array(values, np.float64)
