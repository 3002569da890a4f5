// rlc_nn_weight.v — a weight's move, and that of the target network's weight behind it.
// SPDX-License-Identifier: Apache-2.0
//
// w          the old weight; add + carry is what moves it; s_over: that was saturated
// own        the new weight, 2 clocks after w: what others may average. averaged: stands still; the new weight is shared,
//            AVERAGE clocks after own, and everything below that much later
// t          the target's old weight, 2 clocks after w
// sync       stands still: whether the target's weight is to be counted. tau: ufix(17,17), 0 copies
// new_w, new_t  LATENCY clocks after w; new_t as if the target network is synchronised now
// saturated  beside them: of the weight or its step; the target's only with sync
// latency    2 clocks, 8 with POLYAK; one a clock, no reset
// cost       with POLYAK one DSP slice
`default_nettype none
module rlc_nn_weight #(
    parameter WEIGHT_WIDTH = 27,  // bits of a weight, 19..27
    parameter POLYAK       = 0,   // 1 builds averaging of the target network's weights
    parameter AVERAGE      = 0,   // clocks from own to shared; 0 builds no way in
    parameter TARGET_WIDTH = WEIGHT_WIDTH + 9 * POLYAK // derived, leave it alone
) (
    input  wire                           clk,
    input  wire signed [WEIGHT_WIDTH-1:0] w,
    input  wire [WEIGHT_WIDTH:0]          add,
    input  wire                           carry,
    input  wire                           s_over,
    output wire [WEIGHT_WIDTH-1:0]        own,
    input  wire                           averaged,
    input  wire [WEIGHT_WIDTH-1:0]        shared,
    input  wire signed [TARGET_WIDTH-1:0] t,
    input  wire                           sync,
    input  wire [16:0]                    tau,
    output wire [WEIGHT_WIDTH-1:0]        new_w,
    output wire [TARGET_WIDTH-1:0]        new_t,
    output wire                           saturated
);
    // Stage 1: the weight moves. 2: limit.
    localparam SUM = WEIGHT_WIDTH + 2;
    reg  [SUM-1:0]          w_s1;
    reg  [WEIGHT_WIDTH-1:0] w_s2;
    reg                     over_s1, over_s2;
    wire [WEIGHT_WIDTH-1:0] w_clipped;
    wire                    w_over;
    rlc_round_sat #(.WIN(SUM), .FRAC(0), .WOUT(WEIGHT_WIDTH)) u_weight (
        .in_data(w_s1), .out_data(w_clipped), .saturated(w_over)
    );
    always @(posedge clk) begin
        w_s1    <= {{2{w[WEIGHT_WIDTH-1]}}, w} + {add[WEIGHT_WIDTH], add} + {{(SUM-1){1'b0}}, carry};
        over_s1 <= s_over;
        w_s2    <= w_clipped;
        over_s2 <= over_s1 || w_over;
    end
    assign own = w_s2;

    // What the new weight is: the own one, or an average with others'.
    wire [WEIGHT_WIDTH-1:0] w_now;
    wire                    over_now;
    if (AVERAGE != 0) begin : g_shared
        wire over_late;
        rlc_delay #(.WIDTH(1), .CLOCKS(AVERAGE)) u_over (.clk(clk), .d(over_s2), .q(over_late));
        assign w_now    = averaged ? shared : w_s2;
        assign over_now = averaged ? over_late : over_s2;
    end else begin : g_alone
        assign w_now    = w_s2;
        assign over_now = over_s2;
        wire unused = &{1'b0, averaged, shared};
    end

    if (POLYAK != 0) begin : g_average
        // Stages 3, 4: the distance from the target's weight, which has 9 fraction bits more, saturated.
        localparam GAP = WEIGHT_WIDTH + 1;
        wire signed [WEIGHT_WIDTH-1:0] new_weight = w_now;
        wire signed [WEIGHT_WIDTH-1:0] old_target = t[TARGET_WIDTH-1:9];
        reg  signed [GAP-1:0]          gap_s1;
        reg  signed [WEIGHT_WIDTH-1:0] gap_s2;
        reg                            gap_over_s2;
        wire [WEIGHT_WIDTH-1:0]        gap_clipped;
        wire                           gap_over;
        rlc_round_sat #(.WIN(GAP), .FRAC(0), .WOUT(WEIGHT_WIDTH)) u_gap (
            .in_data(gap_s1), .out_data(gap_clipped), .saturated(gap_over)
        );
        always @(posedge clk) begin
            gap_s1      <= new_weight - old_target;
            gap_s2      <= gap_clipped;
            gap_over_s2 <= gap_over;
        end

        // 5..7: t + gap * tau / 2^8, rounded half up.
        wire [TARGET_WIDTH-1:0] t_s3;
        wire signed [47:0]      addend = {{(40-TARGET_WIDTH){t_s3[TARGET_WIDTH-1]}}, t_s3, 8'h80};
        wire signed [17:0]      part   = {1'b0, tau};
        wire signed [47:0]      average;
        rlc_delay #(.WIDTH(TARGET_WIDTH), .CLOCKS(3)) u_t (.clk(clk), .d(t), .q(t_s3));
        rlc_mac #(
            .A_WIDTH(WEIGHT_WIDTH), .B_WIDTH(18), .C_WIDTH(48), .P_WIDTH(48), .A_REG(1), .B_REG(1)
        ) u_average (
            .clk(clk), .a(gap_s2), .b(part), .c(addend), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(average)
        );

        // 8: without a tau, a copy.
        reg                     copy_q;
        reg  [TARGET_WIDTH-1:0] t_s6;
        reg  [WEIGHT_WIDTH-1:0] w_s6;
        reg                     over_s6;
        wire [WEIGHT_WIDTH-1:0] w_s5;
        wire                    over_s5, gap_over_s5;
        rlc_delay #(.WIDTH(WEIGHT_WIDTH + 1), .CLOCKS(5)) u_w (
            .clk(clk), .d({w_now, over_now}), .q({w_s5, over_s5})
        );
        rlc_delay #(.WIDTH(1), .CLOCKS(3)) u_over (.clk(clk), .d(gap_over_s2), .q(gap_over_s5));
        always @(posedge clk) begin
            copy_q  <= tau == 17'd0;
            t_s6    <= copy_q ? {w_s5, 9'd0} : average[8 +: TARGET_WIDTH];
            w_s6    <= w_s5;
            over_s6 <= over_s5 || (gap_over_s5 && sync && !copy_q);
        end
        assign new_w     = w_s6;
        assign new_t     = t_s6;
        assign saturated = over_s6;
        wire unused = &{1'b0, average[47:8+TARGET_WIDTH], average[7:0]};
    end else begin : g_copy
        assign new_w     = w_now;
        assign new_t     = w_now;
        assign saturated = over_now;
        wire unused = &{1'b0, t, sync, tau};
    end
endmodule
`default_nettype wire
