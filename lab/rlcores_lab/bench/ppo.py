"""`rlcores bench ppo`: PPO's whole loop on CartPole: clocks of the core, and time of software on this machine.

Everyone has an actor 4-64-64-2 and a critic 4-64-64-1, 64 environments of 128 steps, 4 epochs of 4 minibatches. Figures
are of a step of an environment, acting and training included.
"""

import numpy as np

from rlcores import native
from rlcores.base.report import Figure
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.model import EnvModel
from rlcores.cores.env.native import NativeEnvs
from rlcores.cores.ppo import area, cycles
from rlcores.cores.ppo.model import Ppo
from rlcores.cores.ppo.native import NativePpo
from rlcores.cores.ppo.shape import balanced
from rlcores.engine import boards
from rlcores.train import chip
from rlcores_lab import shown
from rlcores_lab.bench import native as native_bench
from rlcores_lab.bench import peer, ppo_peers
from rlcores_lab.bench.ppo_peers import ENVS, EPOCHS, MINIBATCHES, STEPS, Iterate, Sizes
from rlcores_lab.bench.tables import Outcome, Step, absent

SIZES = ENVS, STEPS
# What others publish of tasks and networks of their own: name, steps a second, and of what.
PUBLISHED = {
    "pufferlib": (
        4_000_000,
        "PufferLib 3.0 on an RTX 5090, environments in C; 128 neurons and an LSTM of 128 in its configuration of "
        "Breakout (puffer.ai/blog.html; pufferlib/config/ocean/breakout.ini)",
    ),
    "isaaclab": (
        510_000,
        "Isaac Lab on an RTX 4090, 4,096 copies of Isaac-Cartpole-Direct-v0 with RL Games; 32-32 in its RSL RL "
        "configuration of the task (isaac-sim.github.io/IsaacLab, Performance Benchmarks)",
    ),
}


class Ours:
    """PPO in integers, on the engine or in NumPy."""

    def __init__(self, backend: str) -> None:
        self.name = "native" if backend == "native" else "native.model"
        self.title = "rlcores, native engine" if backend == "native" else "rlcores, model in NumPy"
        self._kinds = (NativePpo, NativeEnvs) if backend == "native" else (Ppo, EnvModel)

    def iteration(self, seed: int, sizes: Sizes) -> Iterate:
        """An iteration, again and again the same learner's."""
        learner, environments = self._kinds
        given = {"envs": sizes[0], "steps": sizes[1], "epochs": EPOCHS, "minibatches": MINIBATCHES}
        own = chip.learner(chip.task_of("cartpole"), seed, learner, **given)
        envs = environments(CartPole(), sizes[0])
        seen = [envs.start(seed)["obs"].astype(np.int64)]

        def iterate() -> None:
            rollout, seen[0] = own.collect(envs, seen[0])
            own.train(rollout)

        return iterate


def run(clock: boards.Clock, seed: int, step: Step, seconds: float = 2.0, sizes: Sizes = SIZES) -> Outcome:
    """Clocks by the core's model, and time of an iteration of everybody who is installed. sizes: of software only."""
    shape = balanced()
    found, dsp = cycles.cycles(shape).per_step, area.dsp(shape)
    rate = clock.mhz * 1e6 / found
    figures = [
        Figure("ppo.cycles_per_env_step", found, "clocks", "model"),
        Figure("ppo.dsp", dsp, "DSP slices, without the environments", "model"),
        Figure("ppo.steps_per_second", rate, f"at {clock}", "model"),
    ]
    rows = [("who", "ns a step", "steps a second")]
    rows.append((f"rlcores:system:ppo, {clock}, by its model", f"{1e9 / rate:,.0f}", f"{rate:,.0f}"))
    count = sizes[0] * sizes[1]
    peers = ppo_peers.installed()
    for who in (Ours("native"), Ours("model"), *peers):
        step(f"PPO, {who.title}")
        iterate = who.iteration(seed, sizes)
        ns = peer.least(lambda i, iterate=iterate: iterate(), seconds) / count * 1e9
        place = who.name if isinstance(who, Ours) else f"peer.{who.name}"
        figures.append(Figure(f"{place}.ppo_step_ns", ns, "ns a step of an environment, trained", "measured"))
        rows.append((who.title, f"{ns:,.0f}", f"{1e9 / ns:,.0f}"))
    title = f"PPO on CartPole, 4-64-64, {sizes[0]} x {sizes[1]}, {EPOCHS} epochs, {MINIBATCHES} minibatches"
    notes = [
        f"The core takes by its model {found:.2f} clocks a step with {dsp:,} DSP slices and its environments'.",
        f"Software runs on one thread; the engine's kernels on {native.isa()}.",
    ]
    for name, (steps, of) in PUBLISHED.items():
        figures.append(Figure(f"published.{name}.steps_per_second", steps, of, "assumed"))
        notes.append(f"Published, of another task: {steps:,} trained steps a second by {of}.")
    missing = absent([one.name for one in ppo_peers.PEERS], peers)
    return Outcome(figures + native_bench.versions(), [shown.table(title, rows), *notes, *missing])
