// rlc_sumtree_words.v — one memory of the tree; its kind is a digit, and a single word is kept in registers.
// SPDX-License-Identifier: Apache-2.0
//
// collision     with READ_ANY = 0 a read returns the word as it was before a write on the same edge
`default_nettype none
`include "rlc_check.vh"
module rlc_sumtree_words #(
    parameter LANES        = 16, // lanes of a word, each with a write enable
    parameter LANE_WIDTH   = 18, // bits of a lane
    // log2 of the words; 0: one word in registers, which is read in the clock it is asked for
    parameter WORD_BITS    = 8,
    parameter READ_LATENCY = 2,  // see rlc_ram_1r1w_lane; a single word has none
    parameter STYLE        = 2,  // 0 auto, 1 distributed, 2 block, 3 ultra
    parameter READ_ANY     = 0,  // see rlc_ram_1r1w_lane
    parameter BYPASS       = 0,  // see rlc_ram_1r1w_lane
    parameter INDEX_WIDTH  = (WORD_BITS > 0) ? WORD_BITS : 1 // derived, leave it alone
) (
    input  wire                        clk,
    input  wire [LANES-1:0]            wr_en,
    input  wire [INDEX_WIDTH-1:0]      wr_index,
    input  wire [LANES*LANE_WIDTH-1:0] wr_data,
    input  wire                        rd_en,
    input  wire [INDEX_WIDTH-1:0]      rd_index,
    output wire [LANES*LANE_WIDTH-1:0] rd_data
);
    if (WORD_BITS == 0) begin : g_registers
        reg [LANES*LANE_WIDTH-1:0] word_q;
        integer lane;
        always @(posedge clk)
            for (lane = 0; lane < LANES; lane = lane + 1)
                if (wr_en[lane]) word_q[lane*LANE_WIDTH +: LANE_WIDTH] <= wr_data[lane*LANE_WIDTH +: LANE_WIDTH];
        wire unused = &{1'b0, wr_index, rd_en, rd_index};
        assign rd_data = word_q;
    end else begin : g_memory
        rlc_ram_1r1w_lane #(
            .LANES(LANES), .LANE_WIDTH(LANE_WIDTH), .DEPTH(1 << WORD_BITS), .READ_LATENCY(READ_LATENCY),
            .STYLE(`RLC_STYLE(STYLE)),
            .READ_ANY(READ_ANY), .BYPASS((READ_LATENCY >= 2) ? BYPASS : 0)  // less is illegal, as rlc_sumtree says
        ) u_ram (
            .clk(clk),
            .wr_en(wr_en), .wr_addr(wr_index), .wr_data(wr_data),
            .rd_en(rd_en), .rd_addr(rd_index), .rd_data(rd_data)
        );
    end
endmodule
`default_nettype wire
