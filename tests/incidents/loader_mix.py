# SPDX-License-Identifier: BSD-3-Clause
"""Several cuDNNs, or one in a place where the loader does not look."""

from museum import Incident
from scene import (SITE, TORCH, all_of, cached, copies, driver_library, file, folder, imports, installed, library_path,
                   of_another, real_files, requires, sets, toolkit, torch, uses_cudnn, venv)

KIND = "Several cuDNNs, or one where the loader does not look"
IMPORT_TORCH = f"../start {TORCH}"
VERIFY_TORCH = f"cudnn-checked verify {TORCH}"
CTRANSLATE2 = f"{SITE}/ctranslate2/_ext.cpython-311-x86_64-linux-gnu.so"
ORT = f"{SITE}/onnxruntime/capi/libonnxruntime_providers_cuda.so"
TF = f"{SITE}/tensorflow/libtensorflow_cc.so"
FRAMEWORK = f"{SITE}/tensorflow/libtensorflow_framework.so.2"
JAX = f"{SITE}/jax_plugins/xla_cuda12/xla_cuda_plugin.so"
PADDLE = f"{SITE}/paddle/base/libpaddle.so"
WHEEL = f"{SITE}/nvidia/cudnn/lib"
EXPORT_WHEEL = f'export LD_LIBRARY_PATH="$(cd {WHEEL} && pwd)"'
TE = f"{SITE}/transformer_engine/libtransformer_engine.so"
DLIB = f"{SITE}/dlib/_dlib_pybind11.cpython-39-x86_64-linux-gnu.so"
LIB64 = TORCH.replace("/lib/", "/lib64/", 1)
CUDA_11 = all_of(toolkit("cuda-11/lib64", 11), cached("cuda-11/lib64"))


def linked_name(place):
    return lambda scene: (scene.root / place / "libcudnn.so").symlink_to("libcudnn.so.9")


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
    row("tensorflow/tensorflow#63362", "Cannot dlopen some GPU libraries.",
        "The library that opens cuDNN for TensorFlow 2.16.1 does not look into the folder of the wheel.",
        "LD_LIBRARY_PATH with the directory of the wheel.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"),
               uses_cudnn(f"{TF}.2", "create", opens="libcudnn.so.8", through=FRAMEWORK.rpartition("/")[2],
                          run_path="$ORIGIN/:$ORIGIN/../nvidia/cudnn/lib", new_tags=True),
               uses_cudnn(FRAMEWORK, run_path="$ORIGIN/:$ORIGIN/../nvidia/cuda_runtime/lib", new_tags=True),
               requires("tensorflow", "2.16.1", 'nvidia-cudnn-cu12==8.9.7.29; extra == "and-cuda"')),
        f"{TF}.2", "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file", by="doctor"),
    row("rstudio/tensorflow#569",
        "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file: "
        "No such file or directory",
        "TensorFlow 2.12 finds the wheel's libraries by LD_LIBRARY_PATH only.",
        "LD_LIBRARY_PATH with the directory of the wheel.",
        all_of(venv("nvidia-cudnn-cu11==8.6.0.163", cuda=11), uses_cudnn(TF, "create", opens="libcudnn.so.8"),
               requires("tensorflow", "2.12.0", 'nvidia-cudnn-cu11==8.6.0.163; extra == "and-cuda"')),
        TF, "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file", by="doctor"),
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
    row("pytorch/pytorch#80637",
        "RuntimeError: cuDNN version incompatibility: PyTorch was compiled against (8, 3, 2) but linked against (8, 0, 3)",
        "The run path of PyTorch's library became a RUNPATH, which LD_LIBRARY_PATH precedes; that of the cluster leads to an "
        "older cuDNN than the one in PyTorch's own folder. (Rebuilt with 8.7 and 8.5.)",
        "LD_LIBRARY_PATH without the older cuDNN.",
        all_of(venv(cuda=0), folder(f"venv/{SITE.split('venv/')[1]}/torch/lib", "nvidia-cudnn-cu11==8.7.0.84"), CUDA_11,
               folder("apps/cudnn/lib64", "nvidia-cudnn-cu11==8.5.0.96"), library_path("apps/cudnn/lib64"),
               uses_cudnn(TORCH, "create", "libcudnn.so.8", compiled=8700, run_path="$ORIGIN", new_tags=True),
               requires("torch", "1.12.0+cu113")),
        TORCH, "cudnn-older|loader-override|mixed-sublibraries", says="source was compiled with: 8.7.0"),
    row("jax-ml/jax#18032",
        "CUDA backend failed to initialize: Found cuDNN version 8700, but JAX was built against version 8800, which is newer.",
        "PyTorch and JAX share one environment, and its cuDNN is the older one that PyTorch requires.",
        "The cuDNN that JAX requires: PyTorch runs on a newer minor release.",
        all_of(venv("nvidia-cudnn-cu11==8.7.0.84", cuda=11), CUDA_11,
               torch("2.1.2", "nvidia-cudnn-cu11==8.7.0.84", "create", 8), xla("create", 8, 8800),
               requires("jaxlib", "0.4.23", 'nvidia-cudnn-cu11>=8.8; extra == "cuda11-pip"', top="jax_plugins")),
        JAX, "cudnn-older", says="Loaded runtime CuDNN library: 8.7.0 but source was compiled with: 8.8.0.",
        advice="two that require different releases cannot share an environment"),
    row("opendatalab/MinerU#2664",
        "Could not load symbol cudnnGetLibConfig. Error: /usr/local/cuda/lib64/libcudnn_graph.so.9: undefined symbol: "
        "cudnnGetLibConfig",
        "The shim is the one of the wheel; LD_LIBRARY_PATH leads to an older cuDNN 9 in CUDA's directory, whose "
        "libcudnn_graph lacks what the shim calls.",
        "LD_LIBRARY_PATH without CUDA's directory, or with that of the wheel first.",
        all_of(venv(cuda=13), real_files("jit", WHEEL), folder("usr/local/cuda/lib64", "nvidia-cudnn-cu12==9.1.0.70"),
               library_path("usr/local/cuda/lib64"), requires("torch", "2.9.0", "nvidia-cudnn-cu13==9.14.0.64"),
               uses_cudnn(TORCH, "engines", "libcudnn.so.9", run_path="$ORIGIN/../../nvidia/cudnn/lib")),
        TORCH, "mixed-sublibraries", says="libcudnn_graph.so.9: undefined symbol:"),
    row("koharu-rs/koharu#694", "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
        "The program brings cuDNN 9.21 with names that have a number only, and opens libcudnn.so: the shim is that of the "
        "system's 9.22, and LD_LIBRARY_PATH leads the shim to the libraries of 9.21. (Rebuilt with the JIT-only 9.20 and 9.27: these do not load.)",
        "A link libcudnn.so beside the libraries that the program brings, or no cuDNN of the system.",
        all_of(venv(cuda=13), real_files("jit-9.20-cu13", "../Koharu/runtime/cuda"),
               real_files("jit-9.27-cu13", "../usr/lib"), library_path("Koharu/runtime/cuda"),
               lambda scene: (scene.root / "usr/lib/libcudnn.so").symlink_to("libcudnn.so.9"), cached("usr/lib"),
               uses_cudnn("../Koharu/koharu", "engines", opens="libcudnn.so", program=True)),
        "../Koharu/koharu", "mixed-sublibraries|loader-override", says="CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED"),
    Incident("pytorch/pytorch#187824", KIND, "",
             "libcudnn_engines_tensor_ir is not in the package of cuDNN 9.20.0, which asks for it. Alone that is no fault: what "
             "fails is the file of another cuDNN, and here there is none.", "Nothing: there is no fault.",
             all_of(venv("nvidia-cuda-nvrtc==13.0.88", cuda=0), real_files("jit-9.20-cu13", WHEEL),
                    uses_cudnn(TORCH, "engines", "libcudnn.so.9", run_path="$ORIGIN/../../nvidia/cudnn/lib"),
                    requires("torch", "2.12.1+cu130", "nvidia-cudnn-cu13==9.20.0.48")),
             IMPORT_TORCH, works=True, check=VERIFY_TORCH, finds="9.20.0"),
    whisper("OpenNMT/CTranslate2#1826",
            "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so} Invalid "
            "handle. Cannot load symbol cudnnCreateConvolutionDescriptor",
            "PyTorch has loaded a part of the wheel's cuDNN 9.1.0; what CTranslate2 asks for next is found in the system's "
            "9.5.1 and does not fit.", "LD_LIBRARY_PATH with the directory of the wheel.",
            all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), torch("2.5.1", "nvidia-cudnn-cu12==9.1.0.70"), ctranslate2("4.5", "cnn"),
                   folder("usr/lib", "nvidia-cudnn-cu12==9.5.1.17"), cached("usr/lib"),
                   uses_cudnn("../whisper", "cnn", linked="libcudnn.so.9 libcudnn_graph.so.9", program=True,
                              opens=f"{SITE}/ctranslate2.libs/libcudnn-74a4c495.so.9.1.0",
                              run_path=f"$ORIGIN/{WHEEL[3:]}", new_tags=True)),
            "mixed-sublibraries|loader-override|two-cudnns",
            says="Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}"),
    whisper("OpenNMT/CTranslate2#1806",
            "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}",
            "This PyTorch has cuDNN in its own folder, torch/lib, where CTranslate2 does not look.",
            "LD_LIBRARY_PATH with torch/lib.",
            all_of(venv(), folder(f"venv/{SITE.split('venv/')[1]}/torch/lib", "nvidia-cudnn-cu12==9.1.0.70"),
                   uses_cudnn(TORCH, "create", "libcudnn.so.9", run_path="$ORIGIN"), requires("torch", "2.5.0+cu121"),
                   ctranslate2("4.5", "cnn")),
            "sublibrary-missing"),
    row("sgl-project/sglang#22719", "ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory",
        "An installation was killed: the record of nvidia-cudnn-cu12 is there, its files are not, and pip takes it for "
        "installed.", "pip install --force-reinstall.",
        all_of(venv("nvidia-cudnn-cu12==9.10.2.21"), torch("2.9.1+cu129", "nvidia-cudnn-cu12==9.10.2.21"),
               lambda scene: [file.unlink() for file in scene.lib.iterdir()]),
        TORCH, "library-missing|cudnn-not-found"),
    row("marin-community/marin#6947", "Loaded runtime CuDNN library: 9.10.2 but source was compiled with: 9.12.0.",
        "The packages of cuDNN for CUDA 12, which PyTorch requires, and for CUDA 13, which JAX requires, own the same "
        "files: the one that was installed last has replaced those of the other.",
        "The package for CUDA 13 once more, and not the other.",
        all_of(venv("nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn-cu12==9.10.2.21", cuda=13), xla("create", 9, 91200),
               requires("jax-cuda13-plugin", "0.10.1", 'nvidia-cudnn-cu13<10.0,>=9.12; extra == "with-cuda"',
                        top="jax_plugins")),
        JAX, "cudnn-older|cuda-major"),
    row("PaddlePaddle/Paddle#24805",
        "Can not find library: libcudnn.so. The process maybe hang. Please try to add the lib path to LD_LIBRARY_PATH.",
        "LD_LIBRARY_PATH has a typing error: /usr/lcoal in the place of /usr/local.", "LD_LIBRARY_PATH without it.",
        all_of(venv(), folder("usr/local/cuda/lib64", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("usr/local/cuda/lib64", 12),
               lambda scene: (scene.root / "usr/local/cuda/lib64/libcudnn.so").symlink_to("libcudnn.so.8"),
               sets(CUDA_HOME="usr/local/cuda"), library_path("usr/lcoal/cuda/lib64"),
               uses_cudnn(PADDLE, "create", opens="libcudnn.so"), requires("paddlepaddle-gpu", "2.6.1", top="paddle")),
        PADDLE, "cudnn-not-found|library-missing", by="doctor", says="libcudnn.so: cannot open shared object file"),
    row("PaddlePaddle/Paddle#30694",
        "(PreconditionNotMet) Cannot load cudnn shared library. Cannot invoke method cudnnGetVersion.",
        "Paddle opens libcudnn.so, without a number; a runtime package has libcudnn.so.8 alone.",
        "A link libcudnn.so to libcudnn.so.8.",
        all_of(venv(), folder("usr/lib", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("usr/lib", 12), cached("usr/lib"),
               uses_cudnn(PADDLE, "create", opens="libcudnn.so"), requires("paddlepaddle-gpu", "2.6.1", top="paddle")),
        PADDLE, "cudnn-not-found|library-missing", says="libcudnn.so: cannot open shared object file"),
    row("tensorflow/tensorflow#45200",
        "Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file: No such "
        "file or directory",
        "There is no cuDNN; an answer in the thread advises ln -s libcuda.so.515.43.04 libcudnn.so.8, which makes the message "
        "go away: the driver is no cuDNN.", "cuDNN 8, and no such link.",
        all_of(venv(), driver_library("usr/lib64"),
               lambda scene: (scene.root / "usr/lib64/libcudnn.so.8").symlink_to("libcuda.so.1"), library_path("usr/lib64"),
               folder("whole", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("whole", 12),
               uses_cudnn(TF, "create", opens="libcudnn.so.8"),
               requires("tensorflow", "2.13.0", 'nvidia-cudnn-cu12==8.9.7.29; extra == "and-cuda"')),
        TF, "sublibrary-missing", by="doctor", says="undefined symbol: cudnnGetVersion", explained="cudnn-not-found",
        advice="no package has the link", then="rm ../usr/lib64/libcudnn.so.8; cp ../whole/* ../usr/lib64"),
    row("facebookarchive/caffe2#959", "",
        "Of a cuDNN elsewhere, libcudnn.so is linked into the build's directory, and no libcudnn.so.9: what was linked with it "
        "asks for the latter. (With cuDNN 5 at that time.)", "The name with the number beside the other.",
        all_of(venv(), folder("opt/lib", "nvidia-cudnn-cu12==9.1.0.70"), toolkit("opt/lib", 12), file("home/lib/none"),
               lambda scene: (scene.home / "lib/libcudnn.so").symlink_to("../../opt/lib/libcudnn.so.9"),
               uses_cudnn("../app", "create", "libcudnn.so.9", run_path="$ORIGIN/home/lib", program=True)),
        "../app", "cudnn-not-found|library-missing", says="libcudnn.so.9: cannot open shared object file"),
    Incident("easybuilders/easybuild-easyconfigs#13771", KIND, "",
             "Each library of cuDNN lies there under its three names as three copies, and not as one file with two links. It "
             "costs space and does no harm: all are of one release.", "Links in the place of copies.",
             all_of(venv(), folder("easybuild/cudnn/lib64", "nvidia-cudnn-cu12==8.9.7.29"), copies("easybuild/cudnn/lib64", "8.9.7"),
                    toolkit("easybuild/cudnn/lib64", 12), library_path("easybuild/cudnn/lib64"),
                    uses_cudnn("../app", "create ops cnn", "libcudnn.so.8", program=True)),
             "../app", works=True, check="cudnn-checked verify ../app", finds="8.9.7"),
    row("Kaggle/docker-python#363",
        "Loaded runtime CuDNN library: 7.1.2 but source was compiled with: 7.2.1.  CuDNN library major and minor version needs to "
        "match or have higher minor version in case of CuDNN 7.0 or later version.",
        "The PyTorch that is imported first has an older cuDNN in its folder, and TensorFlow gets that one: a name that is loaded "
        "is not searched for again. (Rebuilt with 8.5 and 8.7.)", "TensorFlow imported before PyTorch.",
        all_of(venv(cuda=11), CUDA_11, folder(f"venv/{SITE.split('venv/')[1]}/torch/lib", "nvidia-cudnn-cu11==8.5.0.96"),
               uses_cudnn(TORCH, "create", "libcudnn.so.8", run_path="$ORIGIN"), requires("torch", "1.13.1+cu117"),
               imports("torch", TORCH), folder("usr/lib", "nvidia-cudnn-cu11==8.7.0.84"), cached("usr/lib"),
               uses_cudnn(f"{TF}.2", "create", "libcudnn.so.8", compiled=8600), imports("tensorflow", f"{TF}.2"),
               requires("tensorflow", "2.12.0", 'nvidia-cudnn-cu11==8.6.0.163; extra == "and-cuda"')),
        "../venv/bin/python -c 'import torch, tensorflow; raise SystemExit(tensorflow.work())'", "cudnn-older",
        by="verify --python torch,tensorflow ../venv", says="source was compiled with: 8.6.0",
        advice="the order of imports stands in the program"),
    Incident("pytorch/pytorch#96595", KIND, "",
             "PyTorch 2.0 has cuDNN 8.7 in its own folder, and the wheel of 8.5 that an earlier PyTorch required is still there. "
             "It costs space and does no harm: the run path leads to the former.", "Nothing: there is no fault.",
             all_of(venv("nvidia-cudnn-cu11==8.5.0.96", cuda=11), CUDA_11,
                    folder(f"venv/{SITE.split('venv/')[1]}/torch/lib", "nvidia-cudnn-cu11==8.7.0.84"),
                    uses_cudnn(TORCH, "create ops cnn", "libcudnn.so.8", compiled=8700, run_path="$ORIGIN"),
                    requires("torch", "2.0.0+cu118")), IMPORT_TORCH, works=True, check=VERIFY_TORCH, finds="8.7.0"),
    row("YanWenKun/ComfyUI-Docker#41", "ImportError: libcudnn.so.8: cannot open shared object file: No such file or directory",
        "An update of the image moved the wheels from /usr/lib to /usr/local/lib. LD_LIBRARY_PATH leads to the old place, and "
        "PyTorch lies in lib64, from where its run path does not lead to lib.", "LD_LIBRARY_PATH with the new place.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"), library_path("usr/lib/python3.11/site-packages/nvidia/cudnn/lib"),
               uses_cudnn(LIB64, "create", "libcudnn.so.8", run_path="$ORIGIN/../../nvidia/cudnn/lib")),
        LIB64, "cudnn-not-found"),
    row("davisking/dlib#2719",
        "Could not load library libcudnn_cnn_train.so.8. Error: libcudnn_ops_train.so.8: symbol "
        "_Z22cudnnGenericOpTensorNdILi3EE13cudnnStatus_t, version libcudnn_ops_infer.so.8 not defined in file "
        "libcudnn_ops_infer.so.8 with link time reference",
        "conda's cuDNN is beside dlib, and LD_LIBRARY_PATH leads to that of CUDA's directory, which is another release. (Rebuilt "
        "with 8.7 and 8.5.)", "No LD_LIBRARY_PATH.",
        all_of(venv(cuda=11), CUDA_11, folder("venv/lib", "nvidia-cudnn-cu11==8.7.0.84"),
               folder("usr/local/cuda-11.1/lib", "nvidia-cudnn-cu11==8.5.0.96"), library_path("usr/local/cuda-11.1/lib"),
               uses_cudnn(DLIB, "create cnn train", "libcudnn.so.8", run_path="$ORIGIN/../../..")),
        DLIB, "mixed-sublibraries", works=True),
    row("NVIDIA/TransformerEngine#2373", "",
        "Transformer Engine 2.9 opens the first libcudnn of ldconfig -p by its path, and not the one that LD_LIBRARY_PATH of the "
        "cluster's module leads to. Its libraries are then taken by LD_LIBRARY_PATH.", "CUDNN_HOME with the module's directory.",
        all_of(venv(), *(all_of(folder(place, f"nvidia-cudnn-cu12=={release}"), linked_name(place)) for place, release in (
            ("usr/lib", "9.1.0.70"), ("apps/cudnn/lib", "9.10.2.21"))), toolkit("usr/lib", 12), cached("usr/lib"),
               library_path("apps/cudnn/lib"), uses_cudnn(TE, "create ops", "libcudnn.so.9"),
               requires("transformer_engine", "2.9.0", top="transformer_engine")), TE, "mixed-sublibraries", works=True),
    row("tensorflow/tensorflow#2758", "Couldn't open CUDA library libcudnn.so. LD_LIBRARY_PATH:",
        "LD_LIBRARY_PATH is set in the shell of the user and not in that of the service. (Rebuilt with cuDNN 8.)",
        "The directory in /etc/ld.so.conf.d, or in the settings of the service.",
        all_of(venv(), folder("usr/local/cuda/lib64", "nvidia-cudnn-cu12==8.9.7.29"), copies("usr/local/cuda/lib64", "8.9.7"),
               toolkit("usr/local/cuda/lib64", 12), sets(CUDA_HOME="usr/local/cuda"), uses_cudnn(TF, "create", opens="libcudnn.so.8"),
               requires("tensorflow", "2.13.0", 'nvidia-cudnn-cu12==8.9.7.29; extra == "and-cuda"')),
        TF, "not-stamped", says="libcudnn.so.8: cannot open shared object file", explained="cudnn-not-found",
        advice="whether it is to use cuDNN says its user", then='export LD_LIBRARY_PATH="$(cd ../usr/local/cuda/lib64 && pwd)"'),
)
