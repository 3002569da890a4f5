// rlc_round_sat.v — narrows a signed number: rounds half up, then saturates.
// SPDX-License-Identifier: Apache-2.0
//
// out_data    floor(in_data / 2^FRAC + 1/2), saturated to the range above
// saturated   1 when the limit changed the value; collect it in a sticky flag
// latency     combinational
// cost        an increment of WOUT - 1 bits and the limiter; no increment when FRAC is 0
`default_nettype none
`include "rlc_check.vh"
module rlc_round_sat #(
    parameter WIN       = 16, // input bits, signed
    parameter FRAC      = 4,  // low bits to drop, 0 <= FRAC < WIN; 0 only saturates
    parameter WOUT      = 8,  // output bits, signed, >= 2
    parameter SYMMETRIC = 0   // 1 keeps the output within +-(2^(WOUT-1) - 1); 0 lets it reach -2^(WOUT-1)
) (
    input  wire [WIN-1:0]  in_data,
    output wire [WOUT-1:0] out_data,
    output wire            saturated
);
    `RLC_CHECK(WIN >= 1, rlc_round_sat_illegal_WIN_must_be_at_least_1)
    `RLC_CHECK(FRAC >= 0 && FRAC < WIN, rlc_round_sat_illegal_FRAC_must_be_0_or_more_and_less_than_WIN)
    `RLC_CHECK(WOUT >= 2, rlc_round_sat_illegal_WOUT_must_be_at_least_2)
    `RLC_CHECK(SYMMETRIC == 0 || SYMMETRIC == 1, rlc_round_sat_illegal_SYMMETRIC_must_be_0_or_1)

    // Stand-ins for illegal values, with which Icarus would stumble over a range before the check ends the run.
    localparam DROP = (FRAC >= 0 && FRAC < WIN) ? FRAC : 0;
    localparam KEEP = (WOUT >= 2) ? WOUT : 2;

    // The kept bits, sign-extended so that at least one bit stands above the output's sign bit.
    localparam WKEPT = (WIN - DROP > KEEP) ? WIN - DROP : KEEP + 1;
    wire [WKEPT-1:0] kept = {{(WKEPT-WIN+DROP){in_data[WIN-1]}}, in_data[WIN-1:DROP]};

    // floor(x / 2^F + 1/2) = floor(x / 2^F) + (bit F-1 of x): no adder below the kept bits. Above the output's low
    // bits the sum differs from kept by a carry only, so that the range can be judged without adding there.
    wire half;
    if (DROP == 0) begin : g_exact
        assign half = 1'b0;
    end else begin : g_round
        assign half = in_data[DROP-1];
    end
    wire [KEEP-2:0]     low   = kept[KEEP-2:0] + {{(KEEP-2){1'b0}}, half};
    wire                carry = (&kept[KEEP-2:0]) && half;
    wire [WKEPT-KEEP:0] above = kept[WKEPT-1:KEEP-1];       // the output's sign bit and all above it
    wire all_zero      = !(|above);
    wire all_one       = &above;
    wire one_below     = (&above[WKEPT-KEEP:1]) && !above[0];  // -2: a carry brings it back into range
    wire negative      = kept[WKEPT-1];
    wire in_range      = (all_zero && !carry) || all_one || (one_below && carry);
    wire out_negative  = (all_one && !carry) || one_below;
    wire lowest        = in_range && out_negative && !(|low);
    wire limit_low     = (negative && !in_range) || (lowest && SYMMETRIC != 0);
    wire too_high      = !negative && !in_range;

    localparam [KEEP-1:0] HIGHEST = {1'b0, {(KEEP-1){1'b1}}};
    localparam [KEEP-1:0] LOWEST  = (SYMMETRIC != 0) ? ~HIGHEST + 1'b1 : ~HIGHEST;

    assign saturated = too_high || limit_low;
    assign out_data  = too_high ? HIGHEST : limit_low ? LOWEST : {out_negative, low};
endmodule
`default_nettype wire
