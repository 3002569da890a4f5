// rlc_nn_bias.v — the biases of a layer, at the fraction of the products, when the heads of the cascades want them.
// SPDX-License-Identifier: Apache-2.0
//
// first         the first word of a fold is here; until its last group has gone by, `fold` and `bank` stand still
// head          the biases of group g, 1 + OPERANDS + g clocks after first
// w_*           write of OUT_BLOCK biases: an output word's fold and group, its block w_out
`default_nettype none
module rlc_nn_bias #(
    parameter LANES_OUT    = 4,  // outputs of a word
    parameter GROUPS       = 1,  // output words of a fold
    parameter FOLDS        = 2,  // folds of a vector
    parameter BANKS        = 1,  // versions or networks
    parameter OUT_BLOCK    = 1,  // biases a write
    parameter OUT_STRIDE   = 1,  // w_data keeps them in lane out * OUT_STRIDE
    parameter DATA_LANES   = 1,  // lanes of w_data
    parameter WEIGHT_WIDTH = 27, // bits of a bias
    parameter ACC_WIDTH    = 48, // bits of a sum
    parameter OPERANDS     = 1   // registers in front of a multiplier
) (
    input  wire                               clk,
    input  wire [4:0]                         cfg_bias_shift,
    input  wire                               first,
    input  wire [9:0]                         fold,
    input  wire [9:0]                         bank,
    input  wire                               w_valid,
    input  wire [9:0]                         w_bank,
    input  wire [9:0]                         w_fold,
    input  wire [9:0]                         w_group,
    input  wire [9:0]                         w_out,
    input  wire [DATA_LANES*WEIGHT_WIDTH-1:0] w_data,
    output wire [LANES_OUT*ACC_WIDTH-1:0]     head
);
    localparam G_BITS    = $clog2(GROUPS);
    localparam F_BITS    = $clog2(FOLDS);
    localparam BITS      = $clog2(BANKS) + F_BITS + G_BITS;
    localparam ADDR_BITS = (BITS > 0) ? BITS : 1;

    reg  [9:0] group_q;
    wire [9:0] group = first ? 10'd0 : group_q + 10'd1;
    always @(posedge clk) group_q <= group & ((10'd1 << G_BITS) - 10'd1);

    wire [29:0] rd_index = ({20'd0, bank} << (F_BITS + G_BITS)) | ({20'd0, fold} << G_BITS) | {20'd0, group};
    wire [29:0] wr_index = ({20'd0, w_bank} << (F_BITS + G_BITS)) | ({20'd0, w_fold} << G_BITS) | {20'd0, w_group};
    wire unused = &{1'b0, rd_index, wr_index, w_data};

    genvar r;
    for (r = 0; r < LANES_OUT; r = r + 1) begin : g_lane
        wire signed [WEIGHT_WIDTH-1:0] bias;
        rlc_ram_1r1w #(
            .WIDTH(WEIGHT_WIDTH), .DEPTH(1 << ADDR_BITS), .READ_LATENCY(1 + OPERANDS), .READ_ANY(1)
        ) u_bias (
            .clk(clk), .wr_en(w_valid && {22'd0, w_out} == r / OUT_BLOCK), .wr_addr(wr_index[ADDR_BITS-1:0]),
            .wr_data(w_data[(r%OUT_BLOCK)*OUT_STRIDE*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
            .rd_en(1'b1), .rd_addr(rd_index[ADDR_BITS-1:0]), .rd_data(bias)
        );
        wire signed [ACC_WIDTH-1:0] wide = {{(ACC_WIDTH-WEIGHT_WIDTH){bias[WEIGHT_WIDTH-1]}}, bias};
        assign head[r*ACC_WIDTH +: ACC_WIDTH] = wide <<< cfg_bias_shift;
    end
endmodule
`default_nettype wire
