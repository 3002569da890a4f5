// rlc_tensor_array.v — the multipliers: a block of SIDE x SIDE weights times SPAN vectors of SIDE numbers, every clock.
// SPDX-License-Identifier: Apache-2.0
//
//   m[t][r] = head[t][r] + sum over c of block[r][c] * x[t][c]          t < SPAN, r < SIDE, c < SIDE
//
// Every row r and vector t has one cascade (rlc_nn_cascade), so that a sum stays inside the multipliers until it leaves.
//
// s_block      element r * SIDE + c; s_x: element t * SIDE + c. Both may change every clock
// s_head       element t * SIDE + r, 1 clock after s_block; s_clear: it counts as 0
// m_sum        element t * SIDE + r, LATENCY = SIDE + 2 clocks after s_block, exact modulo 2^ACC_WIDTH
// cost         SPAN * SIDE * SIDE multipliers
`default_nettype none
module rlc_tensor_array #(
    parameter SIDE      = 8,  // rows and columns of a block of weights
    parameter SPAN      = 32, // vectors
    parameter A_WIDTH   = 27, // bits of a weight
    parameter X_WIDTH   = 18, // bits of a vector's number
    parameter ACC_WIDTH = 48  // bits of a sum
) (
    input  wire                           clk,
    input  wire [SIDE*SIDE*A_WIDTH-1:0]   s_block,
    input  wire [SPAN*SIDE*X_WIDTH-1:0]   s_x,
    input  wire [SPAN*SIDE*ACC_WIDTH-1:0] s_head,
    input  wire                           s_clear,
    output wire [SPAN*SIDE*ACC_WIDTH-1:0] m_sum
);
    genvar r;
    genvar t;
    // A cascade wants operands c c clocks late: rows of the block and vectors are skewed once, for all that use them.
    wire [SIDE*SIDE*A_WIDTH-1:0] rows;
    wire [SPAN*SIDE*X_WIDTH-1:0] vectors;
    for (r = 0; r < SIDE; r = r + 1) begin : g_row
        rlc_nn_skew #(.LANES(SIDE), .WIDTH(A_WIDTH)) u_skew (
            .clk(clk), .d(s_block[r*SIDE*A_WIDTH +: SIDE*A_WIDTH]), .q(rows[r*SIDE*A_WIDTH +: SIDE*A_WIDTH])
        );
    end
    for (t = 0; t < SPAN; t = t + 1) begin : g_vector
        rlc_nn_skew #(.LANES(SIDE), .WIDTH(X_WIDTH)) u_skew (
            .clk(clk), .d(s_x[t*SIDE*X_WIDTH +: SIDE*X_WIDTH]), .q(vectors[t*SIDE*X_WIDTH +: SIDE*X_WIDTH])
        );
        for (r = 0; r < SIDE; r = r + 1) begin : g_sum
            rlc_nn_cascade #(
                .COUNT(SIDE), .A_WIDTH(A_WIDTH), .B_WIDTH(X_WIDTH), .ACC_WIDTH(ACC_WIDTH), .OPERANDS(1), .HEAD(1)
            ) u_cascade (
                .clk(clk), .a(rows[r*SIDE*A_WIDTH +: SIDE*A_WIDTH]), .b(vectors[t*SIDE*X_WIDTH +: SIDE*X_WIDTH]),
                .head(s_head[(t*SIDE+r)*ACC_WIDTH +: ACC_WIDTH]), .head_clear(s_clear), .acc(1'b0),
                .sum(m_sum[(t*SIDE+r)*ACC_WIDTH +: ACC_WIDTH])
            );
        end
    end
endmodule
`default_nettype wire
