"""The native sum tree core against the reference, answer by answer, both ports busy; and broken cores that are seen.

The clocks are driven in C++ (rlcores_lab.bench.sumtree_drive), so that a million operations take about a second.
"""

import ctypes
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from rlcores.cores.sumtree import model as sumtree
from rlcores.errors import RunFailed
from rlcores_lab.bench.drive import NUMBER, POINTER
from rlcores_lab.bench.sumtree_drive import TRAFFICS, VALUES, Plan, Result, SumTreeDrive

MILLION = 1_000_000
SLOW = pytest.mark.slow
# Radix -> a small tree of it, with a capacity that is no power of two.
RADIXES = {
    2: {"RADIX_LOG2": 1, "LEAVES_LOG2": 6, "CAPACITY": 61},
    4: {"RADIX_LOG2": 2, "LEAVES_LOG2": 8, "CAPACITY": 250},
    8: {"RADIX_LOG2": 3, "LEAVES_LOG2": 9, "CAPACITY": 511},
    16: {"RADIX_LOG2": 4, "LEAVES_LOG2": 12, "CAPACITY": 4001},
    64: {"RADIX_LOG2": 6, "LEAVES_LOG2": 8, "CAPACITY": 200},
}
# Whatever else changes a pipeline.
SHAPES = {
    "one level": {"RADIX_LOG2": 4, "LEAVES_LOG2": 4, "CAPACITY": 13},
    "two leaves": {"RADIX_LOG2": 1, "LEAVES_LOG2": 1, "CAPACITY": 2},
    "one slot": {"RADIX_LOG2": 2, "LEAVES_LOG2": 6, "CAPACITY": 1},
    "mixed radix": {"RADIX_LOG2": 213, "LEAVES_LOG2": 10, "CAPACITY": 1000},
    "no tags": {"RADIX_LOG2": 3, "LEAVES_LOG2": 6, "CAPACITY": 50, "GENERATION_WIDTH": 0},
    "short tags": {"RADIX_LOG2": 3, "LEAVES_LOG2": 6, "CAPACITY": 50, "GENERATION_WIDTH": 1},
    "one bit": {"RADIX_LOG2": 3, "LEAVES_LOG2": 6, "CAPACITY": 60, "PRIORITY_WIDTH": 1, "DRAW_WIDTH": 1},
    "wide": {"RADIX_LOG2": 4, "LEAVES_LOG2": 8, "CAPACITY": 256, "PRIORITY_WIDTH": 32, "GENERATION_WIDTH": 16},
    "short reads": {
        "RADIX_LOG2": 3, "LEAVES_LOG2": 8, "CAPACITY": 255, "HEAD_LATENCY": 1, "NARROW_LATENCY": 1, "WIDE_LATENCY": 1,
    },
    "long reads": {
        "RADIX_LOG2": 3, "LEAVES_LOG2": 8, "CAPACITY": 255, "HEAD_LATENCY": 5, "NARROW_LATENCY": 5, "WIDE_LATENCY": 5,
    },
    "uneven reads": {
        "RADIX_LOG2": 2, "LEAVES_LOG2": 8, "CAPACITY": 255, "HEAD_LATENCY": 4, "NARROW_LATENCY": 315,
        "WIDE_LATENCY": 1423, "ADDS": 1,
    },
    "bypass": {"RADIX_LOG2": 3, "LEAVES_LOG2": 8, "CAPACITY": 255, "BYPASS": 1},
    "shared bypass": {"RADIX_LOG2": 3, "LEAVES_LOG2": 8, "CAPACITY": 255, "BYPASS": 1, "SHARED": 1},
    "shared, long reads": {
        "RADIX_LOG2": 3, "LEAVES_LOG2": 8, "CAPACITY": 255, "NARROW_LATENCY": 4, "WIDE_LATENCY": 5, "SHARED": 1,
    },
}  # fmt: skip
SMALL = {"RADIX_LOG2": 2, "LEAVES_LOG2": 6, "CAPACITY": 61}


def busy(drive: SumTreeDrive, traffic: str, seed: int, operations: int = MILLION) -> Result:
    """All kinds on both ports in every clock: at least `operations` operations, and about as many samples."""
    number = TRAFFICS.index(traffic)
    plan = Plan(
        seed + number, 2 * operations, traffic, VALUES[number % len(VALUES)], strata=7, fill=30,
        every_kind=True, clears=operations // 20, restarts=operations // 20, sweep=True,
    )  # fmt: skip
    result = drive.run(plan)
    # Which port has more is a matter of turns when the leaves are shared.
    assert min(result.operations, result.samples) >= operations * 0.98
    assert max(result.operations, result.samples) >= operations
    assert result.total == result.leaves
    return result


# In `make test` one radix with separate and another one with shared leaves; `make regress` takes them all.
CORES = [
    pytest.param((radix, shared), id=f"K{radix}-{'shared' if shared else 'separate'}", marks=SLOW if slow else [])
    for radix in RADIXES
    for shared, slow in ((0, radix != 2), (1, radix != 4))
]


@pytest.fixture(scope="module", params=CORES)
def drive(request: pytest.FixtureRequest) -> Iterator[SumTreeDrive]:
    """The core of each radix, with separate and with shared leaves."""
    radix, shared = request.param
    with SumTreeDrive({**RADIXES[radix], "SHARED": shared}) as driver:
        yield driver


def test_every_answer_of_a_million_operations_is_exact_with_both_ports_busy(drive, seed):
    for traffic in TRAFFICS:
        result = busy(drive, traffic, seed, MILLION // 5)
        assert result.clears >= 3 and result.restarts >= 5
        for seen in (result.stale, result.range, result.kind, result.miss):
            assert seen > 1000
        # With shared leaves an update and a sample of one clock are rare.
        assert result.ordered > (0 if drive.parameters["SHARED"] else 10_000)


@SLOW
@pytest.mark.parametrize("traffic", TRAFFICS)
def test_every_answer_of_a_million_operations_of_every_traffic_is_exact(drive, traffic, seed):
    busy(drive, traffic, seed)


@pytest.mark.parametrize("traffic", TRAFFICS)
def test_an_update_and_a_sample_are_taken_in_every_clock_whatever_their_slots(drive, traffic, seed):
    slots = drive.parameters["CAPACITY"]
    result = drive.run(Plan(seed, 100_000, traffic, fill=slots, strata=256, sweep=True))
    assert result.total == result.leaves > 0
    if drive.parameters["SHARED"]:
        assert result.operations_per_clock > 0.499 and result.samples_per_clock > 0.499
    else:
        assert (result.clocks, result.operations, result.samples) == (50_000, 50_000, 50_000)
        assert result.ordered > 40_000, "samples must see the update of their own clock"
        assert result.sample_least == result.sample_most
    assert result.sample_most <= 40 and result.operation_most <= 40


# Chances in 256 that an operation, a sample is not offered, and that an operation's, a sample's answer is not taken.
PAUSES = ((60, 60, 60, 60), (0, 0, 200, 0), (0, 0, 0, 230), (200, 0, 0, 0), (0, 220, 100, 100))


def test_nothing_is_lost_or_changed_while_answers_wait_and_offers_pause(drive, seed):
    for number, (traffic, pauses) in enumerate(zip(TRAFFICS, PAUSES, strict=True)):
        plan = Plan(
            seed + number, 60_000, traffic, "mixed", capacity=37, strata=5, every_kind=True, clears=800, restarts=2000,
            sweep=True, **dict(zip(("op_gap", "sample_gap", "op_wait", "sample_wait"), pauses, strict=True)),
        )  # fmt: skip
        result = drive.run(plan)
        assert result.operations > 5000 and result.samples > 5000 and result.operations + result.samples >= 60_000
        assert result.total == result.leaves and result.empty > 0


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@SLOW
def test_every_answer_is_exact_in_every_shape_of_the_pipeline(shape, seed):
    with SumTreeDrive(shape) as drive:
        for traffic in TRAFFICS:
            busy(drive, traffic, seed)


@SLOW
def test_the_total_is_the_sum_of_the_leaves_after_a_hundred_million_operations(seed):
    with SumTreeDrive({"LEAVES_LOG2": 8, "RADIX_LOG2": 4, "CAPACITY": 251}) as drive:
        operations = samples = 0
        for number in range(20):
            traffic, values = TRAFFICS[number % 5], VALUES[number % 4]
            result = drive.run(
                Plan(seed + number, 2 * 5 * MILLION, traffic, values, reset=number == 0, fill=251, sweep=True)
            )
            assert result.total == result.leaves
            operations, samples = operations + result.operations, samples + result.samples
        assert operations >= 100 * MILLION and samples >= 99 * MILLION


_ITEM = (
    "port", "kind", "check", "max", "beyond", "index", "generation", "priority", "value",
    "status", "answer_index", "answer_generation", "answer_priority", "total",
)  # fmt: skip


class Tracing(SumTreeDrive):
    """The driver with its items, and with the core's generator."""

    def __init__(self, parameters: dict[str, int]) -> None:
        super().__init__(parameters)
        self._declare(trace=(None, POINTER, NUMBER), traced=(NUMBER,), state=(ctypes.c_uint32, ctypes.c_uint))

    @property
    def state(self) -> tuple[int, ...]:
        """What the last reset loaded into the core's generator, s0 to s3."""
        return tuple(self._call("state", word) for word in range(4))

    def trace(self, plan: Plan) -> np.ndarray:
        """Carry out a plan and give back its items with the core's answers, in order of acceptance."""
        room = plan.items + plan.fill + 2
        items = np.zeros(room, [(name, np.uint64) for name in _ITEM])
        self._call("trace", items.ctypes.data, room)
        try:
            self.run(plan)
            return items[: self._call("traced")]
        finally:
            self._call("trace", None, 0)


def test_the_reference_of_the_driver_and_the_integer_model_agree(seed):
    parameters = {"RADIX_LOG2": 2, "LEAVES_LOG2": 6, "CAPACITY": 61, "GENERATION_WIDTH": 3}
    plan = Plan(
        seed, 20_000, "uniform", "mixed", capacity=50, initial=9, strata=7, every_kind=True, clears=300, op_gap=60,
        sample_gap=60, sample_wait=30,
    )  # fmt: skip
    with Tracing(parameters) as drive:
        items = drive.trace(plan)
        state = drive.state
    model = sumtree.SumTreeModel(sumtree.SumTreeShape.of(parameters), capacity=50, initial=9, strata=7)
    model.draws.load(state, 7)
    seen = np.zeros((2, 8), int)
    names = items.dtype.names
    for item in items.tolist():
        x = dict(zip(names, item, strict=True))
        seen[x["port"], x["kind"]] += 1
        if x["port"] == 1:
            answer = tuple(model.sample(x["kind"], x["value"]))
            observed = (x["status"], x["answer_index"], x["answer_priority"], x["total"], x["answer_generation"])
        else:
            if x["kind"] == sumtree.CLEAR:
                model.cfg_capacity, model.cfg_initial = x["value"], x["priority"]
            index = x["index"] + 64 * x["beyond"]
            answer = model.operation(x["kind"], index, x["priority"], x["generation"], bool(x["check"]), bool(x["max"]))
            observed = (x["kind"], x["status"], x["answer_index"], x["answer_generation"], x["answer_priority"])
            answer = (*answer[:2], answer[2] % 64, *answer[3:])
        assert observed == answer, x
    assert (seen[0] > 0).all() and (seen[1, :4] > 0).all()


TREE, PICK, SUMS, RING, SLOTS, DRAW, TOP = (
    f"rlc_sumtree{name}" for name in ("_tree", "_pick", "_sums", "_ring", "_slots", "_draw", "")
)
_WRITE = ".wr_en(wr_lane[LANES-1:0]), .wr_index(wr_node[NODES-1 -: WORD_WIDTH]), .wr_data({LANES{wr_value}}),"
_LATE = """reg [CHILDREN-1:0] lane_l; reg [NODES-1:0] node_l; reg [WIDTH-1:0] value_l;
    always @(posedge clk) begin lane_l <= wr_lane; node_l <= wr_node; value_l <= wr_value; end"""


def _late(place: int) -> tuple:
    """The words of one level are written a clock later."""
    chosen = [f"(p == {place} ? {late} : {now})" for late, now in (("lane_l", "wr_lane"), ("node_l", "wr_node"))]
    value = f"(p == {place} ? value_l : wr_value)"
    write = f".wr_en({chosen[0]}), .wr_index({chosen[1]} >> BITS), .wr_data({{LANES{{{value}}}}}),"
    return ((TREE, "// Samples: the word, then the choice in it.", _LATE), (TREE, _WRITE, write))


# A few words of the core, and what a copy of it says instead: each must be seen within a second of traffic.
BROKEN = {
    "leaves are written a clock late": _late(0),
    "a sample sees the next clock's operation": (
        (TOP, "reg                      sample_q;", "reg sample_q; reg sample_p;"),
        (TOP, "sample_q        <= sample_accept && !rst;", "sample_p <= sample_accept && !rst; sample_q <= sample_p;"),
        (TOP, ".CLOCKS(TREE_CLOCK)) u_sample", ".CLOCKS(TREE_CLOCK+1)) u_sample"),
    ),
    "a tie goes to the slot before": ((PICK, "!difference[SIZE+1];", "!difference[SIZE+1] && difference != 0;"),),
    "a sum forgets the change before": ((SUMS, "again_q ? sum_q : base_q", "base_q"),),
}
MORE_BROKEN = {
    "inner nodes are written a clock late": _late(1),
    "the root's children are written a clock late": _late(2),
    "a sum forgets the changes on the way": ((SUMS, "if (same[k])", "if (same[k] && 1'b0)"),),
    "a sum takes the oldest change on the way": (
        (SUMS, "for (k = WRITE; k >= 2; k = k - 1)", "for (k = 2; k <= WRITE; k = k + 1)"),
    ),
    "a clear leaves the sums": ((SUMS, "if (sweep_q[READ_LATENCY+1])", "if (1'b0)"),),
    "tags of before a clear are valid again": (
        (RING, "lap   <= lap + LAPS[GENERATION_WIDTH-1:0];", "lap <= lap + 1'b1;"),
        (RING, "ahead <= ahead + LAPS[GENERATION_WIDTH-1:0];", "ahead <= ahead + 1'b1;"),
    ),
    "the next slot's tag is one too new": ((RING, "(index < next)", "(index <= next)"),),
    "the slot at the capacity is updated": ((SLOTS, "{1'b0, op_index} >= capacity", "{1'b0, op_index} > capacity"),),
    "the largest priority is the smallest": ((SLOTS, "priority_s1 > largest", "priority_s1 < largest"),),
    "a reserved slot can be sampled": ((SLOTS, "!gives_s1 ?", "!gives_s1 && kind_s1 != OP_RESERVE ?"),),
    "a batch has one stratum too many": ((DRAW, "<= wrapped[16] ?", "<= (wrapped[16] || wrapped == 0) ?"),),
    "an answer is lost when answers wait": ((TOP, ".PLACES(SAMPLE_DEPTH)", ".PLACES(SAMPLE_DEPTH+20)"),),
    "shared leaves forget what is on the way": ((TREE, "hit ? recent : stored_q", "stored_q"),),
}  # fmt: skip


@SLOW
@pytest.mark.parametrize("name", [*BROKEN, *MORE_BROKEN])
def test_a_core_with_a_wrong_line_is_seen(name, break_line, seed):
    shape = {**SMALL, "SHARED": int(name.startswith("shared"))}
    for file, right, wrong in (BROKEN | MORE_BROKEN)[name]:
        break_line(f"rtl/sumtree/{file}.*v", right, wrong)
    with SumTreeDrive(shape) as drive:
        plan = Plan(seed, 100_000, "uniform", "mixed", every_kind=True, fill=60, strata=7, clears=2000, restarts=1000)
        first = drive.run(plan, check=False)
        if not first.wrong:
            plan = replace(plan, sample_wait=200, op_gap=30)
        with pytest.raises(RunFailed, match="the sum tree core is wrong"):
            drive.run(plan)


def test_each_line_to_break_is_there(file_with):
    for changes in (BROKEN | MORE_BROKEN).values():
        for file, right, _ in changes:
            file_with(f"rtl/sumtree/{file}.*v", right)
