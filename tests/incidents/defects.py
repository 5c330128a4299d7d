# SPDX-License-Identifier: BSD-3-Clause
"""Releases of cuDNN that compute wrong, fail or are slow.  What happens needs the GPU; that it is known does not."""

from loader_mix import JAX, TF, xla
from museum import Incident
from scene import SITE, TORCH, all_of, cached, declares, release, requires, toolkit, torch, uses_cudnn, venv

KIND = "A release of cuDNN with a defect"
OTHER = "Other errors"
DRIVER = "driver=580.65.06"
TE = f"{SITE}/transformer_engine/libtransformer_engine.so"
DNN = f"{SITE}/cv2/cv2.so"
BESIDE = "$ORIGIN/../nvidia/cudnn/lib"
FRONTEND = "https://github.com/NVIDIA/cudnn-frontend/blob/3929da2ef4c1dba1bb8acb68727b9134f26f40c0/include/cudnn_frontend/node/"


OF_9_10, OF_9_11, OF_9_13, OF_9_14, OF_9_15 = (f"nvidia-cudnn-cu12=={release}" for release in (
    "9.10.2.21", "9.11.0.98", "9.13.1.26", "9.14.0.64", "9.15.1.9"))
OF_9_20, OF_9_24, OF_9_26, OF_9_28 = (f"nvidia-cudnn-cu13=={release}" for release in (
    "9.20.0.48", "9.24.0.43", "9.26.0.51", "9.28.0.42"))


SMALL_H = "rnn-small-h|lstm-small-h|gru-small-h"


def pytorch(version):
    return TORCH, lambda wheel: torch(version, wheel)


def transformer_engine(version):
    return TE, lambda wheel: all_of(
        uses_cudnn(TE, "create", "libcudnn.so.9", run_path=BESIDE),
        requires("transformer_engine_cu12", version, top="transformer_engine"))


def tensorflow(version):
    return TF, lambda wheel: all_of(
        uses_cudnn(TF, "create", "libcudnn.so.8", run_path=BESIDE), requires("tensorflow", version))


def jax(version, requirement):
    return JAX, lambda wheel: all_of(
        xla("create", int(requirement.split("=")[-1][0]), 0), requires("jaxlib", version, requirement, top="jax_plugins"))


def program(operation, built=""):
    return "../app", lambda wheel: declares("../app", built or wheel.split("==")[1], operation)


def defective(thread, text, was, mends, gpus, wheel, user, tells, then, elsewhere="", avoids=None, **more):
    """That user of cuDNN with that wheel on these GPUs; `then` is installed.  On none of `elsewhere`, and with the
    user `avoids` instead, anything is found."""
    cuda = int(wheel.split("==")[0][-2:])
    library, made = user
    there = all_of(venv(wheel, cuda=cuda), toolkit("cuda/lib64", cuda), cached("cuda/lib64"))
    return Incident(
        thread, KIND, text, was, mends, all_of(there, made(wheel), more.pop("beside", all_of())),
        check=f"cudnn-checked verify --as {machine(gpus)} {library}", finding=more.pop("finding", "cudnn-known-bad"),
        tells=tells, elsewhere=tuple(map(machine, elsewhere.split())),
        avoids=avoids and all_of(there, avoids[1](wheel)), then=f"python3 -m pip install {then}",
        advice=more.pop("advice", "which release, the framework's or cuDNN's, is a decision"),
        why="What happens needs that GPU.", **more)


def machine(gpus):
    return ",".join(f"sm_{gpu}" for gpu in gpus.split(",")) + ",driver=580.65.06"


def declared(*words, **more):
    """By a program that declares what it calls; one that declares something else is left alone."""
    thread, text, was, mends, gpus, wheel, operation, tells, then = words
    was = f"{was} (Rebuilt with a program that declares `{operation}`.)"
    return defective(thread, text, was, mends, gpus, wheel, program(operation, more.pop("built", "")), tells, then,
                     avoids=program("rnn/masked"), **more)


ROWS = (
    defective("pytorch/pytorch#166643", "", "PyTorch 2.9 leaves cuDNN aside for 3D convolutions in half precision, because "
              "9.8 to 9.14 compute them wrong: three times the memory.", "cuDNN 9.15 with PyTorch 2.9.1, or PyTorch 2.10.",
              "86", OF_9_10, pytorch("2.9.1+cu128"), "conv3d", OF_9_15, avoids=pytorch("2.8.0+cu128")),
    defective("pytorch/pytorch#166122", "", "The same: 3D convolutions are four times slower.", "cuDNN 9.15 with PyTorch "
              "2.9.1.", "86", OF_9_10, pytorch("2.9.0"), "conv3d", f"--no-deps --find-links .. torch==2.9.1 {OF_9_15}",
              beside=release("torch", "2.9.1"), avoids=pytorch("2.8.0")),
    defective("pytorch/pytorch#174051", "", "The same: a vision model is ten times slower.", "PyTorch 2.10, or 2.8.", "86",
              OF_9_10, pytorch("2.9.1+cu128"), "conv3d", "--no-deps --find-links .. torch==2.8.0",
              beside=release("torch", "2.8.0"), avoids=pytorch("2.8.0")),
    defective("Comfy-Org/ComfyUI#10398", "", "The same: three times the memory, in a program that takes cuDNN all the same.",
              "cuDNN 9.15.", "120", OF_9_10, pytorch("2.9.1+cu128"), "conv3d", OF_9_15, avoids=pytorch("2.8.0")),
    declared("pytorch/pytorch#167024", "", "3D convolutions in TF32 are wrong with cuDNN 9.10.2 to 9.15.",
             "PyTorch 2.9.1, which switches TF32 off there.", "86", OF_9_10, "conv3d/fp32", "conv3d-tf32", OF_9_15,
             elsewhere="75"),
    declared("pytorch/pytorch#163171", "", "Depthwise convolutions in NHWC beyond 32-bit sizes are wrong with 9.11 to 9.14.",
             "cuDNN 9.15.", "90", OF_9_13, "conv/depthwise", "conv-depthwise-64bit", OF_9_15),
    declared("pytorch/pytorch#163903", "", "Attention with dropout fails with cuDNN 9.11 to 9.13.", "cuDNN 9.14.", "90",
             OF_9_13, "sdpa/forward/dropout", "sdpa-dropout", OF_9_14),
    declared("pytorch/pytorch#164033", "CUDA error: an illegal memory access was encountered",
             "An attention kernel of cuDNN 9.13.0 reads outside.", "cuDNN 9.13.1.", "90", "nvidia-cudnn-cu12==9.13.0.50",
             "sdpa/forward", "sdpa-9.13.0", OF_9_15, elsewhere="75", explained="convolution-failed|cudnn-known-bad"),
    # Releases up to 9.27.0 have sdpa-one-query, which no PyTorch since 2.11 avoids; all have those of small hidden sizes.
    defective("pytorch/pytorch#196678", "",
              "The gradient of Q is NaN where the length leaves 64 when divided by 128 (sm_90).", "cuDNN 9.26.", "90",
              OF_9_20, pytorch("2.13.0"), "sdpa-kv-tail", OF_9_28, "89 120", pytorch("2.10.0"), stays=SMALL_H),
    defective("pytorch/pytorch#193893", "", "Attention in decode computes wrong numbers on sm_100 with cuDNN 9.19 to 9.25.0.",
              "cuDNN 9.24.1 or 9.25.1.", "100", OF_9_20, pytorch("2.13.0+cu130"), "sdpa-decode", OF_9_26, "89 120",
              pytorch("2.14.0")),
    declared("NVIDIA/cudnn-frontend#414", "", "FP8 attention of cuDNN 9.24 writes zeros on Blackwell.", "cuDNN 9.25.", "100",
             OF_9_24, "sdpa/forward/fp8", "sdpa-fp8-zeros", OF_9_26, elsewhere="90 120"),
    declared("vllm-project/vllm#35566", "CUDA error: an illegal memory access was encountered",
             "A kernel for sm_120 of cuDNN before 9.23.1 reads outside.", "cuDNN 9.23.1.", "120",
             "nvidia-cudnn-cu13==9.19.0.56", "matmul", "matmul-sm120", OF_9_24, elsewhere="90",
             explained="convolution-failed|cudnn-known-bad"),
    defective("NVIDIA/TransformerEngine#2344", "", "Attention of cuDNN 9.13 to 9.15.0 gives NaN or reads outside.",
              "cuDNN 9.15.1.", "90", OF_9_14, transformer_engine("2.9.0"), "sdpa-graph", OF_9_15, "75",
              transformer_engine("2.10.0")),
    declared("NVIDIA/TransformerEngine#1696", "", "Layer norm in MXFP8 is wrong before cuDNN 9.10.", "cuDNN 9.10.", "100",
             "nvidia-cudnn-cu12==9.8.0.87", "norm/mxfp8", "norm-mxfp8", OF_9_10, elsewhere="90"),
    declared("NVIDIA/TransformerEngine#2236", "", "FP8 attention with current scaling is wrong in cuDNN 9.13.1.",
             "cuDNN 9.14.", "100", OF_9_13, "sdpa/forward/fp8", "sdpa-fp8-scaling", OF_9_14, elsewhere="90"),
    declared("openxla/xla#32525", "", "The scale of a block-scaled product is ignored before cuDNN 9.13.", "cuDNN 9.13.",
             "100", OF_9_11, "matmul/block_scaled", "matmul-global-scale", OF_9_13, elsewhere="90"),
    defective("tensorflow/tensorflow#60192", "", "Masked LSTM and GRU are wrong with cuDNN 8.1 to 8.9.1.", "cuDNN 8.9.2.",
              "75", "nvidia-cudnn-cu11==8.6.0.163", tensorflow("2.12.0"), "rnn-masked", "nvidia-cudnn-cu11==8.9.6.50", "90",
              tensorflow("2.4.4")),
    defective("jax-ml/jax#16138", "", "RNNs are wrong before cuDNN 8.8; jaxlib requires 8.8 since then.", "cuDNN 8.8.",
              "86", "nvidia-cudnn-cu11==8.6.0.163", jax("0.4.11", "nvidia-cudnn-cu11>=8.8"), "8.8", "", finding="cudnn-older",
              avoids=jax("0.4.10", "nvidia-cudnn-cu11>=8.6"), advice=""),
    defective("jax-ml/jax#28513", "", "Several GPUs in one process: cuDNN before 9.10.1 fails with cuBLAS 12.9.",
              "cuDNN 9.10.1.", "90,90", "nvidia-cudnn-cu12==9.8.0.87", jax("0.6.0", "nvidia-cudnn-cu12>=9.8"),
              "cuBLASLt 12.9", "nvidia-cudnn-cu12==9.10.1.4", "90"),
    declared(FRONTEND + "sdpa_support_surface.h",
             "SDPA FP16/BF16 forward is not supported on cuDNN 9.10.0/9.10.1 due to known bugs.",
             "The frontend refuses attention on two releases.", "cuDNN 9.10.2.", "80", "nvidia-cudnn-cu12==9.10.1.4",
             "sdpa/forward", "sdpa-9.10", OF_9_10, elsewhere="75"),
    declared(FRONTEND + "scaled_dot_product_flash_attention.h",
             "cuDNN 9.14.0 has a known bug with non-causal + s_kv > 1024 + sliding window attention.",
             "The frontend refuses this attention on 9.14.0.", "cuDNN 9.15.", "90", OF_9_14, "sdpa/forward/window",
             "sdpa-window", OF_9_15, elsewhere="75"),
    declared("BreezeWhite/oemer#70", "Status Message: Failed to initialize CUDNN Frontend",
             "A convolution whose paddings differ, with cuDNN 9.6 and onnxruntime, on a T4.", "cuDNN 9.5, or equal "
             "paddings.", "75", "nvidia-cudnn-cu12==9.6.0.74", "conv/asymmetric", "conv-asymmetric-sm75",
             "nvidia-cudnn-cu12==9.5.1.17", elsewhere="90", built="9.5.1",
             explained="convolution-failed|cudnn-known-bad"),
    Incident("opencv/opencv#26332", OTHER,
             "cuDNN reports version 90.5 which is not compatible with the version 9.5 with which OpenCV was built",
             "A false alarm: OpenCV reads the number of cuDNN 9 as that of cuDNN 8.", "OpenCV after 4.10.",
             all_of(venv("nvidia-cudnn-cu12==9.5.1.17"), toolkit("cuda/lib64", 12), cached("cuda/lib64"),
                    uses_cudnn(DNN, "create", "libcudnn.so.9", run_path=BESIDE)),
             check=f"cudnn-checked verify --as {machine('89')} {DNN}", finds="cuDNN 9.5.1", explained="-"),
)
