"""The table of clocks counted in the RTL, beside the models': `rlcores dse --check --rtl` counts again.

    tensor          a step of SAC: of the largest of some learners that the memories hold
    learner         a gradient step of 64, or of BATCH_MAX if that is less
    replay_learner  the same with samples from the DRAM, one batch ahead of the updates (D = 1)
    sumtree         a sample, from request to answer
    sumtree_banks   1,000 updates and 1,000 samples on all lanes, banks at random
    policy, mlp     an action, from observation to answer
    agent           a gradient step as of replay_learner, while environments act and are stored: four steps a round
    gae, heppo      the array, every lane full; HEPPO's is the GAE core's
    serial          its array, and a sample of its tree
    replay_server   a sample of its tree; replay_banks: of one bank's
    net_learner     as replay_learner's, which is in it
    env             a turn: a step of all its environments
    ppo, ppo_env    the second iteration of a run of CartPole: 4 epochs of minibatches as long as they may be
    learners        a round of 10 gradient steps of all, of BATCH_MAX
    learners_ppo    an iteration as of ppo_env, in which every minibatch ends a round

A simulation of a large core takes minutes to build. clocks.json holds what was counted; an entry counts for a
configuration only as long as the parameters are those it was counted with.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rlcores.base import files
from rlcores.cores.env import environments
from rlcores.cores.env.cartpole import CartPole
from rlcores.cores.env.driver import EnvDriver
from rlcores.cores.mlp import cycles as mlp_cycles
from rlcores.cores.mlp.shape import MlpShape as MlpShape
from rlcores.cores.ppo.shape import PpoShape as PpoShape
from rlcores.cores.sumtree.shape import latency
from rlcores.eda import configs, declared, sim
from rlcores.train import chip
from rlcores_lab.bench import (
    agent,
    agent_loop,
    gae,
    learner,
    learners,
    learners_ppo,
    ppo,
    sumtree,
    sumtree_banks,
    system,
)
from rlcores_lab.bench.ppo_drive import PpoDrive
from rlcores_lab.cycles import agent as agent_cycles
from rlcores_lab.cycles import env as env_cycles
from rlcores_lab.cycles import gae as gae_cycles
from rlcores_lab.cycles import learner as learner_cycles
from rlcores_lab.cycles import learners as learners_cycles
from rlcores_lab.cycles import policy as policy_cycles
from rlcores_lab.cycles import ppo as ppo_cycles
from rlcores_lab.cycles import replay_learner as loop_cycles
from rlcores_lab.cycles import tensor as tensor_cycles
from rlcores_lab.dse import trees

TABLE = Path(__file__).with_name("clocks.json")
_BATCH, _AHEAD, _SEED = 64, 1, 1
_ITEMS = 1000
_ACTIONS = 100
_ROUND = 10  # steps
_BLOCK = 1, 4  # rounds of acting, and gradient steps
_CARTPOLE = 0  # ENV; the environments beside a core that has none inside
_FILLED = 2048  # experiences in the DRAM, enough for any batch
Parameters = Mapping[str, int | str]


@dataclass(frozen=True)
class Count:
    """Clocks of one thing that a core does."""

    what: str
    model: float
    counted: float | None = None  # in the RTL

    @property
    def error(self) -> float | None:
        """(model - counted) / counted."""
        return None if not self.counted else self.model / self.counted - 1


@dataclass(frozen=True)
class _Way:
    what: str
    model: Callable[[Parameters], float]
    rtl: Callable[[Parameters], float]


def batch(p: Parameters) -> int:
    """Records of the gradient step that is counted."""
    return min(_BATCH, int(p["BATCH_MAX"]))


def _own(core: str, p: Parameters) -> Parameters:
    """Those of a core that is part of another one."""
    return {name: p[name] for name in configs.load(core, "tiny")}


def _loop_rtl(p: Parameters) -> float:
    model = learner_cycles.cycles(p, batch(p))
    alone = {batch(p): system.Alone(model.period, model)}
    own_parameters = _own("replay_learner", p)
    bench = system.measure(own_parameters, _SEED, (batch(p),), ahead=(_AHEAD,), filled=_FILLED, alone=alone)
    return bench.of(batch(p), _AHEAD).period


def _banks_rtl(p: Parameters) -> float:
    bench = sumtree_banks.measure(p, _SEED)
    return _ITEMS / min(bench.updates_per_clock, bench.samples_per_clock)


def _turn_rtl(p: Parameters) -> float:
    core = EnvDriver.verilated(p)
    core.start(_SEED)
    turns = _ITEMS // core.n_envs
    numbers = list(environments.ENVIRONMENTS.values())[int(p["ENV"])].components

    def clocks(count: int) -> int:
        before = core.bus.cycles
        shape = count * core.n_envs
        core.step(np.zeros(shape if numbers == 1 else (shape, numbers), int))
        return core.bus.cycles - before

    return (clocks(2 * turns) - clocks(turns)) / turns


def _iteration(p: Parameters) -> float:
    environment = env_cycles.pipeline({"ENV": int(p.get("ENV", _CARTPOLE))})
    return ppo_cycles.cycles(PpoShape.of(p), environment=environment).total


def _iteration_rtl(p: Parameters) -> float:
    if "ENV" in p:
        return learners_ppo.alone(p, _SEED)
    shape = PpoShape.of(p)
    task = chip.task_of("cartpole")
    settings = task.settings | {"record_bits": shape.record_bits}
    task = replace(task, network=shape.actor.sizes[1:-1], settings=settings)
    with PpoDrive(shape, CartPole()) as drive:
        return ppo.measure(drive, task, _SEED).done.clocks


def _averaged(p: Parameters) -> float:
    """Clocks that an average adds to a step."""
    return learners_cycles.average_clocks(int(p["LEARNERS"]), int(p["CROSS"]))


# What a core's declaration may name under `clocks`.
WAYS = {
    "step": _Way(
        "step",
        lambda p: learner_cycles.cycles(p, batch(p)).period,
        lambda p: learner.measure(p, _SEED, (batch(p),)).steps[batch(p)].period,
    ),
    "loop": _Way("step", lambda p: loop_cycles.period(p, batch(p), filled=_FILLED), _loop_rtl),
    "sample": _Way("sample", latency, lambda p: sumtree.measure(_own("sumtree", p), _SEED).latency),
    "array": _Way(
        "array",
        # DEPTH steps per lane, and the value after the last one.
        lambda p: gae_cycles.cycles(p, np.full(p["LANES"], p["DEPTH"] + 1)),
        lambda p: gae.measure(_own("gae", p), _SEED).full.cycles,
    ),
    "program": _Way("step", tensor_cycles.step, lambda p: tensor_cycles.counted(p, _SEED)),
    "turn": _Way("turn", env_cycles.turn, _turn_rtl),
    "action": _Way(
        "action",
        lambda p: policy_cycles.PolicyShape.of(p).act_clocks,
        lambda p: agent.measure(p, _SEED, _ACTIONS).act_clocks,
    ),
    "answer": _Way(
        "action",
        lambda p: mlp_cycles.answer(MlpShape.of(p)),
        lambda p: sim.run("rlcores:mlp:mlp", "sim", p, module="cocotb_mlp_clocks", seed=_SEED).coverage["clocks"],
    ),
    "training": _Way(
        "step",
        lambda p: agent_cycles.period(p, batch(p), *_BLOCK, filled=agent_loop.FILLED),
        lambda p: agent_loop.measure(p, _SEED, alone=1.0, schedules=(_BLOCK,)).windows[0].period,
    ),
    "iteration": _Way("iteration", _iteration, _iteration_rtl),
    "round": _Way(
        "round",
        lambda p: _ROUND * learner_cycles.cycles(p, int(p["BATCH_MAX"])).period + _averaged(p),
        lambda p: _ROUND * learners.rounds(p, _SEED)[f"step {_ROUND}"],
    ),
    "averaged": _Way(
        "iteration", lambda p: learners_ppo.model(p, 1), lambda p: learners_ppo.together(p, _SEED, (1,))[1]
    ),
    "banks": _Way(f"{_ITEMS:,}", lambda p: _ITEMS / trees.rate(int(p["BANKS"])), _banks_rtl),
}


def _ways(core: str) -> list[_Way]:
    return [WAYS[name] for name in declared.fact(core, "clocks", ())]


def counts(core: str, config: str) -> list[Count]:
    """What the models say of a configuration, beside what the table says of the RTL."""
    parameters = configs.load(core, config)
    known = {(e["core"], e["config"], e["what"]): e for e in read() if e["parameters"] == parameters}
    listed = []
    for way in _ways(core):
        entry = known.get((core, config, way.what))
        listed.append(Count(way.what, way.model(parameters), entry and entry["clocks"]))
    return listed


def count(core: str, config: str) -> list[Count]:
    """The same with the RTL simulated now, which also goes into the table. Raises RunFailed when a result is wrong."""
    parameters = configs.load(core, config)
    counted = [Count(way.what, way.model(parameters), way.rtl(parameters)) for way in _ways(core)]
    new = {
        (core, config, c.what): {
            "core": core, "config": config, "what": c.what, "clocks": c.counted, "parameters": dict(parameters),
        }
        for c in counted
    }  # fmt: skip
    kept = {(e["core"], e["config"], e["what"]): e for e in read()} | new
    lines = (json.dumps(kept[key], sort_keys=True) for key in sorted(kept))
    files.replace(TABLE, "[\n" + ",\n".join(lines) + "\n]\n")
    return counted


def read() -> list[dict]:
    if not TABLE.exists():
        return []
    return files.read_as(TABLE, "a table of `rlcores dse`", lambda table: [dict(entry) for entry in table], list)
