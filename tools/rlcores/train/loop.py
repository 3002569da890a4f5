"""A run: rounds of acting and learning, evaluation, best weights, checkpoint."""

import hashlib
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from rlcores.base import files
from rlcores.errors import RunFailed, UserError
from rlcores.train.actor import Collected, Layers, Order, greedy
from rlcores.train.evaluation import CHOICE, CHOICE_SEED, LOOK, LOOK_SEED, REPORT_SEED, Evaluation
from rlcores.train.folder import Folder
from rlcores.train.pool import Pool
from rlcores.train.settings import Plan
from rlcores.train.spaces import Spaces

_RECENT = 100  # episodes of training whose mean return is shown
_SAVE_SECONDS = 60.0


class Trainer(Protocol):
    """The learner's side of an algorithm: ReplayTrainer or PpoTrainer."""

    ahead: bool  # actors collect the next round while this one is learned from
    policy: str
    updates: int
    clocks: int  # that the simulated core worked in this session; 0 without one

    def order(self, number: int, step: int) -> Order: ...
    def learn(self, seen: Collected, step: int) -> None: ...
    def layers(self) -> Layers: ...
    def weights(self) -> list[np.ndarray]: ...
    def live(self) -> dict[str, float]: ...
    def checkpoint(self) -> dict[str, np.ndarray]: ...
    def restore(self, kept: Mapping[str, np.ndarray]) -> None: ...


class Watch:
    """What is told of a run while it goes on; the base class keeps quiet."""

    def progress(self, run: "Run") -> None:
        """After every round."""

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
    seconds: float = 0.0
    digest: str = ""  # of the weights after every round so far
    recent: list[float] = field(default_factory=list)
    curve: list[list[Any]] = field(default_factory=list)  # rows of folder.COLUMNS


class Run:
    """One run, from its beginning or from a checkpoint."""

    def __init__(self, plan: Plan, spaces: Spaces, trainer: Trainer, pool: Pool, folder: Folder) -> None:
        """Nothing is written before run()."""
        self.plan, self.spaces, self.trainer, self.folder = plan, spaces, trainer, folder
        self.state = State()
        self.best: Layers = trainer.layers()
        self.stop = threading.Event()  # ends the run after the present round
        self.same = True  # every environment came back from the checkpoint
        self.learning = 0.0  # seconds of the learner in this session
        self._pool = pool
        self._seen: Collected | None = None
        self._scale = np.array(plan.state_scale, np.float32)
        self._evaluation = Evaluation(plan.environment, self._scale)
        self._begun = self._saved = time.perf_counter()

    @property
    def done(self) -> bool:
        """All steps are made, or the goal is reached."""
        return self.state.step >= self.plan.steps or self.state.best >= self.plan.until

    @property
    def seconds(self) -> float:
        """Of all sessions."""
        return self.state.seconds + time.perf_counter() - self._begun

    def run(self, watch: Watch | None = None) -> None:
        """Until the run is done or `stop` is set; ends with a checkpoint. Raises UserError and RunFailed of actors."""
        watch = watch or Watch()
        if not self.state.digest:
            # Actors first: they say more exactly what is wrong with an environment than an evaluation can. And then
            # the first checkpoint, before any other file.
            if self._seen is None:
                self._start()
                self._seen = self._pool.finish()
            self.save()
            self._digest()
            self._evaluate(watch)
        while not self.done and not self.stop.is_set():
            self._round(watch)
            if time.perf_counter() - self._saved > _SAVE_SECONDS:
                self.save()
        self.save()

    def _round(self, watch: Watch) -> None:
        state, trainer = self.state, self.trainer
        seen = self._seen
        if seen is None:
            self._start()
            seen = self._pool.finish()
        self._seen = None
        before, state.step = state.step, state.step + seen.rewards.size
        # Actors go on with the weights that there are now, before this round's learning.
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
        if state.step // every > before // every or state.step >= self.plan.steps:
            self._evaluate(watch)
        if going:
            self._seen = self._pool.finish()
        watch.progress(self)

    def _start(self, step: int | None = None) -> None:
        state = self.state
        self._pool.start(self.trainer.order(state.rounds, state.step if step is None else step))
        state.rounds += 1

    def evaluate(self, layers: Layers, episodes: int, seed: int) -> float:
        """Mean return of `episodes` greedy episodes."""
        trainer = self.trainer

        def policy(states: np.ndarray) -> np.ndarray:
            return self.spaces.to_environment(greedy(trainer.policy, layers, states.astype(np.float32)))

        try:
            mean = float(self._evaluation(policy, episodes, seed).mean())
        except ValueError as error:
            raise UserError(f"{self.plan.environment} cannot be evaluated: {error}") from error
        if not math.isfinite(mean):
            raise UserError(f"{self.plan.environment} gave the return {mean}; rewards must be finite numbers")
        return mean

    def report(self) -> float:
        """Mean return of the best policy, over episodes that neither training nor choice has seen."""
        return self.evaluate(self.best, self.plan.report, REPORT_SEED)

    def _evaluate(self, watch: Watch) -> None:
        state, layers = self.state, self.trainer.layers()
        look = self.evaluate(layers, LOOK, LOOK_SEED)
        choice = None
        mean = look
        # Ten lucky episodes do not make a best policy: one that looks as good as the best is judged on more.
        if look > state.best and look >= self.plan.promising:
            choice = mean = self.evaluate(layers, CHOICE, CHOICE_SEED)
        if mean > state.best:
            state.best, state.best_step, self.best = mean, state.step, layers
            self.folder.save_best(layers, {"step": state.step, "mean": mean, "environment": self.plan.environment})
        recent = float(np.mean(state.recent)) if state.recent else None
        row = [state.step, self.trainer.updates, state.episodes, recent, look, choice, state.digest[:16]]
        state.curve.append(row)
        watch.evaluated(self, row)

    def _digest(self) -> None:
        text = hashlib.sha256(self.state.digest.encode())
        for array in self.trainer.weights():
            text.update(np.ascontiguousarray(array).tobytes())
        self.state.digest = text.hexdigest()

    # --- checkpoint ---

    def save(self) -> None:
        """Write checkpoint and curve."""
        arrays = {f"trainer.{k}": v for k, v in self.trainer.checkpoint().items()}
        for n, episode in enumerate(self._pool.checkpoint()):
            arrays |= {f"actor.{n}.{k}": v for k, v in episode.items()}
        if self._seen is not None:
            arrays |= {f"seen.{k}": v for k, v in self._seen.arrays().items()}
        for layer, (w, b) in enumerate(self.best):
            arrays |= {f"best.{layer}.w": w, f"best.{layer}.b": b}
        state = vars(self.state) | {"seconds": self.seconds, "best": _text(self.state.best)}
        self.folder.save(self.plan, state, arrays)
        self.folder.write_curve(self.state.curve)
        self._saved = time.perf_counter()

    def restore(self, state: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Go on where the run was whose checkpoint this is.

        Raises UserError when it is one of another shape, or holds what no run could have written.
        """
        try:
            self._restore(state, arrays)
        except UserError:
            raise
        except RunFailed:
            raise
        except Exception as error:
            # What is inside the parts is theirs; whatever they stumble over was not written by them.
            raise UserError(f"the checkpoint in '{self.folder.path}' is damaged: {files.reason(error)}") from error

    def _restore(self, state: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        parts: dict[str, dict[str, np.ndarray]] = {"trainer": {}, "actor": {}, "seen": {}, "best": {}}
        for name, array in arrays.items():
            kind, _, rest = name.partition(".")
            if kind not in parts or not rest:
                raise UserError(f"the checkpoint in '{self.folder.path}' is damaged: nothing is called '{name[:40]}'")
            parts[kind][rest] = array
        self._check_shapes(parts)
        self._check_actors(parts)
        self.state = State(**(state | {"best": float(state["best"])}))
        self.trainer.restore(parts["trainer"])
        self.same = self._pool.restore([_below(parts["actor"], n) for n in range(self.plan.envs)])
        self._seen = Collected(**parts["seen"]) if parts["seen"] else None
        self.best = [(parts["best"][f"{k}.w"], parts["best"][f"{k}.b"]) for k in range(len(parts["best"]) // 2)]

    def _check_shapes(self, parts: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        if self.plan.replay is not None and self.plan.backend in ("model", "rtl"):
            return  # the core's restore() looks for itself
        mine = self.trainer.checkpoint()
        found = {k: np.shape(v) for k, v in parts["trainer"].items()}
        for name, array in mine.items():
            # Texts and what grows with the run have no shape of their own.
            if array.dtype.kind == "U" or name.endswith("optimiser"):
                continue
            self._same_shape(name, found.get(name), array.shape)
            if parts["trainer"][name].dtype.kind != array.dtype.kind:
                self._damaged(f"{name} holds {parts['trainer'][name].dtype}")

    def _check_actors(self, parts: Mapping[str, Mapping[str, np.ndarray]]) -> None:
        """What actors and the last round left, against what this plan's would leave."""
        plan, spaces = self.plan, self.spaces
        discrete = spaces.actions is not None
        vector = () if discrete else (spaces.action_size,)
        fixed = {"number": (), "total": (), "state": (spaces.state_size,)}
        names = {f"{n}.{k}" for n in range(plan.envs) for k in (*fixed, "actions")}
        if set(parts["actor"]) != names:
            self._damaged("it has other environments")
        for n in range(plan.envs):
            own = _below(parts["actor"], n)
            for name, shape in fixed.items():
                self._same_shape(f"{name} of environment {n}", own[name].shape, shape)
            actions = own["actions"]
            rows = len(actions) if actions.ndim else 0
            self._same_shape(f"actions of environment {n}", actions.shape, (rows, *vector))
            numbers = own["number"].dtype.kind == "i" and 0 <= own["number"] < 2**31
            fits = actions.dtype.kind == ("i" if discrete else "f") and np.isfinite(actions).all()
            if discrete and fits and len(actions):
                first = spaces.first_action
                fits = first <= actions.min() and actions.max() < first + spaces.actions
            if not (numbers and fits and own["total"].dtype.kind == own["state"].dtype.kind == "f"):
                self._damaged(f"environment {n} has numbers that it cannot have")
        t, n = plan.round_steps, plan.envs
        wide = (t, n, spaces.state_size)
        seen = {
            **{"states": ("f", wide), "following": ("f", wide), "last": ("f", wide[1:]), "rewards": ("f", (t, n))},
            **{"terminated": ("b", (t, n)), "truncated": ("b", (t, n))},
            **{"actions": ("i" if discrete else "f", (t, n, *vector)), "episodes": ("f", None)},
        }
        if parts["seen"] and set(parts["seen"]) != set(seen):
            self._damaged("its last round has other parts")
        for name, array in parts["seen"].items():
            kind, shape = seen[name]
            self._same_shape(name, array.shape, shape or (len(array) if array.ndim else 0, 4))
            if array.dtype.kind != kind or not np.isfinite(array).all():
                self._damaged(f"{name} holds what no environment gave")
        layers = self.trainer.layers()
        best = {f"{k}.{part}": x for k, layer in enumerate(layers) for part, x in zip("wb", layer, strict=True)}
        if set(parts["best"]) != set(best):
            self._damaged("its best policy has other layers")
        for name, array in best.items():
            self._same_shape(f"best policy {name}", parts["best"][name].shape, array.shape)
            if parts["best"][name].dtype.kind != "f":
                self._damaged(f"best policy {name} holds {parts['best'][name].dtype}")

    def _damaged(self, why: str) -> None:
        raise UserError(f"the checkpoint in '{self.folder.path}' is damaged: {why}")

    def _same_shape(self, name: str, found: tuple[int, ...] | None, wanted: tuple[int, ...]) -> None:
        if found != wanted:
            was = "nothing" if found is None else "x".join(map(str, found)) or "a number"
            raise UserError(
                f"the checkpoint in '{self.folder.path}' has another shape: {name} is {was}, "
                f"and must be {'x'.join(map(str, wanted)) or 'a number'}"
            )


def _below(arrays: Mapping[str, np.ndarray], n: int) -> dict[str, np.ndarray]:
    return {k.split(".", 1)[1]: v for k, v in arrays.items() if k.startswith(f"{n}.")}


def _text(x: float) -> float | str:
    return x if math.isfinite(x) else str(x)


def make_trainer(plan: Plan, spaces: Spaces) -> Trainer:
    """The learner's side of a plan. Raises UserError, and RunFailed when a core does not build."""
    if plan.ppo is not None:
        from rlcores.train.ppo import PpoTrainer

        return PpoTrainer(plan, spaces)
    from rlcores.train.replaying import ReplayTrainer

    return ReplayTrainer(plan, spaces)
