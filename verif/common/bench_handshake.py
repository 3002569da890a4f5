"""Valid and ready in a bench without agents: sources and sinks with random stalls, one clock at a time.

In each clock a bench drives its ports, waits until all has settled, and samples them: drive(), ReadOnly(), sample().
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from bench_pins import until
from cocotb.triggers import FallingEdge, ReadOnly
from cocotb.types import LogicArray

Word = dict[str, int]


class Standing:
    """Sees that what is offered and not taken stands still, clock after clock.

    It fails a clock after something moved, so that a bus rule that is bound to the port names the fault first.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.stalls = self.transfers = 0  # clocks
        self.offered: object = None  # and was not taken
        self._fault = ""

    def look(self, valid: object, ready: object, payload: object) -> bool:
        """Whether the payload, any value but None, is taken in this clock. Raises AssertionError."""
        assert not self._fault, f"{self.name}: {self._fault} while stalled"
        offers = bool(int(valid))
        if self.offered is not None and not (offers and self.offered == payload):
            self._fault = f"{self.offered} became {payload}" if offers else "valid was withdrawn"
        taken = offers and bool(int(ready))
        self.offered = payload if offers and not taken else None
        self.transfers += taken
        self.stalls += offers and not taken
        return taken

    def forget(self) -> None:
        """A reset: whatever was offered may go."""
        self.offered, self._fault = None, ""


def port(name: str, fields: Iterable[str], mark: str = "") -> tuple[str, str, dict[str, str]]:
    """Signals valid, ready and of the fields of a port NAME_…; mark: before valid and ready, as AXI's letters."""
    return f"{name}_{mark}valid", f"{name}_{mark}ready", {field: f"{name}_{field}" for field in fields}


async def send(dut, name: str, **fields: int) -> int:
    """One word through the port NAME_…, at once, to the falling edge behind it; clocks in which it waited."""
    valid, ready = getattr(dut, f"{name}_valid"), getattr(dut, f"{name}_ready")
    for field, value in fields.items():
        getattr(dut, f"{name}_{field}").value = value
    valid.value = 1
    waited = await until(dut, lambda: int(ready.value))
    await FallingEdge(dut.clk)
    valid.value = 0
    return waited


class Source:
    """Offers words at a port; without valid its fields are anything.

    ready: "" for a port that takes everything. share: chance that a word is offered in a clock; what is offered stays.
    """

    def __init__(self, dut, valid: str, ready: str, fields: Mapping[str, str], share: float = 1.0, rng=random) -> None:
        self.share, self.queue, self.offering = share, deque[Word](), False
        self._rng, self._valid, self._ready = rng, getattr(dut, valid), getattr(dut, ready) if ready else None
        self.fields = {name: getattr(dut, signal) for name, signal in fields.items()}

    def drive(self) -> None:
        self.offering = bool(self.queue) and (self.offering or self._rng.random() < self.share)
        self._valid.value = int(self.offering)
        for name, signal in self.fields.items():
            signal.value = self.queue[0][name] if self.offering else self._rng.getrandbits(len(signal))

    def sample(self) -> Word | None:
        """The word that is taken in this clock."""
        if self.offering and (self._ready is None or int(self._ready.value)):
            self.offering = False
            return self.queue.popleft()
        return None

    def rest(self) -> None:
        """Nothing is offered until the next drive()."""
        self._valid.value = 0

    def clear(self) -> None:
        """A reset: nothing is on its way."""
        self.queue.clear()
        self.offering = False


class Sink:
    """Takes words from a port that may be slow; fails when one moves or goes away while it stalls.

    ready: "" for a port that nobody stalls. share: chance that it is ready in a clock. reads: of fields that are not
    known whole, as words whose last lanes are empty, what makes a number of a signal's value.
    """

    def __init__(
        self,
        dut,
        valid: str,
        ready: str,
        fields: Mapping[str, str],
        share: float = 1.0,
        rng=random,
        reads: Mapping[str, Callable[[LogicArray], int]] | None = None,
    ) -> None:
        self._reads = reads or {}
        self.share, self.standing = share, Standing(valid)
        self.hold = False  # take nothing for now
        self.shy = False  # ready only where something is offered, as AXI allows
        self._rng, self._valid, self._ready = rng, getattr(dut, valid), getattr(dut, ready) if ready else None
        self.fields = {name: getattr(dut, signal) for name, signal in fields.items()}

    def drive(self) -> None:
        if self._ready is not None:
            takes = not self.hold and self._rng.random() < self.share
            if self.shy:
                takes = takes and self.valid
            self._ready.value = int(takes)

    @property
    def valid(self) -> bool:
        """A word is offered."""
        return bool(int(self._valid.value))

    def sample(self) -> Word | None:
        """The word that is taken in this clock."""
        valid = self.valid
        ready = valid and (self._ready is None or int(self._ready.value))
        word = None
        if valid:
            word = {name: self._reads.get(name, int)(signal.value) for name, signal in self.fields.items()}
        return word if self.standing.look(valid, ready, word) else None

    async def take(self, dut, count: int) -> list[Word]:
        """`count` words, from a falling edge to another one."""
        words: list[Word] = []
        while len(words) < count:
            self.drive()
            await ReadOnly()
            if (word := self.sample()) is not None:
                words.append(word)
            await FallingEdge(dut.clk)
        self.rest()
        return words

    def rest(self) -> None:
        """Nothing is taken until the next drive()."""
        if self._ready is not None:
            self._ready.value = 0

    def clear(self) -> None:
        """A reset: nothing is on its way."""
        self.standing.forget()
