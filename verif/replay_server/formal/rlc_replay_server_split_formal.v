// rlc_replay_server_split_formal.v — each beat goes on once, in its order, unchanged, and to the bank of its datagram alone.
// SPDX-License-Identifier: Apache-2.0
//
// The bank is found here from the datagram as it was offered: from byte 8 of its first 10 bytes, or 0 when there are fewer.
`default_nettype none
module rlc_replay_server_split_formal #(
    parameter BYTES = 16
) (
    input wire               clk,
    input wire               rst,
    input wire               s_valid,
    input wire [8*BYTES-1:0] s_data,
    input wire [BYTES-1:0]   s_keep,
    input wire               s_last,
    input wire [1:0]         s_head,
    input wire [3:0]         m_ready
);
    wire               s_ready, m_last;
    wire [3:0]         m_valid;
    wire [8*BYTES-1:0] m_data;
    wire [BYTES-1:0]   m_keep;
    wire [1:0]         m_head;
    rlc_replay_server_split #(.BYTES(BYTES), .BANKS(4), .HEAD(2)) dut (
        .clk(clk), .rst(rst), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_keep(s_keep), .s_last(s_last),
        .s_head(s_head), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .m_keep(m_keep), .m_last(m_last),
        .m_head(m_head)
    );
    (* hierconn *) wire       \dut.valid_q ;
    (* hierconn *) wire       \dut.first_q ;
    (* hierconn *) wire [7:0] \dut.bank_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // Who offers a beat leaves it there.
    reg                     offered_1 = 1'b0;
    reg [9*BYTES+2:0]       offer_1;
    wire [9*BYTES+2:0]      offer = {s_data, s_keep, s_last, s_head};
    always @(posedge clk) begin
        offered_1 <= s_valid && !s_ready && !rst;
        offer_1   <= offer;
    end
    always @* if (past && offered_1) assume (s_valid && offer == offer_1);

    // The beat that is inside; its bank, once that is known; whether the beats before it were of the same datagram.
    reg               held = 1'b0, begins = 1'b1;
    reg [9*BYTES+2:0] beat;
    reg [1:0]         bank;
    wire              give = (m_valid & m_ready) != 4'd0;
    wire              take = s_valid && s_ready;
    wire [1:0]        here = (BYTES == 8) ? ((!beat[2] && s_keep[1]) ? s_data[1:0] : 2'd0)
                           : (beat[12 % (BYTES + 3)] ? beat[(BYTES + 67) % (9*BYTES + 3) +: 2] : 2'd0);
    wire [1:0]        wanted = begins ? here : bank;
    always @(posedge clk) begin
        if (rst) begin
            held   <= 1'b0;
            begins <= 1'b1;
        end else begin
            held <= take || (held && !give);
            if (give) begins <= beat[2];
        end
        if (take) beat <= offer;
        if (give) bank <= wanted;
    end

    reg rst_1 = 1'b1;
    reg [3:0] stalled_1 = 4'd0;
    always @(posedge clk) begin
        rst_1     <= rst;
        stalled_1 <= rst ? 4'd0 : m_valid & ~m_ready;
    end
    always @* if (past && !rst_1) begin
        assert (held == \dut.valid_q && begins == \dut.first_q );
        if (!begins) assert (\dut.bank_q == {6'd0, bank});
        if (held) assert ({m_data, m_keep, m_last, m_head} == beat);
        if (m_valid != 4'd0) assert (held && m_valid == 4'd1 << wanted);
        else if (held)       assert (BYTES == 8 && begins && !beat[2] && !s_valid);
        assert ((m_valid & stalled_1) == stalled_1);
        if (take && held) assert (give);
        if (!held) assert (s_ready == !rst);
    end

    always @(posedge clk) begin
        cover (past && !rst && give && m_valid[3] && m_last && !begins);
        cover (past && !rst && stalled_1[2] && begins && m_last);
    end
endmodule
`default_nettype wire
