// rlc_learner_kind.v — a bit beside each word of a queue; that of the word in front is a register.
// SPDX-License-Identifier: Apache-2.0
//
// push     a word enters the queue, and s_kind with it
// pop      the word in front leaves it; only while there is one
// m_kind   bit of the word in front, while there is one
// latency  none beside the queue's: m_kind is there with the word
`default_nettype none
`include "rlc_check.vh"
module rlc_learner_kind #(
    parameter DEPTH = 8 // places of the queue, >= 2
) (
    input  wire clk,
    input  wire rst,
    input  wire push,
    input  wire s_kind,
    input  wire pop,
    output reg  m_kind
);
    `RLC_CHECK(DEPTH >= 2, rlc_learner_kind_illegal_DEPTH_must_be_at_least_2)

    localparam ADDR_WIDTH  = (DEPTH > 2) ? $clog2(DEPTH) : 1;
    localparam COUNT_WIDTH = $clog2(DEPTH + 1);
    localparam [COUNT_WIDTH-1:0] NONE = 0;
    localparam [COUNT_WIDTH-1:0] ONE  = 1;
    localparam [31:0] LAST_32 = DEPTH - 1;
    localparam [ADDR_WIDTH-1:0] LAST = LAST_32[ADDR_WIDTH-1:0];

    (* ram_style = "distributed" *)
    reg                    mem [0:DEPTH-1];
    reg [ADDR_WIDTH-1:0]   wr_q, behind_q;   // where the next bit goes; where the one behind the front stands
    reg [COUNT_WIDTH-1:0]  count_q;
    wire                   behind = mem[behind_q];

    always @(posedge clk) begin
        if (push) mem[wr_q] <= s_kind;
        if (rst) begin
            wr_q     <= {ADDR_WIDTH{1'b0}};
            behind_q <= {{(ADDR_WIDTH-1){1'b0}}, 1'b1};
            count_q  <= NONE;
        end else begin
            if (push) wr_q <= (wr_q == LAST) ? {ADDR_WIDTH{1'b0}} : wr_q + 1'b1;
            if (pop) behind_q <= (behind_q == LAST) ? {ADDR_WIDTH{1'b0}} : behind_q + 1'b1;
            if (push != pop) count_q <= pop ? count_q - ONE : count_q + ONE;
        end
        // pop comes late: it only enables.
        if (pop || count_q == NONE) m_kind <= (count_q <= ONE) ? s_kind : behind;
    end
endmodule
`default_nettype wire
