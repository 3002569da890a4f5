"""rlc_serial_bridge: every good frame is done once and answered, and nothing is done for any other."""

import os
import random
from collections import deque

import cocotb
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
    OVERRUN,
    PUT,
    READ,
    REFUSED,
    RESET,
    SEQUENCE,
    STREAM,
    WRITE,
    Answer,
    Pin,
    World,
    request,
)

# Each test makes this many times fewer turns.
FEWER = int(os.environ.get("BRIDGE_FEWER", "1"))


class Registers:
    """An AXI4-Lite slave that answers after a while; from address 0xE000 on with SLVERR."""

    def __init__(self, dut) -> None:
        self.words, self.writes, self.reads = {}, [], []
        self.dead = False  # takes nothing and answers nothing
        names = "awready wready arready bvalid bresp rvalid rresp rdata awvalid wvalid arvalid bready rready"
        self.pin = {name: Pin(getattr(dut, f"m_axil_{name}")) for name in names.split()}
        self.awaddr, self.araddr, self.wdata = Pin(dut.m_axil_awaddr), Pin(dut.m_axil_araddr), Pin(dut.m_axil_wdata)
        self.wstrb, self.reset = Pin(dut.m_axil_wstrb), Pin(dut.core_rst)
        self.awprot, self.arprot = Pin(dut.m_axil_awprot), Pin(dut.m_axil_arprot)
        self._forget()

    def _forget(self) -> None:
        self.aw = self.w = self.ar = self.b = self.r = None
        self.ready = dict.fromkeys(("aw", "w", "ar"), 0)

    def drive(self) -> None:
        pin = self.pin
        for channel in self.ready:
            if getattr(self, channel) is not None or self.dead:
                self.ready[channel] = 0
            elif random.random() < 0.2:
                self.ready[channel] ^= 1
            pin[f"{channel}ready"].set(self.ready[channel])
        if self.b is None and self.aw is not None and self.w is not None and random.random() < 0.3:
            self.b = 2 if self.aw >= 0xE000 else 0
        if self.r is None and self.ar is not None and random.random() < 0.3:
            self.r = (2, random.getrandbits(32)) if self.ar >= 0xE000 else (0, self.words.get(self.ar, 0))
        pin["bvalid"].set(int(self.b is not None))
        pin["bresp"].set(self.b or 0)
        pin["rvalid"].set(int(self.r is not None))
        response, data = self.r or (3, 0xDEADBEEF)
        pin["rresp"].set(response)
        pin["rdata"].set(data)

    def sample(self) -> None:
        pin = self.pin
        if self.reset.get():
            self._forget()
            return
        if self.b is not None and pin["bready"].get():
            self.writes.append((self.aw, self.w))
            if not self.b:
                self.words[self.aw] = self.w
            self.aw = self.w = self.b = None
        if self.r is not None and pin["rready"].get():
            self.reads.append(self.ar)
            self.ar = self.r = None
        if self.ready["aw"] and pin["awvalid"].get():
            assert self.awprot.get() == 0
            self.aw = self.awaddr.get()
        if self.ready["w"] and pin["wvalid"].get():
            assert self.wstrb.get() == 15
            self.w = self.wdata.get()
        if self.ready["ar"] and pin["arvalid"].get():
            assert self.arprot.get() == 0
            self.ar = self.araddr.get()


class Streams:
    """What takes the words of PUT and gives those of GET."""

    def __init__(self, dut) -> None:
        self.puts, self.gets = int(dut.PUTS.value), int(dut.GETS.value)
        self.took: list[list[tuple[int, int]]] = [[] for _ in range(self.puts)]
        self.gives: list[deque[tuple[int, int]]] = [deque() for _ in range(self.gets)]
        self.p_take, self.p_give = 0.5, 0.5
        self.ready = self.valid = self.resets = 0
        self.reset, self.put_valid, self.put_ready = Pin(dut.core_rst), Pin(dut.m_put_valid), Pin(dut.m_put_ready)
        self.put_data, self.put_last = Pin(dut.m_put_data), Pin(dut.m_put_last)
        self.get_valid, self.get_ready = Pin(dut.s_get_valid), Pin(dut.s_get_ready)
        self.get_data, self.get_last = Pin(dut.s_get_data), Pin(dut.s_get_last)
        self._held: list[tuple[int, int] | None] = [None] * self.puts
        self._was_reset = 0

    def drive(self) -> None:
        if self.p_take in (0, 1) or random.random() < 0.3:
            self.ready = sum((random.random() < self.p_take) << i for i in range(self.puts))
        self.put_ready.set(self.ready)
        words = lasts = 0
        for i, queue in enumerate(self.gives):
            offers = queue and (self.valid >> i & 1 or random.random() < self.p_give)
            self.valid = self.valid & ~(1 << i) | bool(offers) << i
            word, last = queue[0] if offers else (0xDEADBEEF, 1)
            words |= word << 32 * i
            lasts |= last << i
        self.get_valid.set(self.valid)
        self.get_data.set(words)
        self.get_last.set(lasts)

    def sample(self) -> None:
        reset = self.reset.get()
        self.resets += reset and not self._was_reset
        self._was_reset = reset
        if reset:
            self._held, self.valid = [None] * self.puts, 0
            return
        valid = self.put_valid.get()
        for i in range(self.puts) if valid or any(self._held) else ():
            word = None
            if valid >> i & 1:
                word = self.put_data.get() >> 32 * i & 0xFFFFFFFF, self.put_last.get() >> i & 1
            assert self._held[i] is None or word == self._held[i], "a word changed while it waited"
            self._held[i] = None if word is None or self.ready >> i & 1 else word
            if word is not None and self.ready >> i & 1:
                self.took[i].append(word)
        taken = self.valid and self.valid & self.get_ready.get()
        for i in range(self.gets) if taken else ():
            if taken >> i & 1:
                self.gives[i].popleft()
                self.valid &= ~(1 << i)


class Bridge(World):
    def __init__(self, dut) -> None:
        self.registers, self.streams = Registers(dut), Streams(dut)
        self.irq = Pin(dut.irq)
        self.irq.set(0)
        super().__init__(dut, self.registers, self.streams)
        self.words = int(dut.WORDS.value)
        self.gap = 1 << int(dut.GAP_LOG2.value)

    async def start(self) -> None:
        await super().start()
        assert self.streams.resets == 1
        self.streams.resets = 0

    def done(self) -> tuple:
        """Everything that a frame can do."""
        registers, streams = self.registers, self.streams
        gives = sum(len(queue) for queue in streams.gives)
        return len(registers.writes), len(registers.reads), streams.resets, sum(map(len, streams.took)), gives


def noise(count: int) -> list[int]:
    return [random.getrandbits(32) for _ in range(count)]


@cocotb.test()
async def words_come_back_whole(dut):
    world = Bridge(dut)
    await world.start()
    for count in range(world.words + 1):
        words = noise(count)
        irq = random.getrandbits(2)
        world.irq.set(irq)
        answer = await world.ask(ECHO, words=words)
        assert answer.words == words and answer.flags == irq and answer.moved == 0
        assert not int(dut.trouble.value)
    answer = await world.ask(HELLO)
    assert answer.words[0] == 0x524C4353
    assert answer.words[1] == 2 | world.streams.puts << 16 | world.streams.gets << 24
    assert answer.words[2:] == [world.words, int(dut.CLOCK_HZ.value), int(dut.CLOCKS_PER_BIT.value)]
    assert world.done() == (0, 0, 0, 0, 0)


@cocotb.test()
async def registers_are_read_and_written_once(dut):
    world = Bridge(dut)
    await world.start()
    written: dict[int, int] = {}
    count = 0
    turns = 40 // FEWER
    for _ in range(turns):
        where = random.choice((0, 4, 0x1FFC, 0xDFFC, 0xE000, 0xFFFC))
        refused = where >= 0xE000
        status = REFUSED if refused else OK
        if random.random() < 0.5:
            data = random.getrandbits(32)
            answer = await world.ask(WRITE, where=where, words=[data], status=status)
            count += 1
            assert world.registers.writes[-1] == (where, data) and not answer.words
            written |= {} if refused else {where: data}
        else:
            answer = await world.ask(READ, where=where, status=status)
            assert answer.words == ([] if refused else [written.get(where, 0)])
        assert answer.moved == (2 if refused else 0)
    assert len(world.registers.writes) == count and count + len(world.registers.reads) == turns
    assert written and world.streams.resets == 0


@cocotb.test()
async def words_of_streams_move_in_order_and_the_answer_says_how_many(dut):
    world = Bridge(dut)
    await world.start()
    streams = world.streams
    sent: list[list[tuple[int, int]]] = [[] for _ in range(streams.puts)]
    got: list[list[int]] = [[] for _ in range(streams.gets)]
    offered = [[(word, int(random.random() < 0.2)) for word in noise(60)] for _ in range(streams.gets)]
    for queue, words in zip(streams.gives, offered, strict=True):
        queue.extend(words)
    short = stopped = turns = 0
    ways = sent, got
    while (
        turns < 60 // FEWER
        or min(short, stopped) <= 3 // FEWER
        or min(sum(map(len, way)) for way in ways) <= 20 // FEWER
    ):
        turns += 1
        assert turns < 600, (short, stopped)
        streams.p_take = random.choice((1.0, 0.5, 0.0))
        streams.p_give = random.choice((1.0, 0.5, 0.0))
        if random.random() < 0.5:
            number, last = random.randrange(streams.puts), random.choice((0, LAST))
            words = noise(random.randint(0, world.words))
            answer = await world.ask(PUT, number | last, words=words)
            moved = words[: answer.moved]
            whole = len(moved) == len(words)
            sent[number] += [(w, int(bool(last) and whole and i + 1 == len(words))) for i, w in enumerate(moved)]
            short += not whole
            assert not answer.words and (whole or streams.p_take < 1)
        else:
            number, until = random.randrange(streams.gets), random.choice((0, LAST))
            wanted = random.randint(0, world.words)
            answer = await world.ask(GET, number | until, where=wanted)
            first = len(got[number])
            got[number] += answer.words
            assert len(answer.words) == answer.moved <= wanted
            lasts = [last for _, last in offered[number][first : first + answer.moved]]
            assert bool(answer.flags & LAST) == (bool(lasts) and bool(lasts[-1]))
            assert not until or not any(lasts[:-1])
            left = len(offered[number]) - first
            stopped += answer.moved < min(wanted, left)
            if streams.p_give == 1:
                assert answer.moved == min(wanted, left) or (until and lasts[-1])
    streams.p_take = 1.0
    await world.run(50)
    assert streams.took == sent
    for words, expected in zip(got, offered, strict=True):
        assert words == [word for word, _ in expected[: len(words)]]


@cocotb.test()
async def what_cannot_be_done_is_refused(dut):
    world = Bridge(dut)
    await world.start()
    streams = world.streams
    before = world.done()
    for command in (7, 0x80, 0xFF):
        await world.ask(command, status=COMMAND)
        assert int(dut.trouble.value)
    for number in range(streams.puts, 16):
        await world.ask(PUT, number, words=noise(2), status=STREAM)
    for number in range(streams.gets, 16):
        await world.ask(GET, number, where=2, status=STREAM)
    for command, where, count in (
        (HELLO, 0, 1),
        (READ, 0, 1),
        (WRITE, 0, 0),
        (WRITE, 0, 2),
        (RESET, 0, 1),
        (GET, 1, 1),
    ):
        await world.ask(command, where=where, words=noise(count), status=LENGTH)
    await world.ask(GET, where=world.words + 1, status=LENGTH)
    # A frame longer than the memory, whose end is waited for before the answer.
    world.terminal.send(request(world.sequence + 1 & 0xFF, ECHO, words=noise(world.words + 1)))
    assert (await world.hear()).status == LONG
    assert world.terminal.silent(0) and world.done() == before
    await world.ask(ECHO, words=[1])
    assert not int(dut.trouble.value)


@cocotb.test()
async def a_damaged_frame_does_nothing_and_the_next_good_one_is_done(dut):
    world = Bridge(dut)
    await world.start()
    world.streams.p_take = 1.0
    world.streams.gives[0].extend((word, 0) for word in noise(5))
    seen: dict[int, int] = {}
    silent = 0
    turns = 60 // FEWER
    for turn in range(turns):
        words = noise(random.randint(1, world.words - 1))
        command, where, argument = random.choice(
            ((WRITE, 4, 0), (PUT, 0, LAST), (GET, 3, 0), (RESET, 0, 0), (READ, 4, 0))
        )
        body = {WRITE: words[:1], PUT: words}.get(command, [])
        data = bytearray(request(world.sequence + turn % 2 & 0xFF, command, argument, where, body))
        place = random.randrange(len(data))
        before = world.done()
        how = turn % 5
        if how == 0:
            data[place] ^= 1 << random.randrange(8)
        elif how == 1:
            del data[place]
        elif how == 2:
            # In front of the frame it would be noise.
            place = max(place, 1)
            data.insert(place, random.getrandbits(8) & 0xFE | 1 - (data[place] & 1))
        elif how == 3:
            del data[random.randrange(1, len(data)) :]
        for i, value in enumerate(data):
            world.terminal.byte(value, stop=int(how != 4 or i != place))
        await world.rest(2 * world.gap + 100)
        assert world.done() == before, f"a damaged frame was carried out: {bytes(data).hex()}"
        came = world.terminal.came
        if came:
            status = Answer(bytes(came[:12])).status
            assert status in (LINE, GAP, CRC, LONG), status
            seen[status] = seen.get(status, 0) + 1
            assert int(dut.trouble.value)
            came.clear()
        else:
            silent += 1
        good = noise(2)
        assert (await world.ask(ECHO, words=good)).words == good
    assert min(seen.get(status, 0) for status in (LINE, GAP, CRC)) >= 5 // FEWER, seen
    # Only a frame without its first byte is nothing at all.
    assert silent <= turns // 3
    world.hits.update({"damaged": turns, "silent": silent})
    world.report()


@cocotb.test()
async def bytes_that_come_too_early_are_lost_and_told(dut):
    world = Bridge(dut)
    await world.start()
    for _ in range(5 // FEWER):
        words = noise(world.words)
        world.terminal.send(request(world.next(), ECHO, words=words))
        world.terminal.send(request(world.sequence + 1 & 0xFF, WRITE, where=8, words=[1]))
        first = await world.hear()
        assert first.words == words
        await world.rest(3 * world.gap)
        assert not world.terminal.came and not world.registers.writes
        answer = await world.ask(ECHO)
        assert answer.flags & OVERRUN
        assert not (await world.ask(ECHO)).flags & OVERRUN


@cocotb.test()
async def a_frame_that_ends_before_its_number_is_answered_with_0(dut):
    world = Bridge(dut)
    await world.start()
    world.sequence = 76
    for _ in range(2):
        await world.ask(ECHO, words=noise(1))
        world.terminal.send(b"\x5a")
        answer = await world.hear()
        assert (answer.status, answer.sequence, answer.words) == (GAP, 0, [])


@cocotb.test()
async def a_noisy_line_without_a_frame_is_nothing(dut):
    world = Bridge(dut)
    await world.start()
    clocks = world.terminal.clocks
    before = world.done()
    for _ in range(100 // FEWER):
        if random.random() < 0.5:
            world.terminal.byte(random.choice([x for x in range(256) if x != 0x5A]), stop=random.getrandbits(1))
        else:
            world.terminal.levels.append((0, random.randint(1, max(1, clocks // 2 - 2))))
            world.terminal.levels.append((1, clocks * random.randint(1, 4)))
    await world.rest(2 * world.gap)
    assert not world.terminal.came and world.done() == before
    answer = await world.ask(ECHO, words=[7])
    assert answer.words == [7] and not answer.flags & OVERRUN


@cocotb.test()
async def reset_and_break_empty_everything(dut):
    world = Bridge(dut)
    await world.start()
    assert world.streams.resets == 0
    world.streams.p_take = 0.0
    await world.ask(PUT, words=noise(2))
    assert int(dut.m_put_valid.value)
    await world.ask(RESET)
    assert world.streams.resets == 1 and not int(dut.m_put_valid.value)
    # A core that does not answer holds the bridge; a break frees it.
    world.registers.dead = True
    world.terminal.send(request(world.next(), READ))
    await world.rest(3 * world.gap)
    assert int(dut.busy.value) and not world.terminal.came
    for turn in range(3):
        world.terminal.levels += [(0, 18 * world.terminal.clocks), (1, 4 * world.terminal.clocks)]
        await world.rest(10)
        assert world.streams.resets == 2 + turn and not int(dut.busy.value)
        world.registers.dead = False
        answer = await world.ask(READ, where=0x10)
        assert answer.words == [0] and not answer.flags & OVERRUN
        # In the middle of a frame.
        world.terminal.send(request(1, WRITE, where=4, words=[5])[:-3])
    assert not world.registers.writes


@cocotb.test()
async def a_frame_that_comes_again_is_answered_again_and_not_done_again(dut):
    world = Bridge(dut)
    await world.start()
    streams, registers = world.streams, world.registers
    repeats = damaged = 0
    for _ in range(60 // FEWER):
        streams.p_take, streams.p_give = random.choice((1.0, 0.5)), random.choice((1.0, 0.5))
        streams.gives[0].extend((word, int(random.random() < 0.2)) for word in noise(4))
        where = random.choice((0, 4, 0xE000))
        command, argument, where, body = random.choice(
            (
                (WRITE, 0, where, noise(1)),
                (READ, 0, where, []),
                (PUT, LAST, 0, noise(random.randint(1, world.words))),
                (GET, random.choice((0, LAST)), random.randint(1, world.words), []),
                (RESET, 0, 0, []),
                (ECHO, 0, 0, noise(random.randint(0, world.words))),
                (HELLO, 0, 0, []),
                (PUT, 15, 0, noise(2)) if streams.puts < 16 else (0x77, 0, 0, []),
            )
        )
        data = request(world.next(), command, argument, where, body)
        world.terminal.send(data)
        first = await world.hear()
        before = world.done()
        for _again in range(random.randrange(3)):
            if random.random() < 0.5:
                # A damaged frame in between may fill the memory, but not with what is answered.
                other = bytearray(request(world.sequence + 1 & 0xFF, ECHO, words=noise(world.words)))
                other[-1] ^= 1
                world.terminal.send(other)
                assert (await world.hear()).status == CRC
                damaged += 1
            if command == READ:
                registers.words[where] = random.getrandbits(32)
            world.terminal.send(data, random.choice((0.0, 0.3)))
            again = await world.hear()
            assert (again.sequence, again.status, again.moved) == (first.sequence, first.status, first.moved)
            assert again.words == first.words and again.flags & LAST == first.flags & LAST
            await world.run(5)
            assert world.done() == before, f"command {command} was carried out twice"
            repeats += 1
    assert repeats > 30 // FEWER**2 and damaged > 10 // FEWER**2


@cocotb.test()
async def a_frame_out_of_its_order_is_refused(dut):
    world = Bridge(dut)
    await world.start()
    # The first number after a reset is free; then one follows the other, also from 255 to 0.
    world.sequence = random.randrange(230, 256)
    old: deque[bytes] = deque(maxlen=6)
    turns = max(20, 40 // FEWER)  # what happens in every tenth
    for turn in range(turns):
        words = noise(1)
        old.append(request(world.next(), WRITE, where=4, words=words))
        world.terminal.send(old[-1])
        assert (await world.hear()).status == OK
        before = world.done()
        wrong = random.choice([*range(2, 256)]) + world.sequence & 0xFF
        tried = [
            old[random.randrange(len(old) - 1)] if len(old) > 1 else None,  # one from before the last
            request(wrong, WRITE, where=4, words=noise(1)),
            request(world.sequence, WRITE, where=4, words=[words[0] ^ 1]),  # the last number with something else
        ]
        for data in filter(None, random.sample(tried, 2)):
            world.terminal.send(data)
            answer = await world.hear()
            assert answer.status == SEQUENCE and not answer.words and world.done() == before
        if turn % 10 == 5:
            await world.ask(RESET)  # resets the cores, and the numbers go on
            world.terminal.send(old[-1])
            assert (await world.hear()).status == SEQUENCE
        if turn % 10 == 9:
            world.terminal.levels += [(0, 18 * world.terminal.clocks), (1, 4 * world.terminal.clocks)]
            await world.rest(10)
            world.sequence = random.randrange(256)
            old.clear()
    assert len(world.registers.writes) == turns


@cocotb.test()
async def bytes_that_come_meanwhile_do_not_prolong_a_wait(dut):
    world = Bridge(dut)
    await world.start()
    wait = 1 << int(dut.WAIT_LOG2.value)
    byte = 10 * world.terminal.clocks
    world.streams.p_take = 0.0
    for command, where, words in ((GET, 2, []), (PUT, 0, noise(world.words))):
        world.terminal.send(request(world.next(), command, 0, where, words))
        while world.terminal.levels:
            await world.run(1)
        begun = world.clock
        while not world.terminal.came:
            assert world.clock < begun + wait + 4 * byte + 20 * world.words, "bytes on the line hold a wait up"
            if not world.terminal.levels:
                world.terminal.byte(0x5A)
            await world.run(1)
        world.terminal.levels.clear()
        answer = await world.hear()
        assert answer.status == OK and answer.moved <= 2
        await world.rest(3 * world.gap)
        world.terminal.came.clear()
        await world.ask(RESET)


@cocotb.test()
async def a_word_that_moves_gives_the_next_one_a_wait_of_its_own(dut):
    world = Bridge(dut)
    await world.start()
    wait = 1 << int(dut.WAIT_LOG2.value)
    world.streams.p_give = 1.0
    world.terminal.send(request(world.next(), GET, 0, world.words))
    while world.terminal.levels:
        await world.run(1)
    await world.run(2 * world.terminal.clocks)
    for word in (words := noise(world.words if wait > 32 else 0)):  # else there is no time for the bench
        await world.run(wait - 2 * world.terminal.clocks - 16 if word == words[0] else wait * 3 // 4)
        world.streams.gives[0].append((word, 0))
    answer = await world.hear()
    assert answer.status == OK and answer.words == words
