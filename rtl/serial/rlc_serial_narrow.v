// rlc_serial_narrow.v — beats of WORDS words of 32 bits to those words, the low one first.
// SPDX-License-Identifier: Apache-2.0
//
// s_* / m_*   valid/ready; data stable while stalled; s_ready is low while a beat is given out, and during reset
// m_last      with the last word of a beat that had s_last
// latency     1 clock; WORDS words in WORDS + 1 clocks. One beat is taken before anybody asks for its words
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_serial_narrow #(
    parameter WORDS = 2  // words a beat, >= 2
) (
    input  wire                clk,
    input  wire                rst,
    `RLC_STREAM_SLAVE(s, WORDS*32),
    input  wire                s_last,
    `RLC_STREAM_MASTER(m, 32),
    output wire                m_last
);
    `RLC_CHECK(WORDS >= 2, rlc_serial_narrow_illegal_WORDS_must_be_at_least_2)

    reg                ready_q, valid_q, last_q;
    reg [WORDS*32-1:0] data_q;

    wire take  = s_valid && ready_q;
    wire gives = valid_q && m_ready;
    wire ending;
    wire [$clog2(WORDS)-1:0] place;
    rlc_mod_counter #(.COUNT(WORDS)) u_place (.clk(clk), .restart(rst), .step(gives), .at(place), .last(ending));
    wire valid_d = take || (valid_q && !(gives && ending));

    always @(posedge clk) begin
        if (rst) begin
            ready_q <= 1'b0;
            valid_q <= 1'b0;
        end else begin
            valid_q <= valid_d;
            ready_q <= !valid_d;
        end
    end
    always @(posedge clk) begin
        if (take) begin
            data_q <= s_data;
            last_q <= s_last;
        end else if (gives) begin
            data_q <= data_q >> 32;
        end
    end

    assign s_ready = ready_q;
    assign m_valid = valid_q;
    assign m_data  = data_q[31:0];
    assign m_last  = last_q && ending;
    wire unused = &{1'b0, place};
endmodule
`default_nettype wire
