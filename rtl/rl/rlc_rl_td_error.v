// rlc_rl_td_error.v — one column of the loss: TD error, priority, and the delta of the action taken.
// SPDX-License-Identifier: Apache-2.0
//
//   td       = sat(round(q_taken - r - cfg_gamma * q_next)), q_next counts as 0 where the episode ended
//   e        = td, or td saturated to +-cfg_huber where that is not 0
//   delta    = sat18(round(e * weight / 2^delta_shift)), 0 for a column without a record
//
// q_*, r       sfix(WIDTH, f) with one f for all; cfg_huber the same without sign
// cfg_gamma, weight  ufix(18,17), at most 1.0
// timing       no handshake, one set a clock. Stage 0 is the clock in which the inputs stand
// magnitude    |td|, the priority; with td_saturated at stage 5
// delta        with delta_saturated at stage 10
// reset        none
// cost         two DSPs
`default_nettype none
`include "rlc_rl_ports.vh"
module rlc_rl_td_error #(
    parameter WIDTH = 27 // bits of a Q value, 18..27; sums stay exact, td is symmetric
) (
    input  wire                    clk,
    `RLC_RL_TD_ERROR_SETTINGS(input wire, `RLC_COMMA),
    input  wire [5:0]              delta_shift,
    input  wire signed [WIDTH-1:0] q_taken,
    input  wire signed [WIDTH-1:0] q_next,
    input  wire signed [WIDTH-1:0] r,
    input  wire                    terminated,
    input  wire                    has_record,
    input  wire [17:0]             weight,
    output reg  [WIDTH-2:0]        magnitude,
    output reg                     td_saturated,
    output wire [17:0]             delta,
    output wire                    delta_saturated
);
    localparam DELTA_STAGE = 10;
    localparam FRAC        = 17;
    localparam E_WIDTH     = WIDTH + 2;    // an error before it is saturated
    localparam P_WIDTH     = E_WIDTH + FRAC;

    // 1.0 has 18 bits without a sign, so both factors enter the DSP's signed port negated: -1.0 is exact.
    reg signed [17:0] minus_gamma_q;
    always @(posedge clk) minus_gamma_q <= 18'd0 - cfg_gamma;

    // Stages 1 to 3: q_taken - r, and from it gamma * q_next, with the half that rounds.
    wire signed [WIDTH-1:0]   counted = terminated ? {WIDTH{1'b0}} : q_next;
    reg  signed [WIDTH:0]     gain_q;
    wire signed [P_WIDTH-1:0] addend = {gain_q[WIDTH], gain_q, 1'b1, {(FRAC-1){1'b0}}};
    wire signed [P_WIDTH-1:0] sum;
    always @(posedge clk) gain_q <= {q_taken[WIDTH-1], q_taken} - {r[WIDTH-1], r};
    rlc_mac #(
        .A_WIDTH(WIDTH), .B_WIDTH(18), .C_WIDTH(P_WIDTH), .P_WIDTH(P_WIDTH), .A_REG(1), .B_REG(0)
    ) u_td (
        .clk(clk), .a(counted), .b(minus_gamma_q), .c(addend), .acc(1'b0), .m_clear(1'b0), .c_clear(1'b0), .p(sum)
    );
    wire signed [E_WIDTH-1:0] exact = sum[FRAC +: E_WIDTH];

    // Stage 4: the limits, all found from the exact error.
    wire [WIDTH-1:0]          td;
    wire                      saturated;
    wire signed [E_WIDTH-1:0] limit = {3'b000, cfg_huber[WIDTH-2:0]};
    reg                       huber_q;
    reg  signed [E_WIDTH-1:0] minus_limit_q;
    reg  signed [WIDTH-1:0]   td_q;
    reg                       over_q, above_q, below_q;
    rlc_round_sat #(.WIN(E_WIDTH), .FRAC(0), .WOUT(WIDTH), .SYMMETRIC(1)) u_sat (
        .in_data(exact), .out_data(td), .saturated(saturated)
    );
    always @(posedge clk) begin
        huber_q       <= |cfg_huber;
        minus_limit_q <= -limit;
        td_q          <= td;
        over_q        <= saturated;
        above_q       <= huber_q && exact > limit;
        below_q       <= huber_q && exact < minus_limit_q;
    end

    // Stage 5: |td| goes out as the priority, its flag beside it; the gradient enters the second DSP.
    wire [WIDTH-2:0]        minus_td = {(WIDTH-1){1'b0}} - td_q[WIDTH-2:0];
    wire signed [WIDTH-1:0] e = above_q ? limit[WIDTH-1:0] : below_q ? minus_limit_q[WIDTH-1:0] : td_q;
    always @(posedge clk) begin
        magnitude      <= td_q[WIDTH-1] ? minus_td : td_q[WIDTH-2:0];
        td_saturated   <= over_q;
    end

    // Stages 5 to 7: -1 - e * weight, which is e * weight with every bit turned.
    localparam G_WIDTH = WIDTH + 18;
    wire        record_s;
    wire [17:0] weight_s;
    rlc_delay #(.WIDTH(18), .CLOCKS(4)) u_weight (.clk(clk), .d(18'd0 - weight), .q(weight_s));
    rlc_delay #(.WIDTH(1), .CLOCKS(DELTA_STAGE)) u_record (.clk(clk), .d(has_record), .q(record_s));
    wire signed [17:0]        minus_weight = weight_s;
    wire signed [G_WIDTH-1:0] turned;
    rlc_mac #(
        .A_WIDTH(WIDTH), .B_WIDTH(18), .C_WIDTH(1), .P_WIDTH(G_WIDTH), .A_REG(1), .B_REG(1), .C_REG(0)
    ) u_gradient (
        .clk(clk), .a(e), .b(minus_weight), .c(1'b1), .acc(1'b0), .m_clear(1'b0), .c_clear(1'b0), .p(turned)
    );

    // Stages 8 to 10.
    wire [17:0] narrow;
    wire        narrow_saturated;
    rlc_shift_sat #(.WIN(G_WIDTH), .WOUT(18), .SHIFT_WIDTH(6)) u_delta (
        .clk(clk), .s_data(~turned), .shift(delta_shift), .m_data(narrow), .m_saturated(narrow_saturated)
    );
    assign delta           = record_s ? narrow : 18'd0;
    assign delta_saturated = record_s && narrow_saturated;

    wire unused = &{1'b0, sum[FRAC-1:0], cfg_huber};
endmodule
`default_nettype wire
