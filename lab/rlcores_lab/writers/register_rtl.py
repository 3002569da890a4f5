"""Register maps as Verilog: flip-flops of the fields, the rules of a write, and the multiplexer of reads.

A block stands behind rlc_axil_regs (wr_*, rd_*). Its other ports are named by what they do and by their field, which is
called REGISTER, or REGISTER_FIELD where the register has several fields, in small letters, behind the name of its
register file if it is in one (NET0_RATE):

cfg_x    what software wrote, for the core    hw_x     what software reads, from the core
set_x    an event: sets a bit that software   do_x     pulse, one clock after software wrote a one
         clears by writing a one              q_x      value of a counter or such a bit, for the core
count_x  counts                               clr_x    sets to 0
wr_reg   software writes the register: it     rd_reg   software reads the register
         is wr_data from the next clock on    irq      an event of an interrupt waits, and is enabled

The rules (may_*, fits_*, untimely, misfit) and windows are in rtl/common/rules.rdlh.
"""

import copy
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from systemrdl.ast import ASTNode, binary, boolean, cast, conditional, exponential, literals, references, relational
from systemrdl.component import Regfile
from systemrdl.node import FieldNode

from rlcores.eda import registers
from rlcores.errors import UserError
from rlcores_lab import shown

_OPERATORS = {
    binary.Add: "+", binary.Sub: "-", exponential.LShift: "<<", relational.Eq: "==", relational.Neq: "!=",
    relational.Gt: ">", relational.Lt: "<", boolean.BoolAnd: "&&", boolean.BoolOr: "||",
}  # fmt: skip


def _plain(ast):
    """An expression without its casts."""
    while isinstance(ast, cast.AssignmentCast | cast.BoolCast | cast.Width64Cast):
        ast = ast.n if isinstance(ast, cast.BoolCast) else ast.v
    return ast


def _substituted(ast, values: Mapping[str, Any]):
    """An expression with the values of a register file's or a register's parameters in their places."""
    if isinstance(ast, references.ParameterRef):
        return values.get(ast.param_name, ast)
    if not isinstance(ast, ASTNode):
        return ast
    parts = {name: _substituted(part, values) for name, part in vars(ast).items() if isinstance(part, ASTNode)}
    copied = copy.copy(ast)
    copied.__dict__.update(parts)
    return copied


def _definitions(
    component, values: Mapping[str, Any], before: str = ""
) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """The registers of a map's definition, those of its register files too: name, definition, values of parameters."""
    for child in component.children:
        own = {**values, **{p.name: _substituted(p.expr, values) for p in child.parameters}}
        if isinstance(child, Regfile):
            yield from _definitions(child, own, f"{before}{child.inst_name}_")
        else:
            yield before + child.inst_name, child, own


def _verilog(ast) -> str:
    """An expression of SystemRDL as one of Verilog, of 32 bits. Raises UserError where no map had such a one yet."""
    ast = _plain(ast)
    if isinstance(ast, literals.IntLiteral):
        return str(ast.val)
    if isinstance(ast, literals.BuiltinEnumLiteral):  # access of software: whether it writes
        return str(int("w" in ast.val.name))
    if isinstance(ast, references.ParameterRef):
        return ast.param_name.removeprefix("P_")
    if isinstance(ast, conditional.Conditional):
        return f"({_verilog(ast.i)} ? {_verilog(ast.j)} : {_verilog(ast.k)})"
    if type(ast) in _OPERATORS:
        return f"({_verilog(ast.l)} {_OPERATORS[type(ast)]} {_verilog(ast.r)})"
    raise UserError(f"a register map has an expression that cannot become Verilog: {type(ast).__name__}")


def _true(ast) -> str:
    return _verilog(ast) if isinstance(_plain(ast), relational._RelationalExpr) else f"({_verilog(ast)} != 0)"


def _number(width: int, value: int) -> str:
    return f"{width}'d{value}" if value < 1 << 16 else f"{width}'h{value:X}"


def _slice(word: str, high: int, low: int) -> str:
    return word if (high, low) == (31, 0) else f"{word}[{high}:{low}]" if high > low else f"{word}[{low}]"


def _joined(words: list[str]) -> str:
    return f"{{{', '.join(words)}}}" if len(words) > 1 else words[0]


class _Field:
    """A field: its node with values of default parameters, and its properties before they had values."""

    def __init__(self, node: FieldNode, definition, values: Mapping[str, Any], alone: bool, limit: int):
        self.get, self.low, self.width = node.get_property, node.low, node.width
        asts = definition.properties | {"msb": definition.msb}
        self.asts = {name: _substituted(ast, values) for name, ast in asts.items()}
        self.label = node.inst_name.lower()
        self.name = registers.name_of(node.parent).lower() + ("" if alone else f"_{self.label}")
        self.limit = limit  # lowest bit of the next field, or 32
        self.wide = self.hangs("msb")  # kept in 32 bits, of which those that it lacks stay 0
        self.seen = "r" in self.get("hw").name  # by the core
        self.high = _verilog(self.asts["msb"]) if self.wide else str(self.width - 1)
        self.range = f"[{self.high}:0]" if self.wide or self.width > 1 else ""

    def hangs(self, name: str) -> bool:
        """Whether a property hangs on a parameter."""
        ast = _plain(self.asts.get(name))
        return not (ast is None or isinstance(ast, literals.IntLiteral | literals.BuiltinEnumLiteral | int))

    @cached_property
    def kind(self) -> str:
        sw, written = self.get("sw").name, "w" in self.get("hw").name and not self.get("we")
        if self.get("onwrite") is not None:
            return "sticky"
        if self.get("counter") or self.get("singlepulse"):
            return "counter" if self.get("counter") else "pulse"
        if sw == "w":
            return "command"
        if sw == "rw" or self.hangs("sw"):
            return "through" if written else "stored"  # written to the core, read from it; or kept here
        return "status" if written else "constant"

    @property
    def constants(self) -> dict[str, str]:
        """What its text names, with 32 bits."""
        names = ["most"] + ["reset"] * (self.kind in ("stored", "constant"))
        texts = {name: _verilog(self.asts[name]) for name in names if self.hangs(name)}
        texts |= {"mask": f"(2 << {self.high}) - 1"} if self.wide else {}
        return {f"{self.name}_{name}".upper(): text for name, text in texts.items()}

    @property
    def reset(self) -> str:
        """Its value after reset, or for good."""
        width = 32 if self.wide else self.width
        if self.hangs("reset"):
            return _slice(f"{self.name.upper()}_RESET", width - 1, 0)
        return _number(width, self.get("reset") or 0)

    @property
    def fits(self) -> list[str]:
        """What must be true of wr_data."""
        low, width, conditions = self.low, self.limit - self.low, []
        written, own = _slice("wr_data", self.limit - 1, low), _slice("wr_data", low + self.width - 1, low)
        if (least := self.get("least")) is not None:
            conditions.append(
                f"{written} != {_number(width, 0)}" if least == 1 else f"{written} >= {_number(width, least)}"
            )
        if (most := self.get("most")) is not None:
            bits = most.bit_length()
            if self.hangs("most"):
                conditions.append(f"{written} <= {_slice(f'{self.name.upper()}_MOST', width - 1, 0)}")
            elif most + 1 != 1 << bits:
                conditions.append(f"{written} <= {_number(width, most)}")
            elif bits < width:
                conditions.append(f"{_slice('wr_data', self.limit - 1, low + bits)} == {_number(width - bits, 0)}")
        if self.get("needs") is not None:
            conditions.append(f"({_true(self.asts['needs'])} || {own} == {_number(self.width, 0)})")
        return [f"(!{_true(self.asts['sw'])} || {text})" for text in conditions] if self.hangs("sw") else conditions


class _Block:
    """The parts of a block's text, gathered register by register; a register's number is its word address."""

    def __init__(self, definition, top):
        self.ports: dict[str, tuple[str, str]] = {}  # direction and range by name
        self.constants: dict[str, str] = {}
        self.body: list[str | dict] = []  # lines, and what a field needs
        self.reads: list[str] = []
        self.timely: dict[str, list[str]] = {}  # addresses of registers by what makes a write timely
        self.fits: dict[str, list[str]] = {}  # and by what makes it fit
        self.acts: list[str] = []  # and of those that act when they are written
        self.irq: list[str] = []
        nodes = {node.absolute_address // 4: node for node in registers.nodes(top)}
        self.alone = {registers.name_of(node).lower() for node in nodes.values() if len(list(node.fields())) == 1}
        starts = [n for n, node in nodes.items() if node.get_property("window") is not None]
        self.end = max(nodes) + 1
        self.bits = max(1, (self.end - 1).bit_length())
        self.address = f"[{self.bits - 1}:0]"
        definitions = {name: (child, values) for name, child, values in _definitions(definition, {})}
        for number, node in nodes.items():
            if not starts or number < starts[0]:
                self._register(number, node, *definitions[registers.name_of(node)])
        self.read = "word"
        for start, end in pairwise([*starts, self.end]):
            bits, words = (end - start - 1).bit_length(), f"{nodes[start].get_property('window')}_words"
            self._input(words, f"[{(32 << bits) - 1}:0]")
            self.read = f"rd_addr >= {self._at(start)} ? {words}[{{rd_addr[{bits - 1}:0], 5'd0}} +: 32] : {self.read}"

    def _input(self, name: str, range_: str = "") -> str:
        self.ports[name] = ("input ", range_)
        return name

    def _output(self, name: str, value: str, range_: str = "") -> None:
        self.ports[name] = ("output", range_)
        self.body.append(f"    assign {name} = {value};")

    def _at(self, number: int) -> str:
        return f"{self.bits}'d{number}"

    def _register(self, number: int, node, definition, values: Mapping[str, Any]) -> None:
        name, nodes = registers.name_of(node).lower(), list(node.fields())
        by_name = {child.inst_name: child for child in definition.children}
        limits, alone = [n.low for n in nodes[1:]] + [32], len(nodes) == 1
        fields = [_Field(n, by_name[n.inst_name], values, alone, at) for n, at in zip(nodes, limits, strict=True)]
        kinds = {field.kind for field in fields}
        before = len(self.body)
        for field in fields:
            self.constants |= field.constants
        self._rules(number, node, _substituted(definition.properties.get("needs"), values), fields)
        if kinds - {"constant", "status", "counter"}:
            enable = "take && wr_addr"
            if any(field.get("we") for field in fields):
                self._input("hw_we"), self._input("hw_addr", self.address), self._input("hw_data", "[31:0]")
                enable = "in_en && in_addr"
            self.body.append(f"    wire take_{name} = {enable} == {self._at(number)};")
        if kinds & {"sticky", "pulse", "command", "through"}:
            self.acts.append(self._at(number))
        if any(field.get("swmod") for field in fields):
            self._output(f"wr_{name}", f"take_{name}")
        if any(field.get("swacc") for field in fields):
            self._output(f"rd_{name}", f"{self._input('rd_en')} && rd_addr == {self._at(number)}")
        if "sticky" in kinds:
            self._sticky(name, fields, (node.get_property("interrupt") or "").lower())
        whole, word, end = node.get_property("whole"), [], 32
        for field in reversed(fields):
            text = self._field(field, name, whole)
            if text:
                gap = 0 if field.wide else end - field.low - field.width
                word += [_number(gap, 0)] * (gap > 0) + [text]
                end = field.low
        if whole:
            width = sum(field.width for field in fields)
            self._output(f"cfg_{name}", _joined(word[len(word) - len(fields) :]), f"[{width - 1}:0]")
        if word:
            word += [_number(end, 0)] * (end > 0)
            self.reads.append(f"{self._at(number)}: word = {_joined(word)};  // {name.upper()}")
        if len(self.body) > before:
            self.body.insert(before, f"\n    // {name.upper()}")

    def _rules(self, number: int, node, needs, fields: list[_Field]) -> None:
        if (may := node.get_property("may")) is not None:
            self.timely.setdefault(self._input(f"may_{may}"), []).append(self._at(number))
        conditions = [text for field in fields for text in field.fits]
        if (fits := node.get_property("fits")) is not None:
            conditions.append(self._input(f"fits_{fits}"))
        if needs is not None:
            conditions.append(_true(needs))
        if conditions:
            self.fits.setdefault(" && ".join(conditions), []).append(self._at(number))

    def _sticky(self, name: str, fields: list[_Field], enable: str) -> None:
        width, events = len(fields), []
        if [(field.low, field.width) for field in fields] != [(i, 1) for i in range(width)]:
            raise UserError(f"{name.upper()}: bits that software clears must stand side by side from bit 0 on")
        for field in reversed(fields):
            collected = field.get("collects")
            events.append(f"|{collected.lower()}_set" if collected else self._input(f"set_{field.name}"))
            self.irq += [f"({name}_q[{field.low}] && {self._kept(enable, field.label)})"] * bool(enable)
        self.body.append({"kind": "sticky", "name": name, "width": width, "events": _joined(events)})

    def _kept(self, register: str, field: str) -> str:
        """The flip-flops of a field; those of a register's only field have no name of their own."""
        return f"{register}_q" if register in self.alone else f"{register}_{field}_q"

    def _field(self, field: _Field, register: str, whole: bool | None) -> str:
        """Write what a field needs; what software reads of it, or nothing."""
        name, kind, kept = field.name, field.kind, f"{field.name}_q"
        clear = self._input(f"clr_{name}") if field.get("hwclr") else ""
        if kind in ("status", "through"):
            return self._input(f"hw_{name}", field.range)
        if kind == "sticky":
            kept = f"{register}_q[{field.low}]"
        if kind == "counter":
            pulse = field.get("cleared")
            clear = self._kept(*pulse.lower().split(".")) if pulse else clear or "1'b0"
            count = self._input(f"count_{name}")
            self.body.append({"kind": kind, "field": field, "zero": clear, "count": count})
        if kind in ("counter", "sticky") and field.seen:
            self._output(f"q_{name}", kept, field.range)
        if kind in ("stored", "pulse"):
            taken = _slice("in_data" if field.get("we") else "wr_data", field.low + field.width - 1, field.low)
            taken = f"{taken.partition('[')[0]} & {name.upper()}_MASK" if field.wide else taken
            when = f"take_{register}" + (f" && {_true(field.asts['sw'])}" if field.hangs("sw") else "")
            self.body.append({"kind": kind, "field": field, "zero": clear, "when": when, "taken": taken})
            if field.seen and not whole:
                output = f"{kept}{field.range}" if field.wide else kept
                self._output(f"{'do' if kind == 'pulse' else 'cfg'}_{name}", output, field.range)
        return {"constant": field.reset, "pulse": "", "command": ""}.get(kind, kept)

    def text(self, module: str, source: str, parameters: dict[str, int]) -> str:
        """The whole file."""
        self.body.append("")
        if self.irq:
            self._output("irq", " || ".join(self.irq))
        self._output("wr_acts", " || ".join(f"wr_addr == {place}" for place in self.acts) or "1'b0")
        self._output("untimely", "wr_en && !timely")
        self._output("misfit", "wr_en && timely && !fits")
        inputs = {"clk": "", "rst": "", "wr_en": "", "wr_addr": self.address, "wr_data": "[31:0]"}
        inputs |= {"rd_addr": self.address}
        ports = {name: ("input ", range_) for name, range_ in inputs.items()} | {"rd_data": ("output", "[31:0]")}
        ports |= self.ports
        said = " ".join([*self.constants.values(), *self.fits, str(ports), *map(str, self.body)])
        return shown.rendered(
            "writers/regs.v.j2", module=module, source=source, block=self, ports=ports,
            wide=max(len(range_) for _, range_ in ports.values()),
            parameters={name: value for name, value in parameters.items() if re.search(rf"\b{name}\b", said)},
        )  # fmt: skip


def verilog(core: str) -> str:
    """The registers of a core as a Verilog module rlc_CORE_regs. Raises UserError when the core has no register map."""
    compiler = registers.compiled(core)
    definition = compiler.root.comp_defs[f"rlc_{core}"]
    top = compiler.elaborate(top_def_name=definition.type_name).top
    parameters = {p.name.removeprefix("P_"): p.get_value() for p in top.inst.parameters}
    return _Block(definition, top).text(f"rlc_{core}_regs", registers.source(core).name, parameters)
