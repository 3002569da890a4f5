"""Fractions of the learner's numbers from recorded transitions: what each tensor reaches, and the format that holds it.

A float64 learner takes gradient steps on the transitions, and the largest magnitudes of every tensor on the way, sums
over the batch as the core has them, decide. A tensor gets as many fraction bits as leave `headroom` bits above what was
seen, within what the core can shift.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rlcores.base import files
from rlcores.base.states import strip_prefix
from rlcores.cores.learner import state as learner_state
from rlcores.cores.learner.float64 import FloatDdpgLearner, FloatNetwork, FloatSettings, FloatValueLearner
from rlcores.cores.learner.format import (
    ACT_WIDTH,
    GRADIENT_WIDTH,
    VALUE_WIDTH,
    WEIGHT_FRAC,
    DdpgFormats,
    LearnerBatch,
    LearnerFormats,
)
from rlcores.cores.learner.ranges import Ranges, observe
from rlcores.errors import UserError

HEADROOM = 1  # bits above the largest activation, delta and value seen
GRADIENT_HEADROOM = 3  # gradients vary more from batch to batch
_MOST = 17  # fraction bits of what has 18 bits
_MOST_OUTPUT = 16
_MOST_GRADIENT = 40
_BATCH = 64


@dataclass(frozen=True)
class Tensor:
    """A tensor of one layer: what it reached, and its format sfix(width, frac)."""

    name: str
    layer: int
    largest: float
    width: int
    frac: int

    @property
    def limit(self) -> float:
        """The largest number that the format holds."""
        return (2.0 ** (self.width - 1) - 1) / 2.0**self.frac

    @property
    def headroom(self) -> float:
        """Bits between what was seen and the limit; negative where it saturates."""
        return math.log2(self.limit / self.largest) if self.largest else math.inf


@dataclass(frozen=True)
class Calibration:
    """Formats, and the tensors that they were chosen for, or checked against."""

    formats: LearnerFormats | DdpgFormats
    tensors: tuple[Tensor, ...]


def default_settings(actor: bool) -> FloatSettings:
    """What the float learner does unless told otherwise: target networks that keep it from diverging."""
    return FloatSettings(tau=0.005, huber=None) if actor else FloatSettings(target_update_interval=100)


def sizes_for(
    batch: LearnerBatch, networks: Mapping[str, Mapping[str, np.ndarray]], hidden: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """Sizes of the network and of the actor (None: DQN): of given weights, else states, `hidden` layers, actions.

    Raises UserError when the transitions say nothing of them.
    """
    states, actions = np.asarray(batch.states), np.asarray(batch.actions)
    if states.ndim != 2 or not states.size:
        raise UserError(f"states have shape {states.shape}; they must be (T, N_s), with a transition at least")
    sizes = {name: _sizes_of(state, name) for name, state in networks.items()}
    if actions.ndim == 1:
        return sizes.get("network") or (states.shape[1], *hidden, max(int(actions.max()) + 1, 2)), None
    critic = states.shape[1] + actions.shape[1], *hidden, 1
    actor = states.shape[1], *hidden, actions.shape[1]
    return sizes.get("network") or critic, sizes.get("actor") or actor


def _sizes_of(state: Mapping[str, np.ndarray], name: str) -> tuple[int, ...]:
    weights = [np.asarray(state.get(f"{2 * layer}.weight")) for layer in range(len(state) // 2)]
    if not weights or any(w.ndim != 2 for w in weights):
        raise UserError(f"the weights of the {name} are {', '.join(sorted(state))}; '0.weight', '0.bias', … are needed")
    return (weights[0].shape[1], *(w.shape[0] for w in weights))


def load(path: Path | str) -> tuple[LearnerBatch, dict[str, dict[str, np.ndarray]]]:
    """Transitions and weights of an .npz file.

    Arrays states (T, N_s), actions (T,) or (T, N_a) in -1 … 1, rewards (T,), next_states (T, N_s), terminated (T,), and
    optionally weights (T,), importance weights. Weights of networks as 'network.0.weight' … and 'actor.0.weight' …,
    where they are there. Raises UserError.
    """
    arrays = files.read_arrays(Path(path), "a file of recorded transitions (.npz)")
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf":
            raise UserError(f"'{path}' has an array '{name}' of {array.dtype}; numbers are needed")
    needed = ("states", "actions", "rewards", "next_states", "terminated")
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise UserError(f"'{path}' has no array '{missing[0]}'; it needs {', '.join(needed)}")
    batch = LearnerBatch(*(arrays[name] for name in needed), arrays.get("weights"))
    networks = {network: strip_prefix(arrays, network) for network in ("network", "actor")}
    return batch, {network: state for network, state in networks.items() if state}


def record(environment: str, count: int, seed: int = 0) -> LearnerBatch:
    """`count` transitions of a gymnasium environment under random actions. Raises UserError when there is none."""
    import gymnasium

    try:
        env = gymnasium.make(environment)
    except gymnasium.error.Error as error:
        raise UserError(f"there is no environment '{environment}': {error}") from None
    box = isinstance(env.action_space, gymnasium.spaces.Box)
    env.action_space.seed(seed)
    rows: list[tuple] = []
    state, _ = env.reset(seed=seed)
    while len(rows) < count:
        action = env.action_space.sample()
        following, reward, terminated, truncated, _ = env.step(action)
        # The learner's actions are in -1 … 1 whatever the environment's are.
        rows.append((state, action / env.action_space.high if box else action, reward, following, terminated))
        state = env.reset()[0] if terminated or truncated else following
    env.close()
    return LearnerBatch(*(np.array(column) for column in zip(*rows, strict=True)))


def calibrate(
    batch: LearnerBatch,
    sizes: tuple[int, ...],
    actor: tuple[int, ...] | None = None,
    *,
    headroom: int = HEADROOM,
    **how: Any,
) -> Calibration:
    """Formats that hold what gradient steps on these transitions bring up; how: as of watch().

    Raises UserError as watch() does, and when no format holds a tensor.
    """
    return choose(watch(batch, sizes, actor, **how), headroom)


def check(ranges: Ranges, formats: LearnerFormats | DdpgFormats) -> Calibration:
    """Raises UserError, naming the first one, when formats do not hold what was seen."""
    calibration = Calibration(formats, tuple(_tensors(ranges, formats)))
    for t in calibration.tensors:
        if t.largest > t.limit:
            fitting = t.width - 2 - math.floor(math.log2(t.largest))
            cure = f"give it a fraction of {fitting} or less" if fitting >= 0 else "scale rewards or states down"
            raise UserError(
                f"{t.name} of layer {t.layer} reach {t.largest:.4g}; sfix({t.width},{t.frac}) holds up to "
                f"{t.limit:.4g}: {cure}"
            )
    return calibration


def watch(
    batch: LearnerBatch,
    sizes: tuple[int, ...],
    actor: tuple[int, ...] | None = None,
    *,
    states: Mapping[str, Mapping[str, Any]] | None = None,
    settings: FloatSettings | None = None,
    steps: int = 500,
    seed: int = 0,
) -> Ranges:
    """The largest magnitudes of every tensor over `steps` gradient steps.

    sizes, actor: as of learner.Learner. states: weights of 'network' and 'actor' to start from, state_dicts (default:
    drawn from seed). Raises UserError: a shape is wrong, or a number is not finite.
    """
    batch = _checked(batch, sizes, actor)
    settings = settings or default_settings(actor is not None)
    if actor:
        learner = FloatDdpgLearner(sizes, actor, settings, seed, np.float64)
    else:
        learner = FloatValueLearner(sizes, settings, seed, np.float64)
    for name, state in (states or {}).items():
        _set(learner.network if name == "network" else learner.actor, state, name)
    learner._target.copy()
    if actor:
        learner._actor_target.copy()
    rng, ranges, count = np.random.default_rng(seed), Ranges(), len(batch)
    # Every transition is seen once with the first weights.
    for first in range(0, count, _BATCH):
        _observe(ranges, learner, _rows(batch, np.arange(first, min(first + _BATCH, count))))
    for step in range(1, steps + 1):
        rows = _rows(batch, rng.integers(0, count, _BATCH))
        learner.step(rows)
        if step % 5 == 0 or step == steps:
            _observe(ranges, learner, rows)
    return ranges


def choose(ranges: Ranges, headroom: int = HEADROOM) -> Calibration:
    """The formats with most fraction bits that hold what was seen. Raises UserError when none does."""
    largest = ranges.largest
    value = _network_formats(largest, "value", headroom, output=_output_fraction(largest, headroom))
    if "actor act" not in largest:
        formats: LearnerFormats | DdpgFormats = value
    else:
        actor = _network_formats(largest, "actor", headroom, output=14)
        # States and actions come in one format for both networks.
        first = min(value.act_frac[0], actor.act_frac[0], 16)
        value, actor = (_with_input(f, first) for f in (value, actor))
        through = _chain(_fractions(largest["pass delta"], ACT_WIDTH, headroom, _MOST))
        formats = DdpgFormats(value, actor, through)
    return check(ranges, formats)


def _network_formats(largest: Mapping[str, list[float]], name: str, headroom: int, output: int) -> LearnerFormats:
    acts = [*_fractions(largest[f"{name} act"][:-1], ACT_WIDTH, headroom, _MOST), output]
    for layer in range(1, len(acts)):
        acts[layer] = min(acts[layer], acts[layer - 1] + WEIGHT_FRAC)
    deltas = _chain(_fractions(largest[f"{name} delta"], ACT_WIDTH, headroom, _MOST))
    gradients = _fractions(largest[f"{name} gradient"], GRADIENT_WIDTH, GRADIENT_HEADROOM, _MOST_GRADIENT)
    # A gradient has no more fraction bits than the products it sums.
    gradients = [min(g, d + a) for g, d, a in zip(gradients, deltas, acts[:-1], strict=True)]
    return LearnerFormats(tuple(acts), (0, *deltas), (0, *gradients))


def _with_input(formats: LearnerFormats, frac: int) -> LearnerFormats:
    gradients = list(formats.grad_frac)
    gradients[1] = min(gradients[1], formats.delta_frac[1] + frac)
    return LearnerFormats((frac, *formats.act_frac[1:]), formats.delta_frac, tuple(gradients))


def _output_fraction(largest: Mapping[str, list[float]], headroom: int) -> int:
    # Values, TD errors and scaled rewards share it.
    return _fractions([max(largest["value act"][-1], largest["td"][0])], VALUE_WIDTH, headroom + 1, _MOST_OUTPUT)[0]


def _fractions(largest: Iterable[float], width: int, headroom: int, most: int) -> list[int]:
    # A magnitude of 2**k fits with k + 1 bits before the point and the sign.
    return [max(0, min(most, width - 1 - headroom - math.floor(math.log2(max(x, 2.0**-30))) - 1)) for x in largest]


def _chain(deltas: list[int]) -> tuple[int, ...]:
    """A delta is at most as many fraction bits finer than the one it comes from as a weight has."""
    for layer in range(len(deltas) - 2, -1, -1):
        deltas[layer] = min(deltas[layer], deltas[layer + 1] + WEIGHT_FRAC)
    return tuple(deltas)


def _tensors(ranges: Ranges, formats: LearnerFormats | DdpgFormats) -> Iterator[Tensor]:
    largest, value = ranges.largest, formats
    if isinstance(formats, DdpgFormats):
        value = formats.value
    yield from _of_network(largest, "value", value, "", VALUE_WIDTH)
    yield Tensor("TD errors", value.layers, largest["td"][0], VALUE_WIDTH, value.act_frac[-1])
    if isinstance(formats, DdpgFormats):
        # tanh is flat where the actor's output saturates: it may.
        yield from _of_network(largest, "actor", formats.actor, "the actor's ", None)
        for layer, (x, frac) in enumerate(zip(largest["pass delta"], formats.pass_frac, strict=True)):
            yield Tensor("deltas of the actor's pass", layer, x, ACT_WIDTH, frac)


def _of_network(
    largest: Mapping[str, list[float]], name: str, formats: LearnerFormats, whose: str, output: int | None
) -> Iterator[Tensor]:
    acts = largest[f"{name} act"]
    for layer, (x, frac) in enumerate(zip(acts, formats.act_frac, strict=True)):
        last = layer == len(acts) - 1
        what = "inputs" if layer == 0 else "outputs" if last else "activations"
        width = output if last else ACT_WIDTH
        if width:
            yield Tensor(whose + what, layer, x, width, frac)
    for kind, width, fractions in (
        ("delta", ACT_WIDTH, formats.delta_frac[1:]),
        ("gradient", GRADIENT_WIDTH, formats.grad_frac[1:]),
    ):
        for layer, (x, frac) in enumerate(zip(largest[f"{name} {kind}"], fractions, strict=True), 1):
            yield Tensor(f"{whose}{kind}s", layer, x, width, frac)


def _observe(ranges: Ranges, learner: FloatValueLearner | FloatDdpgLearner, batch: LearnerBatch) -> None:
    observe(ranges, learner, batch)
    ranges.see("td", [np.asarray(batch.rewards) * learner.settings.reward_scale])
    ranges.see("value act", [np.zeros(1)] * len(learner.weights) + [learner.target.output(_inputs(learner, batch))])


def _inputs(learner: FloatValueLearner | FloatDdpgLearner, batch: LearnerBatch) -> np.ndarray:
    if isinstance(learner, FloatDdpgLearner):
        return np.concatenate([batch.states, batch.actions], axis=1)
    return batch.states


def _rows(batch: LearnerBatch, rows: np.ndarray) -> LearnerBatch:
    return LearnerBatch(
        *(x[rows] for x in (batch.states, batch.actions, batch.rewards, batch.next_states, batch.terminated)),
        batch.weights[rows],
    )


def _set(network: FloatNetwork, state: Mapping[str, Any], name: str) -> None:
    codes = learner_state.from_state(state, network.sizes, name)
    for w, b, (new_w, new_b) in zip(network.weights, network.biases, codes, strict=True):
        w[:], b[:] = new_w / 2.0**WEIGHT_FRAC, new_b / 2.0**WEIGHT_FRAC


def _checked(batch: LearnerBatch, sizes: tuple[int, ...], actor: tuple[int, ...] | None) -> LearnerBatch:
    count = len(batch.rewards)
    if not count:
        raise UserError("there are no transitions to calibrate with")
    states = actor[0] if actor else sizes[0]
    shapes = {"states": (count, states), "next_states": (count, states), "rewards": (count,), "terminated": (count,)}
    shapes["actions"] = (count, actor[-1]) if actor else (count,)
    arrays = {name: np.asarray(getattr(batch, name)) for name in shapes}
    weights = np.ones(count) if batch.weights is None else np.asarray(batch.weights, np.float64)
    for name, wanted in shapes.items():
        if arrays[name].shape != wanted:
            raise UserError(f"{name} have shape {arrays[name].shape}; these networks need {wanted}")
        if not np.isfinite(arrays[name].astype(np.float64)).all():
            raise UserError(f"{name} hold a number that is not finite")
    if weights.shape != (count,) or not ((weights >= 0) & (weights <= 1)).all():
        raise UserError(f"weights have shape {weights.shape}; they must be {(count,)}, each 0 to 1")
    actions = arrays["actions"]
    if actor is None and not ((actions >= 0) & (actions < sizes[-1]) & (actions == np.floor(actions))).all():
        raise UserError(f"an action is not a whole number from 0 to {sizes[-1] - 1}")
    return LearnerBatch(
        arrays["states"].astype(np.float64),
        actions.astype(np.float64 if actor else np.int64),
        arrays["rewards"].astype(np.float64),
        arrays["next_states"].astype(np.float64),
        arrays["terminated"].astype(bool),
        weights,
    )
