// rlc_sumtree_total.v — the sum of all leaves: adds a change every clock.
// SPDX-License-Identifier: Apache-2.0
//
// sweep   the sum becomes 0; delta: change, signed; both count in the next clock
// bound   the sum of 2^n leaves of w bits fits w+n bits and is never negative, so nothing saturates
`default_nettype none
module rlc_sumtree_total #(
    parameter WIDTH       = 30, // bits of the total
    parameter DELTA_WIDTH = 19  // bits of a change, signed
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          sweep,
    input  wire signed [DELTA_WIDTH-1:0] delta,
    output wire [WIDTH-1:0]              total
);
    reg [WIDTH-1:0] total_q;
    wire signed [WIDTH:0] change = delta;
    always @(posedge clk)
        if (rst || sweep) total_q <= {WIDTH{1'b0}};
        else              total_q <= total_q + change[WIDTH-1:0];
    assign total = total_q;
endmodule
`default_nettype wire
