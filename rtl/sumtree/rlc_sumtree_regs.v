// rlc_sumtree_regs.v — registers of the sum tree core; the map, field by field, is sumtree.rdl.
// SPDX-License-Identifier: Apache-2.0
//
// parameters   those of rlc_sumtree_axi, shown to software in PARAM0..PARAM2
// reg_wr_*     one word a clock, never refused by the bus; what comes at the wrong moment raises BUSY, what does not
//              fit raises CONFIG, and both change nothing
// reg_rd_*     data one clock after the address; reg_rd_en with TOTAL_LO's address takes the high word of the total
// locked       [0] samples, [1] operations and [2] draws are somebody else's: what would disturb them raises BUSY
// abort        pulse, whatever else is written; aborting and left are for STATUS, abort_restart is a pulse that restarts
// clear        valid for one clock; clear_waits must be high from the next clock until the core has taken it
// restart      valid for one clock, with cfg_seed_valid when a seed comes with it; cfg_batch has the new batch in the
//              next clock
// draw_start   valid for one clock with draw_count; drawing must be high from the next clock until the last answer left
// flag_set     pulses, one a flag: MISS, EMPTY, KIND, RANGE, STALE, SATURATED from the high bit down; a flag set and
//              cleared in the same clock stays set. MISS, EMPTY, RANGE and STALE also count.
// count_*      pulses that count
`default_nettype none
module rlc_sumtree_regs #(
    parameter LEAVES_LOG2      = 12,
    parameter CAPACITY         = 4096,
    parameter PRIORITY_WIDTH   = 18,
    parameter DRAW_WIDTH       = 32,
    parameter GENERATION_WIDTH = 8,
    parameter SHARED           = 0,
    parameter PRIORITY_MATHS   = 1,
    parameter BATCH_MAX        = 1024
) (
    input  wire                                  clk,
    input  wire                                  rst,

    input  wire                                  reg_wr_en,
    input  wire [5:0]                            reg_wr_addr,
    input  wire [31:0]                           reg_wr_data,
    input  wire                                  reg_rd_en,
    input  wire [5:0]                            reg_rd_addr,
    output wire [31:0]                           reg_rd_data,

    input  wire [2:0]                            locked,
    output wire                                  abort,
    input  wire                                  abort_restart,
    input  wire                                  aborting,
    input  wire [1:0]                            left,
    output wire                                  clear,
    output wire                                  restart,
    output wire                                  draw_start,
    output wire [31:0]                           draw_count,

    output wire                                  cfg_quiet,
    output wire                                  cfg_weights,
    output wire [15:0]                           cfg_strata,
    output wire [15:0]                           cfg_batch,
    output wire [LEAVES_LOG2:0]                  cfg_capacity,
    output wire [PRIORITY_WIDTH-1:0]             cfg_initial,
    output wire                                  cfg_seed_valid,
    output wire [127:0]                          cfg_seed,
    output wire [15:0]                           cfg_alpha,
    output wire [31:0]                           cfg_epsilon,
    output wire [15:0]                           cfg_scale,
    output wire [15:0]                           cfg_beta,

    input  wire                                  busy,
    input  wire                                  operating,
    input  wire                                  sampling,
    input  wire                                  answering,
    input  wire                                  drawing,
    input  wire                                  clear_waits,
    input  wire [31:0]                           draws_left,
    input  wire [LEAVES_LOG2:0]                  size,
    input  wire [LEAVES_LOG2:0]                  capacity,
    input  wire [PRIORITY_WIDTH-1:0]             largest,
    input  wire [PRIORITY_WIDTH+LEAVES_LOG2-1:0] total,

    input  wire                                  draw_done,
    input  wire [5:0]                            flag_set,
    input  wire                                  count_update,
    input  wire                                  count_insert,
    input  wire                                  count_sample,

    output wire                                  irq
);
    localparam [31:0] ID      = 32'h5253554D; // "RSUM"
    localparam [31:0] VERSION = 32'h00010001;

    // Words that something other than the read multiplexer speaks of.
    localparam [5:0] COMMAND      = 6'd5;
    localparam [5:0] FLAGS        = 6'd7;
    localparam [5:0] IRQ_ENABLE   = 6'd8;
    localparam [5:0] IRQ_STATUS   = 6'd9;
    localparam [5:0] CONTROL      = 6'd10;
    localparam [5:0] CAPACITY_REG = 6'd11;
    localparam [5:0] INITIAL      = 6'd12;
    localparam [5:0] BATCH        = 6'd13;
    localparam [5:0] SEED0        = 6'd14;
    localparam [5:0] SEED1        = 6'd15;
    localparam [5:0] SEED2        = 6'd16;
    localparam [5:0] SEED3        = 6'd17;
    localparam [5:0] DRAW         = 6'd18;
    localparam [5:0] ALPHA        = 6'd19;
    localparam [5:0] EPSILON      = 6'd20;
    localparam [5:0] SCALE        = 6'd21;
    localparam [5:0] BETA         = 6'd22;
    localparam [5:0] TOTAL_LO     = 6'd26;

    localparam FLAG_MISS   = 5;
    localparam FLAG_EMPTY  = 4;
    localparam FLAG_RANGE  = 2;
    localparam FLAG_STALE  = 1;

    localparam [31:0] CAPACITY_32    = CAPACITY;
    localparam [31:0] BATCH_32       = BATCH_MAX;
    localparam [7:0]  LEAVES_8       = LEAVES_LOG2;
    localparam [7:0]  PRIORITY_8     = PRIORITY_WIDTH;
    localparam [7:0]  DRAW_8         = DRAW_WIDTH;
    localparam [7:0]  GENERATION_8   = GENERATION_WIDTH;
    localparam [0:0]  SHARED_1       = SHARED != 0;
    localparam [0:0]  MATHS_1        = PRIORITY_MATHS != 0;
    localparam [16:0] ONE            = 17'h08000; // 1.0 in ufix(16,15)
    localparam TOTAL_WIDTH = PRIORITY_WIDTH + LEAVES_LOG2;

    // Whether a write comes at the right moment, and whether its value fits.
    reg  timely;
    reg  fits;
    wire maths_write = reg_wr_addr >= ALPHA && reg_wr_addr <= BETA;
    always @(*) begin
        case (reg_wr_addr)
            COMMAND: timely = !((reg_wr_data[1] || reg_wr_data[3]) && locked[0]) && !(reg_wr_data[0] && locked[1])
                           && (reg_wr_data[3] || (!(reg_wr_data[1] && sampling) && !(reg_wr_data[0] && clear_waits)));
            CONTROL: timely = !operating && !sampling && !locked[0];
            BATCH:   timely = !locked[0];
            SEED3:   timely = !sampling && !locked[0];
            BETA:    timely = !answering && !locked[0];
            DRAW:    timely = !drawing && !aborting && !locked[2];
            ALPHA,
            EPSILON,
            SCALE:   timely = !operating && !locked[0];
            default: timely = 1'b1;
        endcase
        case (reg_wr_addr)
            CONTROL:      fits = MATHS_1 || !reg_wr_data[2];
            CAPACITY_REG: fits = reg_wr_data != 32'd0 && reg_wr_data <= CAPACITY_32;
            INITIAL:      fits = (reg_wr_data >> PRIORITY_WIDTH) == 32'd0;
            BATCH:        fits = reg_wr_data != 32'd0 && reg_wr_data <= BATCH_32;
            ALPHA,
            BETA:         fits = MATHS_1 && reg_wr_data <= {15'd0, ONE};
            default:      fits = MATHS_1 || !maths_write;
        endcase
    end

    wire write   = reg_wr_en && timely && fits;
    wire command = write && reg_wr_addr == COMMAND;
    wire cancel  = command && reg_wr_data[3];
    wire seed    = write && reg_wr_addr == SEED3;

    // Commands leave one clock later, beside the registers that came with them.
    reg        abort_q;
    reg        clear_q;
    reg        clear_counters_q;
    reg        restart_q;
    reg        seed_q;
    reg        draw_q;
    reg [31:0] draw_count_q;
    always @(posedge clk) begin
        if (rst) begin
            abort_q          <= 1'b0;
            clear_q          <= 1'b0;
            clear_counters_q <= 1'b0;
            restart_q        <= 1'b0;
            seed_q           <= 1'b0;
            draw_q           <= 1'b0;
        end else begin
            abort_q          <= cancel;
            clear_q          <= command && reg_wr_data[0] && !cancel;
            clear_counters_q <= command && reg_wr_data[2];
            restart_q        <= (command && reg_wr_data[1] && !cancel) || seed || abort_restart;
            seed_q           <= seed;
            draw_q           <= write && reg_wr_addr == DRAW && reg_wr_data != 32'd0;
        end
    end
    always @(posedge clk) draw_count_q <= reg_wr_data;

    assign abort          = abort_q;
    assign clear          = clear_q;
    assign restart        = restart_q;
    assign cfg_seed_valid = seed_q;
    assign draw_start     = draw_q;
    assign draw_count     = draw_count_q;

    reg [2:0]   control_q;
    reg [31:0]  capacity_q;
    reg [31:0]  initial_q;
    reg [15:0]  batch_q;
    reg [15:0]  batch_now_q;
    reg [127:0] seed_words_q;
    reg [15:0]  alpha_q;
    reg [31:0]  epsilon_q;
    reg [15:0]  scale_q;
    reg [15:0]  beta_q;
    always @(posedge clk) begin
        if (rst) begin
            control_q    <= 3'd0;
            capacity_q   <= CAPACITY_32;
            initial_q    <= 32'd1;
            batch_q      <= 16'd1;
            // The generator's state after reset: splitmix64 from 0.
            seed_words_q <= 128'h6E789E6AA1B965F4E220A8397B1DCDAF;
            alpha_q      <= 16'd19661;
            epsilon_q    <= 32'd1;
            scale_q      <= 16'd0;
            beta_q       <= 16'd13107;
        end else if (write) begin
            case (reg_wr_addr)
                CONTROL:      control_q            <= reg_wr_data[2:0];
                CAPACITY_REG: capacity_q           <= reg_wr_data;
                INITIAL:      initial_q            <= reg_wr_data;
                BATCH:        batch_q              <= reg_wr_data[15:0];
                SEED0:        seed_words_q[31:0]   <= reg_wr_data;
                SEED1:        seed_words_q[63:32]  <= reg_wr_data;
                SEED2:        seed_words_q[95:64]  <= reg_wr_data;
                SEED3:        seed_words_q[127:96] <= reg_wr_data;
                ALPHA:        alpha_q              <= reg_wr_data[15:0];
                EPSILON:      epsilon_q            <= reg_wr_data;
                SCALE:        scale_q              <= reg_wr_data[15:0];
                BETA:         beta_q               <= reg_wr_data[15:0];
                default: ;
            endcase
        end
    end
    always @(posedge clk) begin
        if (rst) batch_now_q <= 16'd1;
        else if (restart_q) batch_now_q <= batch_q;
    end

    assign cfg_quiet    = control_q[0];
    assign cfg_weights  = control_q[2];
    assign cfg_strata   = control_q[1] ? batch_q : 16'd1;
    assign cfg_batch    = batch_now_q;
    assign cfg_capacity = capacity_q[LEAVES_LOG2:0];
    assign cfg_initial  = initial_q[PRIORITY_WIDTH-1:0];
    assign cfg_seed     = seed_words_q;
    assign cfg_alpha    = alpha_q;
    assign cfg_epsilon  = epsilon_q;
    assign cfg_scale    = scale_q;
    assign cfg_beta     = beta_q;

    // Flags and interrupts: set by events, cleared by writing ones.
    reg  [7:0] flags_q;
    reg  [2:0] irq_enable_q;
    reg  [2:0] irq_status_q;
    reg        busy_q;
    wire [7:0] flag_event  = {reg_wr_en && !timely, reg_wr_en && timely && !fits, flag_set};
    wire [7:0] flags_clear = reg_wr_en && reg_wr_addr == FLAGS ? reg_wr_data[7:0] : 8'd0;
    wire [2:0] irq_clear   = reg_wr_en && reg_wr_addr == IRQ_STATUS ? reg_wr_data[2:0] : 3'd0;
    always @(posedge clk) begin
        if (rst) begin
            flags_q      <= 8'd0;
            irq_enable_q <= 3'd0;
            irq_status_q <= 3'd0;
            busy_q       <= 1'b1;
        end else begin
            flags_q      <= (flags_q & ~flags_clear) | flag_event;
            irq_status_q <= (irq_status_q & ~irq_clear) | {busy_q && !busy, flag_event != 8'd0, draw_done};
            busy_q       <= busy;
            if (reg_wr_en && reg_wr_addr == IRQ_ENABLE) irq_enable_q <= reg_wr_data[2:0];
        end
    end

    assign irq = (irq_status_q & irq_enable_q) != 3'd0;

    // Counters. An event in the clock of their clearing counts.
    wire [6:0] counted = {
        flag_set[FLAG_MISS], flag_set[FLAG_EMPTY], flag_set[FLAG_RANGE], flag_set[FLAG_STALE],
        count_sample, count_insert, count_update
    };
    reg [31:0] counter_q [0:6];
    integer i;
    always @(posedge clk) begin
        for (i = 0; i < 7; i = i + 1) begin
            if (rst) counter_q[i] <= 32'd0;
            else counter_q[i] <= (clear_counters_q ? 32'd0 : counter_q[i]) + {31'd0, counted[i]};
        end
    end

    // One bit more than a register, because a replication of nothing is illegal where a priority has all 32.
    wire [32:0] largest_33 = {{(33-PRIORITY_WIDTH){1'b0}}, largest};
    wire [63:0] total_64 = {{(64-TOTAL_WIDTH){1'b0}}, total};
    reg  [31:0] total_high_q;
    reg  [31:0] rd_data_q;
    always @(posedge clk) begin
        if (rst) total_high_q <= 32'd0;
        else if (reg_rd_en && reg_rd_addr == TOTAL_LO) total_high_q <= total_64[63:32];
    end
    always @(posedge clk) begin
        case (reg_rd_addr)
            6'd0:    rd_data_q <= ID;
            6'd1:    rd_data_q <= VERSION;
            6'd2:    rd_data_q <= {GENERATION_8, DRAW_8, PRIORITY_8, LEAVES_8};
            6'd3:    rd_data_q <= {14'd0, MATHS_1, SHARED_1, BATCH_32[15:0]};
            6'd4:    rd_data_q <= CAPACITY_32;
            6'd6:    rd_data_q <= {24'd0, left, aborting, drawing, answering, sampling, operating, busy};
            FLAGS:        rd_data_q <= {24'd0, flags_q};
            IRQ_ENABLE:   rd_data_q <= {29'd0, irq_enable_q};
            IRQ_STATUS:   rd_data_q <= {29'd0, irq_status_q};
            CONTROL:      rd_data_q <= {29'd0, control_q};
            CAPACITY_REG: rd_data_q <= capacity_q;
            INITIAL:      rd_data_q <= initial_q;
            BATCH:        rd_data_q <= {16'd0, batch_q};
            SEED0:        rd_data_q <= seed_words_q[31:0];
            SEED1:        rd_data_q <= seed_words_q[63:32];
            SEED2:        rd_data_q <= seed_words_q[95:64];
            SEED3:        rd_data_q <= seed_words_q[127:96];
            DRAW:         rd_data_q <= draws_left;
            ALPHA:        rd_data_q <= {16'd0, alpha_q};
            EPSILON:      rd_data_q <= epsilon_q;
            SCALE:        rd_data_q <= {16'd0, scale_q};
            BETA:         rd_data_q <= {16'd0, beta_q};
            6'd23:    rd_data_q <= {{(31-LEAVES_LOG2){1'b0}}, size};
            6'd24:    rd_data_q <= largest_33[31:0];
            6'd25:    rd_data_q <= {{(31-LEAVES_LOG2){1'b0}}, capacity};
            TOTAL_LO: rd_data_q <= total_64[31:0];
            6'd27:    rd_data_q <= total_high_q;
            6'd28:    rd_data_q <= counter_q[0];
            6'd29:    rd_data_q <= counter_q[1];
            6'd30:    rd_data_q <= counter_q[2];
            6'd31:    rd_data_q <= counter_q[3];
            6'd32:    rd_data_q <= counter_q[4];
            6'd33:    rd_data_q <= counter_q[5];
            6'd34:    rd_data_q <= counter_q[6];
            default:  rd_data_q <= 32'd0;
        endcase
    end
    assign reg_rd_data = rd_data_q;
endmodule
`default_nettype wire
