"""The float64 twins of TD3 and SAC against PyTorch's autograd, the losses in PyTorch's own words."""

import continuous as problems
import numpy as np
import pytest

from rlcores.base import limits

torch = pytest.importorskip("torch", reason="PyTorch is not installed: `uv sync --extra torch`")


MODULES = {"relu": "ReLU", "leaky_relu": "LeakyReLU", "tanh": "Tanh", "elu": "ELU", "silu": "SiLU"}


class Normalised(torch.nn.Module):
    """torch.nn.LayerNorm without gain, offset and epsilon."""

    def forward(self, x):
        return torch.nn.functional.layer_norm(x, x.shape[1:], eps=0.0)


def sequential(network):
    layers = []
    for w, b in zip(network.weights, network.biases, strict=True):
        linear = torch.nn.Linear(w.shape[1], w.shape[0], dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(w))
            linear.bias.copy_(torch.tensor(b))
        norms = [Normalised()] if network.normalised else []
        layers += [linear, *norms, getattr(torch.nn, MODULES[network.activation])()]
    return torch.nn.Sequential(*layers[: -1 - network.normalised])


def flat(net) -> np.ndarray:
    return torch.cat([p.grad.reshape(-1) for p in net.parameters()]).numpy()


@pytest.mark.parametrize("normalisation", limits.NORMALISATIONS)
@pytest.mark.parametrize("activation", MODULES)
@pytest.mark.parametrize("algo", ["td3", "sac"])
def test_gradients_are_autograds(algo: str, activation: str, normalisation: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = problems.learner(algo, 4, 2, (16, 16), activation=activation, normalisation=normalisation)
    for _ in range(30):
        own.step(problems.batch(rng, 32, 4, 2))
    transitions, twin = problems.batch(rng, 32, 4, 2), problems.twin(algo, own)
    state = twin.generator.state
    noise = [torch.tensor(twin.normals(32)) for _ in range(2)]
    twin.generator.state = state
    s, a, r, s2, g, w = (torch.tensor(x) for x in vars(transitions).values())
    actor, *critics = (sequential(n.net) for n in twin.networks)
    target_actor, *targets = (sequential(n.target) for n in twin.networks)
    alpha = torch.tensor(np.exp(float(twin.log_alpha[0]))) if algo == "sac" else None

    def draw(states, eps):
        out = actor(states)
        normal = torch.distributions.Normal(out[:, :2], out[:, 2:].clamp(-5, 2).exp())
        u = normal.mean + normal.stddev * eps
        return torch.tanh(u), (normal.log_prob(u) - torch.log(1 - torch.tanh(u) ** 2)).sum(1)

    with torch.no_grad():
        if algo == "td3":
            smooth = (noise[0] * 0.2).clamp(-0.5, 0.5)
            a2, bonus = (torch.tanh(target_actor(s2)) + smooth).clamp(-1, 1), 0.0
        else:
            a2, logs = draw(s2, noise[1])
            bonus = alpha * logs
        x2 = torch.cat([s2, a2], 1)
        goal = r + g * (torch.min(*(t(x2)[:, 0] for t in targets)) - bonus)
    for critic in critics:
        (w * (critic(torch.cat([s, a], 1))[:, 0] - goal) ** 2 / 2).mean().backward()
    wanted = [flat(critic) for critic in critics]
    if algo == "td3":
        loss = -critics[0](torch.cat([s, torch.tanh(actor(s))], 1)).mean()
    else:
        b, logs = draw(s, noise[0])
        q = torch.min(*(c(torch.cat([s, b], 1))[:, 0] for c in critics))
        loss = (alpha * logs - q).mean()
    actor.zero_grad()
    loss.backward()
    if algo == "td3":
        twin.critic_gradients(transitions, twin.next_input(transitions))
        twin.actor_gradient(transitions)
    else:
        drawn = twin.drawn(transitions.states)
        twin.critic_gradients(transitions, *twin.following(transitions, float(alpha)))
        twin.actor_gradient(transitions, drawn, float(alpha))
    for critic, exact in zip(twin.critics, wanted, strict=True):
        np.testing.assert_allclose(critic.gradient, exact, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(twin.actor.gradient, flat(actor), rtol=1e-8, atol=1e-12)
