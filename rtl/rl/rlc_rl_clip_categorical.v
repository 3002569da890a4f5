// rlc_rl_clip_categorical.v — PPO's loss of a categorical policy: from the logits of each sample to their deltas.
// SPDX-License-Identifier: Apache-2.0
//
//   scan      the greatest logit
//   phase A   t = (max - z) * log2 e, e = 2^-t, their sum and its logarithm              one action per clock
//   phase B   l = log2 p, p = 2^l, entropy H; ratio = 2^(l_a - l_before), slope of the clipped objective
//   phase C   delta = slope * ([k = a] - p) + entropy's p * (l + H)
//
// s_q_*         logits, sfix(27,16), a sample a word, the first action's lowest
// s_info_*      `RLC_RL_CLIP_BITS, of when it acted: log2 of the action's probability, sfix(27,20), and the standardised
//               advantage, sfix(18,12); above them the action
// cfg_clip      ufix(20,20). cfg_entropy: coefficient times ln 2, ufix(17,20). cfg_delta_shift = 36 - fd
// m_delta_*     sfix(18, fd), the first action's lowest
// sat           how many numbers were saturated in this clock
// throughput    one sample in ACTIONS + 1 clocks, while at most PLACES are inside
// latency       46 + 4 * ACTIONS clocks
// cost          10 DSP slices, 4 tables
// model         rlcores.cores.ppo.head, rlcores.cores.policy.density
// equation      Schulman et al., "Proximal policy optimization algorithms", arXiv:1707.06347, equation 7
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_clip_categorical #(
    parameter ACTIONS = 2,                                          // actions of the categorical policy, 2..128
    parameter PLACES  = 16,                                         // samples that may be inside, 2..64
    parameter A_BITS  = $clog2(ACTIONS)                             // derived, leave it alone
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [19:0] cfg_clip,
    input  wire [16:0] cfg_entropy,
    input  wire [5:0]  cfg_delta_shift,
    `RLC_RL_LOSS(ACTIONS*27, `RLC_RL_CLIP_BITS + A_BITS, ACTIONS*18),
    output wire [2:0]  sat
);
    `RLC_CHECK(ACTIONS >= 2 && ACTIONS <= 128, rlc_rl_clip_categorical_illegal_ACTIONS_must_be_2_to_128)
    `RLC_CHECK(PLACES >= 2 && PLACES <= 64, rlc_rl_clip_categorical_illegal_PLACES_must_be_2_to_64)

    localparam EXP    = 8;                       // clocks of an exponential
    localparam LOG    = 7;                       // of a logarithm of more than 16 bits
    localparam TOTAL  = 25 + A_BITS;             // bits of a sum of exponentials
    localparam LOG_W  = $clog2(TOTAL + 1) + 20;
    localparam PARTS  = PLACES * ACTIONS;        // elements of all samples inside
    localparam [31:0] ONE_32 = 24 << 20;         // log2 of an exponential's 1.0
    localparam signed [17:0] LOG2_E = 18'sd116050;   // (log2 e - 1) * 2^18

    // A sample enters when there is a place for all that comes of it.
    wire              room, enters;
    wire              begins   = s_q_valid && s_q_ready;
    wire              out_pop  = m_delta_valid && m_delta_ready;
    wire [A_BITS-1:0] s_action = s_info_data[`RLC_RL_CLIP_BITS +: A_BITS];
    assign s_q_ready    = enters && s_info_valid;
    assign s_info_ready = enters && s_q_valid;
    rlc_credit #(.PLACES(PLACES)) u_credit (.clk(clk), .rst(rst), .take(begins), .give(out_pop), .room(room));

    // Scan: the greatest logit, one after the other.
    reg                    scan_q, found_q;
    reg  [ACTIONS*27-1:0]  scan_logits_q;
    reg  signed [26:0]     best_q;
    reg                    send_q;
    reg  [ACTIONS*27-1:0]  logits_q;
    reg  signed [26:0]     most_q;
    wire [A_BITS-1:0]      scan_at, send_at;
    wire                   scan_last, send_last;
    wire                   move     = scan_q && found_q && (!send_q || send_last);
    wire                   scans    = scan_q && !found_q;
    wire signed [26:0]     scan_z   = scan_logits_q[26:0];
    wire signed [26:0]     send_z   = logits_q[26:0];
    assign enters = room && (!scan_q || move);
    rlc_mod_counter #(.COUNT(ACTIONS)) u_scan (.clk(clk), .restart(rst), .step(scans), .at(scan_at), .last(scan_last));
    rlc_mod_counter #(.COUNT(ACTIONS)) u_send (.clk(clk), .restart(rst), .step(send_q), .at(send_at), .last(send_last));
    always @(posedge clk) begin
        if (rst) begin
            scan_q  <= 1'b0;
            found_q <= 1'b0;
            send_q  <= 1'b0;
        end else begin
            if (begins)    scan_q <= 1'b1;
            else if (move) scan_q <= 1'b0;
            found_q <= scans ? scan_last : found_q && !move;
            send_q  <= move || (send_q && !send_last);
        end
        if (begins)     scan_logits_q <= s_q_data;
        else if (scans) scan_logits_q <= {scan_z, scan_logits_q[ACTIONS*27-1:27]};   // once around
        if (scans && (scan_at == {A_BITS{1'b0}} || scan_z > best_q)) best_q <= scan_z;
        if (move) begin
            logits_q <= scan_logits_q;
            most_q   <= best_q;
        end else if (send_q) logits_q <= logits_q >> 27;
    end

    // What is known of a sample waits for its turn: for phase B, and for phase C.
    wire                 b_info_pop, c_info_pop;
    wire [A_BITS-1:0]    b_action, c_action;
    wire signed [26:0]   b_before;
    wire signed [17:0]   b_scaled;
    wire                 unused_b_info, unused_c_info;
    rlc_queue #(.WIDTH(`RLC_RL_CLIP_BITS + A_BITS), .DEPTH(PLACES)) u_b_info (
        .clk(clk), .rst(rst), .s_valid(begins), .s_data(s_info_data), .m_valid(unused_b_info),
        .m_ready(b_info_pop), .m_data({b_action, b_before, b_scaled})
    );
    rlc_queue #(.WIDTH(A_BITS), .DEPTH(PLACES)) u_c_info (
        .clk(clk), .rst(rst), .s_valid(begins), .s_data(s_action), .m_valid(unused_c_info), .m_ready(c_info_pop),
        .m_data(c_action)
    );

    // Phase A, stage 1: below the greatest, 2^21 - 1 at most. Stages 2, 3: times log2 e. Stage 4: negated.
    wire [27:0]         below = {most_q[26], most_q} - {send_z[26], send_z};
    reg  [20:0]         d_s1;
    reg  signed [26:0]  minus_s4;
    reg  [25:0]         t_s4;
    reg  [4+EXP:1]      a_valid_q, a_last_q;
    wire signed [21:0]  d_a    = {1'b0, d_s1};
    wire signed [40:0]  d_c    = {1'b0, 1'b0, d_s1, 5'b00001, 13'd0};
    wire signed [40:0]  scaled_s3;
    rlc_mac #(.A_WIDTH(22), .B_WIDTH(18), .C_WIDTH(41), .P_WIDTH(41)) u_log2e (
        .clk(clk), .a(d_a), .b(LOG2_E), .c(d_c), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(scaled_s3)
    );
    always @(posedge clk) begin
        d_s1      <= (|below[27:21]) ? 21'h1FFFFF : below[20:0];
        t_s4      <= scaled_s3[39:14];
        minus_s4  <= 27'd0 - {1'b0, scaled_s3[39:14]};
        a_valid_q <= rst ? {(4+EXP){1'b0}} : {a_valid_q[3+EXP:1], send_q};
        a_last_q  <= {a_last_q[3+EXP:1], send_last};
    end

    // .. stage 12: the exponential. 13: the sum. 20: its logarithm.
    wire [24:0]         e_s12;
    wire                e_over, ends_s20, sum_zero;
    reg  [TOTAL-1:0]    total_s13;
    wire [LOG_W-1:0]    log_s20;
    reg                 next_q;                  // the next exponential is a sample's first
    wire                valid_s12 = a_valid_q[4+EXP];
    wire                last_s12  = a_last_q[4+EXP];
    rlc_exp2 #(.IN_WIDTH(33), .OUT_WIDTH(25), .OUT_FRAC(24)) u_e (
        .clk(clk), .x({minus_s4, 6'd0}), .y(e_s12), .saturated(e_over)
    );
    always @(posedge clk) begin
        if (rst)            next_q <= 1'b1;
        else if (valid_s12) next_q <= last_s12;
        if (valid_s12) total_s13 <= (next_q ? {TOTAL{1'b0}} : total_s13) + {{A_BITS{1'b0}}, e_s12};
    end
    rlc_log2 #(.IN_WIDTH(TOTAL)) u_log (.clk(clk), .x(total_s13), .y(log_s20), .zero(sum_zero));
    reg  [LOG+1:1]      ends_q;
    always @(posedge clk) ends_q <= rst ? {(LOG+1){1'b0}} : {ends_q[LOG:1], valid_s12 && last_s12};
    assign ends_s20 = ends_q[LOG+1];

    // Phase B waits for the logarithm of a sample's sum, less that of its fraction.
    wire                t_valid, lg_valid, b_last;
    wire [25:0]         t_b;
    wire [LOG_W-1:0]    lg_b;
    wire [A_BITS-1:0]   b_at;
    wire                b_step = t_valid && lg_valid;
    rlc_queue #(.WIDTH(26), .DEPTH(PARTS)) u_t (
        .clk(clk), .rst(rst), .s_valid(a_valid_q[4]), .s_data(t_s4), .m_valid(t_valid), .m_ready(b_step), .m_data(t_b)
    );
    rlc_queue #(.WIDTH(LOG_W), .DEPTH(PLACES)) u_lg (
        .clk(clk), .rst(rst), .s_valid(ends_s20), .s_data(log_s20 - ONE_32[LOG_W-1:0]), .m_valid(lg_valid),
        .m_ready(b_step && b_last), .m_data(lg_b)
    );
    rlc_mod_counter #(.COUNT(ACTIONS)) u_b (.clk(clk), .restart(rst), .step(b_step), .at(b_at), .last(b_last));
    assign b_info_pop = b_step && b_last;

    // Stage 1: log2 p. Stage 2: that of the action taken. 14: the slope.
    reg  signed [26:0]  l_s1, chosen_s2;
    reg                 own_s1;
    wire signed [26:0]  before_s2;
    wire signed [17:0]  scaled_s2, slope_s14;
    wire [1:0]          over_s14;
    reg  [14:1]         b_valid_q, b_last_q, b_first_q;
    always @(posedge clk) begin
        l_s1      <= 27'd0 - {1'b0, t_b} - {{(27-LOG_W){1'b0}}, lg_b};
        own_s1    <= b_at == b_action;
        if (b_valid_q[1] && own_s1) chosen_s2 <= l_s1;
        b_valid_q <= rst ? 14'd0 : {b_valid_q[13:1], b_step};
        b_last_q  <= {b_last_q[13:1], b_last};
        b_first_q <= {b_first_q[13:1], b_at == {A_BITS{1'b0}}};
    end
    rlc_delay #(.WIDTH(45), .CLOCKS(2)) u_before (
        .clk(clk), .d({b_before, b_scaled}), .q({before_s2, scaled_s2})
    );
    rlc_rl_ratio u_ratio (
        .clk(clk), .cfg_clip(cfg_clip), .s_log(chosen_s2), .s_before(before_s2), .s_scaled(scaled_s2),
        .m_slope(slope_s14), .m_over(over_s14)
    );

    // .. stage 9: p. 12: the entropy, a sum over the actions.
    wire [17:0]         p_s9;
    wire                p_over;
    wire signed [26:0]  l_s9;
    reg  signed [26:0]  l_s10;
    reg  signed [17:0]  minus_p_s10;
    wire signed [47:0]  entropy_s12;
    wire signed [26:0]  entropy_s14;
    wire signed [17:0]  half = b_first_q[10] ? 18'sd65536 : 18'sd0;
    rlc_exp2 #(.IN_WIDTH(33), .OUT_WIDTH(18), .OUT_FRAC(17)) u_p (
        .clk(clk), .x({l_s1, 6'd0}), .y(p_s9), .saturated(p_over)
    );
    rlc_delay #(.WIDTH(27), .CLOCKS(EXP)) u_l (.clk(clk), .d(l_s1), .q(l_s9));
    always @(posedge clk) begin
        l_s10       <= l_s9;
        minus_p_s10 <= 18'd0 - p_s9;
    end
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(18), .P_WIDTH(48), .ACC(1)) u_entropy (
        .clk(clk), .a(l_s10), .b(minus_p_s10), .c(half), .m_clear(!b_valid_q[10]), .c_clear(!b_valid_q[10]),
        .acc(!(b_valid_q[11] && b_first_q[11])), .p(entropy_s12)
    );
    rlc_delay #(.WIDTH(27), .CLOCKS(2)) u_h (.clk(clk), .d(entropy_s12[17 +: 27]), .q(entropy_s14));

    wire sample_s14 = b_valid_q[14] && b_last_q[14];

    // Phase C waits for slope and entropy.
    wire                lp_valid, h_valid, c_last;
    wire signed [26:0]  l_c, h_c;
    wire [17:0]         p_c, slope_c;
    wire [A_BITS-1:0]   c_at;
    wire                c_step = lp_valid && h_valid;
    rlc_queue #(.WIDTH(45), .DEPTH(PARTS)) u_lp (
        .clk(clk), .rst(rst), .s_valid(b_valid_q[9]), .s_data({l_s9, p_s9}), .m_valid(lp_valid), .m_ready(c_step),
        .m_data({l_c, p_c})
    );
    rlc_queue #(.WIDTH(45), .DEPTH(PLACES)) u_hs (
        .clk(clk), .rst(rst), .s_valid(sample_s14), .s_data({entropy_s14, slope_s14}), .m_valid(h_valid),
        .m_ready(c_step && c_last), .m_data({h_c, slope_c})
    );
    rlc_mod_counter #(.COUNT(ACTIONS)) u_c (.clk(clk), .restart(rst), .step(c_step), .at(c_at), .last(c_last));
    assign c_info_pop = c_step && c_last;

    // Stage 1: operands. Stages 2, 3: p * (l + H), inverted, for p enters negated. 4: saturated.
    localparam C_STAGES = 9;
    reg  signed [26:0]  near_s1;
    reg  signed [17:0]  minus_p_s1, slope_s1, slope_s2;
    reg  signed [18:0]  apart_s1, apart_s2;
    wire signed [45:0]  inverted_s3;
    wire [45:0]         pull_s3 = ~inverted_s3;
    reg  signed [17:0]  u_s4;
    reg                 u_over_s4;
    wire [17:0]         u_clipped;
    wire                u_limits;
    reg  [C_STAGES:1]   c_valid_q, c_last_q;
    always @(posedge clk) begin
        near_s1    <= l_c + h_c;
        minus_p_s1 <= 18'd0 - p_c;
        apart_s1   <= {1'b0, c_at == c_action, 17'd0} - {1'b0, p_c};
        slope_s1   <= slope_c;
        apart_s2   <= apart_s1;
        slope_s2   <= slope_s1;
        u_s4       <= u_clipped;
        u_over_s4  <= u_limits;
        c_valid_q  <= rst ? {C_STAGES{1'b0}} : {c_valid_q[C_STAGES-1:1], c_step};
        c_last_q   <= {c_last_q[C_STAGES-1:1], c_last};
    end
    rlc_mac #(.A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(22), .P_WIDTH(46)) u_pull (
        .clk(clk), .a(near_s1), .b(minus_p_s1), .c(-22'sd1048577), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0),
        .p(inverted_s3)
    );
    rlc_round_sat #(.WIN(25), .FRAC(0), .WOUT(18)) u_pull_limit (
        .in_data(pull_s3[45:21]), .out_data(u_clipped), .saturated(u_limits)
    );

    // Stage 4: slope * ([k = a] - p). 6: with the entropy's part. 9: narrowed.
    wire signed [36:0]  push_s4;
    wire signed [43:0]  push_wide = {push_s4, 7'd0};
    wire signed [17:0]  entropy_b = {1'b0, cfg_entropy};
    wire signed [44:0]  sum_s6;
    wire [17:0]         delta_s9;
    wire                delta_over_s9;
    rlc_mac #(.A_WIDTH(19), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(37), .C_REG(0)) u_push (
        .clk(clk), .a(apart_s2), .b(slope_s2), .c(1'b0), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(push_s4)
    );
    rlc_mac #(.A_WIDTH(18), .B_WIDTH(18), .C_WIDTH(44), .P_WIDTH(45)) u_sum (
        .clk(clk), .a(u_s4), .b(entropy_b), .c(push_wide), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(sum_s6)
    );
    rlc_shift_sat #(.WIN(45), .WOUT(18)) u_delta (
        .clk(clk), .s_data(sum_s6), .shift(cfg_delta_shift), .m_data(delta_s9), .m_saturated(delta_over_s9)
    );

    // A sample's deltas side by side, the first one lowest.
    reg  [ACTIONS*18-1:0] deltas_q;
    reg                   deltas_valid_q;
    wire [(ACTIONS+1)*18-1:0] shifted = {delta_s9, deltas_q};
    always @(posedge clk) begin
        if (c_valid_q[9]) deltas_q <= shifted[(ACTIONS+1)*18-1:18];
        deltas_valid_q <= !rst && c_valid_q[9] && c_last_q[9];
    end
    rlc_queue #(.WIDTH(ACTIONS * 18), .DEPTH(PLACES)) u_out (
        .clk(clk), .rst(rst), .s_valid(deltas_valid_q), .s_data(deltas_q), `RLC_STREAM_JOIN(m, m_delta)
    );

    // Counts.
    rlc_popcount #(.WIDTH(4)) u_sat (
        .clk(clk), .rst(rst), .count(sat),
        .d({over_s14 & {2{sample_s14}}, u_over_s4 && c_valid_q[4],
            delta_over_s9 && c_valid_q[9]})
    );
    wire unused = &{1'b0, e_over, p_over, sum_zero, scaled_s3[40], scaled_s3[13:0], pull_s3[20:0],
                    entropy_s12[47:44], entropy_s12[16:0], send_at, unused_b_info, unused_c_info,
                    b_last_q, b_first_q, c_last_q, shifted};
endmodule
`default_nettype wire
