"""rlc_policy: every action and log-probability is the model's, to the clock, whatever streams in beside them."""

import os

import cocotb
from policy_bench import Bench, state_before

from rlcores.cores.policy.model import ACC_OVERFLOW

OBSERVATIONS = int(os.environ.get("POLICY_OBSERVATIONS", "60"))


@cocotb.test()
async def answers_are_the_models_whatever_stalls_and_streams_in(dut):
    bench = Bench(dut)
    await bench.start()
    bench.prompt = False
    rng = bench.rng
    bench.observe(3)
    for _ in range(3 * bench.shape.interval):  # nothing enters before there are weights
        await bench.tick()
    assert not bench.entered
    slow = ["act", "log", "obs", "w"]
    for turn in range(8):
        # The first observations still wait, and then each way to squash has its turn.
        if turn and (turn < 3 or rng.random() < 0.5):
            await bench.seed()
            bench.any_shape()
        bench.observe(OBSERVATIONS // 8)
        bench.share = dict.fromkeys(bench.share, 1.0)
        if turn < 4:
            bench.share[slow[turn]] = 0.05
        else:
            bench.share = {name: rng.choice((1.0, 0.5, 0.2)) for name in bench.share}
        while bench.observation or bench.acts or bench.logs:
            # Sets come one behind the other, or with any pause between them.
            if not any(bench.groups) and (turn % 2 == 0 or rng.random() < 0.02):
                bench.weights()
            if rng.random() < 0.05:
                bench.any_settings()
            await bench.tick()
        await bench.until_idle(rest=rng.choice((0, 5)))
    for _ in range(4):
        await bench.tick()
    bench.check_counters()
    assert bench.hits["act"] == bench.hits["log"] or not bench.shape.logp
    assert bench.hits["act"] == len(bench.entered) >= OBSERVATIONS - 8
    assert int(dut.busy.value) == 0
    bench.report()


@cocotb.test()
async def at_full_speed_every_answer_comes_to_the_clock(dut):
    bench = Bench(dut)
    await bench.start()
    bench.weights()
    await bench.until_idle()
    bench.set(type(bench.settings)(noise=True))
    bench.observe(20)
    for _ in range(30 * bench.shape.interval):
        if not any(bench.groups) and bench.rng.random() < 0.02:
            bench.weights()
        await bench.tick()
    await bench.until_idle()
    gaps = {b - a for a, b in zip(bench.entered, bench.entered[1:], strict=False)}
    assert gaps == {bench.shape.interval}, f"gaps {gaps} instead of {bench.shape.interval}"
    assert bench.hits["to the clock"] == bench.hits["act"] + bench.hits["log"] > 0
    bench.report()


@cocotb.test()
async def noise_from_either_end_of_a_draw_is_the_models(dut):
    bench = Bench(dut)
    await bench.start()
    bench.weights()
    await bench.until_idle()
    bench.set(type(bench.settings)(noise=True))
    for zeros in range(32):  # behind the bit that says which end it is
        await bench.seed(state_before(bench.rng.getrandbits(1) << 31 | bench.rng.getrandbits(31) >> zeros, bench.rng))
        bench.observe(1)
        await bench.until_idle()
    assert bench.hits["act"] == 32
    bench.report()


@cocotb.test()
async def a_set_that_is_given_up_leaves_nothing_behind(dut):
    bench = Bench(dut)
    await bench.start()
    bench.weights()
    await bench.until_idle()
    for _ in range(3):
        bench.weights()
        for _ in range(bench.rng.randrange(1, 6)):
            await bench.tick()
        if not any(bench.groups):  # so small a set is complete by now
            continue
        bench.dut.w_abort.value = 1
        for groups in bench.groups:
            groups.clear()
        bench.filling = False
        await bench.tick()
        bench.dut.w_abort.value = 0
        bench.observe(2)
        await bench.until_idle()
        bench.weights()
        await bench.until_idle()
        bench.observe(2)
        await bench.until_idle()
        bench.hits["given up"] += 1
    await bench.until_idle(rest=5)  # a set that was complete before it could be given up is counted last
    bench.check_counters()
    bench.report()


@cocotb.test()
async def vectors_with_a_large_sum_are_counted_once_in_each_layer(dut):
    bench = Bench(dut)
    await bench.start()
    bench.weights(largest=True)
    await bench.until_idle()
    bench.observe(12, positive=True)
    await bench.until_idle(rest=5)
    bench.check_counters()
    # 24 numbers that are as great as they may be, times 8 to 10: sums of 2**46 to 2**47. More of them wrap around.
    if bench.shape.sizes[1:-1] == (24, 24):
        assert bench.model.counters[ACC_OVERFLOW] >= 12
    bench.report()
