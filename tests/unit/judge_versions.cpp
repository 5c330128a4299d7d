// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

TEST_CASE("program to cuDNN: the truth table of minor releases") {
  const struct {
    const char* built;
    const char* installed;
    const char* policy;
    const char* findings;
  } rows[] = {
      {"9.14.0", "9.14.0", "compatible", ""},
      {"9.14.0", "9.14.1", "compatible", ""},
      {"9.14.1", "9.14.0", "compatible", ""},
      {"9.14.0", "9.19.0", "compatible", ""},
      {"9.14.0", "9.13.1", "compatible", "cudnn-older"},
      {"9.19.0", "9.2.0", "compatible", "cudnn-older"},
      {"9.14.0", "10.0.0", "compatible", "cudnn-major"},
      {"9.14.0", "9.13.1", "major", ""},
      {"9.14.0", "10.0.0", "major", "cudnn-major"},
      {"9.14.0", "9.14.0", "exact", ""},
      {"9.14.0", "9.14.1", "exact", "cudnn-differs"},
      {"9.14.0", "9.19.0", "exact", "cudnn-differs"},
      {"9.14.0", "9.13.0", "exact", "cudnn-older cudnn-differs"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.built);
    CAPTURE(row.installed);
    CAPTURE(row.policy);
    machine m(row.built, row.installed);
    m.stamped.policy = row.policy;
    CHECK(m.names() == row.findings);
  }
}

TEST_CASE("compiled with cuDNN 8.1.0, run with 8.0.5") {
  machine m("8.1.0", "8.1.0");
  m.stamped.sublibraries = {"ops_infer", "cnn_infer"};
  m.observed.files = {test::file_of("shim", "8.0.5"), test::file_of("ops_infer", "8.0.5"),
                      test::file_of("cnn_infer", "8.0.5")};
  CHECK(m.names() == "cudnn-older");
  CHECK(m.fact("would load") ==
        "8.0.5   /opt/cudnn/lib/libcudnn_ops_infer.so.8   chosen by RUNPATH of app");
  CHECK(m.fix() == "> let the loader find cuDNN 8.1 or newer before /opt/cudnn/lib");
}

TEST_CASE("more libraries in one directory than a release has") {
  machine m;
  CHECK(m.names().empty());
  m.observed.left_out = 936;
  CHECK(findings_message(m.findings(), "unknown", severity::note) ==
        "unknown: not all was looked at: more libraries of cuDNN lie in one directory than a "
        "release has\n"
        "  beside:    libcudnn_graph.so.9   /opt/cudnn/lib\n"
        "  left out:  936 libraries\n"
        "  Which of them cuDNN loads, and what they are, is not known.\n"
        "  fix: take out of /opt/cudnn/lib what is not cuDNN's\n"
        "  [version-unknown]\n");
  CHECK(verdict_of(m.findings()) == verdict::unknown);
}

TEST_CASE("a file that is in the process already was chosen by nobody") {
  machine m("9.14.0", "9.13.0");
  m.file("graph").chosen_by = choice_reason::already_loaded;
  CHECK(m.findings()[0].found.where == "/opt/cudnn/lib/libcudnn_graph.so.9   already loaded");
}

TEST_CASE("cuDNN 8 under a program for 9: it has no files of 9, and none of them is missed") {
  machine m;
  m.observed.cudnn_major = 8;
  m.observed.files.clear();
  for (const char* role :
       {"shim", "ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train"}) {
    m.observed.files.push_back(test::file_of(role, "8.5.0"));
  }
  CHECK(m.names() == "cudnn-major");
}

TEST_CASE("cuDNN 9 under a program for 8: the package that has 8 is named") {
  machine m("8.9.7", "9.14.0");
  m.stamped.toolkit = parse_version("12.2");
  CHECK(m.names() == "cudnn-major");
  CHECK(m.fix() ==
        "> let the loader find cuDNN 8.9 or a newer 8, such as nvidia-cudnn-cu12==8.9.7.29 before "
        "/opt/cudnn/lib");
  m.stamped.toolkit = parse_version("11.8");
  CHECK(m.fix().find("nvidia-cudnn-cu11==8.9.6.50") != std::string::npos);
}

TEST_CASE("an older cuDNN by LD_LIBRARY_PATH: the copy that was passed over is named") {
  machine m("9.19.0", "9.19.0");
  m.observed.files = test::full_set("9.14.0");
  m.add_alternatives("9.19.0", "/venv/lib");
  for (cudnn_file& file : m.observed.files.in_place()) file.chosen_by = test::by_variable;
  CHECK(
      m.message() ==
      "refused: this program was built with cuDNN 9.19.0 and would run on cuDNN 9.14.0\n"
      "  built with:   9.19.0   stamp of app\n"
      "  would load:   9.14.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n"
      "  shim:         9.14.0   /opt/cudnn/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]\n"
      "  passed over:  9.19.0   /venv/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
      "  An older minor release of cuDNN may lack functions that the program calls.\n"
      "  fix: unset LD_LIBRARY_PATH\n"
      "   or: export LD_LIBRARY_PATH=/venv/lib\n"
      "  [cudnn-older]\n");
}

TEST_CASE("the probe was compiled with other headers than those that were found") {
  configuration m("9.14.0", "9.14.0");
  m.observed.header_found = parse_version("9.14.0");
  CHECK(m.names() == "");
  m.observed.header_found = parse_version("9.13.0");
  m.observed.compile_flags = "-I/usr/include";
  CHECK(m.message() ==
        "refused: the compiler sees the headers of another cuDNN than the one that was found\n"
        "  found:          9.13.0           /opt/cudnn/include/cudnn_version.h\n"
        "  compiled with:  9.14.0           CUDNN_VERSION in the probe\n"
        "  flags:          -I/usr/include   CMAKE_CXX_FLAGS\n"
        "  A program compiled with it would call functions and pass enumerations of another "
        "release.\n"
        "  fix: remove the other directory from CMAKE_CXX_FLAGS, CPATH and CPLUS_INCLUDE_PATH\n"
        "   or: let CuDNNChecked_ROOT name the directory above the headers that the compiler sees\n"
        "  [header-library-mismatch]\n");
  m = configuration("9.13.0", "9.14.0");
  m.observed.header_found = parse_version("9.14.0");
  CHECK(m.names() == "header-library-mismatch");
}

TEST_CASE("the run path of the probe leads to another cuDNN than the one that was found") {
  configuration m("9.14.0", "9.14.0");
  m.observed.header_found = parse_version("9.14.0");
  m.observed.library_found = "/opt/cudnn/lib/libcudnn.so.9.14.0";
  CHECK(m.names() == "");
  m.observed.library_found = "/venv/lib/libcudnn.so.9";
  CHECK(m.message() ==
        "refused: the probe runs on another cuDNN than the one that was found\n"
        "  found:    9.14.0   /venv/lib/libcudnn.so.9\n"
        "  runs on:  9.14.0   /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  The run path has the directory of another library before it, also in programs of this "
        "project that link both.\n"
        "  fix: let CuDNNChecked_ROOT name /opt/cudnn\n"
        "   or: let CUDAToolkit_ROOT name a CUDA toolkit without a cuDNN\n"
        "  [two-cudnns]\n");
  // A person has chosen it by the variable.
  for (cudnn_file& file : m.observed.files.in_place()) file.chosen_by = test::by_variable;
  CHECK(m.names() == "");
}

TEST_CASE("header and library of two releases, at configure time") {
  CHECK(configuration("9.14.0", "9.14.0").names() == "");
  CHECK(configuration("9.19.0", "9.14.0").message() ==
        "refused: the header is of cuDNN 9.19.0 and the library of cuDNN 9.14.0\n"
        "  header:   9.19.0   /opt/cudnn/include/cudnn_version.h\n"
        "  library:  9.14.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  A program compiled with it would call functions and pass enumerations of another "
        "release.\n"
        "  fix: let CuDNNChecked_ROOT name an install that has both\n"
        "   or: reinstall all packages of cuDNN 9.19.0\n"
        "  [header-library-mismatch]\n");
}

TEST_CASE("a release that nothing tells is unknown, never ok and never a refusal") {
  machine m;
  for (cudnn_file& file : m.observed.files.in_place()) file.name_version = {};
  CHECK(m.names() == "version-unknown");
  CHECK(m.result() == verdict::unknown);
}

TEST_CASE("a program that has no cuDNN at start is not judged on what the loader would find") {
  machine m("9.19.0", "9.14.0");
  m.observed.linked = false;
  CHECK(m.names() == "version-unknown");
  CHECK(m.findings()[0].summary == "this program has no cuDNN at this moment, so none was checked");
  CHECK(m.result() == verdict::unknown);
  m.observed.files.clear();
  CHECK(m.names() == "version-unknown");
}

TEST_CASE("the advice keeps the other entries of LD_LIBRARY_PATH, and names LD_PRELOAD") {
  machine m("9.19.0", "9.19.0");
  m.observed.ld_library_path = "/old:/driver";
  m.take_from("shim", "9.14.0", "/old", test::by_variable);
  m.take_from("graph", "9.14.0", "/old", test::by_variable);
  for (const char* role : {"shim", "graph"})
    m.add_alternative(role, "9.19.0", "/new/" + std::string(role));
  CHECK(m.fix() == "$ export LD_LIBRARY_PATH=/new:$LD_LIBRARY_PATH");
  m.take_from("ops", "9.19.0", "/only/there", {choice_reason::ld_library_path, 1});
  CHECK(m.fix() != "$ export LD_LIBRARY_PATH=/new:$LD_LIBRARY_PATH");
  m.file("shim").chosen_by = choice_reason::ld_preload;
  CHECK(m.fix() == "$ unset LD_PRELOAD");
}

TEST_CASE(
    "the advice sees a JIT-only set behind LD_LIBRARY_PATH, whatever the cache could add to it") {
  machine m;
  m.stamped.sublibraries = {"graph", "engines_runtime_compiled"};
  m.observed.ld_library_path = "/old";
  for (cudnn_file& file : m.observed.files.in_place()) {
    const std::string role = file.role;
    const bool jit = role == "shim" || role == "graph" || role == "engines_runtime_compiled";
    m.take_from(role, jit ? "9.13.0" : "9.19.0", jit ? "/old" : "/cache",
                jit ? test::by_variable : test::by_cache);
    m.add_alternative(role, jit ? "9.14.0" : "9.19.0", (jit ? "/new/" : "/cache/") + file.name,
                      jit ? test::by_runpath : test::by_cache);
  }
  CHECK(m.names() == "cudnn-older");
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/new");
}
