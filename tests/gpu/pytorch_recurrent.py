# SPDX-License-Identifier: BSD-3-Clause
"""What a stock PyTorch computes with its default recurrent networks: the tables of docs/recurrent.md.

    python3 tests/gpu/pytorch_recurrent.py

Each row of the first table is one call of torch.nn.RNN, LSTM or GRU without any option, and its
gradients, compared with the same in float64 without cuDNN.  The second table is a training of ten
lines, and the ways around what is wrong.  Needs PyTorch and an NVIDIA GPU, and nothing of this
repository.
"""

import contextlib

import torch

# class, nonlinearity, directions, type, batch, steps, hidden, layers
CALLS = [
    ("RNN", "tanh", 2, torch.half, 8, 5, 32, 1),
    ("RNN", "relu", 2, torch.half, 8, 5, 32, 1),
    ("RNN", "tanh", 2, torch.half, 64, 5, 32, 1),
    ("RNN", "tanh", 2, torch.half, 8, 128, 32, 1),
    ("RNN", "tanh", 2, torch.half, 8, 5, 256, 1),
    ("RNN", "tanh", 2, torch.half, 8, 5, 32, 3),
    ("RNN", "tanh", 2, torch.half, 7, 5, 32, 1),
    ("RNN", "tanh", 2, torch.half, 8, 1, 32, 1),
    ("RNN", "tanh", 2, torch.half, 8, 5, 40, 1),
    ("RNN", "tanh", 2, torch.half, 8, 5, 384, 1),
    ("RNN", "tanh", 1, torch.half, 8, 5, 32, 1),
    ("RNN", "tanh", 2, torch.bfloat16, 8, 5, 32, 1),
    ("RNN", "tanh", 2, torch.float, 8, 5, 32, 1),
    ("LSTM", None, 2, torch.half, 8, 5, 32, 1),
    ("LSTM", None, 1, torch.half, 8, 5, 40, 1),
    ("LSTM", None, 1, torch.half, 8, 5, 48, 1),
    ("LSTM", None, 2, torch.half, 8, 5, 48, 1),
    ("LSTM", None, 1, torch.half, 8, 5, 56, 1),
    ("LSTM", None, 1, torch.half, 8, 1, 48, 1),
    ("LSTM", None, 1, torch.half, 7, 5, 48, 1),
    ("LSTM", None, 1, torch.bfloat16, 8, 5, 48, 1),
    ("GRU", None, 2, torch.half, 8, 5, 32, 1),
    ("GRU", None, 1, torch.half, 8, 5, 40, 1),
    ("GRU", None, 1, torch.half, 8, 5, 48, 1),
    ("GRU", None, 1, torch.half, 7, 5, 48, 1),
]
INPUTS = 32
WRONG = 0.05  # of the largest element; what rounding takes is below a tenth of it


def without_cudnn():
    return torch.backends.cudnn.flags(enabled=False)


def gradients(network, x, dy):
    """y, and the gradients of x and of the parameters."""
    x = x.detach().clone().requires_grad_()
    y = network(x)[0]
    y.backward(dy)
    return [y.detach(), x.grad, *(p.grad for p in network.parameters())]


def error(computed, expected):
    return float((computed.double() - expected).abs().max() / expected.abs().max())


def errors(call):
    """Of y, dx and the parameters with cuDNN, and the largest of them without."""
    name, nonlinearity, directions, kind, batch, steps, hidden, layers = call
    options = {"nonlinearity": nonlinearity} if nonlinearity else {}

    def make(type_):
        torch.manual_seed(1)
        made = getattr(torch.nn, name)(INPUTS, hidden, layers, bidirectional=directions == 2, **options)
        made = made.to(kind).to(type_).cuda()
        made.flatten_parameters()
        return made

    torch.manual_seed(2)
    x = torch.randn(steps, batch, INPUTS).to(kind).cuda()
    dy = torch.randn(steps, batch, directions * hidden).to(kind).cuda()
    with without_cudnn():
        expected = gradients(make(torch.double), x.double(), dy.double())
        others = gradients(make(kind), x, dy)
    found = [error(*pair) for pair in zip(gradients(make(kind), x, dy), expected)]
    return found[0], found[1], max(found[2:]), max(error(*pair) for pair in zip(others, expected))


def cell(number):
    return f"**{number:.0e}**" if not number < WRONG else f"{number:.0e}"


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def rows_of_calls():
    for call in CALLS:
        name, nonlinearity, directions, kind, batch, steps, hidden, layers = call
        yield [name + (f", {nonlinearity}" if nonlinearity else ""), str(directions),
               str(kind).replace("torch.", ""), str(batch), str(steps), str(hidden), str(layers),
               *map(cell, errors(call))]


def train(kind=torch.half, batch=32, around=contextlib.nullcontext, make=torch.nn.RNN, hidden=64,
          whole=False):
    """The loss after 300 steps: the sign of a sum of what comes later has to be found at each step."""
    torch.manual_seed(0)
    network = make(8, hidden, bidirectional=True).cuda()
    last = torch.nn.Linear(2 * hidden, 1).cuda()
    if whole:
        network.to(kind)
        last.to(kind)
    optimizer = torch.optim.Adam([*network.parameters(), *last.parameters()], 1e-3)
    for _ in range(300):
        x = torch.randn(12, batch, 8, device="cuda")
        target = (x.sum(2).flip(0).cumsum(0).flip(0) > 0).float()
        with around(), torch.autocast("cuda", kind, enabled=kind != torch.float and not whole):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                last(network(x.to(kind) if whole else x)[0])[..., 0].float(), target)
        optimizer.zero_grad()
        with around():
            loss.backward()
        optimizer.step()
    return float(loss.detach())


TRAININGS = [
    ("as it is: autocast to float16, batch 32", {}),
    ("`torch.backends.cudnn.flags(enabled=False)` around it", {"around": without_cudnn}),
    ("batch 33", {"batch": 33}),
    ("autocast to bfloat16", {"kind": torch.bfloat16}),
    ("the network in bfloat16", {"kind": torch.bfloat16, "whole": True}),
    ("without autocast", {"kind": torch.float}),
    ("hidden 72", {"hidden": 72}),
    ("`torch.nn.GRU`", {"make": torch.nn.GRU}),
    ("`torch.nn.LSTM`, hidden 48", {"make": torch.nn.LSTM, "hidden": 48}),
    ("`torch.nn.LSTM`, hidden 48, without cuDNN",
     {"make": torch.nn.LSTM, "hidden": 48, "around": without_cudnn}),
    ("`torch.nn.GRU`, hidden 48", {"make": torch.nn.GRU, "hidden": 48}),
    ("`torch.nn.GRU`, hidden 48, without cuDNN",
     {"make": torch.nn.GRU, "hidden": 48, "around": without_cudnn}),
]


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    number = torch.backends.cudnn.version()
    print(f"PyTorch {torch.__version__}, cuDNN {number}, {torch.cuda.get_device_name(0)}\n")
    print_table(["network", "directions", "type", "batch", "steps", "hidden", "layers", "y", "dx",
                 "parameters", "without cuDNN"], rows_of_calls())
    with torch.autocast("cuda", torch.bfloat16):
        kind = torch.nn.RNN(8, 8).cuda()(torch.randn(2, 8, 8, device="cuda"))[0].dtype
    print(f"Under autocast to bfloat16 torch.nn.RNN returns {str(kind).replace('torch.', '')}.\n")
    print_table(["training", "loss"],
                ([text, f"{train(**options):.2f}"] for text, options in TRAININGS))


if __name__ == "__main__":
    main()
