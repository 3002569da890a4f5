"""rlc_serial: each core is reached by its addresses and streams, and by no others."""

import random

import cocotb
import numpy as np
import same_results
from cocotb.task import bridge, resume
from same_results import CORES
from serial_bench import (
    COMMAND,
    CRC,
    ECHO,
    GAP,
    GET,
    HELLO,
    LAST,
    LENGTH,
    LINE,
    LONG,
    OK,
    PUT,
    READ,
    REFUSED,
    RESET,
    SEQUENCE,
    STREAM,
    WRITE,
    World,
    request,
)

from rlcores.buses import backends
from rlcores.buses.serial import SerialLink
from rlcores.cores.gae.api import Gae
from rlcores.cores.sumtree.driver import SumTreeDriver
from rlcores.cores.sumtree.sampler import PrioritizedSampler
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


class Transport:
    """The line as rlcores.buses.serial takes it, in a thread that the simulation waits for."""

    def __init__(self, world: World) -> None:
        self._world, self._next = world, resume(self._bytes)

    def write(self, data: bytes) -> None:
        self._world.terminal.send(data)

    def read(self, count: int, timeout: float) -> bytes:
        return self._next(count)

    async def _bytes(self, count: int) -> bytes:
        came, end = self._world.terminal.came, self._world.clock + 20_000
        while len(came) < count and self._world.clock < end:
            await self._world.run(1)
        data = bytes(came[:count])
        del came[:count]
        return data

    def send_break(self) -> None:
        terminal = self._world.terminal
        terminal.levels += [(0, 20 * terminal.clocks), (1, 2 * terminal.clocks)]

    def discard(self) -> None:
        self._world.terminal.came.clear()


# Two million clocks, an hour in Icarus.
@cocotb.test(skip="Verilator" not in cocotb.SIM_NAME)
async def drivers_on_this_line_have_the_results_of_models(dut):
    world = World(dut)
    await world.start()
    rng = np.random.default_rng(random.getrandbits(32))

    def advantages(transport: Transport) -> None:
        link = SerialLink(transport)
        buses = backends.open("ulx3s", "gae", CORES["gae"], link=link), "model"
        pair = [Gae(CORES["gae"], bus, reward_scaling="standardise") for bus in buses]
        same_results.rollout(pair, rng)
        world.hits["rollouts"] += 1

    def batches(transport: Transport) -> None:
        link = SerialLink(transport)
        own = SumTreeDriver(backends.open("ulx3s", "sumtree", CORES["sumtree"], link=link))
        pair = [PrioritizedSampler(50, backend=each, seed=1, **same_results.SAMPLER) for each in (own, "model")]
        same_results.batches(pair, (1, 13), rng)
        world.hits["batches"] += 2

    for part in (advantages, batches):
        await bridge(part)(Transport(world))
    world.report()


@cocotb.test()
async def damaged_and_refused_frames_reach_no_core(dut):
    world = World(dut)
    await world.start()
    where, words = ADDRESS["gae"]["QBITS"], int(dut.WORDS.value)
    before = (await world.ask(READ, where=where)).words

    async def answered(data: bytes, status: int, stop: int = 1) -> None:
        world.terminal.send(data[:-1])
        world.terminal.byte(data[-1], stop)
        answer = await world.hear()
        assert answer.status == status and not answer.words, (answer.status, status)
        world.hits["damaged"] += 1

    good = request(world.sequence + 1, WRITE, where=where, words=[before[0] ^ 3])
    await answered(good[:-1] + bytes([good[-1] ^ 1]), CRC)
    await answered(good, LINE, stop=0)
    await answered(good[:-3], GAP)
    await answered(request(world.sequence + 1, ECHO, words=[0] * (words + 1)), LONG)
    await answered(request(world.sequence + 9, WRITE, where=where, words=[before[0] ^ 3]), SEQUENCE)
    for command, argument, data, status in (
        (READ, 0, [1], LENGTH),
        (WRITE, 0, [], LENGTH),
        (GET, 0, [1], LENGTH),
        (PUT, 15, [1], STREAM),
        (GET, 15, [], STREAM),
        (99, 0, [], COMMAND),
    ):
        await answered(request(world.next(), command, argument, 1, data), status)
    assert (await world.ask(READ, where=where)).words == before
    # The last frame once more is answered as before, and done once.
    await world.ask(PUT, 1 | LAST, words=[0, 5, 0, 1])
    world.terminal.send(request(world.sequence, PUT, 1 | LAST, words=[0, 5, 0, 1]))
    again = await world.hear()
    assert (again.status, again.moved) == (OK, 4)
    assert (await world.ask(GET, 1 | LAST, where=8)).moved == 4
    world.hits["again"] += 1
    world.report()
