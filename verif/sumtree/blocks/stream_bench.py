"""Shared by the benches of the priority maths: words through a valid/ready unit, with random stalls on both sides."""

from collections import Counter
from collections.abc import Callable

from bench_handshake import Sink, Source, Word, port
from bench_hits import report
from bench_pins import reset, start
from cocotb.triggers import FallingEdge, ReadOnly


class Stream:
    """Drives s_* and checks what comes out of m_* against what is expected, in order."""

    def __init__(self, dut, fields_in: list[str], fields_out: list[str]) -> None:
        self.dut = dut
        self.source, self.sink = Source(dut, *port("s", fields_in)), Sink(dut, *port("m", fields_out))
        self.clock = 0
        self.came: list[Word] = []
        self.taken: list[int] = []
        self.hits: Counter[str] = Counter()

    async def start(self, **inputs: int) -> None:
        """Clock, inputs, three clocks of reset."""
        self._quiet()
        await start(self.dut, *(f"s_{name}" for name in self.source.fields), rest=2, **inputs)

    async def reset(self) -> None:
        """Three clocks of reset; whatever is inside is lost."""
        self._quiet()
        await reset(self.dut, rest=2)

    def _quiet(self) -> None:
        for one in (self.source, self.sink):
            one.clear()
            one.rest()

    async def run(
        self,
        words: list[Word],
        expected: list[Word] | int,
        p_valid: float = 1.0,
        p_ready: float = 1.0,
        before: Callable[[int], None] | None = None,
        patience: int = 400,
    ) -> list[tuple[int, int]]:
        """Send the words and take the expected ones. Returns (clock taken, clock given) of each expected word.

        A number in place of the expected words says how many come; self.came and self.taken then tell which and
        when. before(n) is called in each clock with the number of words taken so far, to move other inputs. Ends when
        everything expected has come, and then sees that nothing more comes for `patience` clocks when words are left
        inside. Fails when a word differs, moves while stalled, or does not come.
        """
        source, sink, taken, emitted, idle = self.source, self.sink, [], [], 0
        count = expected if isinstance(expected, int) else len(expected)
        self.came, self.taken = [], taken
        source.queue.extend(words)
        source.share, sink.share, stalls = p_valid, p_ready, sink.standing.stalls
        rest = patience if len(words) > count else 0
        while len(emitted) < count or source.queue or idle < rest:
            source.drive()
            sink.drive()
            if before:
                before(len(taken))
            await ReadOnly()
            idle += 1
            if word := sink.sample():
                assert len(emitted) < count, f"a word too many: {word}"
                if not isinstance(expected, int):
                    assert word == expected[len(emitted)], (
                        f"word {len(emitted)}: {word} instead of {expected[len(emitted)]}"
                    )
                emitted.append(self.clock)
                self.came.append(word)
                idle = 0
            if source.sample():
                taken.append(self.clock)
                idle = 0
            self.hits["refused"] += source.offering
            assert idle < 2000, f"stuck: {len(taken)} of {len(words)} in, {len(emitted)} of {count} out"
            self.clock += 1
            await FallingEdge(self.dut.clk)
        source.rest()
        self.hits["words"] += len(emitted)
        self.hits["stalled"] += sink.standing.stalls - stalls
        return list(zip(taken, emitted, strict=False))

    def report(self) -> None:
        """Leave the hits where the test that started the simulation finds them."""
        report(self.hits)
