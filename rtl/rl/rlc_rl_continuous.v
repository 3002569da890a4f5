// rlc_rl_continuous.v — from means to actions of several dimensions: Gaussian noise, tanh, scale; their density.
// SPDX-License-Identifier: Apache-2.0
//
//   cfg_squash 0   sample = mean + deviation z           action = sample * scale
//              1   sample = tanh(mean) + deviation z, cut at -1 and 1; action = sample * scale
//              2   sample = mean + deviation z           action = tanh(sample) * scale
//   An observation that explores uses a uniform number in -1 to 1 instead of the sample or its tanh.
//
// start        an observation takes its draws: from this clock on ACTIONS + 1 words, one per clock, the coin and then one per
//              dimension. The next start comes after them, and the observation's first mean at least 14 clocks after start
// draw, draw_step   the generator's word; it is taken in this clock
// log_std      ln(deviation) of each dimension, sfix(27,22), steady in the ACTIONS clocks after start
// cfg_epsilon  probability of a uniform action, ufix(17,16); cfg_noise: 0 leaves z out. Both are read at start
// cfg_frac     fraction bits of the means; cfg_squash; cfg_scale: ufix(17,15). They stand still while anything is inside
// s_*          means, sfix(27, cfg_frac), ACTIONS per observation, in the order of the starts, at most one per clock
// m_*          the action, sfix(18,15) per dimension, 16 clocks after the observation's last mean
// m_log_*      log2 of the density of the sample, or with cfg_squash 2 of its tanh, sfix(27,20), 37 clocks after that mean;
//              with it the samples, sfix(27,16). Only with LOGP
// saturated    how many numbers did not fit in this clock: means, samples, actions; with LOGP also those of the density
// model        rlcores.cores.policy.head.continuous, bit for bit
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_continuous #(
    parameter ACTIONS = 1, // dimensions, 1 to 32
    parameter PLACES  = 4, // observations that may be between start and 4 clocks after their last mean
    parameter LOGP    = 1  // 1: log-probabilities
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [1:0]            cfg_squash,
    input  wire [16:0]           cfg_scale,
    input  wire [ACTIONS*27-1:0] log_std,
    output wire [ACTIONS*27-1:0] m_samples,
    `RLC_RL_HEAD(ACTIONS*18)
);
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 32, rlc_rl_continuous_illegal_ACTIONS_must_be_1_to_32)
    `RLC_CHECK(PLACES >= 1, rlc_rl_continuous_illegal_PLACES_must_be_at_least_1)
    localparam AT_WIDTH = (ACTIONS > 1) ? $clog2(ACTIONS) : 1;
    localparam DEPTH    = ACTIONS * PLACES + 1;
    localparam NOISE    = 28;  // bits of noise, 16 of them fraction
    localparam QUANTILE = 8;
    localparam SCALED   = 15;  // clocks from a word to its noise: log-deviation, log2, power, product

    // Draws: each is a number of -1 to 1 and a normal one, which waits for its deviation.
    wire                drawing, explore, noise;
    wire [AT_WIDTH-1:0] at;
    rlc_rl_draws #(.COUNT(ACTIONS)) u_draws (
        .clk(clk), .rst(rst), .cfg_epsilon(cfg_epsilon), .cfg_noise(cfg_noise), .start(start), .draw(draw),
        .draw_step(draw_step), .word(drawing), .at(at), .explore(explore), .noise(noise)
    );
    reg  [26:0]        log_q;
    wire signed [23:0] c;
    wire [25:0]        size;
    wire               exp_saturated;
    always @(posedge clk) log_q <= log_std[at*27 +: 27];
    rlc_rl_log_std u_log_std (.clk(clk), .s_data(log_q), .m_c(c));
    rlc_exp2 #(.IN_WIDTH(30), .OUT_WIDTH(26), .OUT_FRAC(17)) u_size (
        .clk(clk), .x({c, 6'd0}), .y(size), .saturated(exp_saturated)
    );
    wire signed [17:0] z, z_late;
    wire signed [29:0] product;
    rlc_rl_quantile #(.GUMBEL(0)) u_quantile (.clk(clk), .word(draw), .y(z));
    rlc_delay #(.WIDTH(18), .CLOCKS(SCALED - 3 - QUANTILE)) u_z (.clk(clk), .d(z), .q(z_late));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(15)) u_noise (.clk(clk), .a({1'b0, size}), .b(z_late), .p(product));

    // They wait for the means.
    reg  [SCALED-1:0] drawing_q;
    wire [SCALED:0]   drawn = {drawing_q, drawing};
    always @(posedge clk) drawing_q <= rst ? {SCALED{1'b0}} : drawn[SCALED-1:0];
    wire              valid_s3, chance_valid, noise_valid;
    wire              explore_s3, noisy_s3;
    wire signed [16:0]      anywhere_s3;
    wire signed [NOISE-1:0] noise_s3;
    rlc_queue #(.WIDTH(19), .DEPTH(DEPTH)) u_chances (
        .clk(clk), .rst(rst), .s_valid(drawing), .s_data({explore, noise, draw[31:15]}),
        .m_valid(chance_valid), .m_ready(valid_s3), .m_data({explore_s3, noisy_s3, anywhere_s3})
    );
    rlc_queue #(.WIDTH(NOISE), .DEPTH(DEPTH)) u_noises (
        .clk(clk), .rst(rst), .s_valid(drawn[SCALED]), .s_data(product[NOISE-1:0]),
        .m_valid(noise_valid), .m_ready(valid_s3), .m_data(noise_s3)
    );
    rlc_assert_never u_late (.clk(clk), .rst(rst), .bad(valid_s3 && !(chance_valid && noise_valid)));

    // Stage k of the marks: a mean, k clocks ago.
    localparam LATENCY = 16;
    reg  [LATENCY-1:0] valid_q;
    wire [LATENCY:0]   valid = {valid_q, s_valid};
    always @(posedge clk) valid_q <= rst ? {LATENCY{1'b0}} : valid[LATENCY-1:0];
    assign valid_s3 = valid[3];
    wire on_mean   = cfg_squash == 2'd1;
    wire on_sample = cfg_squash == 2'd2;

    // Stages 1 to 3: the mean with 16 fraction bits. Stage 4: the noise, unless tanh comes first.
    wire signed [26:0]      mean_s3, mean_s11;
    wire                    cut_mean, cut_early;
    wire signed [NOISE-1:0] added_s3, added_s11;
    reg  signed [26:0]      early_s4;
    reg                     cut_early_s4;
    wire signed [26:0]      early;
    rlc_shift_sat #(.WIN(43), .WOUT(27)) u_align (
        .clk(clk), .s_data({s_data, 16'd0}), .shift({1'b0, cfg_frac}), .m_data(mean_s3), .m_saturated(cut_mean)
    );
    assign added_s3 = noise_s3 & {NOISE{noisy_s3}};
    wire signed [NOISE:0]   exact_early = {{(NOISE-26){mean_s3[26]}}, mean_s3}
                                        + ({added_s3[NOISE-1], added_s3} & {(NOISE+1){!on_mean}});
    rlc_round_sat #(.WIN(NOISE + 1), .FRAC(0), .WOUT(27)) u_early (
        .in_data(exact_early), .out_data(early), .saturated(cut_early)
    );
    always @(posedge clk) begin
        early_s4     <= early;
        cut_early_s4 <= cut_early;
    end

    // Stages 5 to 11: tanh; what does not go through it waits.
    wire [17:0]        narrow;
    reg  [17:0]        narrow_s5;
    wire signed [17:0] tanh_s11;
    wire signed [26:0] early_s11;
    wire               cut_narrow, explore_s11;
    wire signed [16:0] anywhere_s11;
    rlc_round_sat #(.WIN(27), .FRAC(2), .WOUT(18)) u_narrow (.in_data(early_s4), .out_data(narrow), .saturated(cut_narrow));
    always @(posedge clk) narrow_s5 <= narrow;
    rlc_tanh u_tanh (.clk(clk), .x(narrow_s5), .y(tanh_s11));
    rlc_delay #(.WIDTH(27), .CLOCKS(7)) u_early_late (.clk(clk), .d(early_s4), .q(early_s11));
    rlc_delay #(.WIDTH(27), .CLOCKS(8)) u_mean_late (.clk(clk), .d(mean_s3), .q(mean_s11));
    rlc_delay #(.WIDTH(NOISE + 18), .CLOCKS(8)) u_added_late (
        .clk(clk), .d({added_s3, explore_s3, anywhere_s3}), .q({added_s11, explore_s11, anywhere_s11})
    );

    // Stage 12: the noise behind tanh, cut at -1 and 1; the sample, what it is a sample of, what is scaled.
    wire signed [26:0]    tanh_wide  = {{9{tanh_s11[17]}}, tanh_s11};
    wire signed [NOISE:0] exact_late = {{(NOISE-26){tanh_wide[26]}}, tanh_wide} + {added_s11[NOISE-1], added_s11};
    wire signed [26:0]    late, sample;
    wire                  cut_late;
    reg  signed [26:0]    sample_s12, mean_s12, value_s12;
    reg                   cut_late_s12;
    rlc_round_sat #(.WIN(NOISE + 1), .FRAC(0), .WOUT(27)) u_late_sum (
        .in_data(exact_late), .out_data(late), .saturated(cut_late)
    );
    assign sample = !on_mean ? early_s11
                  : (exact_late > 29'sd65536) ? 27'sd65536 : (exact_late < -29'sd65536) ? -27'sd65536 : exact_late[26:0];
    always @(posedge clk) begin
        sample_s12   <= sample;
        mean_s12     <= on_mean ? tanh_wide : mean_s11;
        value_s12    <= explore_s11 ? {{10{anywhere_s11[16]}}, anywhere_s11} : on_sample ? tanh_wide : sample;
        cut_late_s12 <= cut_late && on_mean;
    end

    // Stages 13 to 16: the action.
    wire signed [28:0] scaled;
    wire        [17:0] action;
    wire               cut_action;
    reg         [17:0] action_s16;
    reg                cut_action_s16;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(18), .DROP(16)) u_scale (
        .clk(clk), .a(value_s12), .b({1'b0, cfg_scale}), .p(scaled)
    );
    rlc_round_sat #(.WIN(29), .FRAC(0), .WOUT(18)) u_action (
        .in_data(scaled), .out_data(action), .saturated(cut_action)
    );
    always @(posedge clk) begin
        action_s16     <= action;
        cut_action_s16 <= cut_action;
    end
    rlc_rl_vector #(.COUNT(ACTIONS), .WIDTH(18)) u_actions (
        .clk(clk), .rst(rst), .s_valid(valid[LATENCY]), .s_data(action_s16), .m_valid(m_valid), .m_data(m_action)
    );

    wire [2:0] density_saturated;
    if (LOGP != 0) begin : g_log
        localparam DENSITY = 25;
        localparam KEPT    = DENSITY / ACTIONS + 3; // vectors of samples that wait for their density
        wire signed [23:0] c_s3, c_s12;
        wire               c_valid;
        rlc_queue #(.WIDTH(24), .DEPTH(DEPTH)) u_logs (
            .clk(clk), .rst(rst), .s_valid(drawn[4]), .s_data(c), .m_valid(c_valid), .m_ready(valid_s3), .m_data(c_s3)
        );
        rlc_delay #(.WIDTH(24), .CLOCKS(9)) u_c (.clk(clk), .d(c_s3), .q(c_s12));
        rlc_rl_gaussian #(.COUNT(ACTIONS)) u_density (
            .clk(clk), .rst(rst), .cfg_squashed(on_sample), .s_valid(valid[12]), .s_sample(sample_s12), .s_mean(mean_s12),
            .s_c(c_s12), .m_valid(m_log_valid), .m_data(m_log), .m_scaled(), .m_square(), .saturated(density_saturated)
        );
        wire                  whole, kept_valid;
        wire [ACTIONS*27-1:0] samples;
        rlc_rl_vector #(.COUNT(ACTIONS), .WIDTH(27)) u_samples (
            .clk(clk), .rst(rst), .s_valid(valid[12]), .s_data(sample_s12), .m_valid(whole), .m_data(samples)
        );
        rlc_queue #(.WIDTH(ACTIONS * 27), .DEPTH(KEPT)) u_kept (
            .clk(clk), .rst(rst), .s_valid(whole), .s_data(samples),
            .m_valid(kept_valid), .m_ready(m_log_valid), .m_data(m_samples)
        );
        wire unused = &{1'b0, c_valid, kept_valid};
    end else begin : g_none
        assign m_log_valid       = 1'b0;
        assign m_log             = 27'd0;
        assign m_samples         = {(ACTIONS*27){1'b0}};
        assign density_saturated = 3'd0;
        wire unused = &{1'b0, sample_s12, mean_s12};
    end

    rlc_popcount #(.WIDTH(6), .COUNT_WIDTH(3)) u_saturated (
        .clk(clk), .rst(rst),
        .d({density_saturated, cut_mean && valid_s3, on_mean ? cut_late_s12 && valid[12] : cut_early_s4 && valid[4],
            cut_action_s16 && valid[LATENCY]}),
        .count(saturated)
    );
    wire unused = &{1'b0, exp_saturated, product[29:NOISE], cut_narrow, late, drawn[14:0]};
endmodule
`default_nettype wire
