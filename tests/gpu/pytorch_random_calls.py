# SPDX-License-Identifier: BSD-3-Clause
"""Random calls of what PyTorch gives to cuDNN, against float64 without cuDNN.

    python3 tests/gpu/pytorch_random_calls.py [SECONDS] [SEED]

Draws recurrent networks, convolutions, transposed convolutions and batch norms, with their
gradients, in fp16, bf16 and fp32, and prints for each operation how many calls there were, and
the smallest one whose numbers are wrong.  Wrong: an element is off by more than a tenth of the
largest one, and PyTorch's own kernels of the same type are not.  So it finds what is grossly wrong,
and says nothing of the rest.  Needs PyTorch and an NVIDIA GPU, and nothing of this repository.
"""

import random
import sys
import time

import torch

TYPES = [torch.half, torch.bfloat16, torch.float]
WRONG = 0.1


def recurrent(draw):
    name = draw.choice(["RNN", "LSTM", "GRU"])
    options = {"bidirectional": draw.random() < 0.5, "num_layers": draw.choice([1, 1, 2, 3])}
    hidden = draw.choice([8, 16, 20, 32, 40, 64, 96, 128, 200, 256])
    # Without relu, whose gradient is another where rounding takes a sum to the other side of zero.
    if name == "LSTM" and draw.random() < 0.3:
        options["proj_size"] = hidden // 2
    inputs = draw.choice([1, 8, 17, 32, 64, 128])
    shape = (draw.choice([1, 2, 3, 5, 8, 12]), draw.choice([1, 2, 4, 7, 8, 9, 16, 24, 32]), inputs)
    text = f"torch.nn.{name}({inputs}, {hidden}, {', '.join(f'{k}={v!r}' for k, v in options.items())})"
    return name, text, lambda: getattr(torch.nn, name)(inputs, hidden, **options), shape


def convolution(draw):
    dimensions = draw.choice([1, 2, 2, 3])
    name = draw.choice(["Conv", "ConvTranspose"]) + f"{dimensions}d"
    groups = draw.choice([1, 1, 1, 2, 4])
    channels, filters = (groups * draw.choice([1, 2, 8, 16, 24]) for _ in range(2))
    kernel = draw.choice([1, 2, 3, 5])
    options = {"stride": draw.choice([1, 1, 2, 3]), "padding": draw.choice([0, 1, 2]),
               "dilation": draw.choice([1, 1, 2]), "groups": groups}
    size = draw.choice([7, 9, 12, 16]) + (kernel - 1) * options["dilation"]
    shape = (draw.choice([1, 2, 3, 8]), channels, *[size] * dimensions)
    text = f"torch.nn.{name}({channels}, {filters}, {kernel}, {', '.join(f'{k}={v!r}' for k, v in options.items())})"
    return name, text, lambda: getattr(torch.nn, name)(channels, filters, kernel, **options), shape


def norm(draw):
    dimensions = draw.choice([1, 2, 3])
    channels = draw.choice([1, 3, 8, 32, 64])
    shape = (draw.choice([2, 4, 8, 16]), channels, *[draw.choice([4, 7, 16])] * dimensions)
    name = f"BatchNorm{dimensions}d"
    return name, f"torch.nn.{name}({channels})", lambda: getattr(torch.nn, name)(channels), shape


def run(module, x, seed):
    """The result and all gradients."""
    x = x.detach().clone().requires_grad_()
    y = module(x)
    y = y[0] if isinstance(y, tuple) else y
    torch.manual_seed(seed)
    dy = torch.randn(y.shape).to(x.dtype if x.dtype != torch.double else torch.float).to(x.dtype)
    y.backward(dy.to(y.device))
    return [y.detach(), x.grad, *(p.grad for p in module.parameters())]


def error(computed, expected):
    largest = expected.abs().max()
    if largest == 0:
        return 0.0
    off = ((computed.double() - expected).abs() / largest).max()
    return float(off) if bool(computed.isfinite().all()) else float("inf")


def one_call(draw):
    """Name, text, elements, and the largest error with and without cuDNN."""
    name, text, make, shape = draw.choice([recurrent, recurrent, convolution, convolution, norm])(draw)
    kind = draw.choice(TYPES)
    seed = draw.randrange(1 << 30)
    torch.manual_seed(seed)
    module = make().to(kind)
    x = torch.randn(shape).to(kind).cuda()

    def made(type_):
        other = make()
        other.load_state_dict(module.state_dict())
        other = other.to(kind).to(type_).cuda()
        if hasattr(other, "flatten_parameters"):
            other.flatten_parameters()
        return other

    # The gradient is drawn for the type, so that all three have the same.
    def gradients(type_):
        return run(made(type_), x.to(type_), seed)

    with torch.backends.cudnn.flags(enabled=False):
        torch.manual_seed(seed)
        expected = gradients(torch.double)
    found = max(error(*pair) for pair in zip(gradients(kind), expected))
    others = 0.0
    if not found < WRONG:
        with torch.backends.cudnn.flags(enabled=False):
            others = max(error(*pair) for pair in zip(gradients(kind), expected))
    text += f" in {str(kind).replace('torch.', '')} of {'x'.join(map(str, shape))}"
    return name, text, x.numel(), found, others


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    number = torch.backends.cudnn.version()
    print(f"PyTorch {torch.__version__}, cuDNN {number}, {torch.cuda.get_device_name(0)}\n")
    calls, wrong = {}, {}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            name, text, size, found, others = one_call(draw)
        except RuntimeError as failed:
            if "CUDNN" in str(failed):
                print(f"failed: {str(failed).splitlines()[0]}", flush=True)
            continue
        name += f", {text.rsplit(' in ')[-1].split(' ')[0]}"
        calls[name] = calls.get(name, 0) + 1
        if not found < WRONG and others < WRONG:
            wrong.setdefault(name, []).append((size, text, found))
    print("| operation | calls | wrong | the smallest wrong one | off by, as a part of the largest element |")
    print("|---|---|---|---|---|")
    for name in sorted(calls):
        size, text, found = min(wrong.get(name, [(0, "", 0)]))
        print(f"| {name} | {calls[name]} | {len(wrong.get(name, []))} | {text} | {f'{found:.1g}' if text else ''} |")


if __name__ == "__main__":
    main()
