"""Archives of Stable-Baselines3 and its contrib package: PPO, A2C, SAC, TD3, DDPG, DQN and QR-DQN with MLP policies.

The archive (`model.save()`) is a zip of JSON (`data`) and PyTorch files. What the deterministic `predict()` computes is
imported: the actor, or the network of values. Nothing in the file is executed.
"""

import base64
import binascii
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.deploy import pickled
from rlcores.deploy.network import Head, Layer, Policy, squashed
from rlcores.deploy.sequential import chain, linear
from rlcores.deploy.spaces import Box, Discrete, space
from rlcores.deploy.tensors import TensorFile, member, opened
from rlcores.errors import UserError

# Classes of torch.nn.modules.activation that the descriptor knows, with the slope that they have by default.
CLASSES = {
    "Identity": ("identity", 1.0),
    "ReLU": ("relu", 1.0),
    "LeakyReLU": ("leaky_relu", 0.01),
    "Tanh": ("tanh", 1.0),
    "Sigmoid": ("sigmoid", 1.0),
    "ELU": ("elu", 1.0),
    "SiLU": ("silu", 1.0),
}


class _Archive:
    def __init__(self, file: Path) -> None:
        self.what = f"'{file.name}'"
        archive = opened(file, self.what)
        names = set(archive.namelist())
        if not {"data", "policy.pth"} <= names:
            raise UserError(f"{self.what} is no archive of Stable-Baselines3: it has no 'data' and 'policy.pth' inside")
        try:
            self.data = json.loads(member(archive, "data", self.what).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise UserError(f"'data' inside {self.what} is no JSON") from error
        if not isinstance(self.data, dict):
            raise UserError(f"'data' inside {self.what} is no JSON object")
        policy = io.BytesIO(member(archive, "policy.pth", self.what))
        self.tensors = TensorFile(policy, f"'policy.pth' inside {self.what}").tensors()

    def space(self, name: str) -> Box | Discrete:
        entry = self.data.get(name)
        text = entry.get(":serialized:") if isinstance(entry, dict) else None
        if not isinstance(text, str):
            raise UserError(f"'data' inside {self.what} has no {name}")
        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise UserError(f"the {name} inside {self.what} is damaged") from error
        return space(pickled.read(data), f"the {name}")

    def policy_setting(self, name: str) -> Any:
        settings = self.data.get("policy_kwargs")
        return settings.get(name) if isinstance(settings, dict) else None

    def activation(self, default: str) -> tuple[str, float]:
        setting = self.policy_setting("activation_fn")
        if setting is None:
            return CLASSES[default]
        match = re.search(r"([\w.]+)'>", str(setting))
        name = match[1].rsplit(".", 1)[-1] if match else str(setting)
        if name not in CLASSES:
            raise UserError(
                f"the policy's activation is {name}, which is not imported; these are: {', '.join(CLASSES)}"
            )
        return CLASSES[name]


def is_archive(file: Path) -> bool:
    """Whether a file is an archive of Stable-Baselines3, by the names inside."""
    try:
        return {"data", "policy.pth"} <= set(opened(file, "it").namelist())
    except UserError:
        return False


def load(file: Path) -> Policy:
    """The policy of an archive that `model.save()` wrote. Raises UserError in one sentence if it cannot be imported."""
    archive = _Archive(file)
    tensors = archive.tensors
    observed = archive.space("observation_space")
    if not isinstance(observed, Box):
        raise UserError("the observation_space is Discrete, which is not imported; Box is")
    action = archive.space("action_space")
    outside = [name for name in tensors if "features_extractor." in name]
    if outside:
        raise UserError(f"the policy has a features extractor of its own ('{outside[0]}'), which is not imported")
    for marks, read in (
        ("actor.latent_pi.", _sac),
        ("actor.mu.", _td3),
        ("quantile_net.", _quantiles),
        ("q_net.", _dqn),
        ("action_net.", _actor_critic),
    ):
        if any(name.startswith(marks) for name in tensors):
            policy = read(archive, action)
            if policy.sizes[0] != observed.low.size:
                raise UserError(
                    f"the observation_space has {observed.low.size} numbers, the network {policy.sizes[0]} inputs"
                )
            return policy
    raise UserError(f"{archive.what} has no policy of PPO, A2C, SAC, TD3, DDPG, DQN or QR-DQN inside")


def _box(action: Box | Discrete, layers: list[Layer]) -> Box:
    if not isinstance(action, Box) or action.low.size != layers[-1].bias.size:
        raise UserError(f"the action_space does not fit the network's {layers[-1].bias.size} outputs")
    if not (np.isfinite(action.low).all() and np.isfinite(action.high).all()):
        raise UserError("the action_space has no finite limits")
    return action


def _discrete(action: Box | Discrete, layers: list[Layer]) -> Head:
    if not isinstance(action, Discrete) or action.n != layers[-1].bias.size:
        raise UserError(f"the action_space does not fit the network's {layers[-1].bias.size} outputs")
    return Head("argmax")


def _actor_critic(archive: _Archive, action: Box | Discrete) -> Policy:
    name, slope = archive.activation("Tanh")
    tensors = archive.tensors
    layers = chain(tensors, "mlp_extractor.shared_net.", name, slope)
    layers += chain(tensors, "mlp_extractor.policy_net.", name, slope)
    layers.append(linear(tensors, "action_net"))
    if isinstance(action, Discrete):
        return Policy(tuple(layers), _discrete(action, layers), source="Stable-Baselines3, actor-critic")
    box = _box(action, layers)
    if archive.policy_setting("squash_output") is True:
        layers[-1] = Layer(layers[-1].weights, layers[-1].bias, "tanh")
        return Policy(tuple(layers), squashed(box.low, box.high), source="Stable-Baselines3, actor-critic")
    count = box.low.size
    head = Head("continuous", np.ones(count), np.zeros(count), box.low, box.high)
    return Policy(tuple(layers), head, source="Stable-Baselines3, actor-critic")


def _squashed(layers: list[Layer], action: Box | Discrete, source: str) -> Policy:
    box = _box(action, layers)
    return Policy(tuple(layers), squashed(box.low, box.high), source=source)


def _sac(archive: _Archive, action: Box | Discrete) -> Policy:
    name, slope = archive.activation("ReLU")
    layers = chain(archive.tensors, "actor.latent_pi.", name, slope)
    if "actor.mu.weight" not in archive.tensors and "actor.mu.0.weight" in archive.tensors:
        # With state-dependent exploration, a limit of the mean stands between the last layer and tanh.
        raise UserError("the policy limits its mean before tanh (Hardtanh, from use_sde), which is not imported")
    return _squashed([*layers, linear(archive.tensors, "actor.mu", "tanh")], action, "Stable-Baselines3, SAC")


def _sequence(archive: _Archive, prefix: str, last: str) -> list[Layer]:
    name, slope = archive.activation("ReLU")
    layers = chain(archive.tensors, prefix, name, slope)
    if not layers:
        raise UserError(f"the tensors '{prefix}0.weight' and those after it are missing")
    layers[-1] = Layer(layers[-1].weights, layers[-1].bias, last)
    return layers


def _td3(archive: _Archive, action: Box | Discrete) -> Policy:
    return _squashed(_sequence(archive, "actor.mu.", "tanh"), action, "Stable-Baselines3, TD3 or DDPG")


def _dqn(archive: _Archive, action: Box | Discrete) -> Policy:
    layers = _sequence(archive, "q_net.q_net.", "identity")
    return Policy(tuple(layers), _discrete(action, layers), source="Stable-Baselines3, DQN")


def _quantiles(archive: _Archive, action: Box | Discrete) -> Policy:
    """The mean of the quantiles is linear in the last layer's outputs, so it becomes part of that layer."""
    layers = _sequence(archive, "quantile_net.quantile_net.", "identity")
    if not isinstance(action, Discrete) or layers[-1].bias.size % action.n:
        raise UserError(f"the action_space does not fit the network's {layers[-1].bias.size} outputs")
    last = layers[-1]
    weights = last.weights.reshape(-1, action.n, last.weights.shape[1]).mean(axis=0)
    layers[-1] = Layer(weights, last.bias.reshape(-1, action.n).mean(axis=0))
    return Policy(tuple(layers), _discrete(action, layers), source="sb3-contrib, QR-DQN")
