"""PyTorch's side of backend 'torch': DQN and DDPG steps, and PPO's networks. PyTorch is imported here only."""

import io
from collections.abc import Mapping

import numpy as np

from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatValueLearner
from rlcores.errors import UserError
from rlcores.train.actor import Layers
from rlcores.train.settings import Ppo

try:
    import torch
    from torch import nn
except ImportError as error:
    raise UserError("backend 'torch' needs PyTorch, which is not installed: `uv sync --extra torch`") from error


class TorchLearner:
    """The learner of learner_float with autograd and torch.optim.Adam, from its first weights."""

    def __init__(self, start: FloatValueLearner | FloatDdpgLearner) -> None:
        """Raises UserError when the optimiser is not Adam."""
        self._settings = s = start.settings
        if s.optimiser != "adam":
            raise UserError(f"backend 'torch' trains with adam, not with {s.optimiser}")
        self.steps = 0
        self._networks = {"network": _sequential(start.network)}
        self._targets = {"network": _sequential(start.network)}
        rates = {"network": s.learning_rate}
        if isinstance(start, FloatDdpgLearner):
            self._networks["actor"] = _sequential(start.actor, nn.Tanh())
            self._targets["actor"] = _sequential(start.actor, nn.Tanh())
            rates["actor"] = s.actor_learning_rate
        self._optimisers = {
            name: torch.optim.Adam(network.parameters(), rates[name], (s.beta1, s.beta2), s.adam_epsilon)
            for name, network in self._networks.items()
        }

    def step(self, batch) -> np.ndarray:
        """One gradient step; |TD error| (B,)."""
        states, rewards, following, weights = (
            torch.as_tensor(np.asarray(x, np.float32))
            for x in (batch.states, batch.rewards, batch.next_states, batch.weights)
        )
        going = torch.as_tensor(~np.asarray(batch.terminated, bool))
        td, actor = (self._ddpg if "actor" in self._networks else self._dqn)(batch, states, following, rewards, going)
        s = self._settings
        loss = (
            td * td / 2
            if s.huber is None
            else nn.functional.huber_loss(td, torch.zeros_like(td), reduction="none", delta=s.huber)
        )
        losses = {"network": (weights * loss).mean()}
        if actor is not None:
            losses["actor"] = actor
        # Both gradients before either update: the actor's go through the critic of before (the lagged critic).
        gradients = {
            name: torch.autograd.grad(value, list(self._networks[name].parameters())) for name, value in losses.items()
        }
        for name, found in gradients.items():
            for parameter, gradient in zip(self._networks[name].parameters(), found, strict=True):
                parameter.grad = gradient
            self._optimisers[name].step()
        self.steps += 1
        if s.target_update_interval and self.steps % s.target_update_interval == 0:
            for name, target in self._targets.items():
                for to, new in zip(target.parameters(), self._networks[name].parameters(), strict=True):
                    with torch.no_grad():
                        to.lerp_(new, s.tau or 1.0)
        return td.detach().abs().numpy()

    def _goal(self, rewards, following, going):
        s = self._settings
        return rewards * s.reward_scale + s.gamma * torch.where(going, following, 0.0)

    def _dqn(self, batch, states, following, rewards, going):
        rows = torch.arange(len(states))
        with torch.no_grad():
            values = self._targets["network"](following)
            best = (self._networks["network"](following) if self._settings.double else values).argmax(1)
            goal = self._goal(rewards, values[rows, best], going)
        return self._networks["network"](states)[rows, torch.as_tensor(np.asarray(batch.actions))] - goal, None

    def _ddpg(self, batch, states, following, rewards, going):
        actions = torch.as_tensor(np.asarray(batch.actions, np.float32))
        with torch.no_grad():
            next_actions = self._targets["actor"](following)
            values = self._targets["network"](torch.cat([following, next_actions], 1))[:, 0]
            goal = self._goal(rewards, values, going)
        critic = self._networks["network"]
        td = critic(torch.cat([states, actions], 1))[:, 0] - goal
        return td, -critic(torch.cat([states, self._networks["actor"](states)], 1)).mean()

    def set_rate(self, rate: float) -> None:
        """Another learning rate of the value network from now on."""
        self._optimisers["network"].param_groups[0]["lr"] = rate

    def matrices(self, name: str) -> list[tuple[np.ndarray, np.ndarray]]:
        """Weights and biases, layer by layer."""
        return _matrices(self._networks[name])

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights, moments, steps."""
        return {"steps": np.array(self.steps)} | _kept(
            self._networks | {f"{n}.t": t for n, t in self._targets.items()}, self._optimisers
        )

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """The state that arrays() gave."""
        self.steps = int(kept["steps"])
        _load(kept, self._networks | {f"{n}.t": t for n, t in self._targets.items()}, self._optimisers)


class TorchPpo:
    """PPO's policy and value network; the interface of rlcores.train.ppo.NumpyPpo."""

    def __init__(self, policy: FloatNetwork, value: FloatNetwork, deviation: np.ndarray | None, settings: Ppo) -> None:
        """First weights are taken from the two networks; deviation (N_a,) of a Gaussian policy, None: categorical."""
        self._s = settings
        self._policy, self._value = _sequential(policy), _sequential(value)
        self._log = None if deviation is None else nn.Parameter(torch.tensor(np.log(deviation), dtype=torch.float32))
        own = [*self._policy.parameters(), *([] if self._log is None else [self._log])]
        self._optimisers = {
            "policy": torch.optim.Adam(own, settings.learning_rate, eps=1e-5),
            "value": torch.optim.Adam(self._value.parameters(), settings.value_learning_rate, eps=1e-5),
        }

    def layers(self) -> Layers:
        """The policy's weights."""
        return _matrices(self._policy)

    def weights(self) -> list[np.ndarray]:
        """All weights that are trained."""
        found = [x for network in (self._policy, self._value) for layer in _matrices(network) for x in layer]
        return found if self._log is None else [*found, self._log.detach().numpy()]

    @property
    def deviation(self) -> np.ndarray | float:
        """Of a Gaussian policy, (N_a,)."""
        return 0.0 if self._log is None else self._log.detach().exp().numpy()

    def values(self, states: np.ndarray) -> np.ndarray:
        """V of states (B, N_s), (B,)."""
        with torch.no_grad():
            return self._value(torch.as_tensor(states))[:, 0].numpy()

    def log_chances(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """log pi(a | s), (B,)."""
        with torch.no_grad():
            return self._distribution(torch.as_tensor(states))[0](torch.as_tensor(actions)).numpy()

    def _distribution(self, states):
        out = self._policy(states)
        if self._log is None:
            d = torch.distributions.Categorical(logits=out, validate_args=False)
            return d.log_prob, d.entropy
        d = torch.distributions.Normal(out, self._log.exp(), validate_args=False)
        return lambda a: d.log_prob(a).sum(1), lambda: d.entropy().sum(1)

    def step(self, states, actions, before, advantages, returns, share: float) -> None:
        """One gradient step on a minibatch; share: of the first learning rates."""
        s = self._s
        states, actions, before, advantages, returns = (
            torch.as_tensor(x) for x in (states, actions, before, advantages, returns)
        )
        chances, entropy = self._distribution(states)
        ratio = (chances(actions) - before).exp()
        gain = torch.minimum(ratio * advantages, ratio.clamp(1 - s.clip, 1 + s.clip) * advantages)
        loss = {
            "policy": -gain.mean() - s.entropy * entropy().mean(),
            "value": ((self._value(states)[:, 0] - returns) ** 2).mean() / 2,
        }
        self._descend(loss, share)

    def _descend(self, loss, share: float) -> None:
        s = self._s
        for name, optimiser in self._optimisers.items():
            optimiser.zero_grad(set_to_none=True)
            loss[name].backward()
            group = optimiser.param_groups[0]
            nn.utils.clip_grad_norm_(group["params"], s.largest_gradient)
            group["lr"] = (s.learning_rate if name == "policy" else s.value_learning_rate) * share
            optimiser.step()

    def arrays(self) -> dict[str, np.ndarray]:
        """Weights and moments."""
        kept = _kept({"policy": self._policy, "value": self._value}, self._optimisers)
        return kept if self._log is None else kept | {"log": self._log.detach().numpy()}

    def load(self, kept: Mapping[str, np.ndarray]) -> None:
        """The state that arrays() gave."""
        _load(kept, {"policy": self._policy, "value": self._value}, self._optimisers)
        if self._log is not None:
            with torch.no_grad():
                self._log.copy_(torch.as_tensor(kept["log"]))


def _sequential(network: FloatNetwork, *last: nn.Module) -> nn.Sequential:
    modules = []
    for w, b in zip(network.weights, network.biases, strict=True):
        linear = nn.Linear(w.shape[1], w.shape[0])
        with torch.no_grad():
            linear.weight.copy_(torch.as_tensor(w))
            linear.bias.copy_(torch.as_tensor(b))
        modules += [linear, nn.ReLU()]
    return nn.Sequential(*modules[:-1], *last)


def _matrices(network: nn.Sequential) -> list[tuple[np.ndarray, np.ndarray]]:
    linear = [m for m in network if isinstance(m, nn.Linear)]
    return [(m.weight.detach().numpy().copy(), m.bias.detach().numpy().copy()) for m in linear]


def _kept(networks: dict[str, nn.Module], optimisers: dict[str, torch.optim.Optimizer]) -> dict[str, np.ndarray]:
    kept = {f"{n}.{k}": x.numpy().copy() for n, network in networks.items() for k, x in network.state_dict().items()}
    for name, optimiser in optimisers.items():
        stream = io.BytesIO()
        torch.save(optimiser.state_dict(), stream)
        kept[f"{name}.optimiser"] = np.frombuffer(stream.getvalue(), np.uint8)
    return kept


def _load(kept: Mapping[str, np.ndarray], networks: dict[str, nn.Module], optimisers) -> None:
    for name, network in networks.items():
        network.load_state_dict({k: torch.as_tensor(np.array(kept[f"{name}.{k}"])) for k in network.state_dict()})
    for name, optimiser in optimisers.items():
        stream = io.BytesIO(np.asarray(kept[f"{name}.optimiser"]).tobytes())
        optimiser.load_state_dict(torch.load(stream, weights_only=True))
