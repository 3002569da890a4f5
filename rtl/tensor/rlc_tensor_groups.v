// rlc_tensor_groups.v — the order of a layer's weights in an update: group by group, rows of blocks, then biases.
// SPDX-License-Identifier: Apache-2.0
//
// A group is SIDE weights of one output, those of one block; a block has SIDE groups. Behind all blocks come the biases, a
// group of SIDE for each row of blocks.
//
// restart      the first group is next
// at_*         the group that is next: bias or not, row of blocks; of a weight, its block (counted over all rows), its block
//              within the row's word of gradients, that word (counted over all rows), and the output within the block
// last         it is the last group
`default_nettype none
module rlc_tensor_groups #(
    parameter SIDE   = 8, // rows and columns of a block of weights: a power of two
    parameter BLOCKS = 4, // blocks of a word: a power of two
    parameter K_BITS = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // derived; leave them alone
    parameter S_BITS = (SIDE > 1) ? $clog2(SIDE) : 1 // of an output within a block
) (
    input  wire              clk,
    input  wire              restart,
    input  wire              step,
    input  wire [9:0]        rows,
    input  wire [9:0]        blocks,
    output reg               at_bias,
    output reg  [9:0]        at_row,
    output reg  [15:0]       at_block,
    output reg  [K_BITS-1:0] at_part,
    output reg  [15:0]       at_word,
    output reg  [S_BITS-1:0] at_output,
    output wire              last
);
    localparam [31:0] TOP_PART = BLOCKS - 1;
    localparam [31:0] TOP_OUT  = SIDE - 1;
    reg  [9:0] column_q;                               // block within its row
    wire       out_ends  = at_output == TOP_OUT[S_BITS-1:0];
    wire       part_ends = BLOCKS == 1 || at_part == TOP_PART[K_BITS-1:0];
    wire       row_ends  = column_q + 10'd1 == blocks;
    wire       rows_end  = at_row + 10'd1 == rows;
    assign last = at_bias && rows_end;

    always @(posedge clk)
        if (restart) begin
            at_bias   <= 1'b0;
            at_row    <= 10'd0;
            at_block  <= 16'd0;
            at_part   <= {K_BITS{1'b0}};
            at_word   <= 16'd0;
            at_output <= {S_BITS{1'b0}};
            column_q  <= 10'd0;
        end else if (step) begin
            if (at_bias) begin
                at_row <= at_row + 10'd1;
            end else begin
                at_output <= out_ends ? {S_BITS{1'b0}} : at_output + 1'b1;
                if (out_ends) begin
                    at_block <= at_block + 16'd1;
                    column_q <= row_ends ? 10'd0 : column_q + 10'd1;
                    at_part  <= (row_ends || part_ends) ? {K_BITS{1'b0}} : at_part + 1'b1;
                    if (row_ends || part_ends) at_word <= at_word + 16'd1;
                    if (row_ends) begin
                        at_row  <= rows_end ? 10'd0 : at_row + 10'd1;
                        at_bias <= rows_end;
                    end
                end
            end
        end
endmodule
`default_nettype wire
