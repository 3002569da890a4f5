// rlc_learner_vector_formal.v — vectors of three words, each played twice: the flags of both ends are what the halves hold.
// SPDX-License-Identifier: Apache-2.0
//
// s_ready and m_valid are registers. Here they are held to what they stand for, and the halves to their order.
`default_nettype none
module rlc_learner_vector_formal (
    input wire       clk,
    input wire       rst,
    input wire       s_valid,
    input wire [1:0] s_data,
    input wire       m_ready
);
    wire       s_ready;
    wire       m_valid;
    wire [1:0] m_data;
    rlc_learner_vector #(.WIDTH(2), .WORDS(3), .TIMES(2)) dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );
    (* hierconn *) wire       \dut.g_repeat.fill_half_q ;
    (* hierconn *) wire       \dut.g_repeat.play_half_q ;
    (* hierconn *) wire [1:0] \dut.g_repeat.full_q ;
    (* hierconn *) wire [1:0] \dut.g_repeat.fill ;
    (* hierconn *) wire [1:0] \dut.g_repeat.play ;
    (* hierconn *) wire       \dut.g_repeat.last_turn ;
    wire       same = \dut.g_repeat.fill_half_q == \dut.g_repeat.play_half_q ;
    wire [1:0] full = \dut.g_repeat.full_q ;
    wire [1:0] fill = \dut.g_repeat.fill ;
    wire [1:0] play = \dut.g_repeat.play ;
    wire       played_half = full[\dut.g_repeat.play_half_q ];
    wire       filled_half = full[\dut.g_repeat.fill_half_q ];

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    always @(posedge clk) if (past) begin
        assert (s_ready == !filled_half);
        assert (m_valid == (played_half || (same && play < fill)));
        // The half that is played is the older one, and whole before it is played again.
        assert (fill < 2'd3 && play < 2'd3);
        assert (full == 2'b11 ? same : full == 2'b00 ? same && play <= fill : !same && played_half);
        assert (full != 2'b11 || fill == 2'd0);
        assert (!\dut.g_repeat.last_turn || played_half);
    end

    always @* begin
        cover (past && full == 2'b11 && m_valid && m_ready);
        cover (past && full == 2'b00 && m_valid && s_valid && fill == 2'd2);
    end
endmodule
`default_nettype wire
