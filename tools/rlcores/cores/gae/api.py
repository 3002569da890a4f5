"""Generalised advantages of PPO rollouts in the GAE core's integers: in C++, in NumPy, or on the simulated core.

Conventions. A rollout is (T, N): T steps of N environments, as CleanRL and Stable-Baselines3 hold it, with Gymnasium's
meaning of the two ends: terminated[t, n] and truncated[t, n] are what `env.step` returned at step t. (CleanRL's
`dones[t]` and SB3's `episode_starts[t]` say it about step t-1: shift them by one.) values[t] is V of the observation
before step t, bootstrap is V of the observation after step T-1, and final_values[t, n] is V of the last observation of
an episode truncated at t, which Gymnasium's vector environments hand out beside the first observation of the next one.

Accuracy. "exact16" keeps rewards and values as 16-bit codes, "8bit" in half the memory as the paper does. Codes cover
the range that a rollout has, so no reward is clipped or lost, whatever its size (docs/gae.md, "From Python"). "float32"
and "float64" are the plain recurrence in floating point, exact at the ends of episodes too.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from sys import float_info
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_backend, check_float, check_int, choice
from rlcores.base.arrays import compact, plain
from rlcores.base.attributes import Guarded, setting
from rlcores.base.naming import nearest
from rlcores.base.threads import alone
from rlcores.buses.backends import simulated
from rlcores.buses.bus import Bus
from rlcores.buses.verilated import VerilatedBus
from rlcores.cores.gae import apart, moments
from rlcores.cores.gae import scales as gae_scales
from rlcores.cores.gae.driver import GaeDriver, GaeShape
from rlcores.cores.gae.float64 import rollout as float_gae
from rlcores.cores.gae.model import GaeModelBus
from rlcores.cores.gae.moments import SCALINGS, Moments
from rlcores.cores.gae.rollout import check
from rlcores.cores.gae.scale import QBITS_MAX, QBITS_MIN, formats
from rlcores.cores.gae.streamed import Streamed, rms
from rlcores.eda import configs, declared
from rlcores.errors import UserError, WarningCounter

if TYPE_CHECKING:
    from rlcores.cores.gae.native import Native

ORDERS = ("include", "previous")
_NEAR_THE_END = 900  # power of two of a number whose sums may leave float64
ACCURACIES = {"exact16": 16, "8bit": 8}  # bits of a code
FLOATS: dict[str, type[np.floating[Any]]] = {"float32": np.float32, "float64": np.float64}
BACKENDS = ("native", "model", "rtl")

_LANES_MOST, _DEPTH_MOST = 64, 4096
_NOTICES = {
    "REWARD_CLIPPED": ("clipped_rewards", "rewards lay beyond the clip range of {clip:g} standard deviations"),
    "VALUE_CLIPPED": ("clipped_values", "values lay beyond the clip range of {clip:g} standard deviations"),
}


class GaeOptions(TypedDict, total=False):
    """What advantages() hands on to Gae."""

    accuracy: str | None
    reward_scaling: str
    order: str
    clip: float | None
    qbits: int | None
    threads: int
    max_error: float | None


@dataclass(frozen=True)
class GaeResult:
    """What one rollout gave. Arrays are (T, N) float64, in the unit of the rewards as reward_scaling leaves them.

    With accuracy "float32" they are float32, and step and shift are 0.

    rewards, values, bootstrap and final_values are what the array really sees after quantisation: bootstrap is (N,),
    final_values is NaN where no episode was truncated. returns are advantages + the values that were given.
    """

    advantages: np.ndarray
    returns: np.ndarray
    rewards: np.ndarray
    values: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray
    elements: int  # results of the last run
    error: Callable[[], float] = field(repr=False)
    step: float = 0.0  # distance of two neighbouring advantage codes; the largest where environments have their own
    shift: int = 0  # SHIFT register: the array counted in 2**-shift of a reward code; likewise
    runs: int = 1  # how often the array ran until the output range was right, and for environments apart
    cycles: int = 0  # clocks of the last of these runs, summed over groups of lanes; 0 from the model
    stalls: int = 0  # row-clocks without a record in that run; 0 from the model
    clipped_rewards: int = 0  # rewards beyond the clip range
    clipped_values: int = 0  # values beyond the clip range
    flags: frozenset[str] = frozenset()  # notices, by their names in gae.rdl

    def __repr__(self) -> str:
        steps, envs = self.advantages.shape
        flags = f", flags {', '.join(sorted(self.flags))}" if self.flags else ""
        return f"GaeResult({steps} steps of {envs} environments, {self.runs} runs{flags})"

    @cached_property
    def rms(self) -> float:
        """Root mean square distance of the advantages to the float64 GAE of the rewards and values before quantisation.

        Computed when it is asked for.
        """
        return self.error()


class Gae(Guarded):
    """A GAE core for one rollout after the other.

    gamma, gae_lambda       discount and lambda, 0 to 1; may be set between rollouts
    config           name in configs.yaml, or Verilog parameters; None: a small array that holds the first rollout
    backend          "native" (the integers in C++), "model" (the same in NumPy, to be read), "rtl" (the Verilated core
                     through its AXI ports), or any Bus; all give the same bits
    accuracy         "exact16" or "8bit"; None: "exact16" where config is None, else all bits that the core stores.
                     "float32" and "float64": the plain recurrence in such numbers, no core's
    reward_scaling   "none": the rewards as they are, and all results in their unit; "standardise" (r - mean) / sigma
                     and "scale" r / sigma: by mean and standard deviation of all rewards so far, and results, and the
                     values that are given, in units of that. Where all rewards are equal, their size stands for sigma
                     and the mean stays.
    order            with these two: "include" the rollout in the statistics before standardising it, or use those of
                     the "previous" rollouts only (the first rollout is standardised by itself)
    clip             None: codes cover all rewards and values. A number: that many standard deviations, as the paper
                     clips them (it takes 4)
    qbits            bits of a code, 3 to what the core stores, instead of an accuracy
    threads          of the native engine, which share the environments; no result depends on them
    max_error        the accepted error of advantages, as a share of the standard deviation of an environment's TD
                     errors; default 0.01 with 16 bits and 0.25 with 8, and any where qbits are given. Environments that
                     would have a larger one get codes of their own range, in a run of their own, if there is no clip. A
                     CoreWarning says how many have a larger one all the same

    A rollout longer than the core's lanes runs in pieces that are joined exactly, one with more environments than the
    core has lanes in groups. Where the core notices something (clipped numbers, equal rewards), a CoreWarning says what
    and how often.

    >>> core = Gae(gamma=0.5, gae_lambda=1.0)
    >>> ends = np.zeros((3, 1), bool)
    >>> core.compute(np.ones((3, 1)), np.zeros((3, 1)), ends, ends, [0.0]).advantages.ravel().round(6).tolist()
    [1.75, 1.5, 1.0]
    """

    gamma: float = setting(lambda _, name, value: check_float(name, value, 0, 1))
    gae_lambda: float = setting(lambda _, name, value: check_float(name, value, 0, 1))

    def __init__(
        self,
        config: str | Mapping[str, int] | None = None,
        backend: str | Bus = "native",
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        *,
        accuracy: str | None = None,
        reward_scaling: str = "none",
        order: str = "include",
        clip: float | None = None,
        qbits: int | None = None,
        threads: int = 1,
        max_error: float | None = None,
    ) -> None:
        """Raises ValueError when an argument is out of its range, RunFailed when the core does not build."""
        self.gamma, self.gae_lambda = check_float("gamma", gamma, 0, 1), check_float("gae_lambda", gae_lambda, 0, 1)
        self.order = choice("order", order, ORDERS)
        self.reward_scaling = choice("reward_scaling", reward_scaling, SCALINGS)
        if accuracy is not None:
            choice("accuracy", accuracy, (*ACCURACIES, *FLOATS))
            if qbits is not None:
                raise UserError("accuracy and qbits both say how many bits a code has; give one")
        check_backend(backend, BACKENDS, "read", "a bus")
        self.clip, self.accuracy = None if clip is None else check_float("clip", clip, 0, float_info.max), accuracy
        if self.clip == 0:
            raise UserError(f"clip is {clip}; it must be a positive number of standard deviations, or None")
        self.threads = check_int("threads", threads, 1, 1024)
        bits = None if qbits is None else check_int("qbits", qbits, QBITS_MIN, QBITS_MAX)
        self.qbits = bits or ACCURACIES.get(accuracy or "", 0)
        self._max_error = None if max_error is None else check_float("max_error", max_error, 0, float_info.max)
        self._any_error = max_error is None and qbits is not None  # qbits are chosen on purpose
        self._backend = backend
        self._tally = WarningCounter()
        self.statistics = Moments()
        self._array: Any = None  # a Streamed or a Native, once there is one
        if accuracy in FLOATS:
            if config is not None or clip is not None or backend not in ("native", "model"):
                raise UserError(
                    f"accuracy '{accuracy}' is no core's: it takes no config and no clip, and backend native or model"
                )
        elif not isinstance(backend, str):
            self._take(Streamed(backend))
        elif config is None:
            stored = max(self.qbits or ACCURACIES["exact16"], 8)
            self.qbits = self._width(stored)
        else:
            if not isinstance(config, str | Mapping):
                raise UserError(f"config is {config!r}; it must be a name in configs.yaml, or Verilog parameters")
            parameters = _numbers(
                configs.load("gae", config) if isinstance(config, str) else declared.completed("gae", config)
            )
            GaeShape.of(parameters)
            self._width(parameters["QBITS"])
            self._take(self._made(parameters))

    def __repr__(self) -> str:
        backend = self._backend if isinstance(self._backend, str) else type(self._backend).__name__
        bits = self.accuracy if self.accuracy in FLOATS else f"{self.qbits} bits"
        return f"Gae({backend}, {bits}, gamma {self.gamma:g}, gae_lambda {self.gae_lambda:g})"

    @property
    def _float(self) -> type[np.floating[Any]]:
        """The type of an accuracy that is one."""
        return FLOATS[self.accuracy or ""]

    @property
    def _limit(self) -> int:
        """The greatest code."""
        return (1 << (self.qbits - 1)) - 1

    @property
    def driver(self) -> GaeDriver:
        """The core's driver: of backends model and rtl, and after the first rollout where `config` is None."""
        if self._backend == "native" or self.accuracy in FLOATS:
            raise UserError("the native engine has no driver: backend 'model' and 'rtl' have one")
        if self._array is None:
            raise UserError("there is no core yet: without a config it is chosen for the first rollout")
        driver: GaeDriver = self._array.driver
        return driver

    @property
    def max_error(self) -> float:
        """The accepted error of advantages, as a share of the standard deviation of an environment's TD errors."""
        if self._max_error is not None or self._any_error:
            return math.inf if self._max_error is None else self._max_error
        return 0.01 if self.qbits >= 14 else 0.25 if self.qbits >= 8 else math.inf

    @alone
    def reset_statistics(self) -> None:
        """Forget all rewards."""
        self.statistics = Moments()

    @alone
    def compute(
        self,
        rewards: ArrayLike,
        values: ArrayLike,
        terminated: ArrayLike,
        truncated: ArrayLike,
        bootstrap: ArrayLike,
        final_values: ArrayLike | Mapping[tuple[int, int], float] | None = None,
    ) -> GaeResult:
        """Advantages and returns of one rollout; see the module's conventions.

        rewards, values, terminated, truncated: (T, N); bootstrap: (N,). final_values: (T, N), read only where
        truncated and not terminated, or {(t, n): value}; needed when an episode was truncated. Raises ValueError when
        shapes or numbers are wrong.
        """
        inputs = rewards, values, terminated, truncated, bootstrap, final_values
        if self.accuracy in FLOATS:
            return self._plain_result(inputs)
        outcome, known = self._outcome(inputs, whole=True)
        self._notice(outcome, known)
        outcome.pop("coarse", None)
        return GaeResult(**outcome)

    @alone
    def _pair(self, *inputs: Any) -> tuple[np.ndarray, np.ndarray]:
        """compute(), but only advantages and returns: the quicker way where nothing else is looked at."""
        inputs = (*inputs, None)[:6]
        if self.accuracy in FLOATS:
            return self._plain(inputs)
        outcome, known = self._outcome(inputs, whole=False)
        self._notice(outcome, known)
        return outcome["advantages"], outcome["returns"]

    def _outcome(self, inputs: tuple[Any, ...], whole: bool) -> tuple[dict[str, Any], Moments | None]:
        """What Result has, some of it if not `whole`; and the statistics that rewards were scaled by."""
        if self._array is None:
            shape = plain("rewards", inputs[0]).shape
            if len(shape) != 2 or 0 in shape:
                check(*inputs)  # which says what is wrong
            steps, envs = shape
            self._take(self._made(fitting(steps, envs, self.qbits)))
        array: Any = self._array
        array.load(*inputs)
        try:
            known, after = None, self.statistics
            if self.reward_scaling != "none":
                known, after = self._measured()
                array.scale(known, self.reward_scaling)
            outcome, codes = self._run(known, whole)
            if self.max_error < math.inf and apart.share(*codes, array.held.spread(self.gamma)) > self.max_error:
                outcome = self._apart(inputs, outcome, codes, known, whole)
        except Exception:
            array.clear()
            raise
        self.statistics = after
        return outcome, known

    def _run(self, known: Moments | None, whole: bool) -> tuple[dict[str, Any], tuple[float, float]]:
        """What Result has of the rollout that the array holds; and the steps of its reward and value codes."""
        array = self._array
        deviation = None if known is None or self.reward_scaling == "scale" else 1.0
        centred = gae_scales.centre(array.held, self._limit, self.clip, deviation if self.clip else None)
        scales, runs = self._search(centred)
        outcome = array.outcome(scales, self.clip, whole)
        # A sum of many numbers may be larger than all of them.
        if centred.exponent > _NEAR_THE_END and not all(
            np.isfinite(outcome[name]).all() for name in ("advantages", "returns")
        ):
            raise UserError("results are beyond float64; divide rewards and values by a number")
        outcome["clipped_rewards"], outcome["clipped_values"] = array.clipped
        # Return codes may saturate: returns are made of advantages and values.
        outcome["flags"] = array.take_flags() - {"OUTPUT_SATURATED"}
        if whole:
            outcome |= {"step": float(centred.restored(scales.result_step)), "shift": scales.shift, "runs": runs}
        reward_step = scales.reward_step if centred.reward_range else 0.0  # codes that are all 0 round nothing
        value_step = scales.value_step if centred.value_range else 0.0
        return outcome, (float(centred.restored(reward_step)), float(centred.restored(value_step)))

    def _apart(
        self,
        inputs: tuple[Any, ...],
        outcome: dict[str, Any],
        steps: tuple[float, float],
        known: Moments | None,
        whole: bool,
    ) -> dict[str, Any]:
        """The rollout again, where that helps in runs of environments whose codes have a range of their own."""
        rollout = check(*inputs)
        every: list[tuple[float, float]] = [steps]
        scaled = rollout
        if known is not None:
            scaled = replace(rollout, rewards=moments.scaled(rollout.rewards, known, self.reward_scaling))
        sets: list[np.ndarray] = [np.arange(rollout.rewards.shape[1])]
        if self.clip is None:
            sets = apart.groups(scaled, self.gamma, self._limit, self.max_error)
        if len(sets) > 1:
            parts: list[dict[str, Any]] = []
            every = []
            for lanes in sets:
                one = rollout.of(lanes)
                self._array.load(
                    *(one.rewards, one.values, one.terminated, one.truncated, one.bootstrap, one.final_values)
                )
                if known is not None:
                    self._array.scale(known, self.reward_scaling)
                part, part_steps = self._run(known, whole)
                parts.append(part)
                every.append(part_steps)
            outcome = _joined(parts, sets)
        shares = np.zeros(rollout.rewards.shape[1])
        for lanes, part_steps in zip(sets, every, strict=True):
            shares[lanes] = [apart.share(*part_steps, x) for x in gae_scales.deviations(scaled.of(lanes), self.gamma)]
        outcome["coarse"] = int((shares > self.max_error).sum()), float(shares.max())
        return outcome

    # --- the array ---

    def _width(self, stored: int) -> int:
        """Bits of a code, of a core that stores `stored`."""
        bits = self.qbits or stored
        if self.accuracy and bits > stored:
            raise UserError(f"accuracy is '{self.accuracy}', but this core stores {stored} bits a reward")
        if not QBITS_MIN <= bits <= stored:
            raise UserError(f"qbits is {bits}; this core stores {QBITS_MIN} to {stored} bits")
        return bits

    def _take(self, array: "Streamed | Native") -> None:
        if array.shape.trace:
            raise UserError(
                "this GAE core was built with TRACE: it holds no values; vtrace() and lambda_returns() use it"
            )
        self._array = array
        self.qbits = self._width(array.shape.qbits)

    def _made(self, parameters: Mapping[str, int]) -> "Streamed | Native":
        if self._backend == "native":
            from rlcores.cores.gae.native import Native

            return Native(parameters, self.threads)
        return Streamed(GaeModelBus(parameters) if self._backend == "model" else rtl_bus(parameters))

    def _measured(self) -> tuple[Moments, Moments]:
        """Statistics to standardise a rollout by, and those after it: the array's exact sums of it, merged here.

        They are merged here because the core's sums are in one fixed point, and rewards may outgrow every one.
        """
        centred = gae_scales.centre(self._array.held, self._limit)
        point = gae_scales.point_of(centred.largest_reward)
        sums = self._array.sums(centred, point)
        mean, spread = sums.total / sums.count, math.sqrt(sums.count * sums.squares - sums.total**2) / sums.count
        block = Moments(
            sums.count,
            float(centred.restored(centred.reward_centre + math.ldexp(mean, -point))),
            float(centred.restored(math.ldexp(spread, -point))),
        )
        return self._known(block)

    def _known(self, block: Moments) -> tuple[Moments, Moments]:
        after = self.statistics.merged(block)
        return (after if self.order == "include" or not self.statistics.count else self.statistics), after

    def _search(self, centred: gae_scales.Centred) -> tuple[gae_scales.Scales, int]:
        """Run a rollout at the finest scales at which nothing saturates; how often it ran."""
        array, shape = self._array, self._array.shape
        array.begin(self.qbits, self.gamma, self.gae_lambda)
        wide = formats(shape.depth, shape.qbits).wide
        most = (1 << (shape.out_bits - 1)) - 1
        lsb: int | None = None
        too_fine, runs = -math.inf, 0
        while True:
            scales = gae_scales.choose(centred, shape, self.qbits, self.gamma, self.gae_lambda, lsb)
            peak = array.attempt(scales)
            runs += 1
            if peak >= most:
                too_fine = scales.lsb
                lsb = scales.lsb + 2
                continue
            # With a fixed number of bits left out, results that leave two bits unused are worth another run.
            finer = scales.lsb - int(math.log2(most / peak)) if peak else scales.lsb
            finer = int(max(finer, too_fine + 1))
            if wide or runs > 3 or finer > scales.lsb - 2:
                break
            lsb = finer
            if gae_scales.choose(centred, shape, self.qbits, self.gamma, self.gae_lambda, lsb).lsb == scales.lsb:
                break
        return scales, runs

    # --- the plain recurrence ---

    def _plain(self, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Advantages and returns in float32 or float64."""
        if self._backend == "native" and self.reward_scaling == "none":
            from rlcores.cores.gae.native import plain_gae

            pair = plain_gae(inputs, self.gamma, self.gae_lambda, self._float, self.threads)
            if pair is not None:
                return pair
        result = self._plain_result(inputs)
        return result.advantages, result.returns

    def _plain_result(self, inputs: tuple[Any, ...]) -> GaeResult:
        dtype, known = self._float, None
        after = self.statistics
        exact = check(*inputs)
        if self.reward_scaling != "none":
            known, after = self._known(Moments.of(exact.rewards))
            exact = replace(exact, rewards=moments.scaled(exact.rewards, known, self.reward_scaling))
        rewards, values, bootstrap, final = (
            narrowed(x, dtype, "a number") for x in (exact.rewards, exact.values, exact.bootstrap, exact.final_values)
        )
        arrays = rewards, values, exact.terminated, exact.truncated, bootstrap, final
        if self._backend == "native":
            from rlcores.cores.gae.native import plain_gae

            pair = plain_gae(tuple(compact(x) for x in arrays), self.gamma, self.gae_lambda, dtype, self.threads)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                pair = float_gae(*arrays, self.gamma, self.gae_lambda)
        if pair is None or not all(np.isfinite(x).all() for x in pair):
            raise _beyond("a result", dtype)
        if known is not None:
            self.statistics = after
        result = GaeResult(
            *pair,
            rewards=rewards,
            values=values,
            bootstrap=bootstrap,
            final_values=np.where(exact.truncated, final, np.nan),
            elements=rewards.size,
            error=lambda: rms(exact, self.gamma, self.gae_lambda, pair[0]),
        )
        self._notice(result, known)
        return result

    def _notice(self, result: GaeResult | Mapping[str, Any], known: Moments | None) -> None:
        """Every notice of the core as a CoreWarning."""
        outcome = result if isinstance(result, Mapping) else vars(result)
        if known is not None and known.constant:
            what = f"all rewards so far are {known.mean:g}, so they have no standard deviation"
            self._tally.add("constant", 1, f"{what}: they were divided by {known.unit:g} and their mean was kept")
        count, worst = outcome.get("coarse", (0, 0.0))
        size = f"up to about {worst:.2g}" if worst < math.inf else f"more than {self.max_error:.2g}"
        zero = "" if worst < math.inf else ", which are all 0 in some of them"
        self._tally.add(
            "coarse",
            count,
            f"the advantages of {count} environment{'s' * (count > 1)} have an error of {size} of the standard "
            f"deviation of their TD errors{zero}, because codes of {self.qbits} bits also hold their values: "
            f"{'' if self.qbits > 8 else 'accuracy exact16 or '}accuracy float32 is finer, and max_error accepts it",
        )
        for flag in sorted(outcome["flags"]):
            name, text = _NOTICES.get(flag) or (None, self.driver.meaning(flag))
            count = outcome[name] if name else 1
            self._tally.add(flag, count, f"{count} {text.format(clip=self.clip or 0)}" if name else text)


class _GaeOfOneCall(Gae):
    """Of advantages(), which makes one in every call: nobody else sets its attributes, so they are not guarded."""

    if not TYPE_CHECKING:
        __setattr__ = object.__setattr__


def _joined(parts: list[dict[str, Any]], sets: list[np.ndarray]) -> dict[str, Any]:
    """The results of runs of some environments each as one."""
    first, count = parts[0], sum(map(len, sets))
    joined: dict[str, Any] = {}
    for name, one_of in first.items():
        value: Any = one_of
        values = [part[name] for part in parts]
        if isinstance(value, np.ndarray):
            first_axes: tuple[int, ...] = np.shape(one_of)[:-1]
            joined[name] = np.empty((*first_axes, count))
            for lanes, one in zip(sets, values, strict=True):
                joined[name][..., lanes] = one
        elif name in ("step", "shift"):
            joined[name] = max(values)
        elif name == "flags":
            joined[name] = frozenset().union(*values)
        elif name == "error":
            joined[name] = partial(_rms, [len(lanes) / count for lanes in sets], values)
        else:
            joined[name] = sum(values)
    return joined


def _rms(shares: list[float], errors: list[Callable[[], float]]) -> float:
    """The root mean square error of all environments, from those of some each."""
    return math.hypot(*(math.sqrt(share) * error() for share, error in zip(shares, errors, strict=True)))


def advantages(
    rewards: ArrayLike,
    values: ArrayLike,
    terminated: ArrayLike,
    truncated: ArrayLike,
    bootstrap: ArrayLike,
    gamma: float = 0.99,
    gae_lambda: float = 0.95,
    *,
    final_values: ArrayLike | Mapping[tuple[int, int], float] | None = None,
    config: str | Mapping[str, int] | None = None,
    backend: str | Bus = "native",
    **options: Unpack[GaeOptions],
) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, (T, N) each, of one rollout.

    Arguments as Gae.compute and Gae; options (accuracy, reward_scaling, …) go to Gae. float32 when rewards and values
    are float32, else float64; with accuracy "float32" or "float64" as it says. To see errors, counters, flags and
    quantised inputs, use Gae. Raises ValueError as Gae does, and when a result is beyond the largest of its type.

    >>> ends = np.zeros((2, 1), bool)
    >>> a, ret = advantages([[1.0], [1.0]], [[0.5], [0.5]], ends, ends, [0.0], gamma=1.0, gae_lambda=1.0)
    >>> a.ravel().round(6).tolist(), ret.ravel().round(6).tolist()
    ([1.5, 0.5], [2.0, 1.0])
    """
    if unknown := options.keys() - GaeOptions.__annotations__:
        known = ["gamma", "gae_lambda", "final_values", "config", "backend", *GaeOptions.__annotations__]
        hint = nearest("gae_lambda" if min(unknown) in ("lam", "lambda_") else min(unknown), known)
        raise UserError(f"there is no option '{min(unknown)}'{hint}; options: {', '.join(known)}")
    core = _GaeOfOneCall(config, backend, gamma, gae_lambda, **options)
    pair = core._pair(rewards, values, terminated, truncated, bootstrap, final_values)
    if core.accuracy in FLOATS:
        return pair
    single = all(str(getattr(x, "dtype", "")).endswith("float32") for x in (rewards, values))
    kind: type[np.floating[Any]] = np.float32 if single else np.float64
    return narrowed(pair[0], kind), narrowed(pair[1], kind)


def narrowed(values: np.ndarray, dtype: type[np.floating[Any]], what: str = "a result") -> np.ndarray:
    """Numbers as `dtype`. Raises UserError where one, which is `what`, is beyond its largest number."""
    with np.errstate(over="ignore"):
        narrow: np.ndarray = values.astype(dtype, copy=False)
    if not np.isfinite(narrow).all():
        raise _beyond(what, dtype)
    return narrow


def _beyond(what: str, dtype: type[np.floating[Any]]) -> UserError:
    most = np.finfo(dtype).max
    return UserError(f"{what} is beyond {most:g}, the largest {np.dtype(dtype)}: scale rewards and values down")


def fitting(steps: int, envs: int, qbits: int = 16) -> dict[str, int]:
    """Verilog parameters of a small array that holds rollouts of `steps` steps of `envs` environments.

    A lane for each environment up to 64, and room for a truncation every eighth step; what is larger runs in groups and
    pieces.
    """
    wide = qbits > 10
    return {
        "ROWS": 2 if wide else 4,
        "LANES": min(_LANES_MOST, 1 << max(3 if wide else 2, (envs - 1).bit_length())),
        "DEPTH": min(_DEPTH_MOST, max(16, 1 << (steps + steps // 8).bit_length())),
        "LOOKAHEAD": 1 if wide else 2,
        "INTERLEAVE": 4 if wide else 1,
        "SPAN": 1,
        "QBITS": max(8, qbits),
        "OUT_BITS": 24 if wide else 16,
        "BEAT": 2,
        "STACKS": 1,
        "TRACE": 0,
    }


def _numbers(parameters: Mapping[str, int | str]) -> dict[str, int]:
    """Verilog parameters, which are numbers in this core."""
    return {name: int(value) for name, value in parameters.items()}


def rtl_bus(parameters: Mapping[str, int]) -> VerilatedBus:
    """The Verilated core: built when needed, simulated clock by clock. Raises RunFailed when it does not build."""
    # Without shared code the C++ grows with the array: minutes of compilation for 16 rows, an hour for 512.
    shared: tuple[str, ...] = ()
    if parameters["ROWS"] >= 8:
        many_groups = parameters["ROWS"] // parameters["SPAN"] >= 8
        shared = ("rlc_gae_group",) if many_groups else ("rlc_gae_row", "rlc_gae_bank")
    return simulated("gae", parameters, shared=shared)
