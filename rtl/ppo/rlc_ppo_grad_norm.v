// rlc_ppo_grad_norm.v — clipping of the gradient norm: from the sums of squares of all layers to one factor for all gradients.
// SPDX-License-Identifier: Apache-2.0
//
//   total = sum of floor(squares / 4^(frac - least)), least the smallest frac
//   factor = min(1.0, 2^((limit - log2 total) / 2)); 1.0 where total is 0
//
// start      pulse, not while busy; squares and frac, the first layer's lowest, are steady until done
// cfg_limit  2 * log2(norm * batch * 2^(least - 9)), 20 fraction bits, signed
// done       pulse: factor, ufix(18,17), has the new value, and keeps it until the next one
// latency    2 * LAYERS + 20 clocks from start to done
// cost       2 DSP slices, 2 tables
// model      rlcores.cores.ppo.norm
// equation   Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks", ICML 2013
`default_nettype none
`include "rlc_check.vh"
module rlc_ppo_grad_norm #(
    parameter LAYERS = 6 // sums of squares, 1..16
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 start,
    input  wire [LAYERS*56-1:0] squares,
    input  wire [LAYERS*6-1:0]  frac,
    input  wire signed [27:0]   cfg_limit,
    output reg  [17:0]          factor,
    output wire                 done
);
    `RLC_CHECK(LAYERS >= 1 && LAYERS <= 16, rlc_ppo_grad_norm_illegal_LAYERS_must_be_1_to_16)

    localparam LOG   = 7;
    localparam EXP   = 8;
    localparam BITS  = (LAYERS > 1) ? $clog2(LAYERS) : 1;
    localparam AFTER = 3 + LOG + 2 + EXP;        // clocks from the last layer's turn to done

    // First pass: the smallest fraction. Second pass: the sums at it.
    reg                  least_pass_q, sum_pass_q;
    reg  [5:0]           least_q;
    wire [BITS-1:0]      at;
    wire                 last;
    wire                 step = least_pass_q || sum_pass_q;
    reg  [LAYERS*56-1:0] squares_q;              // the next layer's is the lowest one, once around in each pass
    reg  [LAYERS*6-1:0]  frac_q;
    wire [LAYERS*56+55:0] squares_turn = {squares_q[55:0], squares_q};
    wire [LAYERS*6+5:0]   frac_turn    = {frac_q[5:0], frac_q};
    rlc_mod_counter #(.COUNT(LAYERS)) u_layer (.clk(clk), .restart(rst), .step(step), .at(at), .last(last));
    always @(posedge clk) begin
        if (rst) begin
            least_pass_q <= 1'b0;
            sum_pass_q   <= 1'b0;
        end else begin
            if (start)                     least_pass_q <= 1'b1;
            else if (last)                 least_pass_q <= 1'b0;
            if (least_pass_q && last)      sum_pass_q <= 1'b1;
            else if (last)                 sum_pass_q <= 1'b0;
        end
        if (start) begin
            squares_q <= squares;
            frac_q    <= frac;
            least_q   <= 6'd63;
        end else if (step) begin
            squares_q <= squares_turn[LAYERS*56+55:56];
            frac_q    <= frac_turn[LAYERS*6+5:6];
            if (least_pass_q && frac_q[5:0] < least_q) least_q <= frac_q[5:0];
        end
    end

    // Stage 1: at the smallest fraction. 2: the sum. 9: its logarithm. 11: what is above the limit. 19: the factor.
    wire [5:0]          over_least = frac_q[5:0] - least_q;
    reg  [55:0]         part_s1;
    reg                 first_s1;
    reg  [59:0]         total_s2;
    wire [25:0]         log_s9;
    wire                zero_s9;
    reg  signed [28:0]  over_s10;
    reg                 zero_s10, whole_s11;
    reg  signed [28:0]  over_s11;
    wire [17:0]         factor_s19;
    wire                whole_s19, unused_over;
    reg  [AFTER:1]      valid_q;
    always @(posedge clk) begin
        valid_q  <= rst ? {AFTER{1'b0}} : {valid_q[AFTER-1:1], sum_pass_q && last};
        part_s1  <= sum_pass_q ? squares_q[55:0] >> {over_least, 1'b0} : 56'd0;
        first_s1 <= sum_pass_q && at == {BITS{1'b0}};
        total_s2 <= (first_s1 ? 60'd0 : total_s2) + {4'd0, part_s1};
        over_s10 <= {cfg_limit[27], cfg_limit} - {3'd0, log_s9};
        zero_s10 <= zero_s9;
        over_s11  <= over_s10;
        whole_s11 <= zero_s10 || !over_s10[28];
        if (valid_q[AFTER-1]) factor <= whole_s19 ? 18'h20000 : factor_s19;
    end
    assign done = valid_q[AFTER];
    rlc_log2 #(.IN_WIDTH(60)) u_log (.clk(clk), .x(total_s2), .y(log_s9), .zero(zero_s9));
    // Half of it, with 26 fraction bits.
    rlc_exp2 #(.IN_WIDTH(34), .OUT_WIDTH(18), .OUT_FRAC(17)) u_factor (
        .clk(clk), .x({over_s11, 5'd0}), .y(factor_s19), .saturated(unused_over)
    );
    rlc_delay #(.WIDTH(1), .CLOCKS(EXP)) u_whole (.clk(clk), .d(whole_s11), .q(whole_s19));
    wire unused = &{1'b0, unused_over, squares_turn, frac_turn};
endmodule
`default_nettype wire
