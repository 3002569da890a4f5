// rlc_sumtree_line.v — a delay line with all its taps, cleared by reset.
// SPDX-License-Identifier: Apache-2.0
//
// d      enters;  tap t of q, q[t*WIDTH +: WIDTH], is d delayed by t clocks, so tap 0 is d itself
`default_nettype none
module rlc_sumtree_line #(
    parameter WIDTH = 8, // bits, >= 1;  TAPS  >= 1
    parameter TAPS  = 4  // taps, >= 1
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [WIDTH-1:0]      d,
    output wire [TAPS*WIDTH-1:0] q
);
    if (TAPS == 1) begin : g_wire
        wire unused = &{1'b0, clk, rst};
        assign q = d;
    end else begin : g_line
        reg [(TAPS-1)*WIDTH-1:0] line_q;
        always @(posedge clk)
            if (rst) line_q <= {(TAPS-1)*WIDTH{1'b0}};
            else     line_q <= q[(TAPS-1)*WIDTH-1:0];
        assign q = {line_q, d};
    end
endmodule
`default_nettype wire
