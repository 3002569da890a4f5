// rlc_axi_rules.sv — the rules of AXI4 at one port, seen from outside: its write channels, its read channels, a burst.
// SPDX-License-Identifier: Apache-2.0
//
// MASTER, SLAVE   formal: 1 the side's rules are proved, 0 they are assumed of it; simulation checks both.
//                 2: nobody looks, the side may do what it likes
// OPEN            bursts taken and not answered at most, a power of two; of reads: with one ID. LIMITED: formal, 1 it is
//                 proved
// FULL            1: every beat is as wide as the bus, and every address a multiple of it
// MASTER_WAIT     clocks in which the master must take an answer, 1 to 254; 0 no promise
//
// rst             as the design's: synchronous, high. Nothing is checked before the first one
// not checked     strobes of narrow beats (FULL 1 says there are none); locks, user signals, QoS: no core has them
`default_nettype none
`include "rlc_rules.svh"

// An address channel: what every channel keeps, and the burst's address, length, size, type (A3.4.1) and cache (A4.4).
module rlc_axi_address_rules #(
    parameter ID_WIDTH   = 4,
    parameter ADDR_WIDTH = 32,
    parameter DATA_WIDTH = 64,
    parameter MASTER     = 1,
    parameter FULL       = 1
) (
    input wire                  clk,
    input wire                  rst,
    input wire [ID_WIDTH-1:0]   id,
    input wire [ADDR_WIDTH-1:0] addr,
    input wire [7:0]            len,
    input wire [2:0]            size,
    input wire [1:0]            burst,
    input wire [3:0]            cache,
    input wire [2:0]            prot,
    input wire                  valid,
    input wire                  ready
);
    localparam [1:0] FIXED = 2'b00, INCR = 2'b01, WRAP = 2'b10;
    localparam BYTES = DATA_WIDTH / 8;
    localparam integer SIZE = $clog2(BYTES);

    rlc_handshake_rules #(.WIDTH(ID_WIDTH + ADDR_WIDTH + 20), .PROVED(MASTER)) channel (
        .clk(clk), .rst(rst), .valid(valid), .ready(ready), .data({id, addr, len, size, burst, cache, prot})
    );

    reg seen = 1'b0;    // there was a reset
    always @(posedge clk) seen <= seen || rst;

    wire [11:0] low   = addr[11:0] & (12'hFFF << size);
    wire [11:0] odd   = addr[11:0] & ~(12'hFFF << size);
    wire [15:0] bytes = ({8'd0, len} + 16'd1) << size;
    always @(posedge clk) if (seen && !rst && valid) begin
        `RLC_RULE(MASTER, legal, burst != 2'b11 && {29'd0, size} <= SIZE && (burst != FIXED || len < 8'd16),
                  "BURST, LEN or SIZE does not exist")
        `RLC_RULE(MASTER, wraps,
                  burst != WRAP || ((len == 8'd1 || len == 8'd3 || len == 8'd7 || len == 8'd15) && odd == 12'd0),
                  "a wrapping burst has a wrong length or address")
        `RLC_RULE(MASTER, page, burst != INCR || {4'd0, low} + bytes <= 16'd4096, "a burst crosses 4 KiB")
        `RLC_RULE(MASTER, cache_bits, cache[1] || cache[3:2] == 2'b00, "CACHE allocates what may not be cached")
        `RLC_RULE(MASTER, full, FULL == 0 || ({29'd0, size} == SIZE && odd == 12'd0),
                  "a burst is narrow or not aligned, against the promise")
    end
endmodule

module rlc_axi_write_rules #(
    parameter ID_WIDTH    = 4,
    parameter ADDR_WIDTH  = 32,
    parameter DATA_WIDTH  = 64,
    parameter MASTER      = 1,
    parameter SLAVE       = 0,
    parameter OPEN        = 4,
    parameter LIMITED     = 1,
    parameter FULL        = 1,
    parameter MASTER_WAIT = 0
) (
    input wire                    clk,
    input wire                    rst,
    input wire [ID_WIDTH-1:0]     awid,
    input wire [ADDR_WIDTH-1:0]   awaddr,
    input wire [7:0]              awlen,
    input wire [2:0]              awsize,
    input wire [1:0]              awburst,
    input wire [3:0]              awcache,
    input wire [2:0]              awprot,
    input wire                    awvalid,
    input wire                    awready,
    input wire [DATA_WIDTH-1:0]   wdata,
    input wire [DATA_WIDTH/8-1:0] wstrb,
    input wire                    wlast,
    input wire                    wvalid,
    input wire                    wready,
    input wire [ID_WIDTH-1:0]     bid,
    input wire [1:0]              bresp,
    input wire                    bvalid,
    input wire                    bready
);
    localparam PLACE = (OPEN > 1) ? $clog2(OPEN) : 1;

    reg seen = 1'b0;    // there was a reset
    always @(posedge clk) seen <= seen || rst;

    rlc_axi_address_rules #(
        .ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH), .MASTER(MASTER), .FULL(FULL)
    ) aw (
        .clk(clk), .rst(rst), .id(awid), .addr(awaddr), .len(awlen), .size(awsize), .burst(awburst), .cache(awcache),
        .prot(awprot), .valid(awvalid), .ready(awready)
    );
    rlc_handshake_rules #(.WIDTH(DATA_WIDTH + DATA_WIDTH/8 + 1), .PROVED(MASTER)) w (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wlast, wstrb, wdata})
    );
    rlc_handshake_rules #(.WIDTH(ID_WIDTH + 2), .PROVED(SLAVE)) b (
        .clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data({bid, bresp})
    );

    wire aw_go = awvalid && awready;
    wire w_go  = wvalid && wready;
    wire b_go  = bvalid && bready;

    // Bursts by number: addresses taken, bursts whose data are taken. Either may be ahead.
    reg  [PLACE+1:0]    aws = 0;
    reg  [PLACE+1:0]    ws  = 0;
    wire [PLACE+1:0]    ahead    = aws - ws;           // negative: data are ahead
    wire                aw_first = !ahead[PLACE+1] && ahead != 0;
    wire                w_first  = ahead[PLACE+1];
    reg  [7:0]          beats = 0;                     // of the burst that goes on
    reg  [7:0]          lens [0:(1<<PLACE)-1];
    reg  [7:0]          sent [0:(1<<PLACE)-1];
    reg  [ID_WIDTH-1:0] ids  [0:(1<<PLACE)-1];
    reg  [(1<<PLACE)-1:0] open  = 0;                   // its address is taken, it is not answered
    reg  [(1<<PLACE)-1:0] whole = 0;                   // its data are taken
    wire [PLACE-1:0]    aw_at = aws[PLACE-1:0];
    wire [PLACE-1:0]    w_at  = ws[PLACE-1:0];

    // The oldest burst with the answer's ID.
    reg                 known;
    reg  [PLACE-1:0]    oldest;
    reg  [PLACE-1:0]    at;
    integer             k;
    always @* begin
        known  = 1'b0;
        oldest = 0;
        for (k = 0; k < (1 << PLACE); k = k + 1) begin
            at = aw_at - 1'b1 - k[PLACE-1:0];
            if (open[at] && ids[at] == bid) begin
                known  = 1'b1;
                oldest = at;
            end
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            aws   <= 0;
            ws    <= 0;
            beats <= 8'd0;
            open  <= 0;
            whole <= 0;
        end else begin
            if (aw_go) begin
                aws         <= aws + 1'b1;
                open[aw_at] <= 1'b1;
            end
            if (w_go) begin
                beats <= wlast ? 8'd0 : beats + 8'd1;
                if (wlast) begin
                    ws          <= ws + 1'b1;
                    whole[w_at] <= 1'b1;
                end
            end
            if (b_go && known) begin
                open[oldest]  <= 1'b0;
                whole[oldest] <= 1'b0;
            end
        end
        if (aw_go) begin
            lens[aw_at] <= awlen;
            ids[aw_at]  <= awid;
        end
        if (w_go && wlast) sent[w_at] <= beats;
    end

    reg [7:0] b_stay = 0;
    always @(posedge clk) b_stay <= (!rst && bvalid && !bready && MASTER_WAIT != 0) ? b_stay + 8'd1 : 8'd0;

    always @(posedge clk) if (seen && !rst) begin
        if (awvalid) begin
            // Data that are ahead of their address decide its length.
            if (w_first) begin
                `RLC_RULE(MASTER, aw_length, awlen == sent[aw_at], "AWLEN is not what was sent before it")
            end
            if (ahead == 0) begin
                `RLC_RULE(MASTER, aw_room, awlen >= beats, "AWLEN is less than what was sent before it")
            end
        end
        if (wvalid) begin
            if (aw_first) begin
                `RLC_RULE(MASTER, w_last, wlast == (beats == lens[w_at]), "WLAST is not with the last beat")
            end
            if (ahead == 0 && awvalid) begin
                `RLC_RULE(MASTER, w_last_now, wlast == (beats == awlen), "WLAST is not with the last beat")
            end
        end
        if (bvalid) begin
            `RLC_RULE(SLAVE, b_answers, known && whole[oldest], "BVALID without a whole write of its ID")
            `RLC_RULE(SLAVE, b_legal, bresp != 2'b01, "BRESP is EXOKAY, and nothing asked for it")
        end
        `RLC_RULE(LIMITED, aw_limit, !(aw_go && open[aw_at]), "more writes are open than promised")
        `RLC_RULE(LIMITED, w_limit, !(w_go && wlast && whole[w_at]), "more data are open than promised")
        if (MASTER_WAIT != 0) begin
            `RLC_RULE(MASTER, b_taken, $signed({1'b0, b_stay}) < MASTER_WAIT, "BREADY does not come")
        end
    end
endmodule

module rlc_axi_read_rules #(
    parameter ID_WIDTH    = 4,
    parameter ADDR_WIDTH  = 32,
    parameter DATA_WIDTH  = 64,
    parameter MASTER      = 1,
    parameter SLAVE       = 0,
    parameter OPEN        = 1,
    parameter LIMITED     = 1,
    parameter FULL        = 1,
    parameter MASTER_WAIT = 0
) (
    input wire                  clk,
    input wire                  rst,
    input wire [ID_WIDTH-1:0]   arid,
    input wire [ADDR_WIDTH-1:0] araddr,
    input wire [7:0]            arlen,
    input wire [2:0]            arsize,
    input wire [1:0]            arburst,
    input wire [3:0]            arcache,
    input wire [2:0]            arprot,
    input wire                  arvalid,
    input wire                  arready,
    input wire [ID_WIDTH-1:0]   rid,
    input wire [DATA_WIDTH-1:0] rdata,
    input wire [1:0]            rresp,
    input wire                  rlast,
    input wire                  rvalid,
    input wire                  rready
);
    localparam IDS    = 1 << ID_WIDTH;
    localparam PLACES = OPEN;

    reg seen = 1'b0;    // there was a reset
    always @(posedge clk) seen <= seen || rst;

    rlc_axi_address_rules #(
        .ID_WIDTH(ID_WIDTH), .ADDR_WIDTH(ADDR_WIDTH), .DATA_WIDTH(DATA_WIDTH), .MASTER(MASTER), .FULL(FULL)
    ) ar (
        .clk(clk), .rst(rst), .id(arid), .addr(araddr), .len(arlen), .size(arsize), .burst(arburst), .cache(arcache),
        .prot(arprot), .valid(arvalid), .ready(arready)
    );
    rlc_handshake_rules #(.WIDTH(ID_WIDTH + DATA_WIDTH + 3), .PROVED(SLAVE)) r (
        .clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rid, rlast, rresp, rdata})
    );

    wire ar_go = arvalid && arready;
    wire r_go  = rvalid && rready;

    // The reads of each ID in order, the oldest at the bottom of its line: bit 8 of an entry says that there is one.
    reg  [9*PLACES-1:0] line  [0:IDS-1];
    reg  [7:0]          beats [0:IDS-1];    // of the oldest
    wire [9*PLACES-1:0] ar_line = line[arid];
    wire [9*PLACES-1:0] r_line  = line[rid];
    wire                known   = r_line[8];
    wire [7:0]          len     = r_line[7:0];
    wire                ends    = beats[rid] == len;

    // A line after an answer, and after a request.
    function [9*PLACES-1:0] pushed(input [9*PLACES-1:0] old, input [7:0] length);
        integer j;
        reg     done;
        begin
            pushed = old;
            done   = 1'b0;
            for (j = 0; j < PLACES; j = j + 1) begin
                if (!done && !old[9*j+8]) begin
                    pushed[9*j +: 9] = {1'b1, length};
                    done = 1'b1;
                end
            end
        end
    endfunction
    wire [9*PLACES-1:0] r_after  = (r_go && rlast) ? r_line >> 9 : r_line;
    wire                together = ar_go && r_go && arid == rid;
    integer i;
    always @(posedge clk) begin
        if (rst) begin
            for (i = 0; i < IDS; i = i + 1) begin
                line[i]  <= 0;
                beats[i] <= 8'd0;
            end
        end else begin
            if (r_go) begin
                line[rid]  <= r_after;
                beats[rid] <= rlast ? 8'd0 : beats[rid] + 8'd1;
            end
            if (ar_go) line[arid] <= pushed(together ? r_after : ar_line, arlen);
        end
    end

    reg [7:0] r_stay = 0;
    always @(posedge clk) r_stay <= (!rst && rvalid && !rready && MASTER_WAIT != 0) ? r_stay + 8'd1 : 8'd0;

    always @(posedge clk) if (seen && !rst) begin
        if (rvalid) begin
            `RLC_RULE(SLAVE, r_answers, known, "RVALID without a read of its ID")
            `RLC_RULE(SLAVE, r_last, rlast == ends, "RLAST is not with the last beat")
            `RLC_RULE(SLAVE, r_legal, rresp != 2'b01, "RRESP is EXOKAY, and nothing asked for it")
        end
        `RLC_RULE(LIMITED, ar_limit, !(ar_go && ar_line[9*PLACES-1] && !(together && rlast)),
                  "more reads of an ID are open than promised")
        if (MASTER_WAIT != 0) begin
            `RLC_RULE(MASTER, r_taken, $signed({1'b0, r_stay}) < MASTER_WAIT, "RREADY does not come")
        end
    end
endmodule
`default_nettype wire
