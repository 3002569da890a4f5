// rlc_rl_clip_gaussian.v — PPO's loss of a Gaussian policy: from the means of each sample to their deltas.
// SPDX-License-Identifier: Apache-2.0
//
//   phase A   x = (a - mean) / deviation, log2 of the density                         one dimension per clock
//   then      ratio = 2^(log - log before), slope of the clipped objective            (rlc_rl_ratio)
//   phase C   delta = slope * x / deviation; of the log-deviation: slope * (x^2 - 1) - entropy's coefficient
//
// s_q_*         means, sfix(27,16), a sample a word, the first dimension's lowest
// s_info_*      `RLC_RL_CLIP_BITS, of when it acted: log2 of the density, sfix(27,20), and the standardised advantage,
//               sfix(18,12); above them the sample, sfix(27,16) a dimension
// c             log2 of each dimension's deviation, sfix(24,20), -8 to 8 (rlc_rl_log_std), steady while anything is
//               inside
// cfg_clip      ufix(20,20). cfg_entropy: ufix(17,20). cfg_delta_frac: fd, at most 25
// m_delta_*     sfix(18, fd), the first dimension's lowest
// clear         the sums of the log-deviations' deltas begin at 0; only while nothing is inside
// sums          20 fraction bits, 48 bits per dimension, exact over 4096 samples
// sat           how many numbers were saturated in this clock
// throughput    one sample in ACTIONS clocks, while at most PLACES are inside
// latency       53 + 2 * ACTIONS clocks
// cost          10 DSP slices, 3 tables, without rlc_rl_gaussian's part for tanh
// model         rlcores.cores.ppo.head, rlcores.cores.policy.density
// equation      Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, equation 7
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_clip_gaussian #(
    parameter ACTIONS = 1, // dimensions, 1..32
    parameter PLACES  = 16 // samples that may be inside, 2..64
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [19:0]           cfg_clip,
    input  wire [16:0]           cfg_entropy,
    input  wire [4:0]            cfg_delta_frac,
    input  wire [ACTIONS*24-1:0] c,
    input  wire                  clear,
    output wire [ACTIONS*48-1:0] sums,
    `RLC_RL_LOSS(ACTIONS*27, `RLC_RL_CLIP_BITS + ACTIONS*27, ACTIONS*18),
    output wire [2:0]            sat
);
    `RLC_CHECK(ACTIONS >= 1 && ACTIONS <= 32, rlc_rl_clip_gaussian_illegal_ACTIONS_must_be_1_to_32)
    `RLC_CHECK(PLACES >= 2 && PLACES <= 64, rlc_rl_clip_gaussian_illegal_PLACES_must_be_2_to_64)

    localparam PARTS  = PLACES * ACTIONS;         // elements of all samples inside
    localparam BITS   = (ACTIONS > 1) ? $clog2(ACTIONS) : 1;
    localparam SQUARE = 21;                       // clocks of rlc_rl_gaussian to the square of x
    localparam RATIO  = 12;                       // clocks of rlc_rl_ratio

    // A sample enters when there is a place for all that comes of it.
    wire room, enters;
    wire begins  = s_q_valid && s_q_ready;
    wire out_pop = m_delta_valid && m_delta_ready;
    assign s_q_ready    = enters && s_info_valid;
    assign s_info_ready = enters && s_q_valid;
    rlc_credit #(.PLACES(PLACES)) u_credit (.clk(clk), .rst(rst), .take(begins), .give(out_pop), .room(room));

    // Phase A: the dimensions one after the other.
    reg                   playing_q;
    reg  [ACTIONS*27-1:0] means_q, sample_q;
    wire [BITS-1:0]       play_at;
    wire                  played;
    wire [ACTIONS*24-1:0] play_c = c >> play_at * 24;
    assign enters = room && (!playing_q || played);
    rlc_mod_counter #(.COUNT(ACTIONS)) u_play (.clk(clk), .restart(rst), .step(playing_q), .at(play_at), .last(played));
    always @(posedge clk) begin
        playing_q <= !rst && (begins || (playing_q && !played));
        if (begins) begin
            means_q  <= s_q_data;
            sample_q <= s_info_data[`RLC_RL_CLIP_BITS +: ACTIONS*27];
        end else begin
            means_q  <= means_q >> 27;
            sample_q <= sample_q >> 27;
        end
    end
    wire               log_valid;
    wire signed [26:0] log;
    wire signed [17:0] x, x_late;
    wire        [22:0] square;
    wire        [2:0]  density_over;
    reg  [SQUARE:1]    played_q;
    always @(posedge clk) played_q <= rst ? {SQUARE{1'b0}} : {played_q[SQUARE-1:1], playing_q};
    rlc_rl_gaussian #(.COUNT(ACTIONS)) u_density (
        .clk(clk), .rst(rst), .cfg_squashed(1'b0), .s_valid(playing_q), .s_sample(sample_q[26:0]),
        .s_mean(means_q[26:0]), .s_c(play_c[23:0]), .m_valid(log_valid), .m_data(log), .m_scaled(x), .m_square(square),
        .saturated(density_over)
    );
    rlc_delay #(.WIDTH(18), .CLOCKS(SQUARE - 14)) u_x (.clk(clk), .d(x), .q(x_late));

    // The slope, of what waited for the density.
    wire signed [26:0] b_before;
    wire signed [17:0] b_scaled, slope;
    wire        [1:0]  ratio_over;
    reg  [RATIO:1]     ratio_q;
    wire               unused_info;
    always @(posedge clk) ratio_q <= rst ? {RATIO{1'b0}} : {ratio_q[RATIO-1:1], log_valid};
    rlc_queue #(.WIDTH(`RLC_RL_CLIP_BITS), .DEPTH(PLACES)) u_info (
        .clk(clk), .rst(rst), .s_valid(begins), .s_data(s_info_data[`RLC_RL_CLIP_BITS-1:0]), .m_valid(unused_info), .m_ready(log_valid),
        .m_data({b_before, b_scaled})
    );
    rlc_rl_ratio u_ratio (
        .clk(clk), .cfg_clip(cfg_clip), .s_log(log), .s_before(b_before), .s_scaled(b_scaled), .m_slope(slope),
        .m_over(ratio_over)
    );

    // Phase C waits for the slope.
    wire               part_valid, slope_valid, c_last;
    wire signed [17:0] x_c, slope_c;
    wire        [22:0] square_c;
    wire [BITS-1:0]    c_at;
    wire               c_step = part_valid && slope_valid;
    wire [ACTIONS*24-1:0] c_c = c >> c_at * 24;
    rlc_queue #(.WIDTH(41), .DEPTH((PARTS > 2) ? PARTS : 2)) u_parts (
        .clk(clk), .rst(rst), .s_valid(played_q[SQUARE]), .s_data({x_late, square}), .m_valid(part_valid),
        .m_ready(c_step), .m_data({x_c, square_c})
    );
    rlc_queue #(.WIDTH(18), .DEPTH(PLACES)) u_slopes (
        .clk(clk), .rst(rst), .s_valid(ratio_q[RATIO]), .s_data(slope), .m_valid(slope_valid),
        .m_ready(c_step && c_last), .m_data(slope_c)
    );
    rlc_mod_counter #(.COUNT(ACTIONS)) u_c (.clk(clk), .restart(rst), .step(c_step), .at(c_at), .last(c_last));

    // Stage 1: operands. Stages 2, 3: products with the slope. 4: gx, saturated, and the log-deviation's delta.
    localparam LAST = 14;
    reg  [LAST:1]       valid_q, last_q;
    reg  signed [17:0]  x_s1, slope_s1;
    reg  signed [23:0]  apart_s1;
    reg  signed [24:0]  power_s1;
    reg  [BITS-1:0]     at_s1;
    wire signed [36:0]  push_s3;
    wire signed [42:0]  pull_s3;
    wire [26:0]         push_clipped;
    wire                push_limits;
    reg  [26:0]         push_s4;
    reg                 push_over_s4;
    reg  signed [47:0]  pull_s4;
    wire signed [47:0]  pull_wide = {{13{pull_s3[42]}}, pull_s3[42:8]};
    always @(posedge clk) begin
        valid_q      <= rst ? {LAST{1'b0}} : {valid_q[LAST-1:1], c_step};
        last_q       <= {last_q[LAST-1:1], c_last};
        x_s1         <= x_c;
        slope_s1     <= slope_c;
        apart_s1     <= {1'b0, square_c} - 24'd65536;
        power_s1     <= -$signed({c_c[23], c_c[23:0]});
        at_s1        <= c_at;
        push_s4      <= push_clipped;
        push_over_s4 <= push_limits;
        pull_s4      <= pull_wide - {31'd0, cfg_entropy};
    end
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(9), .P_WIDTH(37), .A_REG(0), .B_REG(0)) u_push (
        .clk(clk), .a(x_s1), .b(slope_s1), .c(9'sd128), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(push_s3)
    );
    rlc_mac #(.A_WIDTH(24), .B_WIDTH(18), .C_WIDTH(9), .P_WIDTH(43), .A_REG(0), .B_REG(0)) u_pull (
        .clk(clk), .a(apart_s1), .b(slope_s1), .c(9'sd128), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(pull_s3)
    );
    rlc_round_sat #(.WIN(29), .FRAC(0), .WOUT(27)) u_push_limit (
        .in_data(push_s3[36:8]), .out_data(push_clipped), .saturated(push_limits)
    );

    // Stage 5: the sums over a minibatch.
    wire [BITS-1:0] at_s4;
    rlc_delay #(.WIDTH(BITS), .CLOCKS(3)) u_at (.clk(clk), .d(at_s1), .q(at_s4));
    genvar k;
    for (k = 0; k < ACTIONS; k = k + 1) begin : g_sum
        reg signed [47:0] sum_q;
        always @(posedge clk)
            if (clear)                              sum_q <= 48'sd0;
            else if (valid_q[4] && at_s4 == k) sum_q <= sum_q + pull_s4;
        assign sums[48*k +: 48] = sum_q;
    end

    // Stage 9: 1 / deviation = mantissa 2^exponent. 11: gx times that. 14: narrowed, by each number's own shift.
    wire [16:0]         mantissa_s9;
    wire                saturated;
    wire signed [26:0]  push_s9;
    wire [5:0]          shift = 6'd34 - {power_s1[24], power_s1[24:20]} - {1'b0, cfg_delta_frac};
    wire [5:0]          shift_s11;
    reg  [1:0]          shift_low_s12;
    wire signed [44:0]  product_s11;
    wire [17:0]         delta_s14;
    wire                delta_over_s14;
    rlc_exp2 #(.IN_WIDTH(28), .OUT_WIDTH(17), .OUT_FRAC(16)) u_power (
        .clk(clk), .x({2'b00, power_s1[19:0], 6'd0}), .y(mantissa_s9), .saturated(saturated)
    );
    rlc_delay #(.WIDTH(27), .CLOCKS(5)) u_push_late (.clk(clk), .d(push_s4), .q(push_s9));
    rlc_delay #(.WIDTH(6), .CLOCKS(10)) u_shift (.clk(clk), .d(shift), .q(shift_s11));
    always @(posedge clk) shift_low_s12 <= shift_s11[1:0];
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(45), .A_REG(0), .B_REG(0)) u_product (
        .clk(clk), .a(push_s9), .b({1'b0, mantissa_s9}), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(product_s11)
    );
    rlc_shift_sat #(.WIN(45), .WOUT(18)) u_delta (
        .clk(clk), .s_data(product_s11), .shift({shift_s11[5:2], shift_low_s12}), .m_data(delta_s14),
        .m_saturated(delta_over_s14)
    );

    // A sample's deltas side by side, the first one lowest.
    reg  [ACTIONS*18-1:0] deltas_q;
    reg                   deltas_valid_q;
    wire [(ACTIONS+1)*18-1:0] shifted = {delta_s14, deltas_q};
    always @(posedge clk) begin
        if (valid_q[LAST]) deltas_q <= shifted[(ACTIONS+1)*18-1:18];
        deltas_valid_q <= !rst && valid_q[LAST] && last_q[LAST];
    end
    rlc_queue #(.WIDTH(ACTIONS * 18), .DEPTH(PLACES)) u_out (
        .clk(clk), .rst(rst), .s_valid(deltas_valid_q), .s_data(deltas_q), `RLC_STREAM_JOIN(m, m_delta)
    );

    rlc_popcount #(.WIDTH(7)) u_sat (
        .clk(clk), .rst(rst), .count(sat),
        .d({density_over, ratio_over & {2{ratio_q[RATIO]}}, push_over_s4 && valid_q[4], delta_over_s14 && valid_q[LAST]})
    );
    wire unused = &{1'b0, play_c, c_c, unused_info, push_s3[7:0], pull_s3[7:0], saturated, last_q, shifted};
endmodule
`default_nettype wire
