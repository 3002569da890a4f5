// rlc_replay_server_emit.v — makes a frame of an answer: header, payload, with a key a MAC, and CRC32C, a word a clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          an answer, taken when the one before is out but for its last word. s_words: words of its payload
// s_text_*     the payload, after the answer
// m_*          words of the frame; m_last with the last one. m_length, m_addr, m_port stand from its first word to its last
// cfg_key      of the MAC, with KEYED
// latency      2 clocks from an answer to its first word; words + 7 clocks from answer to answer. With KEYED words + 12: the MAC
//              is a word more, and comes 4 clocks after the word before it was made
`default_nettype none
`include "rlc_axi.vh"
module rlc_replay_server_emit #(
    parameter CREDIT = 32, // of the answers, 1 to 64
    parameter KEYED  = 0   // 1: frames have a MAC, with cfg_key
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] cfg_instance,
    input  wire [127:0] cfg_key,
    input  wire        s_valid,
    output wire        s_ready,
    input  wire [2:0]  s_op,
    input  wire [3:0]  s_status,
    input  wire [15:0] s_client,
    input  wire [31:0] s_epoch,
    input  wire [63:0] s_sequence,
    input  wire [15:0] s_count,
    input  wire [15:0] s_part,
    input  wire [15:0] s_parts,
    input  wire [12:0] s_words,
    input  wire [31:0] s_addr,
    input  wire [15:0] s_port,
    `RLC_STREAM_SLAVE(s_text, 64),
    `RLC_STREAM_MASTER(m, 64),
    output reg         m_last,
    output reg  [15:0] m_length,
    output reg  [31:0] m_addr,
    output reg  [15:0] m_port
);
    localparam [31:0] CREDIT_32 = CREDIT;
    localparam [15:0] BESIDE = (KEYED != 0) ? 16'd56 : 16'd48; // bytes of a frame without payload
    localparam [2:0]  TEXT = 3'd5, CHECK = 3'd6, IDLE = 3'd7;

    // ---- the answer.
    reg [2:0]  at_q;           // word of the header, then TEXT, CHECK
    reg [2:0]  op_q;
    reg [3:0]  status_q;
    reg [15:0] client_q, count_q, part_q, parts_q;
    reg [31:0] epoch_q, addr_q;
    reg [63:0] sequence_q;
    reg [12:0] words_q, remaining_q;
    reg [15:0] port_q;
    assign s_ready = at_q == IDLE;
    always @(posedge clk)
        if (s_valid && s_ready) begin
            op_q       <= s_op;
            status_q   <= s_status;
            client_q   <= s_client;
            epoch_q    <= s_epoch;
            sequence_q <= s_sequence;
            count_q    <= s_count;
            part_q     <= s_part;
            parts_q    <= s_parts;
            words_q    <= s_words;
            addr_q     <= s_addr;
            port_q     <= s_port;
        end

    // ---- word by word into the output's register, and through the CRC.
    reg         valid_q;
    reg  [63:0] data_q;
    reg  [31:0] crc_q;
    reg  [63:0] word;
    wire [31:0] crc;
    wire advance = !valid_q || m_ready;
    wire        sealed, hashed;   // the MAC is in the frame; it is known
    wire [63:0] mac;
    wire there   = at_q != IDLE && (at_q != TEXT || s_text_valid) && (at_q != CHECK || sealed || hashed);
    wire move    = advance && there;
    assign s_text_ready = advance && at_q == TEXT;
    assign m_valid = valid_q;
    assign m_data  = data_q;
    always @* begin
        case (at_q)
            3'd0:    word = {12'd0, status_q, 5'b10000, op_q, 8'd2, 32'h4E434C52};
            3'd1:    word = {epoch_q, 16'd0, client_q};
            3'd2:    word = sequence_q;
            3'd3:    word = {16'd0, words_q, 3'd0, cfg_instance};
            3'd4:    word = {CREDIT_32[7:0], 8'd0, parts_q, part_q, count_q};
            TEXT:    word = s_text_data;
            default: word = sealed ? {32'd0, ~crc_q} : mac;
        endcase
    end
    rlc_replay_server_crc32c #(.BYTES(8)) u_crc (.crc_in(crc_q), .data(word), .crc_out(crc));
    always @(posedge clk) begin
        if (rst) at_q <= IDLE;
        else if (s_valid && s_ready) at_q <= 3'd0;
        else if (move)
            case (at_q)
                3'd4:    at_q <= (words_q == 13'd0) ? CHECK : TEXT;
                TEXT:    at_q <= (remaining_q == 13'd1) ? CHECK : TEXT;
                CHECK:   at_q <= sealed ? IDLE : CHECK;
                default: at_q <= at_q + 3'd1;
            endcase
        if (rst)          valid_q <= 1'b0;
        else if (advance) valid_q <= there;
    end
    always @(posedge clk)
        if (move) begin
            data_q      <= word;
            m_last      <= at_q == CHECK && sealed;
            crc_q       <= crc;
            remaining_q <= (at_q == TEXT) ? remaining_q - 13'd1 : words_q;
            if (at_q == 3'd0) begin
                m_length <= {words_q, 3'd0} + BESIDE;
                m_addr   <= addr_q;
                m_port   <= port_q;
            end
        end else if (at_q == IDLE) crc_q <= 32'hFFFFFFFF;

    // ---- the MAC: a word is hashed from the output's register, a clock after it came there.
    generate
        if (KEYED != 0) begin : g_key
            reg  sealed_q, moved_q, ended_q;
            wire ends = at_q == CHECK && !moved_q && !ended_q;
            rlc_replay_server_siphash u_mac (
                .clk(clk), .key(cfg_key), .restart(at_q == IDLE), .s_valid(moved_q), .s_data(data_q), .s_end(ends),
                .done(hashed), .mac(mac)
            );
            always @(posedge clk) begin
                moved_q  <= move && at_q != CHECK;
                ended_q  <= at_q == CHECK && (ends || ended_q);
                sealed_q <= at_q == CHECK && (move || sealed_q);
            end
            assign sealed = sealed_q;
        end else begin : g_no_key
            assign sealed = 1'b1;
            assign hashed = 1'b1;
            assign mac    = 64'd0;
            wire unused = &{1'b0, cfg_key};
        end
    endgenerate
endmodule
`default_nettype wire
