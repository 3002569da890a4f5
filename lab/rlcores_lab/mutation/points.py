"""Where a Verilog text can be broken, and how.

Only what runs is broken: right-hand sides, conditions, statements and the inputs of instances. Constants of the
elaboration (parameters, ranges, generate conditions, counts of replication, constant functions and the headers of
loops) cannot be chosen as a simulation starts, and are left alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyslang
from pyslang import syntax

KINDS = ("operator", "constant", "condition", "enable", "assignment")

# Operator -> what it may become. The result has the same sign, and the same width wherever it stands.
_BINARY = {
    "+": ("-",), "-": ("+",), "*": ("+",),
    "&": ("|", "^"), "|": ("&", "^"), "^": ("&", "|"), "~^": ("^",),
    "&&": ("||",), "||": ("&&",),
    "==": ("!=",), "!=": ("==",), "===": ("!==",), "!==": ("===",),
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "<<": (">>",), ">>": ("<<",), "<<<": (">>>",), ">>>": ("<<<", ">>"),
}  # fmt: skip
_ELABORATED = ("ParameterDeclaration", "ParameterValueAssignment", "RangeDimensionSpecifier", "SimpleRangeSelect")
_CALL = "InvocationExpression"
_REDUCTION = {"&": ("|",), "|": ("&", "^"), "^": ("|",), "~&": ("~|",), "~|": ("~&",), "~^": ("^",)}
# What runs in a construct of the grammar: where it is, a path of attributes through which all items of lists are
# reached, and the method of _Walk that takes it.
_RUNS = {
    "GenerateRegion": {"members": "visit"},
    "IfGenerate": {"block": "block", "elseClause.clause": "block"},
    "LoopGenerate": {"block": "block"},
    "CaseGenerate": {"items.clause": "block"},
    "GenerateBlock": {"": "block"},
    "ContinuousAssign": {"assignments.right": "whole"},
    "NetDeclaration": {"declarators": "net"},
    "AlwaysBlock": {"statement": "visit"},
    "HierarchyInstantiation": {"": "instances"},
    "FunctionDeclaration": {"": "function"},
    "TimingControlStatement": {"statement": "visit"},
    "SequentialBlockStatement": {"items": "visit"},
    "ConditionalStatement": {"": "branch"},
    "CaseStatement": {"expr": "visit", "items.clause": "visit"},
    "ForLoopStatement": {"": "loop"},
    "ExpressionStatement": {"": "assignment"},
    "SimplePropertyExpr": {"expr": "visit"},
    "SimpleSequenceExpr": {"expr": "visit"},
    "IntegerLiteralExpression": {"": "literal"},
    "IntegerVectorExpression": {"": "literal"},
    "ConditionalExpression": {"predicate.conditions.expr": "choice", "left": "visit", "right": "visit"},
    "ParenthesizedExpression": {"expression": "visit"},
    "ConcatenationExpression": {"expressions": "visit"},
    "MultipleConcatenationExpression": {"concatenation": "visit"},
    "InvocationExpression": {"": "call"},
    "IdentifierSelectName": {"selectors.selector": "visit"},
    "BitSelect": {"expr": "index"},
    "AscendingRangeSelect": {"left": "index"},
    "DescendingRangeSelect": {"left": "index"},
}


@dataclass(frozen=True)
class Change:
    """One way to break a place: its kind, and the text that stands there then."""

    kind: str
    after: str


@dataclass
class Site:
    """A place in a module that can be broken in one or more ways.

    start and end are offsets in the file, `blocks` the offsets of the generate blocks around it. `statement` tells a
    statement, which can only be left out, from an expression; `nth` counts the places of a module that read the same.
    """

    file: Path
    module: str
    start: int
    end: int
    line: int
    before: str
    changes: list[Change]
    blocks: tuple[int, ...] = ()
    statement: bool = False
    nth: int = 1


@dataclass
class Module:
    """One module of a file, where declarations can be put into it, and its one-bit inputs."""

    file: Path
    name: str
    body: int  # the offset behind its header
    sites: list[Site] = field(default_factory=list)
    scalars: set[str] = field(default_factory=set)


def parse(files: Sequence[Path]) -> list[Module]:
    """The modules of these files and every place where they can be broken, in the order of the text."""
    manager = pyslang.SourceManager()
    trees = [(path, syntax.SyntaxTree.fromFile(str(path), manager)) for path in files]
    parsed = [(_module(path, node), node, tree) for path, tree in trees for node in modules_of(tree.root)]
    scalars = {module.name: module.scalars for module, _, _ in parsed}
    for module, node, tree in parsed:
        _Walk(module, tree, scalars).module(node)
    return [module for module, _, _ in parsed]


def modules_of(root) -> list:
    below = [root] if root.kind.name == "ModuleDeclaration" else root.members
    return [node for node in below if node.kind.name == "ModuleDeclaration"]


def _module(path: Path, node) -> Module:
    header = node.header
    scalars = set()
    for port in header.ports.ports if header.ports else []:
        if isinstance(port, syntax.ImplicitAnsiPortSyntax):
            words = str(port.header).split()
            if "input" in words and not any("[" in word for word in words):
                scalars.add(port.declarator.name.valueText)
    return Module(path, header.name.valueText, header.semi.range.end.offset, [], scalars)


def one_line(text: str) -> str:
    """A text with every run of white space as one space."""
    return " ".join(text.split())


def _each(items) -> list:
    """The nodes of a list, without the commas between them."""
    return [item for item in items if isinstance(item, syntax.SyntaxNode)]


def _reached(node, path: str) -> list:
    """The nodes at the end of a path of attributes."""
    nodes = [node]
    for name in filter(None, path.split(".")):
        parts = [getattr(one, name) for one in nodes]
        lists = (_each(part) if isinstance(part, list) else [part] for part in parts if part is not None)
        nodes = [item for items in lists for item in items]
    return nodes


def nodes_of(node) -> Iterator:
    """The node and everything below it that is no token."""
    yield node
    for child in _each(node):
        yield from nodes_of(child)


class _Walk:
    """One module: fills its list of sites."""

    def __init__(self, module: Module, tree, scalars: dict[str, set[str]]) -> None:
        self.to, self.scalars = module, scalars
        self.raw = module.file.read_bytes()
        self.buffer = tree.root.sourceRange.start.buffer
        self.blocks: tuple[int, ...] = ()
        self.seen: dict[tuple[str, str], int] = {}
        self.constants: set[str] = set()
        self.elaborated: set[str] = set()  # functions that the elaboration calls

    def module(self, node) -> None:
        for part in nodes_of(node):
            kind = part.kind.name
            if kind == "ParameterDeclaration":
                self.constants |= {d.name.valueText for d in nodes_of(part) if d.kind.name == "Declarator"}
            elif kind == "GenvarDeclaration":
                self.constants |= set(re.findall(r"\w+", str(part)))
            elif kind == "LoopGenerate":
                self.constants.add(part.identifier.valueText)
            if kind in _ELABORATED or kind in ("IfGenerate", "LoopGenerate"):
                chosen = {"IfGenerate": "condition", "LoopGenerate": "stopExpr"}.get(kind, "")
                calls = (n for one in _reached(part, chosen) for n in nodes_of(one) if n.kind.name == _CALL)
                self.elaborated |= {str(call.left).strip() for call in calls}
        for member in node.members:
            self.visit(member)

    def visit(self, node) -> None:
        """Whatever runs in a node of the grammar, unless it comes from an include file."""
        if node.sourceRange.start.buffer != self.buffer:
            return
        if isinstance(node, syntax.PrefixUnaryExpressionSyntax):
            self.unary(node)
        elif isinstance(node, syntax.BinaryExpressionSyntax):
            self.binary(node)
        for path, method in _RUNS.get(node.kind.name, {}).items():
            for part in _reached(node, path):
                getattr(self, method)(part)

    # Members of a module or generate block.

    def block(self, node) -> None:
        before = self.blocks
        if node.kind.name != "IfGenerate":  # else if
            self.blocks = (*before, node.sourceRange.start.offset)
        for part in node.members if node.kind.name == "GenerateBlock" else [node]:
            self.visit(part)
        self.blocks = before

    def net(self, node) -> None:
        unused = node.name.valueText.startswith("unused")  # for the linter; nothing reads it
        if node.initializer is not None and not unused:
            self.whole(node.initializer.expr)

    def function(self, node) -> None:
        if str(node.prototype.name).strip() not in self.elaborated:
            for item in node.items:
                self.visit(item)

    def instances(self, node) -> None:
        scalars = self.scalars.get(node.type.valueText, set())
        for connection in _reached(node, "instances.connections"):
            if connection.kind.name != "NamedPortConnection" or connection.expr is None:
                continue
            expression = _inner(connection.expr)
            name = connection.name.valueText
            if name in scalars and not name.endswith("clk") and name != "rst" and not _literal(expression):
                self.condition(expression, "enable")
            self.visit(expression)

    # Statements.

    def branch(self, node) -> None:
        self.choice(node.predicate.conditions[0].expr, "condition" if node.elseClause else "enable")
        self.visit(node.statement)
        if node.elseClause is not None:
            self.visit(node.elseClause.clause)

    def loop(self, node) -> None:
        self.constants |= {str(part.left).strip() for part in _each(node.initializers) if hasattr(part, "left")}
        self.visit(node.statement)

    def assignment(self, node) -> None:
        if node.expr.kind.name in ("AssignmentExpression", "NonblockingAssignmentExpression"):
            self.add(node, "assignment", [""], statement=True)
            self.visit(node.expr.right)

    # Expressions.

    def whole(self, node) -> None:
        """The right-hand side of a net: may be lost, and is then 0."""
        if not _literal(node):
            text = self.source(node)
            # A difference keeps the sign of what stood there.
            self.add(node, "assignment", [f"(({text}) - ({text}))"])
        self.visit(node)

    def condition(self, node, kind: str) -> None:
        """What decides: taken the other way, always, never."""
        node = _inner(node)
        text = self.source(node)
        self.add(node, kind, [f"!({text})", "1'b1", "1'b0"])

    def choice(self, node, kind: str = "condition") -> None:
        self.condition(node, kind)
        self.visit(node)

    def call(self, node) -> None:
        name = str(node.left).strip()
        ours = not name.startswith("$") and name not in self.elaborated
        if (ours or name in ("$signed", "$unsigned")) and node.arguments is not None:
            for argument in _each(node.arguments.parameters):
                if hasattr(argument, "expr"):
                    self.visit(argument.expr)

    def index(self, node) -> None:
        names = {part.identifier.valueText for part in nodes_of(node) if hasattr(part, "identifier")}
        # A constant place is part of the elaboration.
        if names - self.constants:
            self.visit(node)

    def binary(self, node) -> None:
        operator = node.operatorToken.valueText
        left, right = self.source(node.left), self.source(node.right)
        self.add(node, "operator", [f"({left}) {other} ({right})" for other in _BINARY.get(operator, ())])
        self.visit(node.left)
        self.visit(node.right)

    def unary(self, node) -> None:
        operator = node.operatorToken.valueText
        operand = self.source(node.operand)
        if operator == "!":
            changes = [f"!(!({operand}))"]
        elif operator in ("~", "-"):
            changes = [operand]
        else:
            changes = [f"{other}({operand})" for other in _REDUCTION.get(operator, ())]
        self.add(node, "operator", changes)
        self.visit(node.operand)

    def literal(self, node) -> None:
        self.add(node, "constant", literals(self.source(node)))

    def source(self, node) -> str:
        place = node.sourceRange
        return self.raw[place.start.offset : place.end.offset].decode()

    def add(self, node, kind: str, others: list[str], *, statement: bool = False) -> None:
        place = node.sourceRange
        if not others or place.start.buffer != self.buffer or place.end.buffer != self.buffer:
            return
        start, end = place.start.offset, place.end.offset
        line = self.raw.count(b"\n", 0, start) + 1
        before = self.raw[start:end].decode()
        same = (kind, one_line(before))
        self.seen[same] = nth = self.seen.get(same, 0) + 1
        where = self.to.file, self.to.name, start, end, line, before
        self.to.sites.append(Site(*where, [Change(kind, text) for text in others], self.blocks, statement, nth))


def _inner(node):
    """The expression inside the wrappers that the grammar puts around one."""
    while node.kind.name in ("SimplePropertyExpr", "SimpleSequenceExpr"):
        node = node.expr
    return node


def _literal(node) -> bool:
    return node.kind.name in ("IntegerLiteralExpression", "IntegerVectorExpression", "StringLiteralExpression")


def literals(text: str) -> list[str]:
    """Numbers of the same width, base and sign beside this one: one more, one less. None for x, z and names."""
    sized = re.fullmatch(r"(\d+)\s*'([sS]?)([bBoOdDhH])\s*([0-9a-fA-F_]+)", text)
    if sized:
        width, sign, base, digits = int(sized[1]), sized[2], sized[3].lower(), sized[4].replace("_", "")
        value = int(digits, {"b": 2, "o": 8, "d": 10, "h": 16}[base])
        form = {"b": "b", "o": "o", "d": "d", "h": "x"}[base]
        others = {(value + 1) % 2**width, (value - 1) % 2**width} - {value}
        return [f"{width}'{sign}{base}{other:{form}}" for other in sorted(others)]
    if re.fullmatch(r"\d+", text):
        value = int(text)
        return [str(other) for other in sorted({value + 1, abs(value - 1)})]
    return []
