# SPDX-License-Identifier: BSD-3-Clause
"""Several cuDNNs, or one in a place where the loader does not look."""

from museum import Incident
from scene import (SITE, TORCH, all_of, cached, folder, installed, library_path, of_another, real_files, requires,
                   toolkit, torch, uses_cudnn, venv)

KIND = "Several cuDNNs, or one where the loader does not look"
IMPORT_TORCH = f"../start {TORCH}"
VERIFY_TORCH = f"cudnn-checked verify {TORCH}"
CTRANSLATE2 = f"{SITE}/ctranslate2/_ext.cpython-311-x86_64-linux-gnu.so"
ORT = f"{SITE}/onnxruntime/capi/libonnxruntime_providers_cuda.so"
TF = f"{SITE}/tensorflow/libtensorflow_cc.so"
JAX = f"{SITE}/jax_plugins/xla_cuda12/xla_cuda_plugin.so"
WHEEL = f"{SITE}/nvidia/cudnn/lib"
EXPORT_WHEEL = f'export LD_LIBRARY_PATH="$(cd {WHEEL} && pwd)"'
LIB64 = TORCH.replace("/lib/", "/lib64/", 1)
CUDA_11 = all_of(toolkit("cuda-11/lib64", 11), cached("cuda-11/lib64"))


def xla(calls, major, compiled):
    """JAX's plugin, which opens cuDNN by name and finds the wheel by its run path."""
    return uses_cudnn(JAX, calls, opens=f"libcudnn.so.{major}", compiled=compiled,
                      run_path="$ORIGIN/../../nvidia/cudnn/lib")


def row(thread, text, was, mends, scene, library, finding, by="", kind=KIND, **more):
    """What is run and verified: a library, which is imported, or a program."""
    return Incident(thread, kind, text, was, mends, scene, f"../start {library}" if ".so" in library else library,
                    finding=finding, check=f"cudnn-checked {by or 'verify ' + library}", **more)


def ctranslate2(version, calls=""):
    """The wheel of that release, and ../whisper, which calls the cuDNN in it."""
    name, first = {"4.4": ("libcudnn-463fd6d5.so.8.9.7", "create"), "4.5": ("libcudnn-74a4c495.so.9.1.0", "ops")}[version]
    return all_of(installed(f"ctranslate2-{version}"), uses_cudnn(
        "../whisper", calls or first, opens=f"{SITE}/ctranslate2.libs/{name}", program=True))


def whisper(*words, **more):
    """Is verified: the module of CTranslate2."""
    thread, text, was, mends, scene, finding = words
    return row(thread, text, was, mends, scene, "../whisper", finding, by=f"verify {CTRANSLATE2}", **more)


ROWS = (
    row("pytorch/pytorch#185512", "RuntimeError: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
        "The graph library of cuDNN 9.20.0 asks for libcudnn_engines_tensor_ir, which its package does not have, and the "
        "loader's cache supplies that of another cuDNN. (Rebuilt with the JIT-only 9.20.0, whose graph library asks for the "
        "same.)", "ld.so.cache without the other cuDNN, or a release of cuDNN that has the file.",
        all_of(venv("nvidia-cuda-nvrtc==13.0.88", cuda=0), real_files("jit-9.20-cu13", WHEEL),
               real_files("stray-9.23-cu12", "../stray/lib"), cached("stray/lib"),
               uses_cudnn(TORCH, "engines", "libcudnn.so.9", run_path="$ORIGIN/../../nvidia/cudnn/lib"),
               requires("torch", "2.12.1+cu130", "nvidia-cudnn-cu13==9.20.0.48")),
        TORCH, "mixed-sublibraries", heavy="stray-9.23-cu12",
        says="cudnn_status: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
        advice="which programs use the other cuDNN is not known", then="rm -r ../stray/lib"),
    whisper("SYSTRAN/faster-whisper#297",
        "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object "
        "file: No such file or directory",
        "The directory of the wheel's libraries is in PATH. The loader reads LD_LIBRARY_PATH.",
        "LD_LIBRARY_PATH with that directory.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"), ctranslate2("4.4")),
        "sublibrary-missing|library-missing"),
    whisper("m-bain/whisperX#1100",
        "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
        "LD_LIBRARY_PATH leads to a part of cuDNN 9.1.0, and ld.so.cache to 9.15.1, whose libcudnn_cnn does not fit.",
        "All of one release: the whole 9.1.0 on the search path, or another order.",
        all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), ctranslate2("4.5", "cnn"),
               folder("part", "nvidia-cudnn-cu12==9.1.0.70", without=("cnn",)),
               folder("system", "nvidia-cudnn-cu12==9.15.1.9"), cached("system"), library_path("part")),
        "mixed-sublibraries|sublibrary-missing"),
    row("livepeer/comfystream#497", "cuDNN failed with status CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
        "The image has one release of cuDNN 9 on LD_LIBRARY_PATH, the Python packages bring another, and a process "
        "takes files of both.",
        "LD_LIBRARY_PATH without the image's cuDNN.",
        all_of(venv("nvidia-cudnn-cu12==9.10.2.21"), torch("2.8.0", "nvidia-cudnn-cu12==9.10.2.21", "create ops"),
               folder("image", "nvidia-cudnn-cu12==9.8.0.87", "ops"), library_path("image")),
        TORCH, "mixed-sublibraries", says="cudnn_status: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"),
    row("mav-rik/facerestore_cf#27", "cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
        "Files of two releases lie in one wheel's folder, as an interrupted upgrade leaves them.",
        "Reinstalling the package that is required.",
        all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), torch("2.5.1", "nvidia-cudnn-cu12==9.1.0.70", "create ops"),
               of_another("ops", "adv", wheel="nvidia-cudnn-cu12==9.5.1.17")),
        TORCH, "mixed-sublibraries", says="cudnn_status: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"),
    row("pytorch/pytorch#104591",
        "Could not load library libcudnn_cnn_infer.so.8. Error: libcudnn_cnn_infer.so.8: undefined symbol: "
        "_ZN11nvrtcHelper4loadEb, version libcudnn_ops_infer.so.8",
        "PyTorch brings cuDNN 8.7 by its run path; LD_LIBRARY_PATH leads to the wheel of 8.9, from which "
        "libcudnn_cnn_infer is taken.",
        "No LD_LIBRARY_PATH.",
        all_of(venv("nvidia-cudnn-cu11==8.9.6.50", cuda=11), folder("conda", "nvidia-cudnn-cu11==8.7.0.84"),
               uses_cudnn(TORCH, "create cnn", "libcudnn.so.8 libcudnn_ops_infer.so.8",
                          run_path="$ORIGIN/../../../../../../conda"), CUDA_11, library_path(WHEEL[3:])),
        TORCH, "mixed-sublibraries", says="undefined symbol: _ZN11nvrtcHelper4loadEb"),
    *(row(thread, text, was, "LD_LIBRARY_PATH without it: the wheel that PyTorch requires is installed.",
          all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), folder(place, "nvidia-cudnn-cu11==8.5.0.96"),
                 CUDA_11, torch("2.0.1", "nvidia-cudnn-cu11==8.7.0.84", "create", 8, 8700), library_path(place)),
          TORCH, "mixed-sublibraries|cudnn-older", says="source was compiled with: 8.7.0")
      for thread, place, text, was in (
          ("aigc-apps/sd-webui-EasyPhoto#27", "system",
           "RuntimeError: FIND was unable to find an engine to execute this computation",
           "The system's cuDNN is older than the wheel's, and comes before it on the loader's way."),
          ("pytorch/pytorch#102535", "tmux",
           "RuntimeError: GET was unable to find an engine to execute this computation",
           "LD_LIBRARY_PATH leads to an older cuDNN inside tmux, and not outside."),
          ("replicate/cog#1430", "image",
           "RuntimeError: GET was unable to find an engine to execute this computation",
           "The base image's libcudnn8 comes before the wheel on the loader's way."))),
    row("pytorch/pytorch#104259",
        "ImportError: libcudnn.so.8: cannot open shared object file: No such file or directory",
        "The environment has lib64 as a directory of its own: torch lies in lib64, the wheel of cuDNN in lib, and the "
        "run path of torch leads from one to the other.",
        "A link to nvidia beside torch, or LD_LIBRARY_PATH.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"),
               uses_cudnn(LIB64, "create", "libcudnn.so.8", run_path="$ORIGIN/../../nvidia/cudnn/lib")),
        LIB64, "cudnn-not-found"),
    row("microsoft/onnxruntime#25609",
        "Failed to load library libonnxruntime_providers_cuda.so with error: libcudnn.so.9: cannot open shared object "
        "file: No such file or directory",
        "The wheel's directory is not on the loader's way: the provider has no run path to it, and PyTorch, which "
        "has one, was not imported before.",
        "LD_LIBRARY_PATH, or import torch first, or onnxruntime.preload_dlls().",
        all_of(venv("nvidia-cudnn-cu12==9.8.0.87"), uses_cudnn(ORT, "create cnn adv", "libcudnn.so.9",
                                                              run_path="$ORIGIN"),
               requires("onnxruntime-gpu", "1.22.0", 'nvidia-cudnn-cu12~=9.0; extra == "cudnn"', top="onnxruntime")),
        ORT, "cudnn-not-found", says="libcudnn.so.9: cannot open shared object file: No such file or directory",
        advice="a process that has imported torch before has loaded them", then=EXPORT_WHEEL),
    *(row(thread, text, was, "LD_LIBRARY_PATH with the directory of the wheel.",
          all_of(venv(wheel, cuda=cuda), uses_cudnn(TF, "create", opens="libcudnn.so.8"),
                 requires("tensorflow", version, wheel + '; extra == "and-cuda"')),
          TF, "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file", by="doctor")
      for thread, version, wheel, cuda, text, was in (
          ("tensorflow/tensorflow#63362", "2.16.1", "nvidia-cudnn-cu12==8.9.7.29", 12,
           "Cannot dlopen some GPU libraries.", "TensorFlow 2.16.1 does not look into the folder of the wheel."),
          ("rstudio/tensorflow#569", "2.12.0", "nvidia-cudnn-cu11==8.6.0.163", 11,
           "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file: "
           "No such file or directory", "TensorFlow 2.12 finds the wheel's libraries by LD_LIBRARY_PATH only."))),
    row("tensorflow/tensorflow#66987", "Cannot dlopen some GPU libraries.",
        "A module of the cluster has set LD_LIBRARY_PATH anew, without the directory of cuDNN.",
        "LD_LIBRARY_PATH with the directory of cuDNN, set after the module was loaded.",
        all_of(venv(), folder("apps/cudnn", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("apps/cuda", 12),
               uses_cudnn(TF, "create", opens="libcudnn.so.8"), library_path("apps/cuda"),
               requires("tensorflow", "2.16.1", 'nvidia-cudnn-cu12==8.9.7.29; extra == "and-cuda"')),
        TF, "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file", by="doctor"),
    row("jax-ml/jax#20519", "CUDA backend failed to initialize: Unable to load cuDNN. Is it installed?",
        "The package of cuDNN is recorded as installed, and its shim is not there.",
        "Reinstalling the package.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"), xla("create", 8, 8900),
               requires("jax-cuda12-plugin", "0.4.25", 'nvidia-cudnn-cu12<9.0,>=8.9', top="jax_plugins"),
               lambda scene: scene.library("", 8).unlink()),
        JAX, "cudnn-not-found|library-missing", by="doctor", says="libcudnn.so.8: cannot open shared object file"),
    row("jax-ml/jax#29315",
        "Loaded runtime CuDNN library: 9.5.1 but source was compiled with: 9.8.0.  CuDNN library needs to have matching "
        "major version and equal or higher minor version.",
        "PyTorch pins an older cuDNN in the environment that JAX shares with it.",
        "The release that JAX requires; PyTorch runs on a newer minor release.",
        all_of(venv("nvidia-cudnn-cu12==9.5.1.17"), xla("create", 9, 90800),
               requires("jax-cuda12-plugin", "0.6.1", 'nvidia-cudnn-cu12<10.0,>=9.8; extra == "with-cuda"',
                        top="jax_plugins")),
        JAX, "cudnn-older", says="Loaded runtime CuDNN library: 9.5.1 but source was compiled with: 9.8.0."),
    row("jax-ml/jax#24180", "Loaded runtime CuDNN library: 9.0.0 but source was compiled with: 9.1.1.",
        "The machine's own cuDNN is 9.0.0, and jaxlib was compiled with 9.1.1.", "A newer cuDNN.",
        all_of(venv(), folder("usr/local/cuda/lib64", "nvidia-cudnn-cu12==9.0.0.312"),
               toolkit("usr/local/cuda/lib64", 12), cached("usr/local/cuda/lib64"), xla("create", 9, 90101),
               requires("jax-cuda12-plugin", "0.4.34", 'nvidia-cudnn-cu12<10.0,>=9.1; extra == "with-cuda"',
                        top="jax_plugins")),
        JAX, "cudnn-older"),
    row("jax-ml/jax#16038", "Loaded runtime CuDNN library: 8.5.0 but source was compiled with: 8.6.0.",
        "LD_LIBRARY_PATH leads to an older cuDNN than the wheel's.", "LD_LIBRARY_PATH without it.",
        all_of(venv("nvidia-cudnn-cu11==8.6.0.163", cuda=11), folder("old", "nvidia-cudnn-cu11==8.5.0.96"),
               CUDA_11, library_path("old"), xla("create", 8, 8600),
               requires("jaxlib", "0.4.11", 'nvidia-cudnn-cu11>=8.6; extra == "cuda11-pip"', top="jax_plugins")),
        JAX, "mixed-sublibraries", explained="cudnn-older"),
    row("tensorflow/docs#2251", "Loaded runtime CuDNN library: 8.1.0 but source was compiled with: 8.6.0.",
        "LD_LIBRARY_PATH names conda's directory, which has an older cuDNN, before that of the wheel. (Rebuilt with "
        "8.5.0 in the place of 8.1.0, which PyPI does not have.)",
        "The directory of the wheel first.",
        all_of(venv("nvidia-cudnn-cu11==8.6.0.163", cuda=11), folder("conda/lib", "nvidia-cudnn-cu11==8.5.0.96"),
               CUDA_11, library_path("conda/lib", WHEEL[3:]), uses_cudnn(TF, "create", opens="libcudnn.so.8",
                                                                       compiled=8600),
               requires("tensorflow", "2.12.0", 'nvidia-cudnn-cu11==8.6.0.163; extra == "and-cuda"')),
        TF, "cudnn-older", says="Loaded runtime CuDNN library: 8.5.0 but source was compiled with: 8.6.0."),
    row("bmaltais/kohya_ss#2787", "Loaded runtime CuDNN library: 8.7.0 but source was compiled with: 8.9.4.",
        "PyTorch and TensorFlow share one environment, and the cuDNN that PyTorch brings is too old for TensorFlow.",
        "An environment for each, or the newer cuDNN.",
        all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), CUDA_11,
               uses_cudnn(TF, "create", opens="libcudnn.so.8", compiled=8904,
                          run_path="$ORIGIN/../nvidia/cudnn/lib"),
               requires("tensorflow", "2.15.0", 'nvidia-cudnn-cu12==8.9.4.25; extra == "and-cuda"')),
        TF, "cudnn-older|cuda-major"),
    row("chelsea0x3b/cudarc#529",
        'Unable to dynamically load the "cudnn" shared library - searched for library names: ["libcudnn.so", '
        '"libcudnn64.so", "libcudnn64_12.so", "libcudnn.so.10", "libcudnn.so.1"]',
        "A runtime package has libcudnn.so.9 and no libcudnn.so, and the program asks for the latter only.",
        "A link libcudnn.so to libcudnn.so.9, or the development package.",
        all_of(venv(), folder("usr/lib", "nvidia-cudnn-cu12==9.18.1.3"), toolkit("usr/lib", 12), cached("usr/lib"),
               uses_cudnn("../app", "create", opens="libcudnn.so", program=True)),
        "../app", "cudnn-not-found|library-missing", says="libcudnn.so: cannot open shared object file"),
)
