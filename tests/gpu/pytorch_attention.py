# SPDX-License-Identifier: BSD-3-Clause
"""What a stock PyTorch computes with its default attention: the table of docs/attention.md.

    python3 tests/gpu/pytorch_attention.py

Each row is one call of scaled_dot_product_attention without any option, and its gradients, compared
with the same in float64.  Needs PyTorch and an NVIDIA GPU, and nothing of this repository.
"""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

# batch, heads, queries, keys, log-sum-exp of each row
CALLS = [
    (2, 4, 192, 192, 5),
    (2, 4, 192, 192, -15),
    (2, 4, 192, 192, -35),
    (2, 4, 192, 192, -100),
    (2, 4, 128, 128, -35),
    (2, 4, 128, 128, -100),
    (1, 4, 1, 128, 5),
    (1, 4, 1, 128, -35),
    (1, 4, 1, 128, -100),
    (2, 4, 1, 128, -35),
]
SIZE = 64
RESULTS = ["O", "dQ", "dK", "dV"]


def inputs(call, kind):
    """Random numbers; the first element of each head gives every score the same offset."""
    batch, heads, queries, keys, level = call
    torch.manual_seed(1)
    q, k, v, d_o = (
        torch.rand(batch, heads, length, SIZE, device="cuda", dtype=torch.double) * 2 - 1
        for length in (queries, keys, keys, queries)
    )
    offset = (level - math.log(keys)) * math.sqrt(SIZE)
    first = math.sqrt(abs(offset))
    q[..., 0] = math.copysign(first, offset)
    k[..., 0] = first
    return [x.to(kind) for x in (q, k, v, d_o)]


def compute(given, kind):
    q, k, v = (x.detach().to(kind).requires_grad_() for x in given[:3])
    o = scaled_dot_product_attention(q, k, v)
    o.backward(given[3].to(kind))
    return [o.detach(), q.grad, k.grad, v.grad]


def exact(given):
    """By the definition, since attention has several kernels and this must be none of them."""
    q, k, v = (x.detach().double().requires_grad_() for x in given[:3])
    o = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(SIZE), -1) @ v
    o.backward(given[3].double())
    return [o.detach(), q.grad, k.grad, v.grad]


def verdict(computed, expected):
    """Rounding of a gradient is in proportion to what it is the sum of, so that a tenth of the
    largest element is far above it for these inputs, except where the sum nearly cancels."""
    nan = int((~computed.isfinite()).sum())
    if nan:
        return f"**NaN: {nan} of {computed.numel()}**"
    error = (computed.double() - expected).abs().max() / expected.abs().max()
    return f"{float(error):.0e}"


def chosen_backend(given):
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as seen:
        scaled_dot_product_attention(*given[:3])
    names = {event.key for event in seen.key_averages()}
    for name in ("cudnn", "flash", "efficient"):
        if any(f"_scaled_dot_product_{name}_attention" in one for one in names):
            return name
    return "math"


def rows(kind):
    for call in CALLS:
        given = inputs(call, kind)
        expected = exact(given)
        cells = [verdict(*pair) for pair in zip(compute(given, kind), expected)]
        torch.backends.cuda.enable_cudnn_sdp(False)
        others = [verdict(*pair) for pair in zip(compute(given, kind), expected)]
        torch.backends.cuda.enable_cudnn_sdp(True)
        batch, heads, queries, keys, level = call
        name = str(kind).replace("torch.", "")
        yield [
            name,
            f"{batch}x{heads}x{queries}",
            str(keys),
            str(level),
            chosen_backend([x.requires_grad_() for x in given[:3]]),
            *cells,
            "NaN" if any("NaN" in one for one in others) else "finite",
        ]


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    number = torch.backends.cudnn.version()
    print(f"PyTorch {torch.__version__}, cuDNN {number}, {torch.cuda.get_device_name(0)}\n")
    head = ["type", "Q", "keys", "log-sum-exp", "takes", *RESULTS, "without cuDNN"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for kind in (torch.half, torch.bfloat16):
        for row in rows(kind):
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
