# SPDX-License-Identifier: BSD-3-Clause
"""Imports the module, and blurs a point of light where there is a GPU."""

import json

try:
    import blurring
except ImportError as error:
    print(f"use_blurring: the module cannot be used here, this program goes on without it:\n{error}", end="")
    raise SystemExit(0)

print("use_blurring: the check says:", json.loads(blurring.report())["verdict"])
point = [[0, 0, 0, 0], [0, 16, 0, 0], [0, 0, 0, 0]]
try:
    for row in blurring.blur(point):
        print("use_blurring:", *(f"{value:4.1f}" for value in row))
except RuntimeError as error:
    print("use_blurring: nothing was computed:", error)
