# SPDX-License-Identifier: BSD-3-Clause
"""A part of cuDNN, or a library that it uses, is missing."""

import small
from loader_mix import CUDA_11, EXPORT_WHEEL, ORT, ctranslate2, row, whisper
from scene import (SITE, TORCH, all_of, cached, changed, deleted, driver_library, file, folder, imports, library_path,
                   old_library, old_standard_library, real_files, requires, sets, toolkit, torch, uses_cudnn, venv, without_run_path)

KIND = "A library of cuDNN is missing"
DEPENDENCY = "A library that cuDNN uses is missing"
NO_OPS_8 = ("Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object "
            "file: No such file or directory")
NO_OPS_9 = "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, libcudnn_ops.so}"
FROZEN = "../dist/_internal/torch/lib/libtorch_cuda.so"
CUPY = f"{SITE}/cupy/cuda/cudnn.cpython-311-x86_64-linux-gnu.so"
CUPY_HOME = "home/.cupy/cuda_lib/11.2/cudnn/8.2.0/lib64"
OF_TE = "nvidia-cudnn-cu12==9.8.0.87"
TE = f"{SITE}/transformer_engine/libtransformer_engine.so"
WHEEL_OF_CUPY_9 = '{"cuda": "11.2", "cudnn": {"version": "8.2.0", "filename": "libcudnn.so.8"}}'
LIBCNTK = f"{SITE}/cntk/libs/libCntk.Core-2.1.so"
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
    missing("Nuitka/Nuitka#3343",
            "Unable to load any of {libcudnn_graph.so.9.1.0, libcudnn_graph.so.9.1, libcudnn_graph.so.9, libcudnn_graph.so} "
            "Invalid handle. Cannot load symbol cudnnGetVersion",
            "The folder of a packed program has the shim alone: the packer follows NEEDED entries, and the shim opens the other "
            "libraries by name. (Rebuilt with the JIT-only 9.14.0.)", "All libraries of cuDNN in the folder.",
            all_of(venv("nvidia-cuda-nvrtc==13.0.88", cuda=0), real_files("jit", "../whole"), real_files("jit", "../dist"),
                   lambda scene: [file.unlink() for file in (scene.root / "dist").glob("libcudnn_*")],
                   uses_cudnn("../dist/app", "engines", "libcudnn.so.9", run_path="$ORIGIN", program=True)),
            "../dist/app", "sublibrary-missing", says="Invalid handle. Cannot load symbol cudnn",
            advice="no package has the files of the folder", then="cp ../whole/libcudnn_* ../dist"),
    missing("pyinstaller/pyinstaller#8758",
            "Unable to load any of {libcudnn_engines_precompiled.so.9.1.0, libcudnn_engines_precompiled.so.9.1, "
            "libcudnn_engines_precompiled.so.9, libcudnn_engines_precompiled.so}",
            "The packer has not taken libcudnn_engines_precompiled, which is opened by name.",
            "All libraries of cuDNN in the folder.",
            all_of(venv(), folder("whole", "nvidia-cudnn-cu12==9.1.0.70"),
                   folder("dist/_internal", "nvidia-cudnn-cu12==9.1.0.70", without=("engines_precompiled",)),
                   uses_cudnn("../dist/app", "finalize", "libcudnn.so.9", run_path="$ORIGIN/_internal", program=True)),
            "../dist/app", "sublibrary-missing", advice="no package has the files of the folder",
            then="cp ../whole/libcudnn_engines_precompiled.so.9 ../dist/_internal"),
    missing("NixOS/nixpkgs#113105",
            "Could not load library libcudnn_cnn_train.so.8. Error: libcudnn_ops_train.so.8: cannot open shared object file: No "
            "such file or directory",
            "The shim has a run path, and the libraries of cuDNN 8 that it opens have none: they do not find each other.",
            "$ORIGIN in the run path of each of them, or LD_LIBRARY_PATH.",
            all_of(venv(), folder("store/lib", "nvidia-cudnn-cu11==8.7.0.84"), CUDA_11,
                   *(without_run_path(f"store/lib/libcudnn_{role}.so.8") for role in
                     ("ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train")),
                   uses_cudnn("../app", "create cnn train", "libcudnn.so.8", run_path="$ORIGIN/store/lib", new_tags=True,
                              program=True)),
            "../app", "sublibrary-missing", says="Could not load library libcudnn_cnn_train.so.8. Error: libcudnn_ops_train.so.8: cannot open"),
    whisper("disler/always-on-ai-assistant#3", NO_OPS_9, "There is no cuDNN but the shim that CTranslate2 brings.",
            "cuDNN 9, of a package of the system or of pip.", all_of(venv(), ctranslate2("4.5")), "sublibrary-missing",
            kind=KIND),
    whisper("jianchang512/stt#76", NO_OPS_8,
            "The answer is pip install nvidia-cudnn-cu11, which installs cuDNN 9 now; CTranslate2 4.4 needs cuDNN 8.",
            "cuDNN 8: libcudnn8, or a wheel of 8.9.", all_of(venv("nvidia-cudnn-cu11==9.1.0.70", cuda=11), ctranslate2("4.4")),
            "sublibrary-missing|cudnn-major", kind=KIND),
    missing("microsoft/CNTK#2213", "/usr/local/cuda/lib64/libcudnn.so.6: file too short",
            "The copy of the file was interrupted. (Rebuilt with cuDNN 8.)", "Copying it once more.",
            all_of(venv(), folder("whole", "nvidia-cudnn-cu12==8.9.7.29"), folder("usr/local/cuda", "nvidia-cudnn-cu12==8.9.7.29"),
                   toolkit("usr/local/cuda", 12), changed("usr/local/cuda/libcudnn.so.8", lambda data: data[:0]),
                   library_path("usr/local/cuda"), uses_cudnn(LIBCNTK, "create", "libcudnn.so.8"),
                   requires("cntk-gpu", "2.1", top="cntk")),
            LIBCNTK, "library-corrupt", says="libcudnn.so.8: file too short", advice="no package has the files",
            then="cp ../whole/libcudnn.so.8 ../usr/local/cuda"),
    missing("NVIDIA/TransformerEngine#1853",
            "OSError: libcudnn_adv.so.9: cannot open shared object file: No such file or directory",
            "Transformer Engine up to 2.3 loads the shim of the wheel before its library. That is linked with the other libraries of "
            "cuDNN, too, and has no run path.",
            "LD_LIBRARY_PATH with the folder of the wheel, or Transformer Engine 2.4, which loads all of them.",
            all_of(venv(OF_TE), torch("2.7.0", OF_TE), imports("torch", TORCH),
                   uses_cudnn(TE, "create adv", "libcudnn.so.9 libcudnn_adv.so.9 libcudnn_graph.so.9"),
                   imports("transformer_engine", TE, f"{SITE}/nvidia/cudnn/lib/libcudnn.so.9"),
                   requires("transformer_engine_cu12", "2.3.0", top="transformer_engine")),
            "../venv/bin/python -c 'import torch, transformer_engine'", "dependency-missing", by=f"verify {TE}",
            explained="sublibrary-missing|cudnn-not-found"),
    missing("cupy/cupy#5327",
            "Could not load library libcudnn_cnn_train.so.8. Error: libcudnn_ops_train.so.8: cannot open shared object file: No such "
            "file or directory",
            "CuPy opens the shim of ~/.cupy by its path; its libraries have no run path, and do not find each other.",
            "A CuPy that opens all of them in their order.",
            all_of(venv(cuda=11), CUDA_11, folder(CUPY_HOME, "nvidia-cudnn-cu11==8.7.0.84"),
                   *(without_run_path(f"{CUPY_HOME}/libcudnn_{role}.so.8") for role in
                     ("ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train")),
                   uses_cudnn(CUPY, "train", "libcudnn.so.8"),
                   imports("cupy", CUPY, f"../{CUPY_HOME}/libcudnn.so.8"), requires("cupy-cuda112", "9.0.0", top="cupy"),
                   file(f"venv/{SITE.split('venv/')[1]}/cupy/.data/_wheel.json", WHEEL_OF_CUPY_9)),
            "../venv/bin/python -c 'import cupy; cupy.work()'", "sublibrary-missing", by="verify --python cupy ../venv",
            says="Could not load library libcudnn_cnn_train.so.8. Error: libcudnn_ops"),
    missing("talmolab/sleap-nn#632", "ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory",
            "uv sync installs PyTorch without the cuDNN that it requires: the lock file has it behind a marker of another extra. "
            "(Rebuilt with PyTorch 2.11.)", "The package that PyTorch requires.",
            all_of(venv(cuda=13), torch("2.11.0", "nvidia-cudnn-cu13==9.19.0.56")), TORCH, "cudnn-not-found"),
    whisper("jhj0517/Whisper-WebUI#114", NO_OPS_8,
            "PyTorch has cuDNN 8 in its own folder, torch/lib, where CTranslate2 does not look.", "LD_LIBRARY_PATH with torch/lib.",
            all_of(venv(), folder(f"venv/{SITE.split('venv/')[1]}/torch/lib", "nvidia-cudnn-cu12==8.9.7.29"),
                   toolkit(f"venv/{SITE.split('venv/')[1]}/torch/lib", 12), ctranslate2("4.4"),
                   uses_cudnn(TORCH, "create", "libcudnn.so.8", run_path="$ORIGIN"), requires("torch", "2.1.0+cu121")),
            "sublibrary-missing", kind=KIND),
    missing("dusty-nv/jetson-inference#1290", "/usr/lib/aarch64-linux-gnu/libcudnn.so: file not recognized: File truncated",
            "The container was started without NVIDIA's runtime, which puts the libraries of the machine over files of 0 bytes. (The "
            "thread is about libcublas.so.)", "docker run --runtime nvidia.",
            all_of(venv(), *(folder(name, "nvidia-cudnn-cu12==8.9.7.29") for name in ("whole", "usr/lib")),
                   toolkit("usr/lib", 12), library_path("usr/lib"),
                   *(changed(f"usr/lib/libcudnn{role}.so.8", lambda data: data[:0]) for role in ("", "_ops_infer", "_cnn_infer")),
                   uses_cudnn("../detectnet", "create", "libcudnn.so.8", program=True)),
            "../detectnet", "library-corrupt", says="libcudnn.so.8: file too short", advice="no package has the files",
            then="cp ../whole/* ../usr/lib"),
    missing("pyinstaller/pyinstaller#8269", "",
            "The hook for PyTorch takes lib*.so and leaves out files whose names end in a number: libcudnn*.so.8.",
            "A newer pyinstaller-hooks-contrib, and a build with --clean.",
            all_of(venv(), folder("whole", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("whole", 12),
                   uses_cudnn(FROZEN, "create", "libcudnn.so.8", run_path="$ORIGIN")),
            FROZEN, "cudnn-not-found", says="libcudnn.so.8: cannot open shared object file"),
    dependency("AlexeyAB/darknet#8601",
               "Could not load library libcudnn_ops_infer.so.8. Error: libcublas.so.11: cannot open shared object file: No such "
               "file or directory",
               "The toolkit is installed, and its directory is not on the loader's way.",
               "LD_LIBRARY_PATH with the toolkit's directory.",
               all_of(venv(cuda=0), folder("usr/lib", "nvidia-cudnn-cu11==8.5.0.96"), cached("usr/lib"),
                      toolkit("usr/local/cuda/lib64", 11), sets(CUDA_HOME="usr/local/cuda"),
                      uses_cudnn("../darknet", "create", "libcudnn.so.8", program=True)),
               "../darknet", "dependency-missing"),
    dependency("nanoporetech/dorado#166",
               "Could not load library libcudnn_cnn_infer.so.8. Error: /usr/local/Cluster-Apps/cuda/8.0/lib64/libnvrtc.so: "
               "undefined symbol: nvrtcGetCUBIN",
               "The archive has cuDNN and NVRTC in lib; LD_LIBRARY_PATH of the cluster leads to the NVRTC of CUDA 8, which "
               "comes first. (That it fails is not rebuilt.)", "LD_LIBRARY_PATH with the archive's lib first.",
               all_of(venv(), folder("dorado/lib", "nvidia-cudnn-cu11==8.7.0.84"), toolkit("dorado/lib", 11),
                      lambda scene: (scene.root / "dorado/lib/libnvrtc.so").symlink_to("libnvrtc.so.11.2"),
                      lambda scene: small.library(scene.root / "cluster/cuda/8.0/lib64/libnvrtc.so.8.0") and
                      (scene.root / "cluster/cuda/8.0/lib64/libnvrtc.so").symlink_to("libnvrtc.so.8.0"),
                      library_path("cluster/cuda/8.0/lib64"),
                      uses_cudnn("../dorado/bin/dorado", "create", "libcudnn.so.8", run_path="$ORIGIN/../lib", program=True)),
               "../dorado/bin/dorado", "dependency-mixed", works=True),
    dependency("flagos-ai/Torch-FL#358",
               "cuDNN Frontend error: [cudnn_frontend] Error: No valid execution plans built.",
               "NVRTC opens libnvrtc-builtins when it compiles first; the file lies beside NVRTC, which has no run path. (That "
               "it fails is not rebuilt.)", "The directory of NVRTC in LD_LIBRARY_PATH, or the builtins loaded before.",
               all_of(venv("nvidia-cudnn-cu12==9.14.0.64"), torch("2.9.0", "nvidia-cudnn-cu12==9.14.0.64"),
                      without_run_path(f"home/{SITE}/nvidia/cuda_nvrtc/lib/libnvrtc.so.12")),
               TORCH, "dependency-missing", by="doctor ../venv", works=True, explained="convolution-failed"),
    dependency("pytorch/pytorch#137978",
               "/usr/lib64/libstdc++.so.6: version `GLIBCXX_3.4.21' not found (required by ./libcudnn_graph.so.9)",
               "libcudnn_graph 9.5 needs a libstdc++ of GCC 5, and the system has that of GCC 4.8. (Rebuilt with a program that "
               "brings it, and the JIT-only 9.14.0.)", "A newer libstdc++, or an older cuDNN.",
               all_of(venv(cuda=13), real_files("jit", "../lib"), old_standard_library("lib/libstdc++.so.6"),
                      uses_cudnn("../app", "engines", "libstdc++.so.6 libcudnn.so.9 libcudnn_graph.so.9", run_path="$ORIGIN/lib", program=True)),
               "../app", "cannot-start", says="version `GLIBCXX_3.4.21' not found",
               advice="who has packed the program decides", then="rm ../lib/libstdc++.so.6"),
    dependency("JuliaGPU/CUDA.jl#2517",
               "/lib64/libm.so.6: version `GLIBC_2.27' not found (required by lib/libcudnn_cnn.so)",
               "The system's glibc is 2.17, and this cuDNN needs 2.27. (Rebuilt with a libm of 2.15 that the program brings, and the "
               "JIT-only 9.14.0.)", "A newer system, or an older cuDNN.",
               all_of(venv(cuda=13), real_files("jit", "../lib"), old_library("lib/libm.so.6", "GLIBC_2.2.5", "GLIBC_2.4", "GLIBC_2.15"),
                      uses_cudnn("../julia", "engines", "libm.so.6 libcudnn.so.9 libcudnn_graph.so.9", run_path="$ORIGIN/lib", program=True)),
               "../julia", "dependency-missing", says="CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", explained="cannot-start",
               advice="who has packed the program decides", then="rm ../lib/libm.so.6"),
)
