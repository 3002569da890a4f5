// rlc_delay_ram_any.v — rlc_delay_ram as its header promises it: a delay, and after a reset anything comes out.
// SPDX-License-Identifier: Apache-2.0
//
// For proofs of what is built on it; rlc_delay_ram_formal.v proves that the module keeps the promise.
`default_nettype none
module rlc_delay_ram #(
    parameter WIDTH  = 8,
    parameter CLOCKS = 16
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    generate
        if (CLOCKS == 0) begin : g_wire
            assign q = d;
        end else begin : g_line
            (* anyseq *) wire [WIDTH*CLOCKS-1:0] anything;
            reg [WIDTH*CLOCKS-1:0] line_q;
            wire [WIDTH*(CLOCKS+1)-1:0] all = {line_q, d};
            always @(posedge clk) line_q <= rst ? anything : all[WIDTH*CLOCKS-1:0];
            assign q = line_q[WIDTH*CLOCKS-1 -: WIDTH];
        end
    endgenerate
endmodule
`default_nettype wire
