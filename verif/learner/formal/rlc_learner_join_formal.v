// rlc_learner_join_formal.v — three words of a, two of b, and again: none lost, none twice, in order.
// SPDX-License-Identifier: Apache-2.0
//
// The words of b carry a mark. A model queue holds what was accepted; where the reader stands in the vector follows
// from where the writer stands and from what is held.
`default_nettype none
module rlc_learner_join_formal (
    input wire       clk,
    input wire       rst,
    input wire       s_a_valid,
    input wire       s_b_valid,
    input wire [1:0] a,
    input wire [1:0] b,
    input wire       m_ready
);
    localparam WORDS_A = 3;
    localparam WORDS_B = 2;
    localparam WORDS   = WORDS_A + WORDS_B;

    wire       s_a_ready;
    wire       s_b_ready;
    wire       m_valid;
    wire [2:0] m_data;
    rlc_learner_join #(.WIDTH(3), .WORDS_A(WORDS_A), .WORDS_B(WORDS_B)) dut (
        .clk(clk), .rst(rst), .s_a_valid(s_a_valid), .s_a_ready(s_a_ready), .s_a_data({1'b0, a}),
        .s_b_valid(s_b_valid), .s_b_ready(s_b_ready), .s_b_data({1'b1, b}),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );
    (* hierconn *) wire       \dut.turn_b_q ;
    (* hierconn *) wire [1:0] \dut.word_q ;
    (* hierconn *) wire [2:0] \dut.u_out.hold_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire       accept_a = s_a_valid && s_a_ready;
    wire       accept_b = s_b_valid && s_b_ready;
    wire       accept   = accept_a || accept_b;
    wire [2:0] came     = accept_b ? {1'b1, b} : {1'b0, a};
    wire       deliver  = m_valid && m_ready;

    function [2:0] after(input [2:0] place);
        after = (place == WORDS - 1) ? 3'd0 : place + 3'd1;
    endfunction

    reg [1:0] held   = 2'd0;
    reg [2:0] reader = 3'd0;
    reg [2:0] head;
    reg [2:0] next;
    always @(posedge clk)
        if (rst) begin
            held   <= 2'd0;
            reader <= 3'd0;
        end else begin
            held <= held + accept - deliver;
            if (deliver) reader <= after(reader);
            if (accept && (held == 2'd0 || (held == 2'd1 && deliver))) head <= came;
            else if (deliver) head <= next;
            if (accept) next <= came;
        end

    wire [2:0] writer = \dut.turn_b_q ? WORDS_A + \dut.word_q : {1'b0, \dut.word_q };
    wire [2:0] second = after(reader);
    always @* begin
        if (past) begin
            assert (!(accept_a && accept_b));
            assert (held <= 2'd2 && reader < WORDS);
            assert (\dut.word_q < (\dut.turn_b_q ? WORDS_B : WORDS_A));
            assert (writer == (held == 2'd0 ? reader : held == 2'd1 ? second : after(second)));
            assert (m_valid == (held != 2'd0));
            if (held == 2'd2) assert (!s_a_ready && !s_b_ready);
            if (held == 2'd2) assert (\dut.u_out.hold_q == next && next[2] == (second >= WORDS_A));
            if (held == 2'd1) assert (s_a_ready || s_b_ready);
            // What it is for: the word at m is the oldest one held, and of the stream whose turn it is.
            if (m_valid) assert (m_data == head && m_data[2] == (reader >= WORDS_A));
        end
    end

    reg [2:0] streak = 3'd0;
    always @(posedge clk) begin
        streak <= (!rst && accept && deliver) ? streak + 3'd1 : 3'd0;
        cover (streak == 3'd6);
        cover (past && held == 2'd2 && reader == 3'd2 && deliver);
    end
endmodule
`default_nettype wire
