# SPDX-License-Identifier: BSD-3-Clause
"""Incidents of Windows: rebuilt under wine where the files decide, else by their text."""

from museum import Incident, OnWindows
from texts import OPS_8, OPS_9, WINDOWS, ZLIB
from windows_machine import (all_of, dlls, first_in_path, of_32_bits, of_64_bits, path, program, real_dll)

ALONE = "It is told by its text alone: what lay there is not in the thread."
NO_GPU = "What goes wrong needs the GPU."
VERIFY = "cudnn-checked verify app.exe"
NOT_FOUND = "ImportError: DLL load failed: The specified module could not be found"
CNN_126 = "Could not load library cudnn_cnn_infer64_8.dll. Error code 126"
ZLIB_ASKED = "fix: put zlibwapi.dll of 64 bits beside the program"
ZLIB_OF_64 = of_64_bits("app", "zlibwapi.dll")
WHOLE_8 = all_of(program(8), dlls("cudnn", "8.9.7.29"))


def rebuilt(thread, text, was, mends, scene, finding, mended, **more):
    return OnWindows(thread, WINDOWS, text, was, mends, scene, check=VERIFY, finding=finding, mended=mended, **more)


def zlib(thread, text, scene, **more):
    return rebuilt(thread, text, "cuDNN 8 for Windows opens zlibwapi.dll by its name, and no directory that is searched has it.",
                   "zlibwapi.dll of 64 bits beside the program or in a directory of PATH.", scene, "dependency-missing",
                   ZLIB_OF_64, tells=ZLIB_ASKED, **more)


def told(thread, text, was, mends, finding, why=ALONE):
    return Incident(thread, WINDOWS, text, was, mends, finding=finding, why=why)


def mixed(thread, text):
    return told(thread, text, "Two packages bring a cuDNN 8 each, in torch\\lib and in nvidia\\cudnn\\bin: the DLLs of the one "
                "that was loaded first lack a function that those of the other need.",
                "The DLLs of one release in both places.", "mixed-sublibraries")


def installed_below(thread, text, folder, below, release, cuda, **more):
    """NVIDIA's installer."""
    return rebuilt(thread, text, f"PATH has {folder}, and the DLLs lie in {below}.", f"{below} in PATH.",
                   all_of(program(9), dlls(below.replace("\\", "/"), release, cuda), path(folder.replace("\\", "/"))),
                   "cudnn-not-found", first_in_path(below.replace("\\", "/")), ran="app.exe", explained="-", **more)


ROWS = (
    installed_below("davisking/dlib#2097", NOT_FOUND, "CUDNN\\v9.6\\bin", "CUDNN\\v9.6\\bin\\11.8", "9.6.0.74", "11",
                    tells="  fix: set "),
    installed_below("davisking/dlib#2937", "ImportError: DLL load failed while importing _dlib_pybind11: Not Found",
                    "CUDNN\\v9.4\\bin", "CUDNN\\v9.4\\bin\\12.6", "9.4.0.58", "12", tells="  fix: set "),
    installed_below("tensorflow/tensorflow#10033", "ImportError: DLL load failed: The specified module could not be found.",
                    "cudnn\\cuda", "cudnn\\cuda\\bin", "9.28.0.42", "12", tells="  fix: set "),
    rebuilt("lltcggie/waifu2x-caffe#197", "", "The DLL was put into a folder cudnn_data beside the program. (Rebuilt with cuDNN 9.)",
            "The DLLs in the folder of the program.",
            all_of(program(9), dlls("app/cudnn_data", "9.28.0.42"), path()), "cudnn-not-found", dlls("app", "9.28.0.42"),
            ran="app.exe"),
    rebuilt("Purfview/whisper-standalone-win#62", "Could not load library cudnn_ops_infer64_8.dll. Error code 126",
            "The archive of cuDNN was unpacked into the program's folder: its DLLs lie in bin, the shim beside the program.",
            "All DLLs in the folder of the program.",
            all_of(program(8), dlls("app", "8.9.7.29", only=("cudnn64_8.dll",)), dlls("app/bin", "8.9.7.29"), path()),
            "sublibrary-missing", all_of(dlls("app", "8.9.7.29"), ZLIB_OF_64)),
    rebuilt("ILikeAI/AlwaysReddy#40", "Could not locate cudnn_cnn_infer64_8.dll. Please make sure it is in your library path!",
            "One DLL of cuDNN 8 was downloaded alone: it needs the others.", "The whole cuDNN 8.",
            all_of(program(8), dlls("app", "8.9.7.29", only=("cudnn64_8.dll",)),
                   dlls("bin", "8.9.7.29", only=("cudnn_cnn_infer64_8.dll",)), path("bin")),
            "sublibrary-missing", all_of(dlls("app", "8.9.7.29"), ZLIB_OF_64)),
    rebuilt("m-bain/whisperX#899", OPS_8, "PyTorch 2.4 brings cuDNN 9 in torch\\lib, and this CTranslate2 is for cuDNN 8.",
            "PyTorch 2.2, which brings cuDNN 8, or a CTranslate2 for cuDNN 9.",
            all_of(program(8), dlls("app", "8.9.7.29", only=("cudnn64_8.dll",)), dlls("torch/lib", "9.1.0.70"), path("torch/lib")),
            "sublibrary-missing", all_of(dlls("torch/lib", "8.9.7.29"), ZLIB_OF_64)),
    rebuilt("SYSTRAN/faster-whisper#1080", OPS_9, "PyTorch 2.3.1 brings cuDNN 8 in torch\\lib, and CTranslate2 4.5 is for cuDNN 9.",
            "PyTorch 2.4, which brings cuDNN 9.",
            all_of(program(9), real_dll("app", "9.10.2.21", "cudnn64_9.dll"), dlls("torch/lib", "8.9.7.29"), path("torch/lib")),
            "sublibrary-missing", dlls("torch/lib", "9.10.2.21"), ran="app.exe ops", says=OPS_9),
    rebuilt("kimjammer/Neuro#19", OPS_9, "cuDNN 8.7 is installed, and a library of the program is for cuDNN 9. (Rebuilt with 8.9.4.)",
            "cuDNN 9.",
            all_of(program(9), real_dll("app", "9.10.2.21", "cudnn64_9.dll"), dlls("cudnn/bin", "8.9.4.25", "11"), path("cudnn/bin")),
            "sublibrary-missing", dlls("app", "9.10.2.21", without=("cudnn64_9.dll",)), ran="app.exe ops", says=OPS_9),
    rebuilt("lightvector/KataGo#828",
            "Could not load library zlibwapi.dll. Error code 193. Please verify that the library is built correctly for your "
            "processor architecture (32-bit, 64-bit)", "The zlibwapi.dll in PATH is of 32 bits.", "One of 64 bits in its place.",
            all_of(WHOLE_8, of_32_bits("zlib", "zlibwapi.dll"), path("cudnn", "zlib")), "dependency-missing", ZLIB_OF_64,
            tells="a file for i386   {}/zlib/zlibwapi.dll   chosen by PATH[1]", explained="wrong-machine"),
    zlib("AlexeyAB/darknet#8551", ZLIB, all_of(WHOLE_8, path("cudnn"))),
    zlib("Softcatala/whisper-ctranslate2#41", CNN_126,
         all_of(program(8), dlls("app", "8.9.7.29", only=("cudnn64_8.dll",)), dlls("CUDNN/v8.x/bin", "8.9.7.29"), path("CUDNN/v8.x/bin"))),
    zlib("microsoft/onnxruntime#17510", ZLIB, all_of(program(8), dlls("CUDA/v11.8/bin", "8.9.4.25", "11"), path("CUDA/v11.8/bin"))),
    told("PaddlePaddle/FastDeploy#362", "提示zlibwapi.dll找不到，这个是干嘛用的？",
         "cuDNN 8.6 for Windows needs zlibwapi.dll, and it ends the program inside of cudnn64_8.dll.", "zlibwapi.dll.",
         "dependency-missing", NO_GPU),
    told("NTUYWANG103/APEX_AIMBOT#25", ZLIB, "cuDNN 8 needs zlibwapi.dll; TensorRT's log stands before.", "zlibwapi.dll.",
         "dependency-missing", NO_GPU),
    mixed("NVIDIA/Stable-Diffusion-WebUI-TensorRT#143",
          "entry point ?destroyTensorDescriptorEx@ops@cudnn@YA?AW4cudnnStatus_t@@PEAPEAPEAUcudnnTensorStruct@@@Z could not be located in "
          "the dynamic link library C\\sdwebui\\venv\\lib\\site-packages\\nvidia\\cudnn\\bin\\cudnn_adv_infer64_8.dll."),
    mixed("NVIDIA/Stable-Diffusion-WebUI-TensorRT#291",
          "无法定位程序输入点 ?destroyTensorDescriptorEx@ops@cudnn@@YA?Aw4cudnnStatus_@ 于动态链接库"),
    told("bmaltais/kohya_ss#486", 'OSError: [WinError 127] La procédure spécifiée est introuvable. Error loading '
         '"E:\\kohya_ss\\venv\\lib\\site-packages\\torch\\lib\\cudnn_adv_infer64_8.dll" or one of its dependencies.',
         "A function is not in the DLL that was found: files of two releases in torch\\lib, or another cuDNN loaded before.",
         "A new virtual environment.", "mixed-sublibraries"),
    told("terrychenism/caffe-windows-cudnn#4",
         "The procedure entry point cudnnSetPoolingDescriptor could not be located in the dynamic link library",
         "The program was built for an early cuDNN, whose functions the newest one no longer has.",
         "The DLL that came with the program, or a program for the newer one.", "cudnn-major|cudnn-older"),
    told("gpufit/Gpufit#104",
         "The procedure entry point cublasLtGetStatusString could not be located in the dynamic link library ../cublas64_11.dll",
         "cuBLAS of two releases of CUDA 11: cublas64_11.dll gets an older cublasLt64_11.dll.", "PATH with one of them first.",
         "dependency-mixed"),
    told("neuralchen/SimSwap#98", "CUDA_PATH is set but CUDA wasn't able to be loaded.",
         "CUDA 10.2 is installed, and onnxruntime-gpu was built for CUDA 11.", "CUDA 11.1.", "cuda-major"),
    told("dlunion/OpenPose#13", "由于找不到cublas64_80.dll,无法继续执行代码。重新安装程序可能会解决此问题",
         "The program was linked with CUDA 8, and CUDA 9 is installed.", "OpenCV for the CUDA that is installed.",
         "cuda-major|dependency-missing"),
    told("lllyasviel/stable-diffusion-webui-forge#2798", OPS_8,
         "The install path has brackets, which PyTorch's search for its DLLs takes for a pattern.", "A path without brackets.",
         "sublibrary-missing"),
)
