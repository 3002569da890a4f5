// rlc_rl_prio_formal.v — every priority of a valid record leaves once, in order, and so does every `last`.
// SPDX-License-Identifier: Apache-2.0
//
// The model keeps the batch slice as it came and a number of the column whose turn it is, where the module shifts.
`default_nettype none
module rlc_rl_prio_formal (
    input wire       clk,
    input wire       rst,
    input wire       s_valid,
    input wire [8:0] s_data,
    input wire [2:0] s_record,
    input wire [2:0] s_last,
    input wire       m_ready
);
    wire        s_ready;
    wire        m_valid;
    wire [31:0] m_data;
    wire        m_last;
    rlc_rl_prio #(.DP(3), .WIDTH(3)) dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_record(s_record),
        .s_last(s_last), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_last(m_last)
    );
    (* hierconn *) wire [2:0] \dut.remaining_q ;
    (* hierconn *) wire [8:0] \dut.data_q ;
    (* hierconn *) wire [2:0] \dut.record_q ;
    (* hierconn *) wire [2:0] \dut.last_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    reg [1:0] turn = 2'd3;      // 3: no batch slice
    reg [8:0] data;
    reg [2:0] record;
    reg [2:0] last;
    wire      some   = turn != 2'd3;
    wire      wanted = some && (record[turn] || last[turn]);
    wire      moves  = some && (!wanted || m_ready);
    always @(posedge clk)
        if (rst) turn <= 2'd3;
        else if (s_valid && s_ready) begin
            turn   <= 2'd0;
            data   <= s_data;
            record <= s_record;
            last   <= s_last;
        end else if (moves) turn <= turn + 2'd1;

    wire [2:0] priority = data >> 3 * turn;
    always @* begin
        if (past) begin
            assert (\dut.remaining_q == 3 - turn);
            if (some) assert (\dut.data_q == data >> 3 * turn);
            if (some) assert (\dut.record_q == record >> turn && \dut.last_q == last >> turn);
            assert (m_valid == wanted);
            if (m_valid) assert (m_data == (record[turn] ? priority : 3'd0) && m_last == last[turn]);
            // A batch slice is taken only when the one before it is gone, or goes with this clock.
            assert (s_ready == (!some || (turn == 2'd2 && moves)));
        end
    end

    reg stalled_1 = 1'b0;
    reg [32:0] word_1;
    always @(posedge clk) begin
        stalled_1 <= m_valid && !m_ready && !rst;
        word_1    <= {m_last, m_data};
        if (past && stalled_1) assert (m_valid && {m_last, m_data} == word_1);
        cover (past && m_valid && m_last && !record[turn] && turn == 2'd1);
        cover (past && turn == 2'd2 && m_valid && m_ready && s_valid && data == 9'o753);
    end
endmodule
`default_nettype wire
