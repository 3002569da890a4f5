"""The policy in C99: a header, a reference without dependencies that gives the core's bits, and its weights apart."""

import numpy as np

from rlcores.cores.common import tanh
from rlcores.cores.mlp import activations, norm
from rlcores.deploy.formats import Quantised

_HEAD = """\
/* {name}: {what} Written by `rlcores deploy`.
   SPDX-License-Identifier: Apache-2.0 */
"""

_HEADER = """\
#ifndef POLICY_H
#define POLICY_H
#include <stdint.h>

#define POLICY_INPUTS {inputs}
#define POLICY_OUTPUTS {outputs} /* of the network */
#define POLICY_ACTIONS {actions} /* numbers of an action: one index, or a value per output */
#define POLICY_IDENTITY UINT32_C({identity}) /* of shape and formats */

/* Integers of an observation: rounded half up and limited, as policy.json says. Numbers that are not finite give 0. */
void policy_observe(const double observation[POLICY_INPUTS], int32_t integers[POLICY_INPUTS]);

/* The core's answer to these integers, bit for bit. */
void policy_run(const int32_t integers[POLICY_INPUTS], int32_t answer[POLICY_ACTIONS]);

/* Actions in their own units from the core's answer. */
void policy_act(const int32_t answer[POLICY_ACTIONS], double action[POLICY_ACTIONS]);

#endif
"""

_SOURCE = """\
#include "policy.h"

#define LAYERS {layers}
#define MOST {most}
#define UNIT_FRAC {unit_frac}

struct layer {{
    int inputs, outputs, kind, shift, bias_shift, unit_shift, width, slope;
    const {weight_type} *weights; /* [outputs][inputs] */
    const int32_t *biases;
{norm_fields}}};
{externs}
static const struct layer layers[LAYERS] = {{
{layer_rows}
}};
static const double in_scale[POLICY_INPUTS] = {{{in_scale}}};
static const int32_t in_offset[POLICY_INPUTS] = {{{in_offset}}};
static const int32_t in_low[POLICY_INPUTS] = {{{in_low}}};
static const int32_t in_high[POLICY_INPUTS] = {{{in_high}}};

/* x / 2^n, rounded down; C leaves >> of negative numbers to the compiler. */
static int64_t down(int64_t x, int n) {{ return x >= 0 ? x >> n : ~(~x >> n); }}

static int64_t rounded(int64_t x, int n) {{ return n > 0 ? down(x + (INT64_C(1) << (n - 1)), n) : x; }}

static int64_t limited(int64_t x, int bits) {{
    const int64_t top = (INT64_C(1) << (bits - 1)) - 1;
    return x > top ? top : x < -top - 1 ? -top - 1 : x;
}}
{tables}
static int64_t unit(const struct layer *at, int64_t x) {{
    switch (at->kind) {{
{cases}
    default: return x;
    }}
}}

void policy_observe(const double observation[POLICY_INPUTS], int32_t integers[POLICY_INPUTS]) {{
    for (int i = 0; i < POLICY_INPUTS; i++) {{
        double scaled = observation[i] * in_scale[i] + 0.5;
        int64_t whole = 0;
        if (scaled > 1099511627776.0) scaled = 1099511627776.0;
        if (scaled < -1099511627776.0) scaled = -1099511627776.0;
        if (scaled == scaled) {{
            whole = (int64_t)scaled;
            if ((double)whole > scaled) whole--;
        }}
        whole -= in_offset[i];
        integers[i] = (int32_t)(whole < in_low[i] ? in_low[i] : whole > in_high[i] ? in_high[i] : whole);
    }}
}}

void policy_run(const int32_t integers[POLICY_INPUTS], int32_t answer[POLICY_ACTIONS]) {{
    int32_t vectors[2][MOST];
    for (int i = 0; i < POLICY_INPUTS; i++) vectors[0][i] = integers[i];
    for (int l = 0; l < LAYERS; l++) {{
        const struct layer *at = &layers[l];
        const int32_t *x = vectors[l & 1];
        int32_t *y = vectors[!(l & 1)];
        for (int o = 0; o < at->outputs; o++) {{
            int64_t sum = (int64_t)at->biases[o] * (INT64_C(1) << at->bias_shift);
            for (int i = 0; i < at->inputs; i++) sum += (int64_t)at->weights[(int32_t)o * at->inputs + i] * x[i];
            y[o] = (int32_t)limited(rounded(sum, at->shift), 18);
        }}
{norm_call}        for (int o = 0; o < at->outputs; o++) {{
            int64_t z = y[o];
            if (at->kind == 1) z = z < 0 ? 0 : z;
            else if (at->kind > 1) z = rounded(unit(at, z), at->unit_shift);
            y[o] = (int32_t)limited(z, at->width);
        }}
    }}
    const int32_t *outputs = vectors[LAYERS & 1];
{answer}
}}

void policy_act(const int32_t answer[POLICY_ACTIONS], double action[POLICY_ACTIONS]) {{
{act}
}}
"""

_TANH = """
static const uint64_t tanh_table[512] = {{{table}}};

/* tanh of x / 2^14, or of half of it, with 16 fraction bits. */
static int64_t tanh_of(int64_t x, int half) {{
    int64_t moved = x * (INT64_C(1) << (14 - UNIT_FRAC));
    if (half) moved = down(moved, 1);
    moved = limited(moved, 18);
    uint64_t size = (uint64_t)(moved < 0 ? -moved : moved);
    if (size > 131071) size = 131071;
    const uint64_t row = tanh_table[size >> 8];
    const int64_t value = (int64_t)((((row >> 14) << 8) + (row & 16383) * (size & 255)) >> 12);
    return moved < 0 ? -value : value;
}}
"""

_ELU = """
static const uint64_t elu_table[512] = {{{table}}};

static int64_t elu_of(int64_t x) {{
    if (x >= 0) return x;
    uint64_t size = (uint64_t)(-x) << (14 - UNIT_FRAC);
    if (size > 262143) size = 262143;
    const uint64_t row = elu_table[size >> 9];
    const uint64_t value = ((row >> 15) << 9) + (row & 32767) * (size & 511);
    return -(int64_t)((value + (UINT64_C(1) << (28 - UNIT_FRAC))) >> (29 - UNIT_FRAC));
}}
"""

_NORM_FIELDS = """\
    int64_t epsilon; /* of its normalisation; 0: it has none */
    int norm_shift, offset_shift;
    const int16_t (*factors)[2]; /* gains and offsets */
"""

_NORM_CALL = """\
        if (at->epsilon) normalise(at, y);
"""

_NORM = """
static const uint64_t rsqrt_table[512] = {{{table}}};

/* Sums to normalised sums, in place. */
static void normalise(const struct layer *at, int32_t *y) {{
    uint64_t square = (uint64_t)at->epsilon;
    int place = 0;
    for (int o = 0; o < at->outputs; o++) square += (uint64_t)((int64_t)y[o] * y[o]);
    while (square >> place > 1) place++;
    const uint64_t top = square << (47 - place), row = rsqrt_table[(place & 1) * 256 + (top >> 39 & 255)];
    const uint64_t value = ((row >> 15) << 9) - (row & 32767) * (top >> 30 & 511);
    const int64_t root = (int64_t)((value + 2048) >> 12);
    for (int o = 0; o < at->outputs; o++) {{
        const int64_t u = limited(down(down(y[o] * root * 2, place / 2) + 1, 1), 18);
        const int64_t sum = u * at->factors[o][0] + at->factors[o][1] * (INT64_C(1) << at->offset_shift);
        y[o] = (int32_t)limited(rounded(sum, at->norm_shift), 18);
    }}
}}
"""

_CASES = {
    "leaky_relu": "case 2: return leaky(x, at->slope);",
    "tanh": "case 3: return tanh_of(x, 0);",
    "sigmoid": "case 4: return down(tanh_of(x, 1) + 65537, 1);",
    "elu": "case 5: return elu_of(x);",
    "scaled_elu": "case 7: return leaky(elu_of(x), at->slope);",
    "silu": "case 6: return down(x * (tanh_of(x, 1) + 65536) + 65536, 17);",
}

_LEAKY = """
static int64_t leaky(int64_t x, int slope) { return x < 0 ? down(x * slope + 32768, 16) : x; }
"""

_ARGMAX = """\
    answer[0] = 0;
    for (int o = 1; o < POLICY_OUTPUTS; o++)
        if (outputs[o] > outputs[answer[0]]) answer[0] = o;"""


def _numbers(values: np.ndarray) -> str:
    """Numbers of a C array, in lines of at most about 110 letters."""
    lines, line = [], ""
    for text in map(str, np.ravel(values).tolist()):
        if len(line) + len(text) > 108:
            lines.append(line)
            line = ""
        line += text + ", "
    return "\n    " + "\n    ".join([*lines, line.rstrip(", ")]) + "\n"


def _exact(values: np.ndarray) -> str:
    """Doubles that a C compiler reads back as they are; C has no word for an endless one."""
    return ", ".join(float(v).hex() for v in np.clip(values, -1e300, 1e300))


def _weight_type(width: int) -> str:
    return "int8_t" if width <= 8 else "int16_t" if width <= 16 else "int32_t"


def header(quantised: Quantised) -> str:
    """policy.h"""
    shape = quantised.shape
    numbers = {
        "inputs": shape.sizes[0],
        "outputs": shape.sizes[-1],
        "actions": 1 if shape.argmax else shape.sizes[-1],
        "identity": f"0x{shape.identity:08x}",
    }
    return _HEAD.format(name="policy.h", what="a trained policy in integers.") + _HEADER.format(**numbers)


def source(quantised: Quantised) -> str:
    """policy.c"""
    shape, seen = quantised.shape, quantised.observations
    weight_type = _weight_type(shape.weight_width)
    normalised = bool(shape.norm_pieces)
    externs, rows = [], []
    for n, kind in enumerate(shape.kinds):
        externs.append(f"extern const {weight_type} policy_weights_{n}[];\nextern const int32_t policy_biases_{n}[];")
        fields = (
            shape.sizes[n], shape.sizes[n + 1], activations.KINDS.index(kind), shape.shifts[n], shape.bias_shifts[n],
            shape.unit_shifts[n], shape.result_widths[n], shape.slopes[n], f"policy_weights_{n}", f"policy_biases_{n}",
        )  # fmt: skip
        of = shape.norms[n]
        if of is not None:
            externs.append(f"extern const int16_t policy_factors_{n}[][2];")
            fields += (of.epsilon, shape.norm_shifts[n], of.offset_shift, f"policy_factors_{n}")
        elif normalised:
            fields += (0, 0, 0, 0)
        rows.append("    {" + ", ".join(map(str, fields)) + "},")
    used = set(shape.kinds)
    tables = ""
    if used & {"tanh", "sigmoid", "silu"}:
        tables += _TANH.format(table=_numbers(tanh.words()))
    if used & {"elu", "scaled_elu"}:
        tables += _ELU.format(table=_numbers(activations.words()))
    if used & set(activations.SLOPED):
        tables += _LEAKY
    if normalised:
        tables += _NORM.format(table=_numbers(norm.words()))
    cases = [text for kind, text in _CASES.items() if kind in used]
    if shape.argmax:
        answer, act = _ARGMAX, "    action[0] = answer[0];"
    else:
        head = quantised.policy.head
        answer = "    for (int o = 0; o < POLICY_OUTPUTS; o++) answer[o] = outputs[o];"
        act = "\n".join(
            f"    static const double {name}[POLICY_ACTIONS] = {{{_exact(values)}}};"
            for name, values in (
                ("gain", head.gain * 2.0 ** -shape.act_fracs[-1]), ("offset", head.offset), ("low", head.low),
                ("high", head.high),
            )
        )  # fmt: skip
        act += """
    for (int o = 0; o < POLICY_ACTIONS; o++) {
        const double value = answer[o] * gain[o] + offset[o];
        action[o] = value < low[o] ? low[o] : value > high[o] ? high[o] : value;
    }"""
    filled = _SOURCE.format(
        layers=shape.layers,
        most=max(shape.sizes),
        unit_frac=shape.unit_frac,
        weight_type=weight_type,
        externs="\n".join(externs),
        layer_rows="\n".join(rows),
        in_scale=_exact(np.ldexp(1.0, seen.fracs)),
        in_offset=_numbers(seen.offsets).strip(),
        in_low=_numbers(seen.low).strip(),
        in_high=_numbers(seen.high).strip(),
        tables=tables,
        norm_fields=_NORM_FIELDS if normalised else "",
        norm_call=_NORM_CALL if normalised else "",
        cases="\n".join(f"    {case}" for case in cases),
        answer=answer,
        act=act,
    )
    if not cases:  # no unit: the compiler would warn of a switch without cases
        begin, end = filled.index("static int64_t unit("), filled.index("void policy_observe(")
        filled = filled[:begin] + filled[end:]
        filled = filled.replace("            else if (at->kind > 1) z = rounded(unit(at, z), at->unit_shift);\n", "")
    return _HEAD.format(name="policy.c", what="the integers of rlc_mlp, bit for bit.") + filled


def weights(quantised: Quantised) -> str:
    """policy_weights.c"""
    kind = _weight_type(quantised.shape.weight_width)
    parts = ["#include <stdint.h>"]
    for n, (w, b) in enumerate(zip(quantised.weights.weights, quantised.weights.biases, strict=True)):
        for of, name, values in ((kind, f"policy_weights_{n}", w), ("int32_t", f"policy_biases_{n}", b)):
            parts.append(f"extern const {of} {name}[];\nconst {of} {name}[] = {{{_numbers(values)}}};")
        factors = quantised.weights.factors[n]
        if factors is not None:
            name = f"policy_factors_{n}[][2]"
            pairs = ",\n".join(f"    {{{gain}, {offset}}}" for gain, offset in factors.tolist())
            parts.append(f"extern const int16_t {name};\nconst int16_t {name} = {{\n{pairs}\n}};")
    return _HEAD.format(name="policy_weights.c", what="weights and biases.") + "\n".join(parts) + "\n"


_CHECK = """\
#include <stdio.h>

#include "policy.h"

/* check OBSERVATIONS ANSWERS: files of numbers as text, a line per observation and per answer. */
int main(int count, char **names) {
    FILE *given = count == 3 ? fopen(names[1], "r") : 0, *known = given ? fopen(names[2], "r") : 0;
    int32_t x[POLICY_INPUTS], answer[POLICY_ACTIONS];
    long lines = 0, wrong = 0, number;
    if (!known) return fprintf(stderr, "give the files of observations and answers\\n"), 2;
    while (fscanf(given, "%ld", &number) == 1) {
        x[0] = (int32_t)number;
        for (int i = 1; i < POLICY_INPUTS; i++) {
            if (fscanf(given, "%ld", &number) != 1) return fprintf(stderr, "an observation is cut\\n"), 2;
            x[i] = (int32_t)number;
        }
        policy_run(x, answer);
        for (int i = 0; i < POLICY_ACTIONS; i++) {
            if (fscanf(known, "%ld", &number) != 1) return fprintf(stderr, "an answer is cut\\n"), 2;
            wrong += answer[i] != number;
        }
        lines++;
    }
    printf("C99: %ld observations, %ld wrong\\n", lines, wrong);
    return wrong != 0 || lines == 0;
}
"""


def check() -> str:
    """check.c: compares policy_run with recorded answers."""
    return _HEAD.format(name="check.c", what="policy_run against recorded answers.") + _CHECK
