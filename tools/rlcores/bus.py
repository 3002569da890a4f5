"""How a driver reaches a core: registers, streams and an interrupt, whatever is underneath."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from rlcores.errors import RunFailed


class BusError(RunFailed):
    """The core did not answer, answered with an error, or broke the bus protocol; the message says which."""


class Bus(Protocol):
    """Registers by byte address, one stream each way, one interrupt. Every driver is written against this.

    Beats are uint64 arrays (beats, words a beat), the first word of a row in the low bits of TDATA; uint32 where TDATA
    is not a multiple of 64 bits. Methods raise BusError when the core does not answer.
    """

    def read(self, address: int) -> int:
        """The 32-bit register at a byte address."""
        ...

    def write(self, address: int, value: int) -> None:
        """Write a 32-bit register, the whole word."""
        ...

    def send(self, beats: np.ndarray) -> None:
        """Send one pass: TLAST goes with the last beat. Returns when the core has taken it."""
        ...

    def receive(self, capacity: int) -> np.ndarray:
        """Take beats up to and with TLAST. BusError when more than `capacity` come."""
        ...

    def wait_irq(self) -> None:
        """Return when the interrupt is high. Where there is no interrupt line, poll the core's IRQ_STATUS."""
        ...


class StreamsBus(Bus, Protocol):
    """A bus to a core with several streams, by the names of their ports."""

    def transfer(self, give: Mapping[str, np.ndarray], take: Mapping[str, int]) -> dict[str, np.ndarray]:
        """Serve several streams at the same time.

        give: one pass for each source; TLAST goes with its last beat. take: how many beats to take from each sink,
        whatever their TLAST. Returns what was taken, by the sink's name.
        """
        ...
