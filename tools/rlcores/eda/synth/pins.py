"""A top for place and route: all ports of a module in registers, folded into shift registers so that few pins do."""

import json
from collections.abc import Mapping, Sequence

from rlcores.eda.slang import Port
from rlcores.errors import UserError


def registers(module_ports: Sequence[Port], clock: str = "clk") -> int:
    """Flip-flops that wrapper() adds."""
    return sum(p.bits for p in module_ports if p.name != clock) + 1


def wrapper(
    name: str, module: str, parameters: Mapping[str, int | str], module_ports: Sequence[Port], clock: str = "clk"
) -> str:
    """Verilog of a module `name` with the pins clk, d, load, q around `module`.

    Inputs of the module come from a shift register fed by d; its outputs are captured by load and shifted out to
    q. So every path of the module starts and ends in a register, which is what place and route times. Raises
    UserError when the module has no port `clock`, or has an inout.
    """
    if clock not in {p.name for p in module_ports}:
        raise UserError(f"module '{module}' has no clock port '{clock}'")
    inputs = [p for p in module_ports if p.output is False and p.name != clock]
    outputs = [p for p in module_ports if p.output]
    if len(inputs) + len(outputs) + 1 != len(module_ports) or not inputs or not outputs:
        raise UserError(f"module '{module}' needs inputs and outputs, and no inout")
    connections = [f".{clock}(clk)"]
    for group, bus in ((inputs, "in_q"), (outputs, "out")):
        low = 0
        for port in group:
            connections.append(f".{port.name}({bus}[{low + port.bits - 1}:{low}])")
            low += port.bits
    width_in, width_out = sum(p.bits for p in inputs), sum(p.bits for p in outputs)
    parameter_list = ", ".join(f".{key}({json.dumps(value)})" for key, value in parameters.items())
    return f"""\
`default_nettype none
module {name} (
    input  wire clk,
    input  wire d,
    input  wire load,
    output wire q
);
    reg  [{width_in - 1}:0] in_q;
    wire [{width_out - 1}:0] out;
    reg  [{width_out}:0] out_q;
    always @(posedge clk) begin
        in_q  <= {{in_q, d}};
        out_q <= load ? {{1'b0, out}} : {{out_q, 1'b0}};
    end
    assign q = out_q[{width_out}];
    {module} #({parameter_list}) dut (
        {(", " + chr(10) + "        ").join(connections)}
    );
endmodule
`default_nettype wire
"""
