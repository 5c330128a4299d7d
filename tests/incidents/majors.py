# SPDX-License-Identifier: BSD-3-Clause
"""Another major release of cuDNN, a cuDNN for another CUDA, and packages that were made wrong."""

import shutil

import small
from loader_mix import CUDA_11, JAX, ORT, PADDLE, TF, ctranslate2, row, whisper, xla
from museum import OF_WINDOWS, Incident
from scene import SITE, TORCH, all_of, cached, folder, library_path, requires, sets, toolkit, torch, uses_cudnn, venv

MAJOR = "Another major release of cuDNN"
CUDA = "A cuDNN for another CUDA"
PACKAGING = "A package or an image that was made wrong"
LIBTORCH, LIBEXLA = "../opt/lib/libtorch_cuda.so", "../opt/lib/libexla.so"
GENAI = f"{SITE}/onnxruntime_genai/onnxruntime_genai.cpython-311-x86_64-linux-gnu.so"
SHERPA = f"{SITE}/sherpa_onnx/lib/libonnxruntime_providers_cuda.so"
SHERPA_PATH = "$ORIGIN:$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN/../../nvidia/cublas/lib"
BESIDE = "$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN/../../nvidia/cublas/lib"
OF_11 = small.OF_CUDA[11]
NO_8 = "libcudnn.so.8: cannot open shared object file: No such file or directory"


def image(wheel, cuda=12):
    """The system's cuDNN, with what it uses."""
    return all_of(folder("usr/lib64", wheel), toolkit("usr/lib64", cuda), cached("usr/lib64"))


def bundled(place, wheel, without):
    """A framework with cuDNN in its own folder; all of it lies in ../whole as well."""
    def make(scene):
        folder(str((scene.site / place).relative_to(scene.root)), wheel, without=(without,))(scene)
        folder("whole", wheel)(scene)
        uses_cudnn(TORCH, "finalize", "libcudnn.so.9", run_path="$ORIGIN")(scene)
        requires("torch", "2.4.0", top="torch")(scene)
    return make


def major(*words, **more):
    return row(*words, kind=MAJOR, **more)


def packaging(*words, **more):
    return row(*words, kind=PACKAGING, **more)


def compiled_newer(thread, text, was, mends, wheel, jaxlib, compiled, major=9):
    """The release that a library was compiled with stands in no record: the text tells."""
    return Incident(thread, PACKAGING, text, was, mends, all_of(
        venv(wheel), xla("create", major, compiled), requires("jax-cuda12-plugin", jaxlib, top="jax_plugins")),
        f"../start {JAX}", finding="cudnn-older",
        why="The release that a library was compiled with is not in its file, and its package requires less.")


ROWS = (
    whisper("jhj0517/Whisper-WebUI#346",
          "Unable to load any of {libcudnn_ops.so.9.1.0, libcudnn_ops.so.9.1, libcudnn_ops.so.9, libcudnn_ops.so}",
          "CTranslate2 4.5 is for cuDNN 9, and the image has cuDNN 8.", "cuDNN 9, or CTranslate2 4.4.",
          all_of(venv(), image("nvidia-cudnn-cu12==8.9.7.29"),
                 ctranslate2("4.5")), "sublibrary-missing|cudnn-major", kind=MAJOR),
    whisper("jim60105/docker-whisperX#74",
          "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.",
          "PyTorch 2.6 needs cuDNN 9 and CTranslate2 4.4 needs cuDNN 8: one image that goes back to cuDNN 8 "
          "loses the new GPUs.", "CTranslate2 4.5, which is for cuDNN 9.",
          all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), torch("2.6.0", "nvidia-cudnn-cu12==9.1.0.70", "create"),
                 ctranslate2("4.4")), "sublibrary-missing|cudnn-major", kind=MAJOR, says="Could not load library libcudnn_ops_infer.so.8.",
          explained="arch-not-built", advice="two that require different releases cannot share an environment"),
    major("deepjavalibrary/djl#3159", f"java.lang.UnsatisfiedLinkError: libtorch_cuda.so: {NO_8}",
          "libtorch of PyTorch 2.0 needs cuDNN 8, and the system has 9.1.1 alone.", "cuDNN 8.",
          all_of(venv(), image("nvidia-cudnn-cu12==9.1.1.17"), uses_cudnn(LIBTORCH, "create", "libcudnn.so.8")),
          LIBTORCH, "cudnn-major", says=NO_8),
    major("elixir-nx/xla#87", f"Could not load dynamic library 'libcudnn.so.8'; dlerror: {NO_8}",
          "The archive was built for cuDNN 8.9, and its document said \"8.9+\": cuDNN 9 was installed.", "cuDNN 8.9.",
          all_of(venv(), image("nvidia-cudnn-cu12==9.1.1.17"), uses_cudnn(LIBEXLA, "create", "libcudnn.so.8")),
          LIBEXLA, "cudnn-major", says=NO_8),
    major("iot-salzburg/gpu-jupyter#148", f"Could not load dynamic library 'libcudnn.so.8'; dlerror: {NO_8}",
          "The image has cuDNN 9, and TensorFlow 2.16 was compiled with 8.9.", "cuDNN 8.9.",
          all_of(venv(), image("nvidia-cudnn-cu12==9.1.1.17"), uses_cudnn(TF, "create", opens="libcudnn.so.8"),
                 requires("tensorflow", "2.16.1", 'nvidia-cudnn-cu12==8.9.7.29; extra == "and-cuda"')),
          TF, "cudnn-major|cudnn-not-found", by="doctor", says=NO_8),
    Incident("Jittor/jittor#666", MAJOR, "libcudnn_ops_infer.so: cannot open shared object file: No such file or directory",
             "Jittor opens the files of cuDNN 8 by their names, and cuDNN 9 has others.",
             "cuDNN 8, or a Jittor that knows cuDNN 9.",
             all_of(venv(), image("nvidia-cudnn-cu12==9.1.1.17"),
                    uses_cudnn("../jittor", "create", opens="libcudnn_ops_infer.so", program=True)), "../jittor",
             finding="cudnn-major",
             why="A program that opens names at run time does not say so before: only its text does."),
    row("jax-ml/jax#14931",
        "Could not load library libcublasLt.so.12. Error: libcublasLt.so.12: cannot open shared object file: No such "
        "file or directory", "CUDA 11.8 and the cuDNN for CUDA 12 were installed by hand.",
        "The cuDNN for CUDA 11.",
        all_of(venv(), image("nvidia-cudnn-cu12==8.8.0.121", 11),
               uses_cudnn(LIBEXLA, "create", "libcudnn.so.8 libcublas.so.11")),
        LIBEXLA, "cuda-major", kind=CUDA),
    row("replicate/monobase#174", "",
        "cuDNN has no release for CUDA 11 after 9.10; the cuDNN for CUDA 12 was installed under a CUDA 11 framework.",
        "cuDNN 9.10.2 for CUDA 11.",
        all_of(venv("nvidia-cudnn-cu12==9.11.0.98", *OF_11, cuda=12),
               uses_cudnn(TORCH, "create", "libcudnn.so.9 libcublas.so.11", run_path=BESIDE),
               requires("torch", "2.7.1", "nvidia-cudnn-cu11==9.1.0.70")),
        TORCH, "cuda-major", kind=CUDA, works=True),
    packaging("pytorch/builder#1847",
              "RuntimeError: CUDNN_BACKEND_TENSOR_DESCRIPTOR cudnnFinalize failed cudnn_status: "
              "CUDNN_STATUS_NOT_INITIALIZED",
              "The wheel was made with libcudnn.so.9 and without libcudnn_engines_precompiled.so.9.",
              "A wheel with all libraries of the release.",
              all_of(venv(), bundled("torch/lib", "nvidia-cudnn-cu12==9.1.0.70", "engines_precompiled")),
              TORCH, "sublibrary-missing", explained="sublibrary-missing|driver-missing"),
    compiled_newer("dusty-nv/jetson-containers#1008",
                   "Loaded runtime CuDNN library: 9.3.0 but source was compiled with: 9.4.0.",
                   "The image has cuDNN 9.3, and its jaxlib was compiled with 9.4.", "An image with cuDNN 9.4.",
                   "nvidia-cudnn-cu12==9.3.0.75", "0.4.38", 90400),
    compiled_newer("jax-ml/jax#16275", "Loaded runtime CuDNN library: 8.8.0 but source was compiled with: 8.9.1.",
                   "The wheel is named cudnn88, and was built with 8.9.", "cuDNN 8.9.",
                   "nvidia-cudnn-cu12==8.8.0.121", "0.4.11", 8901, 8),
    compiled_newer("conda-forge/jaxlib-feedstock#329",
                   "Loaded runtime CuDNN library: 9.10.1 but source was compiled with: 9.13.1.",
                   "The package does not say which cuDNN it needs at run time, and the solver took an older one.",
                   "cudnn 9.13.1, or a package that was built with 9.10.",
                   "nvidia-cudnn-cu12==9.10.1.4", "0.7.2", 91301),
    compiled_newer("conda-forge/jax-feedstock#149",
                   "Loaded runtime CuDNN library: 9.3.0 but source was compiled with: 9.5.1.",
                   "The solver takes an older cuDNN than jaxlib was compiled with.", "A newer cudnn in the environment.",
                   "nvidia-cudnn-cu12==9.3.0.75", "0.4.35", 90501),
    Incident("PaddlePaddle/Paddle#79388", PACKAGING,
             "The installed Paddle is compiled with CUDNN 9.9, but CUDNN version in your machine is 9.5",
             "The wheel requires nvidia-cudnn-cu12==9.5.1.17, and was compiled with 9.9.",
             "A newer cuDNN than the wheel requires.", finding="cudnn-older",
             why="The release that a library was compiled with is not in its file, and its package requires less."),
    Incident("SYSTRAN/faster-whisper#958", MAJOR,
             "Could not locate cudnn_ops_infer64_8.dll. Please make sure it is in your library path!",
             "PyTorch 2.4 brings cuDNN 9, and CTranslate2 before 4.5 asks for the files of cuDNN 8.",
             "The wheel of cuDNN 8.9 with its bin directory on PATH, or CTranslate2 4.5.", finding="sublibrary-missing",
             why=OF_WINDOWS),
    whisper("SYSTRAN/faster-whisper#885",
            "Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object file: No "
            "such file or directory",
            "The system has cuDNN 9.2, as its documentation says, and CTranslate2 before 4.5 needs cuDNN 8. (Rebuilt with 9.1.1.)",
            "cuDNN 8, or CTranslate2 4.5.", all_of(venv(), image("nvidia-cudnn-cu12==9.1.1.17"), ctranslate2("4.4")),
            "sublibrary-missing|cudnn-major", kind=MAJOR),
    major("fengin/Fun-CosyVoice3-0.5B-2512-Deploy#1", NO_8,
          "vLLM's PyTorch needs cuDNN 9, which is installed, and onnxruntime 1.18 needs cuDNN 8.", "onnxruntime 1.19.",
          all_of(venv("nvidia-cudnn-cu12==9.1.0.70"), torch("2.6.0", "nvidia-cudnn-cu12==9.1.0.70"),
                 uses_cudnn(ORT, "create", "libcudnn.so.8"), requires("onnxruntime-gpu", "1.18.0", top="onnxruntime")),
          ORT, "cudnn-major|cudnn-not-found",
          advice="two that require different releases cannot share an environment"),
    major("microsoft/onnxruntime-genai#694", f"ImportError: {NO_8}",
          "The system has cuDNN 9.2; a cuDNN 8 lies in the conda environment, where the loader does not look. (Rebuilt with "
          "9.1.1 and 8.7.)", "LD_LIBRARY_PATH with the environment's lib.",
          all_of(venv(cuda=11), image("nvidia-cudnn-cu12==9.1.1.17"), folder("conda/lib", "nvidia-cudnn-cu11==8.7.0.84"),
                 toolkit("conda/lib", 11), sets(CONDA_PREFIX="conda"), uses_cudnn(GENAI, "create", "libcudnn.so.8"),
                 requires("onnxruntime-genai-cuda", "0.3.0", top="onnxruntime_genai")),
          GENAI, "cudnn-major|cudnn-not-found"),
    major("tensorflow/tensorflow#2986", "Loaded runtime CuDNN library: 9.1.0 but source was compiled with: 8.6.0.",
          "An answer in the thread advises to copy the cuDNN that is there to the name that is asked for: cp libcudnn.so.8.0.5 "
          "libcudnn.so.5. The loader then takes another major release. (Rebuilt with 9.1.0 under the name of 8.)",
          "The cuDNN of that name, and no such copy.",
          all_of(venv(), folder("usr/local/cuda/lib64", "nvidia-cudnn-cu12==9.1.0.70"), toolkit("usr/local/cuda/lib64", 12),
                 lambda scene: shutil.copy(scene.root / "usr/local/cuda/lib64/libcudnn.so.9",
                                           scene.root / "usr/local/cuda/lib64/libcudnn.so.8"),
                 library_path("usr/local/cuda/lib64"), uses_cudnn(TF, "create", "libcudnn.so.8", compiled=8600),
                 requires("tensorflow-gpu", "2.12.0", top="tensorflow")),
          TF, "cudnn-major"),
    row("k2-fsa/sherpa-onnx#2446",
        "Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.11: cannot open shared object "
        "file: No such file or directory",
        "The onnxruntime inside the package is for CUDA 11, and the environment has the libraries of CUDA 12.",
        "The libraries of CUDA 11.8 and the cuDNN for it, or a build for CUDA 12.",
        all_of(venv("nvidia-cudnn-cu12==8.9.7.29"),
               uses_cudnn(SHERPA, "create", "libcublasLt.so.11 libcudnn.so.8", run_path=SHERPA_PATH),
               requires("sherpa-onnx", "1.12.7+cuda", top="sherpa_onnx")),
        SHERPA, "cuda-major|dependency-missing", kind=CUDA, says="libcublasLt.so.11: cannot open shared object file"),
    row("NVIDIA/TensorRT#3010", "",
        "apt takes the newest build of the release that was asked for: libcudnn8 8.9.1 for CUDA 12.1, under CUDA 11.8. (Rebuilt "
        "with 8.9.4.)", "The build of the same release for CUDA 11.8.",
        all_of(venv(), folder("usr/lib64", "nvidia-cudnn-cu12==8.9.4.25"), CUDA_11, cached("usr/lib64"),
               uses_cudnn("../trtexec", "create", "libcublas.so.11 libcudnn.so.8", program=True)),
        "../trtexec", "cuda-major", kind=CUDA, says="libcublasLt.so.12: cannot open shared object file"),
    major("CMU-Perceptual-Computing-Lab/openpose#153", "Check failed: status == CUDNN_STATUS_SUCCESS (3 vs. 0) CUDNN_STATUS_BAD_PARAM",
          "A part of the program was built with one major release and a part with the next one, which was removed again. "
          "(Rebuilt with 8 and 9.)", "All of it built again with one release.",
          all_of(venv(), folder("cuda-8.0/lib64", "nvidia-cudnn-cu12==8.9.7.29"), toolkit("cuda-8.0/lib64", 12),
                 library_path("cuda-8.0/lib64"), uses_cudnn("../openpose.bin", "create", "libcudnn.so.8 libcudnn.so.9", program=True)),
          "../openpose.bin", "cudnn-major", says="libcudnn.so.9: cannot open shared object file", explained="convolution-failed",
          advice="which of the two is to stay is not known"),
    major("Yuliang-Liu/MonkeyOCR#292", f"Processing failed: {NO_8}",
          "PyTorch for CUDA 11.8 requires cuDNN 9 and PaddlePaddle for it cuDNN 8, of one package: the one that was installed "
          "last decides.", "CUDA 12, for which both require cuDNN 9, or an environment for each.",
          all_of(venv("nvidia-cudnn-cu11==9.1.0.70", cuda=11), torch("2.6.0+cu118", "nvidia-cudnn-cu11==9.1.0.70"),
                 uses_cudnn(PADDLE, "create", "libcudnn.so.8", run_path=BESIDE),
                 requires("paddlepaddle-gpu", "3.0.0", "nvidia-cudnn-cu11==8.9.6.50", top="paddle")),
          PADDLE, "cudnn-major", says=NO_8, advice="two that require different releases cannot share an environment"),
)
