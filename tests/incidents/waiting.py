# SPDX-License-Identifier: BSD-3-Clause
"""Rows whose truth the project does not report yet, with the reason; "THREAD: text" is about explain --text alone.
A row here that is right fails the suite."""

GPU = "verify does not look at the GPUs that --as names for a library without a stamp, and doctor at those of the " \
      "cuDNN that the loader takes by itself only"
NAMES = "the library opens a name that it composes, and neither its run path nor its package's requirement says so"
ENGINE = "\"unable to find an engine\" is not led to a cuDNN that is too old or mixed"
NO_TEXT = "explain --text does not know it"

NOT_YET = {
    "m-bain/whisperX#1100": "the fix reinstalls the package that is sound already: what LD_LIBRARY_PATH leads to stays",
    "tensorflow/docs#2251": NAMES,
    "chelsea0x3b/cudarc#529": NAMES,
    "iot-salzburg/gpu-jupyter#148": NAMES,
    "JuliaGPU/CUDA.jl#1896": "doctor does not see that LD_LIBRARY_PATH, its own fix, leads to the directory that it checks",
    "pytorch/builder#1847": "the fix installs a wheel that PyTorch's own copy of cuDNN does not find",
    "immich-app/immich#22982": GPU,
    "conda-forge/admin-requests#1687": GPU,
    "jax-ml/jax#30671": GPU,
    "unslothai/unsloth#5876": GPU,
    "pytorch/pytorch#192843": GPU,
    "aigc-apps/sd-webui-EasyPhoto#27: text": ENGINE,
    "pytorch/pytorch#102535: text": ENGINE,
    "replicate/cog#1430: text": ENGINE,
    "immich-app/immich#22982: text": "it does not name a GPU that this cuDNN has no code for",
    **{f"{thread}: text": NO_TEXT for thread in (
        "karpathy/llm.c#366", "NVIDIA/TransformerEngine#954", "triton-inference-server/onnxruntime_backend#33",
        "Karbo123/segmentator#7", "NVIDIA/TensorRT-LLM#437", "microsoft/vcpkg#40882", "deepjavalibrary/djl#3781",
        "deepjavalibrary/djl#3873", "pytorch/pytorch#164033", "vllm-project/vllm#35566", "BreezeWhite/oemer#70",
        "microsoft/onnxruntime#23301", "google-deepmind/tapnet#86", "patrick-kidger/equinox#1166")},
    **{"https://github.com/NVIDIA/cudnn-frontend/blob/3929da2ef4c1dba1bb8acb68727b9134f26f40c0/include/cudnn_frontend/node/"
       f"{name}: text": NO_TEXT for name in ("sdpa_support_surface.h", "scaled_dot_product_flash_attention.h")},
}
