"""Maximum-entropy model rollouts (MEMR; Zhang 2022, chapter 3, algorithm 2) beside SAC, in environment steps to a goal.

SAC is the integers of rlcores.cores.rl.sac. The model is an ensemble of integer regressions (rlcores.cores.rl.
regression) of the change of the state and the reward. Rollouts of one step begin in real states that the sum tree draws
with a probability proportional to p**alpha, p = -log(sqrt(2 pi) pi_psi(a|s) sigma), equation 3.7, where pi_psi is a
Gaussian that was fitted to the rollouts so far, in float32. Rollouts of a step are a segment of the model's data: their
importance weights hold only among themselves.
"""

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np

from rlcores.base import report
from rlcores.cores.learner.float64 import FloatNetwork, FloatSettings, Optimiser
from rlcores.cores.rl import regression, sac
from rlcores.cores.rl.batch import TransitionBatch
from rlcores.cores.rl.squashed import LOG_STD
from rlcores.cores.sumtree.sampler import PrioritizedSampler
from rlcores.train.evaluation import CHOICE_SEED, LOOK_SEED, Evaluation
from rlcores.train.spaces import look, make
from rlcores_lab import shown
from rlcores_lab.study import runs, statistics

KEPT = Path(__file__).with_name("memr.jsonl")
PAGE = Path("docs") / "memr_study.md"
SEEDS = 5
LOOK, CONFIRM = 5, 20  # episodes of an evaluation, and of the proof that a goal is reached
BASE, OURS = "sac", "memr"


@dataclass(frozen=True)
class MemrTask:
    """An environment, and with what all ways learn it."""

    goal: float  # return that counts as learned
    steps: int  # at most
    scale: tuple[float, ...]  # of states
    ends: str = "never"  # known to the model: "never", or "angle" beyond 0.2
    starts: int = 500  # random steps
    every: int = 250  # steps from one evaluation to the next, and from one training of the model to the next
    gamma: float = 0.98
    network: tuple[int, ...] = (64, 64)
    learning_rate: float = 1e-3
    batch: int = 64


@dataclass(frozen=True)
class Way:
    """How SAC gets its batches. updates: gradient steps per environment step."""

    model: bool = False
    updates: int = 1
    alpha: float = 0.6
    beta: float = 0.4
    rollouts: int = 128  # per environment step: a segment
    size: int = 20_000  # transitions of the model's data
    members: int = 5
    fits: int = 150  # gradient steps of each member, each time that the model is trained


TASKS = {
    "Pendulum-v1": MemrTask(-200.0, 6000, (1.0, 1.0, 0.125)),
    "InvertedPendulum-v5": MemrTask(900.0, 10_000, (1.0, 1.0, 0.3, 0.3), ends="angle", gamma=0.99),
}
_MEMR = Way(model=True, updates=5)
WAYS = {
    BASE: Way(),
    "sac, 5 updates": Way(updates=5),
    OURS: _MEMR,
    "memr, alpha 0": replace(_MEMR, alpha=0.0),
    "memr, alpha 0.2": replace(_MEMR, alpha=0.2),
    "memr, alpha 1": replace(_MEMR, alpha=1.0),
    "memr, 2,000 transitions": replace(_MEMR, size=2_000),
    "memr, 100,000 transitions": replace(_MEMR, size=100_000),
    "memr, 1 update": replace(_MEMR, updates=1),
    "memr, 10 updates": replace(_MEMR, updates=10),
}
BOTH = tuple(WAYS)[:3]  # ways of every task; the others, the ablations, are of the first

Job = tuple[str, str, int]  # environment, way, seed


@dataclass
class Run:
    """What a run gave. goal_steps: environment steps when the goal was reached; 0: it was not."""

    environment: str
    way: str
    seed: int
    steps: int = 0
    updates: int = 0
    goal_steps: int = 0
    best: float = -math.inf  # mean return of an evaluation
    curve: list[list[float]] = field(default_factory=list)  # [step, mean return of LOOK greedy episodes]
    model_error: list[list[float]] = field(default_factory=list)  # [step, mean square on new steps, of variance 1]
    seconds: float = 0.0  # of the processor
    settings: str = ""
    commit: str = ""


def plan(seeds: int = SEEDS, environments: Iterable[str] | None = None) -> list[Job]:
    """All runs, a seed of everything before the next one."""
    first = next(iter(TASKS))
    chosen = list(environments or TASKS)
    return [
        (environment, way, seed)
        for seed in range(seeds)
        for environment in chosen
        for way in WAYS
        if environment == first or way in BOTH
    ]


def one(job: Job, file: Path = KEPT) -> Run:
    """The run of a job: the one that is kept, else made and kept."""
    have = {(run.environment, run.way, run.seed): run for run in kept(file)}
    if job not in have:
        have[job] = train(*job)
        runs.add(file, have[job])
    return have[job]


def kept(file: Path = KEPT) -> list[Run]:
    """The runs that are kept and were made with the present settings."""
    return [run for run in runs.lines(file, Run) if run.settings == fingerprint(run.environment, run.way)]


def fingerprint(environment: str, way: str) -> str:
    """Of a run's settings; of a task or way that is not there any more, an empty text."""
    return runs.fingerprint((TASKS[environment], WAYS[way])) if environment in TASKS and way in WAYS else ""


class Density:
    """pi_psi: a diagonal Gaussian of actions given states, fitted online by maximum likelihood (float32, Adam)."""

    def __init__(self, states: int, actions: int, seed: int) -> None:
        self.actions = actions
        self._net = FloatNetwork((states, 64, 2 * actions), np.float32)
        self._net.initialise(np.random.default_rng(seed))
        self._optimiser = Optimiser(self._net.theta.size, np.float32, FloatSettings(adam_epsilon=1e-8), 1e-3)
        self._gradient = np.zeros_like(self._net.theta)

    def fit(self, states: np.ndarray, actions: np.ndarray, steps: int = 3) -> None:
        """Gradient steps on states (B, N_s) and actions (B, N_a)."""
        for _ in range(steps):
            vectors = self._net.forward(states.astype(np.float32))
            mean, log_std, inside = self._of(vectors[-1])
            z = (actions - mean) * np.exp(-log_std)
            delta = np.concatenate([-z * np.exp(-log_std), np.where(inside, 1 - z * z, 0)], axis=1) / len(states)
            self._net.backward(vectors, delta.astype(np.float32), self._gradient)
            self._optimiser.step(self._net.theta, self._gradient)

    def priority(self, states: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Equation 3.7 of B states and actions, summed over the actions' numbers: 0 or more."""
        mean, log_std, _ = self._of(self._net.output(states.astype(np.float32)))
        return (((actions - mean) * np.exp(-log_std)) ** 2 / 2).sum(axis=1)

    def _of(self, outputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        mean, log_std = np.split(outputs, 2, axis=1)
        return mean, np.clip(log_std, *LOG_STD), (log_std > LOG_STD[0]) & (log_std < LOG_STD[1])


class Model:
    """An ensemble of regressions: change of the state and reward, both in deviations of what was seen at first."""

    def __init__(self, states: int, actions: int, members: int, network: tuple[int, ...], seed: int) -> None:
        settings = regression.RegressionSettings(network, 1e-3)
        self.members = [
            regression.Regression(states + actions, states + 1, settings, seed=seed * 64 + n) for n in range(members)
        ]
        self._scale: tuple[np.ndarray, np.ndarray] | None = None

    def fit(self, x: np.ndarray, y: np.ndarray, steps: int, batch: int, rng: np.random.Generator) -> None:
        """`steps` gradient steps of each member on its own batches of inputs (N, …) and changes with rewards (N, …)."""
        if self._scale is None:
            spread = y.std(axis=0)
            self._scale = y.mean(axis=0), np.where(spread > 1e-6, spread, 1.0)
        middle, spread = self._scale
        for member in self.members:
            for _ in range(steps):
                chosen = rng.integers(0, len(x), batch)
                member.step(x[chosen], (y[chosen] - middle) / spread)

    def error(self, x: np.ndarray, y: np.ndarray) -> float:
        """Mean square error of the ensemble's mean, in squares of deviations; NaN before the first fit()."""
        if self._scale is None or not len(x):
            return math.nan
        middle, spread = self._scale
        predictions = np.mean([member(x) for member in self.members], axis=0)
        return float(np.mean((predictions - (y - middle) / spread) ** 2))

    def __call__(self, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Change of the state and reward (B, N_s + 1), each row by a member drawn for it."""
        middle, spread = self._scale
        chosen, predictions = rng.integers(0, len(self.members), len(x)), np.empty((len(x), len(middle)))
        for n, member in enumerate(self.members):
            mine = chosen == n
            if mine.any():
                predictions[mine] = member(x[mine])
        return predictions * spread + middle


class Segments:
    """The model's data: a segment for each environment step, the oldest out first."""

    def __init__(self, size: int, rollouts: int) -> None:
        self._kept: deque[TransitionBatch] = deque(maxlen=max(size // rollouts, 1))

    def __len__(self) -> int:
        return sum(map(len, self._kept))

    def add(self, segment: TransitionBatch) -> None:
        """Rollouts of one step."""
        self._kept.append(segment)

    def sample(self, count: int, rng: np.random.Generator) -> TransitionBatch:
        """A segment, uniformly, and `count` of its transitions, uniformly."""
        segment = self._kept[rng.integers(0, len(self._kept))]
        chosen = rng.integers(0, len(segment), count)
        return TransitionBatch(*(getattr(segment, one.name)[chosen] for one in fields(TransitionBatch)))


class Learning:
    """One run."""

    def __init__(self, environment: str, way: str, seed: int) -> None:
        """Raises UserError when the environment is not installed."""
        self.task, self.way, self.seed = TASKS[environment], WAYS[way], seed
        task, spaces = self.task, look(environment)
        self._spaces, states, actions = spaces, spaces.state_size, spaces.action_size
        sac_settings = sac.SacSettings(network=task.network, learning_rate=task.learning_rate)
        self.learner = sac.Sac(states, actions, sac_settings, seed=seed)
        self._rng = np.random.default_rng([seed, 1])
        self._environment = make(environment, None)
        self._scale = np.array(task.scale)
        self._evaluation = Evaluation(environment, self._scale.astype(np.float32))
        self._x, self._next = np.zeros((2, task.steps, states))
        self._a, self._r = np.zeros((task.steps, actions)), np.zeros(task.steps)
        self._over = np.zeros(task.steps, bool)
        self._episodes = 0
        if self.way.model:
            w = self.way
            self.density, self.segments = Density(states, actions, seed), Segments(w.size, w.rollouts)
            self.model = Model(states, actions, w.members, task.network, seed)
            self.sampler = PrioritizedSampler(task.steps, alpha=w.alpha, beta=w.beta, batch_size=w.rollouts, seed=seed)

    def run(self, made: Run) -> None:
        """Until the goal is reached, or all steps are made; into `made`."""
        task, state = self.task, self._reset()
        for t in range(task.steps):
            random = t < task.starts
            action = self._rng.uniform(-1, 1, self._spaces.action_size) if random else self._act(state[None])[0]
            seen, reward, over, cut, _ = self._environment.step(self._spaces.to_environment(action[None])[0])
            following = np.asarray(seen) * self._scale
            self._x[t], self._a[t], self._r[t] = state, action, reward
            self._next[t], self._over[t] = following, over
            if self.way.model:
                self.sampler.add(td_errors=self.density.priority(state[None], action[None]))
            state = self._reset() if over or cut else following
            made.steps = t + 1
            if t + 1 >= task.starts:
                self._learn(made)
            if made.steps % task.every == 0 and made.steps > task.starts:
                returns = self._returns(LOOK, LOOK_SEED)
                made.curve.append([float(made.steps), returns])
                made.best = max(made.best, returns)
                if returns >= task.goal and self._returns(CONFIRM, CHOICE_SEED) >= task.goal:
                    made.goal_steps = made.steps
                    break
        made.updates = self.learner.steps

    def _learn(self, made: Run) -> None:
        task, way, count = self.task, self.way, made.steps
        if way.model:
            x, y = np.concatenate([self._x, self._a], axis=1), np.column_stack([self._next - self._x, self._r])
            if (count - task.starts) % task.every == 0:
                new = slice(count - task.every, count)
                error = self.model.error(x[new], y[new])
                if math.isfinite(error):
                    made.model_error.append([float(count), error])
                self.model.fit(x[:count], y[:count], way.fits, 2 * task.batch, self._rng)
            self.segments.add(self._rollouts())
        for _ in range(way.updates):
            if way.model:
                batch = self.segments.sample(task.batch, self._rng)
            else:
                n = self._rng.integers(0, count, task.batch)
                discounts = task.gamma * ~self._over[n]
                batch = TransitionBatch(
                    self._x[n], self._a[n], self._r[n], self._next[n], discounts, np.ones(task.batch)
                )
            self.learner.step(batch)

    def _rollouts(self) -> TransitionBatch:
        """A step of the model from each of the states that the sum tree draws; their priorities follow."""
        drawn = self.sampler.sample()
        states = self._x[drawn.indices]
        actions = self._act(states)
        predictions = self.model(np.concatenate([states, actions], axis=1), self._rng)
        following = states + predictions[:, :-1]
        self.density.fit(states, actions)
        self.sampler.update(drawn.indices, self.density.priority(states, actions), drawn.generations)
        over = np.zeros(len(states), bool)
        if self.task.ends == "angle":
            over = np.abs(following[:, 1] / self._scale[1]) > 0.2
        discounts = self.task.gamma * ~over
        return TransitionBatch(
            states, actions, predictions[:, -1], following, discounts, drawn.weights.astype(np.float64)
        )

    def _act(self, states: np.ndarray) -> np.ndarray:
        """Actions that the present policy draws, in -1 … 1."""
        mean, log_std = np.split(self.learner.policy()(states), 2, axis=1)
        return np.tanh(mean + np.exp(np.clip(log_std, *LOG_STD)) * self._rng.standard_normal(mean.shape))

    def _returns(self, episodes: int, seed: int) -> float:
        policy = self.learner.policy()

        def act(states: np.ndarray) -> np.ndarray:
            return self._spaces.to_environment(np.tanh(policy(states)[:, : self._spaces.action_size]))

        return float(self._evaluation(act, episodes, seed).mean())

    def _reset(self) -> np.ndarray:
        self._episodes += 1
        return np.asarray(self._environment.reset(seed=self.seed * 100_000 + self._episodes)[0]) * self._scale


def train(environment: str, way: str, seed: int) -> Run:
    """One run. Raises UserError when the environment is not installed."""
    begun = time.process_time()
    made = Run(environment, way, seed, settings=fingerprint(environment, way), commit=runs.commit())
    Learning(environment, way, seed).run(made)
    made.seconds = round(time.process_time() - begun, 1)
    return made


@dataclass(frozen=True)
class Line:
    """An environment learned in a way, over its seeds.

    steps: mean environment steps to the goal, with half of its 95 % interval; a seed that did not reach it counts with
    all its steps, so the mean is a least one where reached < seeds. share: the mean over seeds of the steps over those
    of SAC of that seed, likewise.
    """

    environment: str
    way: str
    seeds: int
    reached: int
    steps: tuple[float, float]
    share: tuple[float, float]
    updates: float


def lines(runs: Sequence[Run]) -> list[Line]:
    """A line an environment and way, in the order of the plan; of the seeds that SAC has too."""
    by = {(run.environment, run.way, run.seed): run for run in runs}
    result = []
    for environment in TASKS:
        for way in WAYS:
            seeds = sorted(k[2] for k in by if k[:2] == (environment, way) and (environment, BASE, k[2]) in by)
            if not seeds:
                continue
            own, base = ([by[environment, name, seed] for seed in seeds] for name in (way, BASE))
            shares = [a.steps / b.steps for a, b in zip(own, base, strict=True)]
            steps, share = (statistics.interval(x) for x in ([float(run.steps) for run in own], shares))
            reached = sum(run.goal_steps > 0 for run in own)
            result.append(
                Line(environment, way, len(own), reached, steps, share, float(np.mean([r.updates for r in own])))
            )
    return result


def table(runs: Sequence[Run]) -> list[tuple[str, ...]]:
    """A header and a row for each line."""
    rows = [("environment", "way", "seeds", "reach the goal", "environment steps", "share of SAC's", "gradient steps")]
    for line in lines(runs):
        middle, half = line.steps
        steps = f"{middle:,.0f}" + (f" ± {half:,.0f}" if math.isfinite(half) else "")
        share, about = line.share
        least = "≥ " if line.reached < line.seeds else ""
        shares = "" if line.way == BASE else f"{share:.2f}" + (f" ± {about:.2f}" if math.isfinite(about) else "")
        rows.append((
            line.environment, line.way, str(line.seeds), str(line.reached), least + steps, shares,
            f"{line.updates:,.0f}",
        ))  # fmt: skip
    return rows


def reading(runs: Sequence[Run]) -> str:
    """What the lines of both tasks show of the issue's question, in sentences."""
    known = {(line.environment, line.way): line for line in lines(runs)}
    sentences = []
    for environment in TASKS:
        base, ours, often = (known.get((environment, way)) for way in BOTH[:1] + BOTH[2:] + BOTH[1:2])
        if base is None or ours is None:
            continue
        share = ours.steps[0] / base.steps[0]
        at_least = ", which is a most, because SAC did not always reach it" if base.reached < base.seeds else ""
        words = "at most half" if share <= 0.5 else "more than half"
        text = f"On {environment} MEMR took {share:.2f} of SAC's environment steps to the goal, {words}{at_least}."
        if often is not None:
            text += f" SAC with as many gradient steps as MEMR and no model took {often.steps[0] / base.steps[0]:.2f}."
        sentences.append(text)
    return " ".join(sentences) or "No task has runs of both yet."


def figures(runs: Sequence[Run]) -> list[report.Figure]:
    """Of each line."""
    listed = []
    for line in lines(runs):
        way = line.way.replace(",", "").replace(" ", "_")
        name = f"memr.{line.environment.partition('-')[0].lower()}.{way}"
        listed += [
            report.Figure(f"{name}.steps", round(line.steps[0], 1), "environment steps", "measured"),
            report.Figure(f"{name}.reached", line.reached, "seeds", "measured"),
            report.Figure(f"{name}.seeds", line.seeds, "seeds", "measured"),
            report.Figure(f"{name}.share", round(line.share[0], 6), "of SAC's steps", "measured"),
        ]
    return listed


def outputs() -> dict[Path, str]:
    """The page, from the root, and its text."""
    runs = kept()
    text = shown.rendered(
        "study/memr.md.j2", table=shown.markdown(table(runs)), count=len(runs), planned=len(plan()),
        reading=reading(runs), seeds=SEEDS, ours=WAYS[OURS], tasks=TASKS,
        seconds=f"{sum(run.seconds for run in runs) / max(len(runs), 1):.0f}",
    )  # fmt: skip
    return {PAGE: text}
