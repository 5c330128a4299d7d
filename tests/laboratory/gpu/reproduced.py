#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a reproduction dumped, computed again by PyTorch in float64 on the CPU, which uses no cuDNN.

usage: reproduced.py FOLDER...    each with problem.txt (the problem as a report writes it), x.bin, w.bin, y.bin

Prints one JSON object, from folder to what PyTorch makes of it.  Nothing of this project computes here.
"""
import json
import pathlib
import re
import sys

import torch

TYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
NUMBERS = r"(\d+(?:x\d+)*)"


class Problem:
    """Read from its text: "dgrad fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2"."""

    def __init__(self, text):
        self.operation, self.type, self.layout, shapes = text.strip().split(" ", 3)
        x, w = re.match(rf"{NUMBERS} \* {NUMBERS}", shapes).groups()
        self.x, self.w = ([int(number) for number in extents.split("x")] for extents in (x, w))
        self.padding = self.setting(shapes, "padding", 0)
        self.stride = self.setting(shapes, "stride", 1)
        self.dilation = self.setting(shapes, "dilation", 1)
        self.groups = self.x[1] // self.w[1]
        self.y = [self.x[0], self.w[0]] + [
            (self.x[i + 2] + 2 * self.padding[i] - self.dilation[i] * (self.w[i + 2] - 1) - 1) // self.stride[i] + 1
            for i in range(len(self.padding))]

    def setting(self, text, name, usual):
        found = re.search(rf", {name} {NUMBERS}", text)
        values = [int(number) for number in found.group(1).split("x")] if found else [usual]
        return values * (len(self.x) - 2) if len(values) == 1 else values


def read(path, extents, problem):
    """A tensor in float64, from the bytes as they lay in the GPU's memory."""
    flat = torch.frombuffer(bytearray(path.read_bytes()), dtype=TYPES[problem.type])
    if problem.layout == "nchw":
        return flat.double().reshape(extents)
    last = len(extents) - 1
    return flat.double().reshape([extents[0], *extents[2:], extents[1]]).permute([0, last, *range(1, last)])


def compute(problem, x, w, y):
    """What the operation gives, of the two tensors that it reads."""
    functional = torch.nn.functional
    options = {"stride": problem.stride, "padding": problem.padding, "dilation": problem.dilation,
               "groups": problem.groups}
    convolve = functional.conv2d if len(problem.stride) == 2 else functional.conv3d
    if problem.operation == "fwd":
        return convolve(x, w, **options)
    # The gradient of <y, x * w>, by PyTorch's own differentiation.
    wanted = (x if problem.operation == "dgrad" else w).detach().clone().requires_grad_(True)
    other = {"dgrad": (wanted, w), "wgrad": (x, wanted)}[problem.operation]
    (convolve(*other, **options) * y).sum().backward()
    return wanted.grad


def check(folder):
    problem = Problem((folder / "problem.txt").read_text(encoding="utf-8"))
    tensors = [read(folder / f"{name}.bin", getattr(problem, name), problem) for name in "xwy"]
    place = {"fwd": 2, "dgrad": 0, "wgrad": 1}[problem.operation]
    computed = tensors[place].clone()
    tensors[place].fill_(float("nan"))  # it is not read
    expected = compute(problem, *tensors)
    magnitude = compute(problem, *(tensor.abs() for tensor in tensors))
    # Of a long sum of either sign: six deviations.  No element is measured by less than the mean.
    scale = torch.where(magnitude > 16, 4 * magnitude.sqrt(), magnitude)
    scale = scale.clamp_min(float(scale.square().mean().sqrt()))
    finite = torch.isfinite(computed)
    difference = torch.where(finite, (computed - expected).abs(), torch.zeros_like(expected))
    return {
        "elements": computed.numel(),
        "not_finite": int((~finite).sum()),
        "relative_error": float(difference.norm() / expected.norm()),
        "element_error": float((difference / scale.clamp_min(1e-300)).max()),
        "elements_off": int((difference > 0.02 * scale).sum()) + int((~finite).sum()),
    }


def main(folders):
    torch.backends.cudnn.enabled = False
    print(json.dumps({folder: check(pathlib.Path(folder)) for folder in folders}))


if __name__ == "__main__":
    main(sys.argv[1:])
