// rlc_tensor_update.v — keeps gradients, the optimiser's state and the exact weights of all networks, and updates a layer.
// SPDX-License-Identifier: Apache-2.0
//
//   gradients of rlc_tensor_matmul --> memory --> optimiser --> weights, targets --> w_*, t_*, b_*: to rlc_tensor_matmul
//
// s_*          updates, valid/ready: docs/tensor.md. A layer's gradients are in the memory by then, and stay until it is done
// settings     of the optimiser (rlc_nn_optimisers.vh) and tau stand still while busy; fit: they can be used together
// g_*          a word of gradients, element t * SIDE + r, and biases of a row of blocks
//              SCALE moves a number of the state by grad_frac bits, signed, once or, of the second number, twice
// s_load_*     of a load, a group of SIDE numbers after the other, in the order of rlc_tensor_groups; m_read_*: of a read.
//              Weights and targets that are loaded go to rlc_tensor_matmul, too
// w_*, t_*     new weights of an output within a block, and target weights; b_*: biases, of both
// told_*       when a command is done: its id, and how many weights were saturated
// throughput   a group of SIDE weights a clock
// reset        none on memories: the host loads every parameter bank, padding with zeros, before the first update
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_nn_slot.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_update #(
    parameter SIDE          = 8, // rows and columns of a block of weights: a power of two
    parameter BLOCKS        = 4, // blocks of a word: a power of two
    parameter GROUPS        = 32768, // groups of SIDE weights, of all networks, biases included: at most 65,536
    parameter TARGET_GROUPS = 16384, // of all target networks; 0: there is none
    parameter GRAD_WORDS    = 512,   // words of gradients
    parameter GRAD_ROWS     = 128,   // rows of biases of them
    parameter OPTIMISER     = 2,     // rlc_nn_optimisers.vh
    parameter POLYAK        = 1,     // 1: targets are averages
    parameter GROUP_STYLE   = 0,     // memory of groups of parameters, RLC_STYLE
    parameter WEIGHT_WIDTH  = 27, // bits of a weight
    parameter WEIGHT_FRAC   = 22, // bits of fraction of a weight
    parameter GRAD_WIDTH    = 27, // bits of a gradient
    parameter BETA1_NUM     = 205,   // Adam: 1 - beta1 = BETA1_NUM / 2^BETA1_SHIFT
    parameter BETA1_SHIFT   = 11, // see BETA1_NUM
    parameter BETA2_NUM     = 131, // Adam: 1 - beta2 = BETA2_NUM / 2^BETA2_SHIFT
    parameter BETA2_SHIFT   = 17, // see BETA2_NUM
    parameter WORD          = 48,    // bits of a number at h_*
    // Derived; leave it alone.
    parameter SPAN = SIDE * BLOCKS
) (
    input  wire                             clk,
    input  wire                             rst,
    `RLC_STREAM_SLAVE(s, `RLC_TENSOR_UPDATE),
    output wire                             busy,
    input  wire `RLC_NN_SETTINGS            settings,
    output wire                             fit,
    input  wire [16:0]                      tau,

    input  wire                             g_valid,
    input  wire [15:0]                      g_word,
    input  wire [SPAN*SIDE*GRAD_WIDTH-1:0]  g_data,
    input  wire                             g_bias,
    input  wire [11:0]                      g_row,
    input  wire [SIDE*GRAD_WIDTH-1:0]       g_bias_data,

    `RLC_STREAM_SLAVE(s_load, SIDE*WORD),
    `RLC_STREAM_MASTER(m_read, SIDE*WORD),

    output reg                              w_valid,
    output reg                              t_valid,
    output reg                              m_bias,
    output reg  [15:0]                      w_block,
    output reg  [15:0]                      t_block,
    output reg  [SIDE-1:0]                  m_output,
    output wire [SIDE*WEIGHT_WIDTH-1:0]     w_data,
    output wire [SIDE*WEIGHT_WIDTH-1:0]     t_data,

    output reg                              told_valid,
    output wire [5:0]                       told_id,
    output reg  [31:0]                      told_saturated
);
    `RLC_CHECK(GROUPS >= 1 && GROUPS <= 65536 && TARGET_GROUPS >= 0 && TARGET_GROUPS <= 65536 && GRAD_WORDS >= 1 && GRAD_ROWS >= 1,
               rlc_tensor_update_illegal_GROUPS_must_be_1_to_65536_and_the_other_memories_at_least_one_word)

    localparam K_BITS = (BLOCKS > 1) ? $clog2(BLOCKS) : 1;
    localparam S_BITS = (SIDE > 1) ? $clog2(SIDE) : 1;
    localparam TARGET_WIDTH = WEIGHT_WIDTH + 9 * POLYAK;
    localparam READ  = `RLC_NN_READ;
    localparam BACK  = READ + 2 + 6 * POLYAK;            // from the optimiser's m_soon to new weights: rlc_nn_weight
    localparam G_BITS = (GRAD_WORDS > 1) ? $clog2(GRAD_WORDS) : 1;
    localparam R_BITS = (GRAD_ROWS > 1) ? $clog2(GRAD_ROWS) : 1;

    // A command: its word, a clock to set all counts, then groups are issued and come out, or come in, or are sent.
    reg [`RLC_TENSOR_UPDATE-1:0] u_q;
    reg        begins_q, issues_q, moves_q, scales_q, busy_q;
    wire       out, out_last, issue_last;
    wire       updates    = u_q[`RLC_TENSOR_UPDATE_KIND] == `RLC_TENSOR_UPDATES;
    wire       loads      = u_q[`RLC_TENSOR_UPDATE_KIND] == `RLC_TENSOR_LOAD;
    wire       scales     = u_q[`RLC_TENSOR_UPDATE_KIND] == `RLC_TENSOR_SCALE;
    wire [1:0] param_bank = u_q[`RLC_TENSOR_UPDATE_PLANE];
    assign s_ready = !busy_q;
    assign busy    = busy_q;
    wire   take    = s_valid && s_ready;
    always @(posedge clk) begin
        begins_q <= take && !rst;
        if (rst) begin
            busy_q   <= 1'b0;
            issues_q <= 1'b0;
            moves_q  <= 1'b0;
            scales_q <= 1'b0;
        end else begin
            if (take)            busy_q <= 1'b1;
            else if (told_valid) busy_q <= 1'b0;
            if (begins_q)                    issues_q <= updates;
            else if (issues_q && issue_last) issues_q <= 1'b0;
            if (begins_q)             moves_q <= !updates && !scales;
            else if (out && out_last) moves_q <= 1'b0;
            if (begins_q)                    scales_q <= scales;
            else if (scales_q && issue_last) scales_q <= 1'b0;
        end
        if (take) u_q <= s_data;
    end

    // A group that is loaded is written a clock later. One that is read is there READ clocks after it was asked for.
    wire                 loaded = s_load_valid && s_load_ready;
    wire                 sent   = m_read_valid && m_read_ready;
    localparam SCALED = READ + 3;                        // clocks from a group that is asked for to the one that is moved
    reg                  state_loads_q, asks_q, shows_q;
    reg  [SCALED-1:0]    scaled_q;
    wire [SIDE*WORD-1:0] moved;
    wire [SIDE-1:0]      moved_over;
    reg  [1:0]           coming_q;
    reg  [SIDE*WORD-1:0] host_q;
    assign s_load_ready = moves_q && loads;
    assign m_read_valid = shows_q;
    wire   fetch        = (moves_q && !loads && asks_q) || scales_q;
    always @(posedge clk) begin
        state_loads_q <= ((loaded && param_bank[1]) || scaled_q[SCALED-1]) && !rst;
        host_q        <= scales ? moved : s_load_data;
        coming_q      <= rst ? 2'd0 : {coming_q[0], fetch && !scales};
        scaled_q      <= rst ? {SCALED{1'b0}} : {scaled_q[SCALED-2:0], scales_q};
        asks_q        <= begins_q || sent;
        shows_q       <= !rst && (coming_q[1] || (shows_q && !m_read_ready));
    end

    // Stage 0: the group that is asked for.
    wire              is_bias;
    wire [9:0]        is_row;
    wire [15:0]       is_word, is_block;
    wire [K_BITS-1:0] is_part;
    wire [S_BITS-1:0] is_output;
    rlc_tensor_groups #(.SIDE(SIDE), .BLOCKS(BLOCKS)) u_issue (
        .clk(clk), .restart(begins_q), .step(issues_q || scales_q), .rows(u_q[`RLC_TENSOR_UPDATE_ROWS]),
        .blocks(u_q[`RLC_TENSOR_UPDATE_BLOCKS]), .at_bias(is_bias), .at_row(is_row), .at_block(is_block), .at_part(is_part),
        .at_word(is_word), .at_output(is_output), .last(issue_last)
    );

    // .. 2: its word of gradients, or of biases. 3: its numbers.
    wire [15:0] word_at = u_q[`RLC_TENSOR_UPDATE_GRAD_BASE] + is_word;
    wire [11:0] row_at  = u_q[`RLC_TENSOR_UPDATE_GRAD_BIAS] + {2'd0, is_row};
    wire [SPAN*SIDE*GRAD_WIDTH-1:0] word_s2, outputs_s2;
    wire [SIDE*GRAD_WIDTH-1:0]      bias_s2, picked_s2;
    reg  [SIDE*GRAD_WIDTH-1:0]      g_s3;
    wire                            bias_now_s2;
    wire [K_BITS+S_BITS-1:0]        pick_s2;
    rlc_ram_1r1w #(.WIDTH(SPAN * SIDE * GRAD_WIDTH), .DEPTH(GRAD_WORDS), .READ_LATENCY(2), .READ_ANY(1)) u_gradients (
        .clk(clk), .wr_en(g_valid), .wr_addr(g_word[G_BITS-1:0]), .wr_data(g_data), .rd_en(issues_q),
        .rd_addr(word_at[G_BITS-1:0]), .rd_data(word_s2)
    );
    rlc_ram_1r1w #(.WIDTH(SIDE * GRAD_WIDTH), .DEPTH(GRAD_ROWS), .READ_LATENCY(2), .READ_ANY(1)) u_biases (
        .clk(clk), .wr_en(g_bias), .wr_addr(g_row[R_BITS-1:0]), .wr_data(g_bias_data), .rd_en(issues_q),
        .rd_addr(row_at[R_BITS-1:0]), .rd_data(bias_s2)
    );
    rlc_delay #(.WIDTH(1 + K_BITS + S_BITS), .CLOCKS(2)) u_pick (
        .clk(clk), .d({is_bias, is_part, is_output}), .q({bias_now_s2, pick_s2})
    );
    genvar p;
    genvar o;
    genvar c;
    for (p = 0; p < BLOCKS; p = p + 1) begin : g_part
        for (o = 0; o < SIDE; o = o + 1) begin : g_output
            for (c = 0; c < SIDE; c = c + 1) begin : g_lane
                assign outputs_s2[((p*SIDE+o)*SIDE+c)*GRAD_WIDTH +: GRAD_WIDTH] =
                    word_s2[((p*SIDE+c)*SIDE+o)*GRAD_WIDTH +: GRAD_WIDTH];
            end
        end
    end
    wire [K_BITS+S_BITS-1:0] index_s2 = (BLOCKS == 1) ? {{K_BITS{1'b0}}, pick_s2[S_BITS-1:0]} : pick_s2;
    rlc_tensor_pick #(.WIDTH(SIDE * GRAD_WIDTH), .COUNT(BLOCKS * SIDE), .BITS(K_BITS + S_BITS)) u_group (
        .words(outputs_s2), .index(index_s2), .word(picked_s2)
    );
    always @(posedge clk) g_s3 <= bias_now_s2 ? bias_s2 : picked_s2;

    // The optimiser, and the weights that it moves.
    wire                            step_soon, w_soon, sign, dither_next;
    reg  [BACK:1]                   step_q;
    wire [BACK:0]                   step = {step_q, step_soon};
    wire                            sync = u_q[`RLC_TENSOR_UPDATE_SYNC];
    wire                            restart = begins_q;
    wire [15:0]                     first   = u_q[`RLC_TENSOR_UPDATE_FIRST];
    wire [15:0]                     t_first = u_q[`RLC_TENSOR_UPDATE_TARGET_FIRST];
    wire [SIDE*WEIGHT_WIDTH-1:0]    w_old, w_new, w_before;
    wire [SIDE*TARGET_WIDTH-1:0]    t_old, t_new;
    wire [SIDE*(WEIGHT_WIDTH+1)-1:0] add;
    wire [SIDE-1:0]                 carry, step_over, over;
    wire [SIDE*34-1:0]              squares;
    wire [SIDE-1:0]                 grad_over;
    wire [1:0]                      tag;
    wire [SIDE*WORD-1:0]            state;
    reg  [SIDE*WEIGHT_WIDTH-1:0]    w_out_q;
    reg  [SIDE*TARGET_WIDTH-1:0]    t_out_q;
    always @(posedge clk) step_q <= rst ? {BACK{1'b0}} : step[BACK-1:0];
    rlc_nn_optimiser #(
        .OPTIMISER(OPTIMISER), .LANES(SIDE), .GROUPS(GROUPS), .STYLE(GROUP_STYLE), .WORD(WORD), .WEIGHT_WIDTH(WEIGHT_WIDTH),
        .WEIGHT_FRAC(WEIGHT_FRAC), .GRAD_WIDTH(GRAD_WIDTH), .ROUND(0), .SQUARES(0), .BETA1_NUM(BETA1_NUM),
        .BETA1_SHIFT(BETA1_SHIFT), .BETA2_NUM(BETA2_NUM), .BETA2_SHIFT(BETA2_SHIFT)
    ) u_optimiser (
        .clk(clk), .rst(rst), .restart(restart), .first(first), .settings(settings),
        .grad_frac(u_q[`RLC_TENSOR_UPDATE_GRAD_FRAC]), .settings_fit(fit), .s_soon(issues_q), .s_grad(g_s3),
        .s_over({SIDE{1'b0}}), .s_counted(1'b0), .s_tag(2'd0), .m_tag(tag), .m_squares(squares), .m_grad_over(grad_over),
        .dither_next(dither_next), .dither({(SIDE*16){1'b0}}), .w_soon(w_soon), .w(w_old), .m_soon(step_soon),
        .m_w(w_before), .m_add(add), .m_carry(carry), .m_over(step_over), .host_word(param_bank[0]),
        .host_load(state_loads_q), .host_data(host_q), .host_fetch(fetch), .host_q(state), .host_sign(sign)
    );
    wire [SIDE*WEIGHT_WIDTH-1:0] w_host;
    wire [SIDE*TARGET_WIDTH-1:0] t_host;
    rlc_nn_param_bank #(.WIDTH(SIDE * WEIGHT_WIDTH), .GROUPS(GROUPS), .STYLE(GROUP_STYLE)) u_weights (
        .clk(clk), .restart(restart), .first(first), .rd_en(w_soon || fetch), .rd_data(w_old),
        .wr_en(w_valid), .wr_data(w_out_q)
    );
    if (TARGET_GROUPS > 0) begin : g_targets
        rlc_nn_param_bank #(.WIDTH(SIDE * TARGET_WIDTH), .GROUPS(TARGET_GROUPS), .STYLE(GROUP_STYLE)) u_targets (
            .clk(clk), .restart(restart), .first(t_first), .rd_en(step[READ] || fetch), .rd_data(t_old),
            .wr_en(t_valid), .wr_data(t_out_q)
        );
    end else begin : g_none
        assign t_old = {(SIDE*TARGET_WIDTH){1'b0}};
    end
    wire [SIDE*WEIGHT_WIDTH-1:0] unused_own;
    for (c = 0; c < SIDE; c = c + 1) begin : g_lane
        wire signed [WEIGHT_WIDTH-1:0] w = w_before[c*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire signed [TARGET_WIDTH-1:0] t = t_old[c*TARGET_WIDTH +: TARGET_WIDTH];
        rlc_nn_weight #(.WEIGHT_WIDTH(WEIGHT_WIDTH), .POLYAK(POLYAK)) u_weight (
            .clk(clk), .w(w), .add(add[c*(WEIGHT_WIDTH+1) +: WEIGHT_WIDTH+1]), .carry(carry[c]), .s_over(step_over[c]),
            .own(unused_own[c*WEIGHT_WIDTH +: WEIGHT_WIDTH]), .averaged(1'b0), .shared({WEIGHT_WIDTH{1'b0}}), .t(t), .sync(sync), .tau(tau), .new_w(w_new[c*WEIGHT_WIDTH +: WEIGHT_WIDTH]),
            .new_t(t_new[c*TARGET_WIDTH +: TARGET_WIDTH]), .saturated(over[c])
        );
        wire signed [WEIGHT_WIDTH-1:0] w_read = w_old[c*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        wire [WORD-1:0]                w_word = {{(WORD-WEIGHT_WIDTH){w_read[WEIGHT_WIDTH-1]}}, w_read};
        wire [WORD-1:0]                t_word = {{(WORD-TARGET_WIDTH){t[TARGET_WIDTH-1]}}, t};
        assign w_host[c*WEIGHT_WIDTH +: WEIGHT_WIDTH] = s_load_data[c*WORD +: WEIGHT_WIDTH];
        assign t_host[c*TARGET_WIDTH +: TARGET_WIDTH] = s_load_data[c*WORD +: TARGET_WIDTH];
        assign m_read_data[c*WORD +: WORD] = param_bank[1] ? state[c*WORD +: WORD] : param_bank[0] ? t_word : w_word;
        assign w_data[c*WEIGHT_WIDTH +: WEIGHT_WIDTH] = w_out_q[c*WEIGHT_WIDTH +: WEIGHT_WIDTH];
        assign t_data[c*WEIGHT_WIDTH +: WEIGHT_WIDTH] = t_out_q[c*TARGET_WIDTH + TARGET_WIDTH - WEIGHT_WIDTH +: WEIGHT_WIDTH];
    end

    // The state moved by bits: as far up as can be, then down, rounded half up, and saturated.
    `include "rlc_nn_state.vh"
    localparam M_BITS = IS_MOMENTUM ? GRAD_WIDTH : GRAD_WIDTH + 6;
    localparam UP     = 31;
    localparam [31:0] UPS = UP;
    wire [5:0] down = UPS[5:0] - u_q[`RLC_TENSOR_UPDATE_GRAD_FRAC];
    for (c = 0; c < SIDE; c = c + 1) begin : g_move
        wire signed [WORD-1:0]   was  = state[c*WORD +: WORD];
        wire signed [WORD:0]     wide = {sign && was[WORD-1], was};
        wire signed [WORD:0]     found;
        wire signed [M_BITS-1:0] narrow;
        wire                     cut, narrow_over;
        rlc_shift_sat #(.WIN(WORD + 1 + UP), .WOUT(WORD + 1)) u_shift (
            .clk(clk), .s_data({wide, {UP{1'b0}}}), .shift(down), .m_data(found), .m_saturated(cut)
        );
        rlc_round_sat #(.WIN(WORD + 1), .FRAC(0), .WOUT(M_BITS)) u_limit (
            .in_data(found), .out_data(narrow), .saturated(narrow_over)
        );
        assign moved[c*WORD +: WORD] = sign ? {{(WORD-M_BITS){narrow[M_BITS-1]}}, narrow} : found[WORD-1:0];
        assign moved_over[c]         = cut || (sign && narrow_over);
    end

    // Groups come out in the order in which they were asked for.
    wire              to_bias;
    wire [9:0]        to_row;
    wire [15:0]       to_block, to_word;
    wire [K_BITS-1:0] to_part;
    wire [S_BITS-1:0] to_output;
    assign out = step[BACK] || loaded || sent || scaled_q[SCALED-1];
    rlc_tensor_groups #(.SIDE(SIDE), .BLOCKS(BLOCKS)) u_out (
        .clk(clk), .restart(begins_q), .step(out), .rows(u_q[`RLC_TENSOR_UPDATE_ROWS]),
        .blocks(u_q[`RLC_TENSOR_UPDATE_BLOCKS]), .at_bias(to_bias), .at_row(to_row), .at_block(to_block), .at_part(to_part),
        .at_word(to_word), .at_output(to_output), .last(out_last)
    );
    wire [15:0] row_wide = {6'd0, to_row};
    localparam COUNT = $clog2(SIDE + 1);
    reg  [SIDE-1:0]  over_q;
    reg              last_q;
    integer          n;
    reg  [COUNT-1:0] over_n;
    always @* begin
        over_n = {COUNT{1'b0}};
        for (n = 0; n < SIDE; n = n + 1) over_n = over_n + {{(COUNT-1){1'b0}}, over_q[n]};
    end
    always @(posedge clk) begin
        w_valid  <= (step[BACK] || (loaded && param_bank == 2'd0)) && !rst;
        t_valid  <= ((step[BACK] && sync) || (loaded && param_bank == 2'd1)) && !rst;
        m_bias   <= to_bias;
        m_output <= to_bias ? {SIDE{1'b1}} : {{(SIDE-1){1'b0}}, 1'b1} << to_output;
        w_block  <= to_bias ? {4'd0, u_q[`RLC_TENSOR_UPDATE_WEIGHT_BIAS]} + row_wide : u_q[`RLC_TENSOR_UPDATE_WEIGHT_BASE] + to_block;
        t_block  <= to_bias ? {4'd0, u_q[`RLC_TENSOR_UPDATE_TARGET_BIAS]} + row_wide : u_q[`RLC_TENSOR_UPDATE_TARGET_BASE] + to_block;
        w_out_q  <= updates ? w_new : w_host;
        t_out_q  <= updates ? t_new : t_host;
        over_q   <= scales ? moved_over & {SIDE{scaled_q[SCALED-1]}} : over & {SIDE{step[BACK]}};
        last_q   <= out && out_last && !rst;
        told_valid     <= last_q && !rst;
        told_saturated <= begins_q ? 32'd0 : told_saturated + {{(32-COUNT){1'b0}}, over_n};
    end
    assign told_id = u_q[`RLC_TENSOR_UPDATE_ID];

    wire unused = &{1'b0, is_block, to_word, to_part, squares, grad_over, tag, sign, dither_next, w_old, word_at, row_at, g_word, g_row};
endmodule
`default_nettype wire
