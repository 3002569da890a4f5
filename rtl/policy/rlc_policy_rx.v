// rlc_policy_rx.v — collects an observation, and plays it without a gap as soon as it is complete and may enter.
// SPDX-License-Identifier: Apache-2.0
//
// permit    an observation may enter now
// s_*       its words, valid/ready: the last one waits for permit, the others never wait
// enter     pulse: the last word is taken; at most once in INTERVAL clocks
// m_*       the words, one per clock from the clock after enter on, no ready
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_policy_rx #(
    parameter WIDTH    = 72, // bits of a word
    parameter WORDS    = 1,  // words of an observation, >= 1
    parameter INTERVAL = 8   // clocks between two, >= WORDS and >= 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             permit,
    `RLC_STREAM_SLAVE(s, WIDTH),
    output wire             enter,
    output wire             m_valid,
    output wire [WIDTH-1:0] m_data
);
    `RLC_CHECK(WORDS >= 1 && INTERVAL >= WORDS && INTERVAL >= 2,
               rlc_policy_rx_illegal_INTERVAL_must_be_at_least_WORDS_and_2)
    localparam WORD_BITS = (WORDS > 1) ? $clog2(WORDS) : 1;
    localparam WAIT_BITS = $clog2(INTERVAL);
    localparam [31:0] WAIT = INTERVAL - 2;

    reg  [WAIT_BITS-1:0] wait_q;
    reg                  rested_q;
    wire [WORD_BITS-1:0] at;
    wire                 at_end;
    wire                 push = s_valid && s_ready;
    assign s_ready = !at_end || (permit && rested_q);
    assign enter   = push && at_end;
    rlc_mod_counter #(.COUNT(WORDS)) u_at (.clk(clk), .restart(rst), .step(push), .at(at), .last(at_end));
    always @(posedge clk) begin
        if (rst) begin
            rested_q <= 1'b1;
        end else if (enter) begin
            rested_q <= 1'b0;
            wait_q   <= WAIT[WAIT_BITS-1:0];
        end else if (!rested_q) begin
            rested_q <= wait_q == {WAIT_BITS{1'b0}};
            wait_q   <= wait_q - 1'b1;
        end
    end

    if (WORDS == 1) begin : g_one
        reg             valid_q;
        reg [WIDTH-1:0] data_q;
        always @(posedge clk) begin
            valid_q <= enter && !rst;
            data_q  <= s_data;
        end
        assign m_valid = valid_q;
        assign m_data  = data_q;
        wire unused = &{1'b0, at};
    end else begin : g_many
        // Two halves: one is filled, one is played.
        `RLC_LUT_RAM
        reg [WIDTH-1:0]      mem [0:(2<<WORD_BITS)-1];
        reg                  half_q, playing_q;
        wire [WORD_BITS-1:0] play;
        wire                 play_end;
        rlc_mod_counter #(.COUNT(WORDS)) u_play (.clk(clk), .restart(rst), .step(playing_q), .at(play), .last(play_end));
        always @(posedge clk) begin
            if (push) mem[{half_q, at}] <= s_data;
            if (rst)        half_q <= 1'b0;
            else if (enter) half_q <= !half_q;
            if (rst)           playing_q <= 1'b0;
            else if (enter)    playing_q <= 1'b1;
            else if (play_end) playing_q <= 1'b0;
        end
        assign m_valid = playing_q;
        assign m_data  = mem[{!half_q, play}];
    end
endmodule
`default_nettype wire
