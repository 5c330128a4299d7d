# SPDX-License-Identifier: BSD-3-Clause
"""A part of cuDNN, or a library that it uses, is missing."""

from loader_mix import CUDA_11, EXPORT_WHEEL, ORT, ctranslate2, row, whisper
from scene import (TORCH, all_of, cached, deleted, driver_library, folder, requires, toolkit, torch, uses_cudnn,
                   venv, without_run_path)

KIND = "A library of cuDNN is missing"
DEPENDENCY = "A library that cuDNN uses is missing"
NO_OPS_8 = ("Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object "
            "file: No such file or directory")
NO_OPS_9 = "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, libcudnn_ops.so}"
LOADING = ("CUDNN_BACKEND_TENSOR_DESCRIPTOR cudnnFinalize failed ptrDesc->finalize() cudnn_status: "
           "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED")


def missing(*words, **more):
    return row(*words, kind=KIND, **more)


def dependency(*words, **more):
    return row(*words, kind=DEPENDENCY, **more)


ROWS = (
    whisper("SYSTRAN/faster-whisper#516", NO_OPS_8,
            "CTranslate2 up to 4.4 brings the shim of cuDNN 8 alone, and only cuDNN 9 is installed.",
            "The wheel of cuDNN 8 and LD_LIBRARY_PATH, or CTranslate2 4.5, which is for cuDNN 9.",
            all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), ctranslate2("4.4")), "sublibrary-missing", kind=KIND),
    whisper("RVC-Boss/GPT-SoVITS#697", NO_OPS_8,
            "cuDNN 8 lies in site-packages, where the loader does not look.", "LD_LIBRARY_PATH with its directory.",
            all_of(venv("nvidia-cudnn-cu12==8.9.7.29"), ctranslate2("4.4")), "sublibrary-missing", kind=KIND),
    whisper("QuentinFuxa/WhisperLiveKit#271", NO_OPS_9,
            "The libraries of cuDNN 9 lie in the environment only, and CTranslate2 has no run path to them.",
            "LD_LIBRARY_PATH with their directory, or a cuDNN of the system.",
            all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), ctranslate2("4.5")), "sublibrary-missing", kind=KIND),
    missing("modelscope/ms-swift#3390",
            "Unable to load any of {libcudnn_graph.so.9.1.0, libcudnn_graph.so.9.1, libcudnn_graph.so.9, "
            "libcudnn_graph.so}", "libcudnn_graph is gone from the folder of the wheel.", "Reinstalling the wheel.",
            all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), torch("2.4.0", "nvidia-cudnn-cu12==9.1.0.70"),
                   deleted("graph")), TORCH, "library-missing|sublibrary-missing"),
    missing("chainguard-images/images#2532",
            "UserWarning: Attempt to open cnn_infer failed: handle=0 error: libcudnn_cnn_infer.so.8: cannot open shared "
            "object file: No such file or directory",
            "The image has libcudnn.so.8 and not libcudnn_cnn_infer.so.8 beside it.", "The whole cuDNN in the image.",
            all_of(venv(), folder("usr/lib", "nvidia-cudnn-cu12==8.9.7.29", without=("cnn_infer",)),
                   folder("whole", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("usr/lib", 12), cached("usr/lib"), uses_cudnn(TORCH, "cnn", "libcudnn.so.8"),
                   requires("torch", "2.2.1", "nvidia-cudnn-cu12==8.9.2.26")),
            TORCH, "sublibrary-missing", says="Could not load library libcudnn_cnn_infer.so.8.",
            advice="no package has the files of the image", then="cp ../whole/libcudnn_cnn_infer.so.8 ../usr/lib"),
    *(missing(thread, text, "libcudnn_engines_runtime_compiled cannot be loaded: it is gone from the folder.",
              "Reinstalling the wheel.",
              all_of(venv(wheel), torch(version, wheel, "finalize"), deleted("engines_runtime_compiled")), TORCH,
              "library-missing|sublibrary-missing", says="cudnn_status: CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED")
      for thread, version, wheel, text in (
          ("NVIDIA/cosmos#75", "2.6.0", "nvidia-cudnn-cu12==9.3.0.75",
           "CuDNN (v90300 75) function cudnnBackendFinalize() called: Error: CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED; "
           "Reason: ptrDesc->finalize()"),
          ("nvidia-cosmos/cosmos-transfer1#152", "2.5.1", "nvidia-cudnn-cu12==9.1.0.70", f"RuntimeError: {LOADING}"),
          ("NVIDIA/Model-Optimizer#2326", "2.9.1", "nvidia-cudnn-cu12==9.14.0.64", f"RuntimeError: {LOADING}"))),
    missing("microsoft/onnxruntime#19616",
            "Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn.so.8: cannot open shared "
            "object file: No such file or directory",
            "onnxruntime 1.17 needs cuDNN 8, and none is on the loader's way.", "cuDNN 8 and LD_LIBRARY_PATH.",
            all_of(venv(), uses_cudnn(ORT, "create", "libcudnn.so.8"), requires("onnxruntime-gpu", "1.17.0",
                                                                               top="onnxruntime")),
            ORT, "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file"),
    missing("memoavatar/memo#13",
            "Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn_adv.so.9: cannot open shared "
            "object file: No such file or directory",
            "A part of cuDNN 9 is on the loader's way, without libcudnn_adv, which the provider needs.",
            "The whole cuDNN 9 on the loader's way.",
            all_of(venv("nvidia-cudnn-cu12==9.5.1.17"),
                   folder("usr/lib", "nvidia-cudnn-cu12==9.5.1.17", without=("adv",)), toolkit("usr/lib", 12),
                   cached("usr/lib"), uses_cudnn(ORT, "create adv", "libcudnn.so.9 libcudnn_adv.so.9"),
                   requires("onnxruntime-gpu", "1.20.1", top="onnxruntime")),
            ORT, "cudnn-not-found", says="libcudnn_adv.so.9: cannot open shared object file",
            explained="sublibrary-missing", then=EXPORT_WHEEL,
            advice="a process that has imported torch before has loaded them"),
    missing("JuliaGPU/CUDA.jl#1896", NO_OPS_8,
            "cuDNN.jl opens the shim by its path; the shim asks the loader for the rest, and has no run path.",
            "LD_LIBRARY_PATH with the directory of the shim, before the program starts.",
            all_of(venv(), folder("artifacts/lib", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("artifacts/lib", 12),
                   without_run_path("artifacts/lib/libcudnn.so.8"),
                   uses_cudnn("../julia", "create", opens="../artifacts/lib/libcudnn.so.8", program=True)),
            "../julia", "sublibrary-missing", by="doctor ../artifacts/lib"),
    dependency("facefusion/facefusion-docker#8",
               "Could not load library libcudnn_cnn_infer.so.8. Error: libnvrtc.so: cannot open shared object file: No "
               "such file or directory",
               "libcudnn_cnn_infer opens libnvrtc.so, and the runtime image has libnvrtc.so.11.2 only.",
               "A link libnvrtc.so, or the image with the development packages.",
               all_of(venv(), folder("usr/lib", "nvidia-cudnn-cu11==8.7.0.84"), CUDA_11, cached("cuda-11/lib64", "usr/lib"),
                      uses_cudnn(ORT, "create finalize", "libcudnn.so.8"), driver_library("driver"),
                      lambda scene: (scene.root / "driver/libcuda.so").symlink_to("libcuda.so.1"), cached("driver")),
               ORT, "dependency-missing"),
    dependency("NixOS/nixpkgs#461334", "",
               "libcudnn_engines_runtime_compiled opens libnvrtc.so.12, and nothing on its way has that.",
               "NVRTC of the same CUDA on the loader's way.",
               all_of(venv("nvidia-cudnn-cu12==9.13.1.26", "nvidia-cublas-cu12==12.9.1.4", cuda=0),
                      torch("2.9.0", "nvidia-cudnn-cu12==9.13.1.26", "finalize")),
               TORCH, "dependency-missing", by="doctor ../venv", works=True,
               says="libnvrtc.so.12: cannot open shared object file"),
    dependency("NixOS/nixpkgs#236070",
               "Could not load library libcudnn_ops_infer.so.8. Error: libcublasLt.so.11: cannot open shared object "
               "file: No such file or directory",
               "No run path leads to cuBLAS, which cuDNN 8 for CUDA 11 needs.", "cuBLAS on the loader's way.",
               all_of(venv("nvidia-cudnn-cu11==8.9.6.50", cuda=0),
                      uses_cudnn(TORCH, "create", "libcudnn.so.8", run_path="$ORIGIN/../../nvidia/cudnn/lib"),
                      requires("jaxlib", "0.4.11", top="torch")),
               TORCH, "dependency-missing", by="doctor ../venv", says="libcublasLt.so.11: cannot open shared object file"),
)
