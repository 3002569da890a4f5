"""The policy core on the Verilated RTL: clocks from an observation to its action while weights stream in.

The agent core, which learns as well, is measured by agent_loop.
"""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.learner.format import WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.layout import WeightLayout
from rlcores.cores.learner.shape import NetworkShape
from rlcores.cores.policy.head import ACTION_WIDTH, MEAN, SCALE_ONE, HeadSettings
from rlcores.cores.policy.model import PolicyModel
from rlcores.eda.boards import Clock
from rlcores.errors import RunFailed
from rlcores_lab import shown
from rlcores_lab.bench import agent_loop, drive
from rlcores_lab.bench.drive import NUMBER, POINTER, load
from rlcores_lab.bench.tables import Outcome, Parameters, Step, measured, prefixes
from rlcores_lab.cycles.policy import PolicyShape

VLNV, TOP = "rlcores:agent:policy", "rlc_policy"
DEFAULT = ("u200",)
SEED = 1
OBSERVATIONS = 2000
_FRACTIONS = (12, 12, 12, 12)  # of the inputs of the layers
_LOG_STD = int(np.log(0.1) * 2**WEIGHT_FRAC)  # noise of DDPG
_CONTINUOUS = HeadSettings(noise=True, squash=MEAN, scale=2 * SCALE_ONE)  # Pendulum's torque


@dataclass(frozen=True)
class Bench:
    """What one configuration does: clocks, the same for every observation; sets of weights that came meanwhile."""

    shape: PolicyShape
    act_clocks: int
    log_clocks: int  # 0: none are given
    interval: int
    observations: int
    sets: int


def measure(parameters: Parameters, seed: int = SEED, observations: int = OBSERVATIONS) -> Bench:
    """Act on random observations without a pause, with sets of weights one behind the other.

    Raises RunFailed when an answer is not the model's, or when one took another number of clocks than the others.
    """
    shape = PolicyShape.of(parameters)
    rng = np.random.default_rng(seed)
    ones = (1,) * shape.layers
    layout = WeightLayout(
        NetworkShape(shape.sizes, shape.lanes, shape.forward, ones, shape.update_rows, shape.update_cols)
    )
    width = [a * b for a, b in zip(shape.update_rows, shape.update_cols, strict=True)]
    groups = [len(layout.indices(layer)[0]) // width[layer - 1] for layer in range(1, shape.layers + 1)]
    pause = shape.pass_clocks
    sets = observations * shape.interval // (max(groups) + pause) + 2
    weights = [_weights(rng, shape.sizes) for _ in range(sets)]
    planes = np.concatenate([layout.to_stream(one) for one in weights]).astype(np.int32)
    codes = rng.integers(-(1 << 15), 1 << 15, (observations, shape.sizes[0]))
    padded = np.zeros((observations, shape.words[0] * shape.lanes[0]), np.int32)
    padded[:, : shape.sizes[0]] = codes
    frac = (*_FRACTIONS[: shape.layers], 16)
    lanes = (shape.actions, ACTION_WIDTH, 1 + shape.actions) if shape.continuous else (1, 8, 1)
    rows = {name: [*row, 0, 0, 0][:4] for name, row in (("groups", groups), ("width", width))}
    plan = drive.plan(
        layers=shape.layers, widest=max(width), lanes=shape.lanes[0], words=shape.words[0], **rows,
        act_frac=sum(f << 5 * layer for layer, f in enumerate(frac)), noise=1, pause=pause, observations=observations,
        sets=sets, logp=shape.logp, squash=_CONTINUOUS.squash, scale=_CONTINUOUS.scale, dimensions=shape.actions,
        **dict(zip(("act_lanes", "act_width", "log_lanes"), lanes, strict=True)), log_std=_LOG_STD,
    )  # fmt: skip
    library = load(VLNV, TOP, parameters, "agent_drive.cpp")
    library.agent_run.argtypes, library.agent_run.restype = [POINTER] * 6, NUMBER
    answers = np.zeros((observations, 4), np.int64)
    actions, logs = (np.zeros((observations, n), np.int64) for n in (lanes[0], lanes[2]))
    addresses = (array.ctypes.data for array in (padded, planes, answers, actions, logs))
    taken = library.agent_run(ctypes.addressof(plan), *addresses)
    if not taken:
        raise RunFailed("the policy core did not answer every observation")
    _compare(shape, frac, weights, codes, answers, actions, logs)
    act_clocks = _same(answers[:, 2] - answers[:, 1], "from an observation to its action")
    log_clocks = _same(answers[:, 3] - answers[:, 1], "from one to its log-probability") if shape.logp else 0
    interval = _same(np.diff(answers[:, 1]), "from one observation to the next")
    return Bench(shape, act_clocks, log_clocks, interval, observations, int(taken))


def _weights(rng: np.random.Generator, sizes: tuple[int, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
    layers = []
    for inputs, outputs in pairwise(sizes):
        top = int(2**22 / np.sqrt(inputs))
        layers.append((rng.integers(-top, top, (outputs, inputs)), rng.integers(-top, top, outputs)))
    return layers


def _compare(
    shape: PolicyShape,
    frac: tuple[int, ...],
    weights: list,
    codes: np.ndarray,
    answers: np.ndarray,
    actions: np.ndarray,
    logs: np.ndarray,
) -> None:
    model = PolicyModel(shape.sizes, frac, output_width=shape.output_width, continuous=shape.continuous)
    settings = _CONTINUOUS if shape.continuous else HeadSettings(noise=True)
    starts = np.flatnonzero(np.diff(answers[:, 0], prepend=0))
    for first, end in zip(starts, [*starts[1:], len(codes)], strict=True):
        model.load(weights[answers[first, 0] - 1], np.full(shape.actions, _LOG_STD))
        model_answers = model.act(codes[first:end], settings)
        expected = model_answers.actions.reshape(end - first, -1) & (1 << ACTION_WIDTH) - 1
        if not np.array_equal(expected, actions[first:end]):
            raise RunFailed("the policy core took another action than its model")
        with_samples = (
            [model_answers.logs[:, None], model_answers.samples] if shape.continuous else [model_answers.logs[:, None]]
        )
        expected = np.concatenate(with_samples, axis=1) & (1 << WEIGHT_WIDTH) - 1
        if shape.logp and not np.array_equal(expected, logs[first:end]):
            raise RunFailed("the policy core gave another log-probability than its model")


def _same(clocks: np.ndarray, what: str) -> int:
    if clocks.min() != clocks.max():
        raise RunFailed(f"it takes the policy core {clocks.min()} to {clocks.max()} clocks {what}")
    return int(clocks[0])


def figures(bench: Bench, prefix: str = "agent") -> list[Figure]:
    """What --json gets of one configuration."""
    how = "measured"
    listed = [
        Figure(f"{prefix}.act_cycles", bench.act_clocks, "cycles", how),
        Figure(f"{prefix}.act_interval", bench.interval, "cycles", how),
        Figure(f"{prefix}.act_macs", bench.shape.macs, "", "model"),
    ]
    if bench.log_clocks:
        listed.append(Figure(f"{prefix}.log_cycles", bench.log_clocks, "cycles", how))
    return listed


def run(chosen: Mapping[str, Parameters], clock: Clock, seed: int, step: Step) -> Outcome:
    """Measure these configurations, name -> parameters."""
    loops = {name: parameters for name, parameters in chosen.items() if "N_ENVS" in parameters}
    if loops:
        return agent_loop.run(loops, seed, step)
    results = measured(chosen, step, lambda p: measure(p, seed))
    listed = []
    for name, prefix in prefixes("agent", results).items():
        listed += figures(results[name], prefix)
    rows = [
        ("config", "network", "multipliers", "action", "log-probability", "interval", "observations", "new weights")
    ]
    for name, bench in results.items():
        network = "-".join(map(str, bench.shape.sizes))
        clocks = bench.act_clocks, bench.log_clocks or "none", bench.interval
        rows.append((name, network, bench.shape.macs, *clocks, bench.observations, bench.sets))
    worst = max(bench.act_clocks for bench in results.values())
    time = f"{worst} clocks are {worst / clock.mhz:.3g} us at {clock}"
    sentence = f"Each number of clocks is the same for every observation. {time}."
    return Outcome(listed, [shown.table("Acting while weights stream in: clocks (measured)", rows), sentence])
