"""rlc_replay_updater: every |TD error| to the slot of its record, whatever records have none; batch after batch."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from replay_bench import Bench

INDEX, TAG = 12, 8  # the defaults of INDEX_WIDTH and TAG_WIDTH


async def traffic(dut, batches: int, p: float) -> None:
    bench = Bench(dut)
    longest, ahead = int(dut.BATCH_MAX.value), int(dut.AHEAD_MAX.value)
    held = bool(int(dut.HELD.value))
    tags = Source(dut, "s_tag_valid", "", {"tag": "s_tag"}, p)
    priorities = Source(dut, "s_prio_valid", "s_prio_ready", {"data": "s_prio_data", "last": "s_prio_last"}, p)
    updates = Sink(dut, "m_op_valid", "m_op_ready", {n: f"m_op_{n}" for n in ("index", "generation", "value")}, p)
    # Tags are never refused, except right behind a reset.
    await bench.start([tags, priorities, updates], rest=2, may_update=0, under_way=0)
    hits = bench.hits
    plan = []  # of each batch: its tags, priorities, and the updates that they make
    for number in range(batches):
        size = longest if number == 0 else random.randint(1, longest)
        p_none = random.choice((0.0, 0.3, 1.0))
        batch_tags, batch_priorities, batch_updates = [], [], []
        for place in range(size):
            last, none = place == size - 1, random.random() < p_none
            index, generation, value = random.getrandbits(INDEX), random.getrandbits(TAG), random.getrandbits(26)
            batch_tags.append({"tag": ((none << 1 | last) << TAG | generation) << INDEX | index})
            if not none:
                batch_updates.append({"index": index, "generation": generation, "value": value})
            if last or not none:
                batch_priorities.append({"data": 0 if none else value, "last": int(last)})
            hits["none"] += none and not last
            hits["none at the end"] += none and last
        hits["batches without an update"] += not batch_updates
        plan.append((batch_tags, batch_priorities, batch_updates))
    begun = updated = 0
    wanted = deque(update for *_, batch in plan for update in batch)
    left = [len(batch) for *_, batch in plan]
    under_way = 0
    allowed = False
    while updated < batches:
        # As many batches inside as there is room for; priorities never come before their tags.
        # With room for those of `ahead` batches, the next one is sampled when all of them are taken.
        waits = (
            held
            and begun - updated == ahead
            and (tags.queue or any(b[1] for b in plan[updated:begun]) or priorities.queue)
        )
        if begun < batches and begun - updated <= ahead and not waits:
            tags.queue.extend(plan[begun][0])
            begun += 1
        if not tags.queue and not priorities.queue and begun > updated:
            for batch in plan[updated:begun]:
                priorities.queue.extend(batch[1])
                batch[1].clear()
        full = begun - updated > ahead or begun == batches
        allowed = allowed or (full if held else random.random() < 0.3)
        dut.may_update.value = int(allowed)
        dut.under_way.value = int(under_way > 0)
        await bench.settle()
        tags.sample()
        if priorities.sample() and held:
            hits["priorities before their updates"] += not allowed
        assert not int(dut.ev_mismatch.value)
        if int(dut.updated.value):
            assert under_way == 0 and left[updated] == 0, "a batch is done before its updates are"
            updated += 1
            allowed = False
        elif update := updates.sample():
            assert allowed and update == wanted.popleft() and left[updated] > 0
            left[updated] -= 1
            under_way += 1
            hits["updates"] += 1
        under_way -= under_way > 0 and random.random() < 0.4
        await bench.next()
    assert not wanted and not any(left)

    # The learner's batch ends elsewhere.
    tags.queue.extend([{"tag": 1}, {"tag": 1 << INDEX + TAG | 2}])
    priorities.queue.extend([{"data": 1, "last": 1}, {"data": 2, "last": 1}])
    mismatches = 0
    for _ in range(100):
        dut.may_update.value = 1
        dut.under_way.value = 0
        await bench.settle()
        for port in bench.ports:
            port.sample()
        mismatches += int(dut.ev_mismatch.value)
        await bench.next()
    assert mismatches == 1
    hits["batches"] += batches
    bench.report()


@cocotb.test()
async def every_error_goes_to_the_slot_of_its_record(dut) -> None:
    await traffic(dut, 60, 0.7)


@cocotb.test()
async def everything_stalls(dut) -> None:
    await traffic(dut, 25, 0.3)
