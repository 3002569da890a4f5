"""Acting in the user's units: observations in, actions and log-probabilities out, from the engine or the core."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from rlcores.base.arguments import check_backend, check_bool, check_float, check_int, choice
from rlcores.base.attributes import Guarded, setting
from rlcores.base.naming import backend_of
from rlcores.buses.bus import StreamsBus
from rlcores.cores.common.draws import state_of
from rlcores.cores.common.fixed import quantise, quantise_within
from rlcores.cores.learner.format import ACT_WIDTH, WEIGHT_FRAC, WEIGHT_WIDTH
from rlcores.cores.learner.network import clip_and_count
from rlcores.cores.policy.density import LOG_FRAC, OUT_FRAC, deviation, log2e_times
from rlcores.cores.policy.driver import Acting, PolicyDriver
from rlcores.cores.policy.head import ACTION_FRAC, EPSILON_FRAC, MEAN, NATURAL, NONE, SAMPLE, SCALE_FRAC, HeadSettings
from rlcores.cores.policy.model import ACC_OVERFLOW, DROPPED, HEAD_SATURATED, TAKEN, PolicyModel
from rlcores.cores.policy.native import FRAC_MAX, NativePolicy
from rlcores.errors import UserError, WarningCounter, user_errors

BACKENDS = ("native", "model", "rtl")
KINDS = ("greedy", "categorical", "gaussian")
SQUASHES = {"none": NONE, "mean": MEAN, "sample": SAMPLE}
_OBS_FRAC, _MOST_SCALE = 12, (2**17 - 1) / 2**SCALE_FRAC


class ActingPolicy(Guarded):
    """A multilayer perceptron with rectified hidden layers that acts, with the core's bits (docs/policy.md).

    kind      "greedy": outputs are values, and the action is the greatest one's index; "categorical": they are logits,
              of which one is drawn; "gaussian": they are means, and the action is numbers
    epsilon   how often an action is uniform instead; may be set at any time
    squash    of "gaussian", what tanh is applied to: "none", "mean" (with noise it is clipped to -1 … 1), "sample"
    scale     of "gaussian": what an action is multiplied by, below 4

    >>> policy = ActingPolicy([(np.eye(2), np.zeros(2))], kind="categorical", seed=1)
    >>> actions, log_probabilities = policy.act(np.array([[0.0, 8.0], [8.0, 0.0]]))
    >>> actions
    array([1, 0])
    >>> bool(np.all(log_probabilities <= 0))
    True
    """

    epsilon: float = setting(lambda _, name, value: check_float(name, value, 0, 1))

    def __init__(
        self,
        layers: Sequence[tuple[ArrayLike, ArrayLike]],
        *,
        kind: str = "greedy",
        log_std: ArrayLike | None = None,
        epsilon: float = 0.0,
        squash: str = "none",
        scale: float = 1.0,
        fractions: Sequence[int] | None = None,
        backend: str | StreamsBus = "native",
        seed: int = 0,
    ) -> None:
        """layers: weights (N_l, N_l-1) and biases (N_l,) of 1 to 4 layers. log_std: of "gaussian", (A,); default 0.

        fractions: fraction bits of the observation, the hidden layers and the outputs; default 12, for the outputs 16.
        backend: "native" (the engine), "model" (NumPy), "rtl" (the Verilated core), or a bus to a core; all alike.
        seed: 64 bits. Raises UserError for what is none of these, and where a bus' core was built for another network.
        """
        self._kind = choice("kind", kind, KINDS)
        continuous = kind == "gaussian"
        squashes = SQUASHES[choice("squash", squash, tuple(SQUASHES))]
        factor = round(check_float("scale", scale, 0, _MOST_SCALE) * 2**SCALE_FRAC)
        if not continuous and (squash != "none" or scale != 1.0 or log_std is not None):
            raise UserError(f"squash, scale and log_std belong to kind 'gaussian'; kind is '{kind}'")
        self._squash, self._scale = squashes, factor
        self.epsilon = epsilon
        matrices = _matrices(layers)
        sizes = (matrices[0][0].shape[1], *(len(b) for _, b in matrices))
        bits = fractions if fractions is not None else (_OBS_FRAC,) * (len(sizes) - 1) + (OUT_FRAC,)
        frac = tuple(check_int("a fraction", one, 0, FRAC_MAX) for one in bits)
        with user_errors():
            model = (NativePolicy if backend == "native" else PolicyModel)(sizes, frac, continuous=continuous)
            self.core: Acting = model if backend in ("native", "model") else _driver(model, backend)
        self._tally, self._seen = WarningCounter(), self.core.counters.copy()
        self.seed(seed)
        self.load(layers, log_std=np.zeros(sizes[-1]) if continuous and log_std is None else log_std)

    def __repr__(self) -> str:
        return f"ActingPolicy({'-'.join(map(str, self.core.sizes))}, {self._kind}, {backend_of(self.core)})"

    def seed(self, seed: int) -> None:
        """Restart the generator from a seed of 64 bits. Raises UserError."""
        self.core.seed(state_of(check_int("seed", seed, 0, 2**64 - 1)))

    def load(self, layers: Sequence[tuple[ArrayLike, ArrayLike]], *, log_std: ArrayLike | None = None) -> None:
        """Act with these weights from now on; without log_std with the deviations of before.

        A deviation beyond 2**-8 … 2**8 is clipped, which a CoreWarning says.
        Raises UserError: other shapes than the network's, or a number that does not fit sfix(27,22).
        """
        matrices = _matrices(layers)
        sizes = (matrices[0][0].shape[1], *(len(b) for _, b in matrices))
        if sizes != self.core.sizes:
            raise UserError(f"the weights are those of a network {sizes}; the core's is {self.core.sizes}")
        logs = None
        if log_std is not None:
            with user_errors():
                logs = quantise_within(log_std, WEIGHT_WIDTH, WEIGHT_FRAC, "log-deviation").reshape(-1)
            if self._kind != "gaussian" or logs.shape != (sizes[-1],):
                raise UserError(f"log_std has {logs.size} numbers for {sizes[-1]} outputs of kind '{self._kind}'")
            beyond = np.count_nonzero(deviation(logs).c != log2e_times(logs, WEIGHT_FRAC - LOG_FRAC))
            self._tally.add("deviation", int(beyond), "a deviation was clipped to 2**-8 to 2**8")
        self.core.load(matrices, logs)

    def act(self, observations: ArrayLike, deterministic: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Actions and the natural logarithms of their probabilities, float64 (B,), of observations (B, N_0).

        Actions are int64 (B,), or of kind "gaussian" float64 (B, A). deterministic: the greatest output, or the mean,
        without exploring. Log-probabilities are those of the policy without epsilon, "gaussian" as docs/policy.md says.
        They are NaN from a core that was built without LOGP. Raises UserError; numbers that the core has to limit give
        a CoreWarning.
        """
        with user_errors():
            codes = quantise(observations, self.core.act_frac[0], "number of an observation")
        if codes.ndim != 2 or codes.shape[1] != self.core.sizes[0]:
            raise UserError(f"observations have the shape {codes.shape}; it must be (B, {self.core.sizes[0]})")
        fitting = clip_and_count(codes, ACT_WIDTH)
        self._tally.add("observation", int(np.count_nonzero(fitting != codes)), "an observation was clipped to 18 bits")
        still = check_bool("deterministic", deterministic)
        settings = HeadSettings(
            epsilon=0 if still else round(self.epsilon * 2**EPSILON_FRAC),
            noise=not still and self._kind != "greedy",
            squash=self._squash,
            scale=self._scale,
        )
        answers = self.core.act(fitting, settings)
        self._warn()
        actions = answers.actions * 2.0**-ACTION_FRAC if self._kind == "gaussian" else answers.actions
        return actions, answers.logs * NATURAL if self.core.logp else np.full(len(codes), np.nan)

    def _warn(self) -> None:
        now = self.core.counters.copy()
        new, self._seen = now - self._seen, now
        new[[DROPPED, TAKEN]] = 0
        self._tally.add("range", int(new[ACC_OVERFLOW]), "a sum of the network came near the end of its 48 bits")
        self._tally.add("head", int(new[HEAD_SATURATED]), "an action, or a number on the way to it, was clipped")
        new[[ACC_OVERFLOW, HEAD_SATURATED]] = 0
        self._tally.add("layers", int(new.sum()), "the core clipped an element of a layer")


def _matrices(layers: Sequence[tuple[ArrayLike, ArrayLike]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and biases as integers of 22 fraction bits. Raises UserError."""
    rule = "layers are 1 to 4 pairs of weights (N_l, N_l-1) and biases (N_l,)"
    try:
        pairs = [(w, b) for w, b in layers]
    except (TypeError, ValueError):
        raise UserError(rule) from None

    def within(x: ArrayLike) -> np.ndarray:
        return quantise_within(x, WEIGHT_WIDTH, WEIGHT_FRAC, "weight")

    with user_errors():
        matrices = [(within(w), within(b)) for w, b in pairs]
    if not 1 <= len(matrices) <= 4 or any(w.ndim != 2 or not w.size or b.shape != w.shape[:1] for w, b in matrices):
        raise UserError(rule)
    if any(after[0].shape[1] != len(before[1]) for before, after in pairwise(matrices)):
        raise UserError("a layer's weights have another number of columns than the layer before has outputs")
    return matrices


def parameters(sizes: Sequence[int], continuous: bool) -> Mapping[str, int | str]:
    """Verilog parameters of a small core for such a network: four elements a word, one row group."""
    lanes = [min(4, size) for size in sizes]
    lanes[-1] = min(lanes[-1], -(-sizes[-2] // lanes[-2]))
    layers = len(sizes) - 1
    lists = {"SIZES": sizes, "LANES": lanes, **dict.fromkeys(("FORWARD", "UPDATE_ROWS", "UPDATE_COLS"), [1] * layers)}
    texts = {name: "-".join(map(str, numbers)) for name, numbers in lists.items()}
    return {**texts, "OUT_WIDTH": 27, "CONTINUOUS": int(continuous), "LOGP": 1}


def _driver(model: PolicyModel, backend: str | StreamsBus) -> PolicyDriver:
    check_backend(backend, BACKENDS, "read", "a bus")
    if isinstance(backend, str):
        return PolicyDriver.verilated(parameters(model.sizes, model.continuous), model.act_frac)
    core = PolicyDriver(backend, model.act_frac)
    if (core.sizes, core.continuous) != (model.sizes, model.continuous):
        raise UserError(f"the core is built for another network: {core.sizes}, not {model.sizes}")
    if core.output_width != model.output_width:
        raise UserError(f"the core's outputs have {core.output_width} bits, not {model.output_width}")
    return core
