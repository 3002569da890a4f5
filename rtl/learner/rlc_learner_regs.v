// rlc_learner_regs.v — registers of the learner core; the map, field by field, is learner.rdl.
// SPDX-License-Identifier: Apache-2.0
//
// parameters    those of rlc_learner_axi, shown to software in PARAM0..PARAM2 and in the shape registers
// reg_wr_*      one word a clock, never refused by the bus; what comes at the wrong moment raises BUSY or HOST, what
//               does not fit raises CONFIG or FORMAT, and all of them change nothing
// reg_rd_*      data one clock after the address
// cfg_*         stand still while run, busy or host_busy is high
// run           high from COMMAND.run to COMMAND.stop or an abort
// abort         pulse, whatever else is written; aborting: it is not over; left: see rlc_learner
// host_start    valid for one clock with host_read, host_actor and host_plane, which stay; host_busy must be high within
//               two clocks, and until the plane is through
// seed_load, sat_clear   pulses; cfg_seed is the new one already
// formats_fit   whether cfg_*_frac and the rate exponents are a set that the core can run with
// step_done     pulse that raises its interrupt; step_count: steps since reset; sat_count, unit_busy, unit_wait: see rlc_learner
`default_nettype none
module rlc_learner_regs #(
    parameter [1023:0] SIZES             = "4-64-64-2",
    parameter [1023:0] LANES             = "4-8-8-2",
    parameter [1023:0] UPDATE_ROWS       = "8-8-2",
    parameter [1023:0] UPDATE_COLS       = "1-4-1",
    parameter [1023:0] ACTOR_SIZES       = "0",
    parameter [1023:0] ACTOR_LANES       = "0",
    parameter [1023:0] ACTOR_UPDATE_ROWS = "0",
    parameter [1023:0] ACTOR_UPDATE_COLS = "0",
    parameter DP           = 1,
    parameter BATCH_MAX    = 256,
    parameter OPTIMISER    = 2,
    parameter ROUND        = 0,
    parameter POLYAK       = 0,
    parameter WEIGHT_WIDTH = 27,
    parameter WEIGHT_FRAC  = 22,
    parameter ACT_WIDTH    = 18,
    parameter VALUE_WIDTH  = 27,
    parameter GRAD_WIDTH   = 27
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             reg_wr_en,
    input  wire [7:0]       reg_wr_addr,
    input  wire [31:0]      reg_wr_data,
    input  wire [7:0]       reg_rd_addr,
    output wire [31:0]      reg_rd_data,

    output wire             run,
    input  wire             busy,
    output wire             abort,
    input  wire             aborting,
    input  wire [1:0]       left,
    input  wire             formats_fit,
    input  wire             step_done,
    input  wire [31:0]      step_count,

    output wire             host_start,
    output wire             host_read,
    output wire             host_actor,
    output wire [1:0]       host_plane,
    input  wire             host_busy,

    output wire             cfg_double,
    output wire             cfg_lag,
    output wire [15:0]      cfg_batch,
    output wire [17:0]      cfg_gamma,
    output wire [17:0]      cfg_reward_scale,
    output wire [25:0]      cfg_huber,
    output wire [31:0]      cfg_sync_interval,
    output wire [16:0]      cfg_tau,
    output wire [31:0]      cfg_seed,
    output wire             seed_load,
    output wire [24:0]      cfg_act_frac,
    output wire [24:0]      cfg_delta_frac,
    output wire [29:0]      cfg_grad_frac,
    output wire [17:0]      cfg_rate,
    output wire [5:0]       cfg_rate_exp,
    output wire [17:0]      cfg_momentum,
    output wire [19:0]      cfg_log_rate,
    output wire [19:0]      cfg_log_eps,
    output wire [19:0]      cfg_log_clip,
    output wire [24:0]      cfg_actor_act_frac,
    output wire [24:0]      cfg_actor_delta_frac,
    output wire [29:0]      cfg_actor_grad_frac,
    output wire [17:0]      cfg_actor_rate,
    output wire [5:0]       cfg_actor_rate_exp,
    output wire [19:0]      cfg_actor_log_rate,
    output wire [17:0]      cfg_actor_delta,
    output wire [24:0]      cfg_pass_frac,

    output wire             sat_clear,
    input  wire [64*32-1:0] sat_count,
    input  wire [63:0]      unit_busy,
    input  wire [63:0]      unit_wait,

    output wire             irq
);
    `include "rlc_learner_defs.vh"

    localparam [31:0] ID      = 32'h524C524E; // "RLRN"
    localparam [31:0] VERSION = {16'd1, 16'd1};

    localparam [7:0] COMMAND           = 8'd5;
    localparam [7:0] STATUS            = 8'd6;
    localparam [7:0] FLAGS             = 8'd7;
    localparam [7:0] IRQ_ENABLE        = 8'd8;
    localparam [7:0] IRQ_STATUS        = 8'd9;
    localparam [7:0] CONTROL           = 8'd10;
    localparam [7:0] BATCH             = 8'd11;
    localparam [7:0] GAMMA             = 8'd12;
    localparam [7:0] REWARD_SCALE      = 8'd13;
    localparam [7:0] HUBER             = 8'd14;
    localparam [7:0] SYNC_INTERVAL     = 8'd15;
    localparam [7:0] TAU               = 8'd16;
    localparam [7:0] SEED              = 8'd17;
    localparam [7:0] ACT_FRAC          = 8'd18;
    localparam [7:0] DELTA_FRAC        = 8'd19;
    localparam [7:0] GRAD_FRAC         = 8'd20;
    localparam [7:0] RATE              = 8'd21;
    localparam [7:0] RATE_EXP          = 8'd22;
    localparam [7:0] MOMENTUM          = 8'd23;
    localparam [7:0] LOG_RATE          = 8'd24;
    localparam [7:0] LOG_EPS           = 8'd25;
    localparam [7:0] LOG_CLIP          = 8'd26;
    localparam [7:0] ACTOR_ACT_FRAC    = 8'd27;
    localparam [7:0] ACTOR_DELTA_FRAC  = 8'd28;
    localparam [7:0] ACTOR_GRAD_FRAC   = 8'd29;
    localparam [7:0] ACTOR_RATE        = 8'd30;
    localparam [7:0] ACTOR_RATE_EXP    = 8'd31;
    localparam [7:0] ACTOR_LOG_RATE    = 8'd32;
    localparam [7:0] ACTOR_DELTA       = 8'd33;
    localparam [7:0] PASS_FRAC         = 8'd34;
    localparam [7:0] HOST              = 8'd35;
    localparam [7:0] UNIT              = 8'd38;

    localparam FLAG_SATURATED = 0;
    localparam FLAG_CONFIG    = 1;
    localparam FLAG_BUSY      = 2;
    localparam FLAG_FORMAT    = 3;
    localparam FLAG_HOST      = 4;

    localparam [0:0]  ACTOR      = fields(ACTOR_SIZES) > 1;
    localparam integer LAYERS_32 = fields(SIZES) - 1;
    localparam integer ACTOR_32  = fields(ACTOR_SIZES) - 1;
    localparam [31:0] DP_32      = DP;
    localparam [31:0] BATCH_32   = BATCH_MAX;
    localparam [31:0] OPT_32     = OPTIMISER;
    localparam [31:0] ROUND_32   = ROUND;
    localparam [0:0]  POLYAK_1   = POLYAK != 0;
    localparam [31:0] WEIGHT_32  = WEIGHT_WIDTH;
    localparam [31:0] FRAC_32    = WEIGHT_FRAC;
    localparam [31:0] ACT_32     = ACT_WIDTH;
    localparam [31:0] VALUE_32   = VALUE_WIDTH;
    localparam [31:0] GRAD_32    = GRAD_WIDTH;
    localparam [31:0] ONE        = 32'h00020000; // 1.0 in ufix(18,17)
    // Planes that exist: weights and target weights, one more for momentum, two for Adam.
    localparam [3:0]  PLANES     = (OPTIMISER == 0) ? 4'b0011 : (OPTIMISER == 1) ? 4'b0111 : 4'b1111;

    // Software that finds the core by itself reads the shape here: 0x200 to 0x244.
    function [31:0] halves(input integer high, input integer low);
        halves = (high << 16) | (low & 32'h0000FFFF);
    endfunction
    localparam [32*32-1:0] SHAPE = {
        {14{32'd0}},
        halves(field(ACTOR_UPDATE_COLS, 3), field(ACTOR_UPDATE_ROWS, 3)),
        halves(field(ACTOR_UPDATE_COLS, 2), field(ACTOR_UPDATE_ROWS, 2)),
        halves(field(ACTOR_UPDATE_COLS, 1), field(ACTOR_UPDATE_ROWS, 1)),
        halves(field(ACTOR_UPDATE_COLS, 0), field(ACTOR_UPDATE_ROWS, 0)),
        halves(field(ACTOR_LANES, 4), field(ACTOR_SIZES, 4)),
        halves(field(ACTOR_LANES, 3), field(ACTOR_SIZES, 3)),
        halves(field(ACTOR_LANES, 2), field(ACTOR_SIZES, 2)),
        halves(field(ACTOR_LANES, 1), field(ACTOR_SIZES, 1)),
        halves(field(ACTOR_LANES, 0), field(ACTOR_SIZES, 0)),
        halves(field(UPDATE_COLS, 3), field(UPDATE_ROWS, 3)),
        halves(field(UPDATE_COLS, 2), field(UPDATE_ROWS, 2)),
        halves(field(UPDATE_COLS, 1), field(UPDATE_ROWS, 1)),
        halves(field(UPDATE_COLS, 0), field(UPDATE_ROWS, 0)),
        halves(field(LANES, 4), field(SIZES, 4)),
        halves(field(LANES, 3), field(SIZES, 3)),
        halves(field(LANES, 2), field(SIZES, 2)),
        halves(field(LANES, 1), field(SIZES, 1)),
        halves(field(LANES, 0), field(SIZES, 0))
    };

    // Whether a write comes at the right moment, and whether its value fits.
    reg  run_q;
    reg  host_start_q;
    reg  host_wait_q;
    wire host_active = host_start_q || host_wait_q || host_busy;
    wire active      = run_q || busy || host_active;
    wire settles     = reg_wr_addr >= CONTROL && reg_wr_addr <= HOST;
    wire of_actor    = reg_wr_addr >= ACTOR_ACT_FRAC && reg_wr_addr <= PASS_FRAC;
    wire is_command  = reg_wr_addr == COMMAND;
    wire to_abort    = reg_wr_en && is_command && reg_wr_data[5];
    wire to_run      = reg_wr_data[0] && !to_abort;
    wire to_host     = (reg_wr_data[2] || reg_wr_data[3]) && !to_abort;
    wire timely      = is_command ? !(to_run && (host_active || aborting)) : !(settles && active);
    reg  fits;
    always @(*) begin
        case (reg_wr_addr)
            COMMAND:      fits = to_abort || !(to_run && (to_host || reg_wr_data[1])) && !(reg_wr_data[2] && reg_wr_data[3]);
            // Double DQN is nothing for a critic, lag nothing without an actor.
            CONTROL:      fits = ACTOR ? !reg_wr_data[0] : !reg_wr_data[1];
            BATCH:        fits = reg_wr_data != 32'd0 && reg_wr_data <= BATCH_32;
            GAMMA,
            REWARD_SCALE: fits = reg_wr_data <= ONE;
            HUBER:        fits = reg_wr_data[31:26] == 6'd0;
            TAU:          fits = reg_wr_data[31:17] == 15'd0 && (POLYAK_1 || reg_wr_data == 32'd0);
            RATE,
            MOMENTUM:     fits = reg_wr_data < ONE;
            ACTOR_RATE:   fits = ACTOR && reg_wr_data < ONE;
            HOST:         fits = PLANES[reg_wr_data[1:0]] && (ACTOR || !reg_wr_data[2]);
            default:      fits = ACTOR || !of_actor;
        endcase
    end

    wire write     = reg_wr_en && timely && fits;
    wire command   = write && is_command;
    wire refuses   = command && to_run && !formats_fit;
    wire starts    = command && to_host && !active;
    wire not_idle  = command && to_host && active;

    // Commands leave one clock later, beside the registers that came with them. The third clock of host_active covers a
    // core that takes two to become busy.
    reg abort_q;
    reg sat_clear_q;
    reg seed_load_q;
    reg host_read_q;
    always @(posedge clk) begin
        if (rst) begin
            run_q        <= 1'b0;
            abort_q      <= 1'b0;
            host_start_q <= 1'b0;
            host_wait_q  <= 1'b0;
            sat_clear_q  <= 1'b0;
            seed_load_q  <= 1'b0;
        end else begin
            if (command && to_run && formats_fit) run_q <= 1'b1;
            else if ((command && reg_wr_data[1]) || to_abort || aborting) run_q <= 1'b0;
            abort_q      <= to_abort;
            host_start_q <= starts;
            host_wait_q  <= host_start_q;
            sat_clear_q  <= command && reg_wr_data[4];
            seed_load_q  <= write && reg_wr_addr == SEED;
        end
    end
    always @(posedge clk) if (starts) host_read_q <= reg_wr_data[3];

    assign run        = run_q;
    assign abort      = abort_q;
    assign host_start = host_start_q;
    assign host_read  = host_read_q;
    assign sat_clear  = sat_clear_q;
    assign seed_load  = seed_load_q;

    reg [1:0]  control_q;
    reg [15:0] batch_q;
    reg [17:0] gamma_q;
    reg [17:0] reward_scale_q;
    reg [25:0] huber_q;
    reg [31:0] sync_interval_q;
    reg [16:0] tau_q;
    reg [31:0] seed_q;
    reg [24:0] act_frac_q;
    reg [24:0] delta_frac_q;
    reg [29:0] grad_frac_q;
    reg [17:0] rate_q;
    reg [5:0]  rate_exp_q;
    reg [17:0] momentum_q;
    reg [19:0] log_rate_q;
    reg [19:0] log_eps_q;
    reg [19:0] log_clip_q;
    reg [24:0] actor_act_frac_q;
    reg [24:0] actor_delta_frac_q;
    reg [29:0] actor_grad_frac_q;
    reg [17:0] actor_rate_q;
    reg [5:0]  actor_rate_exp_q;
    reg [19:0] actor_log_rate_q;
    reg [17:0] actor_delta_q;
    reg [24:0] pass_frac_q;
    reg [2:0]  host_q;
    always @(posedge clk) begin
        if (rst) begin
            control_q          <= 2'd0;
            batch_q            <= 16'd1;
            gamma_q            <= 18'd129761;
            reward_scale_q     <= 18'h20000;
            huber_q            <= 26'd0;
            sync_interval_q    <= 32'd0;
            tau_q              <= 17'd0;
            seed_q             <= 32'd0;
            act_frac_q         <= {5{5'd12}};
            delta_frac_q       <= {5{5'd12}};
            grad_frac_q        <= {5{6'd16}};
            rate_q             <= 18'd0;
            rate_exp_q         <= 6'd24;
            momentum_q         <= 18'd0;
            log_rate_q         <= 20'h80000;
            log_eps_q          <= 20'h80000;
            log_clip_q         <= 20'h7FFFF;
            actor_act_frac_q   <= {{4{5'd14}}, 5'd12};
            actor_delta_frac_q <= {5{5'd12}};
            actor_grad_frac_q  <= {5{6'd16}};
            actor_rate_q       <= 18'd0;
            actor_rate_exp_q   <= 6'd24;
            actor_log_rate_q   <= 20'h80000;
            actor_delta_q      <= 18'h3F000;
            pass_frac_q        <= {5{5'd12}};
            host_q             <= 3'd0;
        end else if (write) begin
            case (reg_wr_addr)
                CONTROL:          control_q          <= reg_wr_data[1:0];
                BATCH:            batch_q            <= reg_wr_data[15:0];
                GAMMA:            gamma_q            <= reg_wr_data[17:0];
                REWARD_SCALE:     reward_scale_q     <= reg_wr_data[17:0];
                HUBER:            huber_q            <= reg_wr_data[25:0];
                SYNC_INTERVAL:    sync_interval_q    <= reg_wr_data;
                TAU:              tau_q              <= reg_wr_data[16:0];
                SEED:             seed_q             <= reg_wr_data;
                ACT_FRAC:         act_frac_q         <= reg_wr_data[24:0];
                DELTA_FRAC:       delta_frac_q       <= reg_wr_data[24:0];
                GRAD_FRAC:        grad_frac_q        <= reg_wr_data[29:0];
                RATE:             rate_q             <= reg_wr_data[17:0];
                RATE_EXP:         rate_exp_q         <= reg_wr_data[5:0];
                MOMENTUM:         momentum_q         <= reg_wr_data[17:0];
                LOG_RATE:         log_rate_q         <= reg_wr_data[19:0];
                LOG_EPS:          log_eps_q          <= reg_wr_data[19:0];
                LOG_CLIP:         log_clip_q         <= reg_wr_data[19:0];
                ACTOR_ACT_FRAC:   actor_act_frac_q   <= reg_wr_data[24:0];
                ACTOR_DELTA_FRAC: actor_delta_frac_q <= reg_wr_data[24:0];
                ACTOR_GRAD_FRAC:  actor_grad_frac_q  <= reg_wr_data[29:0];
                ACTOR_RATE:       actor_rate_q       <= reg_wr_data[17:0];
                ACTOR_RATE_EXP:   actor_rate_exp_q   <= reg_wr_data[5:0];
                ACTOR_LOG_RATE:   actor_log_rate_q   <= reg_wr_data[19:0];
                ACTOR_DELTA:      actor_delta_q      <= reg_wr_data[17:0];
                PASS_FRAC:        pass_frac_q        <= reg_wr_data[24:0];
                HOST:             host_q             <= reg_wr_data[2:0];
                default: ;
            endcase
        end
    end

    assign cfg_double           = control_q[0];
    assign cfg_lag              = control_q[1];
    assign cfg_batch            = batch_q;
    assign cfg_gamma            = gamma_q;
    assign cfg_reward_scale     = reward_scale_q;
    assign cfg_huber            = huber_q;
    assign cfg_sync_interval    = sync_interval_q;
    assign cfg_tau              = tau_q;
    assign cfg_seed             = seed_q;
    assign cfg_act_frac         = act_frac_q;
    assign cfg_delta_frac       = delta_frac_q;
    assign cfg_grad_frac        = grad_frac_q;
    assign cfg_rate             = rate_q;
    assign cfg_rate_exp         = rate_exp_q;
    assign cfg_momentum         = momentum_q;
    assign cfg_log_rate         = log_rate_q;
    assign cfg_log_eps          = log_eps_q;
    assign cfg_log_clip         = log_clip_q;
    assign cfg_actor_act_frac   = actor_act_frac_q;
    assign cfg_actor_delta_frac = actor_delta_frac_q;
    assign cfg_actor_grad_frac  = actor_grad_frac_q;
    assign cfg_actor_rate       = actor_rate_q;
    assign cfg_actor_rate_exp   = actor_rate_exp_q;
    assign cfg_actor_log_rate   = actor_log_rate_q;
    assign cfg_actor_delta      = actor_delta_q;
    assign cfg_pass_frac        = pass_frac_q;
    assign host_actor           = host_q[2];
    assign host_plane           = host_q[1:0];

    // Which stages ever saturated; one that does so for the first time raises the flag.
    reg [63:0] saturated;
    reg [63:0] saturated_q;
    integer    stage;
    always @(*) begin
        for (stage = 0; stage < 64; stage = stage + 1) saturated[stage] = sat_count[32*stage +: 32] != 32'd0;
    end
    always @(posedge clk) begin
        if (rst) saturated_q <= 64'd0;
        else     saturated_q <= saturated;
    end

    // Flags and interrupts: set by events, cleared by writing ones.
    reg  [4:0] flags_q;
    reg  [2:0] irq_enable_q;
    reg  [2:0] irq_status_q;
    reg        host_active_q;
    reg  [4:0] flag_event;
    always @(*) begin
        flag_event                 = 5'd0;
        flag_event[FLAG_SATURATED] = (saturated & ~saturated_q) != 64'd0;
        flag_event[FLAG_CONFIG]    = reg_wr_en && timely && !fits;
        flag_event[FLAG_BUSY]      = reg_wr_en && !timely;
        flag_event[FLAG_FORMAT]    = refuses;
        flag_event[FLAG_HOST]      = not_idle;
    end
    wire [4:0] flags_clear = reg_wr_en && reg_wr_addr == FLAGS ? reg_wr_data[4:0] : 5'd0;
    wire [2:0] irq_clear   = reg_wr_en && reg_wr_addr == IRQ_STATUS ? reg_wr_data[2:0] : 3'd0;
    always @(posedge clk) begin
        if (rst) begin
            flags_q       <= 5'd0;
            irq_enable_q  <= 3'd0;
            irq_status_q  <= 3'd0;
            host_active_q <= 1'b0;
        end else begin
            host_active_q <= host_active;
            flags_q       <= (flags_q & ~flags_clear) | flag_event;
            irq_status_q  <= (irq_status_q & ~irq_clear)
                           | {host_active_q && !host_active, flag_event != 5'd0, step_done};
            if (reg_wr_en && reg_wr_addr == IRQ_ENABLE) irq_enable_q <= reg_wr_data[2:0];
        end
    end

    assign irq = (irq_status_q & irq_enable_q) != 3'd0;

    // Clocks of the whole core, and of the unit that software watches.
    reg [31:0] clocks_q;
    reg [31:0] unit_busy_q;
    reg [31:0] unit_wait_q;
    reg [5:0]  unit_q;
    wire watches = write && reg_wr_addr == UNIT;
    always @(posedge clk) begin
        if (rst) begin
            clocks_q    <= 32'd0;
            unit_busy_q <= 32'd0;
            unit_wait_q <= 32'd0;
            unit_q      <= 6'd1;
        end else begin
            clocks_q    <= sat_clear_q ? 32'd0 : clocks_q + {31'd0, busy};
            unit_busy_q <= sat_clear_q || watches ? 32'd0 : unit_busy_q + {31'd0, unit_busy[unit_q]};
            unit_wait_q <= sat_clear_q || watches ? 32'd0 : unit_wait_q + {31'd0, unit_wait[unit_q]};
            if (watches) unit_q <= reg_wr_data[5:0];
        end
    end

    reg [31:0] word;
    always @(*) begin
        case (reg_rd_addr)
            8'd0:             word = ID;
            8'd1:             word = VERSION;
            8'd2:             word = {11'd0, POLYAK_1, ROUND_32[1:0], OPT_32[1:0], DP_32[7:0], ACTOR_32[3:0],
                                      LAYERS_32[3:0]};
            8'd3:             word = {FRAC_32[7:0], WEIGHT_32[7:0], BATCH_32[15:0]};
            8'd4:             word = {8'd0, GRAD_32[7:0], VALUE_32[7:0], ACT_32[7:0]};
            STATUS:           word = {25'd0, left, aborting, formats_fit, host_active, busy, run_q};
            FLAGS:            word = {27'd0, flags_q};
            IRQ_ENABLE:       word = {29'd0, irq_enable_q};
            IRQ_STATUS:       word = {29'd0, irq_status_q};
            CONTROL:          word = {30'd0, control_q};
            BATCH:            word = {16'd0, batch_q};
            GAMMA:            word = {14'd0, gamma_q};
            REWARD_SCALE:     word = {14'd0, reward_scale_q};
            HUBER:            word = {6'd0, huber_q};
            SYNC_INTERVAL:    word = sync_interval_q;
            TAU:              word = {15'd0, tau_q};
            SEED:             word = seed_q;
            ACT_FRAC:         word = {7'd0, act_frac_q};
            DELTA_FRAC:       word = {7'd0, delta_frac_q};
            GRAD_FRAC:        word = {2'd0, grad_frac_q};
            RATE:             word = {14'd0, rate_q};
            RATE_EXP:         word = {26'd0, rate_exp_q};
            MOMENTUM:         word = {14'd0, momentum_q};
            LOG_RATE:         word = {12'd0, log_rate_q};
            LOG_EPS:          word = {12'd0, log_eps_q};
            LOG_CLIP:         word = {12'd0, log_clip_q};
            ACTOR_ACT_FRAC:   word = {7'd0, actor_act_frac_q};
            ACTOR_DELTA_FRAC: word = {7'd0, actor_delta_frac_q};
            ACTOR_GRAD_FRAC:  word = {2'd0, actor_grad_frac_q};
            ACTOR_RATE:       word = {14'd0, actor_rate_q};
            ACTOR_RATE_EXP:   word = {26'd0, actor_rate_exp_q};
            ACTOR_LOG_RATE:   word = {12'd0, actor_log_rate_q};
            ACTOR_DELTA:      word = {14'd0, actor_delta_q};
            PASS_FRAC:        word = {7'd0, pass_frac_q};
            HOST:             word = {29'd0, host_q};
            8'd36:            word = step_count;
            8'd37:            word = clocks_q;
            UNIT:             word = {26'd0, unit_q};
            8'd39:            word = unit_busy_q;
            8'd40:            word = unit_wait_q;
            8'd41:            word = saturated_q[31:0];
            8'd42:            word = saturated_q[63:32];
            default:          word = 32'd0;
        endcase
    end

    // Counters of saturations from word 64, the shape from word 128.
    reg [31:0] rd_data_q;
    always @(posedge clk) begin
        case (reg_rd_addr[7:6])
            2'd0:    rd_data_q <= word;
            2'd1:    rd_data_q <= sat_count[{reg_rd_addr[5:0], 5'd0} +: 32];
            default: rd_data_q <= SHAPE[{reg_rd_addr[4:0], 5'd0} +: 32];
        endcase
    end
    assign reg_rd_data = rd_data_q;
endmodule
`default_nettype wire
