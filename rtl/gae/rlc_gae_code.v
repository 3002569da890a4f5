// rlc_gae_code.v — quantises one raw number: code = round((4x - mean) * mant / 2^shift), saturated to +-limit.
// SPDX-License-Identifier: Apache-2.0
//
// mean        sfix(27,2); a difference beyond 27 bits saturates (only a mean out of x's range makes one)
// mant        unsigned mantissa; shift: 0 (no rounding) to 63
// round       2^(shift-1); 0 where shift is 0 or at least 44
// limit       greatest code. mean, mant, shift, round and limit stand still while numbers pass.
// clipped     the code or the difference was saturated
// latency     7 clocks; throughput one a clock
// cost        one DSP slice. The shift takes a window of bits first: a full shifter would be three times as big.
`default_nettype none
`include "rlc_check.vh"
module rlc_gae_code #(
    parameter RAW_WIDTH = 24,  // bits of x, signed, at most 24
    parameter QBITS     = 8    // bits of a reward or value code, 3 to 16
) (
    input  wire                        clk,
    input  wire signed [RAW_WIDTH-1:0] x,
    input  wire signed [26:0]          mean,
    input  wire [16:0]                 mant,
    input  wire [5:0]                  shift,
    input  wire [44:0]                 round,
    input  wire [QBITS-2:0]            limit,
    output wire [QBITS-1:0]            code,
    output wire                        clipped
);
    localparam WINDOW = QBITS + 8;  // what does not fit it is beyond any code, even 7 bits further right

    `RLC_CHECK(RAW_WIDTH <= 24, rlc_gae_code_illegal_RAW_WIDTH_must_be_at_most_24)
    `RLC_CHECK(QBITS >= 3 && QBITS <= 16, rlc_gae_code_illegal_QBITS_must_be_3_to_16)

    // Stage 1: difference.
    reg signed [27:0] diff_s1;
    always @(posedge clk) diff_s1 <= {{(26-RAW_WIDTH){x[RAW_WIDTH-1]}}, x, 2'b00} - {mean[26], mean};

    // Stages 2 to 4: product, and half of what the shift drops.
    wire               far_s1  = diff_s1[27] != diff_s1[26];
    wire signed [26:0] near_s1 = far_s1 ? {diff_s1[27], {26{!diff_s1[27]}}} : diff_s1[26:0];
    wire signed [44:0] product_s4;
    rlc_mac #(
        .A_WIDTH(27), .B_WIDTH(18), .C_WIDTH(45), .P_WIDTH(45), .A_REG(1), .B_REG(1), .C_REG(0), .M_REG(1)
    ) u_mac (
        .clk(clk), .a(near_s1), .b({1'b0, mant}), .c(round), .m_clear(1'b0), .c_clear(1'b0), .acc(1'b0), .p(product_s4)
    );

    // Stage 5: shift by the multiple of 8 below `shift`, and keep a window.
    wire nothing = shift >= 6'd44;  // the product is less than half of 2^44
    reg  signed [44:0] coarse;
    always @(*)
        case (shift[5:3])
            3'd0:    coarse = product_s4;
            3'd1:    coarse = product_s4 >>> 8;
            3'd2:    coarse = product_s4 >>> 16;
            3'd3:    coarse = product_s4 >>> 24;
            3'd4:    coarse = product_s4 >>> 32;
            default: coarse = product_s4 >>> 40;
        endcase
    // Bits that differ from the sign, for each of these shifts those above the window: before the multiplexer, or
    // the multiplexer would be as wide as the product.
    wire [44:0] differs = product_s4 ^ {45{product_s4[44]}};
    wire [7:0]  spills;
    genvar g;
    for (g = 0; g < 8; g = g + 1) begin : g_spill
        if (8 * g + WINDOW - 1 <= 44) begin : g_some
            assign spills[g] = |differs[44:8*g+WINDOW-1];
        end else begin : g_none
            assign spills[g] = 1'b0;
        end
    end
    reg signed [WINDOW-1:0] window_s5;
    reg                     beyond_s5;
    reg                     negative_s5;
    always @(posedge clk) begin
        window_s5   <= nothing ? {WINDOW{1'b0}} : coarse[WINDOW-1:0];
        beyond_s5   <= !nothing && spills[shift[5:3]];
        negative_s5 <= product_s4[44];
    end

    // Stage 6: the rest of the shift.
    reg signed [WINDOW-1:0] near_s6;
    reg                     beyond_s6;
    reg                     negative_s6;
    always @(posedge clk) begin
        near_s6     <= window_s5 >>> shift[2:0];
        beyond_s6   <= beyond_s5;
        negative_s6 <= negative_s5;
    end

    // Stage 7: limit.
    wire signed [WINDOW-1:0] top    = {{(WINDOW-QBITS+1){1'b0}}, limit};
    wire                     above  = beyond_s6 ? !negative_s6 : near_s6 > top;
    wire                     below  = beyond_s6 ? negative_s6 : near_s6 < -top;
    reg  [4:0]               far_wait_q;
    reg  [QBITS-1:0]         code_s7;
    reg                      clipped_s7;
    always @(posedge clk) begin
        far_wait_q <= {far_wait_q[3:0], far_s1};
        code_s7    <= above ? {1'b0, limit} : below ? -{1'b0, limit} : near_s6[QBITS-1:0];
        clipped_s7 <= above || below || far_wait_q[4];
    end
    assign code    = code_s7;
    assign clipped = clipped_s7;
endmodule
`default_nettype wire
