// rlc_mlp_memory.v — memory of weights or biases: written in parts of 32 bits, read as whole words; may begin with contents.
// SPDX-License-Identifier: Apache-2.0
//
// rd_data     the word of rd_addr, 2 clocks later; a read and a write of one word on one edge do not happen
// INIT        file for $readmemh with all words; "" leaves the memory undefined
// cost        block RAM by inference; its output register is the second clock
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_memory #(
    parameter PARTS = 1,       // parts of 32 bits per word, >= 1
    parameter DEPTH = 16,      // words, >= 2
    parameter STYLE = "auto",  // "auto", "block", "ultra" or "distributed"
    parameter INIT  = "",      // file of the first contents
    parameter ADDR_WIDTH = (DEPTH > 1) ? $clog2(DEPTH) : 1 // derived; leave it alone
) (
    input  wire                  clk,
    input  wire [PARTS-1:0]      wr_en,
    input  wire [ADDR_WIDTH-1:0] wr_addr,
    input  wire [31:0]           wr_data,
    input  wire [ADDR_WIDTH-1:0] rd_addr,
    output wire [PARTS*32-1:0]   rd_data
);
    `RLC_CHECK(PARTS >= 1 && DEPTH >= 2, rlc_mlp_memory_illegal_PARTS_must_be_at_least_1_and_DEPTH_at_least_2)
    `RLC_CHECK(STYLE == "auto" || STYLE == "block" || STYLE == "ultra" || STYLE == "distributed",
               rlc_mlp_memory_illegal_STYLE_must_be_auto_or_block_or_ultra_or_distributed)

    (* ram_style = `RLC_LUT_STYLE(STYLE) *)
    reg [PARTS*32-1:0] mem [0:DEPTH-1];
    reg [PARTS*32-1:0] read_s1;
    reg [PARTS*32-1:0] read_s2;
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < PARTS; i = i + 1)
            if (wr_en[i]) mem[wr_addr][32*i +: 32] <= wr_data;
        read_s1 <= mem[rd_addr];
        read_s2 <= read_s1;
    end
    assign rd_data = read_s2;

    if (INIT != "") begin : g_init
        initial $readmemh(INIT, mem);
    end
endmodule
`default_nettype wire
