// rlc_handshake_rules.sv — the rules of one channel with valid and ready, whatever it carries (AMBA AXI, A3.2.1).
// SPDX-License-Identifier: Apache-2.0
//
// WIDTH     bits of what stands at the channel beside valid
// PROVED    formal: 1 the rules of the side that has valid are proved, 0 they are assumed of it; simulation checks them.
//           2: nobody looks
// ALWAYS    1: there may be no reset at all
//
// rst       as the design's: synchronous, high. Nothing is checked before the first one, unless ALWAYS is 1
`default_nettype none
`include "rlc_rules.svh"
module rlc_handshake_rules #(
    parameter WIDTH  = 8,
    parameter PROVED = 1,
    parameter ALWAYS = 0
) (
    input wire             clk,
    input wire             rst,
    input wire             valid,
    input wire             ready,
    input wire [WIDTH-1:0] data
);
    reg             seen  = ALWAYS != 0;    // there was a reset
    reg             rst_1 = 1'b0;
    reg             held  = 1'b0;           // a word stood and was not taken, a clock ago
    reg [WIDTH-1:0] data_1;
    always @(posedge clk) begin
        seen   <= seen || rst;
        rst_1  <= rst;
        held   <= valid && !ready && !rst;
        data_1 <= data;
    end
    always @(posedge clk) if (seen) begin
        if (rst_1) begin
            `RLC_RULE(PROVED, reset, !valid, "VALID is high in reset")
        end
        if (!rst && held) begin
            `RLC_RULE(PROVED, valid_stays, valid, "VALID fell before READY")
            `RLC_RULE(PROVED, holds, data == data_1, "what is offered changed before READY")
        end
    end
endmodule
`default_nettype wire
