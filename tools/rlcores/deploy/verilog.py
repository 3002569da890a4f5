"""The policy in Verilog: a top with its parameters, memory images, and a test bench with recorded observations."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rlcores.base import paths
from rlcores.cores.mlp import cycles
from rlcores.cores.mlp.model import MlpModel, Weights, saturate
from rlcores.cores.mlp.shape import OUT_WIDTH, MlpShape
from rlcores.deploy.formats import Quantised

_TOP = """\
// {module}.v — a trained policy: rlc_mlp with its parameters. Written by `rlcores deploy`.
// SPDX-License-Identifier: Apache-2.0
//
// s_obs_*     observations: {words} words of {cols} integers of {act_width} bits each, the first lowest;
//             policy.json says how numbers become integers
// m_act_*     {meaning}
// s_load_*    other weights for this core, weights.bin 32 bits at a time, last with the last word; they are swapped in
//             whole, between two observations
// latency     {latency} clocks from an observation's last word to its action
`default_nettype none
module {module} #(
    parameter BIAS_INIT   = "{bias_init}",  // files of the weights at power-on; "" for all: weights come by s_load_*
    parameter NORM_INIT   = "{norm_init}",
    parameter WEIGHT_INIT = "{weight_init}"
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_obs_valid,
    output wire        s_obs_ready,
    input  wire [{obs_top}:0] s_obs_data,
    output wire        m_act_valid,
    input  wire        m_act_ready,
    output wire [{act_top}:0] m_act_data,
    input  wire        s_load_valid,
    output wire        s_load_ready,
    input  wire [31:0] s_load_data,
    input  wire        s_load_last,
    output wire        taken,
    output wire        refused,
    output wire        loaded
);
    rlc_mlp #(
{parameters}
        .BIAS_INIT(BIAS_INIT), .NORM_INIT(NORM_INIT), .WEIGHT_INIT(WEIGHT_INIT)
    ) u_mlp (
        .clk(clk), .rst(rst), .s_obs_valid(s_obs_valid), .s_obs_ready(s_obs_ready), .s_obs_data(s_obs_data),
        .m_act_valid(m_act_valid), .m_act_ready(m_act_ready), .m_act_data(m_act_data), .s_load_valid(s_load_valid),
        .s_load_ready(s_load_ready), .s_load_data(s_load_data), .s_load_last(s_load_last), .taken(taken),
        .refused(refused), .loaded(loaded)
    );
endmodule
`default_nettype wire
"""

ROUNDS = 2  # of all observations in a folder's bench

_BENCH = """\
// tb.v — {module} against recorded answers, while sets of weights are loaded. Written by `rlcores deploy`.
// SPDX-License-Identifier: Apache-2.0
//
// Observations and answers come with random pauses. Meanwhile a second set of weights, the first one again, and sets
// that are cut, too long or of another identity are loaded. Every answer must be that of the set which was active when
// its observation was complete, {latency} clocks after that.
`timescale 1ns / 1ps
module tb;
    localparam COUNT   = {count};    // observations, each with both sets
    localparam WORDS   = {words};
    localparam OBS     = {obs_bits};
    localparam ACT     = {act_bits};
    localparam LOAD    = {load};
    localparam LATENCY = {latency};
    localparam ROUNDS  = {rounds};

    reg clk = 1'b0;
    always #5 clk = !clk;
    reg rst = 1'b1;

    reg  [OBS-1:0] observations [0:COUNT*WORDS-1];
    reg  [ACT-1:0] answers_0 [0:COUNT-1];
    reg  [ACT-1:0] answers_1 [0:COUNT-1];
    reg  [31:0]    load_0 [0:LOAD-1];
    reg  [31:0]    load_1 [0:LOAD-1];
    integer        few;  // that many answers are enough, and no set of weights is waited for; 0: all
    initial begin
        $readmemh("observations.hex", observations);
        $readmemh("answers_0.hex", answers_0);
        $readmemh("answers_1.hex", answers_1);
        $readmemh("load_0.hex", load_0);
        $readmemh("load_1.hex", load_1);
        if ($test$plusargs("wave")) begin
            $dumpfile("tb.vcd");
            $dumpvars(0, tb);
        end
        if (!$value$plusargs("answers=%d", few)) few = 0;
    end

    reg            obs_valid = 1'b0, act_ready = 1'b0, load_valid = 1'b0;
    reg  [OBS-1:0] obs_data = {{OBS{{1'b0}}}};
    reg  [31:0]    load_data = 32'd0;
    reg            load_last = 1'b0;
    wire           obs_ready, act_valid, load_ready, taken, refused, loaded;
    wire [ACT-1:0] act_data;
    {module} dut (
        .clk(clk), .rst(rst), .s_obs_valid(obs_valid), .s_obs_ready(obs_ready), .s_obs_data(obs_data),
        .m_act_valid(act_valid), .m_act_ready(act_ready), .m_act_data(act_data), .s_load_valid(load_valid),
        .s_load_ready(load_ready), .s_load_data(load_data), .s_load_last(load_last), .taken(taken), .refused(refused),
        .loaded(loaded)
    );

    // Random bits of a shift register, so that all simulators see the same.
    reg  [31:0] lfsr = 32'h{seed:08x};
    wire [31:0] lfsr_next = {{lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]}};

    integer resets = 0, at = 0, word = 0, waited = 0, done = 0, wrong = 0, late = 0, takens = 0, refuseds = 0;
    integer ending = 0, load_at = 0, kind = 0, expected_refused = 0, loads = 0, length = LOAD;
    reg     sending = 1'b1;   // the set that is loaded next
    reg     set = 1'b0, used = 1'b0, busy = 1'b0, answered = 1'b0;
    wire    set_now = taken ? !set : set;
    wire    obs_take = obs_valid && obs_ready;
    wire    act_take = act_valid && act_ready;
    wire    load_take = load_valid && load_ready;

    // Inputs change just behind the edge that took them, and are sampled at the next one.
    always @(posedge clk) begin
        lfsr <= {{lfsr_next[27:0], lfsr[31:28]}} ^ lfsr_next;
        resets <= resets + 1;
        rst <= resets < 4;
        if (resets > 8) begin
            // Observations.
            if (obs_take) begin
                if (word == WORDS - 1) begin
                    word = 0;
                    busy = 1'b1;
                    answered = 1'b0;
                    used = set_now;
                    waited = -1;
                end else word = word + 1;
            end
            if (obs_take || !obs_valid) begin
                obs_valid <= !busy && (lfsr[3:0] < 4'd12);
                obs_data  <= observations[at*WORDS + word];
            end
            if (busy) waited = waited + 1;
            // Answers.
            if (act_valid && !answered) begin
                answered = 1'b1;
                if (waited != LATENCY) late = late + 1;
                if (act_data !== (used ? answers_1[at] : answers_0[at])) begin
                    wrong = wrong + 1;
                    if (wrong < 5) $display("observation %0d, set %0d: %h instead of %h", at, used, act_data,
                                            used ? answers_1[at] : answers_0[at]);
                end
            end
            if (act_take) begin
                busy = 1'b0;
                done = done + 1;
                at = (at == COUNT - 1) ? 0 : at + 1;
            end
            act_ready <= lfsr[8];
            // Weights: kind 0 and 1 are whole sets in turn; 2 is cut, 3 too long, 4 of another identity.
            set = set_now;
            if (taken) takens = takens + 1;
            if (refused) refuseds = refuseds + 1;
            if (load_take) begin
                load_at = load_at + 1;
                if (load_last) begin
                    loads = loads + 1;
                    load_at = 0;
                    if (kind < 2) sending = !sending;
                    else expected_refused = expected_refused + 1;
                    kind = (lfsr[12:10] < 3'd5) ? 0 : (lfsr[14:13] == 2'd0) ? 2 : (lfsr[14:13] == 2'd1) ? 3 : 4;
                    length = (kind == 2) ? LOAD - 1 : (kind == 3) ? LOAD + 1 : LOAD;
                end
            end
            if (load_take || !load_valid) begin
                load_valid <= lfsr[20:18] != 3'd0 && (load_at != 0 || done >= 3) && ending == 0;
                load_data  <= (kind == 4 && load_at == 0) ? ~load_0[0]
                            : (load_at >= LOAD) ? 32'd0
                            : sending ? load_1[load_at] : load_0[load_at];
                load_last  <= load_at == length - 1;
            end
            // A set that is on its way is dropped; what the last one led to is waited for.
            if (few != 0 ? done >= few : done >= COUNT * ROUNDS && takens >= 2 && loads >= 4) ending = ending + 1;
            if (ending == 8) begin
                if (wrong == 0 && late == 0 && refuseds == expected_refused)
                    $display("RTL: %0d observations, %0d sets taken, %0d refused, 0 wrong", done, takens, refuseds);
                else
                    $display("FAILED: %0d observations, %0d wrong, %0d not on time, %0d of %0d sets refused",
                             done, wrong, late, refuseds, expected_refused);
                $finish;
            end
            if (resets > 64'd{most}) begin
                $display("FAILED: no end; %0d observations, %0d sets taken, %0d refused", done, takens, refuseds);
                $finish;
            end
        end
    end
endmodule
"""


def hexadecimal(values: np.ndarray, bits: int) -> str:
    """Lines of hexadecimal numbers of `bits` bits: values are integers [lines, fields], each of bits / fields bits."""
    lines, fields = values.shape
    each = bits // fields
    planes = ((values[:, :, None] >> np.arange(each)) & 1).astype(np.uint8).reshape(lines, bits)
    whole = -(-bits // 8) * 8
    full = np.zeros((lines, whole), dtype=np.uint8)
    full[:, :bits] = planes
    packed = np.packbits(full, axis=1, bitorder="little")[:, ::-1]
    digits = -(-bits // 4)
    return "".join(row.tobytes().hex()[-digits:] + "\n" for row in packed)


def images(weights: Weights) -> dict[str, str]:
    """Memory images by name, as $readmemh takes them, a word per line: biases, weights, norms if a layer has one.

    Both versions of a word stand one after the other, and both begin with the same.
    """
    shape, words = weights.shape, weights.words().astype(np.int64)
    biases, factors = shape.groups * shape.rows, shape.norm_pieces * shape.acts
    parts = {
        "biases": words[1 : 1 + biases].reshape(shape.groups, shape.rows),
        "norms": words[1 + biases : 1 + biases + factors].reshape(shape.norm_pieces, shape.acts),
        "weights": words[1 + biases + factors :].reshape(shape.steps, shape.weight_parts),
    }
    return {n: hexadecimal(np.repeat(w, 2, axis=0), 32 * w.shape[1]) for n, w in parts.items() if len(w)}


def inits(shape: MlpShape, folder: str) -> dict[str, str]:
    """Names of the files of `images`, for a top's parameters."""
    norms = f"{folder}norms.hex" if shape.norm_pieces else ""
    return {"bias_init": f"{folder}biases.hex", "norm_init": norms, "weight_init": f"{folder}weights.hex"}


def top(quantised: Quantised, module: str = "policy_core", folder: str = "../mem/") -> str:
    """The top, a module without parameters but the names of its memory images."""
    shape = quantised.shape
    parameters = shape.parameters()
    lines = [f"        .{name}({_written(name, value)})," for name, value in parameters.items()]
    numbers = f"{shape.sizes[-1]} numbers of {OUT_WIDTH} bits, the first lowest"
    meaning = "the index of the action" if shape.argmax else numbers
    return _TOP.format(
        module=module,
        words=shape.pieces(shape.sizes[0], shape.cols),
        cols=shape.cols,
        act_width=shape.act_width,
        meaning=meaning,
        latency=cycles.answer(shape),
        **inits(shape, folder),
        obs_top=shape.cols * shape.act_width - 1,
        act_top=answer_bits(shape) - 1,
        parameters="\n".join(lines),
    )


def _written(name: str, value: str | int) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return f"32'h{value:08x}" if name == "IDENTITY" else str(value)


def answer_bits(shape: MlpShape) -> int:
    """Bits of an answer."""
    return 10 if shape.argmax else OUT_WIDTH * shape.sizes[-1]


def mirrored(weights: Weights) -> Weights:
    """The same network with all weights and biases of the other sign: a second set for the bench."""
    widths = weights.shape.weight_widths
    return Weights(
        weights.shape,
        tuple(saturate(-w, width) for w, width in zip(weights.weights, widths, strict=True)),
        tuple(saturate(-b, 32) for b in weights.biases),
        tuple(None if f is None else saturate(-f, 16) for f in weights.factors),
    )


def bench(
    quantised: Quantised, integers: np.ndarray, seed: int = 1, rounds: int = ROUNDS, module: str = "policy_core"
) -> dict[str, str]:
    """Files of a test bench by name: tb.v and what it reads. integers: observations, int64 [count, inputs]."""
    shape, sets = quantised.shape, (quantised.weights, mirrored(quantised.weights))
    words = shape.pieces(shape.sizes[0], shape.cols)
    padded = np.zeros((len(integers), words * shape.cols), dtype=np.int64)
    padded[:, : shape.sizes[0]] = integers
    # What lies beyond an observation's last number must not matter.
    padded[:, shape.sizes[0] :] = -1
    files = {"observations.hex": hexadecimal(padded.reshape(-1, shape.cols), shape.cols * shape.act_width)}
    for number, weights in enumerate(sets):
        answers = MlpModel(weights).act(integers)
        files[f"answers_{number}.hex"] = hexadecimal(answers, answer_bits(shape))
        files[f"load_{number}.hex"] = hexadecimal(weights.words().astype(np.int64)[:, None], 32)
    files["observations.txt"] = "".join(" ".join(map(str, row)) + "\n" for row in integers.tolist())
    files["answers.txt"] = "".join(" ".join(map(str, row)) + "\n" for row in MlpModel(sets[0]).act(integers).tolist())
    latency = cycles.answer(shape)
    files["tb.v"] = _BENCH.format(
        module=module,
        count=len(integers),
        words=words,
        obs_bits=shape.cols * shape.act_width,
        act_bits=answer_bits(shape),
        load=shape.load_words,
        latency=latency,
        rounds=rounds,
        seed=0xACE1 + 2654435761 * seed % (1 << 31),
        most=100000 + 8 * (len(integers) * rounds * (latency + 4 * words + 8) + 30 * shape.load_words),
    )
    return files


def few(shape: MlpShape, most: int) -> int:
    """Answers that Icarus gives in about a minute, at least 1; `most` where that is all.

    A clock of Icarus was measured to take some 5 us for each product and 100 us for each activation unit.
    """
    clocks = 60 / (2e-4 + 5e-6 * shape.rows * shape.cols + 1e-4 * shape.acts)
    return min(most, max(1, int(clocks / (cycles.answer(shape) + 10))))


def sources(modules: Sequence[str] = ("rlc_mlp", "rlc_mlp_guard", "rlc_mlp_range")) -> list[Path]:
    """The files of rtl/ that modules are made of, by the modules that each names; includes last."""
    rtl = paths.root() / "rtl"
    everything = {file.stem: file for file in rtl.rglob("rlc_*.v")} | {f.name: f for f in rtl.rglob("rlc_*.vh")}
    by_module: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in by_module or name not in everything:
            continue
        by_module[name] = everything[name]
        text = re.sub(r"//.*", "", everything[name].read_text())
        waiting += re.findall(r"^\s*(rlc_\w+) +(?:#\(|u_\w+)", text, re.M) + re.findall(r'`include "(\w+\.vh)"', text)
    files = sorted(by_module.values(), key=lambda file: (file.suffix == ".vh", file.name))
    return files
