// rlc_credit_formal.v — credits in front of a pipeline that cannot stall and the queue behind it: the queue never
// overflows, nothing is lost or stuck, and room is given whenever there is some.
// SPDX-License-Identifier: Apache-2.0
//
// The pipeline is LATENCY registers, the queue counts only. Nothing is assumed of who sends and who takes.
`default_nettype none
module rlc_credit_formal (
    input wire clk,
    input wire rst,
    input wire s_valid,
    input wire m_ready
);
    localparam PLACES  = 5;
    localparam LATENCY = 3;

    wire room;
    wire m_valid;
    wire take = s_valid && room;
    wire give = m_valid && m_ready;
    rlc_credit #(.PLACES(PLACES)) dut (.clk(clk), .rst(rst), .take(take), .give(give), .room(room));

    reg [LATENCY-1:0] line;
    always @(posedge clk) line <= rst ? 0 : {line, take};
    // It asserts that it has a place for every word.
    rlc_queue #(.WIDTH(1), .DEPTH(PLACES)) queue (
        .clk(clk), .rst(rst), .s_valid(line[LATENCY-1]), .s_data(1'b0),
        .m_valid(m_valid), .m_ready(m_ready), .m_data()
    );
    (* hierconn *) wire [2:0] \queue.u_fifo.count ;
    wire [2:0] held = \queue.u_fifo.count ;

    reg past = 1'b0;
    reg rst_1;
    always @(posedge clk) begin
        past  <= 1'b1;
        rst_1 <= rst;
    end
    always @* if (!past) assume (rst);

    wire [2:0] on_the_way = line[0] + line[1] + line[2];
    wire [3:0] used = on_the_way + held;
    (* hierconn *) wire [2:0] \dut.free_q ;
    always @* begin
        if (past) begin
            assert (used <= PLACES);
            // Nothing waits for ever: with a place free there is room, and only then.
            assert (room == (used < PLACES));
            assert (\dut.free_q + used == PLACES);
        end
    end

    // What rlc_fifo proves of itself (rlc_fifo.sby), which the induction needs here.
    (* hierconn *) wire \queue.u_fifo.m_valid_q ;
    (* hierconn *) wire \queue.u_fifo.s_ready_q ;
    always @* begin
        if (past) begin
            assert (\queue.u_fifo.m_valid_q == (held != 3'd0));
            assert (\queue.u_fifo.s_ready_q == (!rst_1 && held != PLACES));
        end
    end

    // Not vacuous: all places are used, and PLACES of LATENCY + 2 carry one a clock.
    reg [4:0] streak = 5'd0;
    always @(posedge clk) begin
        streak <= (!rst && take) ? streak + 5'd1 : 5'd0;
        cover (past && held == PLACES && s_valid);
        cover (streak == 5'd12);
    end
endmodule
`default_nettype wire
