// rlc_tensor_bias_grad.v — sums of deltas over the batch, which are the gradients of biases.
// SPDX-License-Identifier: Apache-2.0
//
// A block of deltas comes once a fold and row, so that its rows need only be added up.
//
// s_valid      a block, element r * SIDE + c, of a row of blocks; s_first: of the first fold
// m_sum        SIDE sums, up by cfg_shift of the clock before, 3 clocks later; exact
// hazard       a row's next block comes 3 clocks later or more
`default_nettype none
module rlc_tensor_bias_grad #(
    parameter SIDE      = 8, // rows and columns of a block of weights: a power of two
    parameter WIDTH     = 18,  // bits of a delta
    parameter ACC_WIDTH = 48, // bits of a sum
    parameter ROWS      = 128  // rows of blocks
) (
    input  wire                       clk,
    input  wire                       s_valid,
    input  wire                       s_first,
    input  wire [9:0]                 s_row,
    input  wire [SIDE*SIDE*WIDTH-1:0] s_block,
    input  wire [4:0]                 cfg_shift,
    output wire [SIDE*ACC_WIDTH-1:0]  m_sum
);
    localparam SUM       = 32;                       // bits: 2^14 samples of 18
    localparam ADDR_BITS = (ROWS > 1) ? $clog2(ROWS) : 1;

    reg                 valid_s1, valid_s2, first_s1;
    wire [9:0]          row_s1, row_s2;
    always @(posedge clk) begin
        valid_s1 <= s_valid;
        valid_s2 <= valid_s1;
        first_s1 <= s_first;
    end
    rlc_delay #(.WIDTH(10), .CLOCKS(1)) u_row1 (.clk(clk), .d(s_row), .q(row_s1));
    rlc_delay #(.WIDTH(10), .CLOCKS(1)) u_row2 (.clk(clk), .d(row_s1), .q(row_s2));
    wire unused = &{1'b0, row_s1, row_s2};

    genvar r;
    for (r = 0; r < SIDE; r = r + 1) begin : g_row
        // Stage 1: the block's row, added up. Stage 2: with those before. Stage 3: at the gradient's fraction.
        reg  signed [SUM-1:0] sum_d, sum_s1, total_s2;
        wire signed [SUM-1:0] old_s1;
        reg  signed [ACC_WIDTH-1:0] up_s3;
        integer c;
        always @* begin
            sum_d = {SUM{1'b0}};
            for (c = 0; c < SIDE; c = c + 1)
                sum_d = sum_d + {{(SUM-WIDTH){s_block[(r*SIDE+c)*WIDTH+WIDTH-1]}}, s_block[(r*SIDE+c)*WIDTH +: WIDTH]};
        end
        always @(posedge clk) begin
            sum_s1   <= sum_d;
            total_s2 <= sum_s1 + (first_s1 ? {SUM{1'b0}} : old_s1);
            up_s3    <= {{(ACC_WIDTH-SUM){total_s2[SUM-1]}}, total_s2} <<< cfg_shift;
        end
        rlc_ram_1r1w #(.WIDTH(SUM), .DEPTH(ROWS), .READ_ANY(1)) u_sums (
            .clk(clk), .wr_en(valid_s2), .wr_addr(row_s2[ADDR_BITS-1:0]), .wr_data(total_s2),
            .rd_en(1'b1), .rd_addr(s_row[ADDR_BITS-1:0]), .rd_data(old_s1)
        );
        assign m_sum[r*ACC_WIDTH +: ACC_WIDTH] = up_s3;
    end
endmodule
`default_nettype wire
