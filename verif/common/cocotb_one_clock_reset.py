"""A reset of one clock is enough: behind it no register of a core holds anything that was never set.

Icarus begins with every flip-flop unknown, as a device begins with whatever it has.
"""

import json
import os
import re

import cocotb
from bench_pins import start_clock
from cocotb.triggers import ClockCycles, RisingEdge
from uvm_bench import parameters

from rlcores.eda import registers

OUTPUTS = re.compile(
    r"s_.*ready|s_axil_(bvalid|bresp|rvalid|rdata|rresp)|m_axis_.*_t(valid|data|last|keep|user)|m_axi_(aw|w|ar)(?!ready).*"
    r"|irq|.*_done|waits"
)
# Words of memories: a reset leaves them as they are, and documents say so.
KEPT = {("tensor", f"FRACTIONS{number}") for number in range(16)} | {
    ("agent", "ENDED_LOW"), ("agent", "ENDED_HIGH"),
    ("ppo", "EPISODE_LENGTH"), ("ppo", "EPISODE_LOW"), ("ppo", "EPISODE_HIGH"),
}  # fmt: skip


def inputs(dut) -> list:
    """The ports of a core that are neither its clock nor its outputs."""
    return [port for port in dut if re.match(r"[sm]_|cfg_", port._name) and not OUTPUTS.fullmatch(port._name)]


async def read(dut, address: int) -> int:
    """A register, with no more than the bus needs."""
    dut.s_axil_araddr.value, dut.s_axil_arvalid.value, dut.s_axil_rready.value = address, 1, 1
    await RisingEdge(dut.clk)
    while not dut.s_axil_arready.value:
        await RisingEdge(dut.clk)
    dut.s_axil_arvalid.value = 0
    while not dut.s_axil_rvalid.value:
        await RisingEdge(dut.clk)
    data = dut.s_axil_rdata.value
    assert data.is_resolvable, f"register {address:#x} is {data}"
    return int(data)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def no_register_is_unknown_behind_a_reset_of_one_clock(dut):
    for port in inputs(dut):
        port.value = 0
    dut.rst.value = 1
    start_clock(dut.clk, high=False)
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 40)
    for base, core in json.loads(os.environ["RLCORES_WINDOWS"]).items():
        for register in registers.load(core, parameters(dut, core)).values():
            if (core, register.name) not in KEPT:
                value, known = await read(dut, int(base) + register.address), register.mask("rw")
                assert value & known == register.reset & known, f"{register.name}: {value:#x}, not {register.reset:#x}"
