# SPDX-License-Identifier: BSD-3-Clause
"""Which frameworks are installed, and what is done to one of them that a user could do by accident."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Framework:
    """One environment with one library that takes cuDNN."""

    name: str
    requirements: tuple      # for pip, in an environment of its own
    library: str             # the library that takes cuDNN: a pattern below site-packages
    imports: str             # what a user's program executes before it computes
    soname: str              # what the library opens by name, if it is not linked with cuDNN
    library_path: bool = False  # its documentation has cuDNN's directory in LD_LIBRARY_PATH
    needs_python: bool = False  # only a Python with the framework can open it
    preload: str = ""           # what the framework offers for opening CUDA's libraries first
    accepted: frozenset = frozenset()  # alarms that are right although all of it works


TORCH = "torch/lib/libtorch_cuda.so"
ONNXRUNTIME = "onnxruntime/capi/libonnxruntime_providers_cuda.so"
CTRANSLATE2 = "ctranslate2/_ext.*.so"

# A session on a model of one Identity; without a GPU its error is of no interest.
SESSION = """
try:
    onnxruntime.InferenceSession(bytes.fromhex(
        "08083a370a100a017812017922084964656e746974791201675a0f0a0178120a0a0808"
        "0112040a020801620f0a0179120a0a08080112040a0208014202100d"),
        providers=["CUDAExecutionProvider"])
except RuntimeError:
    pass
"""
PRELOAD = "import onnxruntime; onnxruntime.preload_dlls()" + SESSION

FRAMEWORKS = (
    Framework("torch 1.13", ("torch==1.13.1", "numpy<2"), TORCH, "import torch", "libcudnn.so.8"),
    Framework("torch 2.7", ("torch==2.7.1",), TORCH, "import torch", "libcudnn.so.9"),
    Framework("torch, newest", ("torch",), TORCH, "import torch", "libcudnn.so.9"),
    Framework("onnxruntime-gpu for cuDNN 8",
              ("onnxruntime-gpu==1.18.1", "numpy<2", "nvidia-cudnn-cu11==8.9.6.50", "nvidia-cublas-cu11",
               "nvidia-cufft-cu11", "nvidia-curand-cu11", "nvidia-cuda-runtime-cu11",
               "nvidia-cuda-nvrtc-cu11"),
              ONNXRUNTIME, "import onnxruntime" + SESSION, "libcudnn.so.8", library_path=True,
              needs_python=True),
    Framework("onnxruntime-gpu 1.22", ("onnxruntime-gpu[cuda,cudnn]==1.22.0",), ONNXRUNTIME,
              "import onnxruntime" + SESSION, "libcudnn.so.9", needs_python=True, preload=PRELOAD),
    Framework("onnxruntime-gpu, newest", ("onnxruntime-gpu[cuda,cudnn]",), ONNXRUNTIME,
              "import onnxruntime" + SESSION, "libcudnn.so.9", needs_python=True, preload=PRELOAD),
    Framework("ctranslate2 4.4",
              ("ctranslate2==4.4.0", "nvidia-cudnn-cu12==8.9.7.29", "nvidia-cublas-cu12",
               "nvidia-cuda-nvrtc-cu12"),
              CTRANSLATE2, "import ctranslate2", "libcudnn.so.8", library_path=True, needs_python=True),
    # It ships the shim of 9.1.0, and no other library of cuDNN.
    Framework("ctranslate2 4.6 on 9.1",
              ("ctranslate2==4.6.0", "nvidia-cudnn-cu12==9.1.0.70", "nvidia-cublas-cu12",
               "nvidia-cuda-nvrtc-cu12"),
              CTRANSLATE2, "import ctranslate2", "libcudnn.so.9", library_path=True, needs_python=True),
    Framework("ctranslate2 4.6 on 9.*",
              ("ctranslate2==4.6.0", "nvidia-cudnn-cu12==9.*", "nvidia-cublas-cu12",
               "nvidia-cuda-nvrtc-cu12"),
              CTRANSLATE2, "import ctranslate2", "libcudnn.so.9", library_path=True, needs_python=True,
              accepted=frozenset({"mixed-sublibraries"})),
    Framework("tensorflow 2.15", ("tensorflow[and-cuda]==2.15.1",),
              "tensorflow/libtensorflow_cc.so.2", "import tensorflow", "libcudnn.so.8"),
    # 2.15 opens cuDNN in libtensorflow_cc.so.2, the newest only in libtensorflow_framework.so.2 (the
    # library that defines tsl::internal::LoadDynamicLibrary).
    Framework("tensorflow, newest", ("tensorflow[and-cuda]",),
              "tensorflow/libtensorflow_framework.so.2", "import tensorflow", "libcudnn.so.9"),
    Framework("jax for CUDA 12", ("jax[cuda12]",), "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
              "import jax; jax.devices()", "libcudnn.so.9"),
    Framework("jax for CUDA 13", ("jax[cuda13]",), "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
              "import jax; jax.devices()", "libcudnn.so.9"),
    # The last one that uses cuDNN: cupy 14 has no such extension.
    Framework("cupy 13",
              ("cupy-cuda12x==13.6.0", "nvidia-cudnn-cu12==8.9.7.29", "nvidia-cublas-cu12",
               "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-nvjitlink-cu12",
               "nvidia-cufft-cu12", "nvidia-curand-cu12", "nvidia-cusolver-cu12",
               "nvidia-cusparse-cu12"),
              "cupy_backends/cuda/libs/cudnn.*.so", "import cupy_backends.cuda.libs.cudnn",
              "libcudnn.so.8", library_path=True, needs_python=True),
)


@dataclasses.dataclass(frozen=True)
class Unsound:
    """A sound environment in which something was replaced, and the findings of which one must be there."""

    name: str
    requirement: str         # of the package that the files are from
    roles: tuple             # which of its libraries; empty: pip installs the whole package
    verify: frozenset        # findings of verify, of which one is needed
    doctor: frozenset        # and of doctor; empty: the cuDNN itself is sound


# A stock torch 2.7.1 has cuDNN 9.5.1 for CUDA 12.
UNSOUND_IN = "torch 2.7"
SOUND = "nvidia-cudnn-cu12==9.5.1.17"
MIXED = frozenset({"mixed-sublibraries"})
UNSOUND = (
    *(Unsound(f"{role} of 9.1.0", "nvidia-cudnn-cu12==9.1.0.70", (role,), MIXED, MIXED)
      for role in ("cnn", "heuristic", "engines_precompiled", "engines_runtime_compiled")),
    Unsound("all of 9.1.0", "nvidia-cudnn-cu12==9.1.0.70", (), frozenset({"cudnn-older"}), frozenset()),
    Unsound("all of 9.28.0 for CUDA 13", "nvidia-cudnn-cu13==9.28.0.42", (),
            frozenset({"cuda-major", "dependency-mixed"}), frozenset()),
    Unsound("all of 8.9.7", "nvidia-cudnn-cu12==8.9.7.29", (),
            frozenset({"cudnn-not-found", "cudnn-major", "library-missing"}), frozenset()),
)
