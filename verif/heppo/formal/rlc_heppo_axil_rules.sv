// rlc_heppo_axil_rules.sv — rlc_heppo_axil keeps AXI4-Lite on both of its clocks, whatever they are.
// SPDX-License-Identifier: Apache-2.0
//
// Both clocks are free: any ratio, any phase, edges together or apart. Flip-flops are ideal, as in rlc_fifo_async_formal,
// which proves that the crossings lose and change nothing; the task `prove` takes them as rlc_fifo_async_any has them. Resets are low; the proof starts from the power-up state. The
// slave behind has one write and one read open, as rlc_axil_regs.
`default_nettype none
`include "rlc_rules.svh"
module rlc_heppo_axil_rules (
    input wire s_clk,
    input wire m_clk
);
    `RLC_AXIL_MASTER_FREE(s_axil, 2)
    `RLC_AXIL_SLAVE_FREE(m_axil, 2)
    rlc_heppo_axil #(.ADDR_WIDTH(2), .STAGES(2)) dut (.s_rst(1'b0), .m_rst(1'b0), .*);

    rlc_axil_rules #(.ADDR_WIDTH(2), .LIMIT(16), .ALWAYS(1)) u_s (.clk(s_clk), .rst(1'b0), `RLC_AXIL_PORTS(s_axil));
    rlc_axil_rules #(.ADDR_WIDTH(2), .MASTER(1), .SLAVE(0), .LIMITED(0), .ALWAYS(1)) u_m (
        .clk(m_clk), .rst(1'b0), `RLC_AXIL_PORTS(m_axil)
    );

`ifdef ANY
    // Where the requests and answers on their way are; proved with the rest, they shorten the search.
    (* hierconn *) wire [2:0] \dut.u_aw.held ;
    (* hierconn *) wire [2:0] \dut.u_w.held ;
    (* hierconn *) wire [2:0] \dut.u_b.held ;
    (* hierconn *) wire [2:0] \dut.u_ar.held ;
    (* hierconn *) wire [2:0] \dut.u_r.held ;
    (* hierconn *) wire [5:0] \u_s.aws ;
    (* hierconn *) wire [5:0] \u_s.ws ;
    (* hierconn *) wire [5:0] \u_s.ars ;
    (* hierconn *) wire [1:0] \u_m.aws ;
    (* hierconn *) wire [1:0] \u_m.ws ;
    (* hierconn *) wire [1:0] \u_m.ars ;
    (* hierconn *) wire       \dut.u_aw.ready ;
    (* hierconn *) wire       \dut.u_aw.valid ;
    (* hierconn *) wire       \u_m.aw.held ;
    (* hierconn *) wire [4:0] \u_m.aw.data_1 ;
    (* hierconn *) wire       \dut.u_w.ready ;
    (* hierconn *) wire       \dut.u_w.valid ;
    (* hierconn *) wire       \u_m.w.held ;
    (* hierconn *) wire [35:0] \u_m.w.data_1 ;
    (* hierconn *) wire       \dut.u_ar.ready ;
    (* hierconn *) wire       \dut.u_ar.valid ;
    (* hierconn *) wire       \u_m.ar.held ;
    (* hierconn *) wire [4:0] \u_m.ar.data_1 ;
    (* hierconn *) wire       \dut.u_b.ready ;
    (* hierconn *) wire       \dut.u_b.valid ;
    (* hierconn *) wire       \u_s.b.held ;
    (* hierconn *) wire [1:0] \u_s.b.data_1 ;
    (* hierconn *) wire       \dut.u_r.ready ;
    (* hierconn *) wire       \dut.u_r.valid ;
    (* hierconn *) wire       \u_s.r.held ;
    (* hierconn *) wire [33:0] \u_s.r.data_1 ;
    (* hierconn *) wire \dut.u_b.exokay ;
    (* hierconn *) wire \dut.u_r.exokay ;
    // Power-up: said here, because a wire joined by hierconn loses the initial value it had inside.
    (* gclk *) wire tick;
    reg past = 1'b0;
    always @(posedge tick) past <= 1'b1;
    always @* if (!past) begin
        assume (\u_s.aws == 0 && \u_s.ws == 0 && \u_s.ars == 0);
        assume (!\dut.u_aw.ready && !\dut.u_aw.valid && !\u_m.aw.held );
        assume (!\dut.u_w.ready && !\dut.u_w.valid && !\u_m.w.held );
        assume (!\dut.u_ar.ready && !\dut.u_ar.valid && !\u_m.ar.held );
        assume (!\dut.u_b.ready && !\dut.u_b.valid && !\u_s.b.held );
        assume (!\dut.u_r.ready && !\dut.u_r.valid && !\u_s.r.held );
        assume (\u_m.aws == 0 && \u_m.ws == 0 && \u_m.ars == 0);
    end
    // What is assumed of the slave at an edge, said of every moment: between edges nobody looks.
    always @* begin
        if (m_axil_bvalid) assume (\u_m.aws != 0 && \u_m.ws != 0 && m_axil_bresp != 2'b01);
        if (m_axil_rvalid) assume (\u_m.ars != 0 && m_axil_rresp != 2'b01);
        if (\u_m.aws != 0) assume (!m_axil_awready);
        if (\u_m.ws != 0) assume (!m_axil_wready);
        if (\u_m.ars != 0) assume (!m_axil_arready);
    end
    always @* begin
        assert (\u_s.aws == \dut.u_aw.held + \u_m.aws + \dut.u_b.held );
        assert (\u_s.ws == \dut.u_w.held + \u_m.ws + \dut.u_b.held );
        assert (\u_s.ars == \dut.u_ar.held + \u_m.ars + \dut.u_r.held );
        if (\dut.u_aw.ready ) assert (\dut.u_aw.held <= 3);
        if (\dut.u_aw.valid ) assert (\dut.u_aw.held >= 1);
        if (\u_m.aw.held ) assert (\dut.u_aw.valid && {m_axil_awprot, m_axil_awaddr} == \u_m.aw.data_1 );
        if (\dut.u_w.ready ) assert (\dut.u_w.held <= 3);
        if (\dut.u_w.valid ) assert (\dut.u_w.held >= 1);
        if (\u_m.w.held ) assert (\dut.u_w.valid && {m_axil_wstrb, m_axil_wdata} == \u_m.w.data_1 );
        if (\dut.u_ar.ready ) assert (\dut.u_ar.held <= 3);
        if (\dut.u_ar.valid ) assert (\dut.u_ar.held >= 1);
        if (\u_m.ar.held ) assert (\dut.u_ar.valid && {m_axil_arprot, m_axil_araddr} == \u_m.ar.data_1 );
        if (\dut.u_b.ready ) assert (\dut.u_b.held <= 3);
        if (\dut.u_b.valid ) assert (\dut.u_b.held >= 1);
        if (\u_s.b.held ) assert (\dut.u_b.valid && s_axil_bresp == \u_s.b.data_1 );
        if (\dut.u_r.ready ) assert (\dut.u_r.held <= 3);
        if (\dut.u_r.valid ) assert (\dut.u_r.held >= 1);
        if (\u_s.r.held ) assert (\dut.u_r.valid && {s_axil_rresp, s_axil_rdata} == \u_s.r.data_1 );
        assert (!\dut.u_b.exokay && !\dut.u_r.exokay );
        assert (\u_m.aws <= 1 && \u_m.ws <= 1 && \u_m.ars <= 1);
        assert (\dut.u_aw.held <= 4 && \dut.u_w.held <= 4 && \dut.u_b.held <= 4);
        assert (\dut.u_ar.held <= 4 && \dut.u_r.held <= 4);
    end
`endif
endmodule
`default_nettype wire
