// rlc_sync_pulse_formal.v — as many pulses leave rlc_sync_pulse as were taken, for any two clocks.
// SPDX-License-Identifier: Apache-2.0
//
// Both clocks are free inputs: any ratio, any phase, edges together or apart, either one standing still.
// Flip-flops are ideal: metastability is what ASYNC_REG and the number of stages answer, not this proof.
// Resets are low; the proof starts from the power-up state.
`default_nettype none
module rlc_sync_pulse_formal (
    input wire s_clk,
    input wire m_clk,
    input wire s_pulse
);
    wire s_busy;
    wire m_pulse;

    rlc_sync_pulse #(.STAGES(2)) dut (
        .s_clk(s_clk), .s_rst(1'b0), .s_pulse(s_pulse), .s_busy(s_busy),
        .m_clk(m_clk), .m_rst(1'b0), .m_pulse(m_pulse)
    );

    (* hierconn *) wire       \dut.request_q ;
    (* hierconn *) wire       \dut.answer_q ;
    (* hierconn *) wire [1:0] \dut.u_request.chain_q ;
    (* hierconn *) wire [1:0] \dut.u_answer.chain_q ;

    reg [2:0] taken = 3'd0;
    reg [2:0] delivered = 3'd0;
    reg       took = 1'b0;
    always @(posedge s_clk) begin
        if (s_pulse && !s_busy) taken <= taken + 3'd1;
        took <= s_pulse && !s_busy;
    end
    always @(posedge m_clk) if (m_pulse) delivered <= delivered + 3'd1;

    wire [2:0] in_flight = taken - delivered;

    // The ring of flip-flops from the request round to its acknowledgement holds at most one change of
    // level: one pulse in flight. This is what induction needs.
    wire [6:0] ring = {\dut.request_q , \dut.u_request.chain_q [0], \dut.u_request.chain_q [1],
                       \dut.answer_q , \dut.u_answer.chain_q [0], \dut.u_answer.chain_q [1], 1'b0};
    wire [4:0] change = ring[6:2] ^ ring[5:1];

    // Power-up: said here, because a wire joined by hierconn loses the initial value it had inside.
    (* gclk *) wire tick;
    reg past = 1'b0;
    always @(posedge tick) past <= 1'b1;
    always @* if (!past) assume (ring == 7'd0);

    always @* begin
        assert ((change & (change - 5'd1)) == 5'd0);
        assert (in_flight == {2'b00, \dut.request_q != \dut.answer_q });
        // Nothing taken is lost, nothing appears from nowhere, and busy says when another may come.
        assert (in_flight <= 3'd1);
        if (!s_busy) assert (in_flight == 3'd0);
        if (m_pulse) assert (in_flight == 3'd1);
        if (took && in_flight == 3'd1) assert (s_busy);
    end

    always @* begin
        cover (taken == 3'd3 && delivered == 3'd3 && !s_busy);
    end
endmodule
`default_nettype wire
