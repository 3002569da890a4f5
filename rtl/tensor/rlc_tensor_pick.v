// rlc_tensor_pick.v — one of COUNT words, by its number. Combinational: an index that is multiplied would take a multiplier.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_tensor_pick #(
    parameter WIDTH = 8, // bits of a word
    parameter COUNT = 4, // words
    parameter BITS  = (COUNT > 1) ? $clog2(COUNT) : 1 // derived; leave it alone
) (
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [BITS-1:0]        index,
    output reg  [WIDTH-1:0]       word
);
    integer k;
    always @* begin
        word = {WIDTH{1'b0}};
        for (k = 0; k < COUNT; k = k + 1)
            if (COUNT == 1 || {{(32-BITS){1'b0}}, index} == k) word = word | words[k*WIDTH +: WIDTH];
    end
endmodule
`default_nettype wire
