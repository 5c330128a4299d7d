// SPDX-License-Identifier: BSD-3-Clause
//
// Packages that open cuDNN themselves, or load what it needs: what they would take, by the order of
// their own sources.
#include <doctest/doctest.h>

#include "cli/machine/candidates.cpp"
#include "cli/machine/linux/install_layout.cpp"
#include "cli/program/openers.cpp"
#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;
using test::wheel;

namespace {

const std::string toolkit = "/opt/cuda/targets/x86_64-linux/lib";

/// A virtual environment with a cuDNN of 9.10.2, where the toolkit has 9.19.0 and
/// ld.so.cache 9.14.0.
struct machine : venv {
  machine() {
    os.files["/venv/bin/python"] = "";
    os.files["/venv/pyvenv.cfg"] = "";
    add_cudnn("9.10.2.21", "12");
    add_cudnn("9.19.0.56", "13", toolkit);
    add_cudnn("9.14.0.64", "12", "/usr/lib/system");
    os.cache["libcudnn.so.9"] = "/usr/lib/system/libcudnn.so.9";
  }

  std::string takes(const std::string& package, const std::string& number,
                    const std::string& library) {
    add_package(package, number, {}, library);
    const outcome done = look(library);
    if (!done.takes.release.empty()) return std::string(done.takes.release);
    return done.program.opens_unknown() ? "not known" : "none";
  }
};

}  // namespace

TEST_CASE("Transformer Engine: before or after the wheel, by its release") {
  const char* const library = "transformer_engine/wheel_lib/libtransformer_engine.so";
  const std::string of_wheel = "9.10.2 for CUDA 12";
  const std::string of_toolkit = "9.19.0 for CUDA 13";
  struct row {
    const char* number;
    const char* variable;
    const char* value;
    std::string takes;
  };
  for (const row& r : {
           row{"2.9.0", "CUDA_HOME", "/opt/cuda", of_toolkit},
           row{"2.9.0", "CUDNN_PATH", toolkit.c_str(), of_toolkit},
           row{"2.9.0", "CUDA_HOME", "/opt/none", of_wheel},
           row{"2.9.0", "UNRELATED", "/opt/cuda", of_wheel},
           row{"2.3.0", "CUDA_HOME", "/opt/cuda", of_wheel},
           row{"2.20.2", "CUDA_PATH", "/opt/cuda", of_toolkit},
       }) {
    CAPTURE(r.number);
    CAPTURE(r.value);
    machine m;
    m.add_library(library, {"libcudnn.so.9"});
    m.os.variables[r.variable] = r.value;
    CHECK(m.takes("transformer_engine_cu12", r.number, library) == r.takes);
  }
}

TEST_CASE("Transformer Engine takes the last of the names in a tree; of two with one name either") {
  const char* const library = "transformer_engine/wheel_lib/libtransformer_engine.so";
  machine m;
  m.add_library(library, {"libcudnn.so.9"});
  m.os.variables["CUDA_HOME"] = "/opt/cuda";
  m.os.links["/opt/cuda/lib64"] = "targets/x86_64-linux/lib";
  CHECK(m.takes("transformer_engine_cu12", "2.9.0", library) == "9.19.0 for CUDA 13");
  m.add_cudnn("9.14.0.64", "12", "/opt/cuda/old");
  CHECK(m.takes("transformer_engine_cu12", "2.9.0", library) == "not known");
  m.os.files["/opt/cuda/old/libcudnn.so.9.14.0"] = m.os.files["/opt/cuda/old/libcudnn.so.9"];
  CHECK(m.takes("transformer_engine_cu12", "2.9.0", library) == "9.14.0 for CUDA 12");
}

TEST_CASE("cudnn-frontend: the purelib of its Python, and LD_LIBRARY_PATH since 1.24") {
  const char* const library = "cudnn/_compiled_module.cpython-312-x86_64-linux-gnu.so";
  // The shim of the wheel would get the other libraries of LD_LIBRARY_PATH.
  const std::string mixed = "9.19.0";
  for (const auto& [release, with_path] :
       {std::pair("1.5.2", mixed), std::pair("1.23.0", mixed),
        std::pair("1.32.0", std::string("9.19.0 for CUDA 13"))}) {
    const char* const number = release;  // clang captures no structured binding in C++17
    CAPTURE(number);
    machine m;
    m.add_library(library, {}, "$ORIGIN/../nvidia/cudnn/lib");
    CHECK(m.takes("nvidia_cudnn_frontend", number, library) == "9.10.2 for CUDA 12");
    m.os.variables["LD_LIBRARY_PATH"] = toolkit;
    CHECK(m.takes("nvidia_cudnn_frontend", number, library) == with_path);
    // A folder of pip install --target is the purelib of no Python.
    m.os.variables.clear();
    m.os.files.erase("/venv/bin/python");
    CHECK(m.takes("nvidia_cudnn_frontend", number, library) == "not known");
  }
  machine m;
  m.add_library(library, {}, "$ORIGIN/../nvidia/cudnn/lib");
  for (const std::string& role : test::roles_9)
    m.os.files.erase(wheel + "/" + test::soname_of(role, 9));
  CHECK(m.takes("nvidia_cudnn_frontend", "1.32.0", library) == "9.14.0 for CUDA 12");
  // Another library of the package, and another package.
  m.add_library("cudnn/other.so", {});
  CHECK(m.takes("nvidia_cudnn_frontend", "1.32.0", "cudnn/other.so") == "none");
}

TEST_CASE("Paddle opens the name without a number") {
  const char* const library = "paddle/libs/libphi.so";
  machine m;
  m.add_library(library, {}, "$ORIGIN");
  CHECK(m.takes("paddlepaddle_gpu", "2.6.2", library) == "none");
  CHECK(m.look(library).message.find(
            "libphi.so opens libcudnn.so by name, and the loader finds none") != std::string::npos);
  m.os.cache["libcudnn.so"] = "/usr/lib/system/libcudnn.so.9";
  CHECK(m.takes("paddlepaddle_gpu", "2.6.2", library) == "9.14.0 for CUDA 12");
  m.os.links[toolkit + "/libcudnn.so"] = "libcudnn.so.9";
  m.os.variables["FLAGS_cudnn_dir"] = toolkit;
  const venv::outcome done = m.look(library);
  CHECK(done.takes.release == "9.19.0 for CUDA 13");
  CHECK(done.program.told_by ==
        "FLAGS_cudnn_dir, as paddle/phi/backends/dynload/dynamic_loader.cc does");
  CHECK(done.result == verdict::ok);
}

TEST_CASE("a cuDNN of another major that only a package loads is not of ld.so.cache") {
  const std::string library = "onnxruntime/capi/libonnxruntime_providers_cuda.so";
  machine m;
  m.os.cache.clear();
  m.add_library("nvidia/cublas/lib/libcublas.so.12", {});
  m.add_library(library, {"libcublas.so.12", "libcudnn.so.8"});
  m.add_package("onnxruntime_gpu", "1.18.1", {}, library);
  const std::string found = "  found:   libcudnn.so.9   <wheel>/libcudnn.so.9   already loaded\n";
  CHECK(m.look(library).message.find(found) != std::string::npos);
}

// Run paths of the wheels of TensorFlow 2.16.1 and 2.17.1, without what does not lead to cuDNN.
TEST_CASE("TensorFlow: the run path of libtensorflow_framework counts") {
  const std::string library = "tensorflow/libtensorflow_cc.so.2";
  const std::string framework = "tensorflow/libtensorflow_framework.so.2";
  machine m;
  m.os.cache.clear();
  m.add_library(library, {"libtensorflow_framework.so.2"}, "",
                "$ORIGIN/:$ORIGIN/../../nvidia/cudnn/lib:$ORIGIN/../nvidia/cudnn/lib");
  m.add_library(framework, {}, "", "$ORIGIN/:$ORIGIN/../nvidia/cuda_runtime/lib");
  m.add_package("tensorflow", "2.16.1", {"nvidia-cudnn-cu12==9.10.2.21; extra == \"and-cuda\""},
                library);
  venv::outcome done = m.look(library);
  CHECK(done.result == verdict::unknown);
  CHECK(done.message ==
        "unknown: as it lies, libtensorflow_cc.so.2 does not find libcudnn.so.9\n"
        "  needed:      libcudnn.so.9                  not searched in <wheel>\n"
        "  opens it:    libtensorflow_framework.so.2   "
        "<site>/tensorflow/libtensorflow_framework.so.2\n"
        "  then takes:  cuDNN 9.10.2 for CUDA 12, whole, from <wheel>\n"
        "  dlopen() of it fails, unless the process has loaded them before, as the import of a "
        "package can do.\n"
        "  fix: export LD_LIBRARY_PATH=<wheel>\n  [cudnn-not-found]\n");
  m.os.variables["LD_LIBRARY_PATH"] = wheel;
  CHECK(m.look(library).result == verdict::ok);
  m.os.variables.clear();
  m.add_library(framework, {}, "", "$ORIGIN/:$ORIGIN/../nvidia/cudnn/lib");
  done = m.look(library);
  CHECK(done.result == verdict::ok);
  CHECK(done.takes.release == "9.10.2 for CUDA 12");
}

TEST_CASE("PyTorch loads NVRTC from the wheel beside it") {
  for (const auto& [release, expected] :
       {std::pair("2.5.1", verdict::warning), std::pair("2.6.0", verdict::warning),
        std::pair("2.9.0", verdict::ok)}) {
    const char* const number = release;
    CAPTURE(number);
    venv v;
    v.add_torch(number);
    v.add_cudnn("9.5.1.17", "12");
    v.add_library("nvidia/cudnn/lib/libcublasLt.so.12", {});
    v.add_library("nvidia/cuda_nvrtc/lib/libnvrtc.so.12", {});
    v.add_library("nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.6", {});
    v.add_gpus({"90"});
    const venv::outcome done = v.look("torch/lib/libtorch_cuda.so");
    CHECK(done.result == expected);
    const bool builtins = done.message.find("cuDNN needs libnvrtc-builtins.so.12.6") == 9;
    CHECK(builtins == (std::string(number) == "2.6.0"));
  }
}
