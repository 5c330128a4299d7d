# SPDX-License-Identifier: BSD-3-Clause
"""The GPU or the driver is not one that cuDNN, or its CUDA, computes on."""

import shutil

import small
from loader_mix import JAX, ORT, TF, WHEEL, row, xla
from museum import Incident
from scene import (TORCH, all_of, changed, driver_library, library_path, of_32_bits, requires, toolkit, torch, uses_cudnn,
                   venv)

GPU = "A GPU that this cuDNN has no code for"
DRIVER = "The driver"
BESIDE = "$ORIGIN/../nvidia/cudnn/lib"
NO_LIBCUDA = ("Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: cannot open shared object file: No such "
              "file or directory")


def on(machine, thread, text, was, mends, scene, library, then="", **more):
    """Which GPU it is was given by --as: what happens on it needs one."""
    return Incident(thread, GPU, text, was, mends, scene, check=f"cudnn-checked verify --as {machine} {library}",
                    finding=more.pop("finding", "arch-below-cudnn"), then=then,
                    advice="which GPU, or which release, is a decision", why="What happens needs that GPU.", **more)


def wsl(thread):
    return row(thread, NO_LIBCUDA,
               "WSL2 has libcuda.so.1 in /usr/lib/wsl/lib; cuDNN 8 opens libcuda.so, which the loader does not find.",
               "A link libcuda.so where the loader looks.",
               all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), toolkit("cuda/lib64", 11), driver_library("usr/lib/wsl/lib"),
                      lambda scene: (scene.root / "cuda/lib64/libnvrtc.so").symlink_to("libnvrtc.so.11.2"),
                      library_path("cuda/lib64"),
                      torch("2.0.1", "nvidia-cudnn-cu11==8.7.0.84", "finalize", 8)),
               TORCH, "dependency-missing|driver-missing", kind=DRIVER, explained="driver-missing",
               says="libcuda.so: cannot open shared object file")


ROWS = (
    on("sm_61,driver=580.65.06", "immich-app/immich#22982",
       "CUDNN_STATUS_EXECUTION_FAILED", "The image went from cuDNN 9.8 to 9.14, which has no code for GPUs before 7.5.",
       "cuDNN 9.10.2, the last release for these GPUs.",
       all_of(venv("nvidia-cudnn-cu12==9.14.0.64"),
              uses_cudnn(ORT, "create", "libcudnn.so.9", run_path="$ORIGIN/../../nvidia/cudnn/lib"),
              requires("onnxruntime-gpu", "1.22.0", 'nvidia-cudnn-cu12~=9.0; extra == "cudnn"', top="onnxruntime")),
       ORT, "python3 -m pip install nvidia-cudnn-cu12==9.10.2.21"),
    on("sm_60,driver=580.65.06", "conda-forge/admin-requests#1687", "",
       "Packages of cuDNN 9.11 and newer for CUDA 12 were installed for GPUs before 7.5: segmentation faults.",
       "cuDNN 9.10.2.", all_of(venv("nvidia-cudnn-cu12==9.11.0.98"), xla("create", 9, 91000), requires(
           "jaxlib", "0.7.2", "nvidia-cudnn-cu12<10.0,>=9.8", top="jax_plugins")),
       JAX, "python3 -m pip install nvidia-cudnn-cu12==9.10.2.21"),
    on("sm_70,driver=580.65.06", "jax-ml/jax#30671", "",
       "pip took cuDNN 9.11, and convolutions fail on an older GPU. The release alone is no fault: on newer ones it "
       "works.", "cuDNN 9.10.2.", all_of(venv("nvidia-cudnn-cu12==9.11.0.98"), xla("create", 9, 90800), requires(
           "jax-cuda12-plugin", "0.7.0", 'nvidia-cudnn-cu12<10.0,>=9.8; extra == "with-cuda"', top="jax_plugins")),
       JAX, "python3 -m pip install nvidia-cudnn-cu12==9.10.2.21"),
    on("sm_70,driver=580.65.06", "unslothai/unsloth#5876",
       "CUDA error: no kernel image is available for execution on the device",
       "The installer looks at the driver, which serves CUDA 13, and takes libraries for CUDA 13, which have no code for "
       "a V100.", "The libraries for CUDA 12.",
       all_of(venv("nvidia-cudnn-cu13==9.19.0.56", cuda=13), torch("2.11.0", "nvidia-cudnn-cu13==9.19.0.56")), TORCH,
       explained="arch-not-built"),
    on("sm_107,driver=580.65.06", "pytorch/pytorch#192843",
       "RuntimeError: cuDNN Frontend error: [cudnn_frontend] Error: No valid execution plans built.",
       "cuDNN 9.24 has no engine of fused attention for compute capability 10.7.", "cuDNN 9.25.",
       all_of(venv("nvidia-cudnn-cu13==9.24.0.43", cuda=13), torch("2.13.0", "nvidia-cudnn-cu13==9.24.0.43")), TORCH,
       finding="cudnn-known-bad|arch-above-cudnn", explained="convolution-failed"),
    Incident("karpathy/llm.c#366", GPU, "Assertion `graph->check_support(cudnn_handle).is_good()' failed",
             "Flash attention of cuDNN needs compute capability 8.0, and the GPU is a V100.",
             "A build without cuDNN's attention, or a newer GPU.", finding="convolution-failed|arch-below-cudnn",
             why="What an operation needs stands in no file of the program."),
    wsl("facebookresearch/nougat#105"),
    wsl("THU-MIG/yolov10#395"),
    Incident("tensorflow/tensorflow#62032", DRIVER, "Could not create cudnn handle: CUDNN_STATUS_NOT_INITIALIZED",
             "The driver is older than CUDA 11.8 needs, or the GPU is a K80, which TensorFlow has no code for.",
             "A newer driver; another GPU.", finding="driver-too-old",
             why="Which CUDA a library was built with is not in its file."),
    row("MotrixLab/SMPLer-X#37",
        "Could not load library libcudnn_cnn_infer.so.8. Error: libcuda.so: wrong ELF class: ELFCLASS32",
        "The only libcuda.so, without a number, that the loader finds is the one of 32 bits.",
        "A link libcuda.so to libcuda.so.1 where the loader looks first.",
        all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), toolkit("cuda/lib64", 11), driver_library("usr/lib64"),
               lambda scene: (scene.root / "cuda/lib64/libnvrtc.so").symlink_to("libnvrtc.so.11.2"),
               lambda scene: shutil.copy(scene.root / "usr/lib64/libcuda.so.1", scene.root / "cuda/lib64/libcuda.so"),
               changed("cuda/lib64/libcuda.so", of_32_bits), library_path("cuda/lib64"),
               torch("1.12.0", "nvidia-cudnn-cu11==8.7.0.84", "finalize", 8)),
        TORCH, "dependency-missing|driver-missing|wrong-machine", kind=DRIVER,
        says="libcuda.so: wrong ELF class: ELFCLASS32", advice="who has installed the other file is not known",
        then="ln -sf ../../usr/lib64/libcuda.so.1 ../cuda/lib64/libcuda.so"),
    row("lbcb-sci/herro#4", NO_LIBCUDA,
        "Singularity puts libcuda.so.1 of the machine into /.singularity.d/libs, and no libcuda.so, which cuDNN 8 opens.",
        "A link libcuda.so where the loader looks.",
        all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), toolkit("cuda/lib64", 11), driver_library(".singularity.d/libs"),
               lambda scene: (scene.root / "cuda/lib64/libnvrtc.so").symlink_to("libnvrtc.so.11.2"),
               library_path(".singularity.d/libs", "cuda/lib64"),
               uses_cudnn("../herro", "finalize", "libcudnn.so.8", run_path=f"$ORIGIN/{WHEEL[3:]}", program=True)),
        "../herro", "dependency-missing|driver-missing", kind=DRIVER, says="libcuda.so: cannot open shared object file"),
    row("tensorflow/tensorflow#36974", "failed call to cuInit: CUDA_ERROR_STUB_LIBRARY: CUDA driver is a stub library",
        "LD_LIBRARY_PATH of the image leads to the toolkit's stubs, before the driver.", "LD_LIBRARY_PATH without stubs.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"), driver_library("driver"),
               lambda scene: small.library(scene.root / "cuda/lib64/stubs/libcuda.so.1"), library_path("cuda/lib64/stubs"),
               uses_cudnn(f"{TF}.2", "create", "libcudnn.so.8 libcuda.so.1", run_path=BESIDE), requires("tensorflow", "2.1.0")),
        f"{TF}.2", "driver-missing", kind=DRIVER, works=True),
)
