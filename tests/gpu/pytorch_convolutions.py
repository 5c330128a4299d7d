#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the convolutions that PyTorch computes wrong on the cuDNN that the loader gives it.

Run it with LD_LIBRARY_PATH pointing at a set of cuDNN libraries; prints one JSON object.  Each result is
compared with PyTorch's own float32 convolution without cuDNN.  A convolution that raises an exception is
counted and not computed.
"""
import itertools
import json

import torch

BATCHES = (1, 2, 8)
INPUT_CHANNELS = (16, 32, 64, 256)
OUTPUT_CHANNELS = (32, 64)
IMAGE_SIZES = (7, 14, 16, 28, 32, 56)
KERNEL_SIZES = (1, 3)
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}
# Far above the rounding of any of the types, far below the error of an unrelated result (1.4).
LARGEST_RELATIVE_ERROR = 2e-2


def relative_error(batch, channels, filters, size, kernel, dtype):
    x = torch.randn(batch, channels, size, size, device="cuda", dtype=dtype)
    w = torch.randn(filters, channels, kernel, kernel, device="cuda", dtype=dtype)
    padding = kernel // 2
    with torch.backends.cudnn.flags(enabled=False):
        reference = torch.nn.functional.conv2d(x.float(), w.float(), padding=padding)
    with torch.backends.cudnn.flags(enabled=True, benchmark=False):
        result = torch.nn.functional.conv2d(x, w, padding=padding).float()
    return ((result - reference).norm() / reference.norm()).item()


def mapped_cudnn_files():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({line.split()[-1] for line in maps if "libcudnn" in line})


def main():
    torch.manual_seed(1)
    shapes = list(
        itertools.product(BATCHES, INPUT_CHANNELS, OUTPUT_CHANNELS, IMAGE_SIZES, KERNEL_SIZES)
    )
    wrong = {}
    largest = 0.0
    failed = None
    raised = 0
    for name, dtype in TYPES.items():
        wrong[name] = 0
        for shape in shapes:
            try:
                error = relative_error(*shape, dtype)
            except RuntimeError as exception:
                failed = failed or str(exception).splitlines()[0]
                raised += 1
                continue
            # A NaN compares false: it is wrong too.
            wrong[name] += not error <= LARGEST_RELATIVE_ERROR
            largest = max(largest, error)
    print(
        json.dumps(
            {
                "pytorch": torch.__version__,
                "convolutions": len(shapes) * len(TYPES),
                "wrong": sum(wrong.values()),
                "wrong_by_type": wrong,
                "largest_relative_error": largest,
                "exception": failed,
                "raised": raised,
                "files": mapped_cudnn_files(),
            }
        )
    )


if __name__ == "__main__":
    main()
