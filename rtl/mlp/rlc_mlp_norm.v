// rlc_mlp_norm.v — layer normalisation of sums whose mean is 0: z / sqrt(Σz² + ε) · gain + offset.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         pieces of ACTS sums of a layer, its padding included, which must be 0; the last one starts the way out
// start       pulse before a pass: its first normalised layer meets the first word of gains and offsets
// rd_addr     word of gains and offsets; rd_data 2 clocks later, of each lane {offset, gain}, 16 bits signed each
// m_*         y = u · gain + offset · 2^OFFSET_SHIFTS, one piece per clock, the first one norm_clocks(ACTS) - 1 clocks after
//             the last sum; u = z / sqrt(Σz² + ε) has 17 fraction bits. The mean and the factor √n are in weights and gains
// cost        2 · ACTS multipliers and that of rlc_nn_rsqrt
// Bit-exact model: rlcores.cores.mlp.norm
`default_nettype none
module rlc_mlp_norm #(
    parameter [1023:0] SIZES         = "4-8-2",  // neurons per layer, the inputs first
    parameter [1023:0] NORMS         = "9-0",    // ε per layer, in units of its squared sums; 0: it is not normalised
    parameter [1023:0] OFFSET_SHIFTS = "0-0",    // bits by which each layer's offsets are shifted up, 0 to 18
    parameter ROWS      = 4,   // results at a time
    parameter ACTS      = 4,   // results per piece
    parameter OUT_WIDTH = 36,  // bits of a result, >= 36
    parameter ADDR_WIDTH = 1   // bits of rd_addr
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      start,
    input  wire                      s_valid,
    input  wire [2:0]                s_layer,
    input  wire [9:0]                s_piece,
    input  wire [ACTS*18-1:0]        s_data,
    output wire [ADDR_WIDTH-1:0]     rd_addr,
    input  wire [ACTS*32-1:0]        rd_data,
    output wire                      m_valid,
    output wire [2:0]                m_layer,
    output wire [9:0]                m_piece,
    output reg  [ACTS*OUT_WIDTH-1:0] m_data
);
    `include "rlc_mlp_defs.vh"
    localparam LAYERS = fields(SIZES) - 1;
    localparam TREE   = tree_clocks(ACTS);
    localparam DEPTH  = pieces(greatest(SIZES), ROWS) * (ROWS / ACTS);
    localparam BITS   = (DEPTH > 1) ? $clog2(DEPTH) : 1;
    localparam SQUARES = 48;

    // Constants of each layer.
    wire [30:0] epsilon_of [0:7];
    wire [9:0]  last_of    [0:7];  // its last piece on the way in
    wire [9:0]  final_of   [0:7];  // and on the way out
    genvar l, a;
    for (l = 0; l < 8; l = l + 1) begin : g_layer
        localparam integer EPSILON = (l >= LAYERS) ? 0 : field(NORMS, l);
        localparam integer LAST    = (l >= LAYERS) ? 0 : pieces(field(SIZES, l + 1), ROWS) * (ROWS / ACTS) - 1;
        localparam integer FINAL   = (l >= LAYERS) ? 0 : pieces(field(SIZES, l + 1), ACTS) - 1;
        assign epsilon_of[l] = EPSILON[30:0];
        assign last_of[l]    = LAST[9:0];
        assign final_of[l]   = FINAL[9:0];
    end

    // The way out: a counter of pieces, begun when the root is about to be ready.
    wire       last = s_valid && s_piece == last_of[s_layer];
    reg        run_q;
    reg [2:0]  layer_q;
    reg [9:0]  piece_q;
    reg [ADDR_WIDTH-1:0] word_q;
    reg [6+TREE:0] go_line_q;
    wire       go = go_line_q[6+TREE];
    always @(posedge clk) begin
        if (rst) begin
            go_line_q <= {(7+TREE){1'b0}};
            run_q     <= 1'b0;
        end else begin
            go_line_q <= {go_line_q[5+TREE:0], last};
            if (go)                                run_q <= 1'b1;
            else if (piece_q == final_of[layer_q]) run_q <= 1'b0;
        end
        if (last) layer_q <= s_layer;
        piece_q <= go ? 10'd0 : piece_q + 1'b1;
        if (start)      word_q <= {ADDR_WIDTH{1'b0}};
        else if (run_q) word_q <= word_q + 1'b1;
    end

    // Sums wait here; 2 clocks to read one.
    wire [ACTS*18-1:0] z_s2;
    rlc_ram_1r1w #(.WIDTH(ACTS * 18), .DEPTH(DEPTH), .READ_LATENCY(2), .STYLE("distributed")) u_z (
        .clk(clk), .wr_en(s_valid), .wr_addr(s_piece[BITS-1:0]), .wr_data(s_data), .rd_en(1'b1),
        .rd_addr(piece_q[BITS-1:0]), .rd_data(z_s2)
    );
    rlc_delay #(.WIDTH(ADDR_WIDTH), .CLOCKS(3)) u_addr (.clk(clk), .d(word_q), .q(rd_addr));
    reg [6:0] run_line_q;
    always @(posedge clk) run_line_q <= rst ? 7'd0 : {run_line_q[5:0], run_q};
    wire run_s2 = run_line_q[1];
    rlc_delay #(.WIDTH(10), .CLOCKS(7)) u_piece (.clk(clk), .d(piece_q), .q(m_piece));
    assign m_valid = run_line_q[6];
    assign m_layer = layer_q;

    wire signed [17:0] root;
    wire [4:0]         root_shift;
    wire [4:0]         offset_shift;
    wire [4:0]         offset_shift_of [0:7];
    for (l = 0; l < 8; l = l + 1) begin : g_offset
        localparam integer SHIFT = (l >= LAYERS) ? 0 : field(OFFSET_SHIFTS, l);
        assign offset_shift_of[l] = SHIFT[4:0];
    end
    assign offset_shift = offset_shift_of[layer_q];

    reg  [ACTS*SQUARES-1:0] squares;
    wire [SQUARES-1:0]      square_of [0:ACTS-1];
    wire [OUT_WIDTH-1:0]    y_of [0:ACTS-1];
    integer i;
    always @*
        for (i = 0; i < ACTS; i = i + 1) begin
            squares[SQUARES*i +: SQUARES]   = square_of[i];
            m_data[OUT_WIDTH*i +: OUT_WIDTH] = y_of[i];
        end
    for (a = 0; a < ACTS; a = a + 1) begin : g_lane
        // One multiplier squares on the way in, and takes the root on the way out (stages 2, 3).
        wire signed [17:0] z     = run_s2 ? z_s2[18*a +: 18] : s_data[18*a +: 18];
        wire signed [17:0] other = run_s2 ? root : z;
        reg  signed [35:0] product_s3;
        assign square_of[a] = {{(SQUARES-36){product_s3[35]}}, product_s3};

        // Stage 4: down by the root's exponent, with one bit more for rounding; stage 5: rounded to u.
        reg  signed [36:0] shifted_s4;
        wire [17:0]        rounded;
        wire               saturated;
        reg  signed [17:0] u_s5;
        wire signed [36:0] product_up = {product_s3, 1'b0};
        rlc_round_sat #(.WIN(37), .FRAC(1), .WOUT(18)) u_round (.in_data(shifted_s4), .out_data(rounded), .saturated(saturated));

        // Stages 6, 7: gain and offset.
        wire signed [15:0] gain, offset;
        assign {offset, gain} = rd_data[32*a +: 32];
        reg  signed [33:0] scaled_s6;
        reg  signed [33:0] offset_s6;
        reg  signed [34:0] y_s7;
        wire signed [33:0] offset_wide = {{18{offset[15]}}, offset};
        always @(posedge clk) begin
            product_s3 <= z * other;
            shifted_s4 <= product_up >>> root_shift;
            u_s5       <= rounded;
            scaled_s6  <= u_s5 * gain;
            offset_s6  <= offset_wide <<< offset_shift;
            y_s7       <= scaled_s6 + offset_s6;
        end
        assign y_of[a] = {{(OUT_WIDTH-35){y_s7[34]}}, y_s7};
        wire unused_a = saturated;
    end

    // The sum of squares, and one over its root.
    wire [SQUARES-1:0] square;
    reg  [SQUARES-1:0] sum_q;
    wire               valid_sum, first_sum;
    wire [2:0]         layer_sum;
    rlc_mlp_tree #(.COUNT(ACTS), .WIDTH(SQUARES)) u_tree (.clk(clk), .values(squares), .sum(square));
    rlc_delay #(.WIDTH(5), .CLOCKS(1 + TREE)) u_flags (
        .clk(clk), .d({s_valid, s_piece == 10'd0, s_layer}), .q({valid_sum, first_sum, layer_sum})
    );
    always @(posedge clk)
        if (valid_sum) sum_q <= (first_sum ? {{(SQUARES-31){1'b0}}, epsilon_of[layer_sum]} : sum_q) + square;
    rlc_nn_rsqrt u_root (.clk(clk), .x(sum_q), .y(root), .shift(root_shift));

    rlc_assert_never u_once (.clk(clk), .rst(rst), .bad(s_valid && (run_q || run_s2)));
endmodule
`default_nettype wire
