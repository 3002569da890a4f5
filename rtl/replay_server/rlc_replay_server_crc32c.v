// rlc_replay_server_crc32c.v — CRC32C over BYTES more bytes at once.
// SPDX-License-Identifier: Apache-2.0
//
// crc_in    register before the bytes: all ones at the beginning
// data      the bytes, the first one lowest, each with its low bit first
// crc_out   register after them; the CRC is its complement. Polynomial: RFC 3720, appendix B.4
// latency   none: combinational, each bit the parity of about half of the bits of data
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_crc32c #(
    parameter BYTES = 8  // bytes at once, 4 to 64
) (
    input  wire [31:0]        crc_in,
    input  wire [8*BYTES-1:0] data,
    output wire [31:0]        crc_out
);
    `RLC_CHECK(BYTES >= 4 && BYTES <= 64, rlc_replay_server_crc32c_illegal_BYTES_must_be_4_to_64)
    localparam BITS = 8 * BYTES;
    localparam [31:0] POLYNOMIAL = 32'h82F63B78;  // reflected

    // Which bits of the input go into bit n of the result: the last bit leaves the polynomial, an earlier one what the
    // next one leaves, a step on.
    function [BITS-1:0] taps(input [4:0] n);
        reg [31:0] left;
        integer    i;
        begin
            left = POLYNOMIAL;
            taps = {BITS{1'b0}};
            for (i = BITS - 1; i >= 0; i = i - 1) begin
                taps[i] = left[n];
                left    = {1'b0, left[31:1]} ^ (POLYNOMIAL & {32{left[0]}});
            end
        end
    endfunction

    wire [BITS-1:0] bits = data ^ {{(BITS-32){1'b0}}, crc_in};
    genvar n;
    generate
        for (n = 0; n < 32; n = n + 1) begin : g_bit
            localparam [31:0]     N    = n;
            localparam [BITS-1:0] TAPS = taps(N[4:0]);
            assign crc_out[n] = ^(bits & TAPS);
        end
    endgenerate
endmodule
`default_nettype wire
