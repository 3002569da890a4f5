"""Returns of deployed policies at 3 to 16 bits, by calibration alone, beside floating point (docs/deploy_study.md).

A run is a policy, its bits (of weights and of the numbers between layers alike; 0: floating point) and a block of
episodes. The episodes of a block begin alike at all bits. They go side by side, with one call of the native engine for
the actions of all. Each run is kept in this repository.
"""

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.deploy import formats, imported
from rlcores_lab import shown
from rlcores_lab.study import policies, runs

FLOAT = 0
BITS = tuple(range(3, 17))
ALL_BITS = (FLOAT, *BITS)
BLOCK = 50  # episodes
BLOCKS = 2
CLOSE = 0.01  # of the return in floating point
KEPT = Path(__file__).with_name("deploy_bits.jsonl")
PAIRS = 1000  # of the bootstrap

Job = tuple[str, int, int]  # policy, bits, block


@dataclass
class Run:
    """The returns of a block of episodes: undiscounted sums of rewards."""

    policy: str
    bits: int
    block: int
    returns: list[float] = field(default_factory=list)
    seconds: float = 0.0  # of the processor
    file: str = ""  # SHA-256 of the policy's file, 12 digits
    commit: str = ""


@dataclass(frozen=True)
class Line:
    """A policy at a number of bits. change: mean of the differences from floating point, episode by episode, over its
    mean; low, high: its 95 % interval.
    """

    policy: str
    bits: int
    episodes: int
    mean: float
    half: float
    change: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def verdict(self) -> str:
        """Within 1 % of floating point, beyond it, or neither is sure."""
        if not self.bits:
            return ""
        if self.low >= -CLOSE and self.high <= CLOSE:
            return "within 1 %"
        if self.high < -CLOSE:
            return "worse by more than 1 %"
        if self.low > -CLOSE:
            return "not worse by 1 %"
        return "not sure"


def plan(blocks: int = BLOCKS, chosen: Iterable[str] | None = None, bits: Sequence[int] = ALL_BITS) -> list[Job]:
    """All runs, a block of everything before the next one."""
    return [(name, n, block) for block in range(blocks) for name in chosen or policies.LEARNT for n in bits]


def one(job: Job, there: Path, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {(run.policy, run.bits, run.block): run for run in runs.lines(file, Run)}
    if job not in have:
        have[job] = play(*job, there)
        runs.add(file, have[job])
    return have[job]


def play(name: str, bits: int, block: int, there: Path, episodes: int = BLOCK) -> Run:
    """A block of episodes, side by side."""
    import hashlib

    import gymnasium as gym

    began = time.process_time()
    made = policies.make(name, there)
    policy = imported.load(made.file, normaliser=made.normaliser, **made.recipe.hints)
    act = policy.act
    if bits:
        act = formats.quantise(policy, made.observations, weight_width=bits, act_width=bits).act
    tasks = [gym.make(made.recipe.environment, disable_env_checker=True) for _ in range(episodes)]
    seen = [task.reset(seed=1000 * block + n)[0] for n, task in enumerate(tasks)]
    returns, alive = np.zeros(episodes), list(range(episodes))
    while alive:
        actions = act(np.array([seen[n] for n in alive], dtype=np.float64))
        if policy.head.kind == "continuous":
            space = tasks[0].action_space
            actions = np.clip(actions, space.low, space.high).astype(np.float32)
        else:
            actions = [int(action) for action in actions]
        left = []
        for n, action in zip(alive, actions, strict=True):
            seen[n], reward, terminated, truncated, _ = tasks[n].step(action)
            returns[n] += float(reward)
            if not (terminated or truncated):
                left.append(n)
        alive = left
    for task in tasks:
        task.close()
    digest = hashlib.sha256(made.file.read_bytes()).hexdigest()[:12]
    return Run(name, bits, block, returns.tolist(), round(time.process_time() - began, 1), digest, runs.commit())


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line for a policy and its bits, floating point first; its interval by a bootstrap over episodes."""
    by: dict[tuple[str, int], dict[int, list[float]]] = {}
    for run in runs:
        by.setdefault((run.policy, run.bits), {})[run.block] = run.returns
    result = []
    for name in dict.fromkeys(run.policy for run in runs):
        whole = by.get((name, FLOAT), {})
        for bits in ALL_BITS:
            own = by.get((name, bits), {})
            blocks = sorted(set(own) & set(whole))
            if not blocks:
                continue
            x, y = (np.concatenate([of[b] for b in blocks]) for of in (own, whole))
            half = 1.96 * float(x.std(ddof=1)) / math.sqrt(len(x))
            change, low, high = (0.0,) * 3
            if bits:
                rng = np.random.default_rng(0)
                drawn = rng.integers(len(x), size=(PAIRS, len(x)))
                shares = (x[drawn].mean(axis=1) - y[drawn].mean(axis=1)) / np.abs(y[drawn].mean(axis=1))
                change = float((x.mean() - y.mean()) / abs(y.mean()))
                low, high = (float(q) for q in np.quantile(shares, (0.025, 0.975)))
            result.append(Line(name, bits, len(x), float(x.mean()), half, change, low, high))
    return result


def least(of: Sequence[Line], name: str, verdicts: Sequence[str]) -> int | None:
    """The least bits from which on, up to the most, every line of a policy has one of the verdicts; None: none has."""
    least_bits = None
    for line in sorted((x for x in of if x.policy == name and x.bits), key=lambda x: -x.bits):
        if line.verdict not in verdicts:
            break
        least_bits = line.bits
    return least_bits


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [("policy", "bits", "episodes", "return", "change", "95 % interval", "verdict")]
    for x in lines(runs):
        change = (f"{x.change:+.2%}", f"{x.low:+.2%} … {x.high:+.2%}", x.verdict) if x.bits else ("", "", "")
        rows.append((x.policy, str(x.bits or "float"), str(x.episodes), f"{x.mean:,.1f} ± {x.half:,.1f}", *change))
    return rows


def summary(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each policy: from how many bits on its return holds."""
    of = lines(runs)
    rows = [("policy", "network", "episodes at each width", "within 1 %, shown from", "no loss beyond 1 % seen from")]
    sure, unseen = ("within 1 %",), ("within 1 %", "not worse by 1 %", "not sure")
    networks = {x.name: x.network for x in _equal()}
    for name in dict.fromkeys(x.policy for x in of):
        counts = sorted({x.episodes for x in of if x.policy == name})
        least_bits = [least(of, name, verdicts) for verdicts in (sure, unseen)]
        episodes = "–".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
        rows.append((name, networks.get(name, ""), episodes, *(f"{n} bits" if n else "none" for n in least_bits)))
    return rows


def _equal() -> list:
    from rlcores_lab.study import deployed

    return deployed.kept()


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Mean and change of each line."""
    listed = []
    for x in lines(runs):
        name = f"deploy.{x.policy}.{x.bits or 'float'}"
        listed.append(report.Figure(f"{name}.return", round(x.mean, 1), "return", "measured"))
        if x.bits:
            for what in ("change", "low", "high"):
                listed.append(report.Figure(f"{name}.{what}", round(getattr(x, what), 4), "of the return", "measured"))
    return listed


def picture(runs: Sequence[Run], path: Path) -> None:
    """Change of the return against bits, a panel for each policy; bars are 95 % intervals, the band ±1 %."""
    of = lines(runs)
    names = list(dict.fromkeys(x.policy for x in of))
    with shown.picture(path, 3.2 * len(names), 3.0) as figure:
        for axis, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
            points = [x for x in of if x.policy == name and x.bits]
            middle = np.array([x.change for x in points])
            ends = np.abs(np.array([[x.low, x.high] for x in points]).T - middle)
            axis.errorbar([x.bits for x in points], 100 * middle, 100 * ends, marker="o", capsize=3, markersize=4)
            axis.axhspan(-100 * CLOSE, 100 * CLOSE, color="tab:blue", alpha=0.15)
            axis.set(title=name, xlabel="bits", ylabel="change of the return, %", ylim=(-50, 20))
