"""Clocks of an answer of rlc_mlp, counted: from an observation's last word to its answer, which is the model's."""

import json
import os

import cocotb
import numpy as np
from bench_hits import leave
from bench_pins import start
from cocotb.triggers import FallingEdge
from mlp_cases import weights, words

from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.shape import MlpShape

OBSERVATIONS = 3


@cocotb.test()
async def clocks(dut) -> None:
    """A set of weights, and observations one after the other."""
    shape = MlpShape.of(json.loads(os.environ["RLCORES_PARAMETERS"]))
    given = weights(shape, 1)
    top = 1 << (shape.act_width - 1)
    x = np.random.default_rng(cocotb.RANDOM_SEED).integers(-top, top, (OBSERVATIONS, shape.sizes[0]))
    answers = MlpModel(given).act(x)
    await start(dut, "m_act_ready", "s_obs_valid", "s_load_valid")
    await FallingEdge(dut.clk)
    dut.s_load_valid.value = 1
    sent = words(given, 0)
    for number, word in enumerate(sent):
        dut.s_load_data.value, dut.s_load_last.value = word, number == len(sent) - 1
        await FallingEdge(dut.clk)
    dut.s_load_valid.value = 0
    while not int(dut.s_obs_ready.value):
        await FallingEdge(dut.clk)
    counted, bits = set(), 10 if shape.argmax else 18
    for observation, answer in zip(x.tolist(), answers.tolist(), strict=True):
        padded = observation + [0] * (-len(observation) % shape.cols)
        fields = [v & ((1 << shape.act_width) - 1) for v in padded]
        dut.s_obs_valid.value = 1
        for begin in range(0, len(fields), shape.cols):
            group = fields[begin : begin + shape.cols]
            dut.s_obs_data.value = sum(v << shape.act_width * place for place, v in enumerate(group))
            assert int(dut.s_obs_ready.value)
            await FallingEdge(dut.clk)
        dut.s_obs_valid.value, waited = 0, 1
        while not int(dut.m_act_valid.value):
            await FallingEdge(dut.clk)
            waited += 1
        counted.add(waited)
        known = sum((v & ((1 << bits) - 1)) << bits * place for place, v in enumerate(answer))
        assert int(dut.m_act_data.value) == known
        dut.m_act_ready.value = 1
        await FallingEdge(dut.clk)
        dut.m_act_ready.value = 0
    (found,) = counted
    leave({"clocks": found})
