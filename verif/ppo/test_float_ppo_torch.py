"""The float64 reference of PPO's loss against PyTorch's autograd, the loss written as in CleanRL."""

import numpy as np
import pytest

from rlcores.cores.ppo.float64 import FloatPpo, FloatPpoSettings, Minibatch

torch = pytest.importorskip("torch")


def loss_of(own: FloatPpo, parameters: list, b: Minibatch) -> "torch.Tensor":
    """PPO's loss of a minibatch; parameters: (W, b) of the actor, the log-deviations, (W, b) of the critic."""
    s = own.settings

    def through(layers: list) -> "torch.Tensor":
        x = torch.tensor(b.observations)
        for i, (w, bias) in enumerate(layers):
            x = x @ w.T + bias
            x = torch.relu(x) if i < len(layers) - 1 else x
        return x

    actor, logs, critic = parameters
    out = through(actor)
    out, value = (out[:, :-1], out[:, -1]) if own.shared else (out, through(critic)[:, 0])
    actions = torch.tensor(b.actions)
    if own.gaussian:
        law = torch.distributions.Normal(out, logs.exp())
        log, entropy = law.log_prob(actions).sum(1), law.entropy().expand(out.shape).sum(1)
    else:
        law = torch.distributions.Categorical(logits=out)
        log, entropy = law.log_prob(actions), law.entropy()
    a, returns, before, old = (torch.tensor(x) for x in (b.advantages, b.returns, b.before, b.values))
    a = (a - a.mean()) / (a.std() + 1e-8)
    ratio = (log - before).exp()
    policy = torch.max(-a * ratio, -a * torch.clamp(ratio, 1 - s.clip, 1 + s.clip)).mean()
    squared = (value - returns) ** 2
    if s.value_clip is not None:
        held = old + torch.clamp(value - old, -s.value_clip, s.value_clip)
        squared = torch.max(squared, (held - returns) ** 2)
    return policy - s.entropy * entropy.mean() + s.value * 0.5 * squared.mean()


@pytest.mark.parametrize("gaussian", [False, True], ids=["categorical", "gaussian"])
@pytest.mark.parametrize("shared", [False, True], ids=["separate", "shared"])
@pytest.mark.parametrize("value_clip", [None, 0.2])
def test_gradients_are_those_of_autograd(seed, gaussian, shared, value_clip):
    rng = np.random.default_rng(seed)
    settings = FloatPpoSettings(value_clip=value_clip)
    own = FloatPpo((3, 16, 2 + shared), None if shared else (3, 16, 1), gaussian, settings)
    own.theta[:] = rng.normal(0, 0.7, own.theta.size)
    observations = rng.normal(0, 1, (64, 3))
    out, value = own.look(observations)
    actions = out + rng.normal(0, 1, out.shape) * np.exp(own.logs) if gaussian else rng.integers(0, 2, 64)
    before = own.log_probability(out, actions) + rng.normal(0, 0.3, 64)
    old, returns = value + rng.normal(0, 0.3, 64), value + rng.normal(0, 1, 64)
    batch = Minibatch(observations, actions, before, old, rng.normal(2, 3, 64), returns)
    gradients = own.gradients(batch).copy()

    def leaves(layers: list) -> list:
        return [tuple(torch.tensor(x.copy(), requires_grad=True) for x in pair) for pair in layers]

    actor, critic = leaves(own.actor.matrices()), [] if shared else leaves(own.critic.matrices())
    logs = torch.tensor(own.logs.copy(), requires_grad=True)
    loss_of(own, [actor, logs, critic], batch).backward()
    every = [*(x for pair in actor for x in pair), *([logs] if gaussian else []), *(x for pair in critic for x in pair)]
    exact = np.concatenate([x.grad.numpy().reshape(-1) for x in every])
    assert np.abs(gradients - exact).max() < 1e-12 * max(1.0, np.abs(exact).max())
