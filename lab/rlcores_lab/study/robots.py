"""HEPPO's experiments on the paper's kind of task, robots and a game: hours of runs, each kept in this repository.

On MuJoCo's robots PPO is the one of `rlcores train` with the settings of CleanRL and Stable-Baselines3 (heppo.yaml),
and observations standardised by all that were seen so far. Rewards are the environment's: what is made of them is the
experiment. The game is games.py's. A run that is there is never made again, so a study that was stopped goes on where
it was.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path

import numpy as np

from rlcores.errors import UserError
from rlcores.native import floats
from rlcores.train import settings
from rlcores.train.actor import Rollout, RoundRequest
from rlcores.train.algorithms.algorithm import tuples
from rlcores.train.algorithms.ppo import PpoRunSettings as Ppo
from rlcores.train.ppo import PpoTrainer
from rlcores.train.spaces import Spaces, look, make
from rlcores_lab.study import games, runs
from rlcores_lab.study.heppo import BITS, EXPERIMENTS, GIVEN, PAPER_BITS, source

KEPT = Path(__file__).with_name("heppo_robots.jsonl")
ENVIRONMENTS: dict[str, int] = GIVEN["robots"]["steps"] | games.STEPS  # and the steps of a run
SWEPT: dict[str, int] = GIVEN["robots"]["bits"]  # where the bits are varied, and the steps of those runs
PPO = Ppo(**tuples(GIVEN["robots"]["ppo"]))
ENVS: int = GIVEN["robots"]["envs"]
# 2s is not of the paper.
PAPER = tuple(name for name in EXPERIMENTS if name.isdigit())
POINTS = 50  # of a curve
FINAL = 0.2  # share of the steps, at the end, whose episodes count as what was learned
LOOKS = 6  # at the values of a run, from its first rollout to its last
QUANTILES = (5, 25, 50, 75, 95)  # percent
_CLIP, _TINY = 10.0, 1e-8  # of a standardised observation; in its variance
_ACTIONS, _EPISODES = 1, 2  # what a stream of random numbers is for

Job = tuple[str, str, int | None, int, int]  # environment, experiment, bits, seed, steps


@dataclass
class Run:
    """What a run gave: returns are undiscounted sums of raw rewards of training episodes."""

    environment: str
    experiment: str
    bits: int | None  # None: not quantised
    seed: int
    steps: int
    commit: str = ""
    versions: str = ""  # of gymnasium and MuJoCo
    final: float = float("nan")  # mean over the episodes that ended in the last FINAL of the steps
    mean: float = float("nan")  # mean over the curve: how fast it was learned
    curve: list[list[float]] = field(default_factory=list)  # [step, mean return of the episodes since the last point]
    # [step, of each environment the QUANTILES of the critic's values over its part of the rollout]
    values: list[list] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)  # of processor time: environment, acting, learning
    settings: str = ""


class Standardised:
    """Observations by mean and deviation of all so far, clipped at ±10 deviations, as CleanRL and SB3 have them."""

    def __init__(self, size: int) -> None:
        self.count, self.mean, self.squares = 0, np.zeros(size), np.zeros(size)

    def see(self, x: np.ndarray) -> None:
        """Observations (N, N_s) more: the moments of both together, by Chan et al. (1979)."""
        count, mean = self.count + len(x), x.mean(0)
        off = mean - self.mean
        self.squares += ((x - mean) ** 2).sum(0) + off * off * (self.count * len(x) / count)
        self.mean += off * (len(x) / count)
        self.count = count

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Of (…, N_s), float32."""
        deviation = np.sqrt(self.squares / max(self.count, 1) + _TINY)
        return np.clip((x - self.mean) / deviation, -_CLIP, _CLIP).astype(np.float32)


class Robots:
    """Environments side by side under a Gaussian policy; an episode that ends restarts."""

    def __init__(self, environment: str, spaces: Spaces, seed: int, count: int = ENVS) -> None:
        """Raises UserError when the environment does not exist, or MuJoCo is not installed."""
        # Their own steps, without the wrappers that check each of them; the limit of an episode is kept here.
        self._made = [make(environment).unwrapped for _ in range(count)]
        self._spaces, self._seed, self._most = spaces, seed, spaces.max_steps or 1 << 62
        self._lengths, self._totals, self._begun = np.zeros(count, int), np.zeros(count), np.zeros(count, int)
        self._seen = np.array([self._reset(n) for n in range(count)])
        self.standardised = Standardised(spaces.state_size)
        self.standardised.see(self._seen)
        self.seconds = 0.0  # of processor time that the environments took

    def _reset(self, n: int) -> np.ndarray:
        stream = np.random.SeedSequence([self._seed, _EPISODES, n, self._begun[n]])
        self._lengths[n], self._totals[n] = 0, 0.0
        self._begun[n] += 1
        return self._made[n].reset(seed=int(stream.generate_state(1)[0]) >> 1)[0]

    def collect(self, order: RoundRequest) -> Rollout:
        """The round of an order, as rlcores.train.actor.Actor has it; `following` is there where it is needed."""
        steps, count, size = order.steps, len(self._made), self._spaces.state_size
        states, following = np.zeros((2, steps, count, size), np.float32)
        actions = np.zeros((steps, count, self._spaces.action_size), np.float32)
        rewards, (terminated, truncated) = np.zeros((steps, count)), np.zeros((2, steps, count), bool)
        draws = np.random.default_rng([self._seed, _ACTIONS, order.number])
        noise = floats.normal(floats.uniform(draws, actions.shape)) * order.deviation
        ended = []
        for t in range(steps):
            states[t] = self.standardised(self._seen)
            actions[t] = order.policy(states[t]) + noise[t]
            env_actions = self._spaces.to_environment(actions[t])
            begun, over = time.process_time(), []
            for n, env in enumerate(self._made):
                self._seen[n], rewards[t, n], terminated[t, n], _, _ = env.step(env_actions[n])
                self._lengths[n] += 1
                self._totals[n] += rewards[t, n]
                truncated[t, n] = self._lengths[n] >= self._most and not terminated[t, n]
                if terminated[t, n] or truncated[t, n]:
                    over.append((n, self._seen[n].copy()))
                    ended.append((t, n, self._totals[n], self._lengths[n]))
                    self._seen[n] = self._reset(n)
            self.seconds += time.process_time() - begun
            for n, last in over:
                following[t, n] = self.standardised(last)
            self.standardised.see(self._seen)
        last, ended = self.standardised(self._seen), np.array(ended, np.float64).reshape(-1, 4)
        return Rollout(states, actions, rewards, following, terminated, truncated, last, ended)


def run(job: Job, said: Callable[[float], object] = lambda share: None) -> Run:
    """Train once; `said` is called with the share that is done. Raises UserError for what is not in the study."""
    environment, experiment, bits, seed, steps = job
    packages = games.PACKAGES if environment in games.STEPS else ("gymnasium", "mujoco")
    if environment not in games.STEPS:
        _check(environment)
    result = Run(environment, experiment, bits, seed, steps, runs.commit(), settings=fingerprint(job))
    if environment in games.STEPS:
        ended, step, result.seconds = games.train(environment, experiment, bits, seed, steps, said)
    else:
        ended, step, result.seconds = _train(job, said, result.values)
    result.versions = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    result.curve = runs.curve(np.array(ended).reshape(-1, 2), step, POINTS)
    tail = [total for at, total in ended if at > step * (1 - FINAL)]
    result.final = float(np.mean(tail or [total for _, total in ended[-ENVS:]]))
    result.mean = float(np.mean([y for _, y in result.curve]))
    return result


def _train(job: Job, said: Callable[[float], object], looks: list) -> tuple[list, int, dict[str, float]]:
    """(step, return) of the episodes that ended, the steps done, processor time by part; values go into `looks`."""
    environment, experiment, bits, seed, steps = job
    spaces = look(environment)
    plan = settings.plan("ppo", environment, "native", spaces, seed=seed, steps=steps, envs=ENVS)
    plan = replace(plan, settings=PPO, round_steps=PPO.rollout)
    trainer = PpoTrainer(plan, spaces, source=source(EXPERIMENTS[experiment], bits, PPO, ENVS, "native"))
    robots, ended, step, begun, acting = Robots(environment, spaces, seed), [], 0, time.process_time(), 0.0
    rounds = -(-steps // (PPO.rollout * ENVS))
    looked_at = set(np.linspace(0, rounds - 1, LOOKS).round().astype(int)) if seed == 0 else ()
    for number in range(rounds):
        clock = time.process_time()
        seen = robots.collect(trainer.order(number, step))
        acting += time.process_time() - clock
        ended += [(step + ENVS * (t + 1), total) for t, _, total, _ in seen.episodes]
        if number in looked_at:
            values = trainer.networks.values(seen.states.reshape(-1, spaces.state_size)).reshape(-1, ENVS)
            looks.append([step, np.percentile(values, QUANTILES, axis=0).T.tolist()])
        step += seen.rewards.size
        trainer.learn(seen, step)
        said((number + 1) / rounds)
    spent = time.process_time() - begun
    parts = {"environment": robots.seconds, "acting": acting - robots.seconds, "learning": spent - acting}
    return ended, step, parts


def _check(environment: str) -> None:
    if environment not in ENVIRONMENTS:
        raise UserError(f"there is no robot '{environment}' in the study; robots: {', '.join(ENVIRONMENTS)}")
    try:
        metadata.version("mujoco")
    except metadata.PackageNotFoundError:
        raise UserError(f"{environment} needs MuJoCo, which is not installed: `uv sync --extra mujoco`") from None


# --- many runs ---


def fingerprint(job: Job) -> str:
    """Changes with everything that a run depends on."""
    environment, experiment, bits, seed, steps = job
    own = (repr(games.SETTINGS),) if environment in games.STEPS else (PPO, ENVS)
    return runs.fingerprint((environment, EXPERIMENTS[experiment], bits, seed, steps, *own))


def plan(seeds: int, environments: Iterable[str], steps: int | None = None, bits: bool = True) -> list[Job]:
    """The runs, seed by seed: all that there is after the first seed has every experiment.

    steps: of a run, instead of the study's.
    """
    jobs: list[Job] = []
    for seed in range(seeds):
        for environment in environments:
            most = steps or ENVIRONMENTS[environment]
            jobs += [(environment, e, PAPER_BITS if EXPERIMENTS[e].quantised else None, seed, most) for e in PAPER]
        for environment in environments if bits else ():
            if environment in SWEPT:
                jobs += [(environment, "5", b, seed, steps or SWEPT[environment]) for b in BITS]
    return list(dict.fromkeys(jobs))


def kept(file: Path = KEPT) -> list[Run]:
    """Every run of a file that has the present settings. Raises UserError for a line that is no run."""
    results = runs.lines(file, Run)
    return [one for one in results if one.experiment in EXPERIMENTS and one.settings == fingerprint(job_of(one))]


def job_of(one: Run) -> Job:
    """The job that a run did."""
    return one.environment, one.experiment, one.bits, one.seed, one.steps


def all_of(
    jobs: Sequence[Job], done: Callable[[Run], object], said: Callable[[Job, float], object], file: Path = KEPT
) -> list[Run]:
    """The runs of these jobs: those that are kept, the others made and kept one by one."""
    have = {job_of(one): one for one in kept(file)}
    results = []
    for job in jobs:
        if job not in have:
            have[job] = run(job, lambda share, job=job: said(job, share))
            runs.add(file, have[job])
        results.append(have[job])
        done(have[job])
    return results
