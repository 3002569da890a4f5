// rlc_rl_vector.v — elements, at most one per clock, to one word per vector: the opposite of rlc_policy_elements.
// SPDX-License-Identifier: Apache-2.0
//
// s_*   elements of WIDTH bits, COUNT per vector
// m_*   the vector in the clock of its last element, the first element lowest
`default_nettype none
module rlc_rl_vector #(
    parameter COUNT = 2, // elements per vector, >= 1
    parameter WIDTH = 18 // bits of an element
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   s_valid,
    input  wire [WIDTH-1:0]       s_data,
    output wire                   m_valid,
    output wire [COUNT*WIDTH-1:0] m_data
);
    wire                       last;
    reg  [COUNT*WIDTH-1:0]     held_q;
    wire [(COUNT+1)*WIDTH-1:0] joined = {s_data, held_q};
    rlc_mod_counter #(.COUNT(COUNT)) u_at (.clk(clk), .restart(rst), .step(s_valid), .at(), .last(last));
    always @(posedge clk) if (s_valid) held_q <= m_data;
    assign m_valid = s_valid && last;
    assign m_data  = joined[(COUNT+1)*WIDTH-1:WIDTH];
    wire unused = &{1'b0, joined[WIDTH-1:0]};
endmodule
`default_nettype wire
