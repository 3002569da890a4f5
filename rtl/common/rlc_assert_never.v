// rlc_assert_never.v — what must never happen: simulation stops there, a proof fails, and hardware has nothing of it.
// SPDX-License-Identifier: Apache-2.0
//
// bad   what must be low outside of a reset, such as a word for a queue that has no room
`default_nettype none
module rlc_assert_never (
    input wire clk,
    input wire rst,
    input wire bad
);
`ifdef FORMAL
    always @(posedge clk) assert (rst || !bad);
`else
`ifdef SYNTHESIS
    wire unused = &{1'b0, clk, rst, bad};
`else
    always @(posedge clk) if (rst === 1'b0 && bad === 1'b1) $fatal(1, "%m: this must never happen");
`endif
`endif
endmodule
`default_nettype wire
