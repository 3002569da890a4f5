// rlc_mfifo_formal.v — what rlc_mfifo promises, for any traffic.
// SPDX-License-Identifier: Apache-2.0
//
// A shift register beside the FIFO holds what was accepted and not yet delivered, oldest first, the items of one
// clock in the order of their inputs. "No loss, no duplicate, order kept" is then one line: m_data is its head. The
// names behind `dut.` are registers and memory words inside; read row by row they must give the same list, which is
// what makes the induction hold.
`default_nettype none
module rlc_mfifo_formal (
    input wire       clk,
    input wire       rst,
    input wire [2:0] s_valid,
    input wire [5:0] s_data,
    input wire       m_ready
);
    localparam PUSHES = 3;
    localparam DEPTH  = 2;
    localparam MOST   = PUSHES * DEPTH + 1;

    wire       s_ready;
    wire       m_valid;
    wire [1:0] m_data;
    wire       empty;

    rlc_mfifo #(.WIDTH(2), .PUSHES(PUSHES), .DEPTH(DEPTH)) dut (
        .clk(clk), .rst(rst),
        .s_valid(s_valid), .s_ready(s_ready), .s_data(s_data),
        .m_valid(m_valid), .m_ready(m_ready), .m_data(m_data), .empty(empty)
    );

    (* hierconn *) wire       \dut.u_rows.wr_addr_q ;
    (* hierconn *) wire       \dut.u_rows.rd_addr_q ;
    (* hierconn *) wire [1:0] \dut.u_rows.count_q ;
    (* hierconn *) wire       \dut.u_rows.m_valid_q ;
    (* hierconn *) wire [2:0] \dut.gone_q ;
    (* hierconn *) wire [8:0] \dut.u_rows.g_distributed.mem[0] ;
    (* hierconn *) wire [8:0] \dut.u_rows.g_distributed.mem[1] ;
    wire        wr_addr = \dut.u_rows.wr_addr_q ;
    wire        rd_addr = \dut.u_rows.rd_addr_q ;
    wire [1:0]  rows    = \dut.u_rows.count_q ;
    wire        offered = \dut.u_rows.m_valid_q ;
    wire [2:0]  gone    = \dut.gone_q ;
    wire [17:0] words   = {\dut.u_rows.g_distributed.mem[1] , \dut.u_rows.g_distributed.mem[0] };

    reg past = 1'b0;
    always @(posedge clk) past <= 1'b1;
    always @* if (!past) assume (rst);

    wire deliver = m_valid && m_ready;

    // What is inside, as the promise says it.
    reg [3:0]        held = 4'd0;
    reg [2*MOST-1:0] queue;  // the oldest item in the low bits
    reg [3:0]        held_d;
    reg [2*MOST-1:0] queue_d;
    integer          i;
    always @* begin
        held_d  = held - {3'b000, deliver};
        queue_d = deliver ? queue >> 2 : queue;
        for (i = 0; i < PUSHES; i = i + 1)
            if (s_valid[i] && s_ready) begin
                queue_d[2*held_d +: 2] = s_data[2*i +: 2];
                held_d = held_d + 4'd1;
            end
    end
    always @(posedge clk) begin
        held  <= rst ? 4'd0 : held_d;
        queue <= queue_d;
    end

    // What is inside, as registers and memory hold it.
    reg [3:0]        found;
    reg [2*MOST-1:0] list;
    reg [8:0]        row;
    reg [2:0]        items;
    reg              no_empty_row;
    integer          r, j;
    always @* begin
        found = {3'b000, m_valid};
        list  = {{(2*MOST-2){1'b0}}, m_data};
        no_empty_row = 1'b1;
        for (r = 0; r < DEPTH; r = r + 1) begin
            row   = (rd_addr ^ r[0]) ? words[17:9] : words[8:0];
            items = row[8:6] & ~(r == 0 ? gone : 3'd0);
            if (r < rows) begin
                if (items == 3'd0) no_empty_row = 1'b0;
                for (j = 0; j < PUSHES; j = j + 1)
                    if (items[j]) begin
                        list[2*found +: 2] = row[2*j +: 2];
                        found = found + 4'd1;
                    end
            end
        end
    end

    // The promise.
    always @* begin
        if (past) begin
            assert (empty == (held == 4'd0));
            if (empty) assert (!m_valid);
            if (m_valid) assert (m_data == queue[1:0]);
        end
    end

    reg       rst_1;
    reg       stalled_1 = 1'b0;
    reg       moving_1 = 1'b0;
    reg       room_1 = 1'b0;
    reg [1:0] data_1;
    always @(posedge clk) begin
        rst_1     <= rst;
        stalled_1 <= !rst && m_valid && !m_ready;
        moving_1  <= !rst && m_ready && held > {3'b000, m_valid};
        room_1    <= !rst && rows < DEPTH - 1;
        data_1    <= m_data;
        if (past && rst_1) assert (!m_valid && !s_ready);
        if (past && stalled_1) assert (m_valid && m_data == data_1);
        // One item a clock: what is held is offered as soon as the one before it has gone.
        if (past && moving_1) assert (m_valid);
        if (past && room_1) assert (s_ready);
    end

    // What ties the two lists together.
    always @* begin
        if (past) begin
            assert (rows <= DEPTH);
            assert (wr_addr == rd_addr ^ rows[0]);
            assert (offered == (rows != 2'd0));
            if (rows == DEPTH) assert (!s_ready);
            if (rows == 2'd0) assert (gone == 3'd0);
            assert (no_empty_row);
            assert (held == found);
            for (i = 0; i < MOST; i = i + 1)
                if (i < held) assert (queue[2*i +: 2] == list[2*i +: 2]);
        end
    end

    // Not vacuous: it fills up to the last item, empties again, and gives its rows one item a clock.
    reg       was_busy = 1'b0;
    reg [2:0] streak = 3'd0;
    always @(posedge clk) begin
        was_busy <= !rst && (was_busy || held == 4'd4);
        streak   <= (!rst && deliver) ? streak + 3'd1 : 3'd0;
        cover (past && held == MOST && s_valid == 3'b111);
        cover (was_busy && held == 4'd0);
        cover (streak == 3'd5);
        cover (past && s_ready && s_valid == 3'b101 && held == 4'd2);
    end
endmodule
`default_nettype wire
