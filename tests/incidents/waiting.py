# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose truth the project does not report yet, with the reason; "THREAD: text" is about explain --text alone.
A row here that is right fails the suite."""

NAMES = "the library opens a name that it composes, and neither its run path nor its package's requirement says so"

NOT_YET = {
    "m-bain/whisperX#1100": "the fix reinstalls the package that is sound already: what LD_LIBRARY_PATH leads to stays",
    "tensorflow/docs#2251": NAMES,
    "chelsea0x3b/cudarc#529": NAMES,
    "iot-salzburg/gpu-jupyter#148": NAMES,
    "pytorch/builder#1847": "the fix installs a wheel that PyTorch's own copy of cuDNN does not find",
}
