// rlc_policy_beats.v — the numbers of a word, one per beat of 32 bits.
// SPDX-License-Identifier: Apache-2.0
//
// s_*     valid/ready; COUNT numbers of WIDTH bits, the first lowest
// m_*     valid/ready; a number, with its sign in the bits above when SIGNED; m_last with a word's last one
// rate    one number per clock, no latency
`default_nettype none
`include "rlc_axi.vh"
module rlc_policy_beats #(
    parameter COUNT  = 1,  // numbers per word, >= 1
    parameter WIDTH  = 18, // bits of a number, 1 to 31
    parameter SIGNED = 1   // 1: its top bit is its sign
) (
    input  wire clk,
    input  wire rst,
    `RLC_STREAM_SLAVE(s, COUNT*WIDTH),
    `RLC_STREAM_MASTER(m, 32),
    output wire m_last
);
    localparam AT_WIDTH = (COUNT > 1) ? $clog2(COUNT) : 1;
    wire [AT_WIDTH-1:0] at;
    // A number for each place, and none for others: a part-select by `at` could reach beyond the word, which is x.
    reg  [WIDTH-1:0]    number;
    integer i;
    always @* begin
        number = {WIDTH{1'b0}};
        for (i = 0; i < COUNT; i = i + 1)
            if (at == i[AT_WIDTH-1:0]) number = number | s_data[i*WIDTH +: WIDTH];
    end
    rlc_mod_counter #(.COUNT(COUNT)) u_at (.clk(clk), .restart(rst), .step(m_valid && m_ready), .at(at), .last(m_last));
    assign m_valid = s_valid;
    assign s_ready = m_ready && m_last;
    assign m_data  = {{(32-WIDTH){SIGNED != 0 && number[WIDTH-1]}}, number};
endmodule
`default_nettype wire
