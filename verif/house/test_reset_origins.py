"""What a board's reset is made of keeps rlc_reset_sync's contract: no gate may glitch in front of it."""

import pytest
from pyslang import ast

from rlcores.eda import sources
from rlcores.eda.slang import elaborated

TOPS = [
    ("rlcores:system:serial", "rlc_serial_ulx3s"),
    ("rlcores:system:learns", "rlc_learns_ulx3s"),
    ("rlcores:constraints:colorlight_i9", "rlc_colorlight_i9"),
]


def free_of_gates(expression) -> bool:
    """Whether each bit is a signal, or one inverted."""
    kind = expression.kind
    if kind == ast.ExpressionKind.Conversion:
        return free_of_gates(expression.operand)
    if kind == ast.ExpressionKind.Concatenation:
        return all(map(free_of_gates, expression.operands))
    if kind == ast.ExpressionKind.UnaryOp:
        return expression.op.name in ("LogicalNot", "BitwiseNot") and free_of_gates(expression.operand)
    return kind == ast.ExpressionKind.NamedValue and expression.symbol.initializer is None


@pytest.mark.parametrize(("core", "top"), TOPS)
def test_no_two_asynchronous_resets_meet_in_a_gate(core: str, top: str) -> None:
    _driver, compilation = elaborated(sources.of_core(core).design(top))
    resets = []

    def visit(symbol):
        if symbol.kind == ast.SymbolKind.Instance and symbol.definition.name == "rlc_reset_sync":
            resets.extend(c.expression for c in symbol.portConnections if c.port.name == "rst_in")
        return ast.VisitAction.Advance

    compilation.getRoot().topInstances[0].visit(visit)
    assert len(resets) == 1
    assert all(map(free_of_gates, resets)), resets[0].syntax
