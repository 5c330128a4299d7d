// SPDX-License-Identifier: BSD-3-Clause
//
// Packages that open cuDNN themselves, or load what it needs: what they would take, by the order of
// their own sources.
#include <doctest/doctest.h>

#include "cli/machine/candidates.cpp"
#include "cli/machine/linux/install_layout.cpp"
#include "cli/machine/search_places.cpp"
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

TEST_CASE(
    "Transformer Engine loads the shim before its library, and none of what else that NEEDs") {
  const char* const library = "transformer_engine/wheel_lib/libtransformer_engine.so";
  machine m;
  m.os.cache.clear();
  m.add_library(library, {"libcudnn.so.9", "libcudnn_adv.so.9"});
  CHECK(m.takes("transformer_engine_cu12", "2.3.0", library) == "9.10.2 for CUDA 12");
  const venv::outcome done = m.look(library);
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find(
            "refused: as it lies, libtransformer_engine.so does not find libcudnn_adv.so.9\n") ==
        0);
  CHECK(done.message.find("  Its package does not load libcudnn_adv.so.9 first: the "
                          "import fails, unless another package does.\n") != std::string::npos);
  machine later;
  later.os.cache.clear();
  later.add_library(library, {"libcudnn.so.9", "libcudnn_adv.so.9"});
  CHECK(later.takes("transformer_engine_cu12", "2.4.0", library) == "9.10.2 for CUDA 12");
  CHECK(later.look(library).result == verdict::ok);
  m.os.variables["LD_LIBRARY_PATH"] = site + "/nvidia/cudnn/lib";
  CHECK(m.look(library).result == verdict::ok);
}

TEST_CASE("Transformer Engine 2.6 to 2.9 takes that of ldconfig -p before LD_LIBRARY_PATH") {
  const char* const library = "transformer_engine/wheel_lib/libtransformer_engine.so";
  // Its libraries are those of LD_LIBRARY_PATH.
  const std::string mixed = "9.19.0";
  const std::string whole = "9.19.0 for CUDA 13";
  for (const auto& [release, taken] : {std::pair("2.5.0", whole), std::pair("2.6.0", mixed),
                                       std::pair("2.9.0", mixed), std::pair("2.11.0", whole)}) {
    const std::string number = release;
    CAPTURE(number);
    machine m;
    for (const auto& [path, contents] : std::map<std::string, std::string>(m.os.files)) {
      if (path.find("/nvidia/cudnn/lib/libcudnn") != std::string::npos) m.os.files.erase(path);
    }
    m.os.links[toolkit + "/libcudnn.so"] = "libcudnn.so.9";
    m.os.variables["LD_LIBRARY_PATH"] = toolkit;
    m.add_library(library, {"libcudnn.so.9"});
    CHECK(m.takes("transformer_engine_cu12", number, library) == taken);
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

// NVIDIA/cudnn-frontend#211
TEST_CASE("a library that refuses a second runtime of CUDA") {
  const std::string library = "cudnn/_compiled_module.cpython-312-x86_64-linux-gnu.so";
  const std::string zero(1, '\0');
  machine m;
  test::elf_builder b;
  b.soname = library.substr(6);
  b.runpath = "$ORIGIN/../nvidia/cudnn/lib";
  const std::string names = zero + "libcudart.so.12" + zero + "libcudart.so.13" + zero;
  b.sections.push_back({".rodata", names + "Multiple libcudart libraries found: " + zero});
  m.os.files[site + "/" + library] = b.build();
  m.add_package("nvidia_cudnn_frontend", "1.17.0", {}, library);
  for (const char* const number : {"12", "13"}) {
    test::elf_builder runtime;
    runtime.soname = std::string("libcudart.so.") + number;
    m.os.files["/opt/" + runtime.soname] = runtime.build();
  }
  m.os.files["/rt12/libcudart.so.12"] = m.os.files["/opt/libcudart.so.12"];
  m.os.cache["libcudart.so.13"] = "/opt/libcudart.so.13";
  CHECK(m.look(library).result == verdict::ok);
  m.os.variables["LD_LIBRARY_PATH"] = "/rt12";
  CHECK(m.look(library).message.find(
            "refused: _compiled_module.cpython-312-x86_64-linux-gnu.so finds the runtimes of 2 "
            "CUDAs, "
            "and works with one only\n"
            "  opens:  libcudart.so.12   /rt12/libcudart.so.12   chosen by LD_LIBRARY_PATH[0]\n"
            "  opens:  libcudart.so.13   /opt/libcudart.so.13   chosen by ld.so.cache\n"
            "  Its first call of CUDA raises \"Multiple libcudart libraries found\".\n") == 0);
  // Another library with these names does not look for a second one.
  b.sections = {{".rodata", names}};
  m.os.files[site + "/" + library] = b.build();
  CHECK(m.look(library).result == verdict::ok);
}

TEST_CASE("CuPy loads what its own installer has put below the home directory") {
  const std::string library = "cupy_backends/cuda/libs/cudnn.cpython-312-x86_64-linux-gnu.so";
  const std::string own = "/home/me/.cupy/cuda_lib/12.x/cudnn/9.14.0/lib";
  machine m;
  m.os.cache.clear();
  m.os.variables["HOME"] = "/home/me";
  m.add_library(library, {"libcudnn.so.9"});
  m.os.files[site + "/cupy/.data/_wheel.json"] =
      R"({"cuda": "12.x", "cudnn": {"version": "9.14.0", "filenames":
          ["libcudnn.so.9.14.0", "libcudnn_graph.so.9.14.0"]}})";
  const std::string of_wheel = "9.10.2 for CUDA 12";
  CHECK(m.takes("cupy_cuda12x", "13.6.0", library) == of_wheel);
  m.add_cudnn("9.14.0.64", "12", own);
  for (const char* const role : {"", "_graph"}) {
    const std::string name = own + "/libcudnn" + role + ".so.9";
    m.os.links[name + ".14.0"] = name;
  }
  const venv::outcome done = m.look(library);
  CHECK(done.takes.release == "9.14.0 for CUDA 12");
  CHECK(done.program.told_by == "~/.cupy/cuda_lib, as cupy/_environment.py does");
  m.os.variables["HOME"] = "/home/other";
  CHECK(m.look(library).takes.release == of_wheel.c_str());
  m.os.variables["CUPY_CUDA_LIB_PATH"] = "/home/me/.cupy/cuda_lib";
  CHECK(m.look(library).takes.release == "9.14.0 for CUDA 12");
}

TEST_CASE("CuPy 9.0 names the shim alone") {
  const std::string library = "cupy_backends/cuda/libs/cudnn.cpython-312-x86_64-linux-gnu.so";
  const std::string own = "/home/me/.cupy/cuda_lib/11.2/cudnn/8.1.1/lib64";
  machine m;
  m.os.cache.clear();
  m.os.variables["HOME"] = "/home/me";
  m.add_library(library, {"libcudnn.so.9"});
  m.os.files[site + "/cupy/.data/_wheel.json"] =
      R"({"cuda": "11.2", "cudnn": {"version": "8.1.1", "filename": "libcudnn.so.9"}})";
  m.add_cudnn("9.14.0.64", "12", own);
  CHECK(m.takes("cupy_cuda112", "9.0.0", library) == "9.14.0 for CUDA 12");
  CHECK(m.look(library).program.told_by == "~/.cupy/cuda_lib, as cupy/_environment.py does");
}

// NVIDIA/TransformerEngine#2040
TEST_CASE("a package that is built for another CUDA than its name and what is around it") {
  const std::string library = "engine/libengine.so";
  machine m;
  m.os.cache.clear();
  for (const char* const soname : {"libcublas.so.12", "libcublas.so.13"}) {
    test::elf_builder b;
    b.soname = soname;
    m.os.files["/opt/" + b.soname] = b.build();
    m.os.cache[b.soname] = "/opt/" + b.soname;
  }
  const auto built_for = [&](const std::string& cuda) {
    m.add_library(library, {"libcudnn.so.9", "libcublas.so." + cuda});
    m.takes("engine_cu12", "2.6.0", library);
    return m.look(library).message;
  };
  CHECK(built_for("13").find(
            "refused: this cuDNN is for CUDA 12, and libengine.so needs CUDA 13\n"
            "  needs:   CUDA 13              libcublas.so.13 of <site>/engine/libengine.so\n"
            "  cuDNN:   9.10.2 for CUDA 12   <wheel>/libcudnn_graph.so.9   chosen by RUNPATH of "
            "<wheel>/libcudnn.so.9\n"
            "  called:  for CUDA 12          engine-cu12 2.6.0\n"
            "  This build of it is for CUDA 13, and its name and what is around it for CUDA 12.\n"
            "  fix: install another build of engine-cu12 than 2.6.0\n"
            "  [cuda-major]\n") == 0);
  CHECK(built_for("12").find("another build") == std::string::npos);
}

TEST_CASE("Paddle opens the name without a number") {
  const char* const before = "paddle/fluid/libpaddle.so";
  machine of_2_5;
  of_2_5.os.cache["libcudnn.so"] = "/usr/lib/system/libcudnn.so.9";
  of_2_5.add_library(before, {}, "", "$ORIGIN/../libs/");
  CHECK(of_2_5.takes("paddlepaddle_gpu", "2.5.2", before) == "9.14.0 for CUDA 12");
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

TEST_CASE("a package that is not in the table, and has names of cuDNN in its data") {
  const std::string library = "new/_core.abi3.so";
  const std::string zero(1, '\0');
  machine m;
  m.add_package("new", "1.0", {"nvidia-cudnn-cu12==9.10.2.21"}, library);
  for (const char* const name : {"libcudnn.so.9", "cudnnCreate"}) {
    CAPTURE(name);
    test::elf_builder b;
    b.soname = "_core.abi3.so";
    b.sections.push_back({".rodata", zero + name + zero});
    m.os.files[site + "/" + library] = b.build();
    const venv::outcome done = m.look(library);
    CHECK(done.result == verdict::unknown);
    CHECK(done.message ==
          "unknown: which cuDNN _core.abi3.so opens is not known, so none was checked\n"
          "  opens it:  not known   the name " +
              std::string(name) +
              " in its read-only data\n"
              "  It opens cuDNN itself, and in which order it searches is not known.\n"
              "  fix: cudnn-checked verify --pid PID\n"
              "  [not-stamped]\n");
  }
  m.add_library(library, {});
  CHECK(m.takes("new", "1.0", library) == "none");
}

TEST_CASE("a cuDNN of another major that only a package loads is not of ld.so.cache") {
  const std::string library = "onnxruntime/capi/libonnxruntime_providers_cuda.so";
  machine m;
  m.os.cache.clear();
  m.add_library("nvidia/cublas/lib/libcublas.so.12", {});
  m.add_library(library, {"libcublas.so.12", "libcudnn.so.8"});
  m.add_package("onnxruntime_gpu", "1.18.1", {}, library);
  const std::string found =
      "  found:   libcudnn.so.9   <wheel>/libcudnn.so.9   chosen by the import of its package\n";
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
