#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: pytorch_with_plugin.py PLUGIN

Stock PyTorch computes one convolution that goes wrong on faulty sets, then loads a guarded plugin, which
judges the process.  Prints JSON: the relative error, and what the plugin's check says.
"""
import ctypes
import json
import sys

import torch


def relative_error():
    """Of a 1x16x7x7 * 32x16x1x1 fp16 NCHW convolution, against float64 on the CPU."""
    torch.manual_seed(1)
    x = torch.randn(1, 16, 7, 7, dtype=torch.half, device="cuda")
    w = torch.randn(32, 16, 1, 1, dtype=torch.half, device="cuda")
    y = torch.nn.functional.conv2d(x, w).double().cpu()
    reference = torch.nn.functional.conv2d(x.double().cpu(), w.double().cpu())
    return float((y - reference).norm() / reference.norm())


def main():
    error = relative_error()
    plugin = ctypes.CDLL(sys.argv[1])
    plugin.check_text.restype = ctypes.c_char_p
    print(json.dumps({"error": error, "said": plugin.check_text().decode()}))


if __name__ == "__main__":
    main()
