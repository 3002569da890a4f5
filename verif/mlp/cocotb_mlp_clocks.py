"""Clocks of an answer of rlc_mlp, counted: from an observation's last word to its answer, which is the model's."""

import json
import os

import cocotb
import numpy as np
from bench_handshake import send
from bench_hits import leave
from bench_pins import pack, pulse, start, until
from cocotb.triggers import FallingEdge
from mlp_cases import weights, words

from rlcores.cores.mlp.model import MlpModel
from rlcores.cores.mlp.shape import MlpShape

OBSERVATIONS = 3


@cocotb.test()
async def clocks(dut) -> None:
    """A set of weights, and observations one after the other."""
    shape = MlpShape.of(json.loads(os.environ["RLCORES_PARAMETERS"]))
    layers = weights(shape, 1)
    top = 1 << (shape.act_width - 1)
    x = np.random.default_rng(cocotb.RANDOM_SEED).integers(-top, top, (OBSERVATIONS, shape.sizes[0]))
    answers = MlpModel(layers).act(x)
    await start(dut, "m_act_ready", "s_obs_valid", "s_load_valid", rest=1)
    sent = words(layers, 0)
    for number, word in enumerate(sent):
        await send(dut, "s_load", data=word, last=int(number == len(sent) - 1))
    await until(dut, lambda: int(dut.s_obs_ready.value))
    await FallingEdge(dut.clk)
    counted = set()
    for observation, answer in zip(x.tolist(), answers.tolist(), strict=True):
        padded = observation + [0] * (-len(observation) % shape.cols)
        for n in range(0, len(padded), shape.cols):
            assert not await send(dut, "s_obs", data=pack(padded[n : n + shape.cols], shape.act_width))
        counted.add(1 + await until(dut, lambda: int(dut.m_act_valid.value)))
        assert int(dut.m_act_data.value) == pack(answer, 10 if shape.argmax else 18)
        await FallingEdge(dut.clk)
        await pulse(dut, dut.m_act_ready)
    (latency,) = counted
    leave({"clocks": latency})
