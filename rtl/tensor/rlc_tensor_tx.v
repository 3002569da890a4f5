// rlc_tensor_tx.v — results, numbers of parameter banks and ends as beats, in the order in which they come.
// SPDX-License-Identifier: Apache-2.0
//
// r_*          results that leave: {which count, SIDE numbers of 35 bits}; read_*: groups of a parameter bank; both valid/ready
// d_*          an end, behind all that has come: it has the mark m_last
// m_*          beats (cores/tensor/words.py: BEAT), one number each, signed
// idle         nothing is here
// throughput   a beat a clock, and a clock for each word
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_tx #(
    parameter SIDE = 8, // numbers of a word
    parameter S_BITS = $clog2(SIDE) // derived; leave it alone
) (
    input  wire clk,
    input  wire rst,
    `RLC_STREAM_SLAVE(r, SIDE + SIDE*35),
    `RLC_STREAM_SLAVE(read, SIDE*48),
    `RLC_STREAM_SLAVE(d, 48),
    `RLC_STREAM_MASTER(m, `RLC_TENSOR_BEAT),
    output wire m_last,
    output wire idle
);
    reg  [SIDE-1:0]    remaining_q;                  // lanes that have not gone
    reg  [SIDE*48-1:0] word_q;
    reg  [3:0]         kind_q;
    wire               empty = remaining_q == {SIDE{1'b0}};
    assign r_ready    = empty;
    assign read_ready = empty && !r_valid;
    assign d_ready    = empty && !r_valid && !read_valid;
    assign idle       = empty;

    // The lowest lane that is left goes next.
    wire [SIDE-1:0]    next = remaining_q & (~remaining_q + {{(SIDE-1){1'b0}}, 1'b1});
    reg  [S_BITS-1:0]  lane;
    reg  [47:0]        number;
    integer            n;
    always @* begin
        lane   = {S_BITS{1'b0}};
        number = 48'd0;
        for (n = 0; n < SIDE; n = n + 1) begin
            lane   = lane | (next[n] ? n[S_BITS-1:0] : {S_BITS{1'b0}});
            number = number | (word_q[n*48 +: 48] & {48{next[n]}});
        end
    end
    assign m_valid = !empty;
    assign m_last  = kind_q == `RLC_TENSOR_DONE;
    reg [`RLC_TENSOR_BEAT-1:0] beat;
    always @* begin
        beat = {`RLC_TENSOR_BEAT{1'b0}};
        beat[`RLC_TENSOR_BEAT_KIND]   = kind_q;
        beat[`RLC_TENSOR_BEAT_LANE]   = {{(6-S_BITS){1'b0}}, lane};
        beat[`RLC_TENSOR_BEAT_NUMBER] = {{6{number[47]}}, number};
    end
    assign m_data = beat;

    always @(posedge clk) begin
        if (rst)               remaining_q <= {SIDE{1'b0}};
        else if (!empty)       remaining_q <= m_ready ? remaining_q & ~next : remaining_q;
        else if (r_valid)      remaining_q <= r_data[SIDE*35 +: SIDE];
        else if (read_valid)   remaining_q <= {SIDE{1'b1}};
        else if (d_valid)      remaining_q <= {{(SIDE-1){1'b0}}, 1'b1};
        if (empty) kind_q <= r_valid ? `RLC_TENSOR_RESULT : read_valid ? `RLC_TENSOR_NUMBER : `RLC_TENSOR_DONE;
    end
    genvar l;
    for (l = 0; l < SIDE; l = l + 1) begin : g_lane
        wire [47:0] ends = (l == 0) ? d_data : 48'd0;
        always @(posedge clk)
            if (empty)
                word_q[l*48 +: 48] <= r_valid ? {{13{r_data[l*35+34]}}, r_data[l*35 +: 35]} : read_valid ? read_data[l*48 +: 48] : ends;
    end
endmodule
`default_nettype wire
