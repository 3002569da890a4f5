// rlc_replay_server_rx_formal.sv — what rlc_replay_server_rx makes of any datagrams, as they are cut into words, with any stalls.
// SPDX-License-Identifier: Apache-2.0
//
// Each datagram has one head, which counts it by the first rule that it breaks, by a count of its words of our own and a check of
// our own; its fields are that datagram's. The words that the head says are those that were stored of it: no word is lost when
// there is no room, none of another datagram is among them, and they fit in PART_BYTES. Outside of a datagram's end it takes
// words whenever there is room.
`default_nettype none
module rlc_replay_server_rx_formal (
    input wire        clk,
    input wire        rst,
    input wire        s_valid,
    input wire [63:0] s_data,
    input wire        s_ragged,
    input wire        s_last,
    input wire [31:0] s_addr,
    input wire [15:0] s_port,
    input wire        m_head_ready,
    input wire        m_word_ready
);
    `include "rlc_replay_server_defs.vh"
    localparam [15:0] PART = 16'd32;           // words of the longest payload
    wire        s_ready, m_head_valid, m_word_valid;
    wire [63:0] m_word_data;
    rlc_replay_server_rx #(.PART_BYTES(256), .HOLD(64)) dut (
        .clk(clk), .rst(rst), .bank(8'd0), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data), .s_ragged(s_ragged),
        .s_last(s_last), .s_addr(s_addr), .s_port(s_port), .m_head_valid(m_head_valid), .m_head_ready(m_head_ready),
        .m_word_valid(m_word_valid), .m_word_ready(m_word_ready), .m_word_data(m_word_data)
    );
    (* hierconn *) wire        \dut.open_q ;
    (* hierconn *) wire        \dut.judging_q ;
    (* hierconn *) wire        \dut.settled_q ;
    (* hierconn *) wire        \dut.pushed ;
    (* hierconn *) wire        \dut.store ;
    (* hierconn *) wire        \dut.room ;
    (* hierconn *) wire        \dut.ragged_q ;
    (* hierconn *) wire        \dut.full_crc_q ;
    (* hierconn *) wire        \dut.checked ;
    (* hierconn *) wire        \dut.malformed ;
    (* hierconn *) wire [13:0] \dut.at_q ;
    (* hierconn *) wire [31:0] \dut.crc_q ;
    (* hierconn *) wire [12:0] \dut.words_q ;
    (* hierconn *) wire [2:0]  \dut.bad_q ;
    (* hierconn *) wire [63:0] \dut.word0_q ;
    (* hierconn *) wire [63:0] \dut.word1_q ;
    (* hierconn *) wire [63:0] \dut.word2_q ;
    (* hierconn *) wire [63:0] \dut.word3_q ;
    (* hierconn *) wire [63:0] \dut.word4_q ;
    (* hierconn *) wire [31:0] \dut.addr_q ;
    (* hierconn *) wire [15:0] \dut.port_q ;

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    // The datagram that comes, or came last: its words, the header's, and its check, bitwise as rlc_replay_server_crc32c_any.
    reg  [15:0] count = 16'd0;                 // of its words, 65535 and more
    reg         ended = 1'b0, ragged, right;
    reg  [31:0] sum;
    reg  [12:0] stored;
    reg  [63:0] head [0:4];
    reg  [31:0] addr;
    reg  [15:0] port;
    wire        takes = s_valid && s_ready, first = count == 16'd0 || ended;
    wire [31:0] before = first ? 32'hFFFFFFFF : sum;
    wire [15:0] number = first ? 16'd0 : count;
    always @(posedge clk) begin
        if (rst) begin
            count <= 16'd0;
            ended <= 1'b0;
        end else if (takes) begin
            count  <= (number == 16'hFFFF) ? number : number + 16'd1;
            ended  <= s_last;
            ragged <= s_ragged || (!first && ragged);
            right  <= s_data == {32'd0, ~before};
            sum    <= {before[30:0], before[31]} ^ s_data[31:0] ^ s_data[63:32];
            stored <= (first ? 13'd0 : stored) + {12'd0, \dut.store };
            addr   <= s_addr;
            port   <= s_port;
            if (number < 16'd5) head[number[2:0]] <= s_data;
        end
        if (rst) stored <= 13'd0;
    end
    wire [15:0] payload = count - 16'd6;
    wire [2:0]  wrong   = (ragged || count < 16'd6 || payload > PART || head[3][63:32] != {13'd0, payload, 3'd0}) ? BAD_LENGTH
                        : (head[0][39:0] != 40'h024E434C52) ? BAD_VERSION : !right ? BAD_CRC
                        : \dut.malformed ? BAD_MALFORMED : BAD_NONE;

    wire [15:0] whole = ended ? count - 16'd1 : count;      // but for the check's own word
    reg rst_1 = 1'b1;
    reg pushed_1 = 1'b0;
    always @(posedge clk) begin
        rst_1    <= rst;
        pushed_1 <= \dut.pushed ;
    end
    wire judging = \dut.judging_q ;
    // The place in a datagram, as it is counted there: it stays at the first word that is too many.
    wire [15:0] place = (count > PART + 16'd6) ? PART + 16'd6 : count;
    always @* if (past && !rst_1) begin
        assert (\dut.open_q == !judging);
        assert (s_ready == (!judging && \dut.room ));
        if (\dut.settled_q ) assert (judging && \dut.checked );
        if (\dut.store ) assert (\dut.room && takes && stored < PART[12:0]);
        if (judging) assert (ended);
        if (judging) begin
            assert ({2'd0, \dut.at_q } == ((count - 16'd1 > PART + 16'd6) ? PART + 16'd6 : count - 16'd1) && count != 16'd0);
            assert (\dut.full_crc_q == right);
        end else if (!first) assert ({2'd0, \dut.at_q } == place && \dut.crc_q == sum);
        else assert (\dut.at_q == 14'd0 && \dut.words_q == 13'd0 && \dut.crc_q == 32'hFFFFFFFF && !\dut.ragged_q );
        if (judging || !first) begin
            assert (\dut.ragged_q == ragged && \dut.words_q == stored);
            assert ({3'd0, stored} == ((whole < 16'd5) ? 16'd0 : (whole - 16'd5 < PART) ? whole - 16'd5 : PART));
            if (count > 16'd0) assert (\dut.word0_q == head[0]);
            if (count > 16'd1) assert (\dut.word1_q == head[1]);
            if (count > 16'd2) assert (\dut.word2_q == head[2]);
            if (count > 16'd3) assert (\dut.word3_q == head[3]);
            if (count > 16'd4) assert (\dut.word4_q == head[4]);
            assert (\dut.addr_q == addr && \dut.port_q == port);
        end
        // The promise, of its head: from here on it goes once to the queue.
        if (\dut.settled_q ) begin
            assert (ended && \dut.bad_q == wrong);
            if (wrong == BAD_NONE) assert ({3'd0, stored} == payload);
        end
        if (pushed_1) assert (!judging && !\dut.settled_q );
    end
    always @(posedge clk) begin
        cover (past && !rst && \dut.pushed && wrong == BAD_NONE && stored == 13'd2);
        cover (past && !rst && \dut.pushed && wrong == BAD_CRC);
        cover (past && !rst && \dut.pushed && wrong == BAD_LENGTH && count == 16'd1 && pushed_1 == 1'b0);
    end
endmodule
`default_nettype wire
