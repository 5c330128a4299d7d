# SPDX-License-Identifier: BSD-3-Clause
"""What PyTorch says of problems that a sweep found: in float64 on the CPU, and by its own call on a GPU.

    python3 tests/laboratory/gpu/confirm_by_pytorch.py found.txt [--numbers build/test/tests/reference_numbers]

found.txt has a problem a line, as `sweep --random --list` writes it.  reference_numbers (tests/laboratory) prints the inputs
and the reference of a problem.  From the same inputs PyTorch computes the same in float64 on the CPU: "confirmed" if the two
agree, so that the reference is right and whatever differs from it is wrong; "refuted" if not; "no such call in PyTorch" if
PyTorch has no such operation.  Where a GPU is there, PyTorch's own call in the problem's type follows, if it is one that cuDNN
computes: the largest error as a part of what is tolerated, by output.  Status 1 if a problem was refuted, else 0.
"""

import argparse
import array
import math
import pathlib
import re
import subprocess
import sys

import torch
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

TYPES = {"fp32": torch.float, "fp16": torch.half, "bf16": torch.bfloat16}
BUILT = pathlib.Path(__file__).resolve().parents[3] / "build/test/tests/reference_numbers"
# Two references in float64 agree to a thousandth of the first-order bound of a kernel, or the bound is of float64 itself.
AGREE = 1e-3


class Problem:
    """What reference_numbers prints: self.given and self.expected are tensors in float64 by name."""

    def __init__(self, text, program):
        done = subprocess.run([program, text], stdout=subprocess.PIPE, check=False)
        self.known = done.returncode == 0
        if not self.known:
            return
        head, data = done.stdout.split(b"\n\n", 1)
        self.what, self.type, self.shape, tolerated, *lines = head.decode().split("\n")
        self.tolerated = float(tolerated)
        self.given, self.expected, self.bounds = {}, {}, {}
        numbers = torch.tensor(array.array("d", data), dtype=torch.double)
        for line in lines:
            role, _, count, name = line.split(" ", 3)
            parts = [(self.given if role == "given" else self.expected)]
            if role == "expected":
                parts.append(self.bounds)
            for part in parts:
                part[name], numbers = numbers[:int(count)], numbers[int(count):]

    def __getitem__(self, name):
        return self.given[name]

    def error(self, name, found):
        """The largest difference in bounds."""
        difference = (found.double().cpu().reshape(-1) - self.expected[name]).abs()
        bound = self.bounds[name]
        looked = bound >= 0
        share = torch.where(difference == 0, difference, difference / bound)[looked]
        return math.inf if bool(share.isnan().any()) else float(share.max()) if share.numel() else 0.0


def settings(shape):
    """The numbers behind words: {"padding": [1], "stride": [1, 2]}."""
    return {word: [int(one) for one in numbers.split("x")]
            for word, numbers in re.findall(r", (padding|stride|dilation|groups) ([0-9x]+)", shape)}


def extents(text):
    return [int(one) for one in text.split("x")]


class Convolution:
    """fwd, dgrad, wgrad."""

    def __init__(self, of):
        self.of = of
        x, w = (extents(one) for one in re.match(r"([0-9x]+) \* ([0-9x]+)", of.shape).groups())
        count = len(x) - 2
        given = settings(of.shape)
        self.padding, self.stride, self.dilation = (
            given.get(word, [usual]) * (count if len(given.get(word, [usual])) == 1 else 1)
            for word, usual in (("padding", 0), ("stride", 1), ("dilation", 1)))
        self.groups = given.get("groups", [1])[0]
        y = [(size + 2 * p - d * (k - 1) - 1) // s + 1
             for size, k, p, s, d in zip(x[2:], w[2:], self.padding, self.stride, self.dilation)]
        self.extents = {"x": x, "w": w, "y": [x[0], w[0], *y]}

    def compute(self, kind, device):
        def read(name, of=None):
            return self.of[name].reshape(self.extents[of or name]).to(kind).to(device)

        places = (self.stride, self.padding, self.dilation)
        if self.of.what == "fwd":
            return {"y": torch.ops.aten.convolution(read("x"), read("w"), None, *places, False, [0], self.groups)}
        x = read("x") if self.of.what == "wgrad" else torch.zeros(self.extents["x"], dtype=kind, device=device)
        w = read("w") if self.of.what == "dgrad" else torch.zeros(self.extents["w"], dtype=kind, device=device)
        dx, dw, _ = torch.ops.aten.convolution_backward(
            read("dy", "y"), x, w, None, *places, False, [0], self.groups,
            [self.of.what == "dgrad", self.of.what == "wgrad", False])
        return {"dx": dx} if self.of.what == "dgrad" else {"dw": dw}

    exact = compute
    on_gpu = compute


class BiasedConvolution:
    def __init__(self, of):
        self.of = of
        self.x, self.w = (extents(one) for one in re.match(r"([0-9x]+) \* ([0-9x]+)", of.shape).groups())
        self.padding = self.w[2] // 2

    def read(self, name, kind, device):
        if name == "bias":
            return self.of[name].to(kind).to(device)
        n, c, h, w = self.x if name == "x" else self.w
        # NHWC in memory.
        return self.of[name].reshape(n, h, w, c).permute(0, 3, 1, 2).to(kind).to(device)

    @staticmethod
    def in_order(y):
        return {"y": y.permute(0, 2, 3, 1).contiguous()}

    def exact(self, kind, device):
        x, w, bias = (self.read(name, kind, device) for name in ("x", "w", "bias"))
        return self.in_order(torch.nn.functional.conv2d(x, w, bias, padding=self.padding).relu())

    def on_gpu(self, kind, device):
        x, w, bias = (self.read(name, kind, device) for name in ("x", "w", "bias"))
        pair = [self.padding] * 2
        return self.in_order(torch.cudnn_convolution_relu(x, w, bias, [1, 1], pair, [1, 1], 1))


class Product:
    """matmul: of the scales of FP8, C is multiplied by its own."""

    on_gpu = None  # PyTorch asks cuBLAS

    def __init__(self, of):
        self.of = of
        (self.batch, self.m, self.k), (_, _, self.n) = (
            extents(one) for one in re.match(r"([0-9x]+) \* ([0-9x]+)", of.shape).groups())

    def exact(self, kind, device):
        a = self.of["A"].reshape(self.batch, self.m, self.k)
        b = self.of["B"]
        # That of FP8 lies column by column.
        b = b.reshape(self.batch, self.n, self.k).mT if self.of.type == "e4m3" else b.reshape(self.batch, self.k, self.n)
        one = torch.ones(1, dtype=kind)
        given = self.of.given
        c = a @ b * given.get("scale of A", one) * given.get("scale of B", one)
        if "bias" in given:
            c = c + given["bias"]
        c = c.relu() if ", relu" in self.of.shape else torch.nn.functional.gelu(c) if ", gelu" in self.of.shape else c
        made = {"C": c * given.get("scale of C", one)}
        if "largest C" in self.of.expected:
            made["largest C"] = c.abs().max()
        return made


class Norm:
    EPSILON = 0.01  # tool/laboratory/fused/problem.cpp
    on_gpu = None  # PyTorch has kernels of its own

    def __init__(self, of):
        self.of = of
        self.extents = extents(of.shape)

    def exact(self, kind, device):
        given = self.of.given
        size = [self.extents[1]]
        x = given["x"].reshape(self.extents)
        if self.of.what == "layer-norm/forward":
            return dict(zip(("y", "mean", "inverse deviation"),
                            torch.native_layer_norm(x, size, given["scale"], given["bias"], self.EPSILON)))
        if self.of.what == "rms-norm/forward":
            y = torch.nn.functional.rms_norm(x, size, given["scale"], self.EPSILON)
            return {"y": y, "inverse deviation": (x.square().mean(1) + self.EPSILON).rsqrt()}
        dy = given["dy"].reshape(self.extents)
        inverse = given["inverse deviation"].reshape(-1, 1)
        if self.of.what == "layer-norm/backward":
            return dict(zip(("dx", "dscale", "dbias"), torch.ops.aten.native_layer_norm_backward(
                dy, x, size, given["mean"].reshape(-1, 1), inverse, given["scale"], torch.zeros_like(given["scale"]),
                [True, True, True])))
        # The deviation is given as fp32 has it, which no function of PyTorch takes: it is noted as what it is, a function
        # of x whose slope is -x inverse^3 / columns.
        x = x.clone().requires_grad_()
        scale = given["scale"].clone().requires_grad_()
        slope = -(inverse ** 3) * x.detach() / self.extents[1]
        noted = inverse + (slope * (x - x.detach())).sum(1, keepdim=True)
        (x * noted * scale).backward(dy)
        return {"dx": x.grad, "dscale": scale.grad}


class Attention:
    def __init__(self, of):
        self.of = of
        q, k = (extents(one) for one in re.match(r"([0-9x]+) keys ([0-9x]+)", of.shape).groups())
        self.batch, self.heads, self.queries, self.size = q
        self.key_heads, self.keys, self.value_size = k
        self.mask = next((word for word in ("causal", "window 48", "lengths") if f", {word}," in of.shape), None)
        self.scale = float(torch.tensor(1 / math.sqrt(self.size), dtype=torch.float))
        self.is_backward = of.what.endswith("backward")

    def read(self, name, kind=torch.double, device="cpu"):
        heads, length, size = {"Q": (self.heads, self.queries, self.size), "K": (self.key_heads, self.keys, self.size),
                               "V": (self.key_heads, self.keys, self.value_size)}.get(
            name, (self.heads, self.queries, self.value_size))
        return self.of[name].reshape(self.batch, heads, length, size).to(kind).to(device)

    def seen(self):
        """Which keys a row sees: batch x 1 x queries x keys."""
        row, key = torch.arange(self.queries).reshape(-1, 1), torch.arange(self.keys)
        seen = torch.ones(self.batch, 1, self.queries, self.keys, dtype=torch.bool)
        if self.mask in ("causal", "window 48"):
            seen &= key <= row
        if self.mask == "window 48":
            seen &= key > row - 48
        if "lengths of Q" in self.of.given:
            q, k = (self.of[f"lengths of {one}"].reshape(-1, 1, 1, 1) for one in "QK")
            seen &= (row < q) & (key < k)
        return seen

    def exact(self, kind, device):
        if self.of.type == "e4m3":
            return None  # its rounded P and dS are the type's own
        q, k, v = (self.read(name) for name in "QKV")
        shared = self.heads // self.key_heads
        k, v = (one.repeat_interleave(shared, 1) for one in (k, v))
        seen = self.seen()
        score = (q @ k.mT * self.scale).masked_fill(~seen, -math.inf)
        stats = score.logsumexp(-1, keepdim=True)
        if not self.is_backward:
            return {"O": (score - stats).exp().nan_to_num(0) @ v, "stats": stats}
        p = (score - self.of["stats"].reshape(stats.shape)).exp().masked_fill(~seen, 0)
        d_o = self.read("dO")
        ds = self.scale * p * (d_o @ v.mT - (d_o * self.read("O")).sum(-1, keepdim=True))
        ds = ds.masked_fill(~seen, 0)

        def together(one):
            return one.reshape(self.batch, self.key_heads, shared, self.keys, -1).sum(2)

        return {"dQ": ds @ k, "dK": together(ds.mT @ q), "dV": together(p.mT @ d_o.masked_fill(~seen.any(-1, True), 0))}

    @property
    def on_gpu(self):
        causal = self.mask == "causal" and self.queries == self.keys
        return self.call if self.of.type in ("fp16", "bf16") and (self.mask is None or causal) else None

    def call(self, kind, device):
        q, k, v = (self.read(name, kind, device).requires_grad_(self.is_backward) for name in "QKV")
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
            o = scaled_dot_product_attention(q, k, v, is_causal=self.mask == "causal", scale=self.scale,
                                             enable_gqa=self.heads != self.key_heads)
        if not self.is_backward:
            return {"O": o}
        o.backward(self.read("dO", kind, device))
        return {"dQ": q.grad, "dK": k.grad, "dV": v.grad}


class Network:
    def __init__(self, of):
        self.of = of
        cell, batch, steps, inputs, hidden = re.match(r"(\w+) (\d+)x(\d+)x(\d+) to (\d+)", of.shape).groups()
        self.cell, self.batch, self.steps, self.inputs, self.hidden = cell, *map(int, (batch, steps, inputs, hidden))

        def number(pattern, usual):
            found = re.search(pattern, of.shape)
            return int(found[1]) if found else usual

        self.projection = number(r", projection (\d+)", 0)
        self.layers = number(r", (\d+) layers", 1)
        self.directions = number(r", (\d+) directions", 1)
        lengths = re.search(r", lengths ([0-9 ]+)", of.shape)
        self.lengths = [int(one) for one in lengths[1].split()] if lengths else [self.steps] * self.batch
        self.is_packed = lengths is not None or of.shape.endswith(", packed")
        self.state = self.projection or self.hidden
        self.has_gradients = of.what.endswith("backward")

    def module(self, kind, device):
        options = {"num_layers": self.layers, "bidirectional": self.directions == 2}
        if self.projection:
            options["proj_size"] = self.projection
        if self.cell in ("relu", "tanh"):
            options["nonlinearity"] = self.cell
        name = {"lstm": "LSTM", "gru": "GRU"}.get(self.cell, "RNN")
        module = getattr(torch.nn, name)(self.inputs, self.hidden, **options).to(kind).to(device)
        numbers = self.of["w"]
        with torch.no_grad():
            for parameter in self.parameters(module):
                count = parameter.numel()
                parameter.copy_(numbers[:count].reshape(parameter.shape))
                numbers = numbers[count:]
        return module

    def parameters(self, module):
        """In the order of tool/laboratory/recurrent/network.h, which has the gates in that of PyTorch."""
        for layer in range(self.layers):
            for direction in range(self.directions):
                for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh", *["weight_hr"] * bool(self.projection)):
                    yield getattr(module, f"{name}_l{layer}{'_reverse' * direction}")

    def read(self, name, kind, device):
        steps = (self.steps, self.batch)
        state = (self.layers * self.directions, self.batch)
        size = {"x": (*steps, self.inputs), "dy": (*steps, self.directions * self.state), "hx": (*state, self.state),
                "dhy": (*state, self.state)}.get(name, (*state, self.hidden))
        return self.of[name].reshape(size).to(kind).to(device)

    def compute(self, kind, device):
        if min(self.lengths) < 1:
            return None  # pack_padded_sequence takes none
        module = self.module(kind, device)
        names = ("x", "hx", "cx") if self.cell == "lstm" else ("x", "hx")
        x, *states = (self.read(name, kind, device).requires_grad_(self.has_gradients) for name in names)
        given = pack_padded_sequence(x, torch.tensor(self.lengths), enforce_sorted=False) if self.is_packed else x
        with torch.set_grad_enabled(self.has_gradients):
            y, states_out = module(given, tuple(states) if self.cell == "lstm" else states[0])
            if self.is_packed:
                y, _ = pad_packed_sequence(y, total_length=self.steps)
        states_out = states_out if self.cell == "lstm" else (states_out,)
        outs = (y, *states_out)
        found = dict(zip(("y", "hy", "cy"), outs))
        if self.has_gradients:
            torch.autograd.backward(
                outs, [self.read(f"d{name}", kind, device) for name in list(found)])
            found.update(zip(("dx", "dhx", "dcx"), (one.grad for one in (x, *states))))
            found["dw"] = torch.cat([one.grad.reshape(-1) for one in self.parameters(module)])
        return {name: value.detach() for name, value in found.items()}

    exact = compute
    on_gpu = compute


CALLS = {"fwd": Convolution, "dgrad": Convolution, "wgrad": Convolution, "conv-bias": BiasedConvolution, "matmul": Product,
         "layer-norm": Norm, "rms-norm": Norm, "attention": Attention, "rnn": Network, "lstm": Network, "gru": Network}


def shares(of, found, part):
    """"y 0.12, dx 57", as parts of `part` bounds."""
    return ", ".join(f"{name} {of.error(name, one) / part:.2g}" for name, one in found.items() if name in of.expected)


def confirmation(of):
    """One of the three answers, and what it rests on."""
    call = CALLS.get(of.what.split("/")[0])
    made = call(of) if call else None
    found = made.exact(torch.double, "cpu") if made else None
    if found is None:
        return "no such call in PyTorch", ""
    worst = max(of.error(name, one) for name, one in found.items() if name in of.expected)
    # The bounds of convolutions are the sizes of sums.
    agree = 1e-12 if of.what in ("fwd", "dgrad", "wgrad") else AGREE
    words = f"float64 differs by {worst:.1g} bounds"
    if not worst <= agree:
        return "refuted", words
    if torch.cuda.is_available():
        words += f"; on the GPU {on_gpu(of, made)}"
    return "confirmed", words


def on_gpu(of, made):
    kind = TYPES.get(of.type)
    if made.on_gpu is None or kind is None:
        return "PyTorch has no call of cuDNN"
    try:
        found = made.on_gpu(kind, "cuda")
        torch.cuda.synchronize()
    except RuntimeError as failed:
        return f"PyTorch's call failed: {str(failed).splitlines()[0]}"
    text = shares(of, found, of.tolerated)
    wrong = any(not of.error(name, one) <= of.tolerated for name, one in found.items() if name in of.expected)
    return f"PyTorch's call is {'wrong' if wrong else 'right'}: {text} of what is tolerated"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("list")
    options.add_argument("--numbers", default=str(BUILT), help="the program reference_numbers")
    given = options.parse_args()
    counts = {}
    for line in pathlib.Path(given.list).read_text(encoding="utf-8").splitlines():
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        of = Problem(text, given.numbers)
        answer, words = confirmation(of) if of.known else ("no problem", "")
        counts[answer] = counts.get(answer, 0) + 1
        print(f"{answer}: {text}" + (f" ({words})" if words else ""), flush=True)
    print(", ".join(f"{count} {answer}" for answer, count in sorted(counts.items())))
    return 1 if counts.get("refuted") or counts.get("no problem") else 0


if __name__ == "__main__":
    sys.exit(main())
