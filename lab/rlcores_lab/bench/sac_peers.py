"""A gradient step of SAC: PyTorch and JAX in float32, on a CPU or a GPU, beside our engine and its model.

Each step has the same parts in the same order: temperature, two critics towards the smaller target, the actor through
the new critics, averaged targets, Adam for each. Ours takes NumPy's arrays, one batch of eight after the other.
`python -m rlcores_lab.bench.sac_peers` times all that are installed, on every device there is, and prints JSON; the
file also runs by itself, without rlcores.
"""

import importlib.util
import itertools
import json
import platform
import sys
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np

STATES, ACTIONS, HIDDEN, BATCH = 17, 6, (256, 256), 256
GAMMA, TAU, RATE, EPSILON = 0.99, 0.005, 3e-4, 1e-8
LOG_STD = -5.0, 2.0
Step = Callable[[], object]


def batch_of(seed: int) -> tuple[np.ndarray, ...]:
    """States, actions, rewards, next states, discounts; float32."""
    rng = np.random.default_rng(seed)
    normal = lambda *shape: rng.standard_normal(shape, np.float32)  # noqa: E731
    return (
        normal(BATCH, STATES), np.tanh(normal(BATCH, ACTIONS)), normal(BATCH, 1), normal(BATCH, STATES),
        (GAMMA * (rng.random((BATCH, 1)) < 0.9)).astype(np.float32),
    )  # fmt: skip


def torch_step(device: str, how: str, seed: int = 0) -> tuple[Step, Callable[[], None]]:
    """A step and what waits for it. how: "eager", "compiled", or "graph": captured once and replayed (CUDA)."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")

    def net(inputs: int, outputs: int) -> nn.Module:
        sizes = (inputs, *HIDDEN)
        layers = [part for a, b in pairwise(sizes) for part in (nn.Linear(a, b), nn.ReLU())]
        return nn.Sequential(*layers, nn.Linear(sizes[-1], outputs)).to(device)

    actor = net(STATES, 2 * ACTIONS)
    critics, targets = ([net(STATES + ACTIONS, 1) for _ in range(2)] for _ in range(2))
    for critic, target in zip(critics, targets, strict=True):
        target.load_state_dict(critic.state_dict())
    log_alpha = torch.zeros(1, device=device, requires_grad=True)
    gpu = device != "cpu"
    more = {"lr": RATE, "eps": EPSILON, "capturable": gpu, "fused": gpu} if gpu else {"lr": RATE, "eps": EPSILON}
    judged = [p for critic in critics for p in critic.parameters()]
    optimisers = [torch.optim.Adam(ps, **more) for ps in ([log_alpha], judged, list(actor.parameters()))]
    own, other = judged, [p for target in targets for p in target.parameters()]
    states, actions, rewards, following, discounts = (torch.from_numpy(x).to(device) for x in batch_of(seed))

    def draw(x):
        mean, log_std = actor(x).chunk(2, 1)
        log_std = log_std.clamp(*LOG_STD)
        noise = torch.randn_like(mean)
        u = mean + log_std.exp() * noise
        slope = 2 * (np.log(2.0) - u - nn.functional.softplus(-2 * u))
        log = (-noise.square() / 2 - log_std - np.log(2 * np.pi) / 2 - slope).sum(1, keepdim=True)
        return torch.tanh(u), log

    def descend(loss, optimiser) -> None:
        optimiser.zero_grad(set_to_none=False)
        loss.backward(inputs=[p for group in optimiser.param_groups for p in group["params"]])
        optimiser.step()

    def losses():
        alpha = log_alpha.detach().exp()
        action, log = draw(states)
        descend(-(log_alpha * (log.detach() - ACTIONS)).mean(), optimisers[0])
        with torch.no_grad():
            new, entropy = draw(following)
            x = torch.cat([following, new], 1)
            smaller = torch.minimum(targets[0](x), targets[1](x))
            goal = rewards + discounts * (smaller - alpha * entropy)
        x = torch.cat([states, actions], 1)
        errors = [critic(x) - goal for critic in critics]
        descend(sum(e.square().mean() for e in errors) / 2, optimisers[1])
        x = torch.cat([states, action], 1)
        value = torch.minimum(critics[0](x), critics[1](x))
        descend((alpha * log - value).mean(), optimisers[2])
        with torch.no_grad():
            torch._foreach_lerp_(other, own, TAU)
        return errors[0].detach()

    wait = torch.cuda.synchronize if gpu else lambda: None
    if how == "compiled":
        return torch.compile(losses), wait
    if how == "graph":
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(5):
                losses()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            losses()
        return graph.replay, wait
    return losses, wait


def jax_step(device: str, seed: int = 0) -> tuple[Step, Callable[[], None]]:
    """The same, compiled whole."""
    import jax
    import jax.numpy as jnp

    place = jax.devices(device)[0]
    rng = np.random.default_rng(seed)

    def net(inputs: int, outputs: int) -> list:
        sizes = (inputs, *HIDDEN, outputs)
        return [
            tuple(rng.uniform(-(a**-0.5), a**-0.5, shape).astype(np.float32) for shape in ((a, b), (b,)))
            for a, b in pairwise(sizes)
        ]

    def run(layers, x):
        for w, b in layers[:-1]:
            x = jax.nn.relu(x @ w + b)
        w, b = layers[-1]
        return x @ w + b

    def draw(actor, x, key):
        mean, log_std = jnp.split(run(actor, x), 2, 1)
        log_std = jnp.clip(log_std, *LOG_STD)
        noise = jax.random.normal(key, mean.shape)
        u = mean + jnp.exp(log_std) * noise
        slope = 2 * (np.log(2.0) - u - jax.nn.softplus(-2 * u))
        log = (-(noise**2) / 2 - log_std - np.log(2 * np.pi) / 2 - slope).sum(1, keepdims=True)
        return jnp.tanh(u), log

    def adam(params, grads, state, count):
        rate = RATE * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state[0], grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state[1], grads)
        new = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + EPSILON), params, m, v)
        return new, (m, v)

    def step(held, batch):
        actor, critics, targets, log_alpha, states_, key, count = held
        states, actions, rewards, following, discounts = batch
        key, one, two = jax.random.split(key, 3)
        count, alpha = count + 1, jnp.exp(log_alpha)
        log = draw(actor, states, one)[1]
        heat = jax.grad(lambda x: -(x * (log - ACTIONS)).mean())(log_alpha)
        log_alpha, state_t = adam(log_alpha, heat, states_[0], count)
        new, entropy = draw(actor, following, two)
        x = jnp.concatenate([following, new], 1)
        smaller = jnp.minimum(run(targets[0], x), run(targets[1], x))
        goal = rewards + discounts * (smaller - alpha * entropy)
        x = jnp.concatenate([states, actions], 1)

        def critic_loss(critics):
            errors = [run(c, x) - goal for c in critics]
            return sum((e**2).mean() for e in errors) / 2, errors[0]

        grads, errors = jax.grad(critic_loss, has_aux=True)(critics)
        critics, state_c = adam(critics, grads, states_[1], count)

        def actor_loss(actor):
            action, log = draw(actor, states, one)
            x = jnp.concatenate([states, action], 1)
            return (alpha * log - jnp.minimum(run(critics[0], x), run(critics[1], x))).mean()

        actor, state_a = adam(actor, jax.grad(actor_loss)(actor), states_[2], count)
        targets = jax.tree.map(lambda t, p: t + TAU * (p - t), targets, critics)
        return (actor, critics, targets, log_alpha, (state_t, state_c, state_a), key, count), errors

    actor, critics = net(STATES, 2 * ACTIONS), [net(STATES + ACTIONS, 1) for _ in range(2)]
    log_alpha = np.zeros(1, np.float32)
    zeros = lambda x: (jax.tree.map(np.zeros_like, x), jax.tree.map(np.zeros_like, x))  # noqa: E731
    moments = tuple(zeros(x) for x in (log_alpha, critics, actor))
    held = (actor, critics, critics, log_alpha, moments, jax.random.PRNGKey(seed), np.float32(0))
    kept = [jax.device_put(held, place)]
    batch = jax.device_put(batch_of(seed), place)
    compiled = jax.jit(step)

    def one():
        kept[0], errors = compiled(kept[0], batch)
        return errors

    return one, lambda: jax.block_until_ready(kept[0])


def own_step(backend: str, seed: int = 0) -> tuple[Step, Callable[[], None]]:
    """The integers, in one thread: "native" or "model"."""
    from rlcores.cores.rl.sac import Sac, SacSettings

    learner = Sac(STATES, ACTIONS, SacSettings(network=HIDDEN, learning_rate=RATE), seed=seed, backend=backend)
    batches = []
    for n in range(8):
        states, actions, rewards, following, discounts = batch_of(seed + n)
        batches.append((states, actions, rewards[:, 0], following, discounts[:, 0]))
    turn = itertools.cycle(batches)
    for _ in range(100 if backend == "native" else 0):  # fractions have found their places
        learner.step(*next(turn))
    return lambda: learner.step(*next(turn)), lambda: None


def microseconds(step: Step, wait: Callable[[], None], seconds: float = 2.0) -> float:
    """The least time of a step, of runs of about 5 ms and at most 20, each waited for."""
    for _ in range(5):
        step()
    wait()
    best, count, end = float("inf"), 1, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        for _ in range(count):
            step()
        wait()
        best = min(best, (time.perf_counter() - begun) / count)
        count = min(max(int(5e-3 / best), 1), 20)
    return best * 1e6


def ways() -> list[tuple[str, Callable[[], tuple[Step, Callable[[], None]]]]]:
    """(name, how to make it) of all that is installed."""
    listed: list[tuple[str, Callable[[], tuple[Step, Callable[[], None]]]]] = []
    if importlib.util.find_spec("rlcores"):
        listed += [(f"rlcores.{name}", lambda name=name: own_step(name)) for name in ("native", "model")]
    if importlib.util.find_spec("torch"):
        import torch

        listed.append(("torch.cpu.eager", lambda: torch_step("cpu", "eager")))
        if torch.cuda.is_available():
            listed.append(("torch.gpu.eager", lambda: torch_step("cuda", "eager")))
            listed.append(("torch.gpu.graph", lambda: torch_step("cuda", "graph")))
    if importlib.util.find_spec("jax"):
        import jax

        listed += [(f"jax.{kind}", lambda kind=kind: jax_step(kind)) for kind in {"cpu", jax.default_backend()}]
    return listed


def main() -> None:
    """Time everything, and print JSON as measured/sac_peers.json has it."""
    figures, about = [], [f"Python {platform.python_version()}"]
    for name, make in ways():
        try:
            us = round(microseconds(*make()), 1)
        except Exception as error:  # one that fails must not hide the others
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        print(name, us, file=sys.stderr, flush=True)
        figures.append({"name": f"sac_peers.{name}_us", "value": us, "unit": "us", "how": "measured"})
    if importlib.util.find_spec("rlcores"):
        from rlcores import native

        about.append(f"kernels {native.isa()}")
    for module in ("torch", "jax"):
        if importlib.util.find_spec(module):
            about.append(f"{module} {__import__(module).__version__}")
    print(json.dumps({"core": "sac_peers", "device": ", ".join(about), "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
