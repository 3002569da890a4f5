// rlc_learner_columns.v — a queue of batch slices: filled column by column, emptied all columns at once.
// SPDX-License-Identifier: Apache-2.0
//
// begin_batch_slice  a batch slice begins, whose words will be pushed; only while room is high
// room        a place for a whole batch slice is free; a register
// push        the columns that take a word this clock: column after column, or several at once, so that none has more
//             words than the one before it
// keep        the columns that take s_data; the others of push take 0
// m_*         words of all columns, column d in the d-th slice
// latency     1 clock, 2 with more than 64 words
// proof       verif/learner/formal/rlc_learner_columns.sby: every word of a batch slice that may begin has a place
`default_nettype none
module rlc_learner_columns #(
    parameter DP           = 2,  // columns
    parameter WIDTH        = 72, // bits of a column's word
    parameter WORDS        = 1,  // words a batch slice, >= 1
    parameter BATCH_SLICES = 4   // batch slices it holds, >= 1
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                begin_batch_slice,
    output wire                room,
    input  wire [DP-1:0]       push,
    input  wire [DP-1:0]       keep,
    input  wire [WIDTH-1:0]    s_data,
    output wire                m_valid,
    input  wire                m_ready,
    output wire [DP*WIDTH-1:0] m_data
);
    localparam PLACES      = (WORDS * BATCH_SLICES > 2) ? WORDS * BATCH_SLICES : 2;
    localparam STYLE       = (PLACES > 64) ? "block" : "distributed";

    wire pop = m_valid && m_ready;
    wire last;
    rlc_mod_counter #(.COUNT(WORDS)) u_word (.clk(clk), .restart(rst), .step(pop), .at(), .last(last));
    rlc_credit #(.PLACES(BATCH_SLICES)) u_credit (
        .clk(clk), .rst(rst), .take(begin_batch_slice), .give(pop && last), .room(room)
    );

    // The last column never has more words than another: when it has one, all have.
    wire [DP-1:0] valid;
    assign m_valid = valid[DP-1];
    genvar d;
    for (d = 0; d < DP; d = d + 1) begin : g_column
        rlc_queue #(.WIDTH(WIDTH), .DEPTH(PLACES), .STYLE(STYLE)) u_words (
            .clk(clk), .rst(rst), .s_valid(push[d]), .s_data(s_data & {WIDTH{keep[d]}}),
            .m_valid(valid[d]), .m_ready(pop), .m_data(m_data[d*WIDTH +: WIDTH])
        );
    end
    wire unused = &{1'b0, valid};
endmodule
`default_nettype wire
