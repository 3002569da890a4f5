"""rlc_serial_bridge in front of cocotbext-axi's AxiLiteRam: an access is done once, or cut by a reset."""

import random

import cocotb
from foreign_bus import LiteRam, pauses, watch
from serial_bench import OK, READ, REFUSED, WRITE, World, request

OWNER = {"aw": "write_if", "w": "write_if", "b": "write_if", "ar": "read_if", "r": "read_if"}


class Bridge(World):
    """The bridge with its memory, and no streams."""

    async def start(self) -> None:
        dut = self.dut
        axil = (f"m_axil_{name}" for name in ("awready", "wready", "bvalid", "arready", "rvalid"))
        for name in (*axil, "m_put_ready", "s_get_valid", "s_get_data", "s_get_last", "irq"):
            getattr(dut, name).value = 0
        await super().start()
        self.share = random.choice((0.3, 0.6))
        self.memory = LiteRam(dut, "m_axil", self.share, 1 << 16, rst=dut.core_rst)
        self.memory.bad = set(random.sample(range(0, 1 << 16, 4), 3))
        self.words: dict[int, int] = {}
        self.watching = cocotb.start_soon(watch(dut, self.hits, "m_axil", rst=dut.core_rst))

    def somewhere(self) -> int:
        """An address: any, one that was written, one that is refused."""
        any_one = 4 * random.randrange(1 << 14)
        return random.choice(random.choice(([any_one], list(self.words) or [any_one], list(self.memory.bad))))

    def pause(self, channel: str, share: float) -> None:
        side = getattr(self.memory.ram, OWNER[channel])
        getattr(side, f"{channel}_channel").set_pause_generator(pauses(share))

    def finish(self) -> None:
        self.watching.cancel()
        self.report()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def each_access_of_a_frame_is_done_once_by_a_foreign_memory(dut):
    world = Bridge(dut)
    await world.start()
    memory, hits = world.memory, world.hits
    for _ in range(50):
        where = world.somewhere()
        refused = where in memory.bad
        write = random.random() < 0.5
        words = [random.getrandbits(32)] if write else []
        before = memory.writes, memory.reads
        answer = await world.ask(
            WRITE if write else READ, where=where, words=words, status=REFUSED if refused else OK
        )  # fmt: skip
        assert answer.moved == (2 if refused else 0)
        assert answer.words == ([] if refused or write else [world.words.get(where, 0)])
        if write and not refused:
            world.words[where] = words[0]
        assert (memory.writes, memory.reads) == (before[0] + write, before[1] + (not write))
        hits["writes" if write else "reads"] += 1
        hits["refused"] += refused
        if random.random() < 0.2:
            world.terminal.send(request(world.sequence, WRITE if write else READ, 0, where, words))
            assert (await world.hear()).words == answer.words
            assert (memory.writes, memory.reads) == (before[0] + write, before[1] + (not write))
            hits["repeats"] += 1
    assert hits["m_axil_aw moved"] == hits["m_axil_w moved"] == hits["m_axil_b moved"] == hits["writes"]
    assert hits["m_axil_ar moved"] == hits["m_axil_r moved"] == hits["reads"]
    for where, word in world.words.items():
        assert memory.ram.read(where, 4) == word.to_bytes(4, "little")
    world.finish()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def a_reset_in_the_middle_of_an_access_leaves_a_bridge_that_works(dut):
    world = Bridge(dut)
    await world.start()
    memory, hits = world.memory, world.hits
    for turn in range(15):
        stuck = tuple(OWNER)[turn % 5]
        where = random.choice([a for a in (0x40, 0x1230, 0xFFFC, *world.words) if a not in memory.bad])
        old, new = world.words.get(where, 0), random.getrandbits(32)
        world.pause(stuck, 2.0)
        write = OWNER[stuck] == "write_if"
        world.terminal.send(request(world.next(), WRITE if write else READ, 0, where, [new] if write else []))
        await world.rest(100 + random.randrange(40))
        assert int(dut.busy.value) and not world.terminal.came, "the access was answered without its memory"
        hits[f"reset while {stuck} stands"] += 1
        if random.random() < 0.5:
            dut.rst.value = 1
            await world.run(random.randint(1, 3))
            dut.rst.value = 0
        else:
            world.terminal.levels += [(0, 18 * world.terminal.clocks), (1, 4 * world.terminal.clocks)]
        await world.rest(10)
        assert not int(dut.busy.value) and not world.terminal.came
        world.pause(stuck, world.share)
        words = (await world.ask(READ, where=where)).words
        # A write whose answer did not come was done; one that lacked its address or data was not.
        assert words == [new if stuck == "b" else old], f"{stuck}: {words}"
        world.words[where] = words[0]
        word = random.getrandbits(32)
        await world.ask(WRITE, where=where, words=[word])
        world.words[where] = word
        assert memory.ram.read(where, 4) == word.to_bytes(4, "little")
    world.finish()
