// rlc_replay_server_bursts_formal.v — what rlc_replay_server_bursts promises, for any rows that keep to its bound, whenever a burst may begin.
// SPDX-License-Identifier: Apache-2.0
//
// The bursts of a row are its words, each once and in order, and so are the rows; none crosses 4 KiB; an address stands still
// while it is stalled; no burst begins that may not.
`default_nettype none
module rlc_replay_server_bursts_formal (
    input wire        clk,
    input wire        rst,
    input wire        s_job_valid,
    input wire [15:0] s_job_addr,
    input wire [16:0] s_job_words,
    input wire        may,
    input wire        m_ready
);
    wire        s_job_ready, there, starts, m_valid;
    wire [8:0]  beats;
    wire [15:0] m_addr;
    wire [7:0]  m_len;
    rlc_replay_server_bursts #(.ADDR_WIDTH(16)) dut (.*);

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // The bound: a long row begins at a multiple of 2048, no other crosses one.
    function bound(input [15:0] addr, input [16:0] words);
        bound = addr[2:0] == 3'd0 && words != 17'd0
             && ((words > 17'd256) ? addr[10:0] == 11'd0 : {6'd0, addr[10:0]} + {words[13:0], 3'd0} <= 17'd2048);
    endfunction
    always @* if (s_job_valid) assume (bound(s_job_addr, s_job_words));

    // What is left of the row that was taken.
    reg  [15:0] next;
    reg  [16:0] left = 17'd0;
    wire        takes = s_job_valid && s_job_ready;
    always @(posedge clk) begin
        if (rst)         left <= 17'd0;
        else if (takes)  left <= s_job_words;
        else if (starts) left <= left - {8'd0, beats};
        if (takes)       next <= s_job_addr;
        else if (starts) next <= next + {4'd0, beats, 3'd0};
    end
    (* hierconn *) wire [15:0] \dut.addr_q ;
    (* hierconn *) wire [16:0] \dut.words_q ;
    reg         stalled_1 = 1'b0, started_1 = 1'b0;
    reg  [23:0] address_1, due_1;
    wire [8:0]  less = beats - 9'd1;
    always @(posedge clk) begin
        stalled_1 <= m_valid && !m_ready && !rst;
        started_1 <= starts && !rst;
        address_1 <= {m_addr, m_len};
        due_1     <= {next, less[7:0]};
        if (past && stalled_1) assert (m_valid && address_1 == {m_addr, m_len});
        if (past && started_1) assert (m_valid && due_1 == {m_addr, m_len});
        if (past && m_valid)   assert (stalled_1 || started_1);
    end
    always @* if (past) begin
        assert (there == (left != 17'd0));
        if (there) assert (next == \dut.addr_q && left == \dut.words_q && bound(next, left));
        if (there) assert (beats == ((left > 17'd256) ? 9'd256 : left[8:0]));
        if (m_valid) assert (bound(m_addr, {9'd0, m_len} + 17'd1));
        assert (s_job_ready == (!there || (starts && left <= 17'd256)));
        if (starts) assert (there && may && (!m_valid || m_ready));
    end
    always @(posedge clk) begin
        cover (past && !rst && takes && starts);
        cover (past && !rst && stalled_1 && m_len == 8'd255 && there && left == 17'd3);
    end
endmodule
`default_nettype wire
