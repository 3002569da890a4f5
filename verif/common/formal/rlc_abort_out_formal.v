// rlc_abort_out_formal.v — what rlc_abort_out promises, for any traffic and any drops.
// SPDX-License-Identifier: Apache-2.0
//
// The source is one of valid/ready that may lose an item only while drop takes it. A counter in its data tells order:
// what comes out is what went in, in order, from a prefix of what went in while drop was high.
`default_nettype none
module rlc_abort_out_formal (
    input wire       clk,
    input wire       rst,
    input wire       drop,
    input wire       s_valid,
    input wire [2:0] s_data,
    input wire       m_ready
);
    wire       s_ready;
    wire       m_valid;
    wire [2:0] m_data;
    wire       stale;
    rlc_abort_out #(.WIDTH(3)) dut (
        .clk(clk), .rst(rst), .drop(drop), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .stale(stale)
    );

    (* hierconn *) wire       \dut.cut_q ;
    (* hierconn *) wire [2:0] \dut.hold_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire accept  = s_valid && s_ready;
    wire deliver = m_valid && m_ready;

    reg       rst_1;
    reg       waits_1 = 1'b0;
    reg [2:0] given_1;
    reg       stalled_1 = 1'b0;
    reg [2:0] shown_1;
    // An item that the source gave away and that is still to be delivered; whether this drop has lost one.
    reg       owed = 1'b0;
    reg [2:0] item;
    reg       lost = 1'b0;
    always @(posedge clk) begin
        rst_1     <= rst;
        waits_1   <= s_valid && !s_ready && !rst;
        given_1   <= s_data;
        stalled_1 <= m_valid && !m_ready && !rst;
        shown_1   <= m_data;
        if (past && waits_1) assume (s_valid && s_data == given_1);
        if (rst) begin
            owed <= 1'b0;
            lost <= 1'b0;
        end else begin
            owed <= (owed && !deliver) || (accept && !deliver && !owed && !lost);
            if (!owed) item <= s_data;
            lost <= drop && (lost || owed || (s_valid && !m_ready));
        end
    end

    always @* if (past) begin
        assert (stale == owed && \dut.cut_q == lost);
        if (owed) assert (\dut.hold_q == item);
        assert (m_valid == (owed || (s_valid && !(drop && lost))));
        if (m_valid) assert (m_data == (owed ? item : s_data));
        // Nothing waits while drop is high, and without it nothing is lost.
        if (drop) assert (s_ready);
        if (!drop && accept) assert (deliver && !owed);
    end
    always @(posedge clk) begin
        if (past && stalled_1 && !rst_1) assert (m_valid && m_data == shown_1);
        cover (past && !rst && drop && lost && deliver && s_valid);
        cover (past && !rst && !drop && owed && s_valid);
    end
endmodule
`default_nettype wire
