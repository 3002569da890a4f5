"""The DRAM behind a simulated core: its timing, in clocks of the core.

The defaults are one DDR4-2400 channel of 64 bits beside a core at 300 MHz: 19.2 GB/s are 64 bytes per clock, and one
clock is 3.33 ns. Beside the boards' 200 MHz the same counts are a memory half as slow again. From JEDEC's DDR4
standard, speed bin 2400T and x8 parts of 8 Gbit, typical values rounded up:

- tRCD, tRP and CL, 14.16 ns each: 5 clocks each
- tRC, 46 ns: 14 clocks between two rows opened in one bank
- 16 banks; a row is 1 KiB a chip, 8 KiB over the channel
- tREFI, 7.8 us: 2340 clocks; tRFC, 350 ns: 105 clocks
- tWTR, and the turn of the data bus, some 15 ns: 4 clocks

`latency` is what lies between the AXI port and the banks and back: interconnect, controller and PHY, assumed 100 ns =
30 clocks. So a read of an idle memory takes 35 clocks when its row is open, else up to 45, and one more for each piece
of 64 bytes. Write recovery, tFAW and the banks' groups are left out. rlc_memory.h says how a burst is scheduled.
"""

from dataclasses import dataclass, fields

from rlcores.base.arguments import out_of_range, ranged
from rlcores.errors import UserError

# What a memory counts: bursts and beats; bursts that met their row open, another row, or none after a refresh; clocks
# in which the DRAM's data bus moved data, and in which a beat of R appeared; bursts answered with an error; beats of a
# read that appeared before those of an older one; changes from one unfinished read to another.
STATISTICS = (
    "reads", "writes", "read_beats", "write_beats", "row_hits", "row_misses", "row_opens", "busy_clocks", "read_clocks",
    "read_errors", "write_errors", "reordered", "interleaved",
)  # fmt: skip


@dataclass(frozen=True)
class Dram:
    """Timing and manners of a memory; raises UserError where a number is out of its range."""

    latency: int = ranged(30, 1, 10_000)  # between the AXI port and the banks, both ways together
    cas: int = ranged(5, 0, 1000)  # from a column's address to its data
    rcd: int = ranged(5, 0, 1000)  # from opening a row to its columns
    precharge: int = ranged(5, 0, 1000)  # to close a row
    row_cycle: int = ranged(14, 0, 1000)  # from opening a row to opening another one of the bank
    banks: int = ranged(16, 1, 4096)
    row_bytes: int = ranged(8192, 4096, 1 << 20)
    refresh_every: int = ranged(2340, 0, 1 << 30)  # 0: never
    refresh: int = ranged(105, 0, 1 << 20)
    bus_bytes: int = ranged(64, 1, 4096)  # that the data bus moves in a clock
    turnaround: int = ranged(4, 0, 1000)  # between reads and writes on the data bus
    depth: int = ranged(64, 1, 256)  # reads, and writes, that it takes before it answers
    extra: int = ranged(0, 0, 10_000)  # up to this many clocks more for each burst, at random
    stall: float = ranged(0.0, 0, 0.99)  # probability that a ready or a valid stays low, each clock and channel
    out_of_order: bool = True  # bursts of different IDs end as the banks have them; else as they came
    interleave: bool = False  # beats of several reads mix
    seed: int = ranged(0, 0, 2**32 - 1)

    def __post_init__(self) -> None:
        for name, value, low, high in out_of_range(self):
            raise UserError(f"the memory's {name} is {value}; it must be {low} to {high}")
        if self.refresh_every and self.refresh >= self.refresh_every:
            raise UserError(
                f"the memory's refresh is {self.refresh}; it must be below the {self.refresh_every} between two"
            )

    @property
    def words(self) -> tuple[int, ...]:
        """The numbers as rlc_dram of rlc_memory.h has them."""
        return tuple(round(256 * self.stall) if f.name == "stall" else int(getattr(self, f.name)) for f in fields(self))
