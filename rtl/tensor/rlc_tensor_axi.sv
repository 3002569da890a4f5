// rlc_tensor_axi.sv — the tensor core behind AXI: AXI4-Lite registers; programs, parameters and records as AXI4-Stream.
// SPDX-License-Identifier: Apache-2.0
//
// s_axil_*      registers of tensor.rdl at byte addresses 0x00 to 0xFC; beyond them SLVERR. WSTRB as rlc_axil_regs says
// s_axis_in     beats (docs/tensor.md), done in their order. TLAST is ignored
// m_axis_out    results, parameter banks that are read, and ends, which have TLAST
// irq           high while an enabled interrupt is pending (IRQ_STATUS and IRQ_ENABLE)
// throughput    a beat a clock. A program begins 2 clocks behind its START; its end is told 9 clocks after it or later
// reset         one clock is enough; memories keep what they have
`default_nettype none
`include "rlc_axi.vh"
`include "rlc_nn_optimisers.vh"
`include "rlc_tensor_words.vh"
module rlc_tensor_axi #(
    `include "rlc_tensor_parameters.vh"
) (
    input  wire clk,
    input  wire rst,
    `RLC_AXIL_SLAVE(s_axil, 12),
    `RLC_AXIS_SLAVE(s_axis_in, 64),
    `RLC_AXIS_MASTER(m_axis_out, 64),
    output wire irq
);
    `RLC_TENSOR_LEGAL(rlc_tensor_axi)

    wire        wr_en, wr_acts, rd_en;
    wire [9:0]  wr_addr, rd_addr;
    wire [31:0] wr_data, rd_data;
    rlc_axil_regs #(.ADDR_WIDTH(12), .REGS(64)) u_axil (.*);

    // An abort is a reset of all that works.
    wire       abort, clear, untimely, misfit;
    wire       core_rst = rst || abort;

    // In: a register slice, then what each beat asks for.
    `RLC_STREAM_WIRES(beat, 64);
    rlc_skid #(.WIDTH(64)) u_in (
        .clk(clk), .rst(rst), .s_valid(s_axis_in_tvalid), .s_ready(s_axis_in_tready), .s_data(s_axis_in_tdata),
        `RLC_STREAM_JOIN(m, beat)
    );
    `RLC_STREAM_WIRES(d, 48);
    `RLC_STREAM_WIRES(x, `RLC_TENSOR_UPDATE);
    `RLC_STREAM_WIRES(load, SIDE*48);
    `RLC_STREAM_WIRES(read, SIDE*48);
    `RLC_STREAM_WIRES(r, SIDE + SIDE*35);
    `RLC_STREAM_WIRES(out, 64);
    localparam S_BITS = $clog2(SIDE);
    wire                        dropped, dropping, busy, hosting, quiet, out_last, out_idle;
    wire                        p_valid, f_valid, w_valid, w_ready, draw_load, h_valid, h_ready, start;
    wire [2:0]                  working;
    wire [11:0]                 address;
    wire [`RLC_TENSOR_STEP-1:0] p_data;
    wire [5:0]                  lane;
    wire [15:0]                 f_data, h_address, samples;
    wire [40:0]                 f_word, looked;
    wire                        look;
    wire [5:0]                  look_id;
    wire `RLC_NN_SETTINGS       w_settings;
    wire [16:0]                 w_tau;
    wire [34:0]                 h_data;
    rlc_tensor_rx #(.SIDE(SIDE), .WORDS(WORDS), .STEPS(STEPS)) u_rx (.*, `RLC_STREAM_JOIN(s, beat));
    assign quiet = out_idle && !r_valid && !read_valid;

    wire         refused, shift, unfit;
    wire [31:0]  weight_saturated, value_saturated, acc_overflow;
    wire [127:0] draw_state;
    wire [383:0] fractions;
    rlc_tensor_trainer #(
        `include "rlc_tensor_args.vh"
    ) u_trainer (
        .*, .rst(core_rst), .p_address(address), .f_id(lane), .w_slot(lane[1:0]), .entry(address), .draw_state(p_data[127:0]),
        .draw_state_q(draw_state), .h_lane(lane[S_BITS-1:0]), .misfit(shift)
    );

    // Out: beats; the one that is offered stays over an abort.
    rlc_tensor_tx #(.SIDE(SIDE)) u_tx (.*, .rst(core_rst), `RLC_STREAM_JOIN(m, out), .m_last(out_last), .idle(out_idle));
    wire stale;
    rlc_abort_out #(.WIDTH(65)) u_out (
        .clk(clk), .rst(rst), .drop(abort), .s_valid(out_valid), .s_ready(out_ready), .s_data({out_last, out_data}),
        .m_valid(m_axis_out_tvalid), .m_ready(m_axis_out_tready), .m_data({m_axis_out_tlast, m_axis_out_tdata}), .stale(stale)
    );

    // Counters, and the fractions as bytes.
    wire [16*32-1:0] count;
    wire [16*32-1:0] bytes;
    wire             ends = d_valid && d_ready && !hosting;
    rlc_tensor_counts #(.COUNTERS(6)) u_counts (
        .clk(clk), .rst(rst), .clear(clear),
        .add({31'd0, ends, 31'd0, refused, 31'd0, dropped, acc_overflow, value_saturated, weight_saturated}), .count(count[6*32-1:0])
    );
    assign count[16*32-1:6*32] = 320'd0;
    genvar f;
    for (f = 0; f < 64; f = f + 1) begin : g_fraction
        assign bytes[f*8 +: 8] = {2'd0, fractions[f*6 +: 6]};
    end

    rlc_tensor_regs #(
        .SIDE(SIDE), .BLOCKS(BLOCKS), .WEIGHT_BLOCKS(WEIGHT_BLOCKS), .TARGET_BLOCKS(TARGET_BLOCKS), .BIAS_ROWS(BIAS_ROWS),
        .A_TILES(A_TILES), .E_TILES(E_TILES), .PASS_SUMS(PASS_SUMS), .ROWS(ROWS), .GROUPS(GROUPS), .TARGET_GROUPS(TARGET_GROUPS),
        .GRAD_WORDS(GRAD_WORDS), .GRAD_ROWS(GRAD_ROWS), .WORDS(WORDS), .OUTPUT_WORDS(OUTPUT_WORDS), .STEPS(STEPS)
    ) u_regs (
        .*, .wr_addr(wr_addr[5:0]), .rd_addr(rd_addr[5:0]), .count_words(count), .fractions_words(bytes),
        .may_idle(!busy && !hosting && working == 3'd0), .do_command_abort(abort), .do_command_clear_counters(clear),
        .hw_status_busy(busy), .hw_status_products(working[0]), .hw_status_updates(working[1]), .hw_status_vectors(working[2]),
        .hw_status_host(hosting), .hw_status_dropping(dropping), .hw_status_stale_out(stale),
        .set_flags_busy(untimely), .set_flags_config(misfit), .set_flags_dropped(dropped), .set_flags_refused(refused),
        .set_flags_shift(shift), .set_flags_format(unfit), .set_flags_acc_overflow(acc_overflow != 32'd0),
        .set_flags_value_saturated(value_saturated != 32'd0), .set_flags_weight_saturated(weight_saturated != 32'd0),
        .set_irq_status_done(d_valid && d_ready), .cfg_samples(samples),
        .hw_state0(draw_state[31:0]), .hw_state1(draw_state[63:32]), .hw_state2(draw_state[95:64]),
        .hw_state3(draw_state[127:96])
    );
    wire unused = &{1'b0, wr_addr[9:6], rd_addr[9:6], rd_en, s_axis_in_tlast, lane};
endmodule
`default_nettype wire
