// rlc_env_formal.sv — the shell of the environments: no answer is lost or doubled, no queue overflows, valid stays.
// SPDX-License-Identifier: Apache-2.0
//
// Three environments, any physics, any traffic, starts, stops and resets at any time.
`default_nettype none
module rlc_env_formal (
    input wire clk
);
    localparam N = 3, PLACES = 18, LATENCY = 13;
    (* anyseq *) wire rst, start, stop, s_valid, m_ready;
    (* anyseq *) wire [127:0] cfg_seed;
    (* anyseq *) wire [15:0]  cfg_time_limit;
    (* anyseq *) wire [17:0]  s_data;
    wire         s_ready, m_valid, stale, running;
    wire [173:0] m_data;
    wire         ev_step, ev_terminated, ev_truncated, ev_saturated, ev_illegal, ev_dropped;
    rlc_env #(.ENV(0), .N_ENVS(N)) dut (.*);

    reg past = 1'b0;
    reg core_rst_1;
    (* hierconn *) wire \dut.core_rst ;
    always @(posedge clk) begin
        past       <= 1'b1;
        core_rst_1 <= \dut.core_rst ;
    end
    always @* if (!past) assume (rst);

    rlc_handshake_rules #(.WIDTH(1)) u_m (
        .clk(clk), .rst(rst), .valid(m_valid), .ready(m_ready), .data(1'b0)
    );

    // What is on its way, and where the states and the places are.
    (* hierconn *) wire               \dut.valid_q , \dut.end_q , \dut.running_q , \dut.clear_q , \dut.begins_q ;
    (* hierconn *) wire [LATENCY:1]   \dut.way_q ;
    (* hierconn *) wire [1:0]         \dut.first_left_q ;
    (* hierconn *) wire [1:0]         \dut.u_ring.u_fifo.count ;
    (* hierconn *) wire [4:0]         \dut.u_answers.u_fifo.count ;
    (* hierconn *) wire [4:0]         \dut.u_credit.free_q ;
    (* hierconn *) wire               \dut.u_credit.room_q ;
    (* hierconn *) wire               \dut.u_ring.u_fifo.m_valid_q , \dut.u_ring.u_fifo.s_ready_q ;
    (* hierconn *) wire               \dut.u_answers.u_fifo.m_valid_q , \dut.u_answers.u_fifo.s_ready_q ;
    reg [4:0] on_the_way;
    integer i;
    always @* begin
        on_the_way = \dut.valid_q + \dut.end_q ;
        for (i = 1; i <= LATENCY; i = i + 1) on_the_way = on_the_way + \dut.way_q [i];
    end
    wire [6:0] states = on_the_way + \dut.u_ring.u_fifo.count + \dut.first_left_q ;
    wire [6:0] places = on_the_way + \dut.u_answers.u_fifo.count + \dut.u_credit.free_q ;
    always @* if (past) begin
        // Every environment has one state, in the ring, on its way, or still to begin.
        if (\dut.running_q ) assert (states == N);
        else if (!\dut.clear_q ) assert (states == 0);
        assert (states <= N);
        assert (places == PLACES);
        assert (\dut.u_credit.room_q == (\dut.u_credit.free_q != 0));
        assert (!(\dut.running_q && \dut.clear_q ));
        assert (!\dut.begins_q || \dut.clear_q );
        // What rlc_fifo proves of itself.
        assert (\dut.u_ring.u_fifo.m_valid_q == (\dut.u_ring.u_fifo.count != 0));
        assert (\dut.u_ring.u_fifo.s_ready_q == (!core_rst_1 && \dut.u_ring.u_fifo.count != N));
        assert (\dut.u_answers.u_fifo.m_valid_q == (\dut.u_answers.u_fifo.count != 0));
        assert (\dut.u_answers.u_fifo.s_ready_q == (!core_rst_1 && \dut.u_answers.u_fifo.count != PLACES));
    end

    // While nothing is dropped, as many answers go as there were beginnings and actions.
    reg [5:0] owed = 0;
    wire asked = (s_valid && s_ready && running) || \dut.issue_first ;
    (* hierconn *) wire \dut.issue_first ;
    wire gone  = m_valid && m_ready && !stale;
    always @(posedge clk) owed <= (rst || start || stop || \dut.clear_q ) ? 0 : owed + asked - gone;
    always @* if (past && !rst && !start && !stop && !\dut.clear_q ) begin
        assert (owed == on_the_way + \dut.u_answers.u_fifo.count );
    end
endmodule
`default_nettype wire
