// rlc_sumtree_draw.v — random draws for the sum tree, stratified on request.
// SPDX-License-Identifier: Apache-2.0
//
// FIRST, STEP     0..65535: stratum of the first draw after a restart, and from a draw to the next (mod B): several of
//                 these with FIRST = 0..STEP-1 share the strata of a batch
//
// cfg_strata      B, 0..65535; taken in reset, and with cfg_restart or cfg_seed_valid. 0 is 1: uniform.
// cfg_restart     pulse: the next draw is in stratum FIRST mod B. A draw taken in the same clock was before.
// cfg_seed_valid  pulse: the generator (rlc_xoshiro128pp) goes to the state cfg_seed = {s3,s2,s1,s0}; restarts too.
//                 Of the state of all zeros, which has no successor, s0 becomes 1
// m_draw          u = floor((j * 2^U + r) / B), j the stratum, r the top U bits of the generator's word. The n-th draw
//                 taken since seeding has the n-th word: a restart goes back over the words drawn ahead.
// m_*             valid/ready; m_draw stands while stalled, but a restart withdraws it
// throughput      one draw a clock
// latency         m_valid is low for 4 + ceil(U/BITS) clocks after reset, restart or seed (4 if STRATA is 0), and from the
//                 second on for each clock of floor(FIRST/B) or floor(STEP/B), the greater
// cost            U and 16 bits of flip-flops a stage
`default_nettype none
`include "rlc_check.vh"
module rlc_sumtree_draw #(
    parameter DRAW_WIDTH = 32, // U, bits of a draw, 1..32
    parameter STRATA     = 1,  // 0 builds no division: every draw is uniform, cfg_strata is ignored
    parameter BITS       = 2,  // bits of the quotient a stage of the division, 1 or 2
    parameter FIRST      = 0,  // stratum of the first draw
    parameter STEP       = 1   // from a draw's to the next one's
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [15:0]           cfg_strata,
    input  wire                  cfg_restart,
    input  wire                  cfg_seed_valid,
    input  wire [127:0]          cfg_seed,
    output wire                  m_valid,
    input  wire                  m_ready,
    output wire [DRAW_WIDTH-1:0] m_draw
);
    `RLC_CHECK(DRAW_WIDTH >= 1 && DRAW_WIDTH <= 32, rlc_sumtree_draw_illegal_DRAW_WIDTH_must_be_1_to_32)
    `RLC_CHECK(STRATA == 0 || STRATA == 1, rlc_sumtree_draw_illegal_STRATA_must_be_0_or_1)
    `RLC_CHECK(BITS == 1 || BITS == 2, rlc_sumtree_draw_illegal_BITS_must_be_1_or_2)
    `RLC_CHECK(FIRST >= 0 && FIRST <= 65535 && STEP >= 0 && STEP <= 65535,
               rlc_sumtree_draw_illegal_FIRST_and_STEP_must_be_0_to_65535)

    // Icarus takes no empty range, so an illegal DRAW_WIDTH has a stand-in until the check ends the run.
    localparam U      = (DRAW_WIDTH >= 1 && DRAW_WIDTH <= 32) ? DRAW_WIDTH : 1;
    localparam STAGES = (STRATA != 0) ? (U + BITS - 1) / BITS : 0;

    // A restart lasts two clocks or more after its pulse: in the first the state of the draws taken still steps or is
    // loaded, then it is copied.
    wire         restart = cfg_restart || cfg_seed_valid;
    wire         settled;
    reg          restarting_q, first_q, seeding_q;
    reg  [127:0] seed_q;
    always @(posedge clk) begin
        first_q   <= rst || restart;
        seeding_q <= cfg_seed_valid && !rst;
        seed_q    <= {cfg_seed[127:1], cfg_seed[0] || cfg_seed == 128'd0};
        if (rst || restart)           restarting_q <= 1'b1;
        else if (settled && !first_q) restarting_q <= 1'b0;
    end

    // The pipeline is rigid. Behind a restart it fills, then it is always full. The register slice at its end keeps
    // m_ready away from the enables of all stages.
    reg  [STAGES:0]   valid_q;
    wire [STAGES+1:0] valid_d = {valid_q, !restarting_q};
    wire              room;
    wire [U-1:0]      draw;
    wire              advance = !valid_q[STAGES] || room;
    reg               taken_q;  // counted a clock late, which a restart waits for
    always @(posedge clk) begin
        taken_q <= m_valid && m_ready && !rst;
        if (rst || restart) valid_q <= 0;
        else if (advance)   valid_q <= valid_d[STAGES:0];
    end
    rlc_skid #(.WIDTH(U)) u_slice (
        .clk(clk), .rst(rst || restart),
        .s_valid(valid_q[STAGES]), .s_ready(room), .s_data(draw),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_draw)
    );

    // Two generators: one where the draws taken are, one ahead of it by what is in the pipeline.
    wire [127:0] state_taken, state_ahead;
    wire [31:0]  value_taken, value;
    rlc_xoshiro128pp u_taken (
        .clk(clk), .rst(rst), .load(seeding_q), .state(seed_q), .step(taken_q),
        .state_q(state_taken), .value(value_taken)
    );
    rlc_xoshiro128pp u_ahead (
        .clk(clk), .rst(rst), .load(restarting_q), .state(state_taken), .step(advance),
        .state_q(state_ahead), .value(value)
    );

    // Stage 0: the word.
    reg [U-1:0] word_q;
    always @(posedge clk) if (advance) word_q <= value[31:32-U];

    wire unused = &{1'b0, state_ahead, value_taken, value, valid_d, cfg_strata};

    genvar s;
    if (STRATA == 0) begin : g_uniform
        assign settled = 1'b1;
        assign draw    = word_q;
    end else begin : g_strata
        localparam [31:0] FROM = FIRST;
        localparam [31:0] BY   = STEP;

        // The stratum of the draw that enters. A restart first brings FIRST and STEP below B.
        reg  [15:0] strata_q, stratum_q, step_q;
        reg  [15:0] limit_q;    // B - step: from this stratum on the next one wraps
        wire        stratum_high = stratum_q >= strata_q;
        wire        step_high    = step_q >= strata_q;
        wire [16:0] wrapped      = {1'b0, stratum_q} - {1'b0, limit_q};
        assign settled = !stratum_high && !step_high;
        always @(posedge clk) begin
            limit_q <= strata_q - step_q;
            if (rst || restart) begin
                strata_q  <= (cfg_strata == 0) ? 16'd1 : cfg_strata;
                stratum_q <= FROM[15:0];
                step_q    <= BY[15:0];
            end else if (restarting_q) begin
                if (stratum_high) stratum_q <= stratum_q - strata_q;
                if (step_high)    step_q    <= step_q - strata_q;
            end else if (advance) begin
                stratum_q <= wrapped[16] ? stratum_q + step_q : wrapped[15:0];
            end
        end

        reg [15:0] start_q;
        always @(posedge clk) if (advance) start_q <= stratum_q;

        // Stages 1 and on: long division of {j, r} by B; j < B, so that the quotient has U bits. Each bit shifts
        // remainder and word to the left, and a bit of the quotient takes the place that falls free.
        localparam [U-1:0] ONE = 1;
        for (s = 0; s < STAGES; s = s + 1) begin : g_stage
            wire [U+15:0] work_in;
            reg  [U+15:0] work_q;
            if (s == 0) begin : g_in
                assign work_in = {start_q, word_q};
            end else begin : g_in
                assign work_in = g_stage[s-1].work_q;
            end

            wire [U+16:0] shift_a = {work_in, 1'b0};
            wire [17:0]   less_a  = {1'b0, shift_a[U+16:U]} - {2'b00, strata_q};
            wire [U+15:0] work_a  = less_a[17] ? shift_a[U+15:0] : {less_a[15:0], shift_a[U-1:0] | ONE};
            wire [U+16:0] shift_b = {work_a, 1'b0};
            wire [17:0]   less_b  = {1'b0, shift_b[U+16:U]} - {2'b00, strata_q};
            wire [U+15:0] work_b  = less_b[17] ? shift_b[U+15:0] : {less_b[15:0], shift_b[U-1:0] | ONE};
            // With two bits a stage the last stage of an odd U has one bit to do.
            always @(posedge clk) if (advance) work_q <= (U - BITS * s < 2 || BITS == 1) ? work_a : work_b;

            // A remainder below B has 16 bits.
            wire unused_rest = &{1'b0, less_a, less_b};
        end
        assign draw = g_stage[STAGES-1].work_q[U-1:0];

        wire unused_last = &{1'b0, g_stage[STAGES-1].work_q};
    end
endmodule
`default_nettype wire
