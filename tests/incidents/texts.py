# SPDX-License-Identifier: BSD-3-Clause
"""Incidents that nothing here can rebuild: on Windows, or without a known cause.  Their texts are explained."""

from defects import KIND as DEFECT, OTHER
from museum import OF_WINDOWS, Incident

WINDOWS = "Windows: a DLL that is not found"
OPS_9 = "Could not locate cudnn_ops64_9.dll. Please make sure it is in your library path!"
OPS_8 = "Could not locate cudnn_ops_infer64_8.dll. Please make sure it is in your library path!"
ZLIB = "Could not locate zlibwapi.dll. Please make sure it is in your library path!"
ORT_126 = 'FAIL : LoadLibrary failed with error 126 "" when trying to load "onnxruntime_providers_cuda.dll"'
MISSING = "sublibrary-missing"


def windows(thread, text, was, mends, finding=MISSING):
    return Incident(thread, WINDOWS, text, was, mends, finding=finding, why=OF_WINDOWS)


def defect(thread, text, was, mends, finding="cudnn-known-bad", nobody=""):
    return Incident(thread, DEFECT, text, was, mends, finding=finding if text else "", nobody=nobody,
                    why="What goes wrong needs the GPU.")


def other(thread, text, was, mends, finding, nobody=""):
    return Incident(thread, OTHER, text, was, mends, finding=finding, nobody=nobody,
                    why="The cause is not settled, or not in what lies on the machine.")


BIN = "The directory of the DLLs on PATH, or os.add_dll_directory()."
ROWS = (
    windows("ddean2009/MoneyPrinterPlus#91", OPS_9, "The directory of cuDNN's DLLs is not on PATH.", BIN),
    windows("Huanshere/VideoLingo#188", OPS_9, "CUDA and cuDNN are not installed.", "CUDA and cuDNN 9."),
    windows("SYSTRAN/faster-whisper#1230", OPS_9,
            "The installer puts v9.7\\bin on PATH, and the DLLs lie in v9.7\\bin\\12.8.", BIN),
    windows("microsoft/onnxruntime#21825", ORT_126, "The directory of cuDNN's DLLs is not on the search path.", BIN,
            "cudnn-not-found"),
    windows("microsoft/onnxruntime#22000", ORT_126, "A DLL that the provider needs is not found; which, is not said.",
            BIN, "cudnn-not-found"),
    windows("microsoft/onnxruntime#18973", "Could not load library cudnn_cnn_infer64_8.dll. Error code 127",
            "A function is not in the DLL that was found: most likely DLLs of two releases.",
            "One cuDNN for the CUDA of the program, alone on PATH.", "mixed-sublibraries"),
    windows("microsoft/onnxruntime#24266",
            '[WinError 127] The specified procedure could not be found. Error loading "cudnn_cnn64_9.dll" or one of its '
            "dependencies.", "onnxruntime.preload_dlls() loads one release, and PyTorch then parts of its own.",
            "import torch first, or the same release for both.", "mixed-sublibraries"),
    windows("microsoft/onnxruntime#28787",
            "Could not locate cudnn_engines_tensor_ir64_9.dll. Please make sure it is in your library path!",
            "A list of DLLs to load lacks one that came with a later release.", "A later onnxruntime."),
    windows("pytorch/audio#3380",
            "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 7, 0) but found runtime version "
            "(8, 5, 0)", "A step of the build copies another cuDNN over the one in CUDA's directory.",
            "The release that PyTorch was compiled with, alone.", "cudnn-older"),
    windows("deepjavalibrary/djl#3781",
            "java.lang.UnsatisfiedLinkError: torch_cuda.dll: Can't find dependent libraries",
            "The library is loaded before the DLLs of cuDNN that it needs.", "A later DJL.", "cudnn-not-found"),
    windows("deepjavalibrary/djl#3873",
            "java.lang.UnsatisfiedLinkError: torch_cuda.dll: Can't find dependent libraries",
            "The names of cuDNN 8's DLLs are fixed in the program, and cuDNN 9 has others.", "A later DJL.",
            "cudnn-not-found"),
    windows("huggingface/candle#2815",
            'Unable to dynamically load the "cudnn" shared library - searched for library names: ["cudnn.dll", '
            '"cudnn64.dll", "cudnn64_12.dll"]', "The program was given away without cuDNN's DLLs.",
            "The DLLs beside the program.", "cudnn-not-found"),
    windows("mlverse/torch#1465", "Could not locate cudnn_graph64_9.dll. Please make sure it is in your library path!",
            "The shim loads the other DLLs by their names alone, so their directory must be on PATH.", BIN),
    windows("JuliaGPU/CUDA.jl#1777", OPS_8, "The shim is opened by its path, and the others are not beside PATH.", BIN),
    windows("vladmandic/sdnext#1756", OPS_8, "The shim is found, and the other DLLs are not.", BIN),
    windows("dmMaze/BallonsTranslator#382", "GET was unable to find an engine to execute this computation",
            "The DLLs behind the shim are not on PATH.", BIN),
    windows("Comfy-Org/ComfyUI#10758", "", "DLLs of a newer cuDNN were copied over those of PyTorch: a part of them is "
            "worse than none.", "All DLLs of one release."),
    windows("hank-ai/darknet#122", "", "The install step of the build does not find the DLLs of cuDNN.",
            "cuDNN's bin directory among those that are searched."),
    windows("lightvector/KataGo#768", "Could not load library cudnn_cnn_infer64_8.dll. Error code 126",
            "A DLL that it needs is not found: zlibwapi.dll or one of cuBLAS.", "zlibwapi.dll beside it.",
            "dependency-missing"),
    windows("xaviviro/refacer#35", ZLIB, "cuDNN 8 for Windows needs zlibwapi.dll and does not bring it.",
            "zlibwapi.dll in CUDA's bin directory.", "dependency-missing"),
    windows("NickSwardh/YoloDotNet#18", ZLIB, "cuDNN 8 for Windows needs zlibwapi.dll and does not bring it.",
            "zlibwapi.dll in CUDA's bin directory.", "dependency-missing"),
    defect("huggingface/diffusers#9768", "", "PyTorch 2.5.0 prefers cuDNN's attention, whose gradients became NaN.",
           "PyTorch 2.5.1.", nobody="Whether cuDNN or PyTorch's call of it was wrong is not known."),
    defect("google-deepmind/tapnet#99", "", "A convolution of cuDNN 9.0 in JAX is wrong, silently.", "cuDNN 8.9.",
           nobody="It was reported once, without the operation."),
    defect("pytorch/pytorch#128936", "", "A convolution in bfloat16 takes 60 times as long: a slow kernel is chosen.",
           "cudnn.benchmark = True.", nobody="It depends on one shape."),
    defect("pytorch/pytorch#150700", "", "Gradients of convolutions differ on an H100.", "It is open.",
           nobody="The cause is not known."),
    other("microsoft/onnxruntime#23301", "CUDNN_FE failure 11: CUDNN_BACKEND_API_FAILED",
          "Convolutions fail on a T4G although every library loads.", "It is open.", "convolution-failed"),
    other("JuliaGPU/CUDA.jl#2890", "CUDNN_STATUS_EXECUTION_FAILED", "Batch norm fails.", "It is open.",
          "convolution-failed|arch-below-cudnn", "The cause is not known."),
    other("google-deepmind/tapnet#86",
          "None of the algorithms provided by cuDNN heuristics worked; trying fallback algorithms.",
          "Outputs seem wrong on an H800.", "It is open.", "convolution-failed|arch-above-cudnn",
          "The cause is not known."),
    other("Comfy-Org/ComfyUI#12418", "Segmentation fault (core dumped)", "A 3D convolution in half precision on sm_120.",
          "It is disputed.", "-", "The cause is disputed."),
    other("patrick-kidger/equinox#1166",
          "jaxlib._jax.XlaRuntimeError: UNKNOWN: <unknown cudnn status: 5003> in cuda_dnn.cc(5888)",
          "A status of cuDNN 9 that this jaxlib does not know.", "It is open.", "convolution-failed",
          "The cause is not known."),
    other("pytorch/pytorch#157381", "undefined symbol: cuptiActivityEnableDriverApi, version libcupti.so.12",
          "The system's CUPTI is taken before the wheel's.", "A run path that names the wheel first.",
          "dependency-mixed"),
    Incident("zai-org/ChatGLM-6B#921", OTHER,
             "OSError: nvidia/cublas/lib/libcublas.so.11: symbol cublasLtGetStatusString, version libcublasLt.so.11 not defined in "
             "file libcublasLt.so.11 with link time reference",
             "libcublas is the one of the wheel; LD_LIBRARY_PATH comes before its run path, and leads to the libcublasLt of an older "
             "CUDA 11.", "LD_LIBRARY_PATH without that toolkit.", finding="dependency-mixed",
             why="Which release a libcublasLt.so.11 is stands in no file that is read."),
)
