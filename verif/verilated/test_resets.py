"""A reset in any clock of a command's write leaves a core that starts anew, or one that takes the command behind it."""

import pytest
from test_strobes import CORES, WINDOWS, start

from rlcores.eda import registers


@pytest.mark.parametrize("core", CORES)
def test_a_command_that_a_reset_meets_is_not_carried_out(core):
    with start(core) as bus:
        for base, name in WINDOWS[core].items():
            regs = registers.load(name)
            command = regs["COMMAND"]

            def state(base=base, regs=regs) -> dict[str, int]:
                bus.run(200)
                return {r.name: bus.read(base + r.address) for r in regs.values()}

            bus.reset()
            fresh = state()
            bits = [1 << bit for bit in range(32) if command.mask("wo") >> bit & 1]
            for value in sorted({*bits, *range(1, 8)}):
                for clocks in range(1, 9):
                    bus.begin_write(base + command.address, value, clocks)
                    bus.reset(1)
                    assert state() == fresh, (name, value, clocks)
