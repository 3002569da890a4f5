"""ReplayBuffer beside whole replay buffers that people use: batches of transitions, all their arrays gathered."""

import numpy as np

from rlcores.base.report import Figure
from rlcores.replay.buffer import ReplayBuffer
from rlcores_lab import shown
from rlcores_lab.bench import native_buffers, peer
from rlcores_lab.bench.native_buffers import BATCH
from rlcores_lab.bench.native_peers import ALPHA, BETA
from rlcores_lab.bench.tables import Outcome, Step

SLOTS = 1 << 20
FRAMES, SIDE, STACK = 4096, 84, 4  # SB3 keeps 28 kB twice for each of them


def replay(seed: int, step: Step, seconds: float = 0.5, slots: int = SLOTS, frames: int = FRAMES) -> Outcome:
    """Batches of CartPole's transitions, and of stacks of frames as Atari has them."""
    small, big = transitions(seed, slots), pictures(seed, frames)
    figures, rows = [], [("who", "CartPole, us", "frames, us", "GB/s", "bytes a transition of frames")]
    gather, copy = _gather_seconds(big["observation"], seconds), _copy_seconds(seconds)
    for make in peer.each("replay buffer", (Ours, *native_buffers.PEERS), step):
        quick = peer.least(make(small, (4,), 1, True).batch, seconds)
        whole = make(big, (SIDE, SIDE), STACK, False)
        slow = peer.least(whole.batch, seconds)
        rate, size = 2 * BATCH * STACK * SIDE * SIDE / slow, whole.size / frames
        rows.append((make.title, f"{quick * 1e6:.1f}", f"{slow * 1e6:.0f}", f"{rate / 1e9:.1f}", f"{size:,.0f}"))
        prefix = peer.place(make)
        figures += [
            Figure(f"{prefix}.replay_ns", quick / BATCH * 1e9, f"ns a transition, batches of {BATCH}", "measured"),
            Figure(f"{prefix}.frames_ns", slow / BATCH * 1e9, "ns a transition of 84 x 84 x 4 uint8", "measured"),
            Figure(f"{prefix}.frames_bytes", size, "bytes a transition of 84 x 84 x 4 uint8", "measured"),
        ]
    figures += [
        Figure("native.frames_of_gather", figures[1].value / (gather * 1e9), "of gathering as much", "measured"),
        Figure("native.frames_of_copy", figures[1].value / (copy * 1e9), "of copying as much", "measured"),
    ]
    title = f"Replay buffers: batches of {BATCH} with all arrays; CartPole of {slots:,} with priorities (measured)"
    notes = [
        "Frames are drawn uniformly. SB3 has no priorities, and keeps both observations of a transition in stacks.",
        f"Frames by rlcores take {figures[-2].value:.2f} of the time in which NumPy gathers as many at random from an "
        f"array of {frames:,}, and {figures[-1].value:.2f} of that in which it copies as many bytes in one piece.",
    ]
    return Outcome(figures, [shown.table(title, rows), *notes, *peer.absent(native_buffers.PEERS)])


def transitions(seed: int, count: int) -> dict[str, np.ndarray]:
    """Steps of one environment like CartPole, an end every 200."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(size=(count + 1, 4)).astype(np.float32)
    return _steps(seen, rng.integers(0, 2, count))


def pictures(seed: int, count: int) -> dict[str, np.ndarray]:
    """Steps with a frame of 84 x 84 pixels each."""
    rng = np.random.default_rng(seed)
    return _steps(rng.integers(0, 256, (count + 1, SIDE, SIDE), dtype=np.uint8), rng.integers(0, 4, count))


def _steps(seen: np.ndarray, actions: np.ndarray) -> dict[str, np.ndarray]:
    count = len(actions)
    ends = np.arange(count) % 200 == 199
    arrays = {"observation": seen[:-1], "next_observation": seen[1:], "action": actions, "terminated": ends}
    return arrays | {"reward": np.ones(count, np.float32), "truncated": np.zeros(count, bool)}


def _gather_seconds(store: np.ndarray, seconds: float) -> float:
    """Seconds a transition of frames takes when those of two stacks are gathered one by one, in a plain loop."""
    rng = np.random.default_rng(0)
    rows = [rng.integers(0, len(store), 2 * BATCH * STACK) for _ in range(16)]
    gathered = np.ones((2 * BATCH * STACK, SIDE, SIDE), np.uint8)
    take = peer.least(lambda i: np.take(store, rows[i % 16], axis=0, out=gathered, mode="clip"), seconds)
    return take / BATCH


def _copy_seconds(seconds: float) -> float:
    """Seconds a transition of frames takes when as many bytes as two stacks are copied in one piece."""
    source = np.ones(2 * BATCH * STACK * SIDE * SIDE, np.uint8)
    return peer.least(lambda i: source.copy(), seconds) / BATCH


class Ours:
    """rlcores.ReplayBuffer."""

    name, title = "native", "rlcores"

    def __init__(self, steps: dict[str, np.ndarray], shape: tuple[int, ...], stack: int, prioritized: bool) -> None:
        """steps: one environment's, in order, of single frames; stack: frames an observation."""
        arrays = {"observation": (shape, steps["observation"].dtype), "action": ((), np.int64)}
        options = {"frame_stack": stack, "prioritized": prioritized, "alpha": ALPHA, "beta": BETA}
        self._buffer = ReplayBuffer(len(steps["reward"]), arrays, batch_size=BATCH, **options, seed=0)
        self._buffer.add(**steps)
        self.size = sum(array.nbytes for array in self._buffer._store.state().values())
        self._out = self._buffer.sample()

    def batch(self, turn: int) -> object:
        """A batch of 256, into the arrays of the one before."""
        return self._buffer.sample(out=self._out)
