"""The integer model against the same loop written out by hand: one tree operation, one draw, one batch at a time."""

import numpy as np
import pytest
from replay_cases import CORES, experiences, formats, model, planes_of, start, td_frac

from rlcores.cores.common.draws import Xoshiro128pp
from rlcores.cores.learner.model_driver import LearnerModelDriver
from rlcores.cores.learner.records import Records
from rlcores.cores.learner.shape import LearnerShape
from rlcores.cores.replay_learner.records import LARGEST, RecordLayout, initial
from rlcores.cores.sumtree.model import COMMIT, OK, RESERVE, UPDATE
from rlcores.cores.sumtree.model_driver import SumTreeModelDriver


class ByHand:
    """Prioritised replay in plain steps: a tree, a learner, a list of records."""

    def __init__(self, driver, chosen, maths: dict[str, int]) -> None:
        self.shape, self.batch, self.ahead = driver.learner.shape, chosen.batch, maths["ahead"]
        self.tree = SumTreeModelDriver(driver.tree_shape)
        self.tree.configure(
            capacity=maths["capacity"],
            initial=driver.tree.model.cfg_initial,
            **vars(driver.tree.registers) | {"batch": chosen.batch, "weights": True},
        )
        self.tree.clear()
        self.tree.load_draws(driver.tree.model.draws.generator.state)
        self.learner = LearnerModelDriver(self.shape)
        self.learner.configure(formats(self.shape), chosen)
        for actor in (False, True)[: 2 if self.shape.actor else 1]:
            for plane in range(4):
                if plane < 2 or self.shape.optimiser:
                    network = self.learner.model.actor if actor else self.learner.model.network
                    other = driver.learner.model.actor if actor else driver.learner.model.network
                    network.set_matrices(other.matrices(plane), plane)
        self.records: dict[int, tuple] = {}

    def _operation(self, kind, index=0, priority=0, generation=0, check=False, use_max=False, td=False):
        arguments = (kind, index, priority, generation, check, use_max, td)
        answer = self.tree.operations(*(np.array([x]) for x in arguments))[0]
        assert answer["status"] == OK
        return answer

    def _error(self, code: int) -> int:
        return min(code << (20 - td_frac(self.shape)), 2**31 - 1)

    def insert(self, records: Records, first: np.ndarray) -> None:
        for i in range(len(records)):
            slot = self._operation(RESERVE)
            parts = (records.states, records.actions, records.rewards, records.next_states, records.terminated)
            self.records[int(slot["index"])] = tuple(x[i] for x in parts)
            largest = first[i] == LARGEST
            value = 0 if largest else self._error(int(first[i]))
            self._operation(COMMIT, slot["index"], value, slot["generation"], use_max=largest, td=not largest)

    def train(self, steps: int) -> None:
        order = [("S", k) for k in range(min(self.ahead + 1, steps))]
        for k in range(steps):
            order.append(("U", k))
            if k + self.ahead + 1 < steps:
                order.append(("S", k + self.ahead + 1))
        samples = {}
        for what, k in order:
            if what == "S":
                samples[k] = self.tree.draw(self.batch)
            else:
                self._step(samples[k])

    def _step(self, drawn: np.ndarray) -> None:
        chosen = [self.records[int(i)] for i in drawn["index"]]
        states, actions, rewards, next_states, terminated = (np.array(x) for x in zip(*chosen, strict=True))
        factors = np.array([(int(w) + 2**13) // 2**14 for w in drawn["weight"]])
        errors = self.learner.step(Records(states, actions, rewards, next_states, terminated, factors)).tolist()
        for answer, action in zip(drawn, actions, strict=True):
            if self.shape.actor or action < self.shape.value.sizes[-1]:
                error = self._error(errors.pop(0))
                self._operation(UPDATE, answer["index"], error, answer["generation"], check=True, td=True)


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("ahead", [0, 1, 3])
def test_the_model_is_the_loop_written_by_hand_for_any_d(core, ahead, seed):
    rng = np.random.default_rng([seed, ahead])
    driver = model(core)
    slots = int(rng.integers(10, driver.tree_shape.capacity + 1))
    batch = int(rng.integers(1, driver.learner.shape.batch_max + 1))
    chosen = start(rng, driver, batch=batch, capacity=slots, ahead=ahead)
    hand = ByHand(driver, chosen, {"capacity": slots, "ahead": ahead})
    added = trained = 0
    for _ in range(8):
        records, first = experiences(rng, driver.learner.shape, int(rng.integers(1, slots)))
        driver.insert(driver.layout.pack(records, first))
        hand.insert(records, first)
        steps = int(rng.integers(0, 8))
        driver.train(steps)
        hand.train(steps)
        added, trained = added + len(records), trained + steps
        assert driver.priorities(slots).tolist() == hand.tree.model.priorities[:slots].tolist()
        assert driver.largest == hand.tree.largest and driver.size == hand.tree.size
        assert planes_of(driver) == planes_of(_Only(hand.learner))
        assert driver.learner.counters().tolist() == hand.learner.counters().tolist()
    counted = driver.counters()
    assert counted == {
        "batches": trained,
        "sampled": trained * batch,
        "reserved": added,
        "committed": added,
        "stale_commits": 0,
        "stale_updates": 0,
        "voids": 0,
        "read_errors": 0,
        "write_errors": 0,
        "dropped": 0,
    }
    assert added > slots or driver.size == added


class _Only:
    def __init__(self, learner) -> None:
        self.learner = learner


def test_d_changes_what_is_sampled_and_nothing_else(seed):
    """Otherwise the test above would pass with D ignored on both sides."""
    outcomes = []
    for ahead in (0, 0, 3):
        rng = np.random.default_rng(seed)
        driver = model("split")
        start(rng, driver, batch=6, capacity=40, ahead=ahead)
        driver.insert(driver.layout.pack(*experiences(rng, driver.learner.shape, 40)))
        driver.train(20)
        outcomes.append((planes_of(driver), driver.counters()))
    assert outcomes[0] == outcomes[1] and outcomes[0][0] != outcomes[2][0] and outcomes[0][1] == outcomes[2][1]


@pytest.mark.parametrize("core", CORES)
def test_a_record_that_cannot_be_read_trains_nothing_and_keeps_its_priority(core, seed):
    rng = np.random.default_rng(seed)
    driver = model(core)
    shape, layout = driver.learner.shape, driver.layout
    start(rng, driver, batch=8, capacity=16, ahead=0, sync_interval=0)
    records, first = experiences(rng, shape, 16)
    rows = layout.pack(records, first)
    driver.insert(rows)
    lost = {int(i) for i in rng.choice(16, 5, replace=False)}
    before = driver.priorities(16)
    driver.train(6, unreadable=lost)
    after, counted = driver.priorities(16), driver.counters()
    assert all(before[i] == after[i] for i in lost) and (before != after).any()
    assert counted["voids"] == counted["read_errors"] > 0 and counted["sampled"] == 48
    # What such a record holds plays no part.
    weights = planes_of(driver)
    driver.memory[sorted(lost)] = rng.integers(0, 2**32, (len(lost), layout.elements), dtype=np.uint32)
    before = planes_of(driver)
    driver.train(1, unreadable=range(16))
    if shape.optimiser == 0:  # SGD: no gradient, no change
        assert planes_of(driver)[0] == before[0] == weights[0]
    assert driver.priorities(16).tolist() == after.tolist()


def test_the_content_of_an_unreadable_record_does_not_reach_the_weights(seed):
    planes = []
    for other in (0, 1):
        rng = np.random.default_rng(seed)
        driver = model("ddpg_tiny")
        start(rng, driver, batch=8, capacity=16, ahead=1)
        driver.insert(driver.layout.pack(*experiences(rng, driver.learner.shape, 16)))
        if other:
            driver.memory[3:7] ^= np.uint32(0x5A5A)
        driver.train(10, unreadable=range(3, 7))
        planes.append(planes_of(driver))
    assert planes[0] == planes[1]


def test_a_refused_write_leaves_a_slot_that_is_never_sampled(seed):
    rng = np.random.default_rng(seed)
    driver = model("tiny")
    start(rng, driver, batch=4, capacity=20, ahead=1)
    driver.insert(driver.layout.pack(*experiences(rng, driver.learner.shape, 20)))
    old = driver.records(20)
    rows = driver.layout.pack(*experiences(rng, driver.learner.shape, 10))
    failed = rng.random(10) < 0.5
    failed[0], failed[1] = True, False
    driver.insert(rows, failed)
    assert (driver.records(10)[failed] == old[:10][failed]).all() and (
        driver.records(10)[~failed] == rows[~failed]
    ).all()
    driver.train(30)
    assert (driver.priorities(10)[failed] == 0).all() and (driver.priorities(10)[~failed] > 0).all()
    counted = driver.counters()
    assert counted["reserved"] == 30 == counted["committed"] + counted["write_errors"]
    assert driver.filled == counted["committed"] == 30 - failed.sum()


def test_an_empty_tree_trains_nothing_and_says_so(seed):
    rng = np.random.default_rng(seed)
    driver = model("tiny")
    start(rng, driver, batch=4, capacity=8, ahead=0)
    before = planes_of(driver)[0]
    driver.train(3)
    assert planes_of(driver)[0] == before and driver.counters()["voids"] == 12 and driver.learner.steps == 3


@pytest.mark.parametrize("width", [32, 64, 128, 256, 1024])
@pytest.mark.parametrize(
    ("lanes", "states", "actor"), [(1, 3, 0), (2, 2, 0), (3, 4, 2), (4, 4, 0), (5, 7, 3), (8, 8, 0), (16, 40, 0)]
)
def test_records_lie_in_memory_as_their_words_say(width, lanes, states, actor, seed):
    rng = np.random.default_rng(seed)
    parameters = {**CORES["tiny"], "SIZES": f"{states}-4-2", "LANES": f"{lanes}-2-2", "UPDATE_COLS": "1-1"}
    if actor:
        words = -(-states // lanes)
        parameters |= {"SIZES": f"{lanes * words + actor}-4-1:{states}-2-{actor}"}
        parameters |= {"LANES": f"{lanes}-2-1:{lanes}-2-{lanes}", "UPDATE_ROWS": "2-1:1-1"}
        parameters |= dict.fromkeys(("FORWARD", "BACKWARD", "UPDATE_COLS"), "1-1:1-1")
    layout = RecordLayout(LearnerShape.of(parameters), width)
    records, first = experiences(rng, layout.shape, 5)
    rows = layout.pack(records, first)
    # One long number a record, word by word.
    for row, data in zip(rows, layout.to_memory(rows), strict=True):
        words = [sum(int(x) << 32 * i for i, x in enumerate(row[k : k + lanes])) for k in range(0, len(row), lanes)]
        beats: list[int] = []
        if width >= 32 * lanes:
            ratio = width // (32 * lanes)
            for k in range(0, len(words), ratio):
                beats.append(sum(word << 32 * lanes * i for i, word in enumerate(words[k : k + ratio])))
        else:
            for word in words:
                beats += [word >> width * i & (1 << width) - 1 for i in range(-(-32 * lanes // width))]
        assert data.tobytes() == b"".join(beat.to_bytes(width // 8, "little") for beat in beats)
        assert len(beats) == layout.beats and layout.stride // 2 < len(beats) * width // 8 <= layout.stride
    assert (layout.from_memory(layout.to_memory(rows)) == rows).all()
    back = layout.unpack(rows, np.zeros(5, np.int64))
    for name in ("states", "actions", "rewards", "next_states", "terminated"):
        assert (getattr(back, name) == getattr(records, name)).all(), name
    assert (layout.first(rows) == first).all()


def test_a_record_beyond_a_burst_is_refused():
    shape = LearnerShape.of({**CORES["tiny"], "SIZES": "500-4-2", "LANES": "1-2-2", "UPDATE_COLS": "1-1"})
    with pytest.raises(ValueError, match="a record takes 1003 beats and 4096 bytes; it may take 256 and 4096"):
        RecordLayout(shape, 32)
    with pytest.raises(ValueError, match="DATA_WIDTH is 96"):
        RecordLayout(shape, 96)


def test_initial_priorities_are_rounded_and_saturated():
    assert initial(np.array([0, 0.5, -0.5, 2**-17, 1e9]), 16).tolist() == [0, 2**15, 2**15, 1, 2**31 - 1]


@pytest.mark.parametrize("count", [0, 1, 255, 256, 1000, 4097])
def test_skipped_draws_are_those_that_would_have_come(count, seed):
    one, other = (Xoshiro128pp([seed, 2, 3, 4]) for _ in range(2))
    one.take(count)
    other.skip(count)
    assert one.state == other.state
