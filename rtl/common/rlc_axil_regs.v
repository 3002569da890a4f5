// rlc_axil_regs.v — AXI4-Lite slave in front of a core's own registers.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*     AXI4-Lite; AW and W in any order; one write and one read outstanding, independent of each
//              other; every ready and valid is a register, ready is low during reset
// wr_*         wr_en is high for one clock with wr_addr (word index) and wr_data, always a whole word
// wr_acts      from the core, a function of wr_addr: the word acts when it is written (a command, ones that clear), so
//              what it reads as is nothing to write back
// rd_*         rd_en is high for one clock with rd_addr (word index), and rd_data is taken in the clock after: a
//              function of rd_addr, or a register loaded from one each clock. What reading changes must look at rd_en.
// strobes      a byte without its strobe keeps its value: the word is read through rd_addr, without rd_en, and merged.
//              Where wr_acts is high it is 0 instead. No strobe at all: OKAY, and no wr_en. In the two clocks before
//              wr_en the core must not change what the word reads as, unless it refuses the write.
// error        a word index >= REGS answers SLVERR (reads give 0) and does not raise wr_en or rd_en
// latency      write: wr_en 1 clock after the later of AW and W, B valid 1 clock after wr_en; some strobes, not all: 4
//              or 5 clocks after, or 1 more behind a read
//              read: rd_en 1 clock after AR, R valid 2 clocks after rd_en
// throughput   one write in 3 clocks, one read in 4 clocks
// proof        verif/common/formal/rlc_axil_regs.sby: one response a request, stable, none spurious
`default_nettype none
`include "rlc_check.vh"
module rlc_axil_regs #(
    parameter ADDR_WIDTH  = 8,              // AXI address bits, >= 3; byte addresses, the low two bits are ignored
    parameter REGS        = 16,             // 32-bit words, 1..2^(ADDR_WIDTH-2); word i is at byte address 4*i
    parameter INDEX_WIDTH = ADDR_WIDTH - 2  // derived; leave it alone
) (
    input  wire                   clk,
    input  wire                   rst,

    input  wire [ADDR_WIDTH-1:0]  s_axil_awaddr,
    input  wire [2:0]             s_axil_awprot,
    input  wire                   s_axil_awvalid,
    output reg                    s_axil_awready,
    input  wire [31:0]            s_axil_wdata,
    input  wire [3:0]             s_axil_wstrb,
    input  wire                   s_axil_wvalid,
    output reg                    s_axil_wready,
    output reg  [1:0]             s_axil_bresp,
    output reg                    s_axil_bvalid,
    input  wire                   s_axil_bready,
    input  wire [ADDR_WIDTH-1:0]  s_axil_araddr,
    input  wire [2:0]             s_axil_arprot,
    input  wire                   s_axil_arvalid,
    output reg                    s_axil_arready,
    output reg  [31:0]            s_axil_rdata,
    output reg  [1:0]             s_axil_rresp,
    output reg                    s_axil_rvalid,
    input  wire                   s_axil_rready,

    output wire                   wr_en,
    output reg  [INDEX_WIDTH-1:0] wr_addr,
    output reg  [31:0]            wr_data,
    input  wire                   wr_acts,
    output wire                   rd_en,
    output reg  [INDEX_WIDTH-1:0] rd_addr,
    input  wire [31:0]            rd_data
);
    `RLC_CHECK(ADDR_WIDTH >= 3 && ADDR_WIDTH <= 32, rlc_axil_regs_illegal_ADDR_WIDTH_must_be_3_to_32)
    `RLC_CHECK(REGS >= 1 && REGS <= (1 << (ADDR_WIDTH - 2)),
               rlc_axil_regs_illegal_REGS_must_be_at_least_1_and_fit_into_ADDR_WIDTH)

    localparam [1:0] OKAY   = 2'b00;
    localparam [1:0] SLVERR = 2'b10;
    localparam [31:0] WORDS = REGS;
    localparam [INDEX_WIDTH:0] LIMIT = WORDS[INDEX_WIDTH:0];

    // Write: hold address and data until both are here, read what bytes without a strobe keep, write, answer.
    reg                   aw_held_q;
    reg                   w_held_q;
    reg [3:0]             wr_strb_q;
    reg                   wr_part_q;   // some strobes, not all
    reg                   rd_go_q;
    reg                   rd_take_q;
    wire                  rd_idle = !s_axil_arready && !rd_go_q;
    reg [2:0]             merge_q;     // the word's address stands at rd_addr, its data at rd_data, it is merged

    wire [31:0] w_lanes = {{8{s_axil_wstrb[3]}}, {8{s_axil_wstrb[2]}}, {8{s_axil_wstrb[1]}}, {8{s_axil_wstrb[0]}}};
    wire [31:0] q_lanes = {{8{wr_strb_q[3]}}, {8{wr_strb_q[2]}}, {8{wr_strb_q[1]}}, {8{wr_strb_q[0]}}};
    wire wr_here     = aw_held_q && w_held_q;
    wire wr_go       = wr_here && (!wr_part_q || merge_q[2]);
    wire merges      = wr_here && wr_part_q && !merge_q[2];
    wire merge_start = merges && merge_q == 3'd0 && rd_idle;
    wire wr_in_range = {1'b0, wr_addr} < LIMIT;
    wire aw_held_d   = (s_axil_awvalid && s_axil_awready) || (aw_held_q && !wr_go);
    wire w_held_d    = (s_axil_wvalid && s_axil_wready) || (w_held_q && !wr_go);
    wire bvalid_d    = wr_go || (s_axil_bvalid && !s_axil_bready);

    always @(posedge clk) begin
        if (rst) begin
            s_axil_awready <= 1'b0;
            s_axil_wready  <= 1'b0;
            aw_held_q      <= 1'b0;
            w_held_q       <= 1'b0;
            s_axil_bvalid  <= 1'b0;
            merge_q        <= 3'd0;
        end else begin
            merge_q        <= {merge_q[1:0], merge_start};
            aw_held_q      <= aw_held_d;
            w_held_q       <= w_held_d;
            s_axil_bvalid  <= bvalid_d;
            s_axil_awready <= !aw_held_d && !bvalid_d;
            s_axil_wready  <= !w_held_d && !bvalid_d;
        end
    end

    always @(posedge clk) begin
        if (s_axil_awready) wr_addr <= s_axil_awaddr[ADDR_WIDTH-1:2];
        if (s_axil_wready) begin
            wr_data   <= s_axil_wdata & w_lanes;
            wr_strb_q <= s_axil_wstrb;
            wr_part_q <= s_axil_wstrb != 4'd0 && s_axil_wstrb != 4'd15;
        end else if (merge_q[1] && !wr_acts) begin
            wr_data <= wr_data | (rd_data & ~q_lanes);
        end
        if (wr_go) s_axil_bresp <= wr_in_range ? OKAY : SLVERR;
    end

    assign wr_en          = wr_go && wr_in_range && wr_strb_q != 4'd0;

    // Read: address, strobe, take the data, answer, open again.

    wire ar_accept   = s_axil_arvalid && s_axil_arready;
    wire rd_in_range = {1'b0, rd_addr} < LIMIT;
    wire rvalid_d    = rd_take_q || (s_axil_rvalid && !s_axil_rready);

    always @(posedge clk) begin
        if (rst) begin
            s_axil_arready <= 1'b0;
            rd_go_q        <= 1'b0;
            rd_take_q      <= 1'b0;
            s_axil_rvalid  <= 1'b0;
        end else begin
            rd_go_q        <= ar_accept;
            rd_take_q      <= rd_go_q;
            s_axil_rvalid  <= rvalid_d;
            s_axil_arready <= !ar_accept && !rd_go_q && !rvalid_d && !merges;
        end
    end

    always @(posedge clk) begin
        if (s_axil_arready) rd_addr <= s_axil_araddr[ADDR_WIDTH-1:2];
        else if (merge_start) rd_addr <= wr_addr;
        if (rd_take_q) begin
            s_axil_rresp <= rd_in_range ? OKAY : SLVERR;
            s_axil_rdata <= rd_in_range ? rd_data : 32'd0;
        end
    end

    assign rd_en          = rd_go_q && rd_in_range;

    // Protection bits and the byte part of an address carry nothing for word registers.
    wire unused = &{1'b0, s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};
endmodule
`default_nettype wire
