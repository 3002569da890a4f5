// rlc_axil_split.v — one AXI4-Lite slave in front of several, each in a window of addresses of its own.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*      AXI4-Lite; AW and W in any order; one write and one read outstanding, independent of each other; every
//               ready and valid is a register, ready is low during reset
// m_axil_*      the same, a valid and a ready a port; addresses, data and strobes are common to all ports
// error         an address beyond the windows answers SLVERR, reads give 0, and no port sees it
// cost          addresses of 16 bits, 3 ports: 135 flip-flops, 75 LUTs
// latency       write: AW and W reach the port 2 clocks after the later of them, B 1 clock after the port's
//               read: AR reaches the port 2 clocks later, R 1 clock after the port's
`default_nettype none
`include "rlc_check.vh"
module rlc_axil_split #(
    parameter ADDR_WIDTH   = 16, // bits of an address, > WINDOW_WIDTH, at most 32
    parameter WINDOW_WIDTH = 12, // bits of an address inside a window, >= 1
    parameter PORTS        = 3   // windows, 1 to 2^(ADDR_WIDTH-WINDOW_WIDTH): port i from address i * 2^WINDOW_WIDTH on
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire [ADDR_WIDTH-1:0]   s_axil_awaddr,
    input  wire [2:0]              s_axil_awprot,
    input  wire                    s_axil_awvalid,
    output reg                     s_axil_awready,
    input  wire [31:0]             s_axil_wdata,
    input  wire [3:0]              s_axil_wstrb,
    input  wire                    s_axil_wvalid,
    output reg                     s_axil_wready,
    output reg  [1:0]              s_axil_bresp,
    output reg                     s_axil_bvalid,
    input  wire                    s_axil_bready,
    input  wire [ADDR_WIDTH-1:0]   s_axil_araddr,
    input  wire [2:0]              s_axil_arprot,
    input  wire                    s_axil_arvalid,
    output reg                     s_axil_arready,
    output reg  [31:0]             s_axil_rdata,
    output reg  [1:0]              s_axil_rresp,
    output reg                     s_axil_rvalid,
    input  wire                    s_axil_rready,

    output wire [WINDOW_WIDTH-1:0] m_axil_awaddr,
    output reg  [2:0]              m_axil_awprot,
    output wire [PORTS-1:0]        m_axil_awvalid,
    input  wire [PORTS-1:0]        m_axil_awready,
    output reg  [31:0]             m_axil_wdata,
    output reg  [3:0]              m_axil_wstrb,
    output wire [PORTS-1:0]        m_axil_wvalid,
    input  wire [PORTS-1:0]        m_axil_wready,
    input  wire [PORTS*2-1:0]      m_axil_bresp,
    input  wire [PORTS-1:0]        m_axil_bvalid,
    output wire [PORTS-1:0]        m_axil_bready,
    output wire [WINDOW_WIDTH-1:0] m_axil_araddr,
    output reg  [2:0]              m_axil_arprot,
    output wire [PORTS-1:0]        m_axil_arvalid,
    input  wire [PORTS-1:0]        m_axil_arready,
    input  wire [PORTS*32-1:0]     m_axil_rdata,
    input  wire [PORTS*2-1:0]      m_axil_rresp,
    input  wire [PORTS-1:0]        m_axil_rvalid,
    output wire [PORTS-1:0]        m_axil_rready
);
    `RLC_CHECK(WINDOW_WIDTH >= 1 && ADDR_WIDTH > WINDOW_WIDTH && ADDR_WIDTH <= 32,
               rlc_axil_split_illegal_WINDOW_WIDTH_must_be_at_least_1_and_ADDR_WIDTH_more_and_at_most_32)
    `RLC_CHECK(PORTS >= 1 && PORTS <= (1 << (ADDR_WIDTH - WINDOW_WIDTH)),
               rlc_axil_split_illegal_PORTS_must_be_at_least_1_and_fit_the_address_bits_above_WINDOW_WIDTH)

    localparam [1:0] SLVERR = 2'b10;
    localparam PICK  = ADDR_WIDTH - WINDOW_WIDTH;
    localparam COUNT = (PORTS >= 1) ? PORTS : 1;   // a stand-in until the check ends the run

    // Write: hold address and data until both are here, offer both to the port, wait for its answer, answer.
    reg                  aw_held_q;
    reg                  w_held_q;
    reg                  writes_q;    // the write is with its port, or answered here if there is none
    reg [COUNT-1:0]      awvalid_q;
    reg [COUNT-1:0]      wvalid_q;
    reg [COUNT-1:0]      write_q;     // the port that holds the write
    reg [ADDR_WIDTH-1:0] awaddr_q;

    reg [ADDR_WIDTH-1:0] araddr_q;
    wire [COUNT-1:0]     aw_port;
    wire [COUNT-1:0]     ar_port;
    genvar p;
    for (p = 0; p < COUNT; p = p + 1) begin : g_port
        localparam [31:0] NUMBER = p;
        assign aw_port[p] = awaddr_q[ADDR_WIDTH-1:WINDOW_WIDTH] == NUMBER[PICK-1:0];
        assign ar_port[p] = araddr_q[ADDR_WIDTH-1:WINDOW_WIDTH] == NUMBER[PICK-1:0];
    end

    wire       wr_go     = aw_held_q && w_held_q && !writes_q;
    wire       wr_nobody = writes_q && write_q == {COUNT{1'b0}};
    wire       wr_answer = |(m_axil_bvalid & write_q);
    wire       wr_done   = wr_nobody || wr_answer;
    wire       aw_held_d = (s_axil_awvalid && s_axil_awready) || (aw_held_q && !wr_done);
    wire       w_held_d  = (s_axil_wvalid && s_axil_wready) || (w_held_q && !wr_done);
    wire       bvalid_d  = wr_done || (s_axil_bvalid && !s_axil_bready);
    reg  [1:0] bresp_d;
    integer    i;
    always @* begin
        bresp_d = wr_nobody ? SLVERR : 2'b00;
        for (i = 0; i < COUNT; i = i + 1) bresp_d = bresp_d | (m_axil_bresp[2*i +: 2] & {2{write_q[i]}});
    end

    always @(posedge clk) begin
        if (rst) begin
            s_axil_awready <= 1'b0;
            s_axil_wready  <= 1'b0;
            aw_held_q      <= 1'b0;
            w_held_q       <= 1'b0;
            writes_q       <= 1'b0;
            awvalid_q      <= {COUNT{1'b0}};
            wvalid_q       <= {COUNT{1'b0}};
            write_q        <= {COUNT{1'b0}};
            s_axil_bvalid  <= 1'b0;
        end else begin
            aw_held_q      <= aw_held_d;
            w_held_q       <= w_held_d;
            s_axil_bvalid  <= bvalid_d;
            s_axil_awready <= !aw_held_d && !bvalid_d;
            s_axil_wready  <= !w_held_d && !bvalid_d;
            writes_q       <= (writes_q && !wr_done) || wr_go;
            awvalid_q      <= wr_go ? aw_port : awvalid_q & ~m_axil_awready;
            wvalid_q       <= wr_go ? aw_port : wvalid_q & ~m_axil_wready;
            write_q        <= wr_go ? aw_port : wr_done ? {COUNT{1'b0}} : write_q;
        end
    end
    always @(posedge clk) begin
        if (s_axil_awready) begin
            awaddr_q      <= s_axil_awaddr;
            m_axil_awprot <= s_axil_awprot;
        end
        if (s_axil_wready) begin
            m_axil_wdata <= s_axil_wdata;
            m_axil_wstrb <= s_axil_wstrb;
        end
        if (wr_done) s_axil_bresp <= bresp_d;
    end

    assign m_axil_awaddr  = awaddr_q[WINDOW_WIDTH-1:0];
    assign m_axil_awvalid = awvalid_q;
    assign m_axil_wvalid  = wvalid_q;
    // Nothing is answered here before it, so the port's answer is taken as soon as it comes.
    assign m_axil_bready  = write_q;

    // Read: hold the address, offer it to the port, wait for its answer, answer.
    reg                  ar_held_q;
    reg                  reads_q;
    reg [COUNT-1:0]      arvalid_q;
    reg [COUNT-1:0]      read_q;

    wire        rd_go     = ar_held_q && !reads_q;
    wire        rd_nobody = reads_q && read_q == {COUNT{1'b0}};
    wire        rd_answer = |(m_axil_rvalid & read_q);
    wire        rd_done   = rd_nobody || rd_answer;
    wire        ar_held_d = (s_axil_arvalid && s_axil_arready) || (ar_held_q && !rd_done);
    wire        rvalid_d  = rd_done || (s_axil_rvalid && !s_axil_rready);
    reg  [1:0]  rresp_d;
    reg  [31:0] rdata_d;
    integer     j;
    always @* begin
        rresp_d = rd_nobody ? SLVERR : 2'b00;
        rdata_d = 32'd0;
        for (j = 0; j < COUNT; j = j + 1) begin
            rresp_d = rresp_d | (m_axil_rresp[2*j +: 2] & {2{read_q[j]}});
            rdata_d = rdata_d | (m_axil_rdata[32*j +: 32] & {32{read_q[j]}});
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            s_axil_arready <= 1'b0;
            ar_held_q      <= 1'b0;
            reads_q        <= 1'b0;
            arvalid_q      <= {COUNT{1'b0}};
            read_q         <= {COUNT{1'b0}};
            s_axil_rvalid  <= 1'b0;
        end else begin
            ar_held_q      <= ar_held_d;
            s_axil_rvalid  <= rvalid_d;
            s_axil_arready <= !ar_held_d && !rvalid_d;
            reads_q        <= (reads_q && !rd_done) || rd_go;
            arvalid_q      <= rd_go ? ar_port : arvalid_q & ~m_axil_arready;
            read_q         <= rd_go ? ar_port : rd_done ? {COUNT{1'b0}} : read_q;
        end
    end
    always @(posedge clk) begin
        if (s_axil_arready) begin
            araddr_q      <= s_axil_araddr;
            m_axil_arprot <= s_axil_arprot;
        end
        if (rd_done) begin
            s_axil_rresp <= rresp_d;
            s_axil_rdata <= rdata_d;
        end
    end

    assign m_axil_araddr  = araddr_q[WINDOW_WIDTH-1:0];
    assign m_axil_arvalid = arvalid_q;
    assign m_axil_rready  = read_q;
endmodule
`default_nettype wire
