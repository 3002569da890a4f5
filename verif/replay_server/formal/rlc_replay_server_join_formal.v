// rlc_replay_server_join_formal.v — datagrams go on whole and unchanged, one after the other, and no bank waits for two of another.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module rlc_replay_server_join_formal (
    input wire        clk,
    input wire        rst,
    input wire [3:0]  s_valid,
    input wire [63:0] s_data,
    input wire [3:0]  s_last,
    input wire [7:0]  s_head,
    input wire [63:0] s_length,
    input wire        m_ready,
    input wire [1:0]  watched_now
);
    wire [3:0]  s_ready;
    wire        m_valid, m_last;
    wire [15:0] m_data, m_length;
    wire [1:0]  m_keep, m_head;
    rlc_replay_server_join #(.BYTES(2), .BANKS(4), .HEAD(2)) dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_last(s_last), .s_head(s_head),
        .s_length(s_length), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_keep(m_keep), .m_last(m_last),
        .m_head(m_head), .m_length(m_length)
    );
    (* hierconn *) wire [3:0]  \dut.turn_q ;
    (* hierconn *) wire        \dut.inside_q ;
    (* hierconn *) wire        \dut.u_out.s_ready_q ;
    (* hierconn *) wire [36:0] \dut.u_out.hold_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // Who offers a beat leaves it there.
    reg [3:0] offered_1 = 4'd0;
    always @(posedge clk) offered_1 <= rst ? 4'd0 : s_valid & ~s_ready;
    always @* if (past) assume ((s_valid & offered_1) == offered_1);

    // What went in, and whose it was.
    wire [3:0] takes = s_valid & s_ready;
    wire [1:0] who   = takes[3] ? 2'd3 : takes[2] ? 2'd2 : takes[1] ? 2'd1 : 2'd0;
    wire       take  = takes != 4'd0;
    wire       give  = m_valid && m_ready;
    wire       last  = s_last[who];
    wire [1:0] keep  = (last && s_length[16*who]) ? 2'b01 : 2'b11;
    wire [36:0] came = {s_data[16*who +: 16], keep, last, s_head[2*who +: 2], s_length[16*who +: 16]};

    reg [1:0]  held = 2'd0;
    reg [36:0] head, next;
    reg        inside = 1'b0;   // a datagram has begun and not ended
    reg [1:0]  owner;
    always @(posedge clk) begin
        if (rst) begin
            held   <= 2'd0;
            inside <= 1'b0;
        end else begin
            held <= held + take - give;
            if (take) inside <= !last;
        end
        if (take) begin
            owner <= who;
            next  <= came;
        end
        if (take && (held == 2'd0 || (held == 2'd1 && give))) head <= came;
        else if (give) head <= next;
    end

    // Datagrams of others that begin while the watched bank offers one.
    reg  [1:0] watched = 2'd0;
    reg  [2:0] waits   = 3'd0;
    wire       begins  = take && !inside;
    wire [1:0] far     = watched - owner;  // turns from the last one to the watched one; 0: it was the last
    always @(posedge clk) begin
        if (!past) watched <= watched_now;
        if (rst || !s_valid[watched] || (inside && owner == watched) || (begins && who == watched)) waits <= 3'd0;
        else if (begins) waits <= waits + 3'd1;
    end

    reg rst_1 = 1'b1;
    always @(posedge clk) rst_1 <= rst;
    always @* if (past && !rst_1) begin
        assert ((takes & (takes - 4'd1)) == 4'd0);
        assert (inside == \dut.inside_q );
        if (inside) begin
            assert (\dut.turn_q == 4'd1 << owner);
            if (take) assert (who == owner);
        end
        assert (\dut.turn_q == 4'd1 || \dut.turn_q == 4'd2 || \dut.turn_q == 4'd4 || \dut.turn_q == 4'd8);
        assert (m_valid == (held != 2'd0) && held <= 2'd2);
        if (m_valid) assert ({m_data, m_keep, m_last, m_head, m_length} == head);
        if (held == 2'd2) assert (!\dut.u_out.s_ready_q && \dut.u_out.hold_q == next);
        if (held == 2'd1) assert (\dut.u_out.s_ready_q && head == next);
        if (held != 2'd2 && \dut.u_out.s_ready_q && !inside && s_valid != 4'd0) assert (take);
        if (waits != 3'd0) assert (\dut.turn_q == 4'd1 << owner && far != 2'd0 && waits + far <= 3'd4);
        assert (waits <= 3'd3);
    end

    always @(posedge clk) begin
        cover (past && !rst && waits == 3'd3 && begins && who == watched);
        cover (past && !rst && give && !m_last && held == 2'd2);
    end
endmodule
`default_nettype wire
