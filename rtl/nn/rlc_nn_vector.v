// rlc_nn_vector.v — plays every vector of a stream a fixed number of times.
// SPDX-License-Identifier: Apache-2.0
//
// s_*       vectors, one word after the other; valid/ready
// m_*       the same words, each vector TIMES times in a row; a word can leave the clock after it came
// throughput  one word a clock at both ends: one vector is filled while the one before it is played
// cost      two vectors of LUT memory when TIMES > 1
`default_nettype none
`include "rlc_check.vh"
`include "rlc_axi.vh"
module rlc_nn_vector #(
    parameter WIDTH = 18, // bits of a word
    parameter WORDS = 4,  // words a vector, >= 1
    parameter TIMES = 2   // how often each vector is played, >= 1; 1 is wires
) (
    input  wire             clk,
    input  wire             rst,
    `RLC_STREAM_SLAVE(s, WIDTH),
    `RLC_STREAM_MASTER(m, WIDTH)
);
    `RLC_CHECK(WIDTH >= 1 && WORDS >= 1 && TIMES >= 1,
               rlc_nn_vector_illegal_WIDTH_and_WORDS_and_TIMES_must_be_at_least_1)

    localparam INDEX_WIDTH = (WORDS > 1) ? $clog2(WORDS) : 1;

    if (TIMES <= 1) begin : g_once
        wire unused = &{1'b0, clk, rst};
        assign m_valid = s_valid;
        assign s_ready = m_ready;
        assign m_data  = s_data;
    end else begin : g_repeat
        // Two halves: one is filled, one is played; a half that is being filled may be played already.
        `RLC_LUT_RAM
        reg [WIDTH-1:0] mem [0:(2<<INDEX_WIDTH)-1];

        reg                    fill_half_q, play_half_q;
        reg  [1:0]             full_q;
        wire [INDEX_WIDTH-1:0] fill, play;
        wire                   last_fill, last_play, last_turn;

        assign s_ready = !full_q[fill_half_q];
        assign m_valid = full_q[play_half_q] || (play_half_q == fill_half_q && play < fill);
        assign m_data  = mem[{play_half_q, play}];

        wire push     = s_valid && s_ready;
        wire pop      = m_valid && m_ready;
        // push and pop come late: they enable registers, and are in no next value where they can be left out.
        wire filled   = push && last_fill;
        wire played   = pop && last_play && last_turn;
        rlc_mod_counter #(.COUNT(WORDS)) u_fill (.clk(clk), .restart(rst), .step(push), .at(fill), .last(last_fill));
        rlc_mod_counter #(.COUNT(WORDS)) u_play (.clk(clk), .restart(rst), .step(pop), .at(play), .last(last_play));
        rlc_mod_counter #(.COUNT(TIMES)) u_turn (.clk(clk), .restart(rst), .step(pop && last_play), .at(), .last(last_turn));

        always @(posedge clk) begin
            if (rst) begin
                fill_half_q <= 1'b0;
                play_half_q <= 1'b0;
                full_q      <= 2'b00;
            end else begin
                if (filled) begin
                    fill_half_q         <= !fill_half_q;
                    full_q[fill_half_q] <= 1'b1;
                end
                if (played) begin
                    play_half_q         <= !play_half_q;
                    full_q[play_half_q] <= 1'b0;
                end
            end
        end

        always @(posedge clk) if (push) mem[{fill_half_q, fill}] <= s_data;
    end
endmodule
`default_nettype wire
