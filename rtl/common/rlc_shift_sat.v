// rlc_shift_sat.v — divides a signed number by 2^shift, rounds half up, and saturates.
// SPDX-License-Identifier: Apache-2.0
//
// shift        a setting that stands still from the clock of s_data until the result is out; or one of each number: then
//              its lower two bits come a clock after s_data, the others with it
// m_data       floor(s_data / 2^shift + 1/2), saturated to the range above; 0 for a shift of WIN and more
// m_saturated  1 when the limit changed the value
// latency      3 clocks, one number a clock, no stall, no reset
// cost         48 to 27 bits: 106 FF and about 200 LUT6
`default_nettype none
`include "rlc_check.vh"
module rlc_shift_sat #(
    parameter WIN         = 48, // input bits, signed, >= 1
    parameter WOUT        = 18, // output bits, signed, >= 2
    parameter SHIFT_WIDTH = 6,  // bits of shift, 1..6
    parameter SYMMETRIC   = 0   // 1 keeps the output within +-(2^(WOUT-1) - 1); 0 lets it reach -2^(WOUT-1)
) (
    input  wire                   clk,
    input  wire [WIN-1:0]         s_data,
    input  wire [SHIFT_WIDTH-1:0] shift,
    output wire [WOUT-1:0]        m_data,
    output wire                   m_saturated
);
    `RLC_CHECK(WIN >= 1, rlc_shift_sat_illegal_WIN_must_be_at_least_1)
    `RLC_CHECK(WOUT >= 2, rlc_shift_sat_illegal_WOUT_must_be_at_least_2)
    `RLC_CHECK(SHIFT_WIDTH >= 1 && SHIFT_WIDTH <= 6, rlc_shift_sat_illegal_SHIFT_WIDTH_must_be_1_to_6)
    `RLC_CHECK(SYMMETRIC == 0 || SYMMETRIC == 1, rlc_shift_sat_illegal_SYMMETRIC_must_be_0_or_1)

    // Stand-ins for illegal values, with which Icarus would stumble over a range before the check ends the run.
    localparam IN   = (WIN >= 1) ? WIN : 1;
    localparam KEEP = (WOUT >= 2) ? WOUT : 2;
    localparam BITS = (SHIFT_WIDTH >= 1 && SHIFT_WIDTH <= 6) ? SHIFT_WIDTH : 1;
    localparam TOP  = (IN > KEEP) ? IN : KEEP + 1;   // index of the sign in what is shifted
    localparam HIGH = TOP - KEEP;                    // bits from the one above the output's sign bit up to the sign

    // Stage 1: shift right by the multiple of 4. Bit 0 is the bit below the point, which decides the rounding.
    wire signed [TOP:0] wide = {{(TOP-IN+1){s_data[IN-1]}}, s_data} << 1;
    wire        [5:0]   by   = {{(6-BITS){1'b0}}, shift};
    reg  signed [TOP:0] coarse_s1;
    always @(posedge clk) coarse_s1 <= wide >>> {by[5:2], 2'b00};

    // Stage 2: shift by the rest, and drop what lies above the output's sign bit. A number that does not fit one bit
    // more than the output is replaced by one that is out of range on the same side, whatever its rounding.
    wire [1:0]          fine = by[1:0];
    wire                sign = coarse_s1[TOP];
    wire signed [TOP:0] near = coarse_s1 >>> fine;
    reg                 overflow;
    integer             i;
    always @* begin
        overflow = 1'b0;
        for (i = 0; i < HIGH; i = i + 1)
            if (i >= fine && coarse_s1[KEEP+1+i] != sign) overflow = 1'b1;
    end
    reg [KEEP+1:0] near_s2;
    always @(posedge clk) near_s2 <= {sign, overflow ? !sign : near[KEEP], near[KEEP-1:1], near[0] && !overflow};

    // Stage 3: round, saturate.
    wire [KEEP-1:0] clipped;
    wire            saturated;
    rlc_round_sat #(.WIN(KEEP + 2), .FRAC(1), .WOUT(KEEP), .SYMMETRIC(SYMMETRIC)) u_round (
        .in_data(near_s2), .out_data(clipped), .saturated(saturated)
    );
    reg [KEEP-1:0] data_s3;
    reg            saturated_s3;
    always @(posedge clk) begin
        data_s3      <= clipped;
        saturated_s3 <= saturated;
    end
    assign m_data      = data_s3;
    assign m_saturated = saturated_s3;

    wire unused = &{1'b0, near[TOP:KEEP+1]};
endmodule
`default_nettype wire
