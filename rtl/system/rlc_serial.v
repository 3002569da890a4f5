// rlc_serial.v — the GAE core and the sum tree behind a serial line.
// SPDX-License-Identifier: Apache-2.0
//
// ROWS … BEAT              those of rlc_gae_axi, handed through
// LEAVES_LOG2 … BATCH_MAX  those of rlc_sumtree_axi, handed through
// WORDS … CLOCK_HZ         those of rlc_serial_bridge, handed through
//
// registers   the GAE core's from address 0x0000 on, the sum tree's from 0x1000 on
// into it     stream 0: s_axis of the GAE core; 1 and 2: s_axis_op and s_axis_sample of the sum tree
// out of it   stream 0: m_axis of the GAE core; 1 and 2: m_axis_op and m_axis_sample of the sum tree
//             a beat is as many words of 32 bits as it has, the low one first
// irq         0: the GAE core, 1: the sum tree
`default_nettype none
module rlc_serial #(
    parameter ROWS             = 4,
    parameter LANES            = 8,
    parameter DEPTH            = 16,
    parameter LOOKAHEAD        = 2,
    parameter INTERLEAVE       = 1,
    parameter SPAN             = 4,
    parameter QBITS            = 8,
    parameter OUT_BITS         = 8,
    parameter BEAT             = 2,
    parameter LEAVES_LOG2      = 6,
    parameter RADIX_LOG2       = 2,
    parameter CAPACITY         = 50,
    parameter PRIORITY_WIDTH   = 8,
    parameter DRAW_WIDTH       = 16,
    parameter GENERATION_WIDTH = 3,
    parameter SHARED           = 0,
    parameter HEAD_STYLE       = 2,
    parameter HEAD_LATENCY     = 2,
    parameter NARROW_STYLE     = 2,
    parameter NARROW_LATENCY   = 2,
    parameter WIDE_STYLE       = 2,
    parameter WIDE_LATENCY     = 2,
    parameter BYPASS           = 0,
    parameter ADDS             = 2,
    parameter PRIORITY_MATHS   = 1,
    parameter BATCH_MAX        = 16,
    parameter WORDS            = 32,
    parameter CLOCKS_PER_BIT   = 8,
    parameter GAP_LOG2         = 9,
    parameter WAIT_LOG2        = 6,
    parameter CLOCK_HZ         = 0
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rxd,
    output wire       txd,
    output wire [1:0] irq,
    output wire       busy,
    output wire       trouble
);
    localparam PORTS = 2;

    if (!(BEAT >= 1 && BEAT <= 64)) begin : g_check_beat
        rlc_serial_illegal_BEAT_must_be_1_to_64 u_stop ();
    end
    if (CLOCK_HZ < 0) begin : g_check_hz
        rlc_serial_illegal_CLOCK_HZ_must_be_0_or_more u_stop ();
    end

    wire core_rst;

    wire [15:0] awaddr;
    wire [2:0]  awprot;
    wire        awvalid, awready;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    wire        wvalid, wready;
    wire [1:0]  bresp;
    wire        bvalid, bready;
    wire [15:0] araddr;
    wire [2:0]  arprot;
    wire        arvalid, arready;
    wire [31:0] rdata;
    wire [1:0]  rresp;
    wire        rvalid, rready;

    wire [2:0]  put_valid, put_ready, put_last;
    wire [95:0] put_data;
    wire [2:0]  get_valid, get_ready, get_last;
    wire [95:0] get_data;

    rlc_serial_bridge #(
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .WORDS(WORDS), .PUTS(3), .GETS(3), .GAP_LOG2(GAP_LOG2),
        .WAIT_LOG2(WAIT_LOG2), .CLOCK_HZ(CLOCK_HZ)
    ) u_bridge (
        .clk(clk), .rst(rst), .rxd(rxd), .txd(txd),
        .m_axil_awaddr(awaddr), .m_axil_awprot(awprot), .m_axil_awvalid(awvalid), .m_axil_awready(awready),
        .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_wvalid(wvalid), .m_axil_wready(wready),
        .m_axil_bresp(bresp), .m_axil_bvalid(bvalid), .m_axil_bready(bready),
        .m_axil_araddr(araddr), .m_axil_arprot(arprot), .m_axil_arvalid(arvalid), .m_axil_arready(arready),
        .m_axil_rdata(rdata), .m_axil_rresp(rresp), .m_axil_rvalid(rvalid), .m_axil_rready(rready),
        .m_put_valid(put_valid), .m_put_ready(put_ready), .m_put_data(put_data), .m_put_last(put_last),
        .s_get_valid(get_valid), .s_get_ready(get_ready), .s_get_data(get_data), .s_get_last(get_last),
        .irq(irq), .core_rst(core_rst), .busy(busy), .trouble(trouble)
    );

    wire [11:0]         c_awaddr;
    wire [2:0]          c_awprot;
    wire [PORTS-1:0]    c_awvalid, c_awready;
    wire [31:0]         c_wdata;
    wire [3:0]          c_wstrb;
    wire [PORTS-1:0]    c_wvalid, c_wready;
    wire [PORTS*2-1:0]  c_bresp;
    wire [PORTS-1:0]    c_bvalid, c_bready;
    wire [11:0]         c_araddr;
    wire [2:0]          c_arprot;
    wire [PORTS-1:0]    c_arvalid, c_arready;
    wire [PORTS*32-1:0] c_rdata;
    wire [PORTS*2-1:0]  c_rresp;
    wire [PORTS-1:0]    c_rvalid, c_rready;

    rlc_axil_split #(.ADDR_WIDTH(16), .WINDOW_WIDTH(12), .PORTS(PORTS)) u_split (
        .clk(clk), .rst(core_rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
        .s_axil_araddr(araddr), .s_axil_arprot(arprot), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
        .m_axil_awaddr(c_awaddr), .m_axil_awprot(c_awprot), .m_axil_awvalid(c_awvalid), .m_axil_awready(c_awready),
        .m_axil_wdata(c_wdata), .m_axil_wstrb(c_wstrb), .m_axil_wvalid(c_wvalid), .m_axil_wready(c_wready),
        .m_axil_bresp(c_bresp), .m_axil_bvalid(c_bvalid), .m_axil_bready(c_bready),
        .m_axil_araddr(c_araddr), .m_axil_arprot(c_arprot), .m_axil_arvalid(c_arvalid), .m_axil_arready(c_arready),
        .m_axil_rdata(c_rdata), .m_axil_rresp(c_rresp), .m_axil_rvalid(c_rvalid), .m_axil_rready(c_rready)
    );

    // ---- GAE
    wire [BEAT*64-1:0] gae_in, gae_out;
    wire               gae_in_valid, gae_in_ready, gae_in_last;
    wire               gae_out_valid, gae_out_ready, gae_out_last;

    rlc_serial_widen #(.WORDS(2 * BEAT)) u_gae_in (
        .clk(clk), .rst(core_rst),
        .s_valid(put_valid[0]), .s_ready(put_ready[0]), .s_data(put_data[31:0]), .s_last(put_last[0]),
        .m_valid(gae_in_valid), .m_ready(gae_in_ready), .m_data(gae_in), .m_last(gae_in_last)
    );
    rlc_serial_narrow #(.WORDS(2 * BEAT)) u_gae_out (
        .clk(clk), .rst(core_rst),
        .s_valid(gae_out_valid), .s_ready(gae_out_ready), .s_data(gae_out), .s_last(gae_out_last),
        .m_valid(get_valid[0]), .m_ready(get_ready[0]), .m_data(get_data[31:0]), .m_last(get_last[0])
    );
    rlc_gae_axi #(
        .ROWS(ROWS), .LANES(LANES), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE),
        .SPAN(SPAN), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .BEAT(BEAT)
    ) u_gae (
        .clk(clk), .rst(core_rst),
        .s_axil_awaddr(c_awaddr), .s_axil_awprot(c_awprot),
        .s_axil_awvalid(c_awvalid[0]), .s_axil_awready(c_awready[0]),
        .s_axil_wdata(c_wdata), .s_axil_wstrb(c_wstrb), .s_axil_wvalid(c_wvalid[0]), .s_axil_wready(c_wready[0]),
        .s_axil_bresp(c_bresp[1:0]), .s_axil_bvalid(c_bvalid[0]), .s_axil_bready(c_bready[0]),
        .s_axil_araddr(c_araddr), .s_axil_arprot(c_arprot),
        .s_axil_arvalid(c_arvalid[0]), .s_axil_arready(c_arready[0]),
        .s_axil_rdata(c_rdata[31:0]), .s_axil_rresp(c_rresp[1:0]),
        .s_axil_rvalid(c_rvalid[0]), .s_axil_rready(c_rready[0]),
        .s_axis_tdata(gae_in), .s_axis_tvalid(gae_in_valid), .s_axis_tready(gae_in_ready),
        .s_axis_tlast(gae_in_last),
        .m_axis_tdata(gae_out), .m_axis_tvalid(gae_out_valid), .m_axis_tready(gae_out_ready),
        .m_axis_tlast(gae_out_last),
        .irq(irq[0])
    );

    // ---- sum tree
    wire [127:0] op_in, op_out;
    wire         op_in_valid, op_in_ready, op_in_last;
    wire         op_out_valid, op_out_ready, op_out_last;
    wire [63:0]  sample_in;
    wire         sample_in_valid, sample_in_ready, sample_in_last;
    wire [255:0] sample_out;
    wire         sample_out_valid, sample_out_ready, sample_out_last;

    rlc_serial_widen #(.WORDS(4)) u_op_in (
        .clk(clk), .rst(core_rst),
        .s_valid(put_valid[1]), .s_ready(put_ready[1]), .s_data(put_data[63:32]), .s_last(put_last[1]),
        .m_valid(op_in_valid), .m_ready(op_in_ready), .m_data(op_in), .m_last(op_in_last)
    );
    rlc_serial_widen #(.WORDS(2)) u_sample_in (
        .clk(clk), .rst(core_rst),
        .s_valid(put_valid[2]), .s_ready(put_ready[2]), .s_data(put_data[95:64]), .s_last(put_last[2]),
        .m_valid(sample_in_valid), .m_ready(sample_in_ready), .m_data(sample_in), .m_last(sample_in_last)
    );
    rlc_serial_narrow #(.WORDS(4)) u_op_out (
        .clk(clk), .rst(core_rst),
        .s_valid(op_out_valid), .s_ready(op_out_ready), .s_data(op_out), .s_last(op_out_last),
        .m_valid(get_valid[1]), .m_ready(get_ready[1]), .m_data(get_data[63:32]), .m_last(get_last[1])
    );
    rlc_serial_narrow #(.WORDS(8)) u_sample_out (
        .clk(clk), .rst(core_rst),
        .s_valid(sample_out_valid), .s_ready(sample_out_ready), .s_data(sample_out), .s_last(sample_out_last),
        .m_valid(get_valid[2]), .m_ready(get_ready[2]), .m_data(get_data[95:64]), .m_last(get_last[2])
    );
    wire aborting;
    rlc_sumtree_axi #(
        .LEAVES_LOG2(LEAVES_LOG2), .RADIX_LOG2(RADIX_LOG2), .CAPACITY(CAPACITY), .PRIORITY_WIDTH(PRIORITY_WIDTH),
        .DRAW_WIDTH(DRAW_WIDTH), .GENERATION_WIDTH(GENERATION_WIDTH), .SHARED(SHARED),
        .HEAD_STYLE(HEAD_STYLE), .HEAD_LATENCY(HEAD_LATENCY), .NARROW_STYLE(NARROW_STYLE),
        .NARROW_LATENCY(NARROW_LATENCY), .WIDE_STYLE(WIDE_STYLE), .WIDE_LATENCY(WIDE_LATENCY),
        .BYPASS(BYPASS), .ADDS(ADDS), .PRIORITY_MATHS(PRIORITY_MATHS), .BATCH_MAX(BATCH_MAX)
    ) u_sumtree (
        .clk(clk), .rst(core_rst),
        .s_axil_awaddr(c_awaddr), .s_axil_awprot(c_awprot),
        .s_axil_awvalid(c_awvalid[1]), .s_axil_awready(c_awready[1]),
        .s_axil_wdata(c_wdata), .s_axil_wstrb(c_wstrb), .s_axil_wvalid(c_wvalid[1]), .s_axil_wready(c_wready[1]),
        .s_axil_bresp(c_bresp[3:2]), .s_axil_bvalid(c_bvalid[1]), .s_axil_bready(c_bready[1]),
        .s_axil_araddr(c_araddr), .s_axil_arprot(c_arprot),
        .s_axil_arvalid(c_arvalid[1]), .s_axil_arready(c_arready[1]),
        .s_axil_rdata(c_rdata[63:32]), .s_axil_rresp(c_rresp[3:2]),
        .s_axil_rvalid(c_rvalid[1]), .s_axil_rready(c_rready[1]),
        .s_axis_op_tdata(op_in), .s_axis_op_tvalid(op_in_valid), .s_axis_op_tready(op_in_ready),
        .s_axis_op_tlast(op_in_last),
        .m_axis_op_tdata(op_out), .m_axis_op_tvalid(op_out_valid), .m_axis_op_tready(op_out_ready),
        .m_axis_op_tlast(op_out_last),
        .s_axis_sample_tdata(sample_in), .s_axis_sample_tvalid(sample_in_valid),
        .s_axis_sample_tready(sample_in_ready), .s_axis_sample_tlast(sample_in_last),
        .m_axis_sample_tdata(sample_out), .m_axis_sample_tvalid(sample_out_valid),
        .m_axis_sample_tready(sample_out_ready), .m_axis_sample_tlast(sample_out_last),
        .irq(irq[1]), .abort_in(1'b0), .aborting(aborting), .locked(3'b000)
    );

    // COMMAND.abort is all that the line needs: software reads STATUS.
    wire unused = &{1'b0, aborting};
endmodule
`default_nettype wire
