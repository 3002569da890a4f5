// rlc_policy_words.v — elements, one per beat, to words of LANES elements.
// SPDX-License-Identifier: Apache-2.0
//
// s_*   valid/ready; elements of WIDTH bits, COUNT per vector
// m_*   valid/ready; words, the first element lowest; the last word of a vector is filled up with zeros
// rate  one element per clock; a word is there one clock after its last element
`default_nettype none
`include "rlc_axi.vh"
module rlc_policy_words #(
    parameter COUNT = 4, // elements per vector, >= 1
    parameter LANES = 4, // elements per word, >= 1
    parameter WIDTH = 18 // bits of an element
) (
    input  wire clk,
    input  wire rst,
    `RLC_STREAM_SLAVE(s, WIDTH),
    `RLC_STREAM_MASTER(m, LANES*WIDTH)
);
    localparam AT_WIDTH = (LANES > 1) ? $clog2(LANES) : 1;
    localparam [31:0] TOP = LANES - 1;
    reg  [LANES*WIDTH-1:0] word_q;
    reg  [AT_WIDTH-1:0]    at_q;
    reg                    valid_q;
    wire                   push = s_valid && s_ready;
    wire                   last, whole;
    rlc_mod_counter #(.COUNT(COUNT)) u_element (.clk(clk), .restart(rst), .step(push), .at(), .last(last));
    assign whole   = last || at_q == TOP[AT_WIDTH-1:0];
    assign s_ready = !valid_q || m_ready;
    assign m_valid = valid_q;
    assign m_data  = word_q;
    integer i;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= 1'b0;
            at_q    <= {AT_WIDTH{1'b0}};
        end else begin
            if (push || m_ready) valid_q <= push && whole;
            if (push) at_q <= whole ? {AT_WIDTH{1'b0}} : at_q + 1'b1;
        end
        if (push)
            for (i = 0; i < LANES; i = i + 1)
                if (at_q == i[AT_WIDTH-1:0]) word_q[i*WIDTH +: WIDTH] <= s_data;
                else if (at_q == {AT_WIDTH{1'b0}}) word_q[i*WIDTH +: WIDTH] <= {WIDTH{1'b0}};
    end
endmodule
`default_nettype wire
