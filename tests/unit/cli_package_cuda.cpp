// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA of a package whose library does not say for which one it is.
#include "cli/program/package_cuda.cpp"

#include "site_packages.h"

using test::site;
using test::venv;

namespace {

/// A library of a package, which NEEDs cuDNN and nothing of CUDA.
struct venv_of_package : venv {
  explicit venv_of_package(const std::string& package) {
    add_library("cupy/cudnn.so", {"libcudnn.so.8"});
    add_package(package, "8.6.0", {}, "cupy/cudnn.so");
  }
  outcome look_at_cudnn() { return look("cupy/cudnn.so"); }
};

int cuda_of(const char* package) {
  return venv_of_package(package).look_at_cudnn().program.cuda_major;
}

}  // namespace

TEST_CASE("the name of a package says for which CUDA it is") {
  CHECK(cuda_of("cupy-cuda101") == 10);
  CHECK(cuda_of("mxnet-cu101") == 10);
  CHECK(cuda_of("mxnet_cu112") == 11);
  CHECK(cuda_of("cupy-cuda12x") == 12);
  CHECK(cuda_of("jax-cuda12-plugin") == 12);
  CHECK(cuda_of("tensorrt-cu13") == 13);
  CHECK(cuda_of("mxnet-cu92") == 9);
  for (const char* other :
       {"cupy", "cupy-cuda", "cucim", "cu12y", "custom-cu1", "cu1234", "x-12"}) {
    CAPTURE(other);
    CHECK(cuda_of(other) == 0);
  }
}

TEST_CASE("for a CUDA that no wheel of cuDNN is for, none is advised") {
  const venv::outcome ten = venv_of_package("cupy-cuda101").look_at_cudnn();
  CHECK(ten.message.find("[cudnn-not-found]") != std::string::npos);
  CHECK(ten.message.find("nvidia-cudnn-cu") == std::string::npos);
  CHECK(ten.message.find("  fix: install a cuDNN for CUDA 10 from NVIDIA's archive, and name its "
                         "directory in LD_LIBRARY_PATH: no wheel of cuDNN is for that CUDA\n") !=
        std::string::npos);
  const venv::outcome eleven = venv_of_package("cupy-cuda112").look_at_cudnn();
  CHECK(eleven.message.find("nvidia-cudnn-cu11==8.9.6.50") != std::string::npos);
  CHECK(eleven.message.find("nvidia-cudnn-cu12") == std::string::npos);
  CHECK(venv_of_package("cupy").look_at_cudnn().message.find("nvidia-cudnn-cu12==8.9.7.29") !=
        std::string::npos);
}

TEST_CASE("libraries beside it say for which CUDA a package is, if its name does not") {
  venv_of_package v("cupy");
  v.add_library("cupy/cublas.so", {"libcublas.so.10"});
  v.add_library("cupy/runtime.so", {"libcudart.so.10.1", "libc.so.6"});
  const venv::outcome done = v.look_at_cudnn();
  CHECK(done.program.cuda_major == 10);
  CHECK(done.program.cuda_library == "libcublas.so.10");
  CHECK(done.program.cuda_asker == site + "/cupy/cublas.so");
  CHECK(done.message.find("nvidia-cudnn-cu") == std::string::npos);
  v.add_library("cupy/other.so", {"libcudart.so.11.0"});
  CHECK(v.look_at_cudnn().program.cuda_major == 0);
  venv_of_package named("cupy-cuda12x");
  named.add_library("cupy/cublas.so", {"libcublas.so.11"});
  CHECK(named.look_at_cudnn().program.cuda_major == 12);
}

TEST_CASE("a cuDNN for another CUDA than the name of its package says is refused") {
  venv v;
  v.add_library("cupy/cudnn.so", {"libcudnn.so.9"}, "$ORIGIN/../nvidia/cudnn/lib");
  v.add_cudnn("9.5.1.17", "12");
  v.add_package("cupy-cuda12x", "13.6.0", {}, "cupy/cudnn.so");
  CHECK(v.look("cupy/cudnn.so").message.find("[cuda-major]") == std::string::npos);
  venv other = v;
  other.os.files.erase(site + "/cupy-cuda12x-13.6.0.dist-info/METADATA");
  other.os.files.erase(site + "/cupy-cuda12x-13.6.0.dist-info/RECORD");
  other.add_package("cupy-cuda11x", "13.6.0", {}, "cupy/cudnn.so");
  const std::string text = other.look("cupy/cudnn.so").message;
  CAPTURE(text);
  CHECK(text.find("this cuDNN is for CUDA 12, and cudnn.so needs CUDA 11\n") != std::string::npos);
  CHECK(text.find("  needs:  CUDA 11             the name of cupy-cuda11x\n") != std::string::npos);
}
