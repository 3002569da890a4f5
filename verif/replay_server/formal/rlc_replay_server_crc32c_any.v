// rlc_replay_server_crc32c_any.v — rlc_replay_server_crc32c as some function of the sum before and the word, for proofs of what goes into it.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_crc32c #(
    parameter BYTES = 8
) (
    input  wire [31:0]        crc_in,
    input  wire [8*BYTES-1:0] data,
    output wire [31:0]        crc_out
);
    assign crc_out = {crc_in[30:0], crc_in[31]} ^ data[31:0] ^ data[63:32];
endmodule
`default_nettype wire
