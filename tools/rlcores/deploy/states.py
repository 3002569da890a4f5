"""Files of torch.save(): a state_dict of a sequential MLP, an agent of CleanRL's shape, or a whole nn.Sequential."""

from pathlib import Path
from typing import Any

import numpy as np

from rlcores.deploy.arrays import array
from rlcores.deploy.network import Head, Layer, LayerNorm, Policy, squashed, straight
from rlcores.deploy.pickled import Call
from rlcores.deploy.sb3 import CLASSES
from rlcores.deploy.sequential import chain, linear, numbers
from rlcores.deploy.tensors import TensorFile
from rlcores.errors import UserError


def load(file: Path, activation: str | None = None, output: str | None = None, head: str | None = None) -> Policy:
    """The policy of a file that torch.save() wrote.

    activation: of the hidden layers; a state_dict does not say it. CleanRL's names imply theirs. output: of the last
    layer, `identity` if None. head: `argmax` or `continuous`, where the names do not say. Raises UserError in one
    sentence if the file cannot be imported.
    """
    tensors = TensorFile(file, f"'{file.name}'")
    if isinstance(tensors.root, Call) and tensors.root.name.startswith("torch.nn.modules."):
        return _headed(_modules(tensors, tensors.root), head, "PyTorch, nn.Module")
    # CleanRL saves its off-policy agents as a tuple, the actor first.
    parts = tensors.root if isinstance(tensors.root, tuple | list) else [tensors.root]
    sets = [named for part in parts if (named := tensors.tensors(part))]
    if not sets:
        sets = [named for part in _inner(parts) if (named := tensors.tensors(part))]
    if not sets:
        raise UserError(f"'{file.name}' holds no state_dict and no nn.Sequential")
    for named in sets:
        if (policy := _cleanrl(named)) is not None:
            return policy
    named = sets[0]
    prefixes = sorted({name.rsplit(".", 2)[0] + "." if name.count(".") > 1 else "" for name in named})
    chains = [prefix for prefix in prefixes if numbers(named, prefix)]
    if len(chains) != 1:
        inside = ", ".join(sorted(named)[:4])
        raise UserError(
            f"'{file.name}' holds {len(chains) or 'no'} sequences of layers, and one is imported (tensors: {inside}, …)"
        )
    if activation is None:
        raise UserError("a state_dict does not say its activation; give one, such as --activation tanh")
    layers = chain(named, chains[0], activation)
    last = layers[-1]
    layers[-1] = Layer(last.weights, last.bias, output or "identity")
    return _headed(layers, head, "PyTorch, state_dict")


def _inner(parts: list | tuple) -> list:
    """Dicts inside of dicts, as checkpoints have: {"model_state_dict": …}."""
    return [value for part in parts if isinstance(part, dict) for value in part.values()]


def _headed(layers: list[Layer], head: str | None, source: str) -> Policy:
    if head is None:
        raise UserError("the file does not say what its outputs are; give --head argmax or --head continuous")
    return Policy(tuple(layers), Head("argmax") if head == "argmax" else straight(layers[-1].bias.size), source=source)


def _cleanrl(named: dict[str, np.ndarray]) -> Policy | None:
    """Agents by the names that CleanRL's scripts give: PPO, DQN, DDPG, TD3, SAC."""
    source = "CleanRL"
    if numbers(named, "actor_mean."):
        layers = chain(named, "actor_mean.", "tanh")
        layers[-1] = Layer(layers[-1].weights, layers[-1].bias)
        return Policy(tuple(layers), straight(layers[-1].bias.size), source=f"{source}, continuous PPO")
    if numbers(named, "actor.") and numbers(named, "critic."):
        layers = chain(named, "actor.", "tanh")
        layers[-1] = Layer(layers[-1].weights, layers[-1].bias)
        return Policy(tuple(layers), Head("argmax"), source=f"{source}, PPO")
    if {"fc1.weight", "fc2.weight", "action_scale", "action_bias"} <= set(named):
        last = "fc_mean" if "fc_mean.weight" in named else "fc_mu"
        layers = [linear(named, "fc1", "relu"), linear(named, "fc2", "relu"), linear(named, last, "tanh")]
        scale, bias = named["action_scale"].ravel(), named["action_bias"].ravel()
        if scale.shape != bias.shape or scale.size != layers[-1].bias.size:
            raise UserError("action_scale and action_bias do not fit the network's outputs")
        name = "SAC" if last == "fc_mean" else "TD3 or DDPG"
        return Policy(tuple(layers), squashed(bias - scale, bias + scale), source=f"{source}, {name}")
    if numbers(named, "network."):
        if "atoms" in named:
            raise UserError("the network has atoms (C51), whose expectation over a softmax is not imported")
        layers = chain(named, "network.", "relu")
        layers[-1] = Layer(layers[-1].weights, layers[-1].bias)
        return Policy(tuple(layers), Head("argmax"), source=f"{source}, DQN")
    return None


def _children(module: Call) -> dict[str, Any]:
    state = module.state if isinstance(module.state, dict) else {}
    modules = state.get("_modules")
    return modules if isinstance(modules, dict) else modules.pairs if isinstance(modules, Call) else {}


def _own(tensors: TensorFile, module: Call, name: str) -> np.ndarray | None:
    parameters = module.state.get("_parameters")
    pairs = parameters if isinstance(parameters, dict) else parameters.pairs if isinstance(parameters, Call) else {}
    node = pairs.get(name)
    return None if node is None else tensors.tensor(node)


def _number(module: Call, name: str) -> float:
    return float(array(module.state.get(name)))


def _modules(tensors: TensorFile, root: Call) -> list[Layer]:
    """Layers of an nn.Sequential that was saved whole, sequences inside of it included."""
    layers: list[Layer] = []
    waiting, activated = [root], True
    while waiting:
        module = waiting.pop()
        name = module.name.rsplit(".", 1)[-1] if isinstance(module, Call) else "unknown"
        if not isinstance(module, Call) or not isinstance(module.state, dict):
            raise UserError("a module inside is damaged")
        if name == "Sequential":
            waiting += reversed(list(_children(module).values()))
            if len(waiting) > 1000:
                raise UserError("the sequence has more than 1000 modules")
        elif name == "Linear":
            weights, bias = _own(tensors, module, "weight"), _own(tensors, module, "bias")
            if weights is None or weights.ndim != 2:
                raise UserError("a linear layer has no weights")
            layers.append(Layer(weights, np.zeros(weights.shape[0]) if bias is None else bias))
            activated = False
        elif name in ("Dropout", "Identity", "Flatten"):
            continue
        elif name == "LayerNorm" and layers and not activated and layers[-1].norm is None:
            below, gain, offset = layers[-1], _own(tensors, module, "weight"), _own(tensors, module, "bias")
            one = np.ones_like(below.bias)
            norm = LayerNorm(
                one if gain is None else gain, 0 * one if offset is None else offset, _number(module, "eps")
            )
            layers[-1] = Layer(below.weights, below.bias, norm=norm)
        elif name in CLASSES and layers and not activated:
            kind, slope = CLASSES[name]
            if name == "LeakyReLU":
                slope = _number(module, "negative_slope")
            elif name == "ELU":
                slope = _number(module, "alpha")
            below = layers[-1]
            layers[-1] = Layer(below.weights, below.bias, kind, slope, below.norm)
            activated = True
        else:
            raise UserError(f"the module {name} is not imported at this place")
    return layers
