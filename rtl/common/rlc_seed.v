// rlc_seed.v — the seed of one of several generators, from the one seed that software gives.
// SPDX-License-Identifier: Apache-2.0
//
// Word w of the seed (w = 0 in the low bits) is XORed with the low 32 bits of 0x9E3779B9 * (4 * STREAM + w + 1).
// The constants differ for all streams and words, so all generators differ. Costs nothing: it inverts wires.
`default_nettype none
module rlc_seed #(
    parameter STREAM = 0  // number of the generator; generator 0 has another seed than software's too
) (
    input  wire [127:0] seed,
    output wire [127:0] own
);
    localparam [31:0] GOLDEN = 32'h9E3779B9;
    localparam [31:0] FIRST  = 4 * STREAM + 1;
    assign own = seed ^ {GOLDEN * (FIRST + 32'd3), GOLDEN * (FIRST + 32'd2), GOLDEN * (FIRST + 32'd1), GOLDEN * FIRST};
endmodule
`default_nettype wire
