// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries without a stamp, where LD_PRELOAD brings a cuDNN.
#include <doctest/doctest.h>

#include "site_packages.h"

using namespace cudnn_checked;
using test::site;
using test::venv;
using test::wheel;

TEST_CASE("a shim that LD_PRELOAD names by its path serves who NEEDs one, and nobody else") {
  const auto look = [](const std::vector<std::string>& needed, const char* preloaded,
                       const std::string& run_path) {
    venv v;
    v.add_library("plugin/plugin.so", needed, run_path);
    v.add_library("plugin/libbetween.so", {"libcudnn.so.9"});
    v.add_package("plugin", "1.0", {}, "plugin/plugin.so");
    v.add_cudnn("9.5.1.17", "12");
    v.add_cudnn("9.1.0.70", "12", "/older");
    v.os.variables["LD_PRELOAD"] = preloaded;
    return v.look("plugin/plugin.so");
  };
  const std::string own = "$ORIGIN/../nvidia/cudnn/lib:$ORIGIN";
  const venv::outcome direct = look({"libcudnn.so.9"}, "/older/libcudnn.so.9", own);
  CHECK(direct.result == verdict::warning);
  CHECK(
      direct.message.find(
          "warning: this program uses a cuDNN that its own library search would not find\n"
          "  its own:  9.5.1                     <site>/plugin/../nvidia/cudnn/lib/libcudnn.so.9\n"
          "  loaded:   9.1.0 for CUDA 11 or 12   /older/libcudnn.so.9   chosen by LD_PRELOAD\n"
          "  Which cuDNN it gets depends on what else is in the process.\n"
          "  fix: unset LD_PRELOAD\n  [loader-override]\n") == 0);
  CHECK(direct.program.asker == site + "/plugin/plugin.so");
  const venv::outcome through = look({"libbetween.so"}, "/older/libcudnn.so.9", "$ORIGIN");
  CHECK(through.program.use == cudnn_use::needed);
  CHECK(through.program.asker == site + "/plugin/libbetween.so");
  CHECK(through.takes.number == version{9, 1, 0});
  CHECK(look({}, "/older/libcudnn.so.9", "$ORIGIN").program.use == cudnn_use::none);
  // It opens by name what the preload has brought.
  const venv::outcome opened = look({}, "/older/libcudnn.so.9", own);
  CHECK(opened.program.use == cudnn_use::opened);
  CHECK(opened.message.find("[loader-override]") != std::string::npos);
  for (const char* harmless : {"", "/usr/lib/libother.so"}) {
    CHECK(look({"libcudnn.so.9"}, harmless, own).result == verdict::ok);
  }
  CHECK(look({"libcudnn.so.9"}, (wheel + "/libcudnn.so.9").c_str(), own).result == verdict::ok);
}

TEST_CASE("a program whose library finds cuDNN by its own run path asks for none itself") {
  venv v;
  v.add_library("plugin/plugin.so", {"libbetween.so"}, "", "$ORIGIN");
  v.add_library("plugin/libbetween.so", {"libcudnn.so.9"}, "", "$ORIGIN/../nvidia/cudnn/lib");
  v.add_package("plugin", "1.0", {}, "plugin/plugin.so");
  v.add_cudnn("9.5.1.17", "12");
  v.add_cudnn("9.1.0.70", "12", "/usr/lib/system");
  v.os.cache["libcudnn.so.9"] = "/usr/lib/system/libcudnn.so.9";
  const venv::outcome done = v.look("plugin/plugin.so");
  CHECK(done.takes.number == version{9, 5, 1});
  CHECK(done.message.find("[loader-override]") == std::string::npos);
  CHECK(done.result == verdict::ok);
  v.add_library("plugin/plugin.so", {"libbetween.so", "libcudnn.so.9"}, "", "$ORIGIN");
  CHECK(v.look("plugin/plugin.so").takes.number == version{9, 1, 0});
}
