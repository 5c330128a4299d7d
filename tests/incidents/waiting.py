# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose truth the project does not report yet, with the reason; "THREAD: text" is about explain --text alone.
A row here that is right fails the suite."""

NAMES = "the library opens a name that it composes, and neither its run path nor its package's requirement says so"

NOT_YET = {
    "chelsea0x3b/cudarc#529": NAMES,
    "iot-salzburg/gpu-jupyter#148": NAMES,
    "pytorch/builder#1847": "the fix installs a wheel that PyTorch's own copy of cuDNN does not find",
    "PaddlePaddle/Paddle#30694": NAMES,
    "koharu-rs/koharu#694": NAMES,
    "OpenNMT/CTranslate2#1826": "what two libraries of one environment take is not compared: each alone takes a sound cuDNN",
    "AlexeyAB/darknet#8601": "a library of CUDA that lies in CUDA_HOME, off the loader's way, is not offered: apt-get is",
    "sparticlesteve/nersc-pytorch-build#5": "the find module does not read CUDNN_LIBRARY_PATH and CUDNN_INCLUDE_PATH",
}
