// rlc_axi_ram.v — a memory of the device behind AXI4: a slave with one beat read and one beat written a clock.
// SPDX-License-Identifier: Apache-2.0
//
// s_axi_*      FIXED, INCR and WRAP bursts, narrow and unaligned ones, write strobes, any ID. Bursts are answered in the order
//              in which they came, reads and writes apart. WLAST is not looked at: a burst has the length that AW said
// order        a read that comes after the answer to a write sees what was written
// errors       a beat beyond DEPTH, a burst of the reserved kind or of a size above a word: SLVERR, nothing is
//              written, and 0 is read; a write's answer is SLVERR if one of its beats was
// latency      READ_LATENCY + 2 clocks from AR to the first R; 1 clock from the last W to B
// throughput   one beat a clock in both directions, also from burst to burst
// ready        no output follows an input without a register; one write request waits beside the burst under way
// reset        what is under way is forgotten; the contents stay
`default_nettype none
`include "rlc_check.vh"
module rlc_axi_ram #(
    parameter ID_WIDTH     = 4,        // bits of an ID, >= 1
    parameter ADDR_WIDTH   = 16,       // bits of a byte address
    parameter DATA_WIDTH   = 32,       // bits of a beat: 8, 16, ... 1024
    parameter DEPTH        = 1024,     // words of DATA_WIDTH bits, >= 1
    parameter READ_LATENCY = 2,        // 2..5 clocks of the memory
    parameter STYLE        = "block",  // "auto", "block", "ultra" or "distributed": the kind of memory
    parameter BYPASS       = 0         // 1 for RAMs that do not read before they write (ECP5): rlc_ram_1r1w_lane
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [ID_WIDTH-1:0]     s_axi_awid,
    input  wire [ADDR_WIDTH-1:0]   s_axi_awaddr,
    input  wire [7:0]              s_axi_awlen,
    input  wire [2:0]              s_axi_awsize,
    input  wire [1:0]              s_axi_awburst,
    input  wire                    s_axi_awvalid,
    output wire                    s_axi_awready,
    input  wire [DATA_WIDTH-1:0]   s_axi_wdata,
    input  wire [DATA_WIDTH/8-1:0] s_axi_wstrb,
    input  wire                    s_axi_wlast,
    input  wire                    s_axi_wvalid,
    output wire                    s_axi_wready,
    output wire [ID_WIDTH-1:0]     s_axi_bid,
    output wire [1:0]              s_axi_bresp,
    output wire                    s_axi_bvalid,
    input  wire                    s_axi_bready,
    input  wire [ID_WIDTH-1:0]     s_axi_arid,
    input  wire [ADDR_WIDTH-1:0]   s_axi_araddr,
    input  wire [7:0]              s_axi_arlen,
    input  wire [2:0]              s_axi_arsize,
    input  wire [1:0]              s_axi_arburst,
    input  wire                    s_axi_arvalid,
    output wire                    s_axi_arready,
    output wire [ID_WIDTH-1:0]     s_axi_rid,
    output wire [DATA_WIDTH-1:0]   s_axi_rdata,
    output wire [1:0]              s_axi_rresp,
    output wire                    s_axi_rlast,
    output wire                    s_axi_rvalid,
    input  wire                    s_axi_rready
);
    `RLC_CHECK(DATA_WIDTH >= 8 && DATA_WIDTH <= 1024 && (DATA_WIDTH & (DATA_WIDTH - 1)) == 0,
               rlc_axi_ram_illegal_DATA_WIDTH_must_be_8_to_1024_and_a_power_of_two)
    `RLC_CHECK(READ_LATENCY >= 2 && READ_LATENCY <= 5, rlc_axi_ram_illegal_READ_LATENCY_must_be_2_to_5)

    localparam LANES      = (DATA_WIDTH >= 8) ? DATA_WIDTH / 8 : 1;
    localparam WORD_WIDTH = ADDR_WIDTH - $clog2(LANES);
    localparam RAM_WIDTH  = (DEPTH > 1) ? $clog2(DEPTH) : 1;
    localparam AW_WIDTH   = ID_WIDTH + ADDR_WIDTH + 13;
    localparam PLACES     = READ_LATENCY + 2;  // as many reads as hide the memory and the queue behind it
    localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;

    // ---- writes: a request waits here while a burst is under way, so that AWREADY follows from registers alone
    wire                  aw_go;  // the next burst may begin in this clock
    reg                   aw_held_q;
    reg  [AW_WIDTH-1:0]   aw_q;
    wire [AW_WIDTH-1:0]   aw = {s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst};
    wire                  aw_valid = aw_held_q || s_axi_awvalid;
    assign s_axi_awready = !rst && !aw_held_q;
    always @(posedge clk)
        if (rst) aw_held_q <= 1'b0;
        else aw_held_q <= aw_valid && !aw_go;
    always @(posedge clk)
        if (!aw_held_q) aw_q <= aw;
    wire [ID_WIDTH-1:0]   aw_id;
    wire [ADDR_WIDTH-1:0] aw_addr;
    wire [7:0]            aw_len;
    wire [2:0]            aw_size;
    wire [1:0]            aw_burst;
    assign {aw_id, aw_addr, aw_len, aw_size, aw_burst} = aw_held_q ? aw_q : aw;

    // A beat goes into the memory in the clock in which it comes; its burst's last one needs a place for B.
    wire                  wr_valid, wr_last, wr_bad, b_room;
    wire [ID_WIDTH-1:0]   wr_id;
    wire [WORD_WIDTH-1:0] wr_word;
    wire                  wr_room = b_room || !wr_last;
    wire                  wr_step = wr_valid && s_axi_wvalid && wr_room;
    reg                   wr_failed;  // an earlier beat of this burst had no word
    rlc_axi_burst #(.ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .LANES(LANES), .DEPTH(DEPTH)) u_write (
        .clk(clk), .rst(rst), .s_valid(aw_valid), .s_ready(aw_go), .s_id(aw_id), .s_addr(aw_addr),
        .s_len(aw_len), .s_size(aw_size), .s_burst(aw_burst), .m_valid(wr_valid),
        .m_ready(s_axi_wvalid && wr_room), .m_id(wr_id), .m_word(wr_word), .m_last(wr_last), .m_bad(wr_bad)
    );
    assign s_axi_wready = wr_valid && wr_room;
    always @(posedge clk)
        if (rst) wr_failed <= 1'b0;
        else if (wr_step) wr_failed <= !wr_last && (wr_failed || wr_bad);
    rlc_skid #(.WIDTH(ID_WIDTH + 2)) u_b (
        .clk(clk), .rst(rst), .s_valid(wr_valid && s_axi_wvalid && wr_last), .s_ready(b_room),
        .s_data({wr_id, (wr_failed || wr_bad) ? SLVERR : OKAY}), .m_valid(s_axi_bvalid), .m_ready(s_axi_bready),
        .m_data({s_axi_bid, s_axi_bresp})
    );

    // ---- reads: through the memory without a stall, into a queue whose places are counted
    wire                  rd_valid, rd_last, rd_bad, rd_room;
    wire [ID_WIDTH-1:0]   rd_id;
    wire [WORD_WIDTH-1:0] rd_word;
    wire                  rd_step = rd_valid && rd_room;
    rlc_axi_burst #(.ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .LANES(LANES), .DEPTH(DEPTH)) u_read (
        .clk(clk), .rst(rst), .s_valid(s_axi_arvalid), .s_ready(s_axi_arready), .s_id(s_axi_arid), .s_addr(s_axi_araddr),
        .s_len(s_axi_arlen), .s_size(s_axi_arsize), .s_burst(s_axi_arburst), .m_valid(rd_valid), .m_ready(rd_room),
        .m_id(rd_id), .m_word(rd_word), .m_last(rd_last), .m_bad(rd_bad)
    );
    rlc_credit #(.PLACES(PLACES)) u_credit (
        .clk(clk), .rst(rst), .take(rd_step), .give(s_axi_rvalid && s_axi_rready), .room(rd_room)
    );

    wire                  mem_bad, mem_last;
    wire [ID_WIDTH-1:0]   mem_id;
    wire [DATA_WIDTH-1:0] mem_data;
    rlc_ram_1r1w_lane #(
        .LANES(LANES), .LANE_WIDTH(8), .DEPTH(DEPTH), .READ_LATENCY(READ_LATENCY), .STYLE(STYLE), .BYPASS(BYPASS)
    ) u_ram (
        .clk(clk), .wr_en(s_axi_wstrb & {LANES{wr_step && !wr_bad}}), .wr_addr(wr_word[RAM_WIDTH-1:0]),
        .wr_data(s_axi_wdata), .rd_en(rd_step), .rd_addr(rd_word[RAM_WIDTH-1:0]), .rd_data(mem_data)
    );
    rlc_delay #(.WIDTH(ID_WIDTH + 2), .CLOCKS(READ_LATENCY)) u_about (
        .clk(clk), .d({rd_id, rd_last, rd_bad}), .q({mem_id, mem_last, mem_bad})
    );
    reg [READ_LATENCY-1:0] under_way;
    always @(posedge clk) under_way <= rst ? {READ_LATENCY{1'b0}} : {under_way[READ_LATENCY-2:0], rd_step};
    rlc_queue #(.WIDTH(ID_WIDTH + 3 + DATA_WIDTH), .DEPTH(PLACES)) u_r (
        .clk(clk), .rst(rst), .s_valid(under_way[READ_LATENCY-1]),
        .s_data({mem_id, mem_last, mem_bad ? SLVERR : OKAY, mem_data & {DATA_WIDTH{!mem_bad}}}), .m_valid(s_axi_rvalid),
        .m_ready(s_axi_rready), .m_data({s_axi_rid, s_axi_rlast, s_axi_rresp, s_axi_rdata})
    );

    wire unused = &{1'b0, s_axi_wlast, wr_word, rd_word};
endmodule
`default_nettype wire
