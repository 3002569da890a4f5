// rlc_mlp_products.v — one element times two weights.
// SPDX-License-Identifier: Apache-2.0
//
// low, high   products of weight_low and weight_high with element, 1 clock later; no reset
// MULTIPLIER  0: two multipliers. 1: one multiplier of 2·W_WIDTH + X_WIDTH + 1 by X_WIDTH bits: the weights stand side by side, far enough that the
//             products do not touch. A negative low product borrows 1 from the high one, which its sign gives back.
//             2: none; elements are added where a weight has a one
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_products #(
    parameter W_WIDTH    = 8,     // bits of a weight, >= 2
    parameter X_WIDTH    = 8,     // bits of an element, >= 2
    parameter MULTIPLIER = 0      // 0, 1 or 2
) (
    input  wire                              clk,
    input  wire signed [W_WIDTH-1:0]         weight_low,
    input  wire signed [W_WIDTH-1:0]         weight_high,
    input  wire signed [X_WIDTH-1:0]         element,
    output wire signed [W_WIDTH+X_WIDTH-1:0] low,
    output wire signed [W_WIDTH+X_WIDTH-1:0] high
);
    `RLC_CHECK(MULTIPLIER >= 0 && MULTIPLIER <= 2, rlc_mlp_products_illegal_MULTIPLIER_must_be_0_to_2)
    localparam WIDTH = W_WIDTH + X_WIDTH;

    if (MULTIPLIER == 1) begin : g_pair
        wire signed [W_WIDTH+WIDTH:0]         both = {weight_high[W_WIDTH-1], weight_high, {WIDTH{1'b0}}}
                                                   + {{(WIDTH+1){weight_low[W_WIDTH-1]}}, weight_low};
        reg  signed [W_WIDTH+WIDTH+X_WIDTH:0] product_q;
        always @(posedge clk) product_q <= both * element;
        assign low  = product_q[WIDTH-1:0];
        assign high = product_q[2*WIDTH-1:WIDTH] + {{(WIDTH-1){1'b0}}, product_q[WIDTH-1]};
        wire unused = product_q[2*WIDTH];
    end else if (MULTIPLIER == 2) begin : g_lut
        reg signed [WIDTH-1:0] low_q, high_q;
        always @(posedge clk) begin
            low_q  <= added(weight_low, element);
            high_q <= added(weight_high, element);
        end
        assign low  = low_q;
        assign high = high_q;
    end else begin : g_one
        reg signed [WIDTH-1:0] low_q, high_q;
        always @(posedge clk) begin
            low_q  <= weight_low * element;
            high_q <= weight_high * element;
        end
        assign low  = low_q;
        assign high = high_q;
    end

    // weight · number without a multiplier: each addition gives one more bit of the product, so that none is wider than a
    // number and a bit. The highest bit of a weight counts negative.
    function signed [WIDTH-1:0] added(input signed [W_WIDTH-1:0] weight, input signed [X_WIDTH-1:0] number);
        reg signed [X_WIDTH:0] sum, wide;
        reg [W_WIDTH-2:0]      lower;
        integer                i;
        begin
            wide = {number[X_WIDTH-1], number};
            sum  = {(X_WIDTH+1){1'b0}};
            for (i = 0; i < W_WIDTH - 1; i = i + 1) begin
                sum      = sum + (weight[i] ? wide : {(X_WIDTH+1){1'b0}});
                lower[i] = sum[0];
                sum      = sum >>> 1;
            end
            sum   = sum - (weight[W_WIDTH-1] ? wide : {(X_WIDTH+1){1'b0}});
            added = {sum, lower};
        end
    endfunction
endmodule
`default_nettype wire
