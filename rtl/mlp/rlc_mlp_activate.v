// rlc_mlp_activate.v — one result on its way out of the array: rounded, saturated, and through its layer's activation.
// SPDX-License-Identifier: Apache-2.0
//
// sum, layer  a sum and its layer; normed: it comes from rlc_mlp_norm
// rounded     the sum in 18 bits, 1 clock later: what rlc_mlp_norm takes
// direct      the result of a layer without a unit (identity, ReLU), 1 clock after the sum; its layer is given again
// unit        the result of a layer with one, slowest(KINDS) + 2 clocks after the sum; its layer is given again
// both        of 18 bits, saturated to the layer's ACT_WIDTHS
`default_nettype none
module rlc_mlp_activate #(
    parameter [1023:0] KINDS       = "1-0",  // activation per layer: see rlc_mlp
    parameter [1023:0] SHIFTS      = "7-7",  // bits that the sums of each layer lose
    parameter [1023:0] NORM_SHIFTS = "0-0",  // bits that its normalised sums lose
    parameter [1023:0] UNIT_SHIFTS = "0-0",  // bits that the unit's result of each layer loses
    parameter [1023:0] SLOPES      = "0-0",  // of leaky ReLU, or alpha of scaled ELU
    parameter [1023:0] ACT_WIDTHS  = "8-18", // bits of the results of each layer
    parameter UNIT_FRAC   = 10,     // fraction bits of what a unit takes
    parameter SUM_WIDTH   = 24      // bits of a sum
) (
    input  wire                 clk,
    input  wire [SUM_WIDTH-1:0] sum,
    input  wire [2:0]           layer,
    input  wire                 normed,
    output wire [17:0]          rounded,
    input  wire [2:0]           direct_layer,
    output wire [17:0]          direct,
    input  wire [2:0]           unit_layer,
    output wire [17:0]          unit
);
    `include "rlc_mlp_defs.vh"
    localparam LAYERS  = fields(KINDS);
    localparam MOST    = (greatest(SHIFTS) > greatest(NORM_SHIFTS)) ? greatest(SHIFTS) : greatest(NORM_SHIFTS);
    localparam WIDE    = SUM_WIDTH + MOST;
    localparam SLOWEST = slowest(KINDS);
    localparam MOST_UNIT = greatest(UNIT_SHIFTS);
    localparam UNIT_WIDE = 18 + MOST_UNIT + 1;

    // Sums of all layers with their points at one place, so that there is one rounding.
    wire [WIDE-1:0] aligned_of [0:15];
    wire [17:0]     clipped_of [0:7];
    wire [UNIT_WIDE-1:0] unit_of [0:7];
    wire [17:0]     unit_clipped_of [0:7];
    wire [17:0]     round;
    reg  [17:0]     rounded_s1;
    wire            saturated;
    rlc_round_sat #(.WIN(WIDE), .FRAC(MOST), .WOUT(18)) u_round (
        .in_data(aligned_of[{normed, layer}]), .out_data(round), .saturated(saturated)
    );
    always @(posedge clk) rounded_s1 <= round;
    assign rounded = rounded_s1;

    // The units that this network has, one for all layers of its kind and slope; the quicker ones wait for the slowest.
    wire [17:0] given_of [0:7];
    wire [17:0] picked;
    wire [17:0] unit_rounded;
    reg  [17:0] unit_q;
    wire        unit_over;
    genvar l;
    for (l = 0; l < LAYERS; l = l + 1) begin : g_unit
        localparam integer KIND = field(KINDS, l);
        if (in_unit(KIND) == 0 || owner(l) != l) begin : g_none
            assign given_of[l] = 18'd0;
        end else begin : g_own
            wire signed [17:0] y;
            if (KIND == 2) begin : g_leaky
                rlc_nn_leaky #(.WIDTH(18), .SLOPE(field(SLOPES, l))) u_unit (.clk(clk), .x(rounded_s1), .y(y));
            end else if (KIND == 3) begin : g_tanh
                rlc_nn_tanh #(.FRAC(UNIT_FRAC)) u_unit (.clk(clk), .x(rounded_s1), .y(y));
            end else if (KIND == 4) begin : g_sigmoid
                rlc_nn_sigmoid #(.FRAC(UNIT_FRAC)) u_unit (.clk(clk), .x(rounded_s1), .y(y));
            end else if (KIND == 5) begin : g_elu
                rlc_nn_elu #(.FRAC(UNIT_FRAC)) u_unit (.clk(clk), .x(rounded_s1), .y(y));
            end else if (KIND == 6) begin : g_silu
                rlc_nn_silu #(.FRAC(UNIT_FRAC)) u_unit (.clk(clk), .x(rounded_s1), .y(y));
            end else begin : g_scaled
                wire signed [17:0] plain;
                rlc_nn_elu #(.FRAC(UNIT_FRAC)) u_unit (.clk(clk), .x(rounded_s1), .y(plain));
                rlc_nn_leaky #(.WIDTH(18), .SLOPE(field(SLOPES, l))) u_scale (.clk(clk), .x(plain), .y(y));
            end
            rlc_delay #(.WIDTH(18), .CLOCKS(SLOWEST - unit_clocks(KIND))) u_wait (.clk(clk), .d(y), .q(given_of[l]));
        end
    end

    for (l = 0; l < LAYERS; l = l + 1) begin : g_layer
        // Simulators compute what a localparam is once, and a function elsewhere in every clock.
        localparam integer WIDTH     = field(ACT_WIDTHS, l);
        localparam integer KIND      = field(KINDS, l);
        localparam integer UP        = MOST - field(SHIFTS, l);
        localparam integer NORM_UP   = MOST - field(NORM_SHIFTS, l);
        localparam integer UNIT_UP   = MOST_UNIT - field(UNIT_SHIFTS, l);
        localparam integer OWNER     = owner(l);
        wire [WIDTH-1:0] narrow, unit_narrow;
        wire             narrow_over, unit_narrow_over;
        wire [17:0]      positive = (KIND == 1 && rounded_s1[17]) ? 18'd0 : rounded_s1;
        wire [WIDE-1:0]  wide     = {{MOST{sum[SUM_WIDTH-1]}}, sum};
        assign aligned_of[l]     = wide << UP;
        assign aligned_of[8 + l] = wide << NORM_UP;
        rlc_round_sat #(.WIN(18), .FRAC(0), .WOUT(WIDTH)) u_narrow (
            .in_data(positive), .out_data(narrow), .saturated(narrow_over)
        );
        assign clipped_of[l] = {{(18-WIDTH+1){narrow[WIDTH-1]}}, narrow[WIDTH-2:0]};
        wire [17:0]          owned = given_of[OWNER];
        wire [UNIT_WIDE-1:0] given = {{(MOST_UNIT+1){owned[17]}}, owned};
        assign unit_of[l] = given << UNIT_UP;
        rlc_round_sat #(.WIN(18), .FRAC(0), .WOUT(WIDTH)) u_unit_narrow (
            .in_data(unit_rounded), .out_data(unit_narrow), .saturated(unit_narrow_over)
        );
        assign unit_clipped_of[l] = {{(18-WIDTH+1){unit_narrow[WIDTH-1]}}, unit_narrow[WIDTH-2:0]};
        wire unused_l = &{1'b0, narrow_over, unit_narrow_over};
    end
    for (l = LAYERS; l < 8; l = l + 1) begin : g_no_layer
        assign aligned_of[l]      = {WIDE{1'b0}};
        assign aligned_of[8 + l]  = {WIDE{1'b0}};
        assign clipped_of[l]      = 18'd0;
        assign unit_of[l]         = {UNIT_WIDE{1'b0}};
        assign unit_clipped_of[l] = 18'd0;
        assign given_of[l]        = 18'd0;
    end
    assign direct = clipped_of[direct_layer];
    rlc_round_sat #(.WIN(UNIT_WIDE), .FRAC(MOST_UNIT), .WOUT(18)) u_unit_round (
        .in_data(unit_of[unit_layer]), .out_data(unit_rounded), .saturated(unit_over)
    );
    assign picked = unit_clipped_of[unit_layer];
    always @(posedge clk) unit_q <= picked;
    assign unit = unit_q;

    wire unused = &{1'b0, saturated, unit_over};

    // The first layer whose unit is that of layer `index`.
    function integer owner(input integer index);
        integer i;
        begin
            owner = index;
            for (i = index; i >= 0; i = i - 1)
                if (field(KINDS, i) == field(KINDS, index) && field(SLOPES, i) == field(SLOPES, index)) owner = i;
        end
    endfunction
endmodule
`default_nettype wire
