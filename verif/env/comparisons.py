"""What a leaf compares with a constant, read from its RTL: the edges that its test must stand on."""

from dataclasses import asdict, dataclass, replace

from pyslang import ast

from rlcores.eda import sources
from rlcores.eda.slang import elaborated

_RELATIONS = {"LessThan", "LessThanEqual", "GreaterThan", "GreaterThanEqual"}


@dataclass(frozen=True, order=True)
class Comparison:
    """A signal that is compared with a constant: its place below the top, and the constant."""

    signal: str
    bits: int
    constant: int


def of(top: str, parameters: dict[str, int]) -> list[dict]:
    """The comparisons by size of a top of the environments, without those of the primitives, each once."""
    # `rlcores mutate` writes (rlc_mutant == 1 ? (wrong) : (right)); the macro makes the condition a constant.
    design = replace(sources.of_core("rlcores:env:env").design(top, parameters), defines={"RLC_WITHOUT_MUTANTS": 1})
    driver, compilation = elaborated(design)
    body = compilation.getRoot().topInstances[0].body
    comparisons = set()

    def visit(symbol):
        if symbol.kind == ast.SymbolKind.InstanceBody and not symbol.definition.name.startswith("rlc_env"):
            return ast.VisitAction.Skip
        if symbol.kind == ast.SymbolKind.GenerateBlock and symbol.isUninstantiated:
            return ast.VisitAction.Skip
        if (taken := _taken(symbol, body)) is not None:
            taken.visit(visit)
            return ast.VisitAction.Skip
        if getattr(symbol, "kind", None) == ast.ExpressionKind.BinaryOp and symbol.op.name in _RELATIONS:
            sides = [_plain(side, body) for side in (symbol.left, symbol.right)]
            values = [_value(side, body) for side in sides]
            known = [value is not None for value in values]
            if sum(known) == 1:
                signal, value = (sides[1], values[0]) if known[0] else (sides[0], values[1])
                assert signal.kind == ast.ExpressionKind.NamedValue, f"give a name to what is compared: {signal.syntax}"
                place = signal.symbol.hierarchicalPath.partition(".")[2]
                comparisons.add(Comparison(place, signal.type.bitWidth, int(value)))
        return ast.VisitAction.Advance

    body.visit(visit)
    del driver
    return [asdict(one) for one in sorted(comparisons)]


def _value(expression, body) -> object:
    """What an expression always is, be it a wire that a constant drives; None when it changes."""
    context = ast.EvalContext(body)
    value = expression.eval(context).value
    if value is None and expression.kind == ast.ExpressionKind.NamedValue:
        driver = expression.symbol.initializer
        value = driver.eval(context).value if driver else None
    return value


def _plain(expression, body):
    while True:
        if expression.kind == ast.ExpressionKind.Conversion:
            expression = expression.operand
        elif (taken := _taken(expression, body)) is not None:
            expression = taken
        else:
            return expression


def _taken(expression, body):
    """The side of a ?: whose condition is a constant; None when it is something else."""
    if getattr(expression, "kind", None) != ast.ExpressionKind.ConditionalOp:
        return None
    condition = expression.conditions[0].expr.eval(ast.EvalContext(body)).value
    return None if condition is None else expression.left if condition else expression.right
