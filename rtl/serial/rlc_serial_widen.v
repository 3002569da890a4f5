// rlc_serial_widen.v — words of 32 bits to beats of WORDS of them, the first word in the low bits.
// SPDX-License-Identifier: Apache-2.0
//
// s_* / m_*   valid/ready; data stable while stalled; s_ready is low while a beat waits, and during reset
// s_last      with a word: m_last of the beat that it is in; the beat ends with it, words that are missing are 0
// latency     1 clock after the last word of a beat; WORDS words in WORDS + 1 clocks
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_serial_widen #(
    parameter WORDS = 2  // words a beat, >= 2
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_STREAM_SLAVE(s, 32),
    input  wire                s_last,
    `RLC_STREAM_MASTER(m, WORDS*32),
    output wire                m_last
);
    `RLC_CHECK(WORDS >= 2, rlc_serial_widen_illegal_WORDS_must_be_at_least_2)

    localparam PLACE_BITS = $clog2(WORDS);
    reg                   ready_q, valid_q, last_q;
    reg  [WORDS*32-1:0]   data_q;
    wire [PLACE_BITS-1:0] place;
    wire                  top;

    wire take = s_valid && ready_q;
    wire ends = take && (s_last || top);
    rlc_mod_counter #(.COUNT(WORDS)) u_place (.clk(clk), .restart(rst || ends), .step(take), .at(place), .last(top));

    always @(posedge clk) begin
        if (rst) begin
            ready_q <= 1'b0;
            valid_q <= 1'b0;
        end else begin
            valid_q <= ends || (valid_q && !m_ready);
            ready_q <= !(ends || (valid_q && !m_ready));
        end
    end

    genvar i;
    for (i = 0; i < WORDS; i = i + 1) begin : g_word
        localparam [31:0] PLACE = i;
        wire mine = place == PLACE[PLACE_BITS-1:0];
        // The first word of a beat clears the others.
        always @(posedge clk) begin
            if (take && mine) data_q[32*i +: 32] <= s_data;
            else if (take && place == {PLACE_BITS{1'b0}}) data_q[32*i +: 32] <= 32'd0;
        end
    end
    always @(posedge clk) if (take) last_q <= s_last;

    assign s_ready = ready_q;
    assign m_valid = valid_q;
    assign m_data  = data_q;
    assign m_last  = last_q;
endmodule
`default_nettype wire
