"""A pipeline in a bench: an item goes in in each clock, and what it must give comes some clocks later."""

from collections.abc import Callable, Mapping, Sequence

from cocotb.triggers import FallingEdge, ReadOnly

Columns = Mapping[str, Sequence[int]]


async def pipeline(
    dut, inputs: Columns, outputs: Columns, latency: int | Mapping[str, int], look: Callable[[], None] = lambda: None
) -> None:
    """Numbers of each input, one a clock, and those that each output must show `latency` clocks later; also negative.

    latency: of all outputs, or of each by name. look: is called in every clock when all has settled.
    """
    (count,) = {len(column) for column in (*inputs.values(), *outputs.values())}
    after = latency if isinstance(latency, Mapping) else dict.fromkeys(outputs, latency)
    ins, outs = ([(name, getattr(dut, name)) for name in columns] for columns in (inputs, outputs))
    for clock in range(count + max(after.values())):
        for name, signal in ins if clock < count else ():
            signal.value = int(inputs[name][clock]) & (1 << len(signal)) - 1
        await ReadOnly()
        look()
        for name, signal in outs:
            if 0 <= (at := clock - after[name]) < count:
                came, wanted = int(signal.value), int(outputs[name][at]) & (1 << len(signal)) - 1
                operands = {name: column[at] for name, column in inputs.items()}
                assert came == wanted, f"{name} of {operands}: {came:#x}, expected {wanted:#x}"
        await FallingEdge(dut.clk)
