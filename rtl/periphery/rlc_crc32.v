// rlc_crc32.v — the CRC-32 of IEEE 802.3 over one more byte.
// SPDX-License-Identifier: Apache-2.0
//
// crc_in    register before the byte: all ones at the beginning
// data      the byte, its low bit first
// crc_out   register after it. The CRC is the complement; sent low byte first behind its data, it leaves 32'hDEBB20E3
// latency   none: combinational
`default_nettype none
module rlc_crc32 (
    input  wire [31:0] crc_in,
    input  wire [7:0]  data,
    output wire [31:0] crc_out
);
    localparam [31:0] POLYNOMIAL = 32'hEDB88320;  // reflected

    reg [31:0] crc;
    integer    i;
    always @* begin
        crc = crc_in ^ {24'd0, data};
        for (i = 0; i < 8; i = i + 1) crc = {1'b0, crc[31:1]} ^ (POLYNOMIAL & {32{crc[0]}});
    end
    assign crc_out = crc;
endmodule
`default_nettype wire
