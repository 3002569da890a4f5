"""rlc_serial: each core is reached by its addresses and streams, and by no others."""

import random

import cocotb
from serial_bench import ECHO, GET, HELLO, LAST, PUT, READ, REFUSED, RESET, WRITE, World

from rlcores.eda import registers

SUMTREE = 0x1000
ADDRESS = {
    name: {register.name: base + register.address for register in registers.load(name).values()}
    for name, base in (("gae", 0), ("sumtree", SUMTREE))
}


@cocotb.test()
async def both_cores_answer_at_their_addresses(dut):
    world = World(dut)
    await world.start()
    assert (await world.ask(HELLO)).words[1] == 0x03030002
    for name, expected in (("gae", 0x52474145), ("sumtree", 0x5253554D)):
        assert (await world.ask(READ, where=ADDRESS[name]["ID"])).words == [expected]
    for where in (0xFFC, 0x1FFC, 0x2000):
        assert (await world.ask(READ, where=where, status=REFUSED)).moved == 2
    await world.ask(WRITE, where=0xFFFC, words=[0], status=REFUSED)
    world.hits["refused"] += 4
    world.report()


@cocotb.test()
async def operations_and_samples_go_there_and_back(dut):
    world = World(dut)
    await world.start()
    # The tree clears itself after a reset.
    while (await world.ask(READ, where=ADDRESS["sumtree"]["STATUS"])).words[0] & 1:
        pass
    priorities = [random.randint(1, 255) for _ in range(6)]
    words = [word for priority in priorities for word in (0, priority, 0, 1)]
    assert (await world.ask(PUT, 1 | LAST, words=words)).moved == len(words)
    answer = await world.ask(GET, 1 | LAST, where=len(words) + 4)
    assert answer.flags & LAST and answer.moved == len(words)
    assert answer.words[::4] == list(range(6)) and not any(word >> 4 & 3 for word in answer.words[3::4])
    total = await world.ask(READ, where=ADDRESS["sumtree"]["TOTAL_LO"])
    assert total.words == [sum(priorities)]
    # Targets by hand: the least slot whose running sum is above.
    target = random.randrange(sum(priorities))
    await world.ask(PUT, 2, words=[target, 2 << 30])
    sample = (await world.ask(GET, 2, where=8)).words
    slot = next(i for i in range(6) if sum(priorities[: i + 1]) > target)
    assert sample[:4] == [slot, priorities[slot], sum(priorities), 0]
    # A pass that ends within a beat is filled up with zeros, an update of slot 0 here, and the next begins anew.
    await world.ask(PUT, 1 | LAST, words=[0, priorities[0]])
    await world.ask(PUT, 1 | LAST, words=[0, 9, 0, 1])
    answer = await world.ask(GET, 1, where=8)
    assert answer.moved == 8 and answer.words[::4] == [0, 6]
    total = await world.ask(READ, where=ADDRESS["sumtree"]["TOTAL_LO"])
    assert total.words == [sum(priorities) + 9]
    await world.ask(RESET)
    assert (await world.ask(READ, where=ADDRESS["sumtree"]["TOTAL_LO"])).words == [0]
    # Nothing of this reached the other core.
    assert (await world.ask(GET, 0, where=1)).moved == 0
    world.hits["operations"] += 8
    world.report()


@cocotb.test()
async def interrupts_come_with_the_answers(dut):
    world = World(dut)
    await world.start()
    gae = ADDRESS["gae"]
    assert (await world.ask(ECHO)).flags == 0
    await world.ask(WRITE, where=gae["IRQ_ENABLE"], words=[0xFFFFFFFF])
    clear = registers.load("gae")["COMMAND"].by_name["code"].values["CLEAR"]
    await world.ask(WRITE, where=gae["COMMAND"], words=[clear])
    assert (await world.ask(ECHO)).flags == 1
    await world.ask(WRITE, where=gae["IRQ_STATUS"], words=[0xFFFFFFFF])
    assert (await world.ask(ECHO)).flags == 0
    world.hits["irq"] += 1
    world.report()
