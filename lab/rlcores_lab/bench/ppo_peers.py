"""PPO on CartPole by other people's software, on one thread: what `rlcores bench ppo` times beside ours.

All have two networks of 4-64-64, 64 environments of 128 steps, 4 epochs of 4 minibatches, float32.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

ENVIRONMENT, HIDDEN = "CartPole-v1", 64
ENVS, STEPS, EPOCHS, MINIBATCHES = 64, 128, 4, 4
RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, NORM, EPSILON = 2.5e-4, 0.99, 0.95, 0.2, 0.01, 0.5, 0.5, 1e-5

Iterate = Callable[[], object]  # an iteration: a rollout, and its training
Sizes = tuple[int, int]  # environments, steps


class Sb3:
    """Stable-Baselines3's PPO over its DummyVecEnv."""

    name, title, module = "sb3", "stable-baselines3, PPO", "stable_baselines3"

    @staticmethod
    def iteration(seed: int, sizes: Sizes) -> Iterate:
        """An iteration, again and again the same learner's."""
        import torch
        from stable_baselines3 import PPO
        from stable_baselines3.common.env_util import make_vec_env

        torch.set_num_threads(1)
        envs, steps = sizes
        nets = {"net_arch": {"pi": [HIDDEN] * 2, "vf": [HIDDEN] * 2}, "activation_fn": torch.nn.ReLU}
        model = PPO(
            "MlpPolicy",
            make_vec_env(ENVIRONMENT, envs, seed=seed),
            n_steps=steps,
            batch_size=envs * steps // MINIBATCHES,
            n_epochs=EPOCHS,
            ent_coef=ENTROPY,
            policy_kwargs=nets,
            device="cpu",
            seed=seed,
        )
        return lambda: model.learn(envs * steps, reset_num_timesteps=False)


class Cleanrl:
    """The loop of CleanRL's ppo.py (Huang et al., JMLR 2022) in our words: Gymnasium's vector, PyTorch."""

    name, title, module = "cleanrl", "CleanRL's loop, PyTorch", "torch"

    @staticmethod
    def iteration(seed: int, sizes: Sizes) -> Iterate:
        """See Sb3."""
        import gymnasium
        import torch
        from torch import nn

        torch.set_num_threads(1)
        torch.manual_seed(seed)
        count, steps = sizes
        worlds = gymnasium.make_vec(ENVIRONMENT, count, vectorization_mode="sync")

        def network(outputs: int) -> nn.Module:
            one, two = nn.Linear(4, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
            return nn.Sequential(one, nn.ReLU(), two, nn.ReLU(), nn.Linear(HIDDEN, outputs))

        actor, critic = network(2), network(1)
        parameters = [*actor.parameters(), *critic.parameters()]
        optimiser = torch.optim.Adam(parameters, lr=RATE, eps=EPSILON)
        seen = torch.zeros(steps, count, 4)
        taken = torch.zeros(steps, count, dtype=torch.int64)
        logs, rewards, ends, values = (torch.zeros(steps, count) for _ in range(4))
        now = {"seen": torch.from_numpy(worlds.reset(seed=seed)[0]), "ends": torch.zeros(count)}

        def iterate() -> None:
            with torch.no_grad():
                for t in range(steps):
                    seen[t], ends[t] = now["seen"], now["ends"]
                    choice = torch.distributions.Categorical(logits=actor(now["seen"]))
                    taken[t] = choice.sample()
                    logs[t], values[t] = choice.log_prob(taken[t]), critic(now["seen"]).squeeze(1)
                    after, reward, terminated, truncated, _ = worlds.step(taken[t].numpy())
                    rewards[t] = torch.from_numpy(reward)
                    now["seen"] = torch.from_numpy(after)
                    now["ends"] = torch.from_numpy(terminated | truncated).float()
                gains = torch.zeros_like(rewards)
                last, value, over = torch.zeros(count), critic(now["seen"]).squeeze(1), now["ends"]
                for t in range(steps - 1, -1, -1):
                    error = rewards[t] + GAMMA * value * (1 - over) - values[t]
                    gains[t] = last = error + GAMMA * LAMBDA * (1 - over) * last
                    value, over = values[t], ends[t]
            flat = [x.reshape(steps * count, *x.shape[2:]) for x in (seen, taken, logs, gains, gains + values)]
            for _ in range(EPOCHS):
                for rows in torch.randperm(steps * count).chunk(MINIBATCHES):
                    x, chosen, before, gain, goal = (part[rows] for part in flat)
                    choice = torch.distributions.Categorical(logits=actor(x))
                    ratio = (choice.log_prob(chosen) - before).exp()
                    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                    policy = torch.max(-gain * ratio, -gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                    value = 0.5 * ((critic(x).squeeze(1) - goal) ** 2).mean()
                    loss = policy - ENTROPY * choice.entropy().mean() + VALUE * value
                    optimiser.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(parameters, NORM)
                    optimiser.step()

        return iterate


class Jax:
    """PPO and CartPole in JAX, a whole iteration compiled as one function."""

    name, title, module = "jax", "JAX, all of it jitted", "jax"

    @staticmethod
    def iteration(seed: int, sizes: Sizes) -> Iterate:
        """See Sb3."""
        import jax
        import jax.numpy as jnp

        count, steps = sizes
        iterate = jax.jit(lambda carried: _iteration(carried, count, steps))
        key = jax.random.PRNGKey(seed)
        keys = jax.random.split(key, 4)
        weights = _network(keys[0], 2), _network(keys[1], 1)
        zeros = jax.tree.map(jnp.zeros_like, weights)
        state = jax.random.uniform(keys[2], (count, 4), minval=-0.05, maxval=0.05)
        carried = [(weights, zeros, zeros, jnp.zeros(()), state, jnp.zeros(count), keys[3])]

        def one() -> None:
            carried[0] = jax.block_until_ready(iterate(carried[0]))

        return one


def _network(key: Any, outputs: int) -> list[tuple[Any, Any]]:
    import jax
    import jax.numpy as jnp

    sizes = 4, HIDDEN, HIDDEN, outputs
    keys = jax.random.split(key, 3)
    return [
        (jax.random.uniform(k, (m, n), minval=-1, maxval=1) / np.sqrt(m), jnp.zeros(n))
        for k, m, n in zip(keys, sizes, sizes[1:], strict=False)
    ]


def _forward(layers: list[tuple[Any, Any]], x: Any) -> Any:
    import jax.numpy as jnp

    for w, b in layers[:-1]:
        x = jnp.maximum(x @ w + b, 0)
    w, b = layers[-1]
    return x @ w + b


def _cartpole(state: Any, action: Any) -> tuple[Any, Any]:
    """Gymnasium's physics: the next state, and whether the pole fell."""
    import jax.numpy as jnp

    x, speed, angle, turn = state.T
    force = jnp.where(action == 1, 10.0, -10.0)
    sine, cosine = jnp.sin(angle), jnp.cos(angle)
    pushed = (force + 0.05 * turn**2 * sine) / 1.1
    bend = (9.8 * sine - cosine * pushed) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
    drive = pushed - 0.05 * bend * cosine / 1.1
    after = jnp.stack([x + 0.02 * speed, speed + 0.02 * drive, angle + 0.02 * turn, turn + 0.02 * bend], 1)
    return after, (jnp.abs(after[:, 0]) > 2.4) | (jnp.abs(after[:, 2]) > 12 * 2 * np.pi / 360)


def _iteration(carried: tuple, count: int, steps: int) -> tuple:
    """A rollout and its training. carried: weights, moments, steps of Adam, states, lengths of episodes, key."""
    import jax
    import jax.numpy as jnp

    weights, first, second, done, state, length, key = carried

    def play(now, _):
        state, length, key = now
        key, draw, fresh = jax.random.split(key, 3)
        logits, value = _forward(weights[0], state), _forward(weights[1], state)[:, 0]
        action = jax.random.categorical(draw, logits)
        log = jax.nn.log_softmax(logits)[jnp.arange(count), action]
        after, fell = _cartpole(state, action)
        cut = (length + 1 >= 500) & ~fell
        # A cut episode goes on with the value of its last observation.
        reward = 1.0 + jnp.where(cut, GAMMA * _forward(weights[1], after)[:, 0], 0.0)
        ends = fell | cut
        start = jax.random.uniform(fresh, (count, 4), minval=-0.05, maxval=0.05)
        going = jnp.where(ends[:, None], start, after), jnp.where(ends, 0, length + 1), key
        return going, (state, action, log, value, reward, ends)

    (state, length, key), (seen, taken, logs, values, rewards, ends) = jax.lax.scan(
        play, (state, length, key), None, steps
    )

    def back(later, now):
        advantage, following = later
        value, reward, ends = now
        error = reward + GAMMA * following * ~ends - value
        advantage = error + GAMMA * LAMBDA * ~ends * advantage
        return (advantage, value), advantage

    last = _forward(weights[1], state)[:, 0]
    _, gains = jax.lax.scan(back, (jnp.zeros(count), last), (values, rewards, ends), reverse=True)
    flat = [x.reshape(steps * count, *x.shape[2:]) for x in (seen, taken, logs, gains, gains + values)]

    def loss(weights, x, chosen, before, gain, goal):
        logs = jax.nn.log_softmax(_forward(weights[0], x))
        ratio = jnp.exp(jnp.take_along_axis(logs, chosen[:, None], 1)[:, 0] - before)
        gain = (gain - gain.mean()) / (gain.std(ddof=1) + 1e-8)
        policy = jnp.maximum(-gain * ratio, -gain * jnp.clip(ratio, 1 - CLIP, 1 + CLIP)).mean()
        entropy = -(jnp.exp(logs) * logs).sum(1).mean()
        return policy - ENTROPY * entropy + VALUE * 0.5 * ((_forward(weights[1], x)[:, 0] - goal) ** 2).mean()

    def update(now, rows):
        weights, first, second, done = now
        g = jax.grad(loss)(weights, *(part[rows] for part in flat))
        norm = jnp.sqrt(sum((x**2).sum() for x in jax.tree.leaves(g)))
        g = jax.tree.map(lambda x: x * jnp.minimum(1, NORM / norm), g)
        done = done + 1
        first = jax.tree.map(lambda m, x: 0.9 * m + 0.1 * x, first, g)
        second = jax.tree.map(lambda v, x: 0.999 * v + 0.001 * x**2, second, g)

        def moved(w, m, v):
            return w - RATE * (m / (1 - 0.9**done)) / (jnp.sqrt(v / (1 - 0.999**done)) + EPSILON)

        return (jax.tree.map(moved, weights, first, second), first, second, done), None

    key, *shuffles = jax.random.split(key, EPOCHS + 1)
    rows = jnp.concatenate([jax.random.permutation(k, steps * count).reshape(MINIBATCHES, -1) for k in shuffles])
    (weights, first, second, done), _ = jax.lax.scan(update, (weights, first, second, done), rows)
    return weights, first, second, done, state, length, key


PEERS = Sb3, Cleanrl, Jax
