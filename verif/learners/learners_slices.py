"""Ports of one learner of several: its slice of signals that all of them share, as monitors look at a signal."""

from cocotb.types import Logic, LogicArray


class Slice:
    """One learner's part of a port."""

    def __init__(self, handle, count: int, place: int) -> None:
        self.handle, (self._width, rest) = handle, divmod(len(handle), count)
        assert not rest, f"{handle._name} has no slice for each of {count} learners"
        self._low = place * self._width

    @property
    def value(self) -> Logic | LogicArray:
        """What the wires say."""
        whole, low = self.handle.value, self._low
        return whole[low] if self._width == 1 else whole[low + self._width - 1 : low]


class Master:
    """What has the ports PREFIX_… of one learner, as an entity with its clock and reset."""

    def __init__(self, dut, prefix: str, count: int, number: int) -> None:
        self._name, self._log = f"{dut._name}.learner{number}", dut._log
        self.clk, self.rst = dut.clk, dut.rst
        for name in (name for name in dir(dut) if name.startswith(f"{prefix}_")):
            setattr(self, name, Slice(getattr(dut, name), count, number))
