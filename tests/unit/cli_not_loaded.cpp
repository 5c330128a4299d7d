// SPDX-License-Identifier: BSD-3-Clause
//
// A library whose cuDNN lies in the environment and is not found by it: what hides that, and what
// an import has shown.
#include <doctest/doctest.h>

#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;
using test::wheel;

namespace {

/// MXNet NEEDs the driver, and has no run path to the wheel of cuDNN.
struct venv_of_mxnet : venv {
  venv_of_mxnet() {
    add_library("mxnet/libmxnet.so", {"libcuda.so.1", "libcudnn.so.9"});
    add_package("mxnet", "1.9.1", {}, "mxnet/libmxnet.so");
    add_cudnn("9.5.1.17", "12");
    for (const char* opened : {"libcublasLt.so.12", "libcublas.so.12", "libnvrtc.so.12"}) {
      os.files[std::string("/usr/lib/") + opened] = test::elf_builder().build();
    }
  }

  outcome look_at_mxnet() { return look("mxnet/libmxnet.so"); }

  /// As doctor judges its environment.
  environment place() {
    const outcome done = look_at_mxnet();
    cudnn_user user;
    user.package = "mxnet 1.9.1";
    user.libraries.push_back(arena_string(site + "/mxnet/libmxnet.so"));
    user.use = done.program.use;
    user.preloaded = !done.program.preloads.empty();
    user.result = done.result;
    user.findings = done.findings;
    environment result;
    result.directory = site;
    result.users.push_back(user);
    return result;
  }

  std::string messages() {
    arena_vector<finding> findings;
    judge_environment(place(), {}, findings);
    std::string text;
    for (const finding& f : findings)
      text += findings_message({f}, to_string(f.weight), severity::note);
    return text;
  }

  std::string row() { return std::string(names_of_worst(place().users.front())); }
};

const std::string as_it_lies = "as it lies, libmxnet.so does not find libcudnn.so.9\n";

}  // namespace

TEST_CASE("a driver that is missing does not hide that cuDNN is not found") {
  venv_of_mxnet v;
  CHECK(v.look_at_mxnet().result == verdict::refused);
  CHECK(v.messages().find("note: " + as_it_lies) != std::string::npos);
  CHECK(v.messages().find("driver-missing") == std::string::npos);
  CHECK(v.row() == "[driver-missing] [cudnn-not-found]");
  v.add_gpus({"90"});
  CHECK(v.messages().find("note: " + as_it_lies) != std::string::npos);
  CHECK(v.row() == "[cudnn-not-found]");
}

TEST_CASE("where nothing but the driver is missing, nothing else is told") {
  venv_of_mxnet v;
  v.os.variables["LD_LIBRARY_PATH"] = wheel;
  CHECK(v.messages().empty());
  CHECK(v.row() == "[driver-missing]");
}

TEST_CASE("an import that has failed shows that nothing loads cuDNN before") {
  venv_of_mxnet v;
  v.add_gpus({"90"});
  v.import_lacks = "libcudnn.so.9";
  const venv::outcome done = v.look_at_mxnet();
  CAPTURE(done.message);
  CHECK(done.result == verdict::refused);
  CHECK(done.message.find("refused: " + as_it_lies) == 0);
  CHECK(done.message.find("nothing, if it is loaded so") == std::string::npos);
  CHECK(done.message.find("unless the process has loaded") == std::string::npos);
  CHECK(done.message.find("  The import of its package has failed in this way: the package loads "
                          "none of them first.\n"
                          "  fix: export LD_LIBRARY_PATH=<wheel>\n") != std::string::npos);
  for (const char* other : {"", "libcudnn.so.8"}) {
    v.import_lacks = other;
    CHECK(v.look_at_mxnet().result == verdict::unknown);
    CHECK(v.look_at_mxnet().message.find("fix: nothing, if it is loaded so") != std::string::npos);
  }
}

TEST_CASE("an empty element of a run path is the working directory of whoever starts it") {
  venv v;
  v.add_library("nnabla/libnnabla.so", {"libcudnn.so.9"}, "/opt/nnabla::lib");
  const std::string text = v.look("nnabla/libnnabla.so").message;
  CAPTURE(text);
  const std::string of = "RPATH of <site>/nnabla/libnnabla.so";
  CHECK(text.find("/srv/user               " + of + ", relative to the working directory\n") !=
        std::string::npos);
  CHECK(text.find("/srv/user/lib           " + of + ", relative to the working directory\n") !=
        std::string::npos);
  CHECK(text.find("/opt/nnabla             " + of + "\n") != std::string::npos);
}

// CUDA's runtime opens libcuda.so.1 by its name.
TEST_CASE("a stub that the loader finds is told of a program that does not NEED it, too") {
  venv v;
  v.add_library("app/libplugin.so", {"libcudnn.so.9"}, wheel);
  v.add_cudnn("9.14.0.64", "12");
  const std::string before = v.look("app/libplugin.so").message;
  CHECK(before.find("driver-missing") == std::string::npos);
  const std::string stubs = "/usr/local/cuda/lib64/stubs";
  test::elf_builder stub;
  stub.soname = "libcuda.so.1";
  v.os.files[stubs + "/libcuda.so.1"] = stub.build();
  v.os.variables["LD_LIBRARY_PATH"] = stubs;
  const venv::outcome alone = v.look("app/libplugin.so");
  CHECK(alone.result == verdict::ok);
  CHECK(any_of(alone.findings, [](const finding& f) {
    return f.id == finding_id::driver_missing && f.weight == severity::note;
  }));
  // It hides the driver that is there.
  v.os.files["/proc/driver/nvidia/version"] =
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 2023\n";
  const venv::outcome hidden = v.look("app/libplugin.so");
  CHECK(hidden.result == verdict::refused);
  CHECK(hidden.message.find("  fix: unset LD_LIBRARY_PATH\n") != std::string::npos);
}
