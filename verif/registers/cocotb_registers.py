"""A block of registers under random writes, reads and events: every output of every clock is the model's."""

import json
import os
import random
from collections import Counter

import cocotb
from bench_pins import start_clock
from cocotb.triggers import ClockCycles, FallingEdge, ReadOnly
from registers_model import WORD, Model, Register

from rlcores.eda import registers

CLOCKS = 60  # of each register
# How often an input of a kind is high.
_HIGH = {"may": 0.8, "fits": 0.8, "set": 0.1, "count": 0.5, "clr": 0.05}


def some_data(rng: random.Random, register: Register | None) -> int:
    """A word, mostly with each field at an edge of what fits, or one beside it."""
    if register is None or rng.random() < 0.3:
        return rng.choice((0, WORD, rng.getrandbits(32)))
    word = 0
    for field in register.fields:
        span = (1 << field.limit - field.low) - 1
        least, most = field.get("least") or 0, field.get("most")
        most = (1 << field.width) - 1 if most is None else most
        some = (least, most, rng.randint(least, most), rng.randint(least, most), least - 1, most + 1)
        word |= max(0, min(span, rng.choice(some))) << field.low
    return word


@cocotb.test()
async def every_output_is_what_the_map_says(dut) -> None:
    rng = random.Random(f"{cocotb.RANDOM_SEED} registers")
    core = dut._name.removeprefix("rlc_").removesuffix("_regs")
    model = Model(registers.elaborated(core, json.loads(os.environ["RLCORES_PARAMETERS"])).top)
    ports = {name: getattr(dut, name) for name in inputs_of(model)}
    inputs = dict.fromkeys(ports, 0)
    for name, port in ports.items():
        port.value = inputs[name]
    start_clock(dut.clk)
    dut.rst.value = inputs["rst"] = 1
    await ClockCycles(dut.clk, 2)
    await FallingEdge(dut.clk)
    seen: Counter[str] = Counter()
    addresses = [n for n, register in model.registers.items() if register.written]
    checked: dict[str, object] = {}
    for _ in range(CLOCKS * len(addresses)):
        driven = {"rst": int(rng.random() < 0.004), "wr_en": int(rng.random() < 0.8)}
        driven["wr_addr"] = rng.choice(addresses) if rng.random() < 0.95 else rng.getrandbits(len(dut.wr_addr))
        driven["wr_data"] = some_data(rng, model.registers.get(driven["wr_addr"]))
        driven["rd_addr"] = driven["wr_addr"] if rng.random() < 0.2 else rng.getrandbits(len(dut.rd_addr))
        for name in ports:
            if name not in driven:
                kind = name.partition("_")[0]
                if kind in _HIGH:
                    driven[name] = int(rng.random() < _HIGH[kind])
                elif rng.random() < 0.2:
                    driven[name] = rng.getrandbits(len(ports[name]))
        if "hw_addr" in driven and rng.random() < 0.8:
            driven["hw_addr"] = rng.choice(addresses)
        for name, value in driven.items():
            if inputs[name] != value:
                ports[name].value = value
        inputs |= driven
        await ReadOnly()
        for name, value in model.outputs(inputs).items():
            if name not in checked:
                checked[name] = getattr(dut, name)
            assert int(checked[name].value) == value, f"{name} is {checked[name].value}, not {value:b}"
        register = model.registers.get(inputs["wr_addr"])
        if inputs["wr_en"] and register:
            how = "taken" if model.taken(inputs) else "misfit" if model.timely(inputs) else "untimely"
            seen[f"{register.name} {how}"] += 1
        model.clock(inputs)
        await FallingEdge(dut.clk)
    for number in addresses:
        register = model.registers[number]
        never = register.get("needs") is False
        assert never or seen[f"{register.name} taken"] >= 5, f"{register.name} was hardly written"
        assert not register.get("may") or seen[f"{register.name} untimely"]
    assert {"wr_acts", "untimely", "misfit", "rd_data"} < set(checked)


def inputs_of(model: Model) -> list[str]:
    """The input ports that the map gives the block."""
    names = ["rst", "wr_en", "wr_addr", "wr_data", "rd_addr"]
    for register in model.registers.values():
        names += [f"{rule}_{word}" for rule in ("may", "fits") if (word := register.get(rule)) is not None]
        for field in register.fields:
            if field.kind == "sticky" and field.get("collects") is None:
                names.append(f"set_{field.name}")
            if field.kind == "given":
                names.append(f"hw_{field.name}")
            if field.kind == "counter":
                names.append(f"count_{field.name}")
            if field.get("hwclr"):
                names.append(f"clr_{field.name}")
        if any(field.get("swacc") for field in register.fields):
            names.append("rd_en")
        if register.shared:
            names += ["hw_we", "hw_addr", "hw_data"]
    names += [f"{word}_words" for word in model.window_names.values()]
    return list(dict.fromkeys(names))
