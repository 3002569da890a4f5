// rlc_policy.sv — acting: observation in, action out, in a fixed number of clocks, while new weights stream in.
// SPDX-License-Identifier: Apache-2.0
//
// Contract: docs/policy.md.
//
//   s_* --> rx --> layer 1 --> .. --> layer M --> elements --> head --> queues --> m_act_*, m_log_*
//   w_* --> order of each layer, versions --> layers
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_policy #(
    `include "rlc_policy_parameters.vh"
) (
    input  wire                        clk,
    input  wire                        rst,
    output wire                        busy,
    output wire                        cfg_ok,
    input  wire [24:0]                 cfg_act_frac,
    input  wire [16:0]                 cfg_epsilon,
    input  wire                        cfg_noise,
    input  wire [1:0]                  cfg_squash,
    input  wire [16:0]                 cfg_scale,
    input  wire                        seed_load,
    input  wire [127:0]                cfg_seed,

    input  wire [fields(SIZES)-2:0]    w_valid,
    input  wire [(fields(SIZES)-1)*widest(UPDATE_ROWS, UPDATE_COLS)*27-1:0] w_data,
    input  wire [field(SIZES, fields(SIZES)-1)*27-1:0] w_log_std,
    input  wire                        w_abort,
    output wire                        loaded,
    output wire                        w_taken,
    output wire                        w_dropped,

    `RLC_STREAM_SLAVE(s_obs, field(LANES, 0)*18),
    `RLC_STREAM_MASTER(m_act, CONTINUOUS != 0 ? field(SIZES, fields(SIZES)-1)*18 : 8),
    `RLC_STREAM_MASTER(m_log, CONTINUOUS != 0 ? (field(SIZES, fields(SIZES)-1)+1)*27 : 27),

    input  wire                        sat_clear,
    output wire [8*32-1:0]             sat_count
);
    `include "rlc_learner_defs.vh"
    `include "rlc_policy_defs.vh"
    `RLC_POLICY_LEGAL(rlc_policy)

    localparam LAYERS       = fields(SIZES) - 1;                 // of weights
    localparam LANES_0      = field(LANES, 0);
    localparam WEIGHTS      = widest(UPDATE_ROWS, UPDATE_COLS);  // that a layer's bus brings per clock at most
    localparam ACT_WIDTH    = 18;
    localparam WEIGHT_WIDTH = 27;
    localparam WEIGHT_FRAC  = 22;
    localparam ACTIONS      = field(SIZES, LAYERS);
    localparam LANES_M      = field(LANES, LAYERS);
    localparam WORDS_0      = words(field(SIZES, 0), LANES_0);
    localparam INTERVAL     = interval(SIZES, LANES, FORWARD);
    localparam PASS         = pass_clocks(SIZES, LANES, FORWARD, OPERANDS);
    localparam NOISE_WAIT   = noise_wait(SIZES, LANES, FORWARD, OPERANDS, CONTINUOUS != 0 ? 14 : 13);
    localparam ACT_CLOCKS   = (CONTINUOUS != 0) ? 16 : 2;             // of the head, from the last output to the action
    localparam LOG_CLOCKS   = (CONTINUOUS != 0) ? 37 : ACTIONS + 24;  // and to its log-probability
    localparam ACT_WIDE     = (CONTINUOUS != 0) ? ACTIONS * 18 : 8;
    localparam LOG_WIDE     = (CONTINUOUS != 0) ? (ACTIONS + 1) * 27 : 27;
    // Observations that are inside at a time, up to the end of a stage.
    localparam OUTPUTS      = PASS + NOISE_WAIT + LANES_M;
    localparam PASSES       = OUTPUTS / INTERVAL + 2;
    localparam ACT_PLACES   = (OUTPUTS + ACT_CLOCKS + 2) / INTERVAL + 2;
    localparam LOG_PLACES   = (OUTPUTS + LOG_CLOCKS + 2) / INTERVAL + 2;

    `RLC_CHECK(LAYERS >= 1 && LAYERS <= 4 && fields(LANES) == LAYERS + 1 && fields(FORWARD) == LAYERS
               && fields(UPDATE_ROWS) == LAYERS && fields(UPDATE_COLS) == LAYERS,
               rlc_policy_illegal_SIZES_and_LANES_have_2_to_5_numbers_and_the_other_lists_one_less)
    `RLC_CHECK(field(FORWARD, LAYERS - 1) == 1
               && LANES_M <= words(field(SIZES, LAYERS - 1), field(LANES, LAYERS - 1)),
               rlc_policy_illegal_the_last_layer_has_one_row_group_and_at_most_as_many_lanes_as_its_input_has_words)
    `RLC_CHECK(ACTIONS <= ((CONTINUOUS != 0) ? 32 : 256),
               rlc_policy_illegal_there_are_at_most_256_actions_or_32_dimensions_of_a_continuous_one)

    // Which version of the weights a pass meets.
    wire              enter, leave, leave_bank, active, w_bank;
    wire [LAYERS-1:0] w_last, w_take;
    rlc_policy_versions #(.LAYERS(LAYERS), .PASSES(PASSES)) u_versions (
        .*, .taken(w_taken), .dropped(w_dropped)
    );

    // An observation enters when its answers have places.
    wire [LAYERS-1:0] shifts_ok;
    wire              act_room, log_room, x_valid;
    wire [LANES_0*ACT_WIDTH-1:0] x_data;
    reg               bank_q;
    assign cfg_ok = &shifts_ok;
    rlc_policy_rx #(.WIDTH(LANES_0 * ACT_WIDTH), .WORDS(WORDS_0), .INTERVAL(INTERVAL)) u_rx (
        .*, .permit(loaded && cfg_ok && act_room && log_room && !seed_load), `RLC_STREAM_JOIN(s, s_obs),
        .m_valid(x_valid), .m_data(x_data)
    );
    always @(posedge clk) if (enter) bank_q <= active;
    rlc_credit #(.PLACES(ACT_PLACES)) u_act_places (
        .clk(clk), .rst(rst), .take(enter), .give(m_act_valid && m_act_ready), .room(act_room)
    );

    // Layer after layer.
    wire [LAYERS*8-1:0] cut;
    wire [LAYERS-1:0]   acc_overflow;
    genvar l;
    for (l = 1; l <= LAYERS; l = l + 1) begin : g_layer
        localparam LI = field(LANES, l - 1);
        localparam LJ = field(LANES, l);
        localparam WI = words(field(SIZES, l - 1), LI);
        localparam WJ = words(field(SIZES, l), LJ);
        localparam JB = field(UPDATE_ROWS, l - 1);
        localparam IB = field(UPDATE_COLS, l - 1);
        localparam G  = field(FORWARD, l - 1);
        localparam OW = (l == LAYERS) ? OUT_WIDTH : ACT_WIDTH;
        localparam [7:0] WF = WEIGHT_FRAC;
        `RLC_CHECK(LI >= 1 && LJ >= 1 && LI <= 255 && LJ <= 255 && G >= 1 && JB >= 1 && IB >= 1,
                   rlc_policy_illegal_every_number_of_every_list_is_at_least_1_and_lanes_are_at_most_255)

        wire                `RLC_NN_WEIGHT_ADDR weight_addr;
        wire                  y_valid, y_bank, in_valid, in_bank;
        wire [LI*ACT_WIDTH-1:0] in_data;
        wire [LJ*OW-1:0]      y_data;
        wire [LJ-1:0]         y_cut;
        reg  [7:0]            shift_q;
        rlc_nn_weight_addr_gen #(
            .WORDS_J(WJ), .STEPS_J(LJ / JB), .WORDS_I(WI), .STEPS_I(LI / IB), .FORWARD(G), .BACKWARD(1)
        ) u_weight_addr (
            .clk(clk), .restart(rst || w_abort), .step(w_valid[l-1]), .weight_addr(weight_addr), .last(w_last[l-1])
        );
        always @(posedge clk) shift_q <= WF + {3'd0, cfg_act_frac[5*(l-1) +: 5]} - {3'd0, cfg_act_frac[5*l +: 5]};
        assign shifts_ok[l-1] = shift_q < 8'd48;
        if (l == 1) begin : g_in
            assign {in_valid, in_bank, in_data} = {x_valid, bank_q, x_data};
        end else begin : g_in
            assign {in_valid, in_bank, in_data} = {g_layer[l-1].y_valid, g_layer[l-1].y_bank, g_layer[l-1].y_data};
        end
        rlc_policy_layer #(
            .LANES_IN(LI), .LANES_OUT(LJ), .GROUPS(G), .WORDS_IN(WI), .WORDS_OUT(WJ), .JB(JB), .IB(IB),
            .RELU(l < LAYERS), .OUT_WIDTH(OW), .WEIGHT_WIDTH(WEIGHT_WIDTH), .X_WIDTH(ACT_WIDTH),
            .OPERANDS(OPERANDS)
        ) u_layer (
            .clk(clk), .rst(rst), .cfg_bias_shift(cfg_act_frac[5*(l-1) +: 5]), .cfg_shift(shift_q[5:0]),
            .s_valid(in_valid), .s_bank(in_bank), .s_data(in_data),
            .w_valid(w_take[l-1]), .w_bank(w_bank), .w_addr(weight_addr),
            .w_data(w_data[(l-1)*WEIGHTS*WEIGHT_WIDTH +: JB*IB*WEIGHT_WIDTH]),
            .m_valid(y_valid), .m_bank(y_bank), .m_data(y_data), .saturated(y_cut), .acc_overflow(acc_overflow[l-1])
        );
        rlc_popcount #(.WIDTH(LJ), .COUNT_WIDTH(8)) u_cut (.clk(clk), .rst(rst), .d(y_cut), .count(cut[8*(l-1) +: 8]));
    end

    // Elements to the head, in good time for their noise.
    wire                 e_valid, z_valid, y_end;
    wire [OUT_WIDTH-1:0] e_data, z_data;
    rlc_policy_elements #(.COUNT(ACTIONS), .LANES(LANES_M), .WIDTH(OUT_WIDTH)) u_elements (
        .clk(clk), .rst(rst), .s_valid(g_layer[LAYERS].y_valid), .s_data(g_layer[LAYERS].y_data), .s_last(y_end),
        .m_valid(e_valid), .m_data(e_data)
    );
    assign leave      = y_end;
    assign leave_bank = g_layer[LAYERS].y_bank;
    reg  [NOISE_WAIT:0]    waited_q;
    wire [NOISE_WAIT+1:0]  waited = {waited_q, e_valid};
    always @(posedge clk) waited_q <= rst ? {(NOISE_WAIT+1){1'b0}} : waited[NOISE_WAIT:0];
    assign z_valid = waited[NOISE_WAIT];
    wire unused_waited = waited[NOISE_WAIT+1];
    rlc_delay #(.WIDTH(OUT_WIDTH), .CLOCKS(NOISE_WAIT)) u_noise_wait (.clk(clk), .d(e_data), .q(z_data));

    // The generator.
    wire [31:0]  draw;
    wire [127:0] unused_state;
    wire         draw_step;
    rlc_xoshiro128pp u_generator (
        .clk(clk), .rst(rst), .load(seed_load), .state(cfg_seed), .step(draw_step), .state_q(unused_state), .value(draw)
    );

    wire                a_valid, l_valid;
    wire [ACT_WIDE-1:0] a_data;
    wire [LOG_WIDE-1:0] l_data;
    wire [2:0]          head_saturated;
    wire signed [26:0]  z_wide = {{(27-OUT_WIDTH+1){z_data[OUT_WIDTH-1]}}, z_data[OUT_WIDTH-2:0]};
    if (CONTINUOUS != 0) begin : g_continuous
        // The log-deviations of both versions. Words are drawn in the clocks after an observation has entered.
        reg [ACTIONS*27-1:0] log_std_0_q, log_std_1_q;
        always @(posedge clk) begin
            if (w_taken && !active) log_std_0_q <= w_log_std;
            if (w_taken && active)  log_std_1_q <= w_log_std;
        end
        rlc_rl_continuous #(.ACTIONS(ACTIONS), .PLACES((OUTPUTS + 4) / INTERVAL + 2), .LOGP(LOGP)) u_head (
            .*, .cfg_frac(cfg_act_frac[5*LAYERS +: 5]), .start(enter), .log_std(bank_q ? log_std_1_q : log_std_0_q),
            .s_valid(z_valid), .s_data(z_wide), .m_valid(a_valid), .m_action(a_data), .m_log_valid(l_valid),
            .m_log(l_data[26:0]), .m_samples(l_data[LOG_WIDE-1:27]), .saturated(head_saturated)
        );
    end else begin : g_discrete
        rlc_rl_discrete #(.ACTIONS(ACTIONS), .PLACES(PASSES), .LOGP(LOGP)) u_head (
            .*, .cfg_frac(cfg_act_frac[5*LAYERS +: 5]), .start(enter), .s_valid(z_valid), .s_data(z_wide),
            .m_valid(a_valid), .m_action(a_data), .m_log_valid(l_valid), .m_log(l_data), .saturated(head_saturated)
        );
        wire unused = &{1'b0, cfg_squash, cfg_scale, w_log_std};
    end
    rlc_queue #(.WIDTH(ACT_WIDE), .DEPTH(ACT_PLACES)) u_actions (
        .clk(clk), .rst(rst), .s_valid(a_valid), .s_data(a_data), `RLC_STREAM_JOIN(m, m_act)
    );
    if (LOGP != 0) begin : g_log
        rlc_credit #(.PLACES(LOG_PLACES)) u_log_places (
            .clk(clk), .rst(rst), .take(enter), .give(m_log_valid && m_log_ready), .room(log_room)
        );
        rlc_queue #(.WIDTH(LOG_WIDE), .DEPTH(LOG_PLACES)) u_logs (
            .clk(clk), .rst(rst), .s_valid(l_valid), .s_data(l_data), `RLC_STREAM_JOIN(m, m_log)
        );
    end else begin : g_no_log
        assign log_room    = 1'b1;
        assign m_log_valid = 1'b0;
        assign m_log_data  = {LOG_WIDE{1'b0}};
        wire unused = &{1'b0, m_log_ready, l_valid, l_data};
    end

    // An observation is inside until its answers have left.
    localparam INSIDE = $clog2(LOG_PLACES + 1);
    reg  [INSIDE-1:0] acts_q, logs_q;
    wire act_out = m_act_valid && m_act_ready;
    wire log_out = m_log_valid && m_log_ready;
    always @(posedge clk) begin
        if (rst) begin
            acts_q <= {INSIDE{1'b0}};
            logs_q <= {INSIDE{1'b0}};
        end else begin
            if (enter != act_out) acts_q <= enter ? acts_q + 1'b1 : acts_q - 1'b1;
            if (LOGP != 0 && enter != log_out) logs_q <= enter ? logs_q + 1'b1 : logs_q - 1'b1;
        end
    end
    assign busy = acts_q != {INSIDE{1'b0}} || logs_q != {INSIDE{1'b0}};

    // Sets left out, saturations of the layers, of what the head makes, vectors with a sum near the end of its range, sets
    // taken.
    wire [4*8-1:0] cuts      = {{(4-LAYERS){8'd0}}, cut};
    wire [3:0]     overflows = {{(4-LAYERS){1'b0}}, acc_overflow};
    wire [7:0]     many      = {7'd0, overflows[0]} + {7'd0, overflows[1]} + {7'd0, overflows[2]} + {7'd0, overflows[3]};
    rlc_learner_counters #(.STAGES(8)) u_counters (
        .clk(clk), .rst(rst), .clear(sat_clear),
        .events({7'd0, w_taken, many, 5'd0, head_saturated, cuts, 7'd0, w_dropped}), .counts(sat_count)
    );
endmodule
`default_nettype wire
