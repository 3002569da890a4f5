"""Part `train` of `rlcores bench native`: DQN's whole loop on CartPole, with the environment, beside other people's.

All have one network, one batch, and a gradient step for each step of the environment, on one thread. What else they
do is their own: rlcores draws by priorities and learns by double DQN, the others draw uniformly.
"""

import dataclasses
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rlcores.base.report import Figure
from rlcores.train import pool, settings
from rlcores.train.actor import Rollout
from rlcores.train.folder import Folder
from rlcores.train.loop import Callback, Run, make_trainer
from rlcores.train.spaces import look
from rlcores_lab import shown
from rlcores_lab.bench import peer
from rlcores_lab.bench.tables import Outcome, Step

ENVIRONMENT, HIDDEN, BATCH = "CartPole-v1", (64, 64), 64
SLOTS, WARMUP, EXPLORE = 30_000, 1000, 8000  # steps: before the first gradient step, and until actions are chosen
_LEAST = 512  # gradient steps that are timed as one

Mark = Callable[[int], None]  # called now and then with the number of gradient steps


def train(seed: int, step: Step, steps: int = 4096) -> Outcome:
    """Gradient steps a second of rlcores train, of Stable-Baselines3, and of CleanRL's loop."""
    figures, rows = [], [("who", "gradient steps a second", "µs each, with its step of the environment")]
    for make in peer.each("DQN's loop", (Ours, *PEERS), step):
        clock = Clock()
        make.run(seed, steps, clock)
        rate = clock.rate()
        rows.append((make.title, f"{rate:,.0f}", f"{1e6 / rate:.0f}"))
        said = "gradient steps a second, with the environment"
        figures.append(Figure(f"{peer.place(make)}.train_steps", rate, said, "measured"))
    peers = [f.value for f in figures[1:]]
    if peers:
        figures.append(Figure("native.train_ratio", figures[0].value / max(peers), "by the fastest peer's", "measured"))
    sizes = "-".join(map(str, (4, *HIDDEN, 2)))
    title = f"DQN on {ENVIRONMENT}, {sizes}, batch {BATCH}, a gradient step for each step (measured)"
    return Outcome(figures, [shown.table(title, rows), *peer.absent(PEERS)])


class Clock:
    """When a number of gradient steps has been made."""

    def __init__(self) -> None:
        self._marks: list[tuple[int, float]] = []

    def __call__(self, steps: int) -> None:
        """They are made now."""
        if not self._marks or steps >= self._marks[-1][0] + _LEAST:
            self._marks.append((steps, time.perf_counter()))

    def rate(self) -> float:
        """Steps a second, the most of all stretches."""
        pairs = zip(self._marks, self._marks[1:], strict=False)
        return max((after[0] - before[0]) / (after[1] - before[1]) for before, after in pairs)


class Ours:
    """`rlcores train --algo dqn --env CartPole-v1 --actors 1`, between its evaluations."""

    name, title = "native", "rlcores train"

    @staticmethod
    def run(seed: int, steps: int, mark: Mark) -> None:
        """Train."""

        class EvaluationCallback(Callback):
            def progress(self, run: Run, seen: Rollout) -> None:
                if run.trainer.updates:
                    mark(run.trainer.updates)

        spaces = look(ENVIRONMENT)
        total = WARMUP + steps
        plan = settings.plan("dqn", ENVIRONMENT, "native", spaces, seed=seed, steps=total)  # the figures above are its
        plan = dataclasses.replace(plan, evaluate_every=total + 1, until=np.inf, report=1)
        with tempfile.TemporaryDirectory() as folder:
            workers = pool.make(plan)
            try:
                Run(plan, spaces, make_trainer(plan, spaces), workers, Folder(Path(folder) / "run")).run(
                    EvaluationCallback()
                )
            finally:
                workers.close()


class Sb3:
    """Stable-Baselines3's DQN."""

    name, title, module = "sb3", "stable-baselines3, DQN", "stable_baselines3"

    @staticmethod
    def run(seed: int, steps: int, mark: Mark) -> None:
        """Train."""
        import torch
        from stable_baselines3 import DQN
        from stable_baselines3.common.callbacks import BaseCallback

        torch.set_num_threads(1)

        class EvaluationCallback(BaseCallback):
            def _on_step(self) -> bool:
                if self.model._n_updates:
                    mark(self.model._n_updates)
                return True

        total = WARMUP + steps
        DQN(
            "MlpPolicy",
            ENVIRONMENT,
            learning_rate=3e-4,
            buffer_size=SLOTS,
            learning_starts=WARMUP,
            batch_size=BATCH,
            train_freq=1,
            target_update_interval=200,
            exploration_fraction=EXPLORE / total,
            policy_kwargs={"net_arch": list(HIDDEN)},
            seed=seed,
            device="cpu",
        ).learn(total, callback=EvaluationCallback())


class CleanRl:
    """A loop as CleanRL's DQN script has it, on the replay buffer of Stable-Baselines3 as there."""

    name, title, module = "cleanrl", "CleanRL's DQN loop, on PyTorch", "stable_baselines3"

    @staticmethod
    def run(seed: int, steps: int, mark: Mark) -> None:
        """Train."""
        import gymnasium
        import torch
        from stable_baselines3.common.buffers import ReplayBuffer
        from torch import nn

        torch.set_num_threads(1)
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        worlds = gymnasium.vector.SyncVectorEnv(
            [lambda: gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make(ENVIRONMENT))],
            autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
        )
        actions = worlds.single_action_space

        def network() -> nn.Module:
            one, two = HIDDEN
            return nn.Sequential(nn.Linear(4, one), nn.ReLU(), nn.Linear(one, two), nn.ReLU(), nn.Linear(two, 2))

        online, target = network(), network()
        target.load_state_dict(online.state_dict())
        optimiser = torch.optim.Adam(online.parameters(), lr=2.5e-4)
        buffer = ReplayBuffer(SLOTS, worlds.single_observation_space, actions, "cpu", handle_timeout_termination=False)
        seen, _ = worlds.reset(seed=seed)
        for at in range(WARMUP + steps):
            if rng.random() < max(0.05, 1 - 0.95 * at / EXPLORE):
                chosen = np.array([actions.sample()])
            else:
                chosen = online(torch.Tensor(seen)).argmax(dim=1).numpy()
            following, rewards, terminated, truncated, infos = worlds.step(chosen)
            last = following.copy()
            for n in np.flatnonzero(terminated | truncated):
                last[n] = infos["final_obs"][n]
            buffer.add(seen, last, chosen, rewards, terminated, infos)
            seen = following
            if at < WARMUP:
                continue
            batch = buffer.sample(BATCH)
            with torch.no_grad():
                best = target(batch.next_observations).max(dim=1).values
                goal = batch.rewards.flatten() + 0.99 * best * (1 - batch.dones.flatten())
            values = online(batch.observations).gather(1, batch.actions).squeeze()
            loss = nn.functional.mse_loss(goal, values)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            if at % 500 == 0:
                target.load_state_dict(online.state_dict())
            mark(at - WARMUP + 1)
        worlds.close()


PEERS = Sb3, CleanRl
