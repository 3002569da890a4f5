"""rlc_ram_2rw: both ports see one memory, and a write leaves the port's own read data alone."""

import random

import cocotb
from bench_pins import start
from cocotb.triggers import FallingEdge, ReadOnly


@cocotb.test()
async def both_ports_see_one_memory_and_a_write_holds_the_read_data(dut):
    depth, width, latency = (int(p.value) for p in (dut.DEPTH, dut.WIDTH, dut.READ_LATENCY))
    signals = {port: [getattr(dut, f"{port}_{s}") for s in ("en", "we", "addr", "wr_data", "rd_data")] for port in "ab"}
    await start(dut, **{f"{port}_{s}": 0 for port in "ab" for s in ("en", "we", "addr", "wr_data")})
    memory = {}
    pipes: dict[str, list[int | None]] = {port: [None] * latency for port in "ab"}  # the nearest clock last
    checks = held_by_write = 0
    for clock in range(depth + 3000):
        operations = {}
        for port in signals:
            if clock < depth:
                # Filling: port a the even addresses, port b the odd ones.
                enable, write, address = (clock % 2 == 0) == (port == "a"), True, clock
            else:
                enable, write, address = random.random() < 0.8, random.random() < 0.5, random.randrange(depth)
            operations[port] = [enable, write, address, random.getrandbits(width)]
        a, b = operations["a"], operations["b"]
        if a[0] and b[0] and (a[1] or b[1]) and a[2] == b[2]:
            b[0] = False  # a collision is undefined
        for port, (en, we, addr, wr_data, _) in signals.items():
            en.value, we.value, addr.value, wr_data.value = (int(value) for value in operations[port])
        await ReadOnly()
        after = dict(memory)
        for port, (enable, write, address, data) in operations.items():
            pipe = pipes[port]
            if pipe[-1] is not None:
                assert int(signals[port][-1].value) == pipe[-1], f"clock {clock} port {port}"
                checks += 1
                held_by_write += enable and write
            pipes[port] = [memory[address] if enable and not write else pipe[0], *pipe[:-1]]
            if enable and write:
                after[address] = data
        memory = after
        await FallingEdge(dut.clk)
    assert checks > 4000 and held_by_write > 1000
    # Once, and the log says so once: both ports write the same word.
    for signal, value in ((0, 1), (1, 1), (2, 3)):
        for port in signals.values():
            port[signal].value = value
    await FallingEdge(dut.clk)
    for port in signals.values():
        port[0].value = 0
    await FallingEdge(dut.clk)
