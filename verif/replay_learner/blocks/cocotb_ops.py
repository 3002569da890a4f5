"""rlc_replay_tree_arbiter: who is next, what the tree is told, and whose each answer is."""

import random
from collections import deque

import cocotb
from bench_handshake import Sink, Source
from replay_bench import Bench

from rlcores.cores.sumtree.words import DONE, OP

INDEX, TAG = 12, 8  # the defaults of INDEX_WIDTH and TAG_WIDTH
UPDATE, INSERT, RESERVE, COMMIT, READ = range(5)
MOST = 2**31 - 1


def value() -> int:
    """Of any magnitude."""
    return random.getrandbits(32) >> random.randint(0, 32)


async def traffic(dut, count: int, fraction: int, p: float) -> None:
    bench = Bench(dut)

    def source(name: str, *fields: str) -> Source:
        return Source(dut, f"s_{name}_valid", f"s_{name}_ready", {f: f"s_{name}_{f}" for f in fields}, p)

    slot = ("index", "generation", "value")
    updates, commits, reserves = source("upd", *slot), source("com", *slot, "max"), source("res")
    host = source("host", *slot, "kind", "check")
    operations = Sink(dut, "m_op_valid", "m_op_ready", {"data": "m_op_data"}, p)
    answers = Source(dut, "s_answer_valid", "", {"data": "s_answer_data"}, p)
    sources = [updates, commits, reserves, host]
    await bench.start([*sources, operations, answers], rest=2, cfg_td_frac=fraction)
    hits = bench.hits

    def scaled(v: int) -> int:
        hits["beyond"] += v << 20 - fraction > MOST
        return min(v << 20 - fraction, MOST)

    def expected(who: Source, w: dict[str, int]) -> tuple[int, ...]:
        """td, max, check, kind, generation, value, index; the value of a max is anything."""
        if who is updates:
            return 1, 0, 1, UPDATE, w["generation"], scaled(w["value"]), w["index"]
        if who is commits:
            return 1 - w["max"], w["max"], 1, COMMIT, w["generation"], scaled(w["value"]), w["index"]
        if who is reserves:
            return 0, 0, 0, RESERVE, 0, 0, 0
        return 0, 0, w["check"], w["kind"], w["generation"], w["value"], w["index"]

    inside: deque[tuple[Source, tuple[int, ...]]] = deque()
    asked: deque[tuple[Source, dict[str, int]]] = deque()  # taken by the tree, in order
    sent = done = 0
    due: list[tuple[str, tuple[int, ...]]] = []  # outputs of the next clock: an answer that came in this one
    loops = 0  # updates handed over and not answered
    said = (0, 0, 0, 0)
    while done < count:
        if sent < count and not any(s.queue for s in sources) and random.random() < 0.7:
            # The host comes only while no update is on its way, and no update while the host waits.
            alone = loops == 0 and not any(who is updates for who, _ in inside)
            kinds = random.choices(sources, k=random.randint(1, 4))
            if host in kinds and (not alone or updates in kinds):
                kinds = [s for s in kinds if s is not host] or [reserves]
            if any(who is host for who, *_ in (*inside, *asked)) or answers.queue:
                kinds = [s for s in kinds if s in (commits, reserves)] or [reserves]
            for who in kinds:
                word = {"index": random.getrandbits(INDEX), "generation": random.getrandbits(TAG), "value": value()}
                if who is host:
                    word = {n: random.getrandbits(32) for n in slot} | {
                        "kind": random.choice((UPDATE, INSERT, READ)),
                        "check": random.getrandbits(1),
                    }
                who.queue.append(word | {"max": random.getrandbits(1)})
            sent += len(kinds)
        under_way = any(who is updates for who, _ in inside)
        await bench.settle()
        assert int(dut.under_way.value) == under_way
        assert int(dut.pending.value) == (loops > 0)
        outputs = {
            "slot": int(dut.slot_valid.value),
            "commit": int(dut.ev_commit.value),
            "stale commit": int(dut.ev_commit_stale.value),
            "stale update": int(dut.ev_update_stale.value),
            "insert": int(dut.ev_insert.value),
        }
        wanted = dict.fromkeys(outputs, 0)
        for name, words in due:
            if name in wanted:
                wanted[name] = 1
                hits[name] += 1
            if name == "slot":
                assert (int(dut.slot_index.value), int(dut.slot_generation.value)) == words
            if name == "update":
                loops -= 1
        assert outputs == wanted, (outputs, wanted)
        assert said == tuple(int(getattr(dut, f"host_{n}").value) for n in ("status", "index", "value", "generation"))
        for name, words in due:
            said = words if name in ("host", "insert") else said  # seen a clock later
        due = []
        offered = [s for s in sources if s.offering]
        waits = int(dut.host_waits.value)
        taken = [(s, word) for s in sources if (word := s.sample()) is not None]
        assert len(taken) <= 1
        for who, word in taken:
            assert who is next(s for s in offered if s is not host or not waits), "not the first of those who wait"
            hits["others waited"] += len(offered) > 1
            inside.append((who, expected(who, word)))
            loops += who is updates
        if op := operations.sample():
            who, (td, largest, check, kind, generation, number, index) = inside.popleft()
            data = op["data"]
            operation = OP.unpack(data)
            wanted = {"rest": 0, "td": td, "max": largest, "check": check, "kind": kind, "generation": generation}
            assert {name: operation[name] for name in wanted} == wanted and operation["index"] == index
            assert largest or operation["priority"] == number, (hex(data), number)
            assert int(dut.reserve_taken.value) == (who is reserves)
            word = {"index": random.getrandbits(INDEX), "value": value(), "generation": random.getrandbits(TAG)}
            asked.append((who, word | {"kind": kind, "status": random.choice((0, 0, 1))}))
        else:
            assert not int(dut.reserve_taken.value)
        if answers.sample():
            who, w = asked.popleft()
            done += 1
            stale = w["status"] != 0
            if who is reserves:
                due.append(("slot", (w["index"], w["generation"])))
            elif who is commits:
                due.append(("stale commit" if stale else "commit", ()))
            elif who is updates:
                due.append(("update", ()))
                due += [("stale update", ())] * stale
            else:
                insert = w["kind"] == INSERT and not stale
                due.append(
                    ("insert" if insert else "host", tuple(w[n] for n in ("status", "index", "value", "generation")))
                )
        if asked and not answers.queue:
            w = asked[0][1]
            fields = {name: w[name] for name in ("status", "kind", "generation", "index")}
            data = DONE.pack(**fields, priority=w["value"], zero=0, rest=random.getrandbits(26))
            answers.queue.append({"data": data})
        await bench.next()
    hits["operations"] += done
    bench.report()


@cocotb.test()
async def everybody_gets_an_answer(dut) -> None:
    await traffic(dut, 400, 13, 0.7)


@cocotb.test()
async def everything_stalls(dut) -> None:
    await traffic(dut, 400, random.choice((0, 1, 16, 20)), 0.3)
