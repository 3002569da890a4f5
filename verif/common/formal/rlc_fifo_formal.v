// rlc_fifo_formal.v — what rlc_fifo promises, for any traffic.
// SPDX-License-Identifier: Apache-2.0
//
// A shift register beside the FIFO holds what was accepted and not yet delivered, oldest first. With it in
// hand, "no loss, no duplicate, order kept" is one line: m_data is its head. The names behind `dut.` are the
// FIFO's own registers and memory words; the assertions on them tie model and FIFO together, so that
// induction holds. DEPTH 5 has addresses that wrap before a power of two.
`default_nettype none
module rlc_fifo_formal #(
    parameter STYLE = "distributed"
) (
    input wire       clk,
    input wire       rst,
    input wire       s_valid,
    input wire [1:0] s_data,
    input wire       m_ready
);
    localparam DEPTH = 5;
    localparam BLOCK = (STYLE == "block");

    wire       s_ready;
    wire       m_valid;
    wire [1:0] m_data;
    wire [2:0] count;

    rlc_fifo #(.WIDTH(2), .DEPTH(DEPTH), .STYLE(STYLE)) dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .count(count)
    );

    (* hierconn *) wire [2:0] \dut.wr_addr_q ;
    (* hierconn *) wire [2:0] \dut.rd_addr_q ;
    wire [2:0] wr_addr = \dut.wr_addr_q ;
    wire [2:0] rd_addr = \dut.rd_addr_q ;

    // Of these only the words of the style under proof are connected.
    (* hierconn *) wire [1:0] \dut.g_distributed.mem[0] ;
    (* hierconn *) wire [1:0] \dut.g_distributed.mem[1] ;
    (* hierconn *) wire [1:0] \dut.g_distributed.mem[2] ;
    (* hierconn *) wire [1:0] \dut.g_distributed.mem[3] ;
    (* hierconn *) wire [1:0] \dut.g_distributed.mem[4] ;
    (* hierconn *) wire [1:0] \dut.g_block.u_ram.u_lane.g_memory.mem[0] ;
    (* hierconn *) wire [1:0] \dut.g_block.u_ram.u_lane.g_memory.mem[1] ;
    (* hierconn *) wire [1:0] \dut.g_block.u_ram.u_lane.g_memory.mem[2] ;
    (* hierconn *) wire [1:0] \dut.g_block.u_ram.u_lane.g_memory.mem[3] ;
    (* hierconn *) wire [1:0] \dut.g_block.u_ram.u_lane.g_memory.mem[4] ;
    wire [9:0] words = BLOCK ?
        {\dut.g_block.u_ram.u_lane.g_memory.mem[4] , \dut.g_block.u_ram.u_lane.g_memory.mem[3] , \dut.g_block.u_ram.u_lane.g_memory.mem[2] , \dut.g_block.u_ram.u_lane.g_memory.mem[1] , \dut.g_block.u_ram.u_lane.g_memory.mem[0] } :
        {\dut.g_distributed.mem[4] , \dut.g_distributed.mem[3] , \dut.g_distributed.mem[2] , \dut.g_distributed.mem[1] , \dut.g_distributed.mem[0] };

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire accept  = s_valid && s_ready;
    wire deliver = m_valid && m_ready;

    reg [2:0] held = 3'd0;
    reg [9:0] queue;  // the oldest item in the low bits
    wire [2:0] held_after_delivery = held - {2'b00, deliver};

    integer i;
    always @(posedge clk) begin
        if (rst) begin
            held <= 3'd0;
        end else begin
            held <= held + {2'b00, accept} - {2'b00, deliver};
            if (deliver) queue <= queue >> 2;
            for (i = 0; i < DEPTH; i = i + 1)
                if (accept && held_after_delivery == i) queue[2*i +: 2] <= s_data;
        end
    end

    // The promise.
    always @* begin
        if (past) begin
            assert (held <= DEPTH);
            assert (count == held);
            if (held == DEPTH) assert (!s_ready);
            if (held == 3'd0) assert (!m_valid);
            if (m_valid) assert (m_data == queue[1:0]);
            if (!BLOCK) assert (m_valid == (held != 3'd0));
        end
    end

    reg       rst_1;
    reg       stalled_1 = 1'b0;
    reg       room_1 = 1'b0;
    reg       waiting_1 = 1'b0;
    reg [1:0] data_1;
    always @(posedge clk) begin
        rst_1     <= rst;
        stalled_1 <= !rst && m_valid && !m_ready;
        room_1    <= !rst && held_after_delivery < DEPTH - 1;
        waiting_1 <= !rst && held_after_delivery != 3'd0;
        data_1    <= m_data;
        if (past && rst_1) assert (!m_valid && !s_ready && count == 3'd0);
        if (past && stalled_1) assert (m_valid && m_data == data_1);
        // Full throughput on both sides: what can be taken is taken, what is held is offered next clock.
        if (past && room_1) assert (s_ready);
        if (past && waiting_1) assert (m_valid);
    end

    // What ties the model to the FIFO: the items it stores lie at the read address and after it.
    wire [2:0] stored = BLOCK ? held - {2'b00, m_valid} : held;
    wire [3:0] sum    = {1'b0, rd_addr} + {1'b0, stored};
    always @* begin
        if (past) begin
            assert (wr_addr < DEPTH && rd_addr < DEPTH);
            assert (wr_addr == (sum >= DEPTH ? sum - DEPTH : sum));
            if (!rst_1 && held < DEPTH) assert (s_ready);
            for (i = 0; i < DEPTH; i = i + 1)
                if (i < stored)
                    assert (queue[2 * (i + held - stored) +: 2] ==
                            words[2 * (rd_addr + i >= DEPTH ? rd_addr + i - DEPTH : rd_addr + i) +: 2]);
        end
    end

    // Not vacuous: it fills up, empties again, and runs at one item a clock.
    reg       was_full = 1'b0;
    reg [3:0] streak = 4'd0;
    always @(posedge clk) begin
        was_full <= !rst && (was_full || held == DEPTH);
        streak   <= (!rst && accept && deliver) ? streak + 4'd1 : 4'd0;
        cover (past && held == DEPTH && s_valid && !m_ready);
        cover (was_full && held == 3'd0);
        cover (streak == 4'd7);
        cover (past && deliver && m_data == 2'd2 && queue[3:2] == 2'd1 && held == 3'd3);
    end
endmodule
`default_nettype wire
