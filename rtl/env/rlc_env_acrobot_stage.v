// rlc_env_acrobot_stage.v — accelerations of Acrobot's links: one of the four evaluations of a Runge-Kutta step.
// SPDX-License-Identifier: Apache-2.0
//
// theta1, theta2   units of 2^-26 turns
// v1_s8, v2_s8     speeds in turns per step, sfix(27,V), 8 clocks later
// action_s13       0, 1, 2 for a torque of -1, 0, 1, 13 clocks after the angles
// a1, a2           turns a step², N fraction bits, 28 clocks after the angles
// saturated        a force did not fit its format
// throughput       one per clock; nothing stalls, nothing is reset
// cost             three rlc_sincos, rlc_env_acrobot_inverse, eleven products of two DSP slices each
`default_nettype none
module rlc_env_acrobot_stage #(
    parameter V      = 26, // fraction bits of the speeds, sfix(27,V)
    parameter A      = 26, // of their products
    parameter R      = 26, // of the forces
    parameter R_BITS = 31, // bits of a force
    parameter N      = 26  // fraction bits of the accelerations
) (
    input  wire               clk,
    input  wire        [25:0] theta1,
    input  wire        [25:0] theta2,
    input  wire signed [26:0] v1_s8,
    input  wire signed [26:0] v2_s8,
    input  wire        [1:0]  action_s13,
    output wire signed [35:0] a1,
    output wire signed [35:0] a2,
    output wire               saturated
);
    // The model's constants, with fraction bits of: PI 30, G3 36, G 37, TORQUE 26.
    localparam signed [32:0] PI = 33'sd3373259426;
    localparam signed [33:0] G3 = 34'sd6430982113, G = 34'sd4287321408;
    localparam [19:0] TORQUE = 20'd427228 >> (26 - R);

    localparam PRODUCT  = 2 * V - A;  // bits to drop of a product of speeds
    localparam BOTH     = (56 - PRODUCT < 35) ? 56 - PRODUCT : 35;
    localparam ONE      = 54 - PRODUCT;
    localparam N_BITS   = R_BITS + 3 - R + N;
    localparam N_DROP   = 2 + R - N;
    localparam SUM_BITS = R_BITS + 5;

    // Stages 1 to 9: sines and cosines.
    reg [25:0] theta1_s1, theta2_s1, both_angles_s1;
    always @(posedge clk) begin
        theta1_s1      <= theta1;
        theta2_s1      <= theta2;
        both_angles_s1 <= theta1 + theta2;
    end
    wire signed [26:0] sine1_s9, cosine1_s9, sine2_s9, cosine2_s9, sine12_s9, cosine12_s9;
    rlc_sincos u_angle1 (.clk(clk), .angle(theta1_s1), .sine(sine1_s9), .cosine(cosine1_s9));
    rlc_sincos u_angle2 (.clk(clk), .angle(theta2_s1), .sine(sine2_s9), .cosine(cosine2_s9));
    rlc_sincos u_both (.clk(clk), .angle(both_angles_s1), .sine(sine12_s9), .cosine(cosine12_s9));

    // Stages 10 to 13: pi sin(theta2) sfix(27,24), gravity with 28 fraction bits, and the products of the speeds.
    reg signed [26:0] v1_s9, v2_s9;
    reg signed [28:0] w_s9;
    always @(posedge clk) begin
        v1_s9 <= v1_s8;
        v2_s9 <= v2_s8;
        w_s9  <= {{2{v2_s8[26]}}, v2_s8} + {v1_s8[26], v1_s8, 1'b0};
    end
    wire signed [28:0] p_s13;
    wire signed [27:0] fall1_s13;
    wire signed [26:0] fall12_s13;
    wire signed [55-PRODUCT:0] both_s13;
    wire signed [53-PRODUCT:0] one_s13;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(33), .DROP(31)) u_p (.clk(clk), .a(sine2_s9), .b(PI), .p(p_s13));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(34), .DROP(33)) u_fall1 (.clk(clk), .a(sine1_s9), .b(G3), .p(fall1_s13));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(34), .DROP(34)) u_fall12 (.clk(clk), .a(sine12_s9), .b(G), .p(fall12_s13));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(29), .DROP(PRODUCT)) u_product (.clk(clk), .a(v2_s9), .b(w_s9), .p(both_s13));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(27), .DROP(PRODUCT)) u_square (.clk(clk), .a(v1_s9), .b(v1_s9), .p(one_s13));

    // Stages 14 to 17: what turns the links: the spin, and beside it weight and torque.
    wire signed [BOTH+2:0] spin_s17;
    wire signed [ONE+2:0]  slow_s17;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(BOTH), .DROP(24)) u_spin (
        .clk(clk), .a(p_s13[26:0]), .b(both_s13[BOTH-1:0]), .p(spin_s17)
    );
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(ONE), .DROP(24)) u_slow (
        .clk(clk), .a(p_s13[26:0]), .b(one_s13), .p(slow_s17)
    );
    wire signed [29:0] weight1   = {{2{fall1_s13[27]}}, fall1_s13} + {{3{fall12_s13[26]}}, fall12_s13} + (30'sd1 << (27 - R));
    wire signed [29:0] weight12  = {{3{fall12_s13[26]}}, fall12_s13} + (30'sd1 << (27 - R));
    wire signed [29:0] weight1_r  = weight1 >>> (28 - R);
    wire signed [29:0] weight12_r = weight12 >>> (28 - R);
    wire signed [29:0] torque    = action_s13[1] ? {10'd0, TORQUE} : action_s13[0] ? 30'd0 : -{10'd0, TORQUE};
    reg signed [29:0] weight_s14, held_s14;
    always @(posedge clk) begin
        weight_s14 <= weight1_r;
        held_s14   <= torque - weight12_r;
    end
    wire signed [29:0] weight_s17, held_s17;
    rlc_delay #(.WIDTH(60), .CLOCKS(3)) u_weights (.clk(clk), .d({weight_s14, held_s14}), .q({weight_s17, held_s17}));

    // Stages 18, 19: the forces, saturated.
    reg signed [39:0] r1_s18, r2_s18;
    wire [R_BITS-1:0] r1_kept, r2_kept;
    wire              r1_over, r2_over;
    rlc_round_sat #(.WIN(40), .FRAC(0), .WOUT(R_BITS)) u_r1 (.in_data(r1_s18), .out_data(r1_kept), .saturated(r1_over));
    rlc_round_sat #(.WIN(40), .FRAC(0), .WOUT(R_BITS)) u_r2 (.in_data(r2_s18), .out_data(r2_kept), .saturated(r2_over));
    reg signed [R_BITS-1:0] r1_s19, r2_s19;
    reg                     saturated_s19;
    always @(posedge clk) begin
        r1_s18        <= {{(37-BOTH){spin_s17[BOTH+2]}}, spin_s17} - {{10{weight_s17[29]}}, weight_s17};
        r2_s18        <= {{10{held_s17[29]}}, held_s17} - {{(37-ONE){slow_s17[ONE+2]}}, slow_s17};
        r1_s19        <= r1_kept;
        r2_s19        <= r2_kept;
        saturated_s19 <= r1_over || r2_over;
    end
    rlc_delay #(.WIDTH(1), .CLOCKS(9)) u_saturated (.clk(clk), .d(saturated_s19), .q(saturated));

    // Stages 20 to 23: times the cosine.
    wire signed [26:0] cosine_s19;
    rlc_delay #(.WIDTH(27), .CLOCKS(10)) u_cosine (.clk(clk), .d(cosine2_s9), .q(cosine_s19));
    wire signed [R_BITS+1:0] cr1_s23, cr2_s23;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(R_BITS), .DROP(25)) u_cr1 (.clk(clk), .a(cosine_s19), .b(r1_s19), .p(cr1_s23));
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(R_BITS), .DROP(25)) u_cr2 (.clk(clk), .a(cosine_s19), .b(r2_s19), .p(cr2_s23));

    // Stages 20, 21: 5 (r1 - r2) and 14 r2 - 5 r1, and half a unit of the numerators.
    wire signed [SUM_BITS-1:0] r1_wide  = {{(SUM_BITS-R_BITS){r1_s19[R_BITS-1]}}, r1_s19};
    wire signed [SUM_BITS-1:0] r2_wide  = {{(SUM_BITS-R_BITS){r2_s19[R_BITS-1]}}, r2_s19};
    localparam signed [SUM_BITS-1:0] HALF = {{(SUM_BITS-1){1'b0}}, 1'b1} << (N_DROP - 1);
    reg signed [SUM_BITS-1:0] less_s20, seven_s20, five_s20, line1_s21, line2_s21;
    always @(posedge clk) begin
        less_s20  <= r1_wide - r2_wide;
        seven_s20 <= (r2_wide <<< 3) - r2_wide;
        five_s20  <= (r1_wide <<< 2) + r1_wide - HALF;
        line1_s21 <= (less_s20 <<< 2) + less_s20 + HALF;
        line2_s21 <= (seven_s20 <<< 1) - five_s20;
    end
    wire signed [SUM_BITS-1:0] line1_s23, line2_s23;
    rlc_delay #(.WIDTH(2 * SUM_BITS), .CLOCKS(2)) u_lines (
        .clk(clk), .d({line1_s21, line2_s21}), .q({line1_s23, line2_s23})
    );

    // Stage 24: the numerators.
    wire signed [SUM_BITS-1:0] cr1_wide = {{(SUM_BITS-R_BITS-2){cr1_s23[R_BITS+1]}}, cr1_s23};
    wire signed [SUM_BITS-1:0] cr2_wide = {{(SUM_BITS-R_BITS-2){cr2_s23[R_BITS+1]}}, cr2_s23};
    reg signed [SUM_BITS-1:0] n1_s24, n2_s24;
    always @(posedge clk) begin
        n1_s24 <= line1_s23 - (cr2_wide <<< 1);
        n2_s24 <= line2_s23 + (cr2_wide <<< 2) - (cr1_wide <<< 1);
    end

    // Stages 25 to 28: the accelerations.
    wire signed [26:0] f_s19, f_s24;
    rlc_env_acrobot_inverse u_inverse (.clk(clk), .cosine(cosine2_s9), .f(f_s19));
    rlc_delay #(.WIDTH(27), .CLOCKS(5)) u_f (.clk(clk), .d(f_s19), .q(f_s24));
    wire signed [N_BITS-1:0] a1_s28, a2_s28;
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(N_BITS), .DROP(27)) u_a1 (
        .clk(clk), .a(f_s24), .b(n1_s24[N_DROP +: N_BITS]), .p(a1_s28)
    );
    rlc_smul #(.A_WIDTH(27), .B_WIDTH(N_BITS), .DROP(27)) u_a2 (
        .clk(clk), .a(f_s24), .b(n2_s24[N_DROP +: N_BITS]), .p(a2_s28)
    );
    assign a1 = {{(36-N_BITS){a1_s28[N_BITS-1]}}, a1_s28};
    assign a2 = {{(36-N_BITS){a2_s28[N_BITS-1]}}, a2_s28};

    wire unused = &{1'b0, cosine1_s9, cosine12_s9, p_s13[28:27], both_s13, n1_s24, n2_s24};
endmodule
`default_nettype wire
