"""The learner's AXI wrapper between cocotbext-axi's master, sources and sinks: the driver's results are the model's."""

import json
import os
import random

import cocotb
import numpy as np
from bench_hits import HITS, report
from bench_pins import start_clock
from cocotb.task import bridge
from foreign_bus import ForeignBus, watch
from learner_axi_cores import everything, formats, random_records, start

from rlcores.cores.learner.driver import LearnerDriver
from rlcores.cores.learner.format import LearnerSettings, equal_networks
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.records import pack_records
from rlcores.cores.learner.shape import LearnerShape

SHAPE = LearnerShape.of(json.loads(os.environ["RLCORES_PARAMETERS"]))


def trains(bus: ForeignBus, seed: int) -> None:
    """Some steps, a reset in the middle of one, and the same again."""
    rng = np.random.default_rng(seed)
    for _ in range(2):
        real, exact = LearnerDriver(bus), LearnerModelDriver(SHAPE)
        start(rng, real, exact)
        for step in range(3):
            batch = int(rng.integers(1, 6))
            settings = LearnerSettings(
                batch=batch,
                networks=equal_networks(rate=1000, rate_exp=24, log_rate=20_000),
                lag=False,
                sync_interval=2,
            )
            for each in (real, exact):
                each.configure(formats(SHAPE), settings)
            records = random_records(rng, SHAPE, batch)
            assert real.step(records).tolist() == exact.step(records).tolist(), step
            HITS["steps"] += 1
        assert everything(real) == everything(exact)
        assert real.counters().tolist() == exact.counters().tolist()
        # In the middle of the next step.
        beats = pack_records(records, SHAPE.value.lanes[0])
        real.start()
        bus.send(beats if beats.shape[1] % 2 else beats.view(np.uint64))
        bus.run(int(rng.integers(1, 200)))
        bus.reset()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def training_is_exact_between_foreign_masters_and_streams(dut):
    start_clock(dut.clk)
    dut.rst.value = 1
    dut.abort_in.value = dut.hold.value = 0
    bus = ForeignBus(
        dut, ("s_axis_rec", "s_axis_load"), ("m_axis_prio", "m_axis_read"), share=random.choice((0.2, 0.5))
    )
    cocotb.start_soon(watch(dut, HITS, "s_axil", *bus.sources, *bus.sinks))
    await bus._reset()
    await bridge(trains)(bus, random.getrandbits(32))
    report()
