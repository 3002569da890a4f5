"""Everything that decides a run: algorithm, environment, networks, rates, lengths, seed."""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from rlcores.cores.env import environments
from rlcores.cores.learner.float64 import FloatSettings
from rlcores.errors import UserError
from rlcores.train import agents, spaces, tuning
from rlcores.train import chip as chips
from rlcores.train.spaces import Spaces
from rlcores.train.tasks import SETTINGS, TASKS, Fractions, Task, tuples

BACKENDS = ("native", "model", "rtl")  # equal bit for bit
PLACES = ("host", "chip")  # of environments and acting
HIDDEN = (64, 64)


@dataclass(frozen=True)
class Ppo:
    """PPO (Schulman et al. 2017). Rates are Adam's and fall linearly to 0 where `anneal` says so."""

    hidden: tuple[int, ...] = HIDDEN  # of policy and value network alike
    rollout: int = 128  # steps of each environment before an update
    gamma: float = 0.99
    gae_lambda: float = 0.95
    epochs: int = 10
    minibatch: int = 256
    learning_rate: float = 1e-3
    value_learning_rate: float = 1e-3
    clip: float = 0.2  # of the probability ratio
    entropy: float = 0.0
    largest_gradient: float = 0.5  # norm to which each network's gradient is cut
    anneal: bool = True
    deviation: float = 0.6  # vectors of actions: the first standard deviation, of a range -1 … 1
    reward_scaling: str = "returns"  # rlcores.Gae's "none", "standardise", "scale"; "returns": advantages.ByReturns
    accuracy: str | None = None  # of the GAE core, as rlcores.Gae: "exact16", "8bit", None


@dataclass(frozen=True)
class Plan:
    """One run. Two runs with equal plans are equal, step for step. Steps are environment steps, all environments'."""

    algo: str  # "dqn", "ddpg" or "ppo"
    environment: str
    backend: str
    seed: int
    steps: int
    envs: int  # environments that are stepped side by side
    round_steps: int  # steps of each in a round
    evaluate_every: int  # 0: never
    state_scale: tuple[float, ...]  # policies see states times this
    until: float  # the run ends when the mean of an evaluation reaches it
    report: int  # episodes of the last evaluation
    promising: float = -math.inf  # a look below this is not worth more episodes
    config: str | None = None  # of the core, in configs.yaml; None: a small one that fits
    episode: int | None = None  # steps after which an episode of training is cut off; None: the environment's own
    replay: Task | None = None  # dqn and ddpg
    ppo: Ppo | None = None
    chip: chips.Task | None = None  # ppo on the chip, in place of the one above
    agent: agents.Task | None = None  # dqn and ddpg on the chip, in place of `replay`
    tuning: dict[str, Any] = field(default_factory=dict)  # rlcores.train.tuning, as given

    @property
    def on_chip(self) -> bool:
        """Environments and acting are on the chip."""
        return self.chip is not None or self.agent is not None

    @property
    def core(self) -> str:
        """The core that learns."""
        if self.on_chip:
            return "ppo" if self.agent is None else "agent"
        return "gae" if self.algo == "ppo" else "replay_learner"

    def as_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinity: those are texts."""
        return _plain(dataclasses.asdict(self))


def plan(algo: str, environment: str, backend: str, found: Spaces, *, seed: int = 0, **changes: Any) -> Plan:
    """The plan for an environment: the study's where it is one of those, else a sensible one.

    changes: fields of Plan, ppo's accuracy, and the place that `on` names; those that are not None replace the plan's
    own, and what `tuning` names replaces the algorithm's. Raises UserError.
    """
    spaces.check(algo, environment, found)
    if backend not in BACKENDS:
        raise UserError(f"there is no backend '{backend}'; backends: {', '.join(BACKENDS)}")
    if not 0 <= seed < 2**31:
        raise UserError(f"the seed is {seed}; it must be 0 to {2**31 - 1}")
    on = changes.pop("on", None) or PLACES[0]
    if on not in PLACES:
        raise UserError(f"there is no place '{on}' to train on; places: {', '.join(PLACES)}")
    if on == "chip":
        chosen = _chip(algo, environment, backend, changes)
    else:
        chosen = _ppo(environment, found) if algo == "ppo" else _replay(algo, environment, found)
    accuracy = changes.pop("accuracy", None)
    if accuracy is not None:
        if algo != "ppo":
            raise UserError(f"--accuracy is the GAE core's, which {algo} does not use")
        chosen["ppo"] = dataclasses.replace(chosen["ppo"], accuracy=accuracy)
    given = tuning.checked(algo, changes.pop("tuning", None) or {})
    if on == "chip":
        tuning.on_chip(given)
    if "agent" in chosen:
        chosen["agent"] = agents.tuned(chosen["agent"], given)
    elif on == "chip":
        chosen["chip"] = chips.tuned(chosen["chip"], given, chosen["envs"], chosen["round_steps"])
    elif algo == "ppo":
        chosen["ppo"] = tuning.ppo(chosen["ppo"], given)
    else:
        chosen["replay"] = tuning.replay(chosen["replay"], given)
    chosen["tuning"] = given
    chosen |= {name: value for name, value in changes.items() if value is not None}
    made = Plan(algo=algo, environment=environment, backend=backend, seed=seed, **chosen)
    if math.isnan(made.until):
        raise UserError("until is nan; it must be a return")
    for name, least in (("steps", 1), ("envs", 1), ("round_steps", 1), ("evaluate_every", 1), ("report", 1)):
        if getattr(made, name) < least:
            raise UserError(f"{name} is {getattr(made, name)}; it must be at least {least}")
    return made


def differences(one: dict[str, Any], other: dict[str, Any], prefix: str = "") -> list[str]:
    """Names of the settings that differ, those of tasks with dots."""
    names = []
    for name in sorted(set(one) | set(other)):
        a, b = one.get(name), other.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            names += differences(a, b, f"{prefix}{name}.")
        elif a != b:
            names.append(prefix + name)
    return names


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: _plain(v) for k, v in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(v) for v in x]
    return str(x) if isinstance(x, float) and math.isinf(x) else x


def scale_of(found: Spaces) -> tuple[float, ...]:
    """States to about 1 where the environment says how large they are."""
    return tuple(1 / x if 1 < x < 1e6 else 1.0 for x in found.state_limit)


# --- dqn and ddpg ---


def _replay(algo: str, environment: str, found: Spaces) -> dict[str, Any]:
    known = [t for t in TASKS.values() if (t.environment, t.algo) == (environment, algo)]
    return of_task(known[0] if known else _task(algo, environment, found))


def of_task(task: Task) -> dict[str, Any]:
    """Of a plan, what a task says."""
    return {
        "steps": task.steps,
        "envs": 8,
        "round_steps": 4,
        "evaluate_every": task.evaluate_every,
        "state_scale": task.state_scale,
        "until": min(task.goal, task.enough),
        "report": task.report,
        "promising": task.promising,
        "episode": task.episode,
        "replay": task,
    }


def _task(algo: str, environment: str, found: Spaces) -> Task:
    vectors = algo == "ddpg"
    n, a = found.state_size, found.action_size
    if vectors:
        own = FloatSettings(
            gamma=0.99, learning_rate=1e-3, actor_learning_rate=3e-4, adam_epsilon=1e-6, tau=0.01, huber=None
        )
    else:
        own = FloatSettings(gamma=0.99, learning_rate=5e-4, adam_epsilon=1e-5, tau=0.005, double=True)
    return Task(
        name=environment,
        environment=environment,
        sizes=(n + a, *HIDDEN, 1) if vectors else (n, *HIDDEN, a),
        actor_sizes=(n, *HIDDEN, a) if vectors else None,
        settings=own,
        fractions=Fractions((), (), ()),  # the core's default formats
        seeds=1,
        goal=math.inf,
        steps=50_000,
        warmup=1000,
        train_every=1,
        capacity=50_000,
        state_scale=scale_of(found),
        explore_steps=10_000,
        noise=0.1,
    )


# --- ppo ---


def known_ppo(environment: str) -> tuple[Ppo, dict[str, Any]]:
    """PPO's settings for an environment, and what else of the plan is known; the defaults where it has none."""
    known = SETTINGS["ppo"].get(environment, {"ppo": {}, "plan": {}})
    return Ppo(**known["ppo"]), tuples(known["plan"])


def _ppo(environment: str, found: Spaces) -> dict[str, Any]:
    own, more = known_ppo(environment)
    return {
        "steps": 200_000,
        "envs": 8,
        "round_steps": own.rollout,
        "evaluate_every": 10_000,
        "state_scale": scale_of(found),
        "until": math.inf,
        "report": 100,
        "ppo": own,
    } | more


# --- on the chip ---


def _chip(algo: str, environment: str, backend: str, given: dict[str, Any]) -> dict[str, Any]:
    if given.get("accuracy") is not None:
        raise UserError("--accuracy is of a core that --on chip does not use")
    config, wanted = given.get("config"), given.get("envs")
    if algo == "ppo":
        task = chips.task_of(environment)
        built, round_steps = chips.ENVS, task.settings.get("steps", chips.STEPS)
        if config is not None:
            task, built, round_steps = chips.of_config(task, config)
        own = {"chip": task, "steps": task.iterations * built * round_steps}
    else:
        task = agents.task_of(algo, environment)
        built, round_steps = agents.ENVS, agents.ROUND
        if config is not None:
            built = agents.envs_of(task, config)
        own = {"agent": task, "steps": task.steps}
    if config is not None and wanted not in (None, built):
        raise UserError(f"the configuration {config} has {built} environments; the run needs {wanted}")
    envs = wanted or built
    if algo != "ppo" and not 1 <= envs <= agents.ENVS_MOST:
        raise UserError(f"envs is {envs}; a core has 1 to {agents.ENVS_MOST}")
    return own | {
        "envs": envs,
        "round_steps": round_steps,
        "evaluate_every": (1 if algo == "ppo" else 2) * round_steps * envs,
        "state_scale": (1.0,) * len(environments.named(task.name).observations),
        "until": task.goal,
        "report": 100,
    }
