// rlc_sumtree_words_any.v — rlc_sumtree_words as READ_ANY = 1 promises it, and no better: a read and a write of one
// word in the same clock give the reader anything. For proofs that a caller does not look at such a word.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_sumtree_words #(
    parameter LANES        = 1,
    parameter LANE_WIDTH   = 3,
    parameter WORD_BITS    = 2,
    parameter READ_LATENCY = 1,
    parameter STYLE        = 2,
    parameter READ_ANY     = 1,
    parameter BYPASS       = 0
) (
    input  wire                        clk,
    input  wire [LANES-1:0]            wr_en,
    input  wire [WORD_BITS-1:0]        wr_index,
    input  wire [LANES*LANE_WIDTH-1:0] wr_data,
    input  wire                        rd_en,
    input  wire [WORD_BITS-1:0]        rd_index,
    output wire [LANES*LANE_WIDTH-1:0] rd_data
);
    (* anyseq *) wire [LANE_WIDTH-1:0] anything;
    reg [LANE_WIDTH-1:0] mem [0:(1<<WORD_BITS)-1];
    reg [LANE_WIDTH-1:0] read_q;
    always @(posedge clk) begin
        if (wr_en[0]) mem[wr_index] <= wr_data;
        if (rd_en) read_q <= (wr_en[0] && wr_index == rd_index) ? anything : mem[rd_index];
    end
    rlc_delay #(.WIDTH(LANE_WIDTH), .CLOCKS(READ_LATENCY-1)) u_follow (.clk(clk), .d(read_q), .q(rd_data));
endmodule
`default_nettype wire
