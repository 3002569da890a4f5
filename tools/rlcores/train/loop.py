"""A run: rounds of acting and learning, evaluation, best weights, checkpoint."""

import hashlib
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlcores.base import files
from rlcores.base.states import add_prefix, strip_prefix
from rlcores.cores.learner.policy import Policy
from rlcores.errors import RunFailed, UserError
from rlcores.train import policies
from rlcores.train.actor import Rollout
from rlcores.train.evaluation import (
    CHOICE,
    CHOICE_SEED,
    GOAL,
    GOAL_SEED,
    LOOK,
    LOOK_SEED,
    REPORT_SEED,
    Evaluation,
    beyond_chance,
)
from rlcores.train.folder import Folder
from rlcores.train.policies import FloatPolicy, greedy
from rlcores.train.pool import Pool
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces
from rlcores.train.trainer import Trainer

_RECENT = 100  # episodes of training whose mean return is shown
_SAVE_SECONDS = 60.0


class Callback:
    """Methods that are called during a run; those of the base class do nothing."""

    def progress(self, run: "Run", seen: Rollout) -> None:
        """After every round, and what actors saw in it."""

    def evaluated(self, run: "Run", row: list[Any]) -> None:
        """After an evaluation; row: of folder.COLUMNS."""


@dataclass
class State:
    """What a run knows beside the learner; all of it is in the checkpoint."""

    step: int = 0  # environment steps that were learned from
    rounds: int = 0  # rounds that actors have begun
    episodes: int = 0
    best: float = -math.inf  # of the best policy, the mean of the evaluation that chose it
    best_step: int = 0
    sure: float = -math.inf  # the return that the best policy has beyond chance, if its mean was at the goal
    seconds: float = 0.0
    digest: str = ""  # of the weights after every round so far
    recent: list[float] = field(default_factory=list)
    curve: list[list[Any]] = field(default_factory=list)  # rows of folder.COLUMNS


class Run:
    """One run, from its beginning or from a checkpoint."""

    def __init__(self, plan: Plan, spaces: Spaces, trainer: Trainer, pool: Pool, folder: Folder | None) -> None:
        """Nothing is written before run(), and without a folder nothing at all."""
        self.plan, self.spaces, self.trainer, self.folder = plan, spaces, trainer, folder
        self.state = State()
        self.best = trainer.policy()
        self.stop = threading.Event()  # ends the run after the present round
        self.same = True  # every environment came back from the checkpoint
        self.learning = 0.0  # seconds of the learner in this session
        self._pool = pool
        self._seen: Rollout | None = None
        self._scale = np.array(plan.state_scale, np.float32)
        self._evaluation = Evaluation(plan.environment, self._scale)
        self._begun = self._saved = time.perf_counter()

    @property
    def done(self) -> bool:
        """All steps are made, or the goal is reached."""
        return self.state.step >= self.plan.steps or self.reached

    @property
    def reached(self) -> bool:
        """The best policy has reached the goal, beyond chance."""
        return self.state.sure >= self.plan.until

    @property
    def seconds(self) -> float:
        """Of all sessions."""
        return self.state.seconds + time.perf_counter() - self._begun

    def run(self, watch: Callback | None = None) -> None:
        """Until the run is done or `stop` is set; ends with a checkpoint. Raises UserError and RunFailed of actors."""
        watch = watch or Callback()
        if not self.state.digest:
            # Actors first: they say more exactly what is wrong with an environment than an evaluation can. And then
            # the first checkpoint, before any other file.
            if self._seen is None:
                self._start()
                self._seen = self._pool.finish()
            self.save()
            self._digest()
            if self.plan.evaluate_every:
                self._evaluate(watch)
        elif self.state.best >= self.plan.until and not self.reached:  # the goal is another one now
            self.state.sure = beyond_chance(self._returns(self.best, GOAL, GOAL_SEED))
        while not self.done and not self.stop.is_set():
            self._round(watch)
            if time.perf_counter() - self._saved > _SAVE_SECONDS:
                self.save()
        self.save()

    def _round(self, watch: Callback) -> None:
        state, trainer = self.state, self.trainer
        seen = self._seen
        if seen is None:
            self._start()
            seen = self._pool.finish()
        self._seen = None
        before, state.step = state.step, state.step + seen.rewards.size
        # Actors continue with the present weights while this round is learned from.
        going = trainer.ahead and state.step < self.plan.steps
        if going:
            self._start(state.step)
        begun = time.perf_counter()
        trainer.learn(seen, state.step)
        self.learning += time.perf_counter() - begun
        self._digest()
        state.episodes += len(seen.episodes)
        state.recent = (state.recent + seen.episodes[:, 2].tolist())[-_RECENT:]
        every = self.plan.evaluate_every
        if every and (state.step // every > before // every or state.step >= self.plan.steps):
            self._evaluate(watch)
        if going:
            self._seen = self._pool.finish()
        watch.progress(self, seen)

    def _start(self, step: int | None = None) -> None:
        state = self.state
        self._pool.start(self.trainer.order(state.rounds, state.step if step is None else step))
        state.rounds += 1

    def evaluate(self, policy: Policy | FloatPolicy, episodes: int, seed: int) -> float:
        """Mean return of `episodes` greedy episodes."""
        return float(self._returns(policy, episodes, seed).mean())

    def _returns(self, policy: Policy | FloatPolicy, episodes: int, seed: int) -> np.ndarray:
        def act(states: np.ndarray) -> np.ndarray:
            return self.spaces.to_environment(greedy(self.trainer.kind, policy, states.astype(np.float32)))

        try:
            returns = self._evaluation(act, episodes, seed)
        except ValueError as error:
            raise UserError(f"{self.plan.environment} cannot be evaluated: {error}") from error
        if not np.isfinite(returns).all():
            worst = returns[~np.isfinite(returns)][0]
            raise UserError(f"{self.plan.environment} gave the return {worst}; rewards must be finite numbers")
        return returns

    def report(self) -> float:
        """Mean return of the best policy, over episodes that neither training nor choice has seen."""
        return self.evaluate(self.best, self.plan.report, REPORT_SEED)

    def _evaluate(self, watch: Callback) -> None:
        state, policy = self.state, self.trainer.policy()
        eval_10, eval_50, sure = self.evaluate(policy, LOOK, LOOK_SEED), None, -math.inf
        if eval_10 > state.best and eval_10 >= self.plan.promising:
            # Ten lucky episodes do not make a best policy.
            eval_50 = self.evaluate(policy, CHOICE, CHOICE_SEED)
            if eval_50 >= self.plan.until:
                # The episodes that chose a policy flatter it, so those that end the run are others.
                returns = self._returns(policy, GOAL, GOAL_SEED)
                eval_50, sure = min(eval_50, float(returns.mean())), beyond_chance(returns)
        mean = eval_10 if eval_50 is None else eval_50
        if mean > state.best or sure >= self.plan.until:
            state.best, state.best_step, state.sure, self.best = mean, state.step, sure, policy
            if self.folder:
                about = {"step": state.step, "mean": mean, "environment": self.plan.environment, "algo": self.plan.algo}
                self.folder.save_best(policy.layers(), about | self._description(policy))
        recent = float(np.mean(state.recent)) if state.recent else None
        row = [state.step, self.trainer.updates, state.episodes, recent, eval_10, eval_50, state.digest[:16]]
        state.curve.append(row)
        watch.evaluated(self, row)

    def _description(self, policy: Policy | FloatPolicy) -> dict[str, Any]:
        """What acting with the layers of a policy needs besides them."""
        spaces, described = self.spaces, policies.description(self.trainer.kind, policy)
        if spaces.actions is None:
            described |= {"low": list(spaces.low), "high": list(spaces.high)}
        else:
            described |= {"first_action": spaces.first_action}
        return described | {"state_scale": list(self.plan.state_scale)}

    def _digest(self) -> None:
        text = hashlib.sha256(self.state.digest.encode())
        for array in self.trainer.weights():
            text.update(np.ascontiguousarray(array).tobytes())
        self.state.digest = text.hexdigest()

    # --- checkpoint ---

    def save(self) -> None:
        """Write checkpoint and curve."""
        if self.folder is None:
            return
        state = vars(self.state) | {
            "seconds": self.seconds,
            **{name: _text(getattr(self.state, name)) for name in ("best", "sure")},
        }
        self.folder.save(self.plan, state, self._arrays(self.trainer.checkpoint(), self._seen))
        self.folder.write_curve(self.state.curve)
        self._saved = time.perf_counter()

    def _arrays(self, trainer: Mapping[str, np.ndarray], seen: Rollout | None) -> dict[str, np.ndarray]:
        """All that a checkpoint holds, by name."""
        arrays = add_prefix("trainer", trainer)
        for n, episode in enumerate(self._pool.checkpoint()):
            arrays |= add_prefix(f"actor.{n}", episode)
        if seen is not None:
            arrays |= add_prefix("seen", seen.arrays())
        return arrays | {"best.weights": self.best.weights}

    def restore(self, state: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Go on where the run was whose checkpoint this is.

        Raises UserError when it is one of another shape, or holds what no run could have written.
        """
        try:
            self._restore(state, arrays)
        except (UserError, RunFailed):
            raise
        except Exception as error:
            # What is inside the parts is theirs; whatever they stumble over was not written by them.
            self._damaged(files.reason(error), error)

    def _restore(self, state: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._check(arrays)
        seen = strip_prefix(arrays, "seen")
        best = replace(self.best, weights=arrays["best.weights"])
        numbers = {name: float(state[name]) for name in ("best", "sure") if name in state}
        self.state = State(**(state | numbers))
        self.trainer.restore(strip_prefix(arrays, "trainer"))
        self.same = self._pool.restore([strip_prefix(arrays, f"actor.{n}") for n in range(self.plan.envs)])
        self._seen = Rollout(**seen) if seen else None
        self.best = best

    def _check(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Arrays must have the names, shapes and kinds of those that this run would write, and possible numbers."""
        plan, spaces = self.plan, self.spaces
        # What is not looked at here looks for itself.
        trainer = strip_prefix(arrays, "trainer") if self.trainer.looks else self.trainer.checkpoint()
        seen = any(name.startswith("seen.") for name in arrays)
        blank = Rollout.blank(
            plan.round_steps, plan.envs, spaces, getattr(plan.settings, "first_priority", "") == "actor"
        )
        wanted = self._arrays(trainer, (blank.summary() if self._pool.puts else blank) if seen else None)
        for name in sorted(set(arrays) ^ set(wanted)):
            self._damaged(f"{'it has no' if name in wanted else 'nothing is called'} '{name[:40]}'")
        for name, array in arrays.items():
            shape, kind = wanted[name].shape, wanted[name].dtype.kind
            if name == "seen.episodes" or (name.startswith("actor.") and name.endswith(".actions")):
                shape = (len(array) if array.ndim else 0, *shape[1:])
            if array.shape != shape:
                was, must = ("x".join(map(str, s)) or "a number" for s in (array.shape, shape))
                short = name.removeprefix("trainer.")
                raise UserError(
                    f"the checkpoint in '{self.folder.path}' has another shape: {short} is {was}, and must be {must}"
                )
            if array.dtype.kind != kind:
                self._damaged(f"{name} holds {array.dtype}")
            if name.startswith(("actor.", "seen.")) and not np.isfinite(array).all():
                self._damaged(f"{name} holds what no environment gave")
        for n in range(plan.envs):
            number, actions = arrays[f"actor.{n}.number"], arrays[f"actor.{n}.actions"]
            chosen = actions - spaces.first_action if spaces.actions is not None else np.zeros(0)
            if not 0 <= number < 2**31 or ((chosen < 0) | (chosen >= spaces.action_size)).any():
                self._damaged(f"environment {n} has numbers that it cannot have")

    def _damaged(self, why: str, error: Exception | None = None) -> None:
        raise UserError(f"the checkpoint in '{self.folder.path}' is damaged: {why}") from error


def _text(x: float) -> float | str:
    return x if math.isfinite(x) else str(x)


def make_trainer(plan: Plan, spaces: Spaces) -> Trainer:
    """The learner's side of a plan. Raises UserError, and RunFailed when a core does not build."""
    return (plan.algorithm.chip if plan.on_chip else plan.algorithm).trainer(plan, spaces)
