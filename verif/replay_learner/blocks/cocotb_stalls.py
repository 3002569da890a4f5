"""rlc_replay_stalls: one cause a clock, two clocks after what was seen; nothing of before a reset or a flush."""

import random

import cocotb
from replay_bench import Bench

INPUTS = ("busy", "running", "enough", "takes", "has", "asking")


@cocotb.test()
async def every_wait_has_its_cause(dut) -> None:
    bench = Bench(dut)
    await bench.start([], rest=3, answered=0, fed=0, flush=0, **dict.fromkeys(INPUTS, 0))
    hits = bench.hits
    inside = 0  # records between the tree's answer and the learner
    causes = ["", ""]  # of this clock and the one before
    for _ in range(2000):
        inputs = {name: random.getrandbits(1) for name in INPUTS}
        inputs |= {"has": int(random.random() < 0.2), "busy": int(random.random() < 0.9)}
        reset, flush = random.random() < 0.02, random.random() < 0.02
        answered = random.random() < 0.3
        fed = inside > 0 and random.random() < 0.5
        for name, value in {**inputs, "answered": answered, "fed": fed, "flush": flush, "rst": reset}.items():
            getattr(dut, name).value = int(value)
        await bench.settle()
        seen = [name for name in ("memory", "tree", "empty", "order") if int(getattr(dut, name).value)]
        assert seen == [causes[-1]] * bool(causes[-1]), (seen, causes)
        assert int(dut.held.value) == (inside > 0)
        for name in seen:
            hits[name] += 1
        cause = ""
        if inputs["busy"] and inputs["takes"] and not inputs["has"]:
            if inside:
                cause = "memory"
            elif inputs["asking"]:
                cause = "tree"
            elif inputs["running"]:
                cause = "order" if inputs["enough"] else "empty"
        causes = ["", ""] if reset else [cause, causes[0]]
        hits["resets"] += reset
        inside = 0 if reset or flush else inside + answered - fed
        await bench.next()
    bench.report()
