// rlc_mlp_serial.v — observations, answers and weights of a deployed policy as bytes, for a serial line.
// SPDX-License-Identifier: Apache-2.0
//
// s_*         bytes from the host: "O" and an observation, each of its WORDS words in whole bytes, or "W", the number of 32-bit
//             words in 4 bytes, and the words. All are low byte first; another first byte is passed over
// m_*         bytes to the host: "A" and an answer in whole bytes, low byte first; "T" when a set of weights became active, "R"
//             when one was refused
// m_obs_*, s_act_*, m_load_*, taken, refused   those of rlc_mlp
// reset       forgets what has begun
`default_nettype none
`include "rlc_check.vh"
module rlc_mlp_serial #(
    parameter OBS_BITS = 32,  // bits of a word of an observation, 1 to 18432
    parameter WORDS    = 1,   // words of an observation, 1 to 1024
    parameter ACT_BITS = 18   // bits of an answer, 2 to 18432
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                s_valid,
    output wire                s_ready,
    input  wire [7:0]          s_data,
    output wire                m_valid,
    input  wire                m_ready,
    output wire [7:0]          m_data,
    output wire                m_obs_valid,
    input  wire                m_obs_ready,
    output wire [OBS_BITS-1:0] m_obs_data,
    input  wire                s_act_valid,
    output wire                s_act_ready,
    input  wire [ACT_BITS-1:0] s_act_data,
    output wire                m_load_valid,
    input  wire                m_load_ready,
    output wire [31:0]         m_load_data,
    output wire                m_load_last,
    input  wire                taken,
    input  wire                refused
);
    `RLC_CHECK(OBS_BITS >= 1 && OBS_BITS <= 18432, rlc_mlp_serial_illegal_OBS_BITS_must_be_1_to_18432)
    `RLC_CHECK(WORDS >= 1 && WORDS <= 1024, rlc_mlp_serial_illegal_WORDS_must_be_1_to_1024)
    `RLC_CHECK(ACT_BITS >= 2 && ACT_BITS <= 18432, rlc_mlp_serial_illegal_ACT_BITS_must_be_2_to_18432)
    localparam OBS_BYTES = (OBS_BITS + 7) / 8;
    localparam ACT_BYTES = (ACT_BITS + 7) / 8;
    localparam IN_BYTES  = (OBS_BYTES > 4) ? OBS_BYTES : 4;
    localparam HEAD = 2'd0, OBS = 2'd1, COUNT = 2'd2, LOAD = 2'd3;

    // From the host: bytes enter at the top of a word. `remaining_q` counts bytes of the word, `words_q` words of the message.
    reg  [1:0]            state_q;
    reg  [8*IN_BYTES-1:0] word_q;
    reg  [15:0]           remaining_q;
    reg  [31:0]           words_q;
    wire                  whole = state_q != HEAD && remaining_q == 16'd0;
    wire [15:0]           bytes = (state_q == OBS) ? OBS_BYTES[15:0] : 16'd4;
    assign m_obs_valid  = whole && state_q == OBS;
    assign m_load_valid = whole && state_q == LOAD;
    assign m_load_last  = words_q == 32'd1;
    wire [8*IN_BYTES-1:0] obs_word  = word_q >> (8 * (IN_BYTES - OBS_BYTES));
    wire [8*IN_BYTES-1:0] load_word = word_q >> (8 * (IN_BYTES - 4));
    assign m_obs_data   = obs_word[OBS_BITS-1:0];
    assign m_load_data  = load_word[31:0];
    assign s_ready      = !whole;
    wire take = s_valid && s_ready;
    wire sent = (m_obs_valid && m_obs_ready) || (m_load_valid && m_load_ready);
    always @(posedge clk)
        if (rst) state_q <= HEAD;
        else if (state_q == HEAD) begin
            if (take && s_data == "O") state_q <= OBS;
            if (take && s_data == "W") state_q <= COUNT;
            remaining_q <= (s_data == "O") ? OBS_BYTES[15:0] : 16'd4;
            words_q     <= WORDS[31:0];
        end else if (take) begin
            word_q      <= {s_data, word_q[8*IN_BYTES-1:8]};
            remaining_q <= remaining_q - 1'b1;
        end else if (whole && state_q == COUNT) begin
            state_q     <= (m_load_data == 32'd0) ? HEAD : LOAD;
            words_q     <= m_load_data;
            remaining_q <= 16'd4;
        end else if (sent) begin
            if (words_q == 32'd1) state_q <= HEAD;
            words_q     <= words_q - 1'b1;
            remaining_q <= bytes;
        end

    // To the host: one message after the other.
    reg                     taken_q, refused_q;
    reg  [8*ACT_BYTES+7:0]  out_q;
    reg  [15:0]             out_left_q;
    wire                    idle = out_left_q == 16'd0;
    wire [8*ACT_BYTES-1:0]  answer = {{(8*ACT_BYTES-ACT_BITS+1){1'b0}}, s_act_data[ACT_BITS-2:0]}
                                   | ({{(8*ACT_BYTES-1){1'b0}}, s_act_data[ACT_BITS-1]} << (ACT_BITS - 1));
    assign s_act_ready = idle && !taken_q && !refused_q;
    assign m_valid     = !idle;
    assign m_data      = out_q[7:0];
    always @(posedge clk)
        if (rst) begin
            taken_q    <= 1'b0;
            refused_q  <= 1'b0;
            out_left_q <= 16'd0;
        end else begin
            taken_q   <= taken || (taken_q && !idle);
            refused_q <= refused || (refused_q && !(idle && !taken_q));
            if (!idle) begin
                if (m_ready) begin
                    out_q      <= out_q >> 8;
                    out_left_q <= out_left_q - 1'b1;
                end
            end else if (taken_q || refused_q) begin
                out_q[7:0] <= taken_q ? "T" : "R";
                out_left_q <= 16'd1;
            end else if (s_act_valid) begin
                out_q      <= {answer, 8'h41};
                out_left_q <= ACT_BYTES[15:0] + 1'b1;
            end
        end

    wire unused = &{1'b0, obs_word, load_word};
endmodule
`default_nettype wire
