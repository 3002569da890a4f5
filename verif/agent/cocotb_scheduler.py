"""The order of acting, storing, sampling and learning: every output of every clock follows from counts of events.

The model counts what has happened since a run began; docs/agent.md, "Schedule", says the rest.
"""

import json
import os
import random
from collections import Counter
from dataclasses import dataclass, field

import cocotb
from bench_pins import start_clock
from cocotb.triggers import FallingEdge, ReadOnly

RUNS = 24
LONGEST = 4000  # clocks of a run
PULSES = ("start", "stop", "entered", "acted", "let_in", "kept", "lost", "batch", "step_done", "taken")
LEVELS = (
    "offers",
    "settled",
    "cfg_free",
    "cfg_blocks",
    "cfg_train_freq",
    "cfg_gradient_steps",
    "cfg_starts",
    "cfg_lag",
)


@dataclass
class Model:
    """What has happened since the last start or reset, before this clock."""

    envs: int
    running: bool = False
    stopped: bool = False
    ended: bool = False
    settling: bool = False
    owed: int = 0
    counts: Counter = field(default_factory=Counter)

    def block(self, inputs: dict[str, int]) -> int:
        """Experiences of a block."""
        return self.envs * inputs["cfg_train_freq"]

    def blocks(self, name: str, inputs: dict[str, int]) -> int:
        """Whole blocks of an event."""
        return self.counts[name] // self.block(inputs)

    def completes(self, name: str, inputs: dict[str, int], event: bool) -> bool:
        """Whether an event is the last of a block."""
        return event and (self.counts[name] + 1) % self.block(inputs) == 0

    def last(self, name: str, inputs: dict[str, int]) -> bool:
        """Whether the next event is the last of a training block."""
        return (self.counts[name] + 1) % inputs["cfg_gradient_steps"] == 0

    def outputs(self, inputs: dict[str, int]) -> dict[str, int]:
        """All ports in this clock."""
        ordered = self.running and not inputs["cfg_free"]
        begun = self.counts["entered"] % self.block(inputs) != 0
        entering = inputs["cfg_starts"] + inputs["cfg_lag"] + self.counts["published"]
        storing = inputs["cfg_starts"] + self.counts["settled"]
        entered, acted, let_in, stored = (
            self.blocks(name, inputs) for name in ("entered", "acted", "let_in", "stored")
        )
        over = self.ended or self.stopped
        at_rest = over and not begun and not inputs["offers"] and acted == entered
        last, learning = self.last("step_done", inputs), self.counts["batch"] != self.counts["step_done"]
        goes_on = begun or (not self.stopped and (inputs["cfg_free"] or entered != entering))
        return {
            "running": self.running, "learning": learning, "shows": last or not learning,
            "entered_block": self.completes("entered", inputs, inputs["entered"]),
            "block": self.completes("let_in", inputs, inputs["let_in"]),
            "published": inputs["taken"] and self.running,
            "may_act": self.running and not self.ended and goes_on,
            "may_store": not ordered or let_in != storing,
            "hold_sampling": ordered and (stored != storing or self.settling),
            "hold_steps": ordered and last and acted != entering and not at_rest,
        }  # fmt: skip

    def clock(self, inputs: dict[str, int]) -> None:
        """A rising edge."""
        seen = self.outputs(inputs)
        entered, stored = (self.blocks(name, inputs) for name in ("entered", "stored"))
        begun = self.counts["entered"] % self.block(inputs) != 0 or inputs["offers"]
        done = (self.ended or self.stopped) and not begun and entered == stored
        running = not inputs["rst"] and (inputs["start"] or (self.running and not done))
        if inputs["rst"] or inputs["start"]:
            self.__init__(self.envs, bool(running))
            return
        ends = seen["entered_block"] and inputs["cfg_blocks"] and entered + 1 == inputs["cfg_blocks"]
        sampled = inputs["batch"] and self.last("batch", inputs)
        self.counts["settled"] += self.settling and inputs["settled"]
        self.settling = bool(sampled or (self.settling and not inputs["settled"]))
        come = self.owed + inputs["kept"] + inputs["lost"]
        self.counts["stored"] += come > 0
        self.owed = max(0, come - 1)
        self.counts["published"] += seen["published"]
        for name in ("entered", "acted", "let_in", "batch", "step_done"):
            self.counts[name] += inputs[name]
        self.counts["kept"] += inputs["kept"] + inputs["lost"]
        self.running, self.ended = bool(running), bool(self.ended or ends)
        self.stopped = bool(self.stopped or inputs["stop"])


class Run:
    """Stimuli of one run: whatever comes, comes as its neighbours would send it."""

    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng = rng
        lag, endless = number % 3, number % 4 == 0
        self.config = {
            "cfg_lag": lag, "cfg_free": int(number % 5 == 4), "cfg_train_freq": 1 if lag == 2 else rng.randint(1, 3),
            "cfg_gradient_steps": rng.randint(1, 3), "cfg_starts": rng.randint(1, 3),
            "cfg_blocks": 0 if endless else rng.randint(1, 7),
        }  # fmt: skip
        self.pace = {name: rng.choice((0.1, 0.5, 1.0)) for name in (*PULSES, "offers", "settled")}
        self.stops = rng.randrange(20, 200) if endless or rng.random() < 0.2 else LONGEST
        self.resets = rng.randrange(20, 100) if number % 8 == 7 else LONGEST
        self.shown = False  # an observation waits to enter
        self.waiting = 0  # sets of weights on their way to the policy
        self.clock = 0

    def trainings(self, model: Model, inputs: dict[str, int]) -> int:
        """Training blocks that may be sampled; without end, as long as blocks come."""
        known = self.config["cfg_blocks"] or model.blocks("stored", inputs)
        return max(0, known - self.config["cfg_starts"] + 1)

    def next(self, model: Model, dut_may: dict[str, int], before: dict[str, int]) -> dict[str, int]:
        """Inputs of a clock, from what the core allowed."""
        some = {name: self.rng.random() < pace for name, pace in self.pace.items()}
        counts, inputs = model.counts, dict(before)
        inputs |= dict.fromkeys(PULSES, 0) | {
            "rst": int(self.clock == self.resets),
            "stop": int(self.clock == self.stops),
        }
        # Each answer of an environment lets an experience in and brings the next observation. One that waits since the
        # clock before will enter.
        inputs["offers"] = int(self.shown)
        there = counts["entered"] < model.envs + counts["let_in"]
        self.shown = self.shown or (there and dut_may["may_act"] and some["offers"])
        inputs["entered"] = int(self.shown and some["entered"])
        self.shown = self.shown and not inputs["entered"]
        inputs["acted"] = int(counts["acted"] < counts["entered"] and some["acted"])
        inputs["let_in"] = int(counts["let_in"] < counts["acted"] and dut_may["may_store"] and some["let_in"])
        left = counts["let_in"] - counts["kept"]
        inputs["kept"] = int(left > 0 and some["kept"])
        inputs["lost"] = int(left > inputs["kept"] and some["lost"])
        due = self.trainings(model, inputs) * self.config["cfg_gradient_steps"]
        going = model.running and not dut_may["hold_sampling"] and counts["batch"] < due
        inputs["batch"] = int(going and counts["batch"] - counts["step_done"] < 4 and some["batch"])
        inputs["settled"] = int(some["settled"])
        done = counts["step_done"] < counts["batch"] and not dut_may["hold_steps"]
        inputs["step_done"] = int(done and some["step_done"])
        inputs["taken"] = int(self.waiting > 0 and some["taken"])
        self.waiting += (inputs["step_done"] and model.last("step_done", inputs)) - inputs["taken"]
        self.clock += 1
        return inputs


@cocotb.test()
async def every_output_follows_from_what_has_happened(dut) -> None:
    rng = random.Random(f"{cocotb.RANDOM_SEED} schedule")
    model = Model(int(json.loads(os.environ["RLCORES_PARAMETERS"])["N_ENVS"]))
    inputs = dict.fromkeys((*PULSES, *LEVELS, "rst"), 0) | {"cfg_train_freq": 1, "cfg_gradient_steps": 1}
    ports = {name: getattr(dut, name) for name in inputs}
    outputs = {name: getattr(dut, name) for name in model.outputs(inputs)}
    hits: Counter[str] = Counter()

    async def clock() -> dict[str, int]:
        """One clock with these `inputs`; all outputs are compared."""
        for name, value in inputs.items():
            ports[name].value = value
        await ReadOnly()
        observed = {name: int(port.value) for name, port in outputs.items()}
        wanted = {name: int(value) for name, value in model.outputs(inputs).items()}
        assert observed == wanted, {
            name: (observed[name], wanted[name]) for name in wanted if observed[name] != wanted[name]
        }
        hits.update(name for name, value in observed.items() if value)
        model.clock(inputs)
        await FallingEdge(dut.clk)
        return observed

    for name, value in inputs.items():
        ports[name].value = value
    start_clock(dut.clk)
    dut.rst.value = 1
    for _ in range(3):
        await FallingEdge(dut.clk)
    for number in range(RUNS):
        run = Run(rng, number)
        inputs |= run.config | dict.fromkeys((*PULSES, "offers"), 0) | {"rst": 0, "start": 1}
        observed = await clock()
        inputs["start"] = 0
        while model.running or model.counts["step_done"] < model.counts["batch"]:
            assert run.clock < LONGEST, f"run {number} stands still: {run.config}, {model.counts}"
            # What the core allows in this clock hangs on its registers, and on nothing that comes in.
            inputs |= dict.fromkeys(PULSES, 0)
            allowed = {name: int(value) for name, value in model.outputs(inputs).items()}
            inputs = run.next(model, allowed, inputs)
            observed = await clock()
            hits["held"] += observed["hold_steps"] or observed["hold_sampling"]
        if run.resets == LONGEST:
            hits["runs"] += 1
            assert model.counts["kept"] == model.counts["entered"]
            blocks = run.config["cfg_blocks"]
            assert not blocks or run.stops < LONGEST or model.blocks("entered", inputs) == blocks
        for _ in range(3):
            inputs |= dict.fromkeys(PULSES, 0)
            await clock()
    assert hits["runs"] >= RUNS - 3 and all(hits[name] for name in outputs), hits
