// rlc_fifo_async_formal.v — what rlc_fifo_async promises, for any two clocks and any traffic.
// SPDX-License-Identifier: Apache-2.0
//
// Both clocks are free inputs: any ratio, any phase, edges together or apart, either one standing still. Flip-flops are
// ideal: metastability, and bits of a pointer that arrive in different clocks, are what ASYNC_REG, the number of stages,
// Gray code and the constraints answer, not this proof. Resets are low; the proof starts from the power-up state.
//
// Any one item is followed, chosen freely when it is pushed. While it is inside, it lies between the pointers, and its
// place in the memory keeps its value; when its turn comes, m_data is it. So no item is lost, doubled, overtaken or
// overwritten. Induction needs to know that what a side knows of the other one's pointer is never ahead of it.
`default_nettype none
module rlc_fifo_async_formal (
    input wire       s_clk,
    input wire       s_valid,
    input wire [1:0] s_data,
    input wire       m_clk,
    input wire       m_ready,
    input wire       follow
);
    wire       s_ready;
    wire       m_valid;
    wire [1:0] m_data;

    rlc_fifo_async #(.WIDTH(2), .DEPTH_LOG2(2), .STAGES(2)) dut (
        .s_clk(s_clk), .s_rst(1'b0), .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_clk(m_clk), .m_rst(1'b0), .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data)
    );

    (* hierconn *) wire [2:0] \dut.wr_q ;
    (* hierconn *) wire [2:0] \dut.wr_gray_q ;
    (* hierconn *) wire       \dut.s_ready_q ;
    (* hierconn *) wire [2:0] \dut.rd_q ;
    (* hierconn *) wire [2:0] \dut.rd_gray_q ;
    (* hierconn *) wire       \dut.m_valid_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[0].u_wr.chain_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[1].u_wr.chain_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[2].u_wr.chain_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[0].u_rd.chain_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[1].u_rd.chain_q ;
    (* hierconn *) wire [1:0] \dut.g_bit[2].u_rd.chain_q ;
    (* hierconn *) wire [1:0] \dut.mem[0] ;
    (* hierconn *) wire [1:0] \dut.mem[1] ;
    (* hierconn *) wire [1:0] \dut.mem[2] ;
    (* hierconn *) wire [1:0] \dut.mem[3] ;

    function [2:0] binary(input [2:0] gray);
        binary = {gray[2], gray[2] ^ gray[1], gray[2] ^ gray[1] ^ gray[0]};
    endfunction

    wire [2:0] wr = \dut.wr_q ;
    wire [2:0] rd = \dut.rd_q ;
    // What has arrived at each stage, as a number.
    wire [2:0] wr_0 = binary({\dut.g_bit[2].u_wr.chain_q [0], \dut.g_bit[1].u_wr.chain_q [0], \dut.g_bit[0].u_wr.chain_q [0]});
    wire [2:0] wr_1 = binary({\dut.g_bit[2].u_wr.chain_q [1], \dut.g_bit[1].u_wr.chain_q [1], \dut.g_bit[0].u_wr.chain_q [1]});
    wire [2:0] rd_0 = binary({\dut.g_bit[2].u_rd.chain_q [0], \dut.g_bit[1].u_rd.chain_q [0], \dut.g_bit[0].u_rd.chain_q [0]});
    wire [2:0] rd_1 = binary({\dut.g_bit[2].u_rd.chain_q [1], \dut.g_bit[1].u_rd.chain_q [1], \dut.g_bit[0].u_rd.chain_q [1]});

    // Distances around the circle of eight.
    wire [2:0] held    = wr - rd;
    wire [2:0] held_m0 = wr_0 - rd;
    wire [2:0] held_m1 = wr_1 - rd;
    wire [2:0] held_s0 = wr - rd_0;
    wire [2:0] held_s1 = wr - rd_1;

    reg [2:0] place;
    reg [1:0] value;
    reg       push_follows = 1'b0;  // toggles on the s side when an item is chosen
    reg       pop_follows  = 1'b0;  // toggles on the m side when it has left
    wire      followed = push_follows != pop_follows;

    always @(posedge s_clk) begin
        if (s_valid && s_ready && follow && !followed) begin
            push_follows <= !push_follows;
            place        <= wr;
            value        <= s_data;
        end
    end
    wire leaves = followed && m_valid && m_ready && rd == place;
    always @(posedge m_clk) if (leaves) pop_follows <= !pop_follows;

    wire [1:0] word = place[1:0] == 2'd0 ? \dut.mem[0] : place[1:0] == 2'd1 ? \dut.mem[1] :
                      place[1:0] == 2'd2 ? \dut.mem[2] : \dut.mem[3] ;

    // Power-up: said here, because a wire joined by hierconn loses the initial value it had inside.
    (* gclk *) wire tick;
    reg past = 1'b0;
    always @(posedge tick) past <= 1'b1;
    always @* if (!past) begin
        assume (wr == 3'd0 && rd == 3'd0 && \dut.wr_gray_q == 3'd0 && \dut.rd_gray_q == 3'd0);
        assume (wr_0 == 3'd0 && wr_1 == 3'd0 && rd_0 == 3'd0 && rd_1 == 3'd0);
        assume (!\dut.s_ready_q && !\dut.m_valid_q );
    end

    wire [2:0] ahead = place - rd;
    always @* begin
        // The promise.
        assert (held <= 3'd4);
        if (s_ready) assert (held <= 3'd3);
        if (m_valid) assert (held >= 3'd1);
        if (followed && m_valid && rd == place) assert (m_data == value);
        // What the promise rests on.
        assert (\dut.wr_gray_q == (wr ^ (wr >> 1)) && \dut.rd_gray_q == (rd ^ (rd >> 1)));
        assert (held_m1 <= held_m0 && held_m0 <= held);
        assert (held_s1 >= held_s0 && held_s0 >= held && held_s1 <= 3'd4);
        if (s_ready) assert (held_s1 <= 3'd3);
        if (m_valid) assert (held_m1 >= 3'd1);
        if (followed) assert (ahead < held && word == value);
    end

    // A stalled item stands still, on its own clock.
    reg       stalled_1 = 1'b0;
    always @(posedge m_clk) begin
        stalled_1 <= m_valid && !m_ready;
    end
    always @* if (stalled_1) assert (m_valid);

    reg [3:0] taken = 4'd0;
    reg       was_full = 1'b0;
    always @(posedge s_clk) was_full <= was_full || held == 3'd4;
    always @(posedge m_clk) if (m_valid && m_ready && taken != 4'd15) taken <= taken + 4'd1;
    always @* begin
        cover (was_full && held == 3'd0 && taken == 4'd6);
        cover (leaves && value == 2'd2);
    end
endmodule
`default_nettype wire
