"""Traffic for rlc_sumtree_banks, and what each clock of it must do.

Inputs are written just after the falling edge, and everything is looked at when it has settled, before the rising edge
that acts on it.

The order in which a bank accepts is the core's own choice, so the bench looks at the entries of the banks, behind the
queues. What enters must be what a lane took, in the lane's order, at the bank that the rules say; from there on each
bank is one SumTreeModel, whose answers must come out of the bank's port with tag and global slot.
"""

import random
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from bench_pins import pack, reset, start_clock
from cocotb.triggers import FallingEdge, ReadOnly

from rlcores.cores.common.draws import Draws, stream_state
from rlcores.cores.sumtree import model as st
from rlcores.cores.sumtree.banks import bank_capacities, pick_bank

CLEAR_MISPLACED = 7  # what a bank sees of a CLEAR on another lane than 0


@dataclass
class Operation:
    """One operation as a lane offers it."""

    kind: int
    index: int = 0
    priority: int = 0
    generation: int = 0
    check: bool = False
    use_max: bool = False
    beyond: bool = False
    lane: int = 0
    tag: int = 0


@dataclass
class Request:
    """One sample request as a lane offers it."""

    kind: int
    value: int = 0
    lane: int = 0
    tag: int = 0


def fields(signal, width: int) -> Callable[[int], int]:
    """Read a packed vector once; the function gives its slices. Others may be unknown in Icarus."""
    text = str(signal.value)
    return lambda i: int(text[len(text) - (i + 1) * width : len(text) - i * width], 2)


def moved(valid, ready) -> list[int]:
    """At which places of two vectors something is handed over. Where nothing is valid, ready may be unknown."""
    bits = list(zip(str(valid.value)[::-1], str(ready.value)[::-1], strict=True))
    assert all(v in "01" and (v == "0" or r in "01") for v, r in bits), "a handshake is unknown"
    return [i for i, pair in enumerate(bits) if pair == ("1", "1")]


class Bench:
    """Drives all ports, follows the wires, and compares."""

    def __init__(self, dut, *, private: bool = False, strata: int = 0, capacity: int = 0, initial: int = 5) -> None:
        self.dut = dut
        self.banks, self.leaves_log2, self.width, self.draw_width, self.generation_width, self.most, self.tag_width = (
            int(getattr(dut, name).value)
            for name in ("BANKS", "LEAVES_LOG2", "PRIORITY_WIDTH", "DRAW_WIDTH", "GENERATION_WIDTH", "CAPACITY",
                         "TAG_WIDTH")
        )  # fmt: skip
        assert self.tag_width >= 12, "this bench tells requests apart by their tags: TAG_WIDTH must be 12 or more"
        self.bank_bits = (self.banks - 1).bit_length()
        self.index_width = self.leaves_log2 + self.bank_bits
        self.generation_bits = max(self.generation_width, 1)
        self.local_sum = self.width + self.leaves_log2
        self.sum_width = self.local_sum + self.bank_bits
        self.value_width = max(self.sum_width, self.draw_width)
        self.local_value = max(self.local_sum, self.draw_width)
        self.private, self.strata = private, strata
        self.cfg_capacity, self.initial = capacity, initial
        self.capacity = self.limit(capacity)
        self.next_slot = 0
        state = tuple(random.getrandbits(32) for _ in range(4))
        self.state = state
        self.models = []
        for bank, share in enumerate(self.shares(self.most)):
            shape = st.SumTreeShape(self.leaves_log2, share, self.width, self.draw_width, self.generation_width)
            model = st.SumTreeModel(shape, capacity=self.shares(self.capacity)[bank], initial=initial)
            model.draws.load(self.own_state(bank), strata if private or self.banks == 1 else 0)
            model.cfg_strata = model.draws.strata
            self.models.append(model)
        self.draws = [
            Draws(self.draw_width, state=self.own_state(self.banks + lane), strata=strata, first=lane, step=self.banks)
            for lane in range(self.banks)
        ]
        lanes = range(self.banks)
        self.offered: list[Operation | None] = [None for _ in lanes]
        self.asking: list[Request | None] = [None for _ in lanes]
        self.by_tag: dict[int, Operation] = {}
        self.ask_by_tag: dict[int, Request] = {}
        self.waiting = [[deque() for _ in lanes] for _ in lanes]  # operations by lane and bank
        self.picked: list[deque] = [deque() for _ in lanes]  # requests in a lane: (bank, kind, value, tag)
        self.asked = [[deque() for _ in lanes] for _ in lanes]  # requests in a queue, by lane and bank
        self.answers: list[deque] = [deque() for _ in lanes]
        self.samples: list[deque] = [deque() for _ in lanes]
        self.clear: Operation | None = None
        self.tags = 0
        self.past_totals: deque[list[int]] = deque(maxlen=2 + self.bank_bits)
        self.stalled = {"m_op": 0, "m_sample": 0}
        self.hits: Counter = Counter()
        self.drawn: Counter = Counter()  # slots that samples answered
        self.together = 0  # the most inserts taken in one clock
        self.said: tuple = ()  # the last answer

    def own_state(self, stream: int) -> tuple[int, ...]:
        return self.state if self.banks == 1 else stream_state(self.state, stream)

    def limit(self, capacity: int) -> int:
        """The capacity that a value of cfg_capacity stands for."""
        return self.most if capacity == 0 or capacity > self.most else max(capacity, self.banks)

    def shares(self, capacity: int) -> list[int]:
        return bank_capacities(capacity, self.banks)

    async def start(self, clock: bool = True) -> None:
        """Reset and seed; without a new clock when one runs already."""
        dut = self.dut
        for name in ("op", "sample"):
            getattr(dut, f"s_{name}_valid").value = 0
            getattr(dut, f"m_{name}_ready").value = 0
        dut.cfg_capacity.value, dut.cfg_initial.value = self.cfg_capacity, self.initial
        dut.cfg_strata.value, dut.cfg_private.value = self.strata, int(self.private)
        dut.cfg_restart.value = dut.cfg_seed_valid.value = 0
        dut.cfg_seed.value = pack(list(self.state), 32)
        if clock:
            start_clock(dut.clk)
        await reset(dut)
        await FallingEdge(dut.clk)
        assert int(dut.busy.value), "all banks are cleared, and none says so"
        dut.cfg_seed_valid.value = 1
        await FallingEdge(dut.clk)
        dut.cfg_seed_valid.value = 0

    async def restart(self) -> None:
        """Pulse cfg_restart, with nothing on its way."""
        self.dut.cfg_restart.value = 1
        await FallingEdge(self.dut.clk)
        self.dut.cfg_restart.value = 0
        for draws in (*self.draws, *(model.draws for model in self.models)):
            draws.restart()

    # --- inputs ---

    def offer(self, lane: int, operation: Operation) -> None:
        operation.lane, operation.tag = lane, self.tag()
        self.offered[lane] = operation
        self.by_tag[operation.tag] = operation

    def ask(self, lane: int, request: Request) -> None:
        request.lane, request.tag = lane, self.tag()
        self.asking[lane] = request
        self.ask_by_tag[request.tag] = request

    def tag(self) -> int:
        self.tags += 1
        return self.tags & (1 << self.tag_width) - 1

    def drive(self, p_ready: float) -> None:
        dut, lanes = self.dut, range(self.banks)
        ops = [op or Operation(random.randrange(8), random.getrandbits(self.index_width)) for op in self.offered]
        asks = [ask or Request(random.randrange(4), random.getrandbits(self.value_width)) for ask in self.asking]
        dut.s_op_valid.value = sum((self.offered[i] is not None) << i for i in lanes)
        dut.s_op_kind.value = pack([op.kind for op in ops], 3)
        dut.s_op_check.value = pack([op.check for op in ops], 1)
        dut.s_op_max.value = pack([op.use_max for op in ops], 1)
        dut.s_op_beyond.value = pack([op.beyond for op in ops], 1)
        dut.s_op_index.value = pack([op.index for op in ops], self.index_width)
        dut.s_op_generation.value = pack([op.generation for op in ops], self.generation_bits)
        dut.s_op_priority.value = pack([op.priority for op in ops], self.width)
        dut.s_op_tag.value = pack([op.tag for op in ops], self.tag_width)
        dut.s_sample_valid.value = sum((self.asking[i] is not None) << i for i in lanes)
        dut.s_sample_kind.value = pack([ask.kind for ask in asks], 2)
        dut.s_sample_value.value = pack([ask.value for ask in asks], self.value_width)
        dut.s_sample_tag.value = pack([ask.tag for ask in asks], self.tag_width)
        for name in ("m_op_ready", "m_sample_ready"):
            getattr(dut, name).value = sum((random.random() < p_ready) << i for i in lanes)

    async def clock(
        self,
        operation: Callable[[int], Operation | None] = lambda lane: None,
        request: Callable[[int], Request | None] = lambda lane: None,
        p_ready: float = 1.0,
    ) -> None:
        """One clock: fill free lanes from the two functions, and follow what happens."""
        for lane in range(self.banks):
            if self.offered[lane] is None and (op := operation(lane)):
                self.offer(lane, op)
            if self.asking[lane] is None and (ask := request(lane)):
                self.ask(lane, ask)
        self.dut.cfg_capacity.value = self.cfg_capacity
        self.drive(p_ready)
        await ReadOnly()
        self.follow()
        await FallingEdge(self.dut.clk)

    async def drain(self, clocks: int = 2000) -> None:
        """Nothing new until everything has come out; then the state outputs must be the models'."""
        for _ in range(clocks):
            if not self.left() and not int(self.dut.busy.value):
                break
            await self.clock()
        assert not self.left(), f"{self.left()} requests had no answer"
        for _ in range(30):
            await self.clock()
        dut, models = self.dut, self.models
        assert int(dut.busy.value) == 0
        assert int(dut.total.value) == sum(model.total for model in models)
        assert int(dut.size.value) == sum(model.size for model in models)
        assert int(dut.largest.value) == max(model.largest for model in models)
        assert int(dut.capacity.value) == self.capacity

    def left(self) -> int:
        queues = [*self.picked, *self.answers, *self.samples]
        queues += [queue for rows in (self.waiting, self.asked) for row in rows for queue in row]
        offered = [x for x in (*self.offered, *self.asking, self.clear) if x]
        return len(offered) + sum(map(len, queues))

    # --- what one clock does ---

    def follow(self) -> None:
        dut = self.dut
        for port in self.stalled:
            valid, ready = (int(getattr(dut, f"{port}_{x}").value) for x in ("valid", "ready"))
            assert not self.stalled[port] & ~valid, f"{port}: valid was withdrawn while stalled"
            self.stalled[port] = valid & ~ready
        assert self.clear is None or int(dut.busy.value), "a CLEAR was taken, and nobody says so"
        # Inputs first: with one bank they enter it in this clock.
        if self.banks > 1:
            self.operations_enter_banks()
            self.requests_enter_banks()
            self.requests_leave_lanes()
            self.snapshot_is_recent()
        self.lanes_take_operations()
        self.lanes_take_requests()
        self.banks_answer_operations()
        self.banks_answer_samples()

    def lanes_take_operations(self) -> None:
        taken = int(self.dut.s_op_valid.value) & int(self.dut.s_op_ready.value)
        inserts, clears = 0, False
        for lane in range(self.banks):
            if not taken >> lane & 1:
                self.hits["operation waits"] += self.offered[lane] is not None
                continue
            op, self.offered[lane] = self.offered[lane], None
            self.hits["operations"] += 1
            if self.banks == 1:
                self.bank_operation(0, op)
            elif op.kind == st.CLEAR and lane == 0:
                assert self.clear is None
                self.clear, clears = op, True
            else:
                bank = op.index % self.banks
                if op.kind in (st.INSERT, st.RESERVE):
                    inserts += 1
                    bank = lane if self.private else self.next_slot % self.banks
                    if not self.private:
                        self.next_slot = (self.next_slot + 1) % self.capacity
                        self.hits["wraps"] += self.next_slot == 0
                self.waiting[lane][bank].append(op)
        self.together = max(self.together, inserts)
        # Operations of the same clock go before a CLEAR.
        if clears:
            self.capacity, self.next_slot = self.limit(self.cfg_capacity), 0

    def operations_enter_banks(self) -> None:
        many, dut = self.dut.g_many, self.dut
        for bank in moved(many.clear, many.clear_taken):
            self.bank_operation(bank, self.clear)
            self.hits["bank clears"] += 1
            assert not any(self.waiting[lane][bank] for lane in range(self.banks)), "CLEAR overtook an operation"
            if self.hits["bank clears"] % self.banks == 0:
                self.clear = None
        taken = moved(many.queue_valid, many.queue_ready)
        if not taken:
            return
        data = fields(many.queue_data, len(many.queue_data) // self.banks)
        largest = int(dut.largest.value)
        for bank in taken:
            op = self.by_tag[data(bank) & (1 << self.tag_width) - 1]
            assert self.waiting[op.lane][bank], f"bank {bank} takes what lane {op.lane} did not send it: {op}"
            assert self.waiting[op.lane][bank].popleft() is op, f"lane {op.lane}, bank {bank}: order lost"
            self.bank_operation(bank, op, largest)

    def bank_operation(self, bank: int, op: Operation, largest: int = 0) -> None:
        model = self.models[bank]
        kind = CLEAR_MISPLACED if op.kind == st.CLEAR and op.lane else op.kind
        if op.kind == st.CLEAR and not op.lane:
            model.cfg_capacity = self.shares(self.limit(self.cfg_capacity))[bank]
            if self.banks == 1:
                self.capacity = self.limit(self.cfg_capacity)
        # In common banks the largest priority of all is put in; a bank alone knows its own.
        shared = op.use_max and not self.private and self.banks > 1
        priority = largest if shared else op.priority
        index = op.index >> self.bank_bits | op.beyond << self.leaves_log2
        answer = model.operation(kind, index, priority, op.generation, op.check, op.use_max and not shared)
        self.hits[f"kind {op.kind} status {answer.status}"] += 1
        if op.kind != st.CLEAR or op.lane or bank == 0:
            slot = (answer.index & (1 << self.leaves_log2) - 1) << self.bank_bits | bank
            self.answers[bank].append((op.kind, answer.status, slot, answer.generation, answer.priority, op.tag))

    def banks_answer_operations(self) -> None:
        dut = self.dut
        banks = moved(dut.m_op_valid, dut.m_op_ready)
        if not banks:
            return
        ports = (("kind", 3), ("status", 2), ("index", self.index_width), ("generation", self.generation_bits),
                 ("priority", self.width), ("tag", self.tag_width))  # fmt: skip
        values = [fields(getattr(dut, f"m_op_{name}"), width) for name, width in ports]
        for bank in banks:
            got = tuple(value(bank) for value in values)
            assert self.answers[bank], f"bank {bank}: an answer that nobody asked for: {got}"
            want = self.answers[bank].popleft()
            assert got == want, f"bank {bank} answers (kind, status, slot, generation ...) {got}, not {want}"
            self.hits["answers"] += 1
            self.said = got[:-1]

    def lanes_take_requests(self) -> None:
        taken = int(self.dut.s_sample_valid.value) & int(self.dut.s_sample_ready.value)
        sums = fields(self.dut.g_many.sums, self.sum_width) if self.banks > 1 and taken else None
        for lane in range(self.banks):
            if not taken >> lane & 1:
                self.hits["request waits"] += self.asking[lane] is not None
                continue
            ask, self.asking[lane] = self.asking[lane], None
            self.hits["requests"] += 1
            self.hits[f"request {ask.kind}"] += 1
            if self.banks == 1:
                self.bank_sample(0, ask.kind, ask.value, ask.tag)
            else:
                self.picked[lane].append((*self.pick(lane, ask, [sums(b) for b in range(self.banks)]), ask.tag))

    def pick(self, lane: int, ask: Request, sums: list[int]) -> tuple[int, int, int]:
        """Bank, kind and value that a request becomes."""
        if self.private:
            return lane, ask.kind, ask.value & (1 << self.local_value) - 1
        kind = st.TARGET
        target = ask.value
        if ask.kind in (st.DRAW, st.GIVEN):
            kind = st.DRAW if ask.kind == st.DRAW and self.strata <= 1 else st.SOFT
            u = self.draws[lane].next() if ask.kind == st.DRAW else ask.value & (1 << self.draw_width) - 1
            target = u * sums[-1] >> self.draw_width
        if target >= sums[-1]:
            self.hits["beyond the total"] += 1
            return 0, kind, (1 << self.local_value) - 1
        totals = [after - before for before, after in zip([0, *sums], sums, strict=False)]
        bank, rest = pick_bank(totals, target)
        return bank, kind, rest

    def requests_leave_lanes(self) -> None:
        many = self.dut.g_many
        leaving = moved(many.ask_valid, many.ask_ready)
        if not leaving:
            return
        width = len(many.ask_data) // self.banks
        banks, data = fields(many.ask_bank, self.bank_bits), fields(many.ask_data, width)
        for lane in leaving:
            want = self.picked[lane].popleft()
            got = (banks(lane), *self.split(data(lane)))
            assert got == want, f"lane {lane} asks (bank, kind, value, tag) {got}, not {want}"
            self.asked[lane][want[0]].append(want)

    def split(self, data: int) -> tuple[int, int, int]:
        tag, rest = data & (1 << self.tag_width) - 1, data >> self.tag_width
        return rest >> self.local_value, rest & (1 << self.local_value) - 1, tag

    def requests_enter_banks(self) -> None:
        many = self.dut.g_many
        taken = moved(many.asked_valid, many.asked_ready)
        if not taken:
            return
        data = fields(many.asked_data, len(many.asked_data) // self.banks)
        for bank in taken:
            kind, value, tag = self.split(data(bank))
            lane = self.ask_by_tag[tag].lane
            assert self.asked[lane][bank], f"bank {bank} is asked what lane {lane} did not ask it"
            assert self.asked[lane][bank].popleft()[1:] == (kind, value, tag), f"lane {lane}: order lost"
            self.bank_sample(bank, kind, value, tag)

    def bank_sample(self, bank: int, kind: int, value: int, tag: int) -> None:
        answer = self.models[bank].sample(kind, value)
        self.hits[f"sample status {answer.status}"] += 1
        slot = (answer.index << self.bank_bits | bank) if answer.status == st.OK else 0
        self.samples[bank].append((answer.status, slot, answer.priority, answer.total, answer.generation, tag))

    def banks_answer_samples(self) -> None:
        dut = self.dut
        banks = moved(dut.m_sample_valid, dut.m_sample_ready)
        if not banks:
            return
        ports = (("status", 2), ("index", self.index_width), ("priority", self.width), ("total", self.local_sum),
                 ("generation", self.generation_bits), ("tag", self.tag_width))  # fmt: skip
        values = [fields(getattr(dut, f"m_sample_{name}"), width) for name, width in ports]
        for bank in banks:
            got = tuple(value(bank) for value in values)
            assert self.samples[bank], f"bank {bank}: a sample that nobody asked for: {got}"
            want = self.samples[bank].popleft()
            assert got == want, f"bank {bank} samples (status, slot, priority ...) {got}, not {want}"
            self.hits["samples"] += 1
            self.said = got[:-1]
            if got[0] == st.OK:
                self.drawn[got[1]] += 1

    def snapshot_is_recent(self) -> None:
        """The sums that decide between banks are those of one clock, not long ago."""
        many = self.dut.g_many
        totals, sums = fields(many.totals, self.local_sum), fields(many.sums, self.sum_width)
        if int(self.dut.busy.value):  # totals are unknown until the first clear
            self.past_totals.clear()
            return
        self.past_totals.append([totals(bank) for bank in range(self.banks)])
        if len(self.past_totals) == self.past_totals.maxlen:
            then = self.past_totals[0]
            assert [sums(bank) for bank in range(self.banks)] == [sum(then[: b + 1]) for b in range(self.banks)]
