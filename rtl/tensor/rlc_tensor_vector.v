// rlc_tensor_vector.v — the vector unit: heads and losses, a command after the other over the samples of a batch.
// SPDX-License-Identifier: Apache-2.0
//
//   outputs, numbers from outside --> memory --x, y, z--> SIDE lanes --+--> memory
//                                                                      +--> queue --> activations, deltas, or out
//
// cfg_samples  the batch. A vector is a feature after the other, each cfg_samples numbers in words of SIDE
// load, state  of the generator of DRAW (rlc_xoshiro128pp)
// s_*          commands (docs/tensor.md), valid/ready; one begins when all numbers of the one before it are written
// o_*, h_*     words into the memory: address and SIDE numbers of 27 bits; address, lane and a number of 35. A command stops
//              for o_*; what it has begun goes first
// t_*          words of SIDE samples for rlc_tensor_matmul, valid/ready: {deltas, tile, block, feature, samples that count, numbers}
// m_*          results that leave: {samples that count, SIDE numbers of 35 bits}
// told_*       as rlc_tensor_matmul's, of commands with `tell`
// refused      a pulse: a command had no features, and was left out
// busy         a command is under way, or results wait to leave
// throughput   a word of SIDE numbers a clock, DRAW a number; a command takes 13 clocks more
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_vector #(
    parameter SIDE   = 8,    // samples of a word: a power of two
    parameter BLOCKS = 4,    // words of a word of rlc_tensor_matmul
    parameter WORDS  = 4096, // of the memory, at most 65,536
    parameter QUEUE  = 32,   // words of results that wait to leave
    // Derived; leave them alone.
    parameter SPAN    = SIDE * BLOCKS,
    parameter K_BITS  = (BLOCKS > 1) ? $clog2(BLOCKS) : 1, // of a block within a word
    parameter AT_BITS = (SPAN > 1) ? $clog2(SPAN) : 1, // of a place within a tile
    parameter S_BITS  = $clog2(SIDE) // of a lane
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [15:0]             cfg_samples,
    input  wire                    load,
    input  wire [127:0]            state,
    output wire [127:0]            state_q,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_VECTOR),
    output reg                     refused,
    output wire                    busy,
    `RLC_STREAM_SLAVE(o, 16 + SIDE*27),
    input  wire                    h_valid,
    output wire                    h_ready,
    input  wire [15:0]             h_address,
    input  wire [S_BITS-1:0]       h_lane,
    input  wire [34:0]             h_data,
    output wire                    t_valid,
    input  wire                    t_ready,
    output wire                    t_deltas,
    output wire [15:0]             t_tile,
    output wire [K_BITS-1:0]       t_block,
    output wire [AT_BITS-1:0]      t_feature,
    output wire [SIDE-1:0]         t_en,
    output wire [SIDE*18-1:0]      t_data,
    `RLC_STREAM_MASTER(m, SIDE + SIDE*35),
    output wire [15:0]             words,        // of a vector, from cfg_samples
    output reg                     told_valid,
    output wire [5:0]              told_id,
    output reg  [31:0]             told_saturated,
    output reg  [26:0]             told_peak
);
    `RLC_CHECK(WORDS >= 2 && WORDS <= 65536, rlc_tensor_vector_illegal_WORDS_must_be_2_to_65536)
    localparam ADDR  = $clog2(WORDS);
    localparam READ  = 3;                          // clocks from an address to operands
    localparam LANE  = 10;                         // of a lane
    localparam TOTAL = READ + LANE;
    localparam [31:0] WHOLE  = SIDE;
    localparam [31:0] TOP    = BLOCKS - 1;
    localparam [31:0] DRAINS = TOTAL - 1;          // until the last number is written, and counted
    localparam [AT_BITS-1:0] LAST_FEATURE = {AT_BITS{1'b1}};

    // The batch in words, and the samples of the last one.
    reg  [15:0]     words_q;
    reg  [SIDE-1:0] last_en_q;
    wire [15:0]     rest = cfg_samples - (words_q - 16'd1) * WHOLE[15:0];
    genvar l;
    always @(posedge clk) words_q <= (cfg_samples + WHOLE[15:0] - 16'd1) / WHOLE[15:0];
    for (l = 0; l < SIDE; l = l + 1) begin : g_last
        localparam [31:0] OWN = l;
        always @(posedge clk) last_en_q[l] <= OWN[15:0] < rest;
    end
    assign words = words_q;

    // The command, and where it is: the feature, the word, the lane of a draw; the places of its operands and its result.
    reg  [`RLC_TENSOR_VECTOR-1:0] c_q;
    reg              run_q, busy_q;
    reg  [7:0]       drain_q;
    reg  [9:0]       feature_q;
    reg  [15:0]      word_q, x_q, y_q, z_q, to_q;
    reg  [S_BITS-1:0]  lane_q;
    reg  [K_BITS-1:0]  block_q;
    reg  [15:0]        tile_q, first_q;
    reg  [AT_BITS-1:0] place_q;
    wire [3:0]  op        = c_q[`RLC_TENSOR_VECTOR_OP];
    wire [1:0]  to        = c_q[`RLC_TENSOR_VECTOR_TO];
    wire        draws     = op == `RLC_TENSOR_DRAW;
    wire        leaves    = to != `RLC_TENSOR_VECTORS;
    wire        room;
    wire        step      = run_q && !o_valid && (room || !leaves);     // outputs wait in a queue that has an end
    wire        last_word = word_q + 16'd1 == words_q;
    wire        last_lane = last_word ? !(|(last_en_q >> lane_q >> 1)) : &lane_q;
    wire        moves     = step && (!draws || last_lane);
    wire        last      = last_word && feature_q + 10'd1 == c_q[`RLC_TENSOR_VECTOR_FEATURES];
    wire        last_block = BLOCKS == 1 || block_q == TOP[K_BITS-1:0];
    wire [15:0] next_tile = first_q + {15'd0, place_q == LAST_FEATURE};
    wire [5:0]  s_place = s_data[`RLC_TENSOR_VECTOR_TO_FEATURE];
    wire [26:0] s_y = s_data[`RLC_TENSOR_VECTOR_Y];
    wire [34:0] s_z = s_data[`RLC_TENSOR_VECTOR_Z];
    wire [26:0] c_y = c_q[`RLC_TENSOR_VECTOR_Y];
    wire [34:0] c_z = c_q[`RLC_TENSOR_VECTOR_Z];
    wire        empty = s_data[`RLC_TENSOR_VECTOR_FEATURES] == 10'd0;
    wire        take  = s_valid && s_ready && !empty;
    assign s_ready = !busy_q;
    always @(posedge clk) begin
        refused <= s_valid && s_ready && empty && !rst;
        if (rst) begin
            run_q  <= 1'b0;
            busy_q <= 1'b0;
        end else begin
            if (take)               run_q <= 1'b1;
            else if (moves && last) run_q <= 1'b0;
            if (take)                               busy_q <= 1'b1;
            else if (!run_q && drain_q == 8'd0)     busy_q <= 1'b0;
        end
        drain_q <= (take || run_q) ? DRAINS[7:0] : drain_q - {7'd0, drain_q != 8'd0};
        if (take) begin
            c_q       <= s_data;
            feature_q <= 10'd0;
            word_q    <= 16'd0;
            lane_q    <= {S_BITS{1'b0}};
            block_q   <= {K_BITS{1'b0}};
            x_q       <= s_data[`RLC_TENSOR_VECTOR_X];
            y_q       <= s_y[15:0];
            z_q       <= s_z[15:0];
            to_q      <= s_data[`RLC_TENSOR_VECTOR_TO_BASE];
            tile_q    <= s_data[`RLC_TENSOR_VECTOR_TO_BASE];
            first_q   <= s_data[`RLC_TENSOR_VECTOR_TO_BASE];
            place_q   <= s_place[AT_BITS-1:0];
        end else if (step && draws && !last_lane) begin
            lane_q <= lane_q + 1'b1;
        end else if (moves) begin
            lane_q  <= {S_BITS{1'b0}};
            x_q     <= x_q + 16'd1;
            y_q     <= (last_word && c_q[`RLC_TENSOR_VECTOR_Y_ROW]) ? c_y[15:0] : y_q + 16'd1;
            z_q     <= (last_word && c_q[`RLC_TENSOR_VECTOR_Z_ROW]) ? c_z[15:0] : z_q + 16'd1;
            to_q    <= to_q + 16'd1;
            word_q  <= last_word ? 16'd0 : word_q + 16'd1;
            block_q <= (last_word || last_block) ? {K_BITS{1'b0}} : block_q + 1'b1;
            // Of a tensor: the samples' tiles of a feature lie to_row apart; behind a tile's last feature comes the next tile.
            if (last_word) begin
                feature_q <= feature_q + 10'd1;
                place_q   <= place_q + 1'b1;
                first_q   <= next_tile;
                tile_q    <= next_tile;
            end else if (last_block) begin
                tile_q <= tile_q + {4'd0, c_q[`RLC_TENSOR_VECTOR_TO_ROW]};
            end
        end
    end

    // Operands: a copy of the memory each.
    wire [SIDE-1:0]    wr_en;
    wire [15:0]        wr_address;
    wire [SIDE*35-1:0] wr_data, x_s2, y_s2, z_s2;
    reg  [SIDE*35-1:0] x_s3, z_s3;
    reg  [SIDE*27-1:0] y_s3;
    rlc_ram_1r1w_lane #(.LANES(SIDE), .LANE_WIDTH(35), .DEPTH(WORDS), .READ_LATENCY(2), .READ_ANY(1)) u_x (
        .clk(clk), .wr_en(wr_en), .wr_addr(wr_address[ADDR-1:0]), .wr_data(wr_data), .rd_en(step), .rd_addr(x_q[ADDR-1:0]),
        .rd_data(x_s2)
    );
    rlc_ram_1r1w_lane #(.LANES(SIDE), .LANE_WIDTH(35), .DEPTH(WORDS), .READ_LATENCY(2), .READ_ANY(1)) u_y (
        .clk(clk), .wr_en(wr_en), .wr_addr(wr_address[ADDR-1:0]), .wr_data(wr_data), .rd_en(step), .rd_addr(y_q[ADDR-1:0]),
        .rd_data(y_s2)
    );
    rlc_ram_1r1w_lane #(.LANES(SIDE), .LANE_WIDTH(35), .DEPTH(WORDS), .READ_LATENCY(2), .READ_ANY(1)) u_z (
        .clk(clk), .wr_en(wr_en), .wr_addr(wr_address[ADDR-1:0]), .wr_data(wr_data), .rd_en(step), .rd_addr(z_q[ADDR-1:0]),
        .rd_data(z_s2)
    );

    // A normal number, with the result of its step: 8 clocks of the quantile.
    wire [31:0]        random;
    wire signed [17:0] normal, normal_late;
    rlc_xoshiro128pp u_generator (
        .clk(clk), .rst(rst), .load(load), .state(state), .step(step && draws), .state_q(state_q), .value(random)
    );
    rlc_rl_quantile #(.GUMBEL(0)) u_quantile (.clk(clk), .word(random), .y(normal));
    rlc_delay #(.WIDTH(18), .CLOCKS(TOTAL - 9)) u_normal (.clk(clk), .d(normal), .q(normal_late));

    // What goes beside the numbers.
    wire [SIDE-1:0]    lanes_on = draws ? {{(SIDE-1){1'b0}}, 1'b1} << lane_q : last_word ? last_en_q : {SIDE{1'b1}};
    wire [SIDE-1:0]    en_r;
    wire [15:0]        to_r, tile_r;
    wire [K_BITS-1:0]  block_r;
    wire [AT_BITS-1:0] place_r;
    reg  [TOTAL-1:0]   valid_q;
    wire               valid_r = valid_q[TOTAL-1];
    always @(posedge clk) valid_q <= rst ? {TOTAL{1'b0}} : {valid_q[TOTAL-2:0], step};
    rlc_delay #(.WIDTH(SIDE + 32 + K_BITS + AT_BITS), .CLOCKS(TOTAL)) u_beside (
        .clk(clk), .d({lanes_on, to_q, tile_q, block_q, place_q}), .q({en_r, to_r, tile_r, block_r, place_r})
    );

    wire [SIDE*35-1:0] data_r;
    wire [SIDE-1:0]    en_s2, y_wide;
    rlc_delay #(.WIDTH(SIDE), .CLOCKS(2)) u_en (.clk(clk), .d(lanes_on), .q(en_s2));
    rlc_assert_never u_y_wide (.clk(clk), .rst(rst), .bad(valid_q[1] && !c_q[`RLC_TENSOR_VECTOR_Y_IS] && y_wide != {SIDE{1'b0}}));
    wire [SIDE-1:0]    keep_r, saturated_r;
    wire [SIDE*27-1:0] size;
    for (l = 0; l < SIDE; l = l + 1) begin : g_lane
        always @(posedge clk) begin
            x_s3[l*35 +: 35] <= x_s2[l*35 +: 35];
            y_s3[l*27 +: 27] <= c_q[`RLC_TENSOR_VECTOR_Y_IS] ? c_y : y_s2[l*35 +: 27];
            z_s3[l*35 +: 35] <= c_q[`RLC_TENSOR_VECTOR_Z_IS] ? c_z : z_s2[l*35 +: 35];
        end
        // Of y, 27 bits are looked at.
        assign y_wide[l] = en_s2[l] && y_s2[l*35+26 +: 9] != {9{y_s2[l*35+26]}};
        wire signed [34:0] r = data_r[l*35 +: 35];
        wire [34:0] magnitude = r[34] ? -r : r;
        rlc_tensor_lane u_lane (
            .clk(clk), .cfg_op(op), .cfg_negate(c_q[`RLC_TENSOR_VECTOR_NEGATE]), .cfg_up(c_q[`RLC_TENSOR_VECTOR_UP]),
            .cfg_shift(c_q[`RLC_TENSOR_VECTOR_SHIFT]), .cfg_width(c_q[`RLC_TENSOR_VECTOR_WIDTH]),
            .cfg_symmetric(c_q[`RLC_TENSOR_VECTOR_SYMMETRIC]), .x(x_s3[l*35 +: 35]), .y(y_s3[l*27 +: 27]),
            .z(z_s3[l*35 +: 35]), .draw(normal_late), .m_data(data_r[l*35 +: 35]), .m_keep(keep_r[l]),
            .m_saturated(saturated_r[l])
        );
        assign size[l*27 +: 27] = magnitude[26:0] & {27{en_r[l]}};
        wire unused = &{1'b0, magnitude[34:27]};
    end

    // Into the memory: results first, for they cannot wait, then outputs, then numbers from outside.
    wire             to_vectors = valid_r && !leaves;
    wire [SIDE*35-1:0] o_wide;
    for (l = 0; l < SIDE; l = l + 1) begin : g_wide
        assign o_wide[l*35 +: 35] = {{8{o_data[l*27+26]}}, o_data[l*27 +: 27]};
    end
    assign o_ready    = !to_vectors;
    assign h_ready    = !to_vectors && !o_valid;
    assign wr_en      = to_vectors ? en_r & keep_r : o_valid ? {SIDE{1'b1}} : {{(SIDE-1){1'b0}}, h_valid} << h_lane;
    assign wr_address = to_vectors ? to_r : o_valid ? o_data[SIDE*27 +: 16] : h_address;
    assign wr_data    = to_vectors ? data_r : o_valid ? o_wide : {SIDE{h_data}};

    // Out, by a queue; what enters the lanes has a place there.
    localparam WIDTH = 2 + 16 + K_BITS + AT_BITS + SIDE + SIDE * 35;
    wire [WIDTH-1:0] waiting;
    wire             q_ready, q_valid, q_take;
    wire [1:0]       q_to;
    wire [SIDE*35-1:0] q_data;
    rlc_fifo #(.WIDTH(WIDTH), .DEPTH(QUEUE)) u_queue (
        .clk(clk), .rst(rst), .s_valid(valid_r && leaves), .s_ready(q_ready),
        .s_data({to, tile_r, block_r, place_r, en_r & keep_r, data_r}), .m_valid(q_valid), .m_ready(q_take), .m_data(waiting),
        .count()
    );
    rlc_credit #(.PLACES(QUEUE)) u_room (.clk(clk), .rst(rst), .take(step && leaves), .give(q_valid && q_take), .room(room));
    rlc_assert_never u_full (.clk(clk), .rst(rst), .bad(valid_r && leaves && !q_ready));
    assign {q_to, t_tile, t_block, t_feature, t_en, q_data} = waiting;
    assign t_deltas = q_to == `RLC_TENSOR_TO_DELTAS;
    assign t_valid  = q_valid && q_to != `RLC_TENSOR_STREAM;
    assign m_valid  = q_valid && q_to == `RLC_TENSOR_STREAM;
    assign m_data   = {t_en, q_data};
    assign q_take   = (q_to == `RLC_TENSOR_STREAM) ? m_ready : t_ready;
    for (l = 0; l < SIDE; l = l + 1) begin : g_out
        assign t_data[l*18 +: 18] = q_data[l*35 +: 18];
    end
    assign busy = busy_q || q_valid;

    // What is told.
    integer           k;
    reg [S_BITS:0]    saturated_n;
    reg [26:0]        any;
    always @* begin
        saturated_n = {(S_BITS+1){1'b0}};
        any         = 27'd0;
        for (k = 0; k < SIDE; k = k + 1) begin
            saturated_n = saturated_n + {{S_BITS{1'b0}}, saturated_r[k] && en_r[k]};
            any         = any | size[k*27 +: 27];
        end
    end
    assign told_id = c_q[`RLC_TENSOR_VECTOR_ID];
    always @(posedge clk) begin
        told_valid <= busy_q && !run_q && drain_q == 8'd0 && c_q[`RLC_TENSOR_VECTOR_TELL] && !rst;
        if (take) begin
            told_saturated <= 32'd0;
            told_peak      <= 27'd0;
        end else if (valid_r) begin
            told_saturated <= told_saturated + {{(31-S_BITS){1'b0}}, saturated_n};
            told_peak      <= told_peak | any;
        end
    end
    wire unused = &{1'b0, c_q, s_place, s_y, s_z, x_q, y_q, z_q, wr_address};
endmodule
`default_nettype wire
