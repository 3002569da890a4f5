// rlc_skid_formal.v — what rlc_skid promises, for any traffic.
// SPDX-License-Identifier: Apache-2.0
//
// A model queue beside the slice holds what was accepted and not yet delivered. With it in hand, "no loss,
// no duplicate, order kept" is one line: every delivered word is the queue's head. The names behind `dut.`
// are the slice's own registers; the assertions on them tie the model to the slice, so that induction holds.
`default_nettype none
module rlc_skid_formal (
    input wire       clk,
    input wire       rst,
    input wire       s_valid,
    input wire [3:0] s_data,
    input wire       m_ready
);
    wire       s_ready;
    wire       m_valid;
    wire [3:0] m_data;

    rlc_skid #(.WIDTH(4)) dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );

    (* hierconn *) wire [3:0] \dut.hold_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire accept  = s_valid && s_ready;
    wire deliver = m_valid && m_ready;

    reg [1:0] held = 2'd0;
    reg [3:0] head;
    reg [3:0] next;

    always @(posedge clk) begin
        if (rst) begin
            held <= 2'd0;
        end else begin
            held <= held + accept - deliver;
            if (accept && (held == 2'd0 || (held == 2'd1 && deliver))) head <= s_data;
            else if (deliver) head <= next;
            if (accept) next <= s_data;
        end
    end

    always @* begin
        if (past) begin
            assert (held <= 2'd2);
            assert (m_valid == (held != 2'd0));
            if (m_valid) assert (m_data == head);
            if (held == 2'd2) assert (!s_ready);
            if (held == 2'd2) assert (\dut.hold_q == next);
            if (held == 2'd1) assert (s_ready);
        end
    end

    reg       rst_1;
    reg       stalled_1 = 1'b0;
    reg [3:0] data_1;
    reg       room_1 = 1'b0;
    always @(posedge clk) begin
        rst_1     <= rst;
        stalled_1 <= m_valid && !m_ready && !rst;
        data_1    <= m_data;
        room_1    <= !rst && (held == 2'd0 || m_ready);
        if (past && rst_1) assert (!m_valid && !s_ready);
        if (past && stalled_1) assert (m_valid && m_data == data_1);
        // Full throughput: a slice that is being emptied is open on the next clock.
        if (past && room_1) assert (s_ready);
    end

    // Not vacuous: it fills, stalls, and then runs at one word a clock.
    reg [2:0] streak = 3'd0;
    always @(posedge clk) begin
        streak <= (!rst && accept && deliver) ? streak + 3'd1 : 3'd0;
        cover (streak == 3'd5);
        cover (past && held == 2'd2 && !m_ready);
        cover (past && held == 2'd2 && deliver && head == 4'd5 && next == 4'd10);
    end
endmodule
`default_nettype wire
