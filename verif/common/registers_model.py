"""What a block of registers does, from the core's SystemRDL and the rules in rtl/common/rules.rdlh, clock by clock.

It reads the map with the compiler of SystemRDL alone, not with what writes the Verilog.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from systemrdl.node import FieldNode, RegNode

WORD = (1 << 32) - 1


@dataclass(frozen=True)
class Field:
    """One field with the values of its properties."""

    node: FieldNode
    name: str  # of its ports, without what stands in front
    low: int
    width: int
    limit: int  # lowest bit of the next field, or 32
    kind: str
    written: bool  # by software

    def get(self, name: str):
        """A property."""
        return self.node.get_property(name)

    @property
    def seen(self) -> bool:
        """Whether the core has a port of its value."""
        return "r" in self.get("hw").name

    def own(self, data: int) -> int:
        """Its bits of a word."""
        return data >> self.low & ((1 << self.width) - 1)

    def fits(self, data: int) -> bool:
        """Whether it takes a word that software writes."""
        if not self.written:
            return True
        number = data >> self.low & ((1 << self.limit - self.low) - 1)
        least, most, needs = map(self.get, ("least", "most", "needs"))
        too_small, too_large = least is not None and number < least, most is not None and number > most
        return not too_small and not too_large and (needs in (None, True) or self.own(data) == 0)


def _kind(node: FieldNode) -> str:
    if node.get_property("onwrite") is not None:
        return "sticky"
    if node.get_property("counter"):
        return "counter"
    if node.get_property("singlepulse"):
        return "pulse"
    software = node.get_property("sw").name
    hw_writes = "w" in node.get_property("hw").name and not node.get_property("we")
    if software == "w":
        return "command"
    if hw_writes:
        return "given"
    return "stored"


class Register:
    """One register; its number is its word address."""

    def __init__(self, node: RegNode) -> None:
        self.node, self.number = node, node.absolute_address // 4
        self.name = "_".join(node.get_path_segments()[1:]).lower()  # of its register file too
        nodes = list(node.fields())
        limits = [other.low for other in nodes[1:]] + [32]
        self.fields = [
            Field(
                field,
                self.name if len(nodes) == 1 else f"{self.name}_{field.inst_name.lower()}",
                *(field.low, field.width, limit, _kind(field), "w" in field.get_property("sw").name),
            )
            for field, limit in zip(nodes, limits, strict=True)
        ]
        self.kinds = {field.kind for field in self.fields}
        self.acts = bool(self.kinds & {"sticky", "pulse", "command"}) or any(
            field.kind == "given" and field.written for field in self.fields
        )
        self.written = any(field.written for field in self.fields)
        self.shared = any(field.get("we") for field in self.fields)  # with the core, which writes it too

    def get(self, name: str):
        """A property."""
        return self.node.get_property(name)


def _registers(top) -> list[RegNode]:
    return [node for node in top.descendants() if isinstance(node, RegNode)]


class Model:
    """The registers and what is in them. `inputs` are those of one clock, by port."""

    def __init__(self, top) -> None:
        every = {register.number: register for register in map(Register, _registers(top))}
        windows = [n for n, register in every.items() if register.get("window") is not None]
        self.end = max(every) + 1
        self.windows = list(pairwise([*windows, self.end]))
        self.window_names = {n: every[n].get("window") for n in windows}
        self.registers = {n: r for n, r in every.items() if not windows or n < windows[0]}
        self.fields = [field for register in self.registers.values() for field in register.fields]
        self.values: dict[str, int] = {}
        self.read: int | None = None  # nothing was read yet
        self.reset()

    def reset(self) -> None:
        """As a reset leaves it."""
        self.values = {f.name: 0 for f in self.fields if f.kind in ("sticky", "counter", "pulse")}
        self.values |= {f.name: f.get("reset") or 0 for f in self.fields if f.kind == "stored"}

    def timely(self, inputs: Mapping[str, int]) -> bool:
        """Whether a write comes at the right moment."""
        register = self.registers.get(inputs["wr_addr"])
        may = register and register.get("may")
        return not may or bool(inputs[f"may_{may}"])

    def fits(self, inputs: Mapping[str, int]) -> bool:
        """Whether a write fits."""
        register = self.registers.get(inputs["wr_addr"])
        if register is None:
            return True
        fits, needs = register.get("fits"), register.get("needs")
        own = all(field.fits(inputs["wr_data"]) for field in register.fields)
        return own and needs in (None, True) and (not fits or bool(inputs[f"fits_{fits}"]))

    def taken(self, inputs: Mapping[str, int]) -> bool:
        """Whether software writes something in this clock."""
        return bool(inputs["wr_en"]) and self.timely(inputs) and self.fits(inputs)

    def outputs(self, inputs: Mapping[str, int]) -> dict[str, int]:
        """All ports of a clock; what was read a clock ago too."""
        timely, fits, take = self.timely(inputs), self.fits(inputs), self.taken(inputs)
        outputs = {
            "untimely": inputs["wr_en"] and not timely, "misfit": inputs["wr_en"] and timely and not fits,
            "wr_acts": (at := self.registers.get(inputs["wr_addr"])) is not None and at.acts,
        }  # fmt: skip
        irq = []
        for number, register in self.registers.items():
            written = self._written(register, inputs)[0]
            if any(field.get("swmod") for field in register.fields):
                outputs[f"wr_{register.name}"] = written if register.shared else take and inputs["wr_addr"] == number
            if any(field.get("swacc") for field in register.fields):
                outputs[f"rd_{register.name}"] = inputs["rd_en"] and inputs["rd_addr"] == number
            if register.get("whole"):
                word, place = 0, 0
                for field in register.fields:
                    word, place = word | self.values[field.name] << place, place + field.width
                outputs[f"cfg_{register.name}"] = word
            if enable := register.get("interrupt"):
                irq += [self.values[f.name] and self._enabled(enable, f) for f in register.fields]
            for field in register.fields:
                port = {"pulse": "do", "stored": "cfg", "counter": "q", "sticky": "q"}.get(field.kind)
                if port and field.seen and not (port == "cfg" and register.get("whole")):
                    outputs[f"{port}_{field.name}"] = self.values[field.name]
        if irq:
            outputs["irq"] = any(irq)
        if self.read is not None:
            outputs["rd_data"] = self.read
        return {name: int(value) for name, value in outputs.items()}

    def _enabled(self, register: str, field: Field) -> int:
        return self._of(self.values, register.lower(), field.node.inst_name.lower())

    @staticmethod
    def _of(values: Mapping[str, int], register: str, field: str) -> int:
        """A field's value; a register's only field has the register's name."""
        return values.get(f"{register}_{field}", values.get(register, 0))

    def _written(self, register: Register, inputs: Mapping[str, int]) -> tuple[bool, int, bool]:
        """Whether a register is written, with what, and whether by the core, which goes before software."""
        if register.shared and inputs["hw_we"]:
            return inputs["hw_addr"] == register.number, inputs["hw_data"], True
        return self.taken(inputs) and inputs["wr_addr"] == register.number, inputs["wr_data"], False

    def clock(self, inputs: Mapping[str, int]) -> None:
        """A rising edge."""
        self.read, before = self._word(inputs), dict(self.values)
        if inputs["rst"]:
            self.reset()
            return
        for register in self.registers.values():
            written, data, core = self._written(register, inputs)
            sets = [self._event(field, inputs) for field in register.fields if field.kind == "sticky"]
            for place, field in enumerate(f for f in register.fields if f.kind in ("sticky", "pulse")):
                bit = int(written and field.own(data))
                old = before[field.name]
                self.values[field.name] = sets[place] or (old and not bit) if field.kind == "sticky" else bit
            for field in register.fields:
                cleared = field.get("hwclr") and inputs[f"clr_{field.name}"]
                if field.kind == "counter":
                    pulse = field.get("cleared")
                    clear = self._of(before, *pulse.lower().split(".")) if pulse else cleared
                    base, most = (0 if clear else before[field.name]), (1 << field.width) - 1
                    count = inputs[f"count_{field.name}"] and not (field.get("incrsaturate") and base == most)
                    self.values[field.name] = base + count & most
                elif field.kind in ("stored", "pulse") and cleared:
                    self.values[field.name] = 0
                elif field.kind == "stored" and written and (field.written or core):
                    self.values[field.name] = field.own(data)

    def _event(self, field: Field, inputs: Mapping[str, int]) -> int:
        if (of := field.get("collects")) is not None:
            others = next(r for r in self.registers.values() if r.node.inst_name == of)
            return int(any(self._event(other, inputs) for other in others.fields))
        return inputs[f"set_{field.name}"]

    def _word(self, inputs: Mapping[str, int]) -> int:
        at = inputs["rd_addr"]
        for start, end in reversed(self.windows):
            if at >= start:
                words, size = inputs[f"{self.window_names[start]}_words"], 1 << (end - start - 1).bit_length()
                return words >> 32 * (at % size) & WORD
        word = 0
        for field in self.registers[at].fields if at in self.registers else ():
            if field.kind == "given":
                word |= inputs[f"hw_{field.name}"] << field.low
            elif field.kind not in ("pulse", "command"):
                word |= self.values[field.name] << field.low
        return word
