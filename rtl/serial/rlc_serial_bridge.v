// rlc_serial_bridge.v — registers and streams of cores over a serial line: frames with a CRC, one answer to each.
// SPDX-License-Identifier: Apache-2.0
//
// rxd, txd        the line, 8N1; docs/serial.md has the frames
// m_axil_*        AXI4-Lite, one access at a time
// m_put_*         a word of a stream into a core: a valid, a ready and a bit of `last` a stream, 32 bits of data each
// s_get_*         the same out of the cores
// irq             interrupt levels, told with every answer
// core_rst        reset for all that is behind, a clock later: with rst, on RESET for 8 clocks, and during a break on
//                 the line, which resets the bridge too
// busy, trouble   a command is carried out; a bad frame came, until the next good one
//
// nothing is done on behalf of a frame before its CRC was found right: it lies in a block RAM till then
// sequence        each good frame has the number after that of the last one. The last one again is answered again, from
//                 the other half of the RAM, and not carried out; any other number is refused
// overrun         bytes that come between the end of a frame and the end of its answer are lost; the next answer says so
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_check.vh"
module rlc_serial_bridge #(
    parameter CLOCKS_PER_BIT = 16,  // clocks of a bit of the line, 4..65535
    parameter WORDS          = 512, // words of 32 bits that a frame may carry, 5..4096
    parameter PUTS           = 1,   // streams into the cores, 1..16
    parameter GETS           = 1,   // streams out of the cores, 1..16
    parameter GAP_LOG2       = 20,  // a frame whose bytes are 2^GAP_LOG2 clocks apart is given up; more than two bytes
    // clocks, as a power of two, without a word moved after which PUT and GET answer with what they have
    parameter WAIT_LOG2      = 12,
    parameter CLOCK_HZ       = 0    // told to the host by HELLO; changes nothing
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               rxd,
    output wire               txd,

    `RLC_AXIL_MASTER(m_axil, 16),

    output wire [PUTS-1:0]    m_put_valid,
    input  wire [PUTS-1:0]    m_put_ready,
    output wire [PUTS*32-1:0] m_put_data,
    output wire [PUTS-1:0]    m_put_last,

    input  wire [GETS-1:0]    s_get_valid,
    output wire [GETS-1:0]    s_get_ready,
    input  wire [GETS*32-1:0] s_get_data,
    input  wire [GETS-1:0]    s_get_last,

    input  wire [1:0]         irq,
    output wire               core_rst,
    output wire               busy,
    output reg                trouble
);
    `RLC_CHECK(WORDS >= 5 && WORDS <= 4096, rlc_serial_bridge_illegal_WORDS_must_be_5_to_4096)
    `RLC_CHECK(PUTS >= 1 && PUTS <= 16 && GETS >= 1 && GETS <= 16,
               rlc_serial_bridge_illegal_PUTS_and_GETS_must_be_1_to_16)
    `RLC_CHECK(GAP_LOG2 <= 30 && WAIT_LOG2 >= 2 && WAIT_LOG2 <= 30 && (1 << GAP_LOG2) > 20 * CLOCKS_PER_BIT,
               rlc_serial_bridge_illegal_2_to_the_GAP_LOG2_must_be_more_than_20_CLOCKS_PER_BIT_and_WAIT_LOG2_2_to_30)

    localparam [7:0]  SYNC    = 8'h5A;
    localparam [7:0]  ANSWER  = 8'hA5;
    localparam [31:0] ID      = 32'h524C4353;  // "RLCS"
    localparam [15:0] VERSION = 16'd2;
    localparam [31:0] RESIDUE = 32'hDEBB20E3;

    localparam [7:0] HELLO = 8'd0, READ = 8'd1, WRITE = 8'd2, PUT = 8'd3, GET = 8'd4, RESET = 8'd5, ECHO = 8'd6;

    // LINE, GAP, CRC and LONG: the frame was damaged on its way. The others: it came as it was sent, and cannot be done.
    localparam [7:0] OK = 8'd0, LINE = 8'd1, GAP = 8'd2, CRC = 8'd3, LENGTH = 8'd4, COMMAND = 8'd5, STREAM = 8'd6,
                     REFUSED = 8'd7, LONG = 8'd8, SEQUENCE = 8'd9;

    localparam ADDR_BITS = $clog2(WORDS);
    localparam [31:0] CAPACITY  = WORDS;
    localparam [31:0] PUTS_32   = PUTS;
    localparam [31:0] GETS_32   = GETS;
    localparam [31:0] BIT_32    = CLOCKS_PER_BIT;
    localparam [31:0] HZ_32     = CLOCK_HZ;

    // ---- the line
    wire       rx_valid, rx_overrun, rx_bad, rx_brk;
    wire [7:0] rx_data;
    rlc_uart_rx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_rx (
        .clk(clk), .rst(rst), .rxd(rxd), .m_valid(rx_valid), .m_ready(1'b1), .m_data(rx_data),
        .overrun(rx_overrun), .bad(rx_bad), .brk(rx_brk)
    );
    // A break is a reset of all but the receiver, which sees its end.
    reg  brk_q;
    always @(posedge clk) brk_q <= rx_brk && !rst;
    wire clean = rst || brk_q;

    wire       tx_ready;
    wire       tx_valid;
    reg  [7:0] tx_data;
    rlc_uart_tx #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) u_tx (
        .clk(clk), .rst(clean), .s_valid(tx_valid), .s_ready(tx_ready), .s_data(tx_data), .txd(txd)
    );

    // ---- states: a frame comes in, is carried out, is answered
    localparam [4:0] IDLE = 5'd0, HEAD = 5'd1, BODY = 5'd2, TAIL = 5'd3, DROP = 5'd4, CHECK = 5'd5,
                     AXI_READ = 5'd6, AXI_FETCH = 5'd7, AXI_LOAD = 5'd8, AXI_WRITE = 5'd9,
                     PUT_FETCH = 5'd10, PUT_LOAD = 5'd11, PUT_OFFER = 5'd12, GETTING = 5'd13, RESETTING = 5'd14,
                     ANSWER_HEAD = 5'd15, ANSWER_FETCH = 5'd16, ANSWER_LOAD = 5'd17, ANSWER_BODY = 5'd18,
                     ANSWER_TAIL = 5'd19, JUDGE = 5'd20;
    reg  [4:0]  state_q;
    reg  [2:0]  byte_q;     // place of a byte in the header, or in a word
    reg  [12:0] word_q;     // place of a word in the frame
    reg  [7:0]  status_q;
    reg  [7:0]  seq_q, command_q, argument_q;
    reg  [15:0] where_q;    // address, or words asked for
    reg  [15:0] length_q;   // words in the request's body
    reg  [12:0] moved_q;    // words that PUT and GET moved; the AXI response where it was an error
    reg         last_q;     // the last word that GET took had `last`
    reg  [12:0] answer_q;   // words in the answer's body
    reg         overrun_q;
    reg  [1:0]  irq_q;      // as it was when the answer began
    reg  [31:0] crc_q;
    reg  [31:0] collect_q;  // bytes of a word so far; a frame's CRC at its end
    reg         half_q;     // of the RAM, in which this frame and its answer lie

    // The last good frame, and what it was answered: for the case that it comes again.
    reg         begun_q;    // there was one since the reset
    reg  [7:0]  old_seq_q;
    reg  [31:0] old_crc_q;
    reg         old_half_q;
    reg  [34:0] old_result_q;   // {status, moved, answer, last}
    reg         new_q;      // this frame becomes the last good one
    wire        again   = begun_q && seq_q == old_seq_q && collect_q == old_crc_q;
    wire        follows = !begun_q || seq_q == old_seq_q + 8'd1;

    wire receiving = state_q == IDLE || state_q == HEAD || state_q == BODY || state_q == TAIL || state_q == DROP;
    wire framing   = state_q == HEAD || state_q == BODY || state_q == TAIL;
    wire comes     = rx_valid && receiving;
    wire goes      = tx_valid && tx_ready;

    // ---- times: between bytes of a frame, and without a word moved, whatever comes on the line meanwhile
    reg [30:0] clocks_q;
    wire       quiet  = clocks_q[GAP_LOG2];
    wire       waited = clocks_q[WAIT_LOG2];
    wire       moves;
    always @(posedge clk) begin
        if (clean || (receiving && (rx_valid || rx_bad)) || state_q == IDLE || state_q == CHECK || moves)
            clocks_q <= 31'd0;
        else if (!clocks_q[30])
            clocks_q <= clocks_q + 31'd1;
    end

    // ---- the frame's words
    wire                 body_word = comes && state_q == BODY && byte_q[1:0] == 2'd3;
    wire                 got;
    wire [31:0]          got_data;
    wire                 fetch     = state_q == AXI_FETCH || state_q == PUT_FETCH || state_q == ANSWER_FETCH;
    wire [31:0]          word;
    rlc_ram_1r1w #(
        .WIDTH(32), .DEPTH(2 << ADDR_BITS), .READ_LATENCY(2), .STYLE("block"), .READ_ANY(1)
    ) u_words (
        .clk(clk),
        .wr_en(body_word || got), .wr_addr({half_q, word_q[ADDR_BITS-1:0]}),
        .wr_data(got ? got_data : {rx_data, collect_q[31:8]}),
        .rd_en(fetch), .rd_addr({half_q, word_q[ADDR_BITS-1:0]}), .rd_data(word)
    );

    // ---- CRC of what comes in, and then of what goes out
    wire [31:0] crc_d;
    rlc_crc32 u_crc (.crc_in(crc_q), .data(receiving ? rx_data : tx_data), .crc_out(crc_d));
    wire crc_counts = comes || (goes && state_q != ANSWER_TAIL);

    // ---- is this command one that can be done?
    wire        no_put  = {28'd0, argument_q[3:0]} >= PUTS_32;
    wire        no_get  = {28'd0, argument_q[3:0]} >= GETS_32;
    wire        empty   = length_q == 16'd0;
    reg  [7:0]  verdict;
    always @* begin
        case (command_q)
            HELLO, READ, RESET: verdict = empty ? OK : LENGTH;
            WRITE:              verdict = (length_q == 16'd1) ? OK : LENGTH;
            PUT:                verdict = no_put ? STREAM : OK;
            GET:                verdict = !empty || {16'd0, where_q} > CAPACITY ? LENGTH : no_get ? STREAM : OK;
            ECHO:               verdict = OK;
            default:            verdict = COMMAND;
        endcase
    end

    // ---- AXI4-Lite
    reg        awvalid_q, wvalid_q, arvalid_q;
    reg [31:0] data_q;      // what was read
    wire       axi_done  = m_axil_bvalid || m_axil_rvalid;
    wire [1:0] axi_resp  = (state_q == AXI_READ) ? m_axil_rresp : m_axil_bresp;
    always @(posedge clk) begin
        if (clean) begin
            awvalid_q <= 1'b0;
            wvalid_q  <= 1'b0;
            arvalid_q <= 1'b0;
        end else begin
            awvalid_q <= state_q == AXI_LOAD || (awvalid_q && !m_axil_awready);
            wvalid_q  <= state_q == AXI_LOAD || (wvalid_q && !m_axil_wready);
            arvalid_q <= (state_q == CHECK && follows && verdict == OK && command_q == READ)
                       || (arvalid_q && !m_axil_arready);
        end
        if (state_q == AXI_READ && m_axil_rvalid) data_q <= m_axil_rdata;
    end
    assign m_axil_awaddr  = where_q;
    assign m_axil_awprot  = 3'b000;
    assign m_axil_awvalid = awvalid_q;
    assign m_axil_wdata   = word;
    assign m_axil_wstrb   = 4'b1111;
    assign m_axil_wvalid  = wvalid_q;
    assign m_axil_bready  = state_q == AXI_WRITE;
    assign m_axil_araddr  = where_q;
    assign m_axil_arprot  = 3'b000;
    assign m_axil_arvalid = arvalid_q;
    assign m_axil_rready  = state_q == AXI_READ;

    // ---- streams. A word is offered only to a slice that is ready: given up later, nothing has to be taken back.
    wire [PUTS-1:0] put_ready;
    wire [PUTS-1:0] put_pick;
    wire [GETS-1:0] get_pick;
    wire            ends    = word_q + 13'd1 == length_q[12:0];
    wire            put     = state_q == PUT_OFFER && |(put_ready & put_pick);
    genvar p;
    for (p = 0; p < PUTS; p = p + 1) begin : g_put
        localparam [31:0] NUMBER = p;
        assign put_pick[p] = argument_q[3:0] == NUMBER[3:0];
        rlc_skid #(.WIDTH(33)) u_slice (
            .clk(clk), .rst(core_rst),
            .s_valid(put && put_pick[p]), .s_ready(put_ready[p]), .s_data({argument_q[7] && ends, word}),
            .m_valid(m_put_valid[p]), .m_ready(m_put_ready[p]),
            .m_data({m_put_last[p], m_put_data[32*p +: 32]})
        );
    end
    for (p = 0; p < GETS; p = p + 1) begin : g_get
        localparam [31:0] NUMBER = p;
        assign get_pick[p] = argument_q[3:0] == NUMBER[3:0];
    end
    wire get_on = state_q == GETTING && moved_q != where_q[12:0] && !(argument_q[7] && last_q);
    assign s_get_ready = get_pick & {GETS{get_on}};
    assign got         = |(s_get_valid & s_get_ready);
    wire   got_last    = |(s_get_last & get_pick);
    reg [31:0] got_word;
    integer    g;
    always @* begin
        got_word = 32'd0;
        for (g = 0; g < GETS; g = g + 1) got_word = got_word | (s_get_data[32*g +: 32] & {32{get_pick[g]}});
    end
    assign got_data = got_word;
    assign moves    = put || got;

    // ---- the answer's bytes
    reg  [31:0] hello;
    always @* begin
        case (word_q[2:0])
            3'd0:    hello = ID;
            3'd1:    hello = {GETS_32[7:0], PUTS_32[7:0], VERSION};
            3'd2:    hello = CAPACITY;
            3'd3:    hello = HZ_32;
            default: hello = BIT_32;
        endcase
    end
    wire [31:0] out_word = (command_q == HELLO) ? hello : (command_q == READ) ? data_q : word;
    wire [31:0] out_tail = ~crc_q;
    always @* begin
        case (state_q)
            ANSWER_HEAD:
                case (byte_q)
                    3'd0:    tx_data = ANSWER;
                    3'd1:    tx_data = seq_q;
                    3'd2:    tx_data = status_q;
                    3'd3:    tx_data = {last_q, overrun_q, 4'd0, irq_q};
                    3'd4:    tx_data = moved_q[7:0];
                    3'd5:    tx_data = {3'd0, moved_q[12:8]};
                    3'd6:    tx_data = answer_q[7:0];
                    default: tx_data = {3'd0, answer_q[12:8]};
                endcase
            ANSWER_BODY: tx_data = out_word[8*byte_q[1:0] +: 8];
            default:     tx_data = out_tail[8*byte_q[1:0] +: 8];
        endcase
    end
    assign tx_valid = state_q == ANSWER_HEAD || state_q == ANSWER_BODY || state_q == ANSWER_TAIL;

    reg       rst_q;  // to what is behind
    always @(posedge clk) begin
        if (state_q != ANSWER_HEAD) irq_q <= irq;
        rst_q <= clean || state_q == RESETTING;
    end
    assign core_rst = rst_q;  // a register: it goes everywhere
    assign busy     = state_q != IDLE;

    always @(posedge clk) begin
        if (clean) begin
            state_q   <= IDLE;
            overrun_q <= 1'b0;
            trouble   <= 1'b0;
            begun_q   <= 1'b0;
            old_half_q <= 1'b0;
        end else begin
            case (state_q)
                IDLE: begin
                    byte_q     <= 3'd1;
                    word_q     <= 13'd0;
                    moved_q    <= 13'd0;
                    answer_q   <= 13'd0;
                    last_q     <= 1'b0;
                    status_q   <= OK;
                    seq_q      <= 8'd0;
                    half_q     <= !old_half_q;
                    new_q      <= 1'b0;
                    if (rx_valid && rx_data == SYNC) state_q <= HEAD;
                end
                HEAD: if (rx_valid) begin
                    byte_q <= byte_q + 3'd1;
                    case (byte_q)
                        3'd1:    seq_q <= rx_data;
                        3'd2:    command_q <= rx_data;
                        3'd3:    argument_q <= rx_data;
                        3'd4:    where_q[7:0] <= rx_data;
                        3'd5:    where_q[15:8] <= rx_data;
                        3'd6:    length_q[7:0] <= rx_data;
                        default: begin
                            length_q[15:8] <= rx_data;
                            if ({16'd0, rx_data, length_q[7:0]} > CAPACITY) begin
                                status_q <= LONG;
                                state_q  <= DROP;
                            end else begin
                                state_q <= ({rx_data, length_q[7:0]} == 16'd0) ? TAIL : BODY;
                            end
                        end
                    endcase
                end
                BODY, TAIL: if (rx_valid) begin
                    collect_q <= {rx_data, collect_q[31:8]};
                    byte_q    <= {1'b0, byte_q[1:0] + 2'd1};
                    if (byte_q[1:0] == 2'd3) begin
                        word_q <= (state_q == TAIL) ? 13'd0 : word_q + 13'd1;
                        if (state_q == TAIL) state_q <= JUDGE;
                        else if (ends)       state_q <= TAIL;
                    end
                end
                JUDGE: if (crc_q == RESIDUE) begin
                    state_q <= CHECK;
                end else begin
                    // A length that was damaged may have more behind it.
                    status_q <= CRC;
                    state_q  <= DROP;
                end
                // Nothing of a bad frame may be taken for the next one, so its end is waited for.
                DROP: if (quiet) begin
                    trouble   <= 1'b1;
                    state_q   <= ANSWER_HEAD;
                    byte_q    <= 3'd0;
                end
                CHECK: begin
                    status_q <= follows ? verdict : SEQUENCE;
                    byte_q   <= 3'd0;
                    if (again) begin
                        state_q   <= ANSWER_HEAD;
                        trouble   <= 1'b0;
                        half_q    <= old_half_q;
                        {status_q, moved_q, answer_q, last_q} <= old_result_q;
                    end else if (!follows || verdict != OK) begin
                        state_q   <= ANSWER_HEAD;
                        trouble   <= 1'b1;
                        new_q     <= follows;
                    end else begin
                        trouble   <= 1'b0;
                        new_q     <= 1'b1;
                        case (command_q)
                            READ:    state_q <= AXI_READ;
                            WRITE:   state_q <= AXI_FETCH;
                            PUT:     state_q <= empty ? ANSWER_HEAD : PUT_FETCH;
                            GET:     state_q <= GETTING;
                            RESET:   state_q <= RESETTING;
                            default: state_q <= ANSWER_HEAD;
                        endcase
                        if (command_q == HELLO) answer_q <= 13'd5;
                        if (command_q == ECHO)  answer_q <= length_q[12:0];
                    end
                end
                AXI_FETCH: state_q <= AXI_LOAD;
                AXI_LOAD:  state_q <= AXI_WRITE;
                AXI_READ, AXI_WRITE: if (axi_done) begin
                    state_q  <= ANSWER_HEAD;
                    answer_q <= (axi_resp == 2'b00 && state_q == AXI_READ) ? 13'd1 : 13'd0;
                    moved_q  <= {11'd0, axi_resp};
                    if (axi_resp != 2'b00) status_q <= REFUSED;
                end
                PUT_FETCH: state_q <= PUT_LOAD;
                PUT_LOAD:  state_q <= PUT_OFFER;
                PUT_OFFER: begin
                    if (put) begin
                        word_q  <= word_q + 13'd1;
                        moved_q <= moved_q + 13'd1;
                        state_q <= ends ? ANSWER_HEAD : PUT_FETCH;
                    end else if (waited) begin
                        state_q <= ANSWER_HEAD;
                    end
                end
                GETTING: begin
                    if (got) begin
                        word_q  <= word_q + 13'd1;
                        moved_q <= moved_q + 13'd1;
                        last_q  <= got_last;
                    end
                    if (!get_on || (waited && !got)) begin
                        state_q  <= ANSWER_HEAD;
                        answer_q <= moved_q;
                    end
                end
                RESETTING: begin
                    byte_q <= byte_q + 3'd1;
                    if (byte_q == 3'd7) state_q <= ANSWER_HEAD;
                end
                ANSWER_HEAD: if (goes) begin
                    if (new_q) begin
                        begun_q      <= 1'b1;
                        old_seq_q    <= seq_q;
                        old_crc_q    <= collect_q;
                        old_half_q   <= half_q;
                        old_result_q <= {status_q, moved_q, answer_q, last_q};
                        new_q        <= 1'b0;
                    end
                    byte_q <= byte_q + 3'd1;
                    word_q <= 13'd0;
                    if (byte_q == 3'd3) overrun_q <= 1'b0;
                    if (byte_q == 3'd7) state_q <= (answer_q == 13'd0) ? ANSWER_TAIL : ANSWER_FETCH;
                end
                ANSWER_FETCH: state_q <= ANSWER_LOAD;
                ANSWER_LOAD:  state_q <= ANSWER_BODY;
                default: if (goes) begin  // ANSWER_BODY, ANSWER_TAIL
                    byte_q <= {1'b0, byte_q[1:0] + 2'd1};
                    if (byte_q[1:0] == 2'd3) begin
                        word_q  <= word_q + 13'd1;
                        state_q <= (state_q == ANSWER_TAIL) ? IDLE
                                 : (word_q + 13'd1 == answer_q) ? ANSWER_TAIL : ANSWER_FETCH;
                    end
                end
            endcase
            if (framing && rx_bad) begin
                status_q <= LINE;
                state_q  <= DROP;
            end else if (framing && quiet) begin
                status_q  <= GAP;
                state_q   <= DROP;
            end
            if (!receiving && (rx_valid || rx_bad)) overrun_q <= 1'b1;
        end
        if (state_q == IDLE && !(rx_valid && rx_data == SYNC)) crc_q <= 32'hFFFFFFFF;
        else if (state_q == CHECK || state_q == DROP) crc_q <= 32'hFFFFFFFF;
        else if (crc_counts) crc_q <= crc_d;
    end

    wire unused = &{1'b0, rx_overrun, argument_q[6:4], crc_q};
endmodule
`default_nettype wire
