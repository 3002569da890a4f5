"""`rlcores bench plugged`: whole training steps inside other people's libraries, with our replay and with their own.

Zhang et al. (2021), Figure 11. Stable-Baselines3 and RLlib train DQN by their own algorithms. torchrl and tianshou have
their buffers in one loop of PyTorch, written here. A training step is an action, a step of CartPole, and a gradient
step of a network 4-64-64-2 from a batch of 64. Each library is a process of its own, and its two ways take turns.
"""

import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlcores.base import threads
from rlcores.base.report import Figure
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench.tables import Outcome, Step

ENVIRONMENT, SLOTS, BATCH = "CartPole-v1", 50_000, 64
PAPER = (1.19, 1.75)  # Zhang et al. (2021), Figure 11: RLlib
_GAMMA, _RATE, _SYNC, _ALPHA, _BETA = 0.99, 3e-4, 200, 0.6, 0.4


@dataclass(frozen=True)
class Work:
    """What is measured: some seconds of each way in each of some turns; and transitions that are there before."""

    seconds: float = 3.0
    turns: int = 4
    filled: int = 10_000


ALL = Work()


def run(seed: int, step: Step, libraries: Collection[str] | None = None, work: Work = ALL) -> Outcome:
    """Steps a second by library, with and without. Raises RunFailed when a library's process ends before its time."""
    rates: dict[str, tuple[float, float, float]] = {}
    missing = []
    for name in libraries or LIBRARIES:
        step(f"{name}: its own replay and ours, in turns")
        rate = _apart(name, seed, work)
        if isinstance(rate, str):
            missing.append(f"Not timed: {name}, {rate}.")
        else:
            rates[name] = rate
    figures = []
    for name, (theirs, ours, ratio) in rates.items():
        figures += [
            Figure(f"plugged.{name}.own_steps", round(theirs, 1), "1/s", "measured"),
            Figure(f"plugged.{name}.ours_steps", round(ours, 1), "1/s", "measured"),
            Figure(f"plugged.{name}.ratio", round(ratio, 3), "", "measured"),
        ]
    rows = [("library", "with its own, steps/s", "with ours, steps/s", "ratio", "the paper's")]
    for name, (theirs, ours, ratio) in rates.items():
        paper = "{} … {}".format(*PAPER) if name == "rllib" else ""
        rows.append((name, f"{theirs:,.0f}", f"{ours:,.0f}", f"{ratio:.2f}", paper))
    note = (
        f"One processor, PyTorch with one thread, buffers of {SLOTS:,} with {work.filled:,} transitions at the start, "
        f"the median of {work.turns} turns. Stable-Baselines3's own replay has no priorities, so ours does more there."
    )
    return Outcome(figures, [shown.table("Whole training steps a second (measured)", rows), note, *missing])


def _apart(name: str, seed: int, work: Work) -> tuple[float, float, float] | str:
    """In a process of its own: rates of both ways and the median ratio; or why not."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_process, args=(there, name, seed, work))
    process.start()
    there.close()
    try:
        return here.recv()
    except EOFError:
        raise RunFailed(f"the process that trains with {name} ended before its time") from None
    finally:
        process.join()


def _process(pipe: Any, name: str, seed: int, work: Work) -> None:
    os.dup2(2, 1)  # libraries talk
    threads.one()
    try:
        pipe.send(_turns(LIBRARIES[name], seed, work))
    except ImportError as error:
        pipe.send(f"{error.name or error} is not installed")


def _turns(make: Callable[..., Any], seed: int, work: Work) -> tuple[float, float, float]:
    import torch

    torch.set_num_threads(1)
    with contextlib.ExitStack() as stack:
        both = [stack.enter_context(make(ours, seed, work.filled)) for ours in (False, True)]
        rates: list[list[float]] = [[], []]
        for turn in range(work.turns + 1):
            for way, advance in zip(rates, both, strict=True):
                begun, done = time.perf_counter(), 0
                while (took := time.perf_counter() - begun) < work.seconds:
                    done += advance()
                if turn:  # the first one is to get warm
                    way.append(done / took)
    own, ours = map(np.array, rates)
    return float(np.median(own)), float(np.median(ours)), float(np.median(ours / own))


# --- libraries. Each gives a function that does some training steps and says how many. ---


@contextlib.contextmanager
def _sb3(ours: bool, seed: int, filled: int) -> Iterator[Callable[[], int]]:
    from stable_baselines3 import DQN

    from rlcores.integrations.sb3 import PrioritizedDQN, PrioritizedReplayBuffer

    kind, more = (PrioritizedDQN, {"replay_buffer_class": PrioritizedReplayBuffer}) if ours else (DQN, {})
    model = kind(
        "MlpPolicy", ENVIRONMENT, learning_rate=_RATE, buffer_size=SLOTS, learning_starts=filled, batch_size=BATCH,
        train_freq=1, target_update_interval=_SYNC, policy_kwargs={"net_arch": [64, 64]}, seed=seed, device="cpu",
        **more,
    )  # fmt: skip
    model.learn(filled + 1)

    def advance() -> int:
        model.learn(500, reset_num_timesteps=False)
        return 500

    yield advance


@contextlib.contextmanager
def _rllib(ours: bool, seed: int, filled: int) -> Iterator[Callable[[], int]]:
    import logging

    import ray
    from ray.rllib.algorithms.dqn import DQNConfig

    logging.getLogger("ray").setLevel(logging.ERROR)
    if not ray.is_initialized():
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    where = "rlcores.integrations.rllib." if ours else ""
    memory = {"type": f"{where}PrioritizedEpisodeReplayBuffer", "capacity": SLOTS, "alpha": _ALPHA, "beta": _BETA}
    config = (
        DQNConfig()
        .environment(ENVIRONMENT)
        .env_runners(num_env_runners=0, rollout_fragment_length=1)
        .learners(num_learners=0)
        .training(
            lr=_RATE, train_batch_size=BATCH, num_steps_sampled_before_learning_starts=filled,
            target_network_update_freq=_SYNC, replay_buffer_config=memory, training_intensity=BATCH,
        )
        .rl_module(model_config={"fcnet_hiddens": [64, 64]})
        .reporting(min_sample_timesteps_per_iteration=50, min_time_s_per_iteration=0)
        .debugging(seed=seed)
    )  # fmt: skip
    algorithm = config.build_algo()

    def lifetime() -> int:
        return int(algorithm.train()["num_env_steps_sampled_lifetime"])

    now = 0
    while now <= filled:
        now = lifetime()

    def advance() -> int:
        nonlocal now
        before, now = now, lifetime()
        return now - before

    yield advance
    algorithm.stop()


@contextlib.contextmanager
def _torchrl(ours: bool, seed: int, filled: int) -> Iterator[Callable[[], int]]:
    import torch
    from tensordict import TensorDict
    from torchrl.data import LazyTensorStorage, PrioritizedSampler, TensorDictReplayBuffer

    from rlcores.integrations.torchrl import SumTreeSampler

    kind = SumTreeSampler if ours else PrioritizedSampler
    buffer = TensorDictReplayBuffer(
        storage=LazyTensorStorage(SLOTS), sampler=kind(SLOTS, alpha=_ALPHA, beta=_BETA), batch_size=BATCH
    )

    def put(*numbers: Any) -> None:
        buffer.add(TensorDict(dict(zip(_NAMES, map(torch.as_tensor, numbers), strict=True)), []))

    def train(learn: Callable) -> None:
        batch = buffer.sample()
        weight = batch.get("priority_weight", batch.get("_weight", None))
        batch["td_error"] = learn(*(batch[name] for name in _NAMES), weight)
        buffer.update_tensordict_priority(batch)

    yield _loop(put, train, seed, filled)


@contextlib.contextmanager
def _tianshou(ours: bool, seed: int, filled: int) -> Iterator[Callable[[], int]]:
    import torch
    from tianshou.data import Batch, PrioritizedReplayBuffer

    from rlcores.integrations import tianshou

    kind = tianshou.PrioritizedReplayBuffer if ours else PrioritizedReplayBuffer
    buffer = kind(SLOTS, alpha=_ALPHA, beta=_BETA)
    names = ("obs", "act", "rew", "obs_next", "terminated")

    def put(*numbers: Any) -> None:
        buffer.add(Batch(**dict(zip(names, numbers, strict=True)), truncated=False, info={}))

    def train(learn: Callable) -> None:
        batch, indices = buffer.sample(BATCH)
        numbers = [torch.as_tensor(np.asarray(batch[name])) for name in names]
        td = learn(*numbers, torch.as_tensor(np.asarray(batch.weight, np.float32)))
        buffer.update_weight(indices, td.numpy())

    yield _loop(put, train, seed, filled)


LIBRARIES = {"sb3": _sb3, "torchrl": _torchrl, "tianshou": _tianshou, "rllib": _rllib}
_NAMES = ("observation", "action", "reward", "following", "terminated")


def _loop(put: Callable[..., None], train: Callable[[Callable], None], seed: int, filled: int) -> Callable[[], int]:
    """DQN in PyTorch around a buffer: put(observation, action, reward, following, terminated), train(learn)."""
    import gymnasium
    import torch
    from torch import nn

    torch.manual_seed(seed)
    rng, environment = np.random.default_rng(seed), gymnasium.make(ENVIRONMENT)
    networks = [
        nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2)) for _ in "qt"
    ]
    network, target = networks
    target.load_state_dict(network.state_dict())
    optimiser = torch.optim.Adam(network.parameters(), lr=_RATE)
    state, steps = environment.reset(seed=seed)[0], 0

    def learn(states, actions, rewards, following, terminated, weights) -> torch.Tensor:
        with torch.no_grad():
            wanted = rewards.float() + _GAMMA * target(following).max(1).values * (~terminated.bool())
        td = network(states).gather(1, actions.long().view(-1, 1)).squeeze(1) - wanted
        optimiser.zero_grad()
        (weights * td.square()).mean().backward()
        optimiser.step()
        return td.detach().abs()

    def act(chance: float) -> None:
        nonlocal state
        if rng.random() < chance:
            action = int(rng.integers(2))
        else:
            with torch.no_grad():
                action = int(network(torch.as_tensor(state)).argmax())
        following, reward, terminated, truncated, _ = environment.step(action)
        put(state, action, np.float32(reward), following, terminated)
        state = environment.reset()[0] if terminated or truncated else following

    def advance() -> int:
        nonlocal steps
        for _ in range(100):
            act(0.1)
            train(learn)
            steps += 1
            if steps % _SYNC == 0:
                target.load_state_dict(network.state_dict())
        return 100

    for _ in range(filled):
        act(1.0)
    return advance
