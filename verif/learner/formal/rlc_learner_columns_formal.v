// rlc_learner_columns_formal.v — a batch slice that may begin finds a place for every word, and columns never come apart.
// SPDX-License-Identifier: Apache-2.0
//
// Two columns, two words a batch slice, two batch slices. The writer is rlc_learner_batch as far as this queue sees it: a batch slice begins
// only while `room` is high, then its words come column after column; in the last record of a batch the word of
// column 0 goes to both. What the columns hold follows from where writer and reader stand; with that in hand induction
// closes.
`default_nettype none
module rlc_learner_columns_formal (
    input wire       clk,
    input wire       rst,
    input wire       begin_try,
    input wire       push_try,
    input wire       alone_try,   // the batch slice's first record is the batch's last
    input wire [1:0] s_data,
    input wire       m_ready
);
    localparam WORDS        = 2;
    localparam BATCH_SLICES = 2;

    wire       room;
    wire       m_valid;
    wire [3:0] m_data;

    // The writer: a batch slice that is open, and the words it has written to each column.
    reg       open  = 1'b0;
    reg       alone = 1'b0;
    reg [1:0] wrote_0 = 2'd0;
    reg [1:0] wrote_1 = 2'd0;
    wire      begins  = begin_try && room && !open;
    wire      to_0    = wrote_0 != WORDS;
    wire      pushes  = push_try && open;
    wire [1:0] keep   = to_0 ? 2'b01 : 2'b10;
    wire [1:0] push   = !pushes ? 2'b00 : (to_0 && alone) ? 2'b11 : keep;
    wire [1:0] wrote_0_d = wrote_0 + push[0];
    wire [1:0] wrote_1_d = wrote_1 + push[1];
    wire       closes = pushes && wrote_1_d == WORDS;
    always @(posedge clk)
        if (rst) begin
            open    <= 1'b0;
            wrote_0 <= 2'd0;
            wrote_1 <= 2'd0;
        end else begin
            if (begins) alone <= alone_try;
            open    <= begins || (open && !closes);
            wrote_0 <= closes ? 2'd0 : wrote_0_d;
            wrote_1 <= closes ? 2'd0 : wrote_1_d;
        end

    rlc_learner_columns #(.DP(2), .WIDTH(2), .WORDS(WORDS), .BATCH_SLICES(BATCH_SLICES)) dut (
        .clk(clk), .rst(rst), .begin_batch_slice(begins), .room(room), .push(push), .keep(keep), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );
    (* hierconn *) wire [1:0] \dut.u_credit.free_q ;
    (* hierconn *) wire       \dut.u_word.at_q ;
    (* hierconn *) wire [2:0] \dut.g_column[0].u_words.u_fifo.count ;
    (* hierconn *) wire [2:0] \dut.g_column[1].u_words.u_fifo.count ;
    (* hierconn *) wire       \dut.g_column[0].u_words.s_ready ;
    (* hierconn *) wire       \dut.g_column[1].u_words.s_ready ;
    (* hierconn *) wire [1:0] \dut.valid ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire [1:0] batch_slices = BATCH_SLICES - \dut.u_credit.free_q ;    // begun and not yet taken
    wire [2:0] whole        = {batch_slices - {1'b0, open}, 1'b0};     // their words in a column, but for the open batch slice
    always @* begin
        if (past) begin
            assert (\dut.u_credit.free_q <= BATCH_SLICES);
            assert (room == (\dut.u_credit.free_q != 2'd0));
            assert (batch_slices >= {1'b0, open});
            if (!open) assert (wrote_0 == 2'd0 && wrote_1 == 2'd0);
            if (open) assert (wrote_1 < WORDS && wrote_0 <= WORDS);
            if (open && alone) assert (wrote_1 == wrote_0);
            if (open && !alone && wrote_0 != WORDS) assert (wrote_1 == 2'd0);
            assert (whole + wrote_0 >= {2'd0, \dut.u_word.at_q });
            assert (\dut.g_column[0].u_words.u_fifo.count == whole + wrote_0 - {2'd0, \dut.u_word.at_q });
            assert (whole + wrote_1 >= {2'd0, \dut.u_word.at_q });
            assert (\dut.g_column[1].u_words.u_fifo.count == whole + wrote_1 - {2'd0, \dut.u_word.at_q });
            assert (\dut.valid [0] == (\dut.g_column[0].u_words.u_fifo.count != 3'd0));
            assert (\dut.valid [1] == (\dut.g_column[1].u_words.u_fifo.count != 3'd0));
            // What it is for: a word of all columns is one. That no queue refuses a word, rlc_queue asserts.
            if (m_valid) assert (\dut.valid == 2'b11);
        end
    end

    // s_ready of a queue is low in the clock after reset; no batch slice can have begun before it.
    reg rst_1 = 1'b1;
    always @(posedge clk) rst_1 <= rst;
    always @* if (past && !rst_1) begin
        assert (\dut.g_column[0].u_words.s_ready  == (\dut.g_column[0].u_words.u_fifo.count != 3'd4));
        assert (\dut.g_column[1].u_words.s_ready  == (\dut.g_column[1].u_words.u_fifo.count != 3'd4));
    end
    always @* if (past && rst_1) assert (!open);

    always @(posedge clk) begin
        cover (past && \dut.g_column[0].u_words.u_fifo.count == 3'd4 && \dut.g_column[1].u_words.u_fifo.count == 3'd4);
        cover (past && open && alone && wrote_0 == 2'd1 && m_valid && m_ready);
        cover (past && open && !alone && wrote_1 == 2'd1 && m_valid && m_ready);
    end
endmodule
`default_nettype wire
