"""rlc_ppo_loss against the model: ratios at both ends of the clip, sure and hopeless actions, all at their limits."""

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import integers, pack
from cocotb.triggers import FallingEdge
from units_bench import Ports

from rlcores.cores.common.fixed import saturate
from rlcores.cores.policy import density
from rlcores.cores.ppo import head

ONE = 1 << 17
IN = ["logits", "value", "action", "log", "before", "advantage", "scaled"]
SAMPLES = 40


def mixed(rng: np.random.Generator, width: int, shape, usual: int) -> np.ndarray:
    """Signed numbers of that many bits: small ones as they usually are, any, or ends of the range."""
    half = 1 << width - 1
    kind = rng.integers(0, 10, shape)
    small = rng.integers(-usual, usual + 1, shape)
    ends = rng.choice([-half, half - 1, 0, 1, -1], shape)
    return np.where(kind < 6, small, np.where(kind < 8, rng.integers(-half, half, shape), ends))


def samples(rng: np.random.Generator, actions: int) -> dict[str, np.ndarray]:
    """Any samples; the old log-probabilities of most are near to the new ones, so that ratios are."""
    logits = mixed(rng, 27, (SAMPLES, actions), 3 << 16)
    tie = rng.random(SAMPLES) < 0.1
    logits[tie] = logits[tie, :1]
    action = rng.integers(0, actions, SAMPLES)
    log = density.categorical(logits).log_probability(action)
    near = log + rng.integers(-500_000, 500_000, SAMPLES)
    before = np.where(rng.random(SAMPLES) < 0.2, mixed(rng, 27, SAMPLES, 1 << 24), saturate(near, 27))
    same = rng.random(SAMPLES) < 0.2
    return {
        "logits": logits, "action": action, "log": np.where(same, log, before),
        "value": mixed(rng, 27, SAMPLES, 5 << 16), "before": mixed(rng, 27, SAMPLES, 5 << 16),
        "advantage": mixed(rng, 27, SAMPLES, 2 << 16), "scaled": mixed(rng, 18, SAMPLES, 3 << 12),
    }  # fmt: skip


def settings(rng, number: int) -> dict[str, int]:
    """The registers; fractions of the deltas in place of the shifts."""
    found = {
        "clip": rng.choice((209715, 0, (1 << 20) - 1, rng.randrange(1 << 20))),
        "entropy": rng.choice((7268, 0, ONE - 1, rng.randrange(ONE))),
        "value": rng.choice((ONE // 2, ONE, 0, rng.randrange(ONE))),
        "value_clip": rng.choice((0, 13107, rng.randrange(1, 1 << 26), (1 << 26) - 1)),
        "fd": rng.choice((14, 16, 25, rng.randrange(26))),
        "value_fd": rng.choice((12, 14, 25, rng.randrange(26))),
    }
    usual = {"clip": 209715, "entropy": 7268, "value": ONE // 2, "fd": 14, "value_fd": 12}
    if number == 2:  # of an odd coefficient, products end in any bits
        found |= {"value": rng.randrange(ONE) | 1, "value_fd": rng.randrange(8, 26)}
    return found | (usual if number % 2 else {})


def below_half(given: dict[str, np.ndarray], chosen: dict[str, int]) -> None:
    """Where it can be, the first sample's value has a delta whose product is one below a half of the last bit."""
    shift = 33 - chosen["value_fd"]
    if chosen["value"] % 2 and shift <= 26:
        error = ((1 << shift - 1) - 1) * pow(chosen["value"], -1, 1 << shift) % (1 << shift)
        given["value"][0] = given["before"][0] = 0
        given["advantage"][0] = (1 << shift) - error if error >> shift - 1 else -error
        HITS["below a half"] += 1


def expected(given: dict[str, np.ndarray], chosen: dict[str, int]) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Deltas (SAMPLES, actions) and of the values (SAMPLES,), and how many numbers were saturated on each way."""
    seen = density.categorical(given["logits"])
    ratio = head.ratio(seen.log_probability(given["action"]), given["log"], given["scaled"], chosen["clip"])
    deltas, one = head.categorical_delta(seen, given["action"], ratio.slope, chosen["entropy"], chosen["fd"])
    arguments = given["value"], given["before"], given["advantage"]
    values, two = head.value_delta(*arguments, chosen["value"], chosen["value_fd"], chosen["value_clip"])
    returns = saturate(given["advantage"] + given["before"], 27)
    HITS["cut"] += int(ratio.cut.sum())
    HITS["not cut"] += int((~ratio.cut & (given["scaled"] != 0)).sum())
    HITS["ratio is one"] += int((ratio.ratio == 1 << 20).sum())
    HITS["slope saturated"] += int((np.abs(ratio.slope) > ONE - 2).sum())
    HITS["delta saturated"] += int((np.abs(deltas) > ONE - 2).sum())
    HITS["value saturated"] += int((np.abs(values) > ONE - 2).sum())
    HITS["sure"] += int((seen.probabilities == ONE).any(axis=1).sum())
    HITS["value held"] += int(((values == 0) & (given["value"] != returns) & (chosen["value"] > 0)).sum())
    return deltas, values, [ratio.saturated + one, two]


class Loss(Ports):
    """A loss and its samples; counts what it limits on the two ways, and when deltas come."""

    def __init__(self, dut, names: list[str], vectors: dict[str, int]) -> None:
        """names: of the ports of a sample. vectors: those of several numbers, and bits of one."""
        super().__init__(dut, {"s": names}, {"m": ["deltas", "value"]})
        self.names, self.vectors = names, vectors
        self.saturated, self.came, self.begun = [0, 0], [], 0
        self.each_clock.append(self._count)

    def _count(self) -> None:
        self.saturated[0] += int(self.dut.sat_policy.value)
        self.saturated[1] += int(self.dut.sat_value.value)
        if int(self.dut.m_valid.value):
            self.came.append(self.clock)

    def _bits(self, name: str, value) -> int:
        if name in self.vectors:
            return pack(value, self.vectors[name])
        return int(value) & (1 << len(getattr(self.dut, f"s_{name}"))) - 1

    async def compare(
        self, given: dict[str, np.ndarray], deltas: np.ndarray, values: np.ndarray, over: list[int], stalls: bool
    ) -> None:
        """All samples in, these deltas out, and these counts of saturated numbers."""
        for at in range(SAMPLES):
            self.to_send["s"].append({name: self._bits(name, given[name][at]) for name in self.names})
            self.expected["m"].append({"deltas": pack(deltas[at], 18), "value": int(values[at]) & ONE * 2 - 1})
        self.any_pace() if stalls else self.full_speed()
        self.saturated, self.begun = [0, 0], self.clock
        self.came.clear()
        await self.run()
        assert self.saturated == over, f"{self.saturated} numbers saturated, expected {over}"

    def timed(self, latency: int, pace: int | None) -> None:
        """Without a stall: `latency` clocks to the first deltas, then one in `pace` clocks; None: any number."""
        assert self.came[0] - self.begun == latency, f"{self.came[0] - self.begun} clocks to the first deltas"
        assert pace is None or self.came[-1] - self.came[0] == (SAMPLES - 1) * pace, f"a sample in {pace} clocks"


@cocotb.test()
async def every_delta_is_the_models(dut):
    actions, places = integers(dut, "ACTIONS", "PLACES")
    bench = Loss(dut, IN, {"logits": 27})
    rng = np.random.default_rng(cocotb.RANDOM_SEED)
    await bench.start(
        **{f"cfg_{name}": 0 for name in ("clip", "entropy", "value", "value_clip", "delta_shift", "value_shift")}
    )
    for number in range(14):
        chosen = settings(bench.rng, number)
        for name in ("clip", "entropy", "value", "value_clip"):
            getattr(dut, f"cfg_{name}").value = chosen[name]
        dut.cfg_delta_shift.value, dut.cfg_value_shift.value = 36 - chosen["fd"], 33 - chosen["value_fd"]
        await FallingEdge(dut.clk)
        await FallingEdge(dut.clk)
        given = samples(rng, actions)
        below_half(given, chosen)
        await bench.compare(given, *expected(given, chosen), stalls=number > 0)
        if number == 0:
            bench.timed(46 + 4 * actions, actions + 1 if places >= 32 else None)
    report()
