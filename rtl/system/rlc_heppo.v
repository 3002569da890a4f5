// rlc_heppo.v — the GAE core as a block of an SoC: everything at its ports on the bus's clock, the array on its own.
// SPDX-License-Identifier: Apache-2.0
//
// ROWS … BEAT   those of rlc_gae_axi, handed through
// FIFO_LOG2     log2 of the beats each stream's crossing holds, 2..10; 4 keeps one beat a clock of the slower side
// STAGES        flip-flops in each synchroniser, 2..4
//
// clk, rst      the bus: s_axil_*, s_axis_*, m_axis_* and irq are on it. rst is synchronous, one clock is enough;
//               every ready and valid is low until both sides are out of reset
// core_clk      the array and all else of rlc_gae_axi; any frequency and phase; must run
// s_axil_*, s_axis_*, m_axis_*   as rlc_gae_axi says, in the same order: an answer to a register write says that the
//               core has carried it out
// irq           the core's level, STAGES + 2 clocks later: after IRQ_STATUS was cleared it may still be high for a few
//               clocks, so software that waits for it looks at STATUS or IRQ_STATUS too, as our drivers do
// latency       that of the crossings: see rlc_fifo_async
`default_nettype none
module rlc_heppo #(
    parameter ROWS       = 4,
    parameter LANES      = 8,
    parameter DEPTH      = 16,
    parameter LOOKAHEAD  = 2,
    parameter INTERLEAVE = 1,
    parameter SPAN       = 4,
    parameter QBITS      = 8,
    parameter OUT_BITS   = 8,
    parameter BEAT       = 2,
    parameter FIFO_LOG2  = 4,
    parameter STAGES     = 2
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                core_clk,

    input  wire [11:0]         s_axil_awaddr,
    input  wire [2:0]          s_axil_awprot,
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    output wire [1:0]          s_axil_bresp,
    output wire                s_axil_bvalid,
    input  wire                s_axil_bready,
    input  wire [11:0]         s_axil_araddr,
    input  wire [2:0]          s_axil_arprot,
    input  wire                s_axil_arvalid,
    output wire                s_axil_arready,
    output wire [31:0]         s_axil_rdata,
    output wire [1:0]          s_axil_rresp,
    output wire                s_axil_rvalid,
    input  wire                s_axil_rready,

    input  wire [BEAT*64-1:0]  s_axis_tdata,
    input  wire                s_axis_tvalid,
    output wire                s_axis_tready,
    input  wire                s_axis_tlast,

    output wire [BEAT*64-1:0]  m_axis_tdata,
    output wire                m_axis_tvalid,
    input  wire                m_axis_tready,
    output wire                m_axis_tlast,

    output wire                irq
);
    if (!(BEAT >= 1 && BEAT <= 64)) begin : g_check_beat
        rlc_heppo_illegal_BEAT_must_be_1_to_64 u_stop ();
    end
    if (!(FIFO_LOG2 >= 2 && FIFO_LOG2 <= 10)) begin : g_check_fifo
        rlc_heppo_illegal_FIFO_LOG2_must_be_2_to_10 u_stop ();
    end

    wire bus_rst;
    wire core_rst;

    rlc_heppo_reset #(.STAGES(STAGES)) u_reset (
        .clk(clk), .rst(rst), .bus_rst(bus_rst), .core_clk(core_clk), .core_rst(core_rst)
    );

    // Registers.
    wire [11:0] awaddr;
    wire [2:0]  awprot;
    wire        awvalid, awready;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    wire        wvalid, wready;
    wire [1:0]  bresp;
    wire        bvalid, bready;
    wire [11:0] araddr;
    wire [2:0]  arprot;
    wire        arvalid, arready;
    wire [31:0] rdata;
    wire [1:0]  rresp;
    wire        rvalid, rready;

    rlc_heppo_axil #(.ADDR_WIDTH(12), .STAGES(STAGES)) u_axil (
        .s_clk(clk), .s_rst(bus_rst),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .m_clk(core_clk), .m_rst(core_rst),
        .m_axil_awaddr(awaddr), .m_axil_awprot(awprot), .m_axil_awvalid(awvalid), .m_axil_awready(awready),
        .m_axil_wdata(wdata), .m_axil_wstrb(wstrb), .m_axil_wvalid(wvalid), .m_axil_wready(wready),
        .m_axil_bresp(bresp), .m_axil_bvalid(bvalid), .m_axil_bready(bready),
        .m_axil_araddr(araddr), .m_axil_arprot(arprot), .m_axil_arvalid(arvalid), .m_axil_arready(arready),
        .m_axil_rdata(rdata), .m_axil_rresp(rresp), .m_axil_rvalid(rvalid), .m_axil_rready(rready)
    );

    // Streams.
    wire [BEAT*64-1:0] in_data;
    wire               in_valid, in_ready, in_last;
    wire [BEAT*64-1:0] out_data;
    wire               out_valid, out_ready, out_last;

    rlc_fifo_async #(.WIDTH(BEAT*64 + 1), .DEPTH_LOG2(FIFO_LOG2), .STAGES(STAGES)) u_in (
        .s_clk(clk), .s_rst(bus_rst), .m_clk(core_clk), .m_rst(core_rst),
        .s_valid(s_axis_tvalid), .s_ready(s_axis_tready), .s_data({s_axis_tlast, s_axis_tdata}),
        .m_valid(in_valid), .m_ready(in_ready), .m_data({in_last, in_data})
    );
    rlc_fifo_async #(.WIDTH(BEAT*64 + 1), .DEPTH_LOG2(FIFO_LOG2), .STAGES(STAGES)) u_out (
        .s_clk(core_clk), .s_rst(core_rst), .m_clk(clk), .m_rst(bus_rst),
        .s_valid(out_valid), .s_ready(out_ready), .s_data({out_last, out_data}),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready), .m_data({m_axis_tlast, m_axis_tdata})
    );

    // The interrupt: a flip-flop of its own before it crosses, because there is logic behind the core's.
    wire core_irq;
    wire irq_arrived;
    reg  core_irq_q;
    reg  irq_q;
    initial core_irq_q = 1'b0;
    initial irq_q      = 1'b0;

    always @(posedge core_clk) core_irq_q <= core_irq && !core_rst;
    rlc_sync_level #(.STAGES(STAGES)) u_irq (.clk(clk), .level_in(core_irq_q), .level_out(irq_arrived));
    always @(posedge clk) irq_q <= irq_arrived && !bus_rst;
    assign irq = irq_q;

    rlc_gae_axi #(
        .ROWS(ROWS), .LANES(LANES), .DEPTH(DEPTH), .LOOKAHEAD(LOOKAHEAD), .INTERLEAVE(INTERLEAVE),
        .SPAN(SPAN), .QBITS(QBITS), .OUT_BITS(OUT_BITS), .BEAT(BEAT)
    ) u_gae (
        .clk(core_clk), .rst(core_rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
        .s_axil_araddr(araddr), .s_axil_arprot(arprot), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
        .s_axis_tdata(in_data), .s_axis_tvalid(in_valid), .s_axis_tready(in_ready), .s_axis_tlast(in_last),
        .m_axis_tdata(out_data), .m_axis_tvalid(out_valid), .m_axis_tready(out_ready), .m_axis_tlast(out_last),
        .irq(core_irq)
    );
endmodule
`default_nettype wire
