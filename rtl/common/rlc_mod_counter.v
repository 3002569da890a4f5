// rlc_mod_counter.v — counts from 0 to COUNT - 1 and begins again.
// SPDX-License-Identifier: Apache-2.0
//
// restart   back to 0; goes before step
// step      on to the next
// at        the place; last: it is the last one
// cost      a counter no wider than its numbers, so that its end is found in one level of logic
`default_nettype none
module rlc_mod_counter #(
    parameter COUNT = 4,                              // places, >= 1
    parameter WIDTH = (COUNT > 1) ? $clog2(COUNT) : 1 // bits of `at`, as many as its numbers need or more
) (
    input  wire             clk,
    input  wire             restart,
    input  wire             step,
    output wire [WIDTH-1:0] at,
    output wire             last
);
    if (COUNT < 1) begin : g_check
        rlc_mod_counter_illegal_COUNT_must_be_at_least_1 u_stop ();
    end

    localparam BITS = (COUNT > 1) ? $clog2(COUNT) : 1;
    localparam [31:0] TOP = COUNT - 1;

    reg [BITS-1:0] at_q;
    assign last = at_q == TOP[BITS-1:0];
    always @(posedge clk)
        if (restart)   at_q <= {BITS{1'b0}};
        else if (step) at_q <= last ? {BITS{1'b0}} : at_q + 1'b1;

    wire [WIDTH:0] wide = {{(WIDTH+1-BITS){1'b0}}, at_q};
    assign at = wide[WIDTH-1:0];
    wire unused = wide[WIDTH];
endmodule
`default_nettype wire
