// rlc_learner_axi.sv — the learner behind AXI: AXI4-Lite registers; records, priorities and weights as AXI4-Stream.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*         registers of learner.rdl at byte addresses 0x000 to 0x244; beyond them SLVERR. WSTRB: rlc_axil_regs
// s_axis_rec       records, LN_0 words of 32 bits a beat: see docs/learner_api.md. Taken while the core runs and until
//                  the batch begun is complete; TLAST is ignored
// m_axis_prio      |TD error| of each valid record in order, fraction of the output vector; TLAST with a batch's last
// s_axis_load      a parameter bank of weights, 64 bits a weight, sign extended; taken after COMMAND.load, TLAST is ignored
// m_axis_read      the same after COMMAND.read; TLAST with the last
// irq              high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// abort_in         as COMMAND.abort, as long as it is high: docs/learner_api.md, "Abort". Alone: 0
// aborting         until the core is idle
// hold, step_done, bus_*, avg_*   as of rlc_learner. Alone: hold and avg_in are 0
//
// refused          a load or a read while the core runs changes nothing and raises FLAGS.HOST: see learner.rdl
// throughput       that of rlc_learner
// reset            one clock is enough; it leaves the weights undefined
`default_nettype none
`include "rlc_learner_ports.vh"
module rlc_learner_axi #(
    `include "rlc_learner_parameters.vh"
    , parameter AVERAGE = 0   // clocks from a group at avg_out to its average at avg_in; 0: it learns alone, and avg_in is 0
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis_rec, field(LANES, 0)*32),
    `RLC_AXIS_MASTER(m_axis_prio, 32),
    `RLC_AXIS_SLAVE(s_axis_load, 64),
    `RLC_AXIS_MASTER(m_axis_read, 64),
    output wire irq,
    input  wire abort_in,
    output wire aborting,
    input  wire hold,
    output wire step_done,
    input  wire `RLC_LEARNER_AVERAGE avg_in,
    output wire `RLC_LEARNER_AVERAGE avg_out,
    output wire [acting_layers(SIZES)-1:0] bus_valid,
    output wire [acting_layers(SIZES) * acting_bits(UPDATE_ROWS, UPDATE_COLS, WEIGHT_WIDTH)-1:0] bus_data
);
    `include "rlc_learner_defs.vh"

    // The registers' values after reset reach the core while it is still in reset.
    reg  rst_q;
    always @(posedge clk) rst_q <= rst;
    wire core_rst = rst || rst_q;

    wire        wr_en, wr_acts, rd_en;
    wire [9:0]  wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(146)) u_axil (.*);

    `include "rlc_nn_state.vh"
    `RLC_LEARNER_BATCH_SETTINGS(wire, ;);
    `RLC_RL_TD_LOSS_SETTINGS(wire, ;);
    `RLC_LEARNER_TARGET_SETTINGS(wire, ;);
    `RLC_LEARNER_STEP_SETTINGS(wire, ;);
    `RLC_LEARNER_NETS_SETTINGS(wire, ;);
    `RLC_LEARNER_PASS_SETTINGS(wire, ;);
    // Of every network that a core may have, although this one may have less.
    `RLC_LEARNER_FRACTION_WIRES(cfg_net0)
    `RLC_LEARNER_FRACTION_WIRES(cfg_net1)
    `RLC_NN_OWN_WIRES(cfg_net0)
    `RLC_NN_OWN_WIRES(cfg_net1)
    `RLC_NN_SHARED_WIRES(cfg)
    wire [`RLC_LEARNER_NETWORKS*`RLC_LEARNER_FRACTIONS-1:0] fracs =
        {`RLC_LEARNER_FRACTIONS_OF(cfg_net1), `RLC_LEARNER_FRACTIONS_OF(cfg_net0)};
    wire [`RLC_LEARNER_NETWORKS*`RLC_NN_SETTINGS_BITS-1:0] optimisers =
        {`RLC_NN_SETTINGS_OF(cfg_net1, cfg), `RLC_NN_SETTINGS_OF(cfg_net0, cfg)};
    assign cfg_fracs      = fracs[lists(SIZES)*`RLC_LEARNER_FRACTIONS-1:0];
    assign cfg_optimisers = optimisers[lists(SIZES)*`RLC_NN_SETTINGS_BITS-1:0];
    reg              run_q, host_start_q, host_read_q, seed_load_q;
    wire             busy, to_abort, cfg_ok, host_busy, sat_clear;
    wire [1:0]       stale, host_param_bank;
    wire [3:0]       host_number;
    wire [index_bits(lists(SIZES))-1:0] host_network = host_number[index_bits(lists(SIZES))-1:0];
    wire [31:0]      steps;
    wire [64*32-1:0] sat_count;
    wire [63:0]      unit_busy, unit_wait;
    assign seed_load = seed_load_q;

    // Commands. What the core does is settled before it starts; loads and reads of weights need it idle.
    wire command, wr_seed, wr_unit, untimely, misfit;
    reg  host_wait_q;
    wire host_active = host_start_q || host_wait_q || host_busy;
    wire active      = run_q || busy || host_active;
    wire halts       = wr_data[5];
    wire to_run      = wr_data[0] && !halts;
    wire to_host     = (wr_data[2] || wr_data[3]) && !halts;
    wire one_thing   = halts || (!(to_run && (to_host || wr_data[1])) && !(wr_data[2] && wr_data[3]));
    wire starts      = command && to_host && !active;

    // They leave one clock later, beside the registers that came with them. The third clock of host_active covers a core
    // that takes two to become busy.
    always @(posedge clk) begin
        if (rst) begin
            run_q        <= 1'b0;
            host_start_q <= 1'b0;
            host_wait_q  <= 1'b0;
            seed_load_q  <= 1'b0;
        end else begin
            if (command && to_run && cfg_ok) run_q <= 1'b1;
            else if ((command && (wr_data[1] || halts)) || aborting) run_q <= 1'b0;
            host_start_q <= starts;
            host_wait_q  <= host_start_q;
            seed_load_q  <= wr_seed;
        end
    end
    always @(posedge clk) if (starts) host_read_q <= wr_data[3];

    // Which stages ever saturated; one that does so for the first time raises the flag.
    reg  [63:0] saturated;
    reg  [63:0] saturated_q;
    reg         host_active_q;
    integer     stage;
    always @(*) begin
        for (stage = 0; stage < 64; stage = stage + 1) saturated[stage] = sat_count[32*stage +: 32] != 32'd0;
    end
    always @(posedge clk) begin
        saturated_q   <= rst ? 64'd0 : saturated;
        host_active_q <= !rst && host_active;
    end

    // Software that finds the core by itself reads its shape, network by network.
    wire [32*32-1:0] shape;
    rlc_learner_shape #(
        .SIZES(SIZES), .LANES(LANES), .UPDATE_ROWS(UPDATE_ROWS), .UPDATE_COLS(UPDATE_COLS)
    ) u_shape (.shape(shape));

    wire [5:0] unit;
    rlc_learner_regs #(
        .LAYERS_0(fields(SIZES) - 1), .LAYERS_1(fields(list(SIZES, 1)) - 1),
        .DP(DP), .BATCH_MAX(BATCH_MAX), .OPTIMISER(OPTIMISER), .STATE_WORDS(STATE_WORDS), .DECAYS(HAS_DECAY),
        .ROUND(ROUND), .POLYAK(POLYAK), .WEIGHT_WIDTH(WEIGHT_WIDTH), .WEIGHT_FRAC(WEIGHT_FRAC), .ACT_WIDTH(ACT_WIDTH),
        .VALUE_WIDTH(VALUE_WIDTH), .GRAD_WIDTH(GRAD_WIDTH)
    ) u_regs (
        .*, .wr_addr(wr_addr[7:0]), .rd_addr(rd_addr[7:0]), .sat_words(sat_count), .shape_words(shape),
        .may_command(!(to_run && (host_active || aborting))), .fits_command(one_thing), .may_idle(!active),
        .wr_command(command), .do_command_abort(to_abort), .do_command_clear_counters(sat_clear),
        .hw_status_running(run_q), .hw_status_busy(busy), .hw_status_host(host_active), .hw_status_formats_fit(cfg_ok),
        .hw_status_aborting(aborting), .hw_status_stale_prio(stale[0]), .hw_status_stale_read(stale[1]),
        .set_flags_saturated((saturated & ~saturated_q) != 64'd0), .set_flags_config(misfit), .set_flags_busy(untimely),
        .set_flags_format(command && to_run && !cfg_ok), .set_flags_host(command && to_host && active),
        .set_irq_status_step(step_done), .set_irq_status_host(host_active_q && !host_active),
        .cfg_control_double_dqn(cfg_double), .cfg_control_lag(cfg_lag),
        .cfg_host_network(host_number), .cfg_host_param_bank(host_param_bank), .cfg_unit(unit), .hw_steps(steps),
        .hw_saturated0(saturated_q[31:0]), .hw_saturated1(saturated_q[63:32]),
        // What happens in the clock of their clearing does not count.
        .count_clocks(busy && !sat_clear), .clr_unit_busy(sat_clear || wr_unit), .clr_unit_wait(sat_clear || wr_unit),
        .count_unit_busy(unit_busy[unit] && !sat_clear && !wr_unit),
        .count_unit_wait(unit_wait[unit] && !sat_clear && !wr_unit)
    );

    // Beats for a load that was refused, or that nobody asked for, wait.
    wire s_load_ready;
    wire loads = host_busy && !host_read_q;
    assign s_axis_load_tready = s_load_ready && loads;

    rlc_learner #(
        `include "rlc_learner_args.vh"
        , .AVERAGE(AVERAGE)
    ) u_learner (
        .*, .rst(core_rst), .run(run_q), .abort_in(to_abort || abort_in), .host_start(host_start_q), .host_read(host_read_q),
        .s_load_valid(s_axis_load_tvalid && loads), .s_load_data(s_axis_load_tdata),
        .m_read_valid(m_axis_read_tvalid), .m_read_ready(m_axis_read_tready), .m_read_data(m_axis_read_tdata),
        .m_read_last(m_axis_read_tlast),
        .s_rec_valid(s_axis_rec_tvalid), .s_rec_ready(s_axis_rec_tready), .s_rec_data(s_axis_rec_tdata),
        .m_prio_valid(m_axis_prio_tvalid), .m_prio_ready(m_axis_prio_tready), .m_prio_data(m_axis_prio_tdata),
        .m_prio_last(m_axis_prio_tlast)
    );

    // rlc_axil_regs hands on no index beyond REGS; the core counts records and weights by itself.
    wire unused = &{1'b0, fracs, optimisers, host_number, wr_addr[9:8], rd_en, rd_addr[9:8], s_axis_rec_tlast,
                    s_axis_load_tlast};
endmodule
`default_nettype wire
