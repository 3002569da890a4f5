"""Functional coverage of the native sum tree: which bins there are for a parameter set, and when they are hit."""

from collections import deque
from dataclasses import dataclass

from uvm_coverage import Coverage

from rlcores.cores.common.draws import Draws
from rlcores.cores.sumtree.model import (
    CLEAR,
    COMMIT,
    DRAW,
    EMPTY,
    GIVEN,
    INSERT,
    OK,
    READ,
    RESERVE,
    SOFT,
    STALE,
    TARGET,
    UPDATE,
    OperationAnswer,
    SampleAnswer,
    SumTreeModel,
    SumTreeShape,
)
from rlcores.cores.sumtree.shape import digit, places

# Kept over all tests of one simulation.
COVERAGE = Coverage()

OPERATIONS = ("update", "insert", "reserve", "commit", "read", "clear", "kind6", "kind7")
OP_STATUS = ("ok", "stale", "range", "kind")
SAMPLES = ("draw", "given", "target", "soft")
SAMPLE_STATUS = ("ok", "empty", "miss")
NEAR = range(1, 7)  # clocks between two accesses that the pipelines must tell apart
PARAMETERS = (
    *("LEAVES_LOG2", "RADIX_LOG2", "CAPACITY", "PRIORITY_WIDTH", "DRAW_WIDTH", "GENERATION_WIDTH", "SHARED"),
    *("HEAD_LATENCY", "WIDE_LATENCY", "BYPASS", "ADDS"),
)


@dataclass(frozen=True)
class Layout:
    """The parameters of the core under test, and what they make of the tree."""

    parameters: dict[str, int]
    shape: SumTreeShape
    levels: tuple[int, ...]  # log2 of the radix of each level, root first

    @classmethod
    def of(cls, dut) -> "Layout":
        """Read from the simulator."""
        p = {name: int(getattr(dut, name).value) for name in PARAMETERS}
        return cls(p, SumTreeShape.of(p), tuple(place.bits for place in reversed(places(p))))

    @property
    def shared(self) -> bool:
        """Whether operations and samples share one copy of the leaves."""
        return bool(self.parameters["SHARED"])

    @property
    def word_log2(self) -> int:
        """log2 of the leaves in a word."""
        return self.levels[-1]

    @property
    def parent_log2(self) -> int:
        """log2 of the leaves below the node above a leaf word's node."""
        return sum(self.levels[-2:])

    @property
    def latency(self) -> int:
        """Clocks from a sample's acceptance to its answer, as docs/sumtree.md says ("Time")."""
        p, bits = self.parameters, self.levels[::-1]
        reads = [digit(p["WIDE_LATENCY"], place) for place in range(len(bits) - 1)] + [0]
        head = reads[0] if self.shared or len(bits) == 1 else p["HEAD_LATENCY"]
        multipliers = -(-self.shape.total_width // 26) * -(-self.shape.draw_width // 17)
        sums = sum(-((1 - b) // p["ADDS"]) for b in bits)
        return head + 3 + 3 + (multipliers - 1) * (1 + p["BYPASS"]) + 1 + sum(reads) + sums + sum(bits) + 5

    @property
    def request_width(self) -> int:
        """Bits of s_sample_value."""
        return max(self.shape.total_width, self.shape.draw_width)

    @property
    def most(self) -> int:
        """The largest priority."""
        return (1 << self.shape.priority_width) - 1

    @property
    def tag_mask(self) -> int:
        """Of a generation; 0 without tags."""
        return (1 << self.shape.generation_width) - 1


def goal(layout: Layout) -> set[str]:
    """The bins that a simulation of this parameter set must hit."""
    tagged = layout.tag_mask > 0
    bins = {f"op.{name}.ok" for name in OPERATIONS[:6]} | {"op.kind6.kind", "op.kind7.kind"}
    bins |= {f"op.{name}.range" for name in ("update", "commit", "read")}
    bins |= {f"op.{name}.beyond" for name in ("update", "commit", "read")}
    bins |= {"op.update.max", "op.insert.max", "op.commit.max", "op.read.check", "op.insert.beyond"}
    if tagged:
        bins |= {"op.update.stale", "op.commit.stale", "tag.behind_one", "tag.ahead_one", "tag.across_wrap"}
        bins |= {"tag.fresh_after_wrap", "tag.fresh_checked", "tag.from_before_clear", "tag.unchecked"}
    bins |= {f"sample.{kind}.ok" for kind in SAMPLES} | {f"sample.{kind}.empty" for kind in SAMPLES}
    bins |= {"sample.target.miss", "soft.by_target", "soft.by_draw"}
    bins |= {"target.zero", "target.last", "target.total", "target.ones", "given.zero", "given.ones"}
    if layout.shape.total_width != layout.shape.draw_width:
        bins.add("value.junk_above")
    # The first and the last target of the answer.
    bins |= {"answer.low_edge", "answer.high_edge"}
    bins |= {f"leaf.{d}" for d in NEAR} | {f"word.{d}" for d in NEAR} | {f"read.{d}" for d in NEAR}
    if layout.shape.capacity > 1 << layout.levels[-1]:
        bins |= {f"parent.{d}" for d in NEAR}
    bins |= {f"sampled.{d}" for d in NEAR} | {"together", "together.leaf", "together.refused"}
    bins |= {"clear.with_sample", "clear.behind_sample", "clear.traffic", "clear.capacity_zero", "clear.capacity_high"}
    bins |= {"clear.capacity_one", "clear.capacity_odd", "clear.initial_zero", "clear.initial_most"}
    if layout.shared:
        # The waiting sample yields to an operation that blocks it; a CLEAR comes alone.
        bins -= {"clear.with_sample"}
    below = 0  # bits of a slot under the choice of this level
    for place, bits in enumerate(reversed(layout.levels)):
        bins.add(f"choice.{place}.first")
        # A capacity that is no power of two leaves the last children of the root without slots.
        if ((1 << bits) - 1) << below < layout.shape.capacity:
            bins.add(f"choice.{place}.last")
        if bits > 1 and 1 << below < layout.shape.capacity:
            bins.add(f"choice.{place}.middle")
        below += bits
    bins |= {"answer.first_slot", "answer.last_slot", "priority.zero_to_some", "priority.some_to_zero"}
    bins |= {"priority.up", "priority.down", "priority.same", "priority.most", "largest.raised"}
    bins |= {"tree.one_leaf", "tree.all_most", "size.none", "size.some", "size.one_left", "size.full", "size.overwrite"}
    bins |= {"commit.reserved", "reserve.reserved_slot", "sample.while_reserved"}
    # A tree of two leaves is empty, full, or one short of it; in one of a single leaf nothing has a neighbour.
    if layout.shape.capacity < 3:
        bins.discard("size.some")
    if layout.shape.capacity < 2:
        bins -= {"answer.low_edge", "answer.high_edge", "size.one_left", "size.overwrite"} | {f"word.{d}" for d in NEAR}
    if tagged:
        bins.add("commit.overwritten")
    bins |= {"strata.one", "strata.some", "strata.wrap", "strata.most"}
    bins |= {"draws.restart", "draws.seed", "draws.seed_zero"}
    bins |= {"draws.restart_inside", "draws.restart_with_draw", "draws.seed_with_draw", "draws.both"}
    bins |= {f"stall.{port}" for port in ("s_op", "s_sample", "m_op", "m_sample")}
    bins |= {"held.s_op", "held.s_sample", "full_speed", "reset.traffic", "reset.clearing", "operations", "samples"}
    return bins


class Sampler:
    """Looks at each operation and sample as the model takes it, and counts bins."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.coverage = COVERAGE
        COVERAGE.want(goal(layout))
        self.reset()

    def hit(self, name: str, times: int = 1) -> None:
        self.coverage.hit(name, times)

    def reset(self) -> None:
        """Forget what went before."""
        self._writes: dict[str, dict[int, int]] = {"leaf": {}, "word": {}, "parent": {}}  # node -> clock
        self._op: tuple[int, dict, OperationAnswer] | None = None  # the last one, with its clock
        self._sampled = -1  # clock of the last sample
        self._reserved: dict[int, int] = {}  # slot -> tag
        self._before_clear: deque[tuple[int, int]] = deque(maxlen=8)  # slot, tag
        self._given: deque[tuple[int, int]] = deque(maxlen=8)
        self._last_tag: dict[int, int] = {}
        self._drawn = -1  # clock of the last internal draw
        self._largest = 0  # before the operation at hand

    def operation(self, clock: int, f: dict[str, int], model: SumTreeModel) -> None:
        """An operation is about to be done."""
        kind = f["kind"]
        self._largest = model.largest
        if kind == CLEAR:
            self.hit("clear.traffic", model.total > 0 and self._op is not None and clock - self._op[0] < 4)
            self.hit("clear.behind_sample", clock - self._sampled == 1)
            self.hit("clear.capacity_zero", model.cfg_capacity == 0)
            self.hit("clear.capacity_one", model.cfg_capacity == 1)
            self.hit("clear.capacity_high", model.cfg_capacity > self.layout.shape.capacity)
            self.hit("clear.capacity_odd", model.cfg_capacity % 2 and model.cfg_capacity > 1)
            self.hit("clear.initial_zero", model.cfg_initial == 0)
            self.hit("clear.initial_most", model.cfg_initial == self.layout.most)

    def operation_done(self, clock: int, f: dict[str, int], answer: OperationAnswer, model: SumTreeModel) -> None:
        """An operation was done, with this answer."""
        kind, name = f["kind"], OPERATIONS[f["kind"]]
        self.hit("operations")
        self.hit(f"op.{name}.{OP_STATUS[answer.status]}")
        self.hit(f"op.{name}.beyond", f["beyond"])
        if kind == READ:
            self.hit("op.read.check", f["check"] and f["generation"] != answer.generation)
            self._near("read", clock, self._writes["leaf"].get(answer.index), answer.status == OK)
        if kind in (UPDATE, COMMIT) and self.layout.tag_mask:
            self._tags(f, answer)
        if answer.status == OK and kind in (UPDATE, COMMIT, INSERT, RESERVE):
            self._written(clock, f, answer, model)
        if kind == CLEAR:
            self._before_clear.extend(self._given)
            self._given.clear()
            self._last_tag.clear()
            self._reserved.clear()
            for places in self._writes.values():
                places.clear()
        self._op = clock, f, answer

    def _tags(self, f: dict[str, int], answer: OperationAnswer) -> None:
        mask, asked, present = self.layout.tag_mask, f["generation"], answer.generation
        if f["kind"] == UPDATE and not f["check"]:
            self.hit("tag.unchecked", answer.status == OK and asked != present)
        elif answer.status == STALE:
            self.hit("tag.behind_one", (asked + 1) & mask == present)
            self.hit("tag.ahead_one", (present + 1) & mask == asked)
            self.hit("tag.across_wrap", asked == mask and present == 0)
            self.hit("tag.from_before_clear", (answer.index, asked) in self._before_clear)
            self.hit("commit.overwritten", f["kind"] == COMMIT and self._reserved.get(answer.index) == asked)
        elif answer.status == OK:
            self.hit("tag.fresh_checked")
            self.hit("tag.fresh_after_wrap", present < self._last_tag.get(answer.index, 0))

    def _written(self, clock: int, f: dict[str, int], answer: OperationAnswer, model: SumTreeModel) -> None:
        kind, index, layout = f["kind"], answer.index, self.layout
        before, after = answer.priority, int(model.priorities[index])
        self.hit(f"op.{OPERATIONS[kind]}.max", f["max"] and kind != RESERVE)
        nodes = {"leaf": index, "word": index >> layout.word_log2, "parent": index >> layout.parent_log2}
        # A leaf that was just written counts for its own bin; another one of the same word for the word's.
        seen = {place: self._writes[place].get(node) for place, node in nodes.items()}
        self._near("leaf", clock, seen["leaf"])
        self._near("word", clock, seen["word"], seen["word"] != seen["leaf"])
        self._near("parent", clock, seen["parent"], seen["parent"] != seen["word"])
        for place, node in nodes.items():
            self._writes[place][node] = clock
        self.hit("priority.zero_to_some", before == 0 < after)
        self.hit("priority.some_to_zero", after == 0 < before)
        self.hit("priority.up", 0 < before < after)
        self.hit("priority.down", 0 < after < before)
        self.hit("priority.same", before == after > 0)
        self.hit("priority.most", after == layout.most)
        self.hit("largest.raised", model.largest > self._largest)
        self.hit("tree.all_most", model.total == model.capacity * layout.most)
        self.hit("tree.one_leaf", model.total == after > 0)
        if kind in (INSERT, RESERVE):
            self._given.append((index, answer.generation))
            self._last_tag[index] = max(self._last_tag.get(index, 0), answer.generation)
            self.hit("size.some", 0 < model.size < model.capacity - 1)
            self.hit("size.one_left", model.size == model.capacity - 1)
            self.hit("size.full", model.full and model.next == 0)
            self.hit("size.overwrite", model.full and index == 0 and model.capacity > 1 and model.next == 1)
            self.hit("reserve.reserved_slot", kind == RESERVE and index in self._reserved)
        if kind == RESERVE:
            self._reserved[index] = answer.generation
        if kind == COMMIT:
            self.hit("commit.reserved", self._reserved.pop(index, None) is not None)

    def _near(self, name: str, clock: int, before: int | None, counts: bool = True) -> None:
        if before is not None and counts and clock - before in NEAR:
            self.hit(f"{name}.{clock - before}")

    def sample(self, clock: int, kind: int, value: int, answer: SampleAnswer, model: SumTreeModel) -> None:
        """A sample was done, with this answer."""
        shape = self.layout.shape
        self.hit("samples")
        self.hit(f"sample.{SAMPLES[kind]}.{SAMPLE_STATUS[answer.status]}")
        target = value & ((1 << shape.total_width) - 1)
        draw = value & ((1 << shape.draw_width) - 1)
        if kind in (TARGET, SOFT) and answer.status != EMPTY:
            self.hit("target.zero", target == 0)
            self.hit("target.last", target == answer.total - 1)
            self.hit("target.total", target == answer.total)
            self.hit("target.ones", target == (1 << shape.total_width) - 1)
        if kind == GIVEN and answer.status == OK:
            self.hit("given.zero", draw == 0)
            self.hit("given.ones", draw == (1 << shape.draw_width) - 1)
        used = shape.draw_width if kind == GIVEN else shape.total_width
        self.hit("value.junk_above", kind in (GIVEN, TARGET) and value >> used)
        if kind == SOFT and answer.status == OK:
            self.hit("soft.by_target" if target < answer.total else "soft.by_draw")
        if kind in (DRAW, SOFT):
            self._drawn = clock
            self.hit("strata.wrap", model.draws.strata > 1 and model.draws.stratum == 0)
        if self._op is not None and self._op[0] == clock:
            self._together(answer)
        self.hit("size.none", model.size == 0 and answer.status == EMPTY)
        self.hit("sample.while_reserved", answer.status == OK and bool(self._reserved))
        if answer.status == OK:
            self._found(clock, kind, target, answer, model)
        self._sampled = clock

    def _together(self, answer: SampleAnswer) -> None:
        _, f, done = self._op
        self.hit("together")
        self.hit("together.refused", done.status != OK)
        self.hit("together.leaf", f["kind"] in (UPDATE, COMMIT, INSERT) and _same(done, answer))
        self.hit("clear.with_sample", f["kind"] == CLEAR and answer.status == EMPTY)

    def _found(self, clock: int, kind: int, target: int, answer: SampleAnswer, model: SumTreeModel) -> None:
        index = answer.index
        self._near("sampled", clock, self._writes["leaf"].get(index))
        self.hit("answer.first_slot", index == 0)
        self.hit("answer.last_slot", index == self.layout.shape.capacity - 1)
        if kind == TARGET:
            before = int(model.priorities[:index].sum())
            self.hit("answer.low_edge", target == before > 0)
            self.hit("answer.high_edge", target == before + answer.priority - 1 < answer.total - 1)
        for place, bits in enumerate(reversed(self.layout.levels)):
            choice = index & ((1 << bits) - 1)
            index >>= bits
            where = "first" if choice == 0 else "last" if choice == (1 << bits) - 1 else "middle"
            self.hit(f"choice.{place}.{where}")

    def config(self, item, draws: Draws) -> None:
        """A restart or a seed is about to count."""
        strata = max(item.levels["strata"], 1)
        self.hit("strata.one", strata == 1)
        self.hit("strata.some", 1 < strata < 65535)
        self.hit("strata.most", strata == 65535)
        self.hit("draws.both", len(item.pulses) == 2)
        name = "seed" if "seed_valid" in item.pulses else "restart"
        self.hit(f"draws.{name}")
        self.hit("draws.seed_zero", name == "seed" and item.levels["seed"] == 0)
        self.hit("draws.restart_inside", draws.stratum > 0)
        self.hit(f"draws.{name}_with_draw", self._drawn == item.clock)


def _same(done: OperationAnswer, answer: SampleAnswer) -> bool:
    return done.status == OK and answer.status == OK and done.index == answer.index
