"""The integer model of the GAE core behind the bus of its RTL, so that one driver serves both."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rlcores.buses.bus import BusError
from rlcores.cores.gae.model import GaeCore
from rlcores.engine import registers

_BUSY = "BUSY"
_SCALES = {
    "REWARD_MEAN": "reward_mean",
    "REWARD_INV": "reward_inv",
    "REWARD_INV_SHIFT": "reward_inv_shift",
    "VALUE_MEAN": "value_mean",
    "VALUE_INV": "value_inv",
    "VALUE_INV_SHIFT": "value_inv_shift",
    "VALUE_SCALE": "value_scale",
    "REWARD_OFFSET": "reward_offset",
}
_SIGNED = ("VALUE_POINT", "REWARD_MEAN", "VALUE_MEAN", "VALUE_SCALE", "REWARD_OFFSET")
_CONFIG = (*range(0x28, 0x6C, 4), 0xC4)  # CONTROL … REWARD_OFFSET, OUT_DROP
# Registers whose writes the core refuses when the value is wider than the field.
_CHECKED = ("QBITS", "CLIP", "SHIFT", "REWARD_INV_SHIFT", "VALUE_INV_SHIFT", "OUT_DROP")
_ABORT = 8  # of COMMAND


class GaeModelBus:
    """rlcores.buses.bus.Bus over model.GaeCore: every register, command, flag and counter that has no clock.

    Cycles and stalls read 0, because the model knows no clock.
    """

    def __init__(self, parameters: Mapping[str, int]) -> None:
        """parameters: Verilog parameters by name, as configs.yaml has them."""
        self.core = GaeCore(dict(parameters))
        self._map = registers.load("gae", parameters)
        self._names = {r.address: r.name for r in self._map.values()}
        self._words = {r.name: r.reset for r in self._map.values()}
        self._codes = {code: name for name, code in self._map["COMMAND"].by_name["code"].values.items()}
        self._flag_bits = {f.name: f.mask for f in self._map["FLAGS"].fields}
        self._pending = ""  # MEASURE or LOAD, waiting for its pass
        self._results: np.ndarray | None = None
        self._counts = dict.fromkeys(("ELEMENTS", "SATURATED"), 0)

    def read(self, address: int) -> int:
        """The register at a byte address."""
        name = self._name(address)
        return self._live().get(name, self._words[name])

    def write(self, address: int, value: int) -> None:
        """Write a register, with the effects that the RTL has."""
        name = self._name(address)
        value &= 0xFFFFFFFF
        busy = bool(self._pending) or self._results is not None
        if name == "COMMAND" and value & _ABORT and value < 2 * _ABORT:
            self.abort()
        elif name == "COMMAND":
            self._flag(_BUSY) if busy else self._command(value)
        elif name in ("FLAGS", "IRQ_STATUS"):
            self._words[name] &= ~value
        elif address in _CONFIG and busy:
            self._flag(_BUSY)
        elif name in _CHECKED and self._map[name].mask("rw") and value & ~self._map[name].mask("rw"):
            self._flag("CONFIG")
        else:
            mask = self._map[name].mask("rw")
            self._words[name] = self._words[name] & ~mask | value & mask

    def send(self, beats: np.ndarray) -> None:
        """The pass that MEASURE or LOAD waits for."""
        if not self._pending:
            raise BusError("the core takes no beats: neither MEASURE nor LOAD runs")
        command, self._pending = self._pending, ""
        self._during(lambda: (self.core.measure if command == "MEASURE" else self.core.load)(beats))

    def abort(self, taken: np.ndarray | None = None) -> None:
        """ABORT, always accepted; taken: the beats of an open pass that the core had taken."""
        command, self._pending, self._results = self._pending, "", None
        if command and taken is not None and len(taken):
            self._during(lambda: self.core.aborted(taken, command == "LOAD"))
        self._words["IRQ_STATUS"] |= 1

    def receive(self, capacity: int) -> np.ndarray:
        """The results of READ."""
        if self._results is None:
            raise BusError("the core sends no beats: READ does not run")
        taken, self._results = self._results, None
        if len(taken) > capacity:
            raise BusError(f"the core sent {len(taken)} beats; at most {capacity} were expected")
        self.core.clear()
        self._words["IRQ_STATUS"] |= 1
        return taken

    def wait_irq(self) -> None:
        """Return when the interrupt is high; here it is at once or never."""
        if not self._words["IRQ_STATUS"] & self._words["IRQ_ENABLE"]:
            raise BusError("an interrupt did not happen")

    def _name(self, address: int) -> str:
        if address not in self._names:
            raise BusError(f"the access to 0x{address:X} was answered with SLVERR")
        return self._names[address]

    def _flag(self, name: str) -> None:
        self._words["FLAGS"] |= self._flag_bits[name]
        self._words["IRQ_STATUS"] |= 2

    def _command(self, code: int) -> None:
        name = self._codes.get(code)
        core = self.core
        self._to_core()
        if name is None:
            self._flag("BAD_COMMAND")
        elif name == "LOAD" and core.results is not None:
            self._flag("LOAD_WHILE_COMPUTED")
        elif name in ("MEASURE", "LOAD"):
            self._pending = name
        elif name == "READ" and core.results is not None:
            self._results = core.output()
        else:
            actions = {
                "CLEAR": core.clear,
                "RESET_STATS": core.reset_stats,
                "SCALE": core.scale,
                "START": self._start,
                "READ": core.output,
            }
            self._during(actions[name])

    def _during(self, action) -> None:
        before = self.core.flags.copy()
        refused = action() is False and action == self._start
        raised = [name for name, count in self.core.flags.items() if count > before[name]]
        for name in raised:
            self._flag(name)
        # A refused START or READ is over at once, without `done`; SCALE looks at its registers first, then it ends.
        if not (refused or "NOTHING_COMPUTED" in raised):
            self._words["IRQ_STATUS"] |= 1
        self._from_core()

    def _start(self) -> bool:
        steps = int((self.core.kinds & 1).sum())
        done = self.core.start()
        if done:
            self._counts = {"ELEMENTS": steps, "SATURATED": self.core.results.saturated}
        return done

    def _number(self, name: str) -> int:
        value = self._words[name]
        bits = self._map[name].mask("rw").bit_length()
        return value - ((value >> (bits - 1)) << bits) if name in _SIGNED else value

    def _to_core(self) -> None:
        w = self._words
        self.core.order_previous = bool(w["CONTROL"] & 4)
        self.core.config = replace(
            self.core.config,
            reward_auto=bool(w["CONTROL"] & 1),
            value_auto=bool(w["CONTROL"] & 2),
            qbits=w["QBITS"],
            clip=w["CLIP"],
            shift=w["SHIFT"],
            value_point=self._number("VALUE_POINT"),
            gamma=w["GAMMA"],
            gamma_lambda=w["GAMMA_LAMBDA"],
        )
        offset = w["VALUE_OFFSET_HI"] << 32 | w["VALUE_OFFSET_LO"]
        bits = self.core.config.formats.value_offset_bits
        scales = {field: self._number(name) for name, field in _SCALES.items()}
        self.core.scales = replace(self.core.scales, value_offset=offset - ((offset >> (bits - 1)) << bits), **scales)
        if self.core.config.formats.wide:
            self.core.drop = w["OUT_DROP"]

    def _from_core(self) -> None:
        scales = self.core.scales
        for name, field in _SCALES.items():
            self._words[name] = getattr(scales, field) & self._map[name].mask("rw")
        self._words["VALUE_OFFSET_LO"] = scales.value_offset & 0xFFFFFFFF
        self._words["VALUE_OFFSET_HI"] = scales.value_offset >> 32 & self._map["VALUE_OFFSET_HI"].mask("rw")

    def _live(self) -> dict[str, int]:
        core = self.core
        words = {
            "STATUS": bool(self._pending or self._results is not None)
            | bool(core.level.any()) << 1
            | (core.results is not None) << 2,
            "LOADED": core.loaded,
            "REFUSED": core.refused,
            "CLIPPED_REWARDS": core.clipped_rewards,
            "CLIPPED_VALUES": core.clipped_values,
            **self._counts,
        }
        for name, sums in (("REWARD", core.statistics.rewards), ("VALUE", core.statistics.values)):
            words |= {f"{name}_COUNT_LO": sums.n & 0xFFFFFFFF, f"{name}_COUNT_HI": sums.n >> 32}
            words |= {f"{name}_SUM_LO": sums.total & 0xFFFFFFFF, f"{name}_SUM_HI": sums.total >> 32 & 0xFFFFFFFF}
            words |= {f"{name}_SQR_{i}": sums.squares >> (32 * i) & 0xFFFFFFFF for i in range(3)}
        return words
