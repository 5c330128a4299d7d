#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the convolutions that PyTorch computes wrong on the cuDNN that the loader gives it.

Run it with LD_LIBRARY_PATH pointing at a set of cuDNN libraries; prints one JSON object.  Each result is
compared with PyTorch's own float32 convolution without cuDNN.  A convolution that raises an exception is
counted and not computed.
"""
import itertools
import json
import multiprocessing

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


def part(dtype, batch, filters):
    """The convolutions of one type, batch and number of filters."""
    torch.manual_seed(1)
    counts = {"convolutions": 0, "wrong": 0, "raised": 0, "largest": 0.0, "exception": None}
    for shape in itertools.product((batch,), INPUT_CHANNELS, (filters,), IMAGE_SIZES, KERNEL_SIZES):
        counts["convolutions"] += 1
        try:
            error = relative_error(*shape, TYPES[dtype])
        except RuntimeError as exception:
            counts["exception"] = counts["exception"] or str(exception).splitlines()[0]
            counts["raised"] += 1
            continue
        # A NaN compares false: it is wrong too.
        counts["wrong"] += not error <= LARGEST_RELATIVE_ERROR
        counts["largest"] = max(counts["largest"], error)
    return {**counts, "type": dtype, "files": mapped_cudnn_files()}


def main():
    # In processes of their own, because plans that are compiled at run time take a second each.
    parts = list(itertools.product(TYPES, BATCHES, OUTPUT_CHANNELS))
    with multiprocessing.get_context("spawn").Pool(len(parts)) as pool:
        done = pool.starmap(part, parts, chunksize=1)
    print(
        json.dumps(
            {
                "pytorch": torch.__version__,
                "convolutions": sum(each["convolutions"] for each in done),
                "wrong": sum(each["wrong"] for each in done),
                "wrong_by_type": {name: sum(each["wrong"] for each in done if each["type"] == name)
                                  for name in TYPES},
                "largest_relative_error": max(each["largest"] for each in done),
                "exception": next((each["exception"] for each in done if each["exception"]), None),
                "raised": sum(each["raised"] for each in done),
                "files": sorted({file for each in done for file in each["files"]}),
            }
        )
    )


if __name__ == "__main__":
    main()
