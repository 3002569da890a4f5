// rlc_mlp_argmax.v — index of the greatest of COUNT numbers, one per clock; the first of equals.
// SPDX-License-Identifier: Apache-2.0
//
// valid, values   numbers of 18 bits, the first lowest; they stand still while valid is high
// done, index     COUNT clocks after valid rose, until it falls
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_argmax #(
    parameter COUNT = 2 // numbers, 1 to 1024
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                valid,
    input  wire [COUNT*18-1:0] values,
    output wire                done,
    output wire [9:0]          index
);
    `RLC_CHECK(COUNT >= 1 && COUNT <= 1024, rlc_mlp_argmax_illegal_COUNT_must_be_1_to_1024)
    localparam LAST = COUNT - 1;

    reg                done_q;
    reg [9:0]          at_q, best_at_q;
    reg signed [17:0]  best_q;
    reg [COUNT*18-1:0] rest_q;
    wire               first   = at_q == 10'd0;
    wire signed [17:0] present = first ? values[17:0] : rest_q[17:0];
    wire               better  = first || present > best_q;
    always @(posedge clk) begin
        if (rst || !valid) begin
            done_q <= 1'b0;
            at_q   <= 10'd0;
        end else if (!done_q) begin
            done_q <= at_q == LAST[9:0];
            at_q   <= at_q + 1'b1;
            if (better) begin
                best_q    <= present;
                best_at_q <= at_q;
            end
        end
        rest_q <= (first ? values : rest_q) >> 18;
    end
    assign done  = done_q && valid;
    assign index = best_at_q;
endmodule
`default_nettype wire
