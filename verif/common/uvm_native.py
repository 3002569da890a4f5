"""Cores on native valid/ready ports: the environment of their agents, and what sequences on them share."""

import random
from collections.abc import Callable, Iterable

import cocotb
from bench_pins import PERIOD_NS
from cocotb.triggers import FallingEdge, RisingEdge, with_timeout
from pyuvm import ConfigDB, uvm_sequence
from uvm_bench import One
from uvm_core import CoreEnv
from uvm_pins import PinsAgent, PinsItem
from uvm_stream import Items, StreamSinkAgent, StreamSourceAgent

# Clocks that anything may take before it counts as hung.
PATIENCE = 60_000


class NativeEnv(CoreEnv):
    """Agents on the ports that `fields` names: sources s_..., sinks m_...; and `pins`, an agent of its own."""

    fields: dict[str, tuple[str, ...]]
    pins: PinsAgent

    def build_ports(self) -> None:
        for name, fields in self.fields.items():
            ConfigDB().set(self, f"{name}.*", "PREFIX", name)
            ConfigDB().set(self, f"{name}.*", "FIELDS", fields)
            if name.startswith("s_"):
                self.sources[name] = StreamSourceAgent(name, self)
            else:
                self.sinks[name] = StreamSinkAgent(name, self)


class NativeSequence(uvm_sequence):
    """What a caller does, on all ports of an environment."""

    def __init__(self, env: NativeEnv, rng: random.Random) -> None:
        super().__init__(type(self).__name__)
        self.env, self.rng, self.dut = env, rng, cocotb.top
        self.predictor, self.sampler = env.predictor, env.predictor.sampler

    def full_speed(self) -> None:
        """No port pauses."""
        for agent in self.env.streams.values():
            agent.driver.pace.full_speed()

    def random_pace(self) -> None:
        """Every port pauses at random."""
        for agent in self.env.streams.values():
            agent.driver.pace.go()

    async def pins(self, *pulses: str, **levels: int) -> None:
        """New levels, and pulses with them."""
        await One(PinsItem(*pulses, **levels)).start(self.env.pins.sequencer)

    async def feed(self, name: str, words: Iterable[dict[str, int]]) -> None:
        """Words in order on a port; returns when the last one was taken."""
        await with_timeout(Items(words).start(self.env.sources[name].sequencer), PATIENCE * PERIOD_NS, "ns")

    async def until(self, done: Callable[[], bool], what: str, still: int = 2) -> None:
        """Wait until something has been so for `still` clocks."""
        edge, count = FallingEdge(self.dut.clk), 0
        for _ in range(PATIENCE):
            await edge
            count = count + 1 if done() else 0
            if count == still:
                await RisingEdge(self.dut.clk)
                return
        raise AssertionError(f"{what} did not end: {self.env.scoreboard.waiting} things are awaited")
