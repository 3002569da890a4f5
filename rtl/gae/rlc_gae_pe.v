// rlc_gae_pe.v — processing element: delta, advantage and reward-to-go of records popped in reverse time.
// SPDX-License-Identifier: Apache-2.0
//
// LOOKAHEAD k, INTERLEAVE I: the feedback loop is k*I clocks long; I lanes take turns, one record a clock,
// and each result uses the lane's own advantage k records ago (Taha and Abdelhadi, 2025, equations 10
// and 11, exact across episode ends).
//
//   delta_t = r_t + gamma*v_(t+1) - v_t           gamma*v_(t+1) = 0 if terminated
//   D1 = delta;  Dj_t = delta_t + g_t*D(j-1)_(t+1)   g_t = gamma*lambda, 0 if terminated or BOOT
//   A_t = Dk_t + (g_t*...*g_(t+k-1))*A_(t+k)
//
// TRACE: every step brings its own coefficient. delta_t = r_t, g_t = 1 + s_v as sfix(18,17), saturated to 0..1 (WIDE
// sfix(27,26)), and the products of g are formed beside the look-ahead: (g*h - 1) = (g - 1) + g*(h - 1), a discounted add.
//
// s_*       a record every clock of the lane's turn; the first of a lane is always a BOOT, which cuts off
//           whatever went before, so no state is ever cleared between lanes
// m_*       advantage and value of each record (STEP ones are results); m_v travels along for reward-to-go, TRACE: 0
// m_saturated a step's coefficient was clipped
// latency   LATENCY = 3 + 2(k-1) + 2 clocks (one less when k*I = 1); WIDE 4 + 3(k-1) + min(k*I, 3); no back-pressure
// cost      1 + k DSPs, TRACE 2k - 1 (WIDE twice that)
`default_nettype none
module rlc_gae_pe #(
    parameter DEPTH      = 1024,                 // records per lane, 2 to 4096
    parameter QBITS      = 8,                    // bits of a reward or value code, 3 to 16
    parameter OUT_BITS   = 8,                    // bits of a result code: QBITS, 16 or 24
    parameter LOOKAHEAD  = 2,                    // steps of look-ahead, 1 to 4
    parameter INTERLEAVE = 1,                    // lanes that take turns on a row, 1 to 8
    parameter TAG_WIDTH  = 10,                   // bits of a place: handed along, given back with the result
    parameter TRACE      = 0,                    // 1: s_v is the step's coefficient, less 1
    parameter WIDE       = (QBITS > 10) ? 1 : 0  // follows from QBITS: two DSP slices per product, longer sums
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire signed [26+5*WIDE:0]  cfg_next_scale,  // gamma * value_scale, sfix(27,10); WIDE sfix(32,15)
    input  wire signed [36+13*WIDE:0] cfg_add_cut,     // reward offset + 1/2, in u, sfix(37,10); WIDE sfix(50,15)
    input  wire signed [36+13*WIDE:0] cfg_add_keep,    // the same + gamma * value_offset
    input  wire signed [17+9*WIDE:0]  cfg_b_step,      // gamma*lambda - 1, sfix(18,17); WIDE sfix(27,26)
    input  wire signed [17+9*WIDE:0]  cfg_b_loop,      // (gamma*lambda)^k - 1
    input  wire                      s_valid,
    input  wire [1:0]                s_kind,
    input  wire [24+8*WIDE-$clog2(DEPTH):0] s_r,
    input  wire [QBITS-1:0]          s_q_v,
    input  wire signed [24+8*WIDE:0] s_v,
    input  wire [TAG_WIDTH-1:0]      s_tag,
    output wire                      m_valid,
    output wire [1:0]                m_kind,
    output wire signed [26+8*WIDE:0] m_adv,
    output wire signed [24+8*WIDE:0] m_v,
    output wire                      m_saturated,
    output wire [TAG_WIDTH-1:0]      m_tag
);
    `include "rlc_gae_defs.vh"

    localparam LOOP        = LOOKAHEAD * INTERLEAVE;   // clocks round the feedback loop
    localparam STEP        = 2 + WIDE;                 // clocks of a discounted add
    localparam LOOP_STAGES = (LOOP < STEP) ? LOOP : STEP;  // of them inside the loop's
    localparam DELTA_AT    = 3 + WIDE;                 // clocks from s_* to delta
    localparam D_AT        = DELTA_AT + STEP * (LOOKAHEAD - 1);
    localparam LATENCY     = D_AT + LOOP_STAGES;
    localparam B_FRAC      = 17 + 9 * WIDE;            // fraction bits of g - 1

    wire s_keep = (s_kind == KIND_STEP);
    wire signed [REW_WIDTH-1:0] r = s_r;
    wire [1:0] kind_s1, kind_delta;
    rlc_delay #(.WIDTH(2), .CLOCKS(1)) u_kind_s1 (.clk(clk), .d(s_kind), .q(kind_s1));
    rlc_delay #(.WIDTH(2), .CLOCKS(DELTA_AT-1)) u_kind_delta (.clk(clk), .d(kind_s1), .q(kind_delta));

    // delta, DELTA_AT clocks behind the record; g_t - 1 at each step of the look-ahead chain, and that of the product
    // g_t * ... * g_(t+k-1).
    wire signed [ACC_WIDTH-1:0] delta;
    wire signed [B_FRAC:0]      b_at [1:LOOKAHEAD];
    wire signed [B_FRAC:0]      b_span;
    genvar j;

    if (TRACE == 0) begin : g_value
        // The value code of the record popped before this one in the same lane: v_(t+1).
        wire [QBITS-1:0] q_next;
        rlc_delay #(.WIDTH(QBITS), .CLOCKS(INTERLEAVE)) u_next (.clk(clk), .d(s_q_v), .q(q_next));

        // Stage 1: reward plus the constants of its kind.
        wire signed [ACC_WIDTH-1:0] add =
            s_keep ? cfg_add_keep[SUM_WIDTH-1:WORD_FRAC] : cfg_add_cut[SUM_WIDTH-1:WORD_FRAC];
        // Without a product nothing is added below the point, so any fraction does there.
        localparam [WORD_FRAC-1:0] HALF = 1 << (WORD_FRAC - 1);
        reg  signed [ACC_WIDTH-1:0] r_s1;
        reg         [WORD_FRAC-1:0] frac_s1;
        reg  signed [VAL_WIDTH-1:0] v_s1;
        always @(posedge clk) begin
            r_s1    <= r + add;
            frac_s1 <= s_keep ? cfg_add_keep[WORD_FRAC-1:0] : HALF;
            v_s1    <= s_v;
        end

        // Stages 2 and 3 (WIDE 4): delta = q_next*next_scale + (r + constants - v), rounded to u. A BOOT has delta 0.
        wire signed [ACC_WIDTH-1:0] r_minus_v = r_s1 - v_s1;
        wire signed [SUM_WIDTH-1:0] delta_p;
        if (WIDE == 0) begin : g_narrow
            rlc_mac #(
                .A_WIDTH(SCL_WIDTH), .B_WIDTH(QBITS), .C_WIDTH(SUM_WIDTH), .P_WIDTH(SUM_WIDTH),
                .A_REG(0), .B_REG(1), .C_REG(1), .M_REG(1)
            ) u_delta (
                .clk(clk), .a(cfg_next_scale), .b(q_next), .c({r_minus_v, frac_s1}),
                .m_clear(kind_s1 != KIND_STEP), .c_clear(!kind_s1[0]), .acc(1'b0), .p(delta_p)
            );
        end else begin : g_wide
            wire [QBITS-1:0] q_next_s1;
            rlc_delay #(.WIDTH(QBITS), .CLOCKS(1)) u_operand (.clk(clk), .d(q_next), .q(q_next_s1));
            rlc_gae_mac2 #(
                .A_WIDTH(QBITS), .B_WIDTH(SCL_WIDTH), .C_WIDTH(SUM_WIDTH), .P_WIDTH(SUM_WIDTH), .STAGES(3)
            ) u_delta (
                .clk(clk), .a(q_next_s1), .b(cfg_next_scale), .c({r_minus_v, frac_s1}),
                .m_clear(kind_s1 != KIND_STEP), .c_clear(!kind_s1[0]), .p(delta_p)
            );
        end
        assign delta = delta_p[SUM_WIDTH-1:WORD_FRAC];

        for (j = 1; j <= LOOKAHEAD; j = j + 1) begin : g_b
            assign b_at[j] = cfg_b_step;
        end
        assign b_span = cfg_b_loop;

        rlc_delay #(.WIDTH(VAL_WIDTH), .CLOCKS(LATENCY-1)) u_v (.clk(clk), .d(v_s1), .q(m_v));
        assign m_saturated = 1'b0;
    end else begin : g_trace
        // Stage 1: reward plus offset; the coefficient, saturated.
        reg  signed [ACC_WIDTH-1:0] r_s1;
        reg  signed [B_FRAC:0]      b_s1;
        reg                         saturated_s1;
        wire above = !s_v[VAL_WIDTH-1] && (s_v != 0);
        wire below = s_v[VAL_WIDTH-1] && !(&s_v[VAL_WIDTH-1:B_FRAC]);
        always @(posedge clk) begin
            r_s1         <= r + $signed(cfg_add_cut[SUM_WIDTH-1:WORD_FRAC]);
            b_s1         <= above ? {(B_FRAC+1){1'b0}} : below ? {1'b1, {B_FRAC{1'b0}}} : s_v[B_FRAC:0];
            saturated_s1 <= s_keep && (above || below);
        end

        // Stages 2 and 3 (WIDE 4) have nothing to do. A BOOT has delta 0.
        rlc_delay #(.WIDTH(ACC_WIDTH), .CLOCKS(DELTA_AT-1)) u_delta (
            .clk(clk), .d(r_s1 & {ACC_WIDTH{kind_s1[0]}}), .q(delta)
        );
        rlc_delay #(.WIDTH(B_FRAC+1), .CLOCKS(DELTA_AT-1)) u_b (.clk(clk), .d(b_s1), .q(b_at[1]));

        // The product of the g of this and the j-1 records popped before it, less 1, beside D_j.
        wire signed [B_FRAC:0] product_at [1:LOOKAHEAD];
        assign product_at[1] = b_at[1];
        for (j = 2; j <= LOOKAHEAD; j = j + 1) begin : g_product
            wire signed [B_FRAC:0]      product_next;
            wire signed [ACC_WIDTH-1:0] product;
            rlc_delay #(.WIDTH(B_FRAC+1), .CLOCKS(INTERLEAVE)) u_next (
                .clk(clk), .d(product_at[j-1]), .q(product_next)
            );
            rlc_gae_dadd #(.WIDE(WIDE), .STAGES(STEP)) u_dadd (
                .clk(clk), .x({{(ACC_WIDTH-B_FRAC-1){b_at[j-1][B_FRAC]}}, b_at[j-1]}),
                .a({{(ACC_WIDTH-B_FRAC-1){product_next[B_FRAC]}}, product_next}),
                .keep(1'b1), .b(b_at[j-1]), .y(product)
            );
            assign product_at[j] = product[B_FRAC:0];
            rlc_delay #(.WIDTH(B_FRAC+1), .CLOCKS(STEP)) u_b (.clk(clk), .d(b_at[j-1]), .q(b_at[j]));
        end
        assign b_span = product_at[LOOKAHEAD];

        assign m_v = {VAL_WIDTH{1'b0}};
        rlc_delay #(.WIDTH(1), .CLOCKS(LATENCY-1)) u_saturated (.clk(clk), .d(saturated_s1), .q(m_saturated));
        wire unused_trace = &{1'b0, cfg_next_scale, cfg_add_keep, cfg_b_step, cfg_b_loop, s_q_v};
    end

    // Stages 4 ..: look-ahead. At chain step j, delta, D_j and the keep flags are those of the same record.
    wire signed [ACC_WIDTH-1:0] delta_at [1:LOOKAHEAD];
    wire signed [ACC_WIDTH-1:0] d_at     [1:LOOKAHEAD];
    wire                        keep_at  [1:LOOKAHEAD];  // g_t
    wire                        span_at  [1:LOOKAHEAD];  // g_t * ... * g_(t+j-1)
    assign delta_at[1] = delta;
    assign d_at[1]     = delta_at[1];
    assign keep_at[1]  = (kind_delta == KIND_STEP);
    assign span_at[1]  = keep_at[1];
    for (j = 2; j <= LOOKAHEAD; j = j + 1) begin : g_look
        wire signed [ACC_WIDTH-1:0] d_next;
        wire                        span_next;
        rlc_delay #(.WIDTH(ACC_WIDTH), .CLOCKS(INTERLEAVE)) u_d_next (.clk(clk), .d(d_at[j-1]), .q(d_next));
        rlc_delay #(.WIDTH(1), .CLOCKS(INTERLEAVE)) u_span_next (.clk(clk), .d(span_at[j-1]), .q(span_next));
        rlc_gae_dadd #(.WIDE(WIDE), .STAGES(STEP)) u_dadd (
            .clk(clk), .x(delta_at[j-1]), .a(d_next), .keep(keep_at[j-1]), .b(b_at[j-1]), .y(d_at[j])
        );
        if (j < LOOKAHEAD) begin : g_delta
            rlc_delay #(.WIDTH(ACC_WIDTH), .CLOCKS(STEP)) u_delta (.clk(clk), .d(delta_at[j-1]), .q(delta_at[j]));
        end
        rlc_delay #(.WIDTH(1), .CLOCKS(STEP)) u_keep (.clk(clk), .d(keep_at[j-1]), .q(keep_at[j]));
        rlc_delay #(.WIDTH(1), .CLOCKS(STEP)) u_span (.clk(clk), .d(keep_at[j-1] && span_next), .q(span_at[j]));
    end

    // The loop: A k records ago is A of LOOP clocks ago.
    wire signed [ACC_WIDTH-1:0] adv;
    wire signed [ACC_WIDTH-1:0] adv_ago;
    rlc_delay #(.WIDTH(ACC_WIDTH), .CLOCKS(LOOP - LOOP_STAGES)) u_ago (.clk(clk), .d(adv), .q(adv_ago));
    rlc_gae_dadd #(.WIDE(WIDE), .STAGES(LOOP_STAGES)) u_loop (
        .clk(clk), .x(d_at[LOOKAHEAD]), .a(adv_ago), .keep(span_at[LOOKAHEAD]), .b(b_span), .y(adv)
    );
    assign m_adv = adv;

    // Beside it: kind and tag; only valid needs a defined start.
    rlc_delay #(.WIDTH(2), .CLOCKS(LATENCY-DELTA_AT)) u_kind (.clk(clk), .d(kind_delta), .q(m_kind));
    rlc_delay #(.WIDTH(TAG_WIDTH), .CLOCKS(LATENCY)) u_tag (.clk(clk), .d(s_tag), .q(m_tag));
    reg [LATENCY-1:0] valid_q;
    always @(posedge clk)
        if (rst) valid_q <= {LATENCY{1'b0}};
        else     valid_q <= {valid_q[LATENCY-2:0], s_valid};
    assign m_valid = valid_q[LATENCY-1];
endmodule
`default_nettype wire
