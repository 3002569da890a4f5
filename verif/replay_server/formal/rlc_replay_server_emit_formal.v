// rlc_replay_server_emit_formal.v — what rlc_replay_server_emit promises of its handshakes, for any answers and any stalls.
// SPDX-License-Identifier: Apache-2.0
//
// A frame stands still while it is stalled, destination and length too; it has six words, with KEYED seven, and those of its
// payload, the last one alone is marked; payload is taken exactly as often as it was told; an answer is taken only when no other is inside.
`default_nettype none
module rlc_replay_server_emit_formal #(
    parameter KEYED = 0
) (
    input wire        clk,
    input wire        rst,
    input wire        s_valid,
    input wire [3:0]  s_status,
    input wire [12:0] s_words,
    input wire [31:0] s_addr,
    input wire        s_text_valid,
    input wire [63:0] s_text_data,
    input wire        m_ready
);
    wire        s_ready, s_text_ready, m_valid, m_last;
    wire [63:0] m_data;
    wire [15:0] m_length, m_port;
    wire [31:0] m_addr;
    rlc_replay_server_emit #(.KEYED(KEYED)) dut (
        .clk(clk), .rst(rst), .cfg_instance(32'd1), .cfg_key(128'd7), .s_valid(s_valid), .s_ready(s_ready), .s_op(3'd1), .s_status(s_status),
        .s_client(16'd2), .s_epoch(32'd3), .s_sequence(64'd4), .s_count(16'd5), .s_part(16'd0), .s_parts(16'd1),
        .s_words(s_words), .s_addr(s_addr), .s_port(16'd6), .s_text_valid(s_text_valid), .s_text_ready(s_text_ready),
        .s_text_data(s_text_data), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last), .m_length(m_length),
        .m_addr(m_addr), .m_port(m_port)
    );
    (* hierconn *) wire [2:0]  \dut.at_q ;
    (* hierconn *) wire [12:0] \dut.words_q ;
    (* hierconn *) wire [12:0] \dut.remaining_q ;
    (* hierconn *) wire        \dut.sealed ;
    (* hierconn *) wire        \dut.hashed ;
    localparam [15:0] BESIDE = (KEYED != 0) ? 16'd56 : 16'd48;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);
    always @* assume (s_words <= 13'd8000);

    // Words of the present frame that are in the output's register or beyond, and those of its payload that were taken.
    reg [13:0] made = 14'd0;
    reg [12:0] words, taken;
    wire give = m_valid && m_ready;
    wire made_one = (!m_valid || m_ready) && \dut.at_q != 3'd7 && (\dut.at_q != 3'd5 || s_text_valid)
                 && (\dut.at_q != 3'd6 || \dut.sealed || \dut.hashed );
    always @(posedge clk) begin
        if (rst) made <= 14'd0;
        else if (s_valid && s_ready) begin
            made  <= 14'd0;
            words <= s_words;
            taken <= 13'd0;
        end else begin
            made <= made + made_one;
            if (s_text_valid && s_text_ready) taken <= taken + 13'd1;
        end
    end
    reg        stalled_1 = 1'b0, rst_1 = 1'b1;
    reg        last_1;
    reg [63:0] data_1;
    reg [31:0] addr_1;
    reg [15:0] length_1;
    always @(posedge clk) begin
        rst_1     <= rst;
        stalled_1 <= m_valid && !m_ready && !rst;
        {last_1, data_1, addr_1, length_1} <= {m_last, m_data, m_addr, m_length};
        if (past && rst_1) assert (!m_valid);
        if (past && stalled_1) assert (m_valid && {m_last, m_data, m_addr, m_length} == {last_1, data_1, addr_1, length_1});
    end
    always @* if (past && !rst_1) begin
        if (\dut.at_q != 3'd7) begin
            assert (\dut.words_q == words && words <= 13'd8000);
            if (\dut.at_q < 3'd5)  assert (made == {11'd0, \dut.at_q } && taken == 13'd0);
            if (\dut.at_q == 3'd5) assert (made == {1'b0, taken} + 14'd5 && taken < words && \dut.remaining_q == words - taken);
            if (\dut.at_q == 3'd6) assert (made == {1'b0, words} + 14'd5 + (KEYED != 0 && \dut.sealed ) && taken == words);
            else assert (KEYED == 0 || !\dut.sealed );
            if (made != 14'd0) assert (!m_last && m_length == {words, 3'd0} + BESIDE);
            if (m_valid && made == 14'd0) assert (m_last);
        end else if (m_valid) assert (m_last);
        assert (s_ready == (\dut.at_q == 3'd7));
        if (s_text_ready) assert (taken < words);
    end

    always @(posedge clk) begin
        cover (past && !rst && give && m_last && words == 13'd3);
        cover (past && !rst && stalled_1 && m_last && s_valid && s_ready);
    end
endmodule
`default_nettype wire
