"""A reset in the middle of anything, for benches of units."""

from collections.abc import Iterable

from cocotb.triggers import FallingEdge


async def reset(dut, sources: Iterable[str]) -> None:
    """Three clocks of reset in the middle of anything, nothing offered."""
    for name in sources:
        getattr(dut, f"{name}_valid").value = 0
    dut.rst.value = 1
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    for _ in range(2):
        await FallingEdge(dut.clk)
