"""Shared by the benches of PPO's losses: samples with random stalls, what is limited, and when deltas come."""

import random
from collections.abc import Mapping

import numpy as np
from units_bench import Ports

ONE = 1 << 17
SAMPLES = 40


def mixed(rng: np.random.Generator, width: int, shape, usual: int) -> np.ndarray:
    """Signed numbers of that many bits: small ones as they usually are, any, or ends of the range."""
    half = 1 << width - 1
    kind = rng.integers(0, 10, shape)
    small = rng.integers(-usual, usual + 1, shape)
    ends = rng.choice([-half, half - 1, 0, 1, -1], shape)
    return np.where(kind < 6, small, np.where(kind < 8, rng.integers(-half, half, shape), ends))


def field(values: np.ndarray, width: int) -> list[int]:
    """Numbers as the words of a field of so many bits."""
    return [int(value) & (1 << width) - 1 for value in values]


def clip_settings(rng: random.Random, number: int) -> dict[str, int]:
    """Registers of a policy's loss; the fraction of its deltas in place of the shift."""
    usual = {"clip": 209715, "entropy": 7268, "fd": 14}
    return usual if number % 2 else {
        "clip": rng.choice((209715, 0, (1 << 20) - 1, rng.randrange(1 << 20))),
        "entropy": rng.choice((7268, 0, ONE - 1, rng.randrange(ONE))),
        "fd": rng.choice((14, 16, 25, rng.randrange(26))),
    }  # fmt: skip


class Loss(Ports):
    """A loss between the outputs of a network and their deltas."""

    def __init__(self, dut) -> None:
        super().__init__(dut, {"s_q": ["data"], "s_info": ["data"]}, {"m_delta": ["data"]})
        self.saturated, self.begun = 0, 0
        self.came: list[int] = []
        self.each_clock.append(self._count)

    def _count(self) -> None:
        self.saturated += int(self.dut.sat.value)
        if int(self.dut.m_delta_valid.value):
            self.came.append(self.clock)

    def set(self, chosen: Mapping[str, int], *names: str) -> None:
        """These settings, each at cfg_NAME."""
        for name in names:
            getattr(self.dut, f"cfg_{name}").value = int(chosen[name])

    async def compare(
        self, outputs: list[int], infos: list[int], deltas: list[int], saturated: int, stalls: bool
    ) -> None:
        """All samples in, these deltas out, and so many saturated numbers."""
        for name, words in (("s_q", outputs), ("s_info", infos)):
            self.to_send[name].extend({"data": word} for word in words)
        self.expected["m_delta"].extend({"data": word} for word in deltas)
        self.any_pace() if stalls else self.full_speed()
        self.saturated, self.begun = 0, self.clock
        self.came.clear()
        await self.run()
        assert self.saturated == saturated, f"{self.saturated} numbers saturated, expected {saturated}"

    def timed(self, latency: int, pace: int | None) -> None:
        """Without a stall: `latency` clocks to the first deltas, then one in `pace` clocks; None: any number."""
        assert self.came[0] - self.begun == latency, f"{self.came[0] - self.begun} clocks to the first deltas"
        assert pace is None or self.came[-1] - self.came[0] == (SAMPLES - 1) * pace, f"a sample in {pace} clocks"
