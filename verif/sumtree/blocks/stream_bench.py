"""Shared by the benches of the priority maths: words through a valid/ready unit, with random stalls on both sides.

A bench writes inputs after the falling edge and samples when they have settled, before the rising edge.
"""

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly

Word = dict[str, int]


class Stream:
    """Drives s_* and checks what comes out of m_* against what is expected, in order."""

    def __init__(self, dut, fields_in: list[str], fields_out: list[str]) -> None:
        self.dut = dut
        self.fields_in = fields_in
        self.fields_out = fields_out
        self.clock = 0
        self.came: list[Word] = []
        self.taken: list[int] = []
        self.hits: Counter[str] = Counter()

    async def start(self, **inputs: int) -> None:
        """Clock, inputs, three clocks of reset."""
        for name in ("s_valid", "m_ready", *(f"s_{name}" for name in self.fields_in)):
            getattr(self.dut, name).value = 0
        for name, value in inputs.items():
            getattr(self.dut, name).value = value
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        await self.reset()

    async def reset(self) -> None:
        """Three clocks of reset; whatever is inside is lost."""
        self.dut.s_valid.value = 0
        self.dut.m_ready.value = 0
        self.dut.rst.value = 1
        for _ in range(3):
            await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0
        for _ in range(2):
            await FallingEdge(self.dut.clk)

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
        dut, taken, given, stalled, offering, idle = self.dut, [], [], None, False, 0
        count = expected if isinstance(expected, int) else len(expected)
        self.came, self.taken = [], taken
        rest = patience if len(words) > count else 0
        while len(given) < count or len(taken) < len(words) or idle < rest:
            offering = len(taken) < len(words) and (offering or random.random() < p_valid)
            dut.s_valid.value = int(offering)
            for name in self.fields_in:
                signal = getattr(dut, f"s_{name}")
                # Without valid, anything.
                signal.value = words[len(taken)][name] if offering else random.getrandbits(len(signal))
            dut.m_ready.value = int(random.random() < p_ready)
            if before:
                before(len(taken))
            await ReadOnly()
            valid, ready = int(dut.m_valid.value), int(dut.m_ready.value)
            out = {name: int(getattr(dut, f"m_{name}").value) for name in self.fields_out if valid}
            if stalled is not None:
                assert valid, "valid was withdrawn while stalled"
                assert out == stalled, "data changed while stalled"
                self.hits["stalled"] += 1
            stalled = out if valid and not ready else None
            if valid and ready:
                number = len(given)
                assert number < count, f"a word too many: {out}"
                if not isinstance(expected, int):
                    assert out == expected[number], f"word {number}: {out} instead of {expected[number]}"
                given.append(self.clock)
                self.came.append(out)
            if offering and int(dut.s_ready.value):
                taken.append(self.clock)
                offering = False
            elif offering:
                self.hits["refused"] += 1
            moved = (taken and taken[-1] == self.clock) or (given and given[-1] == self.clock)
            idle = 0 if moved else idle + 1
            assert idle < 2000, f"stuck: {len(taken)} of {len(words)} in, {len(given)} of {count} out"
            self.clock += 1
            await FallingEdge(dut.clk)
        dut.s_valid.value = 0
        self.hits["words"] += len(given)
        return list(zip(taken, given, strict=False))

    def report(self) -> None:
        """Leave the hits where the test that started the simulation finds them."""
        path = Path(os.environ["RLCORES_RUN_DIR"], "coverage.json")
        before = Counter(json.loads(path.read_text())) if path.exists() else Counter()
        path.write_text(json.dumps(before + self.hits))
