// rlc_divide.v — exact division of a signed number by an unsigned one, rounded half up, saturated.
// SPDX-License-Identifier: Apache-2.0
//
// q           floor(n / d * 2^FRACTION + 1/2), saturated to Q_WIDTH signed bits
// saturated   1 when the limit changed the quotient; by d = 0 every quotient is saturated, by the sign of n
// latency     2 + ceil((Q_WIDTH - 1) / PER_CLOCK) clocks, one a clock, no stall, no reset
// cost        about (Q_WIDTH - 1) * D_WIDTH LUT and 2 * D_WIDTH + Q_WIDTH flip-flops per clock of latency; no multiplier
`default_nettype none
`include "rlc_check.vh"
module rlc_divide #(
    parameter N_WIDTH   = 24, // bits of the numerator, signed, >= 1
    parameter D_WIDTH   = 24, // bits of the denominator, unsigned, >= 1
    parameter FRACTION  = 0,  // fraction bits of the quotient above those of n / d, >= 0
    parameter Q_WIDTH   = 24, // bits of the quotient, signed, >= 2
    parameter PER_CLOCK = 1   // bits of the quotient found in a clock, >= 1
) (
    input  wire                      clk,
    input  wire signed [N_WIDTH-1:0] n,
    input  wire        [D_WIDTH-1:0] d,
    output wire signed [Q_WIDTH-1:0] q,
    output wire                      saturated
);
    `RLC_CHECK(N_WIDTH >= 1 && D_WIDTH >= 1, rlc_divide_illegal_N_WIDTH_and_D_WIDTH_must_be_at_least_1)
    `RLC_CHECK(FRACTION >= 0, rlc_divide_illegal_FRACTION_must_be_0_or_more)
    `RLC_CHECK(Q_WIDTH >= 2, rlc_divide_illegal_Q_WIDTH_must_be_at_least_2)
    `RLC_CHECK(PER_CLOCK >= 1, rlc_divide_illegal_PER_CLOCK_must_be_at_least_1)

    // Stand-ins for illegal values, with which Icarus would stumble over a range before the check ends the run.
    localparam N_BITS = (N_WIDTH >= 1) ? N_WIDTH : 1;
    localparam D_BITS = (D_WIDTH >= 1) ? D_WIDTH : 1;
    localparam F_BITS = (FRACTION >= 0) ? FRACTION : 0;
    localparam BITS   = (Q_WIDTH >= 2) ? Q_WIDTH - 1 : 1;  // of the quotient's magnitude
    localparam EVERY  = (PER_CLOCK >= 1) ? PER_CLOCK : 1;
    // Bits of the numerator with half a denominator added: at least those that the first remainder is taken from.
    localparam WIDE   = (N_BITS + F_BITS > D_BITS) ? N_BITS + F_BITS + 1 : D_BITS + 1;
    localparam WHOLE  = (WIDE > BITS + 1) ? WIDE : BITS + 2;

    // Stage 1: half a denominator makes floor round. A negative number is divided as its complement: the floor of what
    // is below zero is the complement of the floor above it.
    wire signed [WHOLE-1:0] numerator = {{(WHOLE-N_BITS){n[N_BITS-1]}}, n};
    wire signed [WHOLE-1:0] raised    = (numerator <<< F_BITS) + $signed({{(WHOLE-D_BITS){1'b0}}, d >> 1});
    reg [WHOLE-2:0]  size_s1;
    reg [D_BITS-1:0] d_s1;
    reg              negative_s1;
    always @(posedge clk) begin
        size_s1     <= raised[WHOLE-2:0] ^ {(WHOLE-1){raised[WHOLE-1]}};
        d_s1        <= d;
        negative_s1 <= raised[WHOLE-1];
    end
    wire [WHOLE-BITS-2:0] above_s1 = size_s1[WHOLE-2:BITS];

    wire [D_BITS-1:0] remainder_s1;
    wire              over_s1;
    if (WHOLE - BITS - 1 >= D_BITS) begin : g_above
        assign remainder_s1 = above_s1[D_BITS-1:0];
        assign over_s1      = above_s1 >= {{(WHOLE-BITS-1-D_BITS){1'b0}}, d_s1};
    end else begin : g_above
        assign remainder_s1 = {{(D_BITS-WHOLE+BITS+1){1'b0}}, above_s1};
        assign over_s1      = remainder_s1 >= d_s1;
    end

    // Bit by bit: the remainder, less the divisor where it is not smaller. The word loses a bit of the numerator at its
    // top and gains one of the quotient at its end.
    genvar k;
    for (k = 0; k < BITS; k = k + 1) begin : g_bit
        wire [D_BITS-1:0]        remainder, divisor;
        wire [BITS-1:0]          word;
        wire                     negative, over;
        wire [2*D_BITS+BITS+1:0] after;
        if (k == 0) begin : g_from
            assign {remainder, divisor, word, negative, over} =
                {remainder_s1, d_s1, size_s1[BITS-1:0], negative_s1, over_s1};
        end else begin : g_from
            assign {remainder, divisor, word, negative, over} = g_bit[k-1].after;
        end
        wire [D_BITS:0]   shifted = {remainder, word[BITS-1]};
        wire [D_BITS:0]   less    = shifted - {1'b0, divisor};
        wire [D_BITS-1:0] left    = less[D_BITS] ? shifted[D_BITS-1:0] : less[D_BITS-1:0];
        wire [BITS:0]     longer  = {word, !less[D_BITS]};
        rlc_delay #(
            .WIDTH(2 * D_BITS + BITS + 2), .CLOCKS(((k + 1) % EVERY == 0 || k == BITS - 1) ? 1 : 0)
        ) u_stage (.clk(clk), .d({left, divisor, longer[BITS-1:0], negative, over}), .q(after));
        wire unused = longer[BITS];
    end
    wire [D_BITS-1:0] remainder_last, divisor_last;
    wire [BITS-1:0]   word_last;
    wire              negative_last, over_last;
    assign {remainder_last, divisor_last, word_last, negative_last, over_last} = g_bit[BITS-1].after;

    // Last stage: the limit, and the sign.
    reg [BITS:0] q_q;
    reg          saturated_q;
    always @(posedge clk) begin
        q_q         <= {1'b0, word_last | {BITS{over_last}}} ^ {(BITS+1){negative_last}};
        saturated_q <= over_last;
    end
    assign q         = q_q;
    assign saturated = saturated_q;

    wire unused = &{1'b0, remainder_last, divisor_last};
endmodule
`default_nettype wire
