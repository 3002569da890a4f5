// rlc_mlp.v — a trained network on one array of multipliers: an observation in, its action a fixed number of clocks later.
// SPDX-License-Identifier: Apache-2.0
//
// s_obs_*     an observation in words of COLS elements of ACT_WIDTH bits, the first element lowest; what is beyond the last
//             one of an observation is not looked at
// m_act_*     the outputs, 18 bits each, the first lowest; or with ARGMAX the index of the greatest, the first of equals
// s_load_*    a set of weights (rlc_mlp_load); passes go on with the old one, and it is swapped in between two passes
// taken, refused   pulses: a set became active, or was left out
// loaded      there is a set to act with; nothing enters before
// latency     rlcores.cores.mlp.cycles: the same for every observation. One observation is inside at a time
// cost        ROWS · COLS multipliers (MULTIPLIER: half of them, or none), and those of the ACTS activation units
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp #(
    `include "rlc_mlp_parameters.vh"
    , parameter STYLE     = "auto", // memory of the weights: "auto", "block", "ultra" or "distributed"
    parameter BIAS_INIT   = "",     // files of a first set of weights
    parameter NORM_INIT   = "",     // of gains and offsets, where a layer is normalised
    parameter WEIGHT_INIT = ""      // "" for all: nothing is loaded at the start
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      s_obs_valid,
    output wire                      s_obs_ready,
    input  wire [COLS*ACT_WIDTH-1:0] s_obs_data,
    output wire                      m_act_valid,
    input  wire                      m_act_ready,
    output wire [ANSWER_WIDTH-1:0]   m_act_data,
    input  wire                      s_load_valid,
    output wire                      s_load_ready,
    input  wire [31:0]               s_load_data,
    input  wire                      s_load_last,
    output wire                      taken,
    output wire                      refused,
    output wire                      loaded
);
    `include "rlc_mlp_defs.vh"
    localparam LAYERS = fields(SIZES) - 1;
    `RLC_CHECK(LAYERS >= 1 && LAYERS <= 6 && fields(KINDS) == LAYERS
               && fields(SHIFTS) == LAYERS && fields(BIAS_SHIFTS) == LAYERS && fields(UNIT_SHIFTS) == LAYERS
               && fields(SLOPES) == LAYERS && fields(NORMS) == LAYERS && fields(NORM_SHIFTS) == LAYERS
               && fields(OFFSET_SHIFTS) == LAYERS && fields(ACT_WIDTHS) == LAYERS,
               rlc_mlp_illegal_lists_must_have_1_to_6_layers)
    `RLC_CHECK(greatest(KINDS) <= 7, rlc_mlp_illegal_every_number_of_KINDS_must_be_0_to_7)
    `RLC_CHECK(greatest(SHIFTS) <= 40 && greatest(BIAS_SHIFTS) <= 40 && greatest(NORM_SHIFTS) <= 40
               && greatest(OFFSET_SHIFTS) <= 18,
               rlc_mlp_illegal_SHIFTS_and_BIAS_SHIFTS_and_NORM_SHIFTS_must_be_0_to_40_and_OFFSET_SHIFTS_0_to_18)
    `RLC_CHECK(least(ACT_WIDTHS) >= 3 && greatest(ACT_WIDTHS) <= 18,
               rlc_mlp_illegal_every_number_of_ACT_WIDTHS_must_be_3_to_18)
    `RLC_MLP_LEGAL(rlc_mlp)
    `RLC_CHECK(ACTS <= ROWS && ACTS <= COLS, rlc_mlp_illegal_ACTS_must_be_at_most_ROWS_and_COLS)
    `RLC_CHECK(SUM_WIDTH > WEIGHT_WIDTH + ACT_WIDTH, rlc_mlp_illegal_SUM_WIDTH_must_be_above_WEIGHT_WIDTH_and_ACT_WIDTH_together)
    `RLC_CHECK(any_norm(NORMS) == 0 || SUM_WIDTH >= 36, rlc_mlp_illegal_SUM_WIDTH_must_be_at_least_36_where_a_layer_is_normalised)

    localparam GROUPS  = all_groups(SIZES, ROWS);
    localparam STEPS   = all_steps(SIZES, ROWS, COLS);
    localparam NORMED  = any_norm(NORMS);
    localparam NORM_WORDS = norm_pieces(SIZES, NORMS, ACTS);
    localparam NORM_BITS  = (NORM_WORDS > 1) ? $clog2(NORM_WORDS) : 1;
    localparam PARTS   = (ROWS * COLS * WEIGHT_WIDTH + 31) / 32;
    localparam GROUP_BITS = (GROUPS > 1) ? $clog2(GROUPS) : 1;
    localparam STEP_BITS  = (STEPS > 1) ? $clog2(STEPS) : 1;
    localparam TREE    = tree_clocks(COLS);
    localparam IN      = field(SIZES, 0);
    localparam OUT     = field(SIZES, LAYERS);
    localparam integer LAST_WORD = pieces(IN, COLS) - 1;
    localparam WORD_BITS = (deepest(SIZES, COLS) > 1) ? $clog2(deepest(SIZES, COLS)) : 1;
    localparam SUBS    = COLS / ACTS;                  // pieces in a word of elements
    localparam TURNS   = ROWS / ACTS;                  // pieces in a group of rows
    localparam OUT_PIECES = pieces(OUT, ACTS);
    localparam SLOWEST = slowest(KINDS);
    localparam READY   = (WEIGHT_INIT != "") ? 1 : 0;

    // An observation comes in while nothing is inside.
    reg                  inside_q;
    reg  [WORD_BITS-1:0] in_word_q;
    wire done, left;
    wire in_take  = s_obs_valid && s_obs_ready;
    wire in_last  = in_word_q == LAST_WORD[WORD_BITS-1:0];
    wire start    = in_take && in_last;
    wire active;
    assign s_obs_ready = loaded && !inside_q;
    // Between two observations: as an answer leaves, too, so that observations without a gap hold no set back.
    wire between = inside_q ? left : !start;
    always @(posedge clk)
        if (rst) begin
            inside_q  <= 1'b0;
            in_word_q <= {WORD_BITS{1'b0}};
        end else begin
            if (start)     inside_q <= 1'b1;
            else if (left) inside_q <= 1'b0;
            if (in_take)   in_word_q <= in_last ? {WORD_BITS{1'b0}} : in_word_q + 1'b1;
        end

    wire [ROWS-1:0]       bias_en;
    wire [GROUP_BITS-1:0] bias_addr;
    wire [ACTS-1:0]       norm_en;
    wire [NORM_BITS-1:0]  norm_addr;
    wire [PARTS-1:0]      weight_en;
    wire [STEP_BITS-1:0]  weight_addr;
    rlc_mlp_load #(
        .IDENTITY(IDENTITY), .ROWS(ROWS), .GROUPS(GROUPS), .ACTS(ACTS), .NORMS((NORMED != 0) ? NORM_WORDS : 0), .PARTS(PARTS),
        .STEPS(STEPS), .READY(READY), .NORM_BITS(NORM_BITS)
    ) u_load (
        .clk(clk), .rst(rst), .s_load_valid(s_load_valid), .s_load_ready(s_load_ready), .s_load_data(s_load_data),
        .s_load_last(s_load_last), .taken(taken), .refused(refused), .swap(between), .active(active),
        .loaded(loaded), .bias_en(bias_en), .bias_addr(bias_addr), .norm_en(norm_en), .norm_addr(norm_addr),
        .weight_en(weight_en), .weight_addr(weight_addr)
    );

    // Stage 0: a step's addresses.
    wire        idle, valid, first, last;
    wire [2:0]  layer;
    wire [9:0]  group, word;
    wire [19:0] step;
    wire [12:0] bias_at;
    rlc_mlp_schedule #(.SIZES(SIZES), .KINDS(KINDS), .NORMS(NORMS), .ROWS(ROWS), .COLS(COLS), .ACTS(ACTS)) u_schedule (
        .clk(clk), .rst(rst), .start(start), .idle(idle), .valid(valid), .first(first), .last(last), .layer(layer),
        .group(group), .word(word), .step(step), .bias(bias_at)
    );
    // Elements beyond a layer's last one do not count.
    reg  [COLS-1:0] mask;
    wire [10:0]     elements_of [0:7];
    integer c;
    always @*
        for (c = 0; c < COLS; c = c + 1) mask[c] = {22'd0, word} * COLS + c < {21'd0, elements_of[layer]};

    // Stages 1, 2: memories. Both versions of a word stand beside each other.
    wire [COLS*ACT_WIDTH-1:0] x_s2;
    wire [PARTS*32-1:0]       w_s2;
    wire [COLS-1:0]           mask_s2;
    wire                      valid_s2, first_s2;
    reg  [SUBS-1:0]           x_en;
    wire [WORD_BITS:0]        x_addr;
    reg  [COLS*ACT_WIDTH-1:0] x_data;
    rlc_ram_1r1w_lane #(
        .LANES(SUBS), .LANE_WIDTH(ACTS * ACT_WIDTH), .DEPTH(2 << WORD_BITS), .READ_LATENCY(2), .STYLE("distributed")
    ) u_x (
        .clk(clk), .wr_en(x_en), .wr_addr(x_addr), .wr_data(x_data), .rd_en(1'b1),
        .rd_addr({layer[0], word[WORD_BITS-1:0]}), .rd_data(x_s2)
    );
    localparam STEP_ADDR = $clog2(2 * STEPS);
    wire [STEP_BITS:0] weight_to = {weight_addr, !active}, weight_at = {step[STEP_BITS-1:0], active};
    rlc_mlp_memory #(
        .PARTS(PARTS), .DEPTH(2 * STEPS), .STYLE(STYLE), .INIT(WEIGHT_INIT)
    ) u_weights (
        .clk(clk), .wr_en(weight_en), .wr_addr(weight_to[STEP_ADDR-1:0]), .wr_data(s_load_data),
        .rd_addr(weight_at[STEP_ADDR-1:0]), .rd_data(w_s2)
    );
    rlc_delay #(.WIDTH(COLS + 2), .CLOCKS(2)) u_step (.clk(clk), .d({mask, valid, first}), .q({mask_s2, valid_s2, first_s2}));

    // The biases meet the sums where these begin.
    wire [ROWS*32-1:0]        bias_read;
    reg  [ROWS*SUM_WIDTH-1:0] bias_up;
    wire [GROUP_BITS-1:0]     bias_late;
    wire [2:0]                layer_bias;
    rlc_delay #(.WIDTH(GROUP_BITS), .CLOCKS(1 + TREE)) u_bias_at (
        .clk(clk), .d(bias_at[GROUP_BITS-1:0]), .q(bias_late)
    );
    rlc_delay #(.WIDTH(3), .CLOCKS(3 + TREE)) u_layer_bias (.clk(clk), .d(layer), .q(layer_bias));
    localparam GROUP_ADDR = $clog2(2 * GROUPS);
    wire [GROUP_BITS:0] bias_to = {bias_addr, !active}, bias_from = {bias_late, active};
    rlc_mlp_memory #(
        .PARTS(ROWS), .DEPTH(2 * GROUPS), .INIT(BIAS_INIT)
    ) u_biases (
        .clk(clk), .wr_en(bias_en), .wr_addr(bias_to[GROUP_ADDR-1:0]), .wr_data(s_load_data),
        .rd_addr(bias_from[GROUP_ADDR-1:0]), .rd_data(bias_read)
    );
    // Processes join vectors here, as in rlc_mlp_array.
    wire [SUM_WIDTH-1:0] bias_of [0:ROWS-1];
    integer i;
    always @*
        for (i = 0; i < ROWS; i = i + 1) bias_up[i*SUM_WIDTH +: SUM_WIDTH] = bias_of[i];
    genvar r, l, a;
    for (r = 0; r < ROWS; r = r + 1) begin : g_bias
        wire [SUM_WIDTH-1:0] up_of [0:7];
        wire [31:0]          low = bias_read[32*r +: 32];
        for (l = 0; l < 8; l = l + 1) begin : g_layer
            localparam integer UP = field(BIAS_SHIFTS, l);
            assign up_of[l] = (l < LAYERS) ? {{(SUM_WIDTH-32){low[31]}}, low} << UP : {SUM_WIDTH{1'b0}};
        end
        assign bias_of[r] = up_of[layer_bias];
    end
    for (l = 0; l < 8; l = l + 1) begin : g_elements
        localparam integer ELEMENTS = (l < LAYERS) ? field(SIZES, l) : 0;
        assign elements_of[l] = ELEMENTS[10:0];
    end

    wire [ROWS*SUM_WIDTH-1:0] sums;
    rlc_mlp_array #(
        .ROWS(ROWS), .COLS(COLS), .W_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH), .SUM_WIDTH(SUM_WIDTH),
        .MULTIPLIER(MULTIPLIER)
    ) u_array (
        .clk(clk), .valid(valid_s2), .first(first_s2), .mask(mask_s2), .w(w_s2[ROWS*COLS*WEIGHT_WIDTH-1:0]), .x(x_s2),
        .bias(bias_up), .sums(sums)
    );

    // The sums leave in pieces of ACTS.
    wire        full;
    wire [2:0]  full_layer;
    wire [9:0]  full_group;
    rlc_delay #(.WIDTH(13), .CLOCKS(4 + TREE)) u_full (.clk(clk), .d({layer, group}), .q({full_layer, full_group}));
    reg  [3+TREE:0] full_line_q;
    always @(posedge clk)
        if (rst) full_line_q <= {(4+TREE){1'b0}};
        else     full_line_q <= {full_line_q[2+TREE:0], valid && last};
    assign full = full_line_q[3+TREE];

    wire                      piece_valid;
    wire [2:0]                piece_layer;
    wire [9:0]                piece_row;     // its number, in pieces
    wire [ACTS*SUM_WIDTH-1:0] piece;
    if (TURNS == 1) begin : g_at_once
        assign piece_valid = full;
        assign piece_layer = full_layer;
        assign piece_row   = full_group;
        assign piece       = sums;
    end else begin : g_in_turns
        localparam TURN_BITS = $clog2(TURNS);
        localparam integer LAST_TURN = TURNS - 1;
        reg                      valid_q;
        reg [2:0]                layer_q;
        reg [9:0]                group_q;
        reg [TURN_BITS-1:0]      turn_q;
        reg [ROWS*SUM_WIDTH-1:0] held_q;
        wire                     turn_last = turn_q == LAST_TURN[TURN_BITS-1:0];
        // A layer's last piece. What a group has behind it would meet the next layer's results, or the next observation's;
        // a normalised layer gives all of a group.
        wire [9:0] last_piece_of [0:7];
        for (l = 0; l < 8; l = l + 1) begin : g_pieces
            localparam integer NEEDED = (l < LAYERS && field(NORMS, l) == 0) ? pieces(field(SIZES, l + 1), ACTS) : 1024;
            localparam integer LAST_PIECE = NEEDED - 1;
            assign last_piece_of[l] = LAST_PIECE[9:0];
        end
        wire                     piece_last = piece_row == last_piece_of[layer_q];
        always @(posedge clk) begin
            if (rst)       valid_q <= 1'b0;
            else if (full) valid_q <= 1'b1;
            else if (turn_last || piece_last) valid_q <= 1'b0;
            turn_q <= full ? {TURN_BITS{1'b0}} : turn_q + 1'b1;
            held_q <= full ? sums : held_q >> (ACTS * SUM_WIDTH);
            if (full) begin
                layer_q <= full_layer;
                group_q <= full_group;
            end
        end
        // A group of rows never comes before the one ahead of it has left.
        rlc_assert_never u_never (.clk(clk), .rst(rst), .bad(full && valid_q && !turn_last && !piece_last));
        assign piece_valid = valid_q;
        assign piece_layer = layer_q;
        wire [31:0] number = {22'd0, group_q} * TURNS + {{(32-TURN_BITS){1'b0}}, turn_q};
        assign piece_row   = number[9:0];
        assign piece       = held_q[ACTS*SUM_WIDTH-1:0];
        wire unused_number = &{1'b0, number[31:10]};
    end

    // A normalised layer's sums leave twice: rounded to rlc_mlp_norm, and from there again.
    wire                      norm_valid;
    wire [2:0]                norm_layer;
    wire [9:0]                norm_row;
    wire [ACTS*SUM_WIDTH-1:0] norm_data;
    wire                      out_valid = piece_valid || norm_valid;
    wire [2:0]                out_layer = norm_valid ? norm_layer : piece_layer;
    wire [9:0]                out_row   = norm_valid ? norm_row : piece_row;
    wire [ACTS*SUM_WIDTH-1:0] out_data  = norm_valid ? norm_data : piece;
    rlc_assert_never u_norm_alone (.clk(clk), .rst(rst), .bad(norm_valid && piece_valid));

    // Rounding, activation, and back into the memory of elements.
    wire [7:0] in_unit_of, normed_of;
    for (l = 0; l < 8; l = l + 1) begin : g_through
        localparam integer IN_UNIT = in_unit(field(KINDS, l));
        localparam integer EPSILON = field(NORMS, l);
        assign in_unit_of[l] = l < LAYERS && IN_UNIT != 0;
        assign normed_of[l]  = l < LAYERS && EPSILON != 0;
    end
    wire to_norm = normed_of[out_layer] && !norm_valid;
    wire through = in_unit_of[out_layer];
    wire [2:0] direct_layer, unit_layer, unit_layer_early;
    wire [9:0] direct_row, unit_row;
    reg        direct_valid_q;
    reg  [SLOWEST+1:0] unit_line_q;
    rlc_delay #(.WIDTH(13), .CLOCKS(1)) u_direct (.clk(clk), .d({out_layer, out_row}), .q({direct_layer, direct_row}));
    rlc_delay #(.WIDTH(13), .CLOCKS(SLOWEST + 1)) u_unit (
        .clk(clk), .d({direct_layer, direct_row}), .q({unit_layer, unit_row})
    );
    rlc_delay #(.WIDTH(3), .CLOCKS(SLOWEST)) u_unit_early (.clk(clk), .d(direct_layer), .q(unit_layer_early));
    always @(posedge clk)
        if (rst) begin
            direct_valid_q <= 1'b0;
            unit_line_q    <= {(SLOWEST+2){1'b0}};
        end else begin
            direct_valid_q <= out_valid && !through && !to_norm;
            unit_line_q    <= {unit_line_q[SLOWEST:0], out_valid && through && !to_norm};
        end
    wire unit_valid = unit_line_q[SLOWEST+1];
    wire [17:0] rounded_of [0:ACTS-1];
    wire [17:0] direct_of  [0:ACTS-1];
    wire [17:0] unit_of    [0:ACTS-1];
    reg  [ACTS*18-1:0] rounded, direct, unit;
    integer lane;
    always @*
        for (lane = 0; lane < ACTS; lane = lane + 1) begin
            rounded[lane*18 +: 18] = rounded_of[lane];
            direct[lane*18 +: 18]  = direct_of[lane];
            unit[lane*18 +: 18]    = unit_of[lane];
        end
    for (a = 0; a < ACTS; a = a + 1) begin : g_act
        wire [17:0] rounded_a, direct_a, unit_a;
        rlc_mlp_activate #(
            .KINDS(KINDS), .SHIFTS(SHIFTS), .NORM_SHIFTS(NORM_SHIFTS), .UNIT_SHIFTS(UNIT_SHIFTS), .SLOPES(SLOPES),
            .ACT_WIDTHS(ACT_WIDTHS), .UNIT_FRAC(UNIT_FRAC), .SUM_WIDTH(SUM_WIDTH)
        ) u_activate (
            .clk(clk), .sum(out_data[a*SUM_WIDTH +: SUM_WIDTH]), .layer(out_layer), .normed(norm_valid),
            .rounded(rounded_a), .direct_layer(direct_layer), .direct(direct_a), .unit_layer(unit_layer_early), .unit(unit_a)
        );
        assign rounded_of[a] = rounded_a;
        assign direct_of[a]  = direct_a;
        assign unit_of[a]    = unit_a;
    end
    rlc_assert_never u_one (.clk(clk), .rst(rst), .bad(direct_valid_q && unit_valid));

    if (NORMED != 0) begin : g_norm
        localparam NORM_ADDR = $clog2(2 * NORM_WORDS);
        wire [NORM_BITS-1:0] norm_at;
        wire [NORM_BITS:0]   norm_to = {norm_addr, !active}, norm_from = {norm_at, active};
        wire [ACTS*32-1:0]   norm_read;
        reg                  to_norm_q;
        always @(posedge clk) to_norm_q <= piece_valid && to_norm && !rst;
        rlc_mlp_memory #(.PARTS(ACTS), .DEPTH(2 * NORM_WORDS), .INIT(NORM_INIT)) u_norms (
            .clk(clk), .wr_en(norm_en), .wr_addr(norm_to[NORM_ADDR-1:0]), .wr_data(s_load_data),
            .rd_addr(norm_from[NORM_ADDR-1:0]), .rd_data(norm_read)
        );
        rlc_mlp_norm #(
            .SIZES(SIZES), .NORMS(NORMS), .OFFSET_SHIFTS(OFFSET_SHIFTS), .ROWS(ROWS), .ACTS(ACTS), .OUT_WIDTH(SUM_WIDTH),
            .ADDR_WIDTH(NORM_BITS)
        ) u_norm (
            .clk(clk), .rst(rst), .start(start), .s_valid(to_norm_q), .s_layer(direct_layer), .s_piece(direct_row),
            .s_data(rounded), .rd_addr(norm_at), .rd_data(norm_read), .m_valid(norm_valid), .m_layer(norm_layer),
            .m_piece(norm_row), .m_data(norm_data)
        );
    end else begin : g_no_norm
        assign norm_valid = 1'b0;
        assign norm_layer = 3'd0;
        assign norm_row   = 10'd0;
        assign norm_data  = {(ACTS*SUM_WIDTH){1'b0}};
        wire unused_norm = &{1'b0, norm_en, norm_addr, rounded, to_norm};
    end

    wire              result_valid = direct_valid_q || unit_valid;
    wire [2:0]        result_layer = unit_valid ? unit_layer : direct_layer;
    wire [9:0]        result_row   = unit_valid ? unit_row : direct_row;
    wire [ACTS*18-1:0] result      = unit_valid ? unit : direct;
    wire              final_layer  = {29'd0, result_layer} == LAYERS - 1;
    wire [31:0]       result_word  = {22'd0, result_row} / SUBS;
    assign x_addr = in_take ? {1'b0, in_word_q} : {!result_layer[0], result_word[WORD_BITS-1:0]};
    integer sub, element;
    always @*
        for (sub = 0; sub < SUBS; sub = sub + 1) begin
            x_en[sub] = in_take || (result_valid && !final_layer && {22'd0, result_row} % SUBS == sub);
            for (element = 0; element < ACTS; element = element + 1)
                x_data[(sub*ACTS + element)*ACT_WIDTH +: ACT_WIDTH] =
                    in_take ? s_obs_data[(sub*ACTS + element)*ACT_WIDTH +: ACT_WIDTH] : result[element*18 +: ACT_WIDTH];
        end

    // The outputs are gathered; pieces beyond them are left out.
    reg  [OUT_PIECES*ACTS*18-1:0] outputs_q;
    reg                           whole_q;
    wire                          gather = result_valid && final_layer;
    wire                          whole  = gather && {22'd0, result_row} == OUT_PIECES - 1;
    integer p;
    always @(posedge clk) begin
        for (p = 0; p < OUT_PIECES; p = p + 1)
            if (gather && {22'd0, result_row} == p) outputs_q[p*ACTS*18 +: ACTS*18] <= result;
        if (rst || left) whole_q <= 1'b0;
        else if (whole)  whole_q <= 1'b1;
    end
    assign left = m_act_valid && m_act_ready;
    if (ARGMAX != 0) begin : g_argmax
        rlc_mlp_argmax #(.COUNT(OUT)) u_argmax (
            .clk(clk), .rst(rst), .valid(whole_q), .values(outputs_q[OUT*18-1:0]), .done(done), .index(m_act_data)
        );
    end else begin : g_outputs
        assign done       = whole_q;
        assign m_act_data = outputs_q[OUT*18-1:0];
    end
    assign m_act_valid = done;

    wire unused = &{1'b0, idle, w_s2, step, bias_at, word, result_word, outputs_q, result};

    // Neurons of the last layer; it stands before the list functions for the width of a port.
    function integer last_size(input [1023:0] text);
        integer   at;
        reg [7:0] letter;
        begin
            last_size = 0;
            for (at = 63; at >= 0; at = at - 1) begin
                letter = text[8*at +: 8];
                if (letter == 8'h2d) last_size = 0;
                else if (letter >= 8'h30 && letter <= 8'h39) last_size = 10 * last_size + {28'd0, letter[3:0]};
            end
        end
    endfunction
endmodule
`default_nettype wire
