// rlc_replay_server_store.v — keeps datagrams until they are whole, and passes each on without a gap; one may be taken back.
// SPDX-License-Identifier: Apache-2.0
//
// s_*          words of a datagram, first byte lowest; s_head and s_length (in bytes) are taken with s_last
// s_forget     the words since the last s_last are taken back, and a word of the same clock too. It needs no s_ready
// m_*          the datagrams in their order: m_head and m_length are steady from the first word to the last, and there is
//              a word in every clock between them
// s_ready      falls when DEPTH words or FRAMES datagrams are held
// latency      3 clocks from s_last to the first word
// bound        a datagram of more than DEPTH words would never be whole: it must not come, or must be taken back
`default_nettype none
`include "rlc_check.vh"
module rlc_replay_server_store #(
    parameter BYTES  = 8,    // bytes of a word, a power of two
    parameter DEPTH  = 512,  // words held, a power of two
    parameter FRAMES = 16,   // datagrams held
    parameter HEAD   = 48    // bits of m_head
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               s_valid,
    output wire               s_ready,
    input  wire [8*BYTES-1:0] s_data,
    input  wire               s_last,
    input  wire [HEAD-1:0]    s_head,
    input  wire [15:0]        s_length,
    input  wire               s_forget,
    output wire               m_valid,
    input  wire               m_ready,
    output wire [8*BYTES-1:0] m_data,
    output wire               m_last,
    output wire [HEAD-1:0]    m_head,
    output wire [15:0]        m_length
);
    `RLC_CHECK(BYTES >= 1 && (BYTES & (BYTES - 1)) == 0, rlc_replay_server_store_illegal_BYTES_must_be_a_power_of_two)
    `RLC_CHECK(DEPTH >= 4 && (DEPTH & (DEPTH - 1)) == 0, rlc_replay_server_store_illegal_DEPTH_must_be_a_power_of_two_from_4)
    `RLC_CHECK(FRAMES >= 2, rlc_replay_server_store_illegal_FRAMES_must_be_at_least_2)
    localparam A = $clog2(DEPTH);
    localparam B = $clog2(BYTES);
    localparam [31:0] SIZE = DEPTH;
    localparam [A:0]  ONE  = 1;
    localparam [A:0]  FULL = SIZE[A:0];

    // Places count modulo 2 * DEPTH, so that full and empty differ.
    reg  [A:0] wr_q, begin_q, rd_q;
    wire [A:0] held = wr_q - rd_q;
    wire       room;
    assign s_ready = room && held != FULL;
    wire take  = s_valid && s_ready && !s_forget;
    wire whole = take && s_last;
    always @(posedge clk) begin
        if (rst) begin
            wr_q    <= {(A+1){1'b0}};
            begin_q <= {(A+1){1'b0}};
        end else begin
            if (s_forget) wr_q <= begin_q;
            else if (take) wr_q <= wr_q + ONE;
            if (whole) begin_q <= wr_q + ONE;
        end
    end

    // ---- heads of the datagrams that are whole
    wire            head_valid, head_take;
    wire [HEAD-1:0] head;
    wire [15:0]     length;
    wire [$clog2(FRAMES+1)-1:0] count;
    rlc_fifo #(.WIDTH(HEAD + 16), .DEPTH(FRAMES)) u_heads (
        .clk(clk), .rst(rst),
        .s_valid(whole), .s_ready(room), .s_data({s_head, s_length}),
        .m_valid(head_valid), .m_ready(head_take), .m_data({head, length}), .count(count)
    );

    // ---- out: a word is read when the one before it leaves, and stands at the memory's output
    reg            valid_q, last_q, more_q;  // more_q: words of this datagram are still in the memory
    reg [HEAD-1:0] head_q;
    reg [15:0]     length_q, remaining_q;    // remaining_q: words to read behind this one
    wire           move  = !valid_q || m_ready;
    wire           first = move && !more_q && head_valid;
    wire           read  = first || (move && more_q);
    wire [15:0]    words = (length - 16'd1) >> B;
    assign head_take = first;
    always @(posedge clk) begin
        if (rst) begin
            valid_q <= 1'b0;
            more_q  <= 1'b0;
            rd_q    <= {(A+1){1'b0}};
        end else begin
            if (move) valid_q <= read;
            if (first) more_q <= words != 16'd0;
            else if (read) more_q <= remaining_q != 16'd1;
            if (read) rd_q <= rd_q + ONE;
        end
        if (first) begin
            head_q      <= head;
            length_q    <= length;
            remaining_q <= words;
            last_q      <= words == 16'd0;
        end else if (read) begin
            remaining_q <= remaining_q - 16'd1;
            last_q      <= remaining_q == 16'd1;
        end
    end
    rlc_ram_1r1w #(.WIDTH(8 * BYTES), .DEPTH(DEPTH), .STYLE("block")) u_words (
        .clk(clk),
        .wr_en(take), .wr_addr(wr_q[A-1:0]), .wr_data(s_data),
        .rd_en(read), .rd_addr(rd_q[A-1:0]), .rd_data(m_data)
    );
    assign m_valid  = valid_q;
    assign m_last   = last_q;
    assign m_head   = head_q;
    assign m_length = length_q;

    wire unused = &{1'b0, count};
endmodule
`default_nettype wire
