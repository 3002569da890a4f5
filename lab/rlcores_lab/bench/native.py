"""`rlcores bench native`: the engine through Python, beside what people use, on this machine and in one run.

PARTS are the rows: a function measures each; its arguments are a seed and a callback that is told the next row.
"""

import contextlib
from collections.abc import Callable, Collection
from importlib import metadata
from typing import Any

import numpy as np

from rlcores import native
from rlcores.base.report import Figure
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import native_peers, native_training, peer
from rlcores_lab.bench.native_loops import train
from rlcores_lab.bench.native_modes import hindsight, slices
from rlcores_lab.bench.native_peers import ALPHA, BETA
from rlcores_lab.bench.native_replay import replay
from rlcores_lab.bench.native_threads import threads
from rlcores_lab.bench.tables import Outcome, Step

SLOTS = 1 << 20
BATCHES = (256, 64)  # the first one's figures have no batch in their names


def sumtree(seed: int, step: Step, seconds: float = 0.5, slots: int = SLOTS) -> Outcome:
    """Samples with importance weights, and updates from TD errors, of PrioritizedSampler and its peers."""
    rng = np.random.default_rng(seed)
    errors = rng.lognormal(0, 1, slots).astype(np.float32)
    figures = []
    rows = [("who", *(f"{what}, {batch}" for batch in BATCHES for what in ("sample", "update")))]
    for make in peer.each("sum tree", (Native, Model, *native_peers.PEERS), step):
        who = make(slots, errors)
        times = [_times(who, slots, batch, rng, seconds) for batch in BATCHES]
        rows.append((who.title, *(f"{ns:.1f}" for pair in times for ns in pair)))
        if stale := getattr(who, "stale", 0):
            raise RunFailed(f"{who.title} dropped {stale} updates of slots that nobody took")
        figures += _figures(peer.place(who), times)
    title = f"Prioritised replay, {slots:,} slots: ns of a sample and of an update, by the size of the batch (measured)"
    note = "Samples come with importance weights, updates are TD errors; rlcores checks the tags of slots as well."
    return Outcome(figures, [shown.table(title, rows), note, *peer.absent(native_peers.PEERS)])


class Native:
    """PrioritizedSampler, called as its peers are."""

    name, title, backend = "native", "rlcores, native", "native"

    def __init__(self, slots: int, errors: np.ndarray) -> None:
        """errors: the TD errors of all slots."""
        self._sampler = PrioritizedSampler(slots, backend=self.backend, alpha=ALPHA, beta=BETA, seed=0)
        self._tags = self._sampler.add(td_errors=errors).generations

    def sample(self, count: int) -> object:
        """Slots, weights and tags."""
        return self._sampler.sample(count)

    def update(self, indices: np.ndarray, errors: np.ndarray) -> None:
        """Priorities from TD errors, of slots whose tags are those given."""
        self._sampler.update(indices, errors, self._tags[: len(indices)])

    @property
    def stale(self) -> int:
        """Updates that were dropped."""
        return self._sampler.stale


class Model(Native):
    """The same in NumPy."""

    name, title, backend = "native.model", "rlcores, model", "model"


def _figures(prefix: str, times: list[tuple[float, float]]) -> list[Figure]:
    listed = []
    for batch, pair in zip(BATCHES, times, strict=True):
        place = prefix if batch == BATCHES[0] else f"{prefix}.batch{batch}"
        for what, ns in zip(("sample", "update"), pair, strict=True):
            listed.append(Figure(f"{place}.{what}_ns", ns, f"ns, batches of {batch}, through Python", "measured"))
    return listed


def _times(who: Any, slots: int, batch: int, rng, seconds: float):
    """Nanoseconds of a sample and of an update."""
    count = 64
    indices = [rng.integers(0, slots, batch) for _ in range(count)]
    errors = [rng.lognormal(0, 1, batch).astype(np.float32) for _ in range(count)]
    sample = peer.least(lambda i: who.sample(batch), seconds)
    update = peer.least(lambda i: who.update(indices[i % count], errors[i % count]), seconds)
    return sample / batch * 1e9, update / batch * 1e9


PARTS: dict[str, Callable[[int, Step], Outcome]] = {
    "sumtree": sumtree,
    "threads": threads,
    "replay": replay,
    "hindsight": hindsight,
    "slices": slices,
    "gae": native_training.gae,
    "dqn": native_training.dqn,
    "train": train,
}
PACKAGES = (
    "torchrl", "tianshou", "stable-baselines3", "cpprb", "flashbax", "jax", "torch", "numpy", "gymnasium",
)  # fmt: skip


def run(seed: int, step: Step, parts: Collection[str]) -> Outcome:
    """These parts."""
    outcomes = [PARTS[name](seed, step) for name in parts]
    figures = [f for outcome in outcomes for f in outcome.figures] + versions()
    about = f"The engine's kernels run on {native.isa()}, on one thread each where nothing else is said."
    rows = [("package", "version"), *((f.name.split(".")[1], f.value) for f in figures if f.unit == "version")]
    table = shown.table("Packages of this run", rows)
    return Outcome(figures, [*(s for o in outcomes for s in o.shown), table, about])


def versions() -> list[Figure]:
    """Of the packages that are installed."""
    listed = []
    for name in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            listed.append(Figure(f"peer.{name}.version", metadata.version(name), "version", "measured"))
    return listed
