"""Advantages of a CartPole rollout by the RTL, and how far they are from the model and from float64."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rlcores.base.report import Figure
from rlcores.cores.gae import float64 as gae_float
from rlcores.cores.gae.api import Gae, GaeResult
from rlcores.eda import configs
from rlcores.train.actor import Rollout
from rlcores_lab.demo.cartpole import CartPoles, Critic, values_of

ENVIRONMENTS, STEPS, WARM_UP = 64, 1024, 256
GAMMA, LAMBDA = 0.99, 0.95
# docs/gae.md, "Error": with 16-bit results, |A - float64 of the same inputs| is at most this share of the largest |A|.
BOUND = 2.0**-10


@dataclass(frozen=True)
class Rollout:
    """What PPO has when it asks for advantages: (T, N) arrays and bootstrap (N,)."""

    seen: Rollout
    values: np.ndarray
    bootstrap: np.ndarray
    final_values: np.ndarray


@dataclass(frozen=True)
class Comparison:
    """The RTL's answer beside the others, (T, N) each."""

    rollout: Rollout
    parameters: dict[str, int]
    rtl: GaeResult
    same_inputs: np.ndarray  # float64 advantages of what the array saw of later steps, and of a step's own numbers
    exact: np.ndarray  # float64 advantages of rewards and values that nobody quantised
    model_equal: bool  # every advantage and return equals the integer model's, bit for bit

    @property
    def largest(self) -> float:
        """The largest |A| in float64."""
        return float(np.abs(self.same_inputs).max())

    @property
    def arithmetic_error(self) -> np.ndarray:
        """A of the RTL minus float64 of the same inputs: the array's own rounding."""
        return self.rtl.advantages - self.same_inputs

    @property
    def total_error(self) -> np.ndarray:
        """A of the RTL minus float64 of unquantised inputs: that, and storing 8 bits instead of 32."""
        return self.rtl.advantages - self.exact

    @property
    def records(self) -> int:
        """Steps, truncations and the BOOT that ends each lane. A truncation in the last step is that BOOT."""
        return self.rtl.elements + int(self.rollout.seen.truncated[:-1].sum()) + self.rtl.advantages.shape[1]


def collect(seed: int, stepped: Callable[[], object] = lambda: None) -> Rollout:
    """WARM_UP + STEPS steps of all environments; the critic learns from the first ones, as PPO's would have."""
    environments = CartPoles(ENVIRONMENTS, seed)
    before, seen = (environments.rollout(steps, stepped) for steps in (WARM_UP, STEPS))
    critic = Critic(seed)
    critic.fit(before, GAMMA, LAMBDA)
    return Rollout(seen, *values_of(critic, seen))


def compare(rollout: Rollout, config: str) -> Comparison:
    """The rollout through the RTL, the integer model and float64. Raises UserError when it does not fit the core."""
    seen = rollout.seen
    arrays = (seen.rewards, rollout.values, seen.terminated, seen.truncated, rollout.bootstrap, rollout.final_values)
    rtl, model = (Gae(config, backend, GAMMA, LAMBDA).compute(*arrays) for backend in ("rtl", "model"))
    ends = (seen.terminated, seen.truncated)
    same = gae_float.rollout(rtl.rewards, rtl.values, *ends, rtl.bootstrap, rtl.final_values, GAMMA, LAMBDA)[0]
    same += (seen.rewards - rtl.rewards) - (rollout.values - rtl.values)
    exact = gae_float.rollout(
        seen.rewards, rollout.values, *ends, rollout.bootstrap, rollout.final_values, GAMMA, LAMBDA
    )[0]
    equal = np.array_equal(rtl.advantages, model.advantages) and np.array_equal(rtl.returns, model.returns)
    return Comparison(rollout, configs.load("gae", config), rtl, same, exact, equal)


def figures(comparison: Comparison) -> list[Figure]:
    """What the demo says, as figures."""
    rtl, seen, parameters = comparison.rtl, comparison.rollout.seen, comparison.parameters
    rows = parameters["ROWS"]
    record_bits = 2 + 2 * parameters["QBITS"]
    second_bank = 2 * parameters["OUT_BITS"] if parameters["OUT_BITS"] > parameters["QBITS"] else 0
    # float32 rewards and values, and advantages and returns beside them; the ends of episodes not counted.
    stack, stack_float = comparison.records * record_bits, rtl.elements * 64
    both, both_float = stack + rtl.elements * second_bank, stack_float + rtl.elements * 64
    return [
        Figure("demo.steps", rtl.elements, "steps", "measured"),
        Figure("demo.terminations", int(seen.terminated.sum()), "episodes", "measured"),
        Figure("demo.truncations", int(seen.truncated.sum()), "episodes", "measured"),
        Figure("gae.cycles", rtl.cycles, "clocks", "measured"),
        Figure("gae.elements", rtl.elements, "elements", "measured"),
        Figure("gae.elements_per_cycle_per_row_overall", rtl.elements / (rows * rtl.cycles), "1", "measured"),
        Figure("gae.occupancy", comparison.records / (rows * rtl.cycles), "1", "measured"),
        Figure("gae.stalls", rtl.stalls, "row-clocks", "measured"),
        Figure("gae.model_equal", int(comparison.model_equal), "1 = bit for bit", "measured"),
        Figure("gae.error_arithmetic", float(np.abs(comparison.arithmetic_error).max()), "reward, largest", "measured"),
        Figure("gae.error_arithmetic_bound", BOUND * comparison.largest, "reward", "model"),
        Figure("gae.error_total_rms", float(np.sqrt((comparison.total_error**2).mean())), "reward", "measured"),
        Figure("gae.error_total", float(np.abs(comparison.total_error).max()), "reward, largest", "measured"),
        Figure("gae.advantage_rms", float(np.sqrt((comparison.exact**2).mean())), "reward", "measured"),
        Figure("gae.advantage_largest", comparison.largest, "reward", "measured"),
        Figure("gae.stack_kib", stack / 8192, "KiB", "measured"),
        Figure("gae.memory_saved", stack_float / stack, "x of float32 rewards and values", "model"),
        Figure("gae.memory_saved_with_results", both_float / both, "x of float32, results included", "model"),
        Figure("gae.clipped_rewards", rtl.clipped_rewards, "rewards", "measured"),
        Figure("gae.clipped_values", rtl.clipped_values, "values", "measured"),
    ]
