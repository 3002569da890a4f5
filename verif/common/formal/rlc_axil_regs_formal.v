// rlc_axil_regs_formal.v — what rlc_axil_regs promises to any master and to the core behind it.
// SPDX-License-Identifier: Apache-2.0
//
// Nothing is assumed of the master: it may even drop a valid before it was taken. The model remembers what
// was accepted and not yet answered. REGS 6 leaves two word addresses that must be refused; every other word acts.
`default_nettype none
module rlc_axil_regs_formal (
    input wire        clk,
    input wire        rst,
    input wire [4:0]  awaddr,
    input wire        awvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        wvalid,
    input wire        bready,
    input wire [4:0]  araddr,
    input wire        arvalid,
    input wire        rready,
    input wire [31:0] rd_data
);
    localparam REGS = 6;

    wire        awready;
    wire        wready;
    wire [1:0]  bresp;
    wire        bvalid;
    wire        arready;
    wire [31:0] rdata;
    wire [1:0]  rresp;
    wire        rvalid;
    wire        wr_en;
    wire [2:0]  wr_addr;
    wire [31:0] wr_data;
    wire        rd_en;
    wire [2:0]  rd_addr;

    rlc_axil_regs #(.ADDR_WIDTH(5), .REGS(REGS)) dut (
        .clk(clk), .rst(rst),
        .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
        .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
        .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
        .s_axil_araddr(araddr), .s_axil_arprot(3'd0), .s_axil_arvalid(arvalid), .s_axil_arready(arready),
        .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
        .wr_en(wr_en), .wr_addr(wr_addr), .wr_data(wr_data), .wr_acts(wr_addr[0]),
        .rd_en(rd_en), .rd_addr(rd_addr), .rd_data(rd_data)
    );

    reg past = 1'b0;
    reg rst_1;
    always @(posedge clk) begin
        past  <= 1'b1;
        rst_1 <= rst;
    end
    always @* if (!past) assume (rst);

    // Writes: at most one address and one datum accepted and unanswered; one strobe, then one answer. Bytes without a
    // strobe are what stood at rd_data in the second clock of the word's address at rd_addr.
    reg        aw_open = 1'b0;
    reg        w_open = 1'b0;
    reg        strobed = 1'b0;
    reg [2:0]  aw_index;
    reg [31:0] w_data;
    reg [3:0]  w_strb;
    reg        both_1 = 1'b0;
    reg        merging_1 = 1'b0;
    reg        kept_done = 1'b0;
    reg [31:0] kept;
    reg [3:0]  waits;
    wire       wr_allowed = aw_index < REGS;
    wire       wr_happens = wr_allowed && w_strb != 4'd0;
    wire       part = w_strb != 4'd0 && w_strb != 4'd15;
    wire [31:0] lanes = {{8{w_strb[3]}}, {8{w_strb[2]}}, {8{w_strb[1]}}, {8{w_strb[0]}}};
    wire       both = aw_open && w_open && !bvalid;
    wire       merging = both && part && !\dut.merge_q [2];
    (* hierconn *) wire [2:0] \dut.merge_q ;
    (* hierconn *) wire \dut.wr_part_q ;

    always @(posedge clk) begin
        if (rst) begin
            aw_open <= 1'b0;
            w_open  <= 1'b0;
            strobed <= 1'b0;
        end else begin
            if (awvalid && awready) begin
                aw_open  <= 1'b1;
                aw_index <= awaddr[4:2];
            end
            if (wvalid && wready) begin
                w_open <= 1'b1;
                w_data <= wdata;
                w_strb <= wstrb;
            end
            if (wr_en) strobed <= 1'b1;
            if (bvalid && bready) begin
                aw_open <= 1'b0;
                w_open  <= 1'b0;
                strobed <= 1'b0;
            end
        end
        both_1    <= !rst && aw_open && w_open && !(bvalid && bready);
        merging_1 <= !rst && merging;
        kept_done <= !rst && (\dut.merge_q [1] || (kept_done && !(bvalid && bready)));
        if (\dut.merge_q [1]) kept <= aw_index[0] ? 32'd0 : rd_data;
        waits     <= rst || !both ? 4'd0 : waits + 4'd1;
    end

    always @* begin
        if (past) begin
            if (aw_open) assert (!awready);
            if (w_open) assert (!wready);
            if (bvalid) assert (aw_open && w_open);
            if (bvalid) assert (strobed == wr_happens);
            if (bvalid) assert (bresp == (wr_allowed ? 2'b00 : 2'b10));
            if (wr_en) assert (aw_open && w_open && !strobed && !bvalid && wr_happens);
            if (wr_en) assert (wr_addr == aw_index && wr_data == ((w_data & lanes) | (kept & ~lanes & {32{part}})));
            if (wr_en && part) assert (kept_done);
            if (strobed) assert (bvalid);
            // No request waits for ever: open when idle, answered on the clock after both are here.
            if (!rst_1 && !aw_open && !(w_open && bvalid)) assert (awready);
            if (!rst_1 && !w_open && !(aw_open && bvalid)) assert (wready);
            if (both_1 && !part) assert (bvalid);
            if (both) assert (waits < 4'd6);
        end
    end

    // Reads: one address accepted and unanswered; one strobe, data taken the clock after, one answer.
    reg        ar_open = 1'b0;
    reg        asked = 1'b0;
    reg [2:0]  ar_index;
    reg [31:0] answer;
    wire       rd_allowed = ar_index < REGS;

    // age counts the clocks since the address was accepted: strobe at 0, data at 1, answer from 2 on.
    reg [1:0] age;
    always @(posedge clk) begin
        if (rst) begin
            ar_open <= 1'b0;
            asked   <= 1'b0;
        end else begin
            if (arvalid && arready) begin
                ar_open  <= 1'b1;
                ar_index <= araddr[4:2];
                age      <= 2'd0;
                asked    <= 1'b0;
            end else if (ar_open && age != 2'd2) begin
                age <= age + 2'd1;
            end
            if (rd_en) asked <= 1'b1;
            if (ar_open && age == 2'd1) answer <= rd_allowed ? rd_data : 32'd0;
            if (rvalid && rready) ar_open <= 1'b0;
        end
    end

    // Ties the model to the block, so that induction holds.
    (* hierconn *) wire \dut.rd_go_q ;
    (* hierconn *) wire \dut.rd_take_q ;
    (* hierconn *) wire \dut.aw_held_q ;
    (* hierconn *) wire \dut.w_held_q ;
    (* hierconn *) wire [2:0] \dut.wr_addr ;
    (* hierconn *) wire [31:0] \dut.wr_data ;
    (* hierconn *) wire [3:0] \dut.wr_strb_q ;
    always @* begin
        if (past) begin
            assert (\dut.rd_go_q == (ar_open && age == 2'd0));
            assert (\dut.rd_take_q == (ar_open && age == 2'd1));
            assert (\dut.aw_held_q == (aw_open && !bvalid));
            assert (\dut.w_held_q == (w_open && !bvalid));
            if (aw_open) assert (\dut.wr_addr == aw_index);
            if (w_open) assert (\dut.wr_strb_q == w_strb && \dut.wr_part_q == part);
            if (w_open) assert (\dut.wr_data == ((w_data & lanes) | (kept_done ? kept & ~lanes : 32'd0)));
            assert (\dut.merge_q == 3'd0 || \dut.merge_q == 3'd1 || \dut.merge_q == 3'd2 || \dut.merge_q == 3'd4);
            // The port belongs to one side at a time, and both clocks show the word that is written.
            if (\dut.merge_q != 3'd0) assert (both && part && !(ar_open && age < 2'd2) && !arready && !rd_en);
            if (\dut.merge_q [0] || \dut.merge_q [1]) assert (rd_addr == aw_index);
            assert (kept_done == (\dut.merge_q [2] || (bvalid && part)));
        end
    end

    always @* begin
        if (past) begin
            assert (!ar_open || age <= 2'd2);
            assert (rvalid == (ar_open && age == 2'd2));
            if (ar_open) assert (!arready);
            if (ar_open && age < 2'd2) assert (rd_addr == ar_index);
            if (rd_en) assert (ar_open && age == 2'd0 && rd_allowed);
            if (ar_open && age == 2'd0) assert (rd_en == rd_allowed);
            if (ar_open) assert (asked == (rd_allowed && age != 2'd0));
            if (rvalid) assert (rdata == answer);
            if (rvalid) assert (rresp == (rd_allowed ? 2'b00 : 2'b10));
            if (!rst_1 && !ar_open && !merging_1) assert (arready);
            if (rst_1) assert (!awready && !wready && !arready && !bvalid && !rvalid && !wr_en && !rd_en);
        end
    end

    // Answers are stable while stalled.
    reg        b_stalled_1 = 1'b0;
    reg        r_stalled_1 = 1'b0;
    reg [1:0]  bresp_1;
    reg [1:0]  rresp_1;
    reg [31:0] rdata_1;
    always @(posedge clk) begin
        b_stalled_1 <= !rst && bvalid && !bready;
        r_stalled_1 <= !rst && rvalid && !rready;
        bresp_1     <= bresp;
        rresp_1     <= rresp;
        rdata_1     <= rdata;
        if (past && b_stalled_1) assert (bvalid && bresp == bresp_1);
        if (past && r_stalled_1) assert (rvalid && rresp == rresp_1 && rdata == rdata_1);
    end

    // Not vacuous: two writes in either order of AW and W, refused requests, a stalled and a taken answer.
    reg [1:0] writes = 2'd0;
    reg [1:0] reads = 2'd0;
    reg       aw_first = 1'b0;
    reg       w_first = 1'b0;
    always @(posedge clk) begin
        if (rst) begin
            writes   <= 2'd0;
            reads    <= 2'd0;
            aw_first <= 1'b0;
            w_first  <= 1'b0;
        end else begin
            if (bvalid && bready) writes <= writes + 2'd1;
            if (rvalid && rready) reads <= reads + 2'd1;
            if (aw_open && !w_open) aw_first <= 1'b1;
            if (w_open && !aw_open) w_first <= 1'b1;
        end
        cover (past && writes == 2'd2 && aw_first && w_first);
        cover (past && bvalid && bready && bresp == 2'b10);
        cover (past && rvalid && rready && rresp == 2'b10);
        cover (past && reads == 2'd2 && rvalid && rdata == 32'h600d_da7a);
        cover (past && b_stalled_1 && r_stalled_1);
        cover (past && wr_en && w_strb == 4'b0101 && wr_data == 32'h600d_da7a && writes == 2'd1);
        cover (past && waits == 4'd5);
    end
endmodule
`default_nettype wire
