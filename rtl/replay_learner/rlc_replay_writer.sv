// rlc_replay_writer.sv — lazy writing: reserve a slot, write the record to memory, commit it when memory has answered.
// SPDX-License-Identifier: Apache-2.0
//
// whole        pulse: one more record stands whole at s_beat_*; its priority stands, in order, at s_prio_*
// m_reserve_*  one handshake a record: a slot is to be reserved
// reserve_taken   pulse: the tree takes a RESERVE; `sampled` samples were taken before it
// s_slot_*     its answer, in order; there is always room for it
// fetched      samples, in order, whose records have been read or are void: a slot is overwritten only when
//              `fetched` has reached the `sampled` of its reservation, so a sample finds the record that it sampled
// m_commit_*   COMMIT of a record that memory has; commit_done: its answer
// failed       pulse: memory refused the record that begins at failed_addr; it is not committed
// m_axi_*      write channels; one ID, so that answers come in order: `epoch` in its high bits, 0 below. Answers of
//              another epoch, of writes before a reset that memory did not see, are taken and forgotten
//
// no deadlock  a write waits for earlier samples' reads only, and no read waits for a write. W never waits for AW's ready
// throughput   a record in the larger of BEATS + 1 and 4 clocks, as far as WRITES covers the latencies
`include "rlc_axi.vh"
`default_nettype none
module rlc_replay_writer #(
    parameter DATA_WIDTH  = 128, // bits of a beat of the memory
    parameter ADDR_WIDTH  = 34,  // bits of an address
    parameter EPOCH_WIDTH = 2,   // bits of an ID that change with every reset
    parameter ID_WIDTH    = 4,   // bits of an ID
    parameter BEATS       = 3,   // beats a record, 1 to 256
    parameter STRIDE_LOG2 = 6,   // log2 of the bytes from one record to the next
    parameter INDEX_WIDTH = 12,  // bits of a slot's number
    parameter TAG_WIDTH   = 8,   // bits of its generation
    parameter WRITES      = 8    // records between reservation and commit at most, >= 2
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [EPOCH_WIDTH-1:0]  epoch,
    input  wire [ADDR_WIDTH-1:0]   cfg_base,

    input  wire                    whole,
    `RLC_STREAM_SLAVE(s_beat, DATA_WIDTH),
    input  wire                    s_beat_last,
    `RLC_STREAM_SLAVE(s_prio, 32),

    output wire                    m_reserve_valid,
    input  wire                    m_reserve_ready,
    input  wire                    reserve_taken,
    input  wire [31:0]             sampled,
    input  wire                    s_slot_valid,
    input  wire [INDEX_WIDTH-1:0]  s_slot_index,
    input  wire [TAG_WIDTH-1:0]    s_slot_generation,
    input  wire [31:0]             fetched,

    output wire                    m_commit_valid,
    input  wire                    m_commit_ready,
    output wire [INDEX_WIDTH-1:0]  m_commit_index,
    output wire [TAG_WIDTH-1:0]    m_commit_generation,
    output wire [31:0]             m_commit_value,
    output wire                    m_commit_max,
    input  wire                    commit_done,
    output reg                     failed,
    output reg  [ADDR_WIDTH-1:0]   failed_addr,

    `RLC_AXI_WRITER(m_axi, ID_WIDTH, ADDR_WIDTH, DATA_WIDTH)
);
    `include "rlc_replay_burst.vh"
    localparam COUNT = $clog2(WRITES + 1);
    localparam WHOLE = $clog2(WRITES + 2);
    localparam [31:0] WRITES_32 = WRITES;

    // ---- reservations: whole records without a slot, and records on their way.
    reg  [WHOLE-1:0] whole_q;
    reg  [COUNT-1:0] way_q;
    reg              room_q;
    wire             reserve = m_reserve_valid && m_reserve_ready;
    wire [COUNT-1:0] way_d   = way_q + {{(COUNT-1){1'b0}}, reserve} - {{(COUNT-1){1'b0}}, commit_done}
                             - {{(COUNT-1){1'b0}}, failed};
    always @(posedge clk) begin
        if (rst) begin
            whole_q <= {WHOLE{1'b0}};
            way_q   <= {COUNT{1'b0}};
            room_q  <= 1'b0;
        end else begin
            whole_q <= whole_q + {{(WHOLE-1){1'b0}}, whole} - {{(WHOLE-1){1'b0}}, reserve};
            way_q   <= way_d;
            room_q  <= way_d != WRITES_32[COUNT-1:0];
        end
    end
    assign m_reserve_valid = room_q && whole_q != {WHOLE{1'b0}};

    // ---- what the barrier is, and the slot. All queues here have room: WRITES records are on their way at most.
    wire                   barrier_valid, slot_valid, load;
    wire [31:0]            barrier;
    wire [INDEX_WIDTH-1:0] slot_index;
    wire [TAG_WIDTH-1:0]   slot_generation;
    rlc_queue #(.WIDTH(32), .DEPTH(WRITES)) u_barriers (
        .*, .s_valid(reserve_taken), .s_data(sampled), .m_valid(barrier_valid), .m_ready(load), .m_data(barrier)
    );
    rlc_queue #(.WIDTH(INDEX_WIDTH+TAG_WIDTH), .DEPTH(WRITES)) u_slots (
        .*, .s_valid(s_slot_valid), .s_data({s_slot_generation, s_slot_index}),
        .m_valid(slot_valid), .m_ready(load), .m_data({slot_generation, slot_index})
    );

    // ---- the next record to write: loaded, then its address and whether its barrier is reached, then written.
    reg                   next_valid_q;
    reg                   settled_q;       // the address is there
    reg                   clear_q;         // the barrier was reached; it stays so
    reg  [31:0]           next_barrier_q;
    reg  [INDEX_WIDTH-1:0] next_index_q;
    reg  [TAG_WIDTH-1:0]  next_generation_q;
    reg  [ADDR_WIDTH-1:0] next_addr_q;
    reg                   awvalid_q;
    reg  [ADDR_WIDTH-1:0] awaddr_q;
    reg                   sending_q;       // a record's beats go out
    wire                  sent;            // its last one does
    wire                  launch   = next_valid_q && settled_q && clear_q && !sending_q && (!awvalid_q || m_axi_awready);
    wire [31:0]           distance = fetched - next_barrier_q;
    assign load = slot_valid && barrier_valid && !next_valid_q;
    always @(posedge clk) begin
        if (rst) begin
            next_valid_q <= 1'b0;
            settled_q    <= 1'b0;
            clear_q      <= 1'b0;
            awvalid_q    <= 1'b0;
            sending_q    <= 1'b0;
        end else begin
            next_valid_q <= (next_valid_q && !launch) || load;
            settled_q    <= next_valid_q && !launch;
            clear_q      <= next_valid_q && !launch && (clear_q || !distance[31]);
            awvalid_q    <= launch || (awvalid_q && !m_axi_awready);
            sending_q    <= launch || (sending_q && !sent);
        end
    end
    always @(posedge clk) begin
        if (load) begin
            next_barrier_q    <= barrier;
            next_index_q      <= slot_index;
            next_generation_q <= slot_generation;
        end
        next_addr_q <= address_of(cfg_base, next_index_q);
        if (launch) awaddr_q <= next_addr_q;
    end

    wire w_ready;
    assign s_beat_ready = sending_q && w_ready;
    assign sent         = s_beat_valid && s_beat_ready && s_beat_last;
    rlc_skid #(.WIDTH(DATA_WIDTH+1)) u_w (
        .*, .s_valid(s_beat_valid && sending_q), .s_ready(w_ready), .s_data({s_beat_last, s_beat_data}),
        .m_valid(m_axi_wvalid), .m_ready(m_axi_wready), .m_data({m_axi_wlast, m_axi_wdata})
    );

    assign m_axi_awid    = {epoch, {(ID_WIDTH-EPOCH_WIDTH){1'b0}}};
    assign m_axi_awaddr  = awaddr_q;
    assign m_axi_awlen   = LENGTH[7:0];
    assign m_axi_awsize  = SIZE[2:0];
    assign m_axi_awburst = 2'b01;
    assign m_axi_awcache = 4'b0011;
    assign m_axi_awprot  = 3'b000;
    assign m_axi_awvalid = awvalid_q;
    assign m_axi_wstrb   = {(DATA_WIDTH/8){1'b1}};

    // ---- answers of memory, in order: a record is committed, or lost.
    reg                    bready_q;
    wire                   written_valid, answer_valid, answer_bad, done;
    wire [INDEX_WIDTH-1:0] written_index;
    wire [TAG_WIDTH-1:0]   written_generation;
    always @(posedge clk) bready_q <= !rst;
    assign m_axi_bready = bready_q;
    rlc_queue #(.WIDTH(INDEX_WIDTH+TAG_WIDTH), .DEPTH(WRITES)) u_written (
        .*, .s_valid(launch), .s_data({next_generation_q, next_index_q}),
        .m_valid(written_valid), .m_ready(done), .m_data({written_generation, written_index})
    );
    rlc_queue #(.WIDTH(1), .DEPTH(WRITES)) u_answers (
        .*, .s_valid(m_axi_bvalid && bready_q && m_axi_bid == m_axi_awid), .s_data(m_axi_bresp[1]),
        .m_valid(answer_valid), .m_ready(done), .m_data(answer_bad)
    );
    wire answered = answer_valid && written_valid && s_prio_valid;
    wire lost     = answered && answer_bad;
    assign done                = lost || (m_commit_valid && m_commit_ready);
    assign s_prio_ready        = done;
    assign m_commit_valid      = answered && !answer_bad;
    assign m_commit_index      = written_index;
    assign m_commit_generation = written_generation;
    assign m_commit_value      = s_prio_data;
    assign m_commit_max        = s_prio_data == 32'hFFFF_FFFF;

    always @(posedge clk) begin
        failed        <= lost && !rst;
        failed_addr   <= address_of(cfg_base, written_index);
    end

    wire unused = &{1'b0, distance, m_axi_bresp[0]};
endmodule
`default_nettype wire
