// rlc_delay_ram.v — a bus delayed by a fixed number of clocks, kept in LUT memory: rlc_delay for long delays.
// SPDX-License-Identifier: Apache-2.0
//
// rst      starts the address counter; what is inside is lost, and q is undefined for CLOCKS clocks after it
// cost     WIDTH*CLOCKS bits of distributed RAM, WIDTH flip-flops and a counter
`default_nettype none
`include "rlc_check.vh"
module rlc_delay_ram #(
    parameter WIDTH  = 8,  // bits, >= 1
    parameter CLOCKS = 16  // clocks of delay, >= 0; fewer than 4 are plain flip-flops (rlc_delay)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    if (CLOCKS < 4) begin : g_short
        wire unused = rst;
        rlc_delay #(.WIDTH(WIDTH), .CLOCKS(CLOCKS)) u_delay (.clk(clk), .d(d), .q(q));
    end else begin : g_ring
        // A word is read into q in the clock in which it is overwritten, WORDS clocks after it was written.
        localparam WORDS      = CLOCKS - 1;
        localparam ADDR_WIDTH = $clog2(WORDS);
        localparam [31:0] TOP = WORDS - 1;
        localparam [ADDR_WIDTH-1:0] LAST = TOP[ADDR_WIDTH-1:0];

        `RLC_LUT_RAM
        reg [WIDTH-1:0]      mem [0:WORDS-1];
        reg [ADDR_WIDTH-1:0] address_q;
        reg [WIDTH-1:0]      q_q;
        always @(posedge clk) begin
            if (rst || address_q == LAST) address_q <= {ADDR_WIDTH{1'b0}};
            else                          address_q <= address_q + 1'b1;
        end
        always @(posedge clk) begin
            mem[address_q] <= d;
            q_q            <= mem[address_q];
        end
        assign q = q_q;
    end
endmodule
`default_nettype wire
