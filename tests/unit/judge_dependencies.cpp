// SPDX-License-Identifier: BSD-3-Clause
//
// What cuDNN uses and does not ship, and the CUDA that it was built for.
#include <doctest/doctest.h>

#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

// Build ids of 9.14.0: the graph library for CUDA 13 and for 12, and the shim of both.
static constexpr const char* graph_13 = "14838e3bbe1e62963911efae12d83d4c23e399ce";
static constexpr const char* graph_12 = "fc8ae4475f1a7b51478c8daaaaad586600ac99af";
static constexpr const char* shim_both = "c278eb8abf82dd372100b93358815f5479b9a25b";

static dependency of(const machine& m, const std::string& role, dependency_kind kind,
                     const char* name, bool needed = false) {
  dependency d;
  d.kind = kind;
  d.name = name;
  d.needed = needed;
  for (const cudnn_file& f : m.observed.files) {
    if (f.role == role) d.asked_by = f.path;
  }
  return d;
}

static dependency& found(dependency& d, const char* path, const char* release) {
  d.path = d.real_path = path;
  d.chosen_by = choice_reason::ld_so_cache;
  d.state = file_state::whole;
  d.release = parse_version(release);
  d.cuda_major = d.release.major;
  return d;
}

static const choice by_loaded = choice_reason::already_loaded;

static void make_for_cuda(machine& m, const char* graph) { m.file("graph").build_id = graph; }

TEST_CASE("libz is missing: the loader refuses every file that needs it, driver or none") {
  machine m;
  m.observed.dependencies = {of(m, "graph", dependency_kind::libz, "libz.so.1", true),
                             of(m, "ops", dependency_kind::libz, "libz.so.1", true)};
  const std::string expected =
      "refused: cuDNN needs libz.so.1, which the loader does not find\n"
      "  needed:     libz.so.1\n"
      "  found:      nothing   in the directories that the loader searches\n"
      "  needed by:  graph     /opt/cudnn/lib/libcudnn_graph.so.9\n"
      "  needed by:  ops       /opt/cudnn/lib/libcudnn_ops.so.9\n"
      "  The loader refuses a file without what it needs, and cuDNN then aborts.\n"
      "  fix: apt-get install zlib1g\n"
      "  [dependency-missing]\n";
  CHECK(m.message() == expected);
  CHECK(calling_may_abort(m.observed));
  m.observed.driver = {};
  CHECK(m.message() == expected);
  m.observed.dependencies.in_place()[0].state = m.observed.dependencies.in_place()[1].state =
      file_state::unreadable;
  m.observed.dependencies.in_place()[0].path = "/usr/lib/libz.so.1";
  CHECK(m.fix() == "> give this user read permission for /usr/lib/libz.so.1");
  CHECK(calling_may_abort(m.observed));
  m.observed.dependencies.in_place()[0].state = m.observed.dependencies.in_place()[1].state =
      file_state::whole;
  CHECK(m.names() == "");
}

TEST_CASE("what only another install's file needs is no finding") {
  machine m;
  m.make_jit_only();
  m.take_from("ops", "9.19.0", "/other/lib", test::by_cache);
  m.observed.dependencies = {of(m, "ops", dependency_kind::libz, "libz.so.1", true)};
  CHECK(m.names() == "");
}

TEST_CASE("cuBLAS of cuDNN 8 is missing") {
  machine m("8.5.0", "8.5.0");
  m.observed.files = {test::file_of("shim", "8.5.0"), test::file_of("ops_infer", "8.5.0")};
  m.stamped.sublibraries = {"ops_infer"};
  m.stamped.toolkit = {};
  m.observed.dependencies = {of(m, "ops_infer", dependency_kind::cublas, "libcublas.so.11", true)};
  CHECK(m.names() == "dependency-missing");
  CHECK(m.fact("needed by") == "ops_infer   /opt/cudnn/lib/libcudnn_ops_infer.so.8");
  CHECK(m.fix() ==
        "$ apt-get install libcublas-11-0\n"
        "> add the directory that has libcublas.so.11 to LD_LIBRARY_PATH");
  CHECK(calling_may_abort(m.observed));
}

TEST_CASE("cuDNN 8 opens libcuda.so, and WSL2 has libcuda.so.1 alone") {
  machine m("8.7.0", "8.7.0");
  m.observed.files = {test::file_of("shim", "8.7.0"), test::file_of("ops_infer", "8.7.0"),
                      test::file_of("cnn_infer", "8.7.0")};
  m.stamped.sublibraries = {"ops_infer", "cnn_infer"};
  m.stamped.toolkit = {};
  m.observed.dependencies = {of(m, "cnn_infer", dependency_kind::driver, "libcuda.so")};
  m.observed.dependencies.in_place()[0].near_miss.path = "/usr/lib/wsl/lib/libcuda.so.1";
  CHECK(
      m.message() ==
      "refused: cuDNN needs libcuda.so, which the loader does not find\n"
      "  needed:       libcuda.so\n"
      "  found:        nothing     in the directories that the loader searches\n"
      "  passed over:              /usr/lib/wsl/lib/libcuda.so.1\n"
      "  needed by:    cnn_infer   /opt/cudnn/lib/libcudnn_cnn_infer.so.8\n"
      "  It is opened by name when cuDNN compiles an engine; without it cuDNN 8 ends the process.\n"
      "  fix: ln -s /usr/lib/wsl/lib/libcuda.so.1 /opt/cudnn/lib/libcuda.so\n"
      "  [dependency-missing]\n");
  CHECK(m.weight() == severity::warning);
  // The library of that name is of no other CUDA major.
  dependency nvrtc = of(m, "cnn_infer", dependency_kind::nvrtc, "libnvrtc.so");
  m.observed.dependencies = {found(nvrtc, "/cuda/lib64/libnvrtc.so", "11.8.89")};
  CHECK(m.names() == "");
}

TEST_CASE("cuBLASLt, opened by name, is missing") {
  machine m;
  m.observed.dependencies = {
      of(m, "engines_precompiled", dependency_kind::cublaslt, "libcublasLt.so.13")};
  CHECK(m.message() ==
        "refused: cuDNN needs libcublasLt.so.13, which the loader does not find\n"
        "  needed:     libcublasLt.so.13\n"
        "  found:      nothing               in the directories that the loader searches\n"
        "  needed by:  engines_precompiled   /opt/cudnn/lib/libcudnn_engines_precompiled.so.9\n"
        "  It is opened by name when cuDNN computes; without it cuDNN ends the process.\n"
        "  fix: apt-get install libcublas-13-0\n"
        "   or: add the directory that has libcublasLt.so.13 to LD_LIBRARY_PATH\n"
        "  [dependency-missing]\n");
  CHECK_FALSE(calling_may_abort(m.observed));  // the version query does without
  m.observed.dependencies.in_place()[0].near_miss.path = "/venv/nvidia/cu13/lib/libcublasLt.so.13";
  m.observed.ld_library_path = "/x:/y";
  REQUIRE(m.findings().size() == 1);
  CHECK(m.fix() == "$ export LD_LIBRARY_PATH=/venv/nvidia/cu13/lib:$LD_LIBRARY_PATH");
  SUBCASE("a set-uid program obeys no variable") {
    m.observed.secure = true;
    CHECK(m.fix() == "> add /venv/nvidia/cu13/lib to /etc/ld.so.conf, and run ldconfig");
    m.observed.dependencies.in_place()[0].near_miss.path.clear();
    CHECK(test::fix_of({m.findings()[0].fix.back()}) ==
          "> add the directory that has libcublasLt.so.13 to /etc/ld.so.conf, and run ldconfig");
  }
  SUBCASE("a note where nothing can compute, or the program does not use who asks") {
    SUBCASE("no driver") { m.observed.driver.present = answer::no; }
    SUBCASE("a stub") { m.observed.driver.stub = true; }
    SUBCASE("not told") { m.observed.driver.present = answer::unknown; }
    SUBCASE("not used") { m.stamped.sublibraries = {"graph"}; }
    m.options.gpu_optional = true;
    for (const finding& f : m.findings()) CHECK(f.weight == severity::note);
    CHECK(m.names().find("dependency-missing") != std::string::npos);
  }
}

TEST_CASE("a library that is there and damaged") {
  machine m;
  dependency d = of(m, "engines_precompiled", dependency_kind::cublaslt, "libcublasLt.so.13");
  d.path = "/cuda/lib64/libcublasLt.so.13";
  d.chosen_by = test::by_variable;
  d.state = file_state::empty;
  m.observed.dependencies = {d};
  CHECK(m.message() ==
        "refused: cuDNN needs libcublasLt.so.13, which the loader cannot use\n"
        "  needed:     libcublasLt.so.13\n"
        "  found:      an empty file         /cuda/lib64/libcublasLt.so.13   chosen by "
        "LD_LIBRARY_PATH[0]\n"
        "  needed by:  engines_precompiled   /opt/cudnn/lib/libcudnn_engines_precompiled.so.9\n"
        "  It is opened by name when cuDNN computes; without it cuDNN ends the process.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "   or: reinstall the package that contains /cuda/lib64/libcublasLt.so.13\n"
        "  [dependency-missing]\n");
  m.observed.dependencies.in_place()[0].state = file_state::foreign;
  m.observed.dependencies.in_place()[0].machine = 183;
  CHECK(m.findings()[0].found.value == "a file for aarch64");
}

TEST_CASE("NVRTC is missing: a JIT-only set cannot compute, a whole one can") {
  machine m;
  m.observed.dependencies = {of(m, "graph", dependency_kind::nvrtc, "libnvrtc.so.13")};
  REQUIRE(m.findings().size() == 1);
  CHECK(m.weight() == severity::warning);
  CHECK(m.because() ==
        "It is opened by name when cuDNN compiles an engine: those engines would fail.");
  m.make_jit_only();
  CHECK(m.message() ==
        "refused: cuDNN needs libnvrtc.so.13, which the loader does not find\n"
        "  needed:     libnvrtc.so.13\n"
        "  found:      nothing   in the directories that the loader searches\n"
        "  needed by:  graph     /opt/cudnn/lib/libcudnn_graph.so.9\n"
        "  It is opened by name when cuDNN compiles an engine; a JIT-only cuDNN has no others.\n"
        "  fix: apt-get install cuda-nvrtc-13-0\n"
        "   or: add the directory that has libnvrtc.so.13 to LD_LIBRARY_PATH\n"
        "  [dependency-missing]\n");
}

TEST_CASE("NVRTC of CUDA 11 has the number of its first release in its name") {
  machine m;
  m.make_jit_only();
  m.observed.dependencies = {of(m, "graph", dependency_kind::nvrtc, "libnvrtc.so.11.2")};
  const auto package = [&m] { return m.fix().substr(0, m.fix().find('\n')); };
  CHECK(package() == "$ apt-get install cuda-nvrtc-11-2");
}

TEST_CASE("NVRTC does not reach its builtins, as in wheels") {
  machine m;
  m.make_jit_only();
  dependency nvrtc = of(m, "graph", dependency_kind::nvrtc, "libnvrtc.so.13");
  found(nvrtc, "/venv/nvidia/cu13/lib/libnvrtc.so.13", "13.0.88");
  dependency builtins =
      of(m, "graph", dependency_kind::nvrtc_builtins, "libnvrtc-builtins.so.13.0");
  builtins.asked_by = nvrtc.path;
  builtins.near_miss.path = "/venv/nvidia/cu13/lib/libnvrtc-builtins.so.13.0";
  m.observed.dependencies = {nvrtc, builtins};
  CHECK(m.names() == "dependency-missing");
  CHECK(m.fact("passed over") == "/venv/nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
  CHECK(m.fact("needed by") == "nvrtc   /venv/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(m.fix() == "$ export LD_LIBRARY_PATH=/venv/nvidia/cu13/lib");
  m.observed.dependencies.in_place()[1].near_miss.path.clear();
  REQUIRE(m.findings().size() == 1);
  CHECK(m.fix() ==
        "$ apt-get install cuda-nvrtc-13-0\n"
        "> add the directory that has libnvrtc-builtins.so.13.0 to LD_LIBRARY_PATH");
}

TEST_CASE("a library of another CUDA under the name") {
  machine m;
  dependency d = of(m, "engines_precompiled", dependency_kind::cublaslt, "libcublasLt.so.13");
  found(d, "/cuda/lib64/libcublasLt.so.12.9.1.4", "12.9.1");
  m.observed.dependencies = {d};
  CHECK(m.message() ==
        "refused: libcublasLt.so.13 is a library of CUDA 12\n"
        "  asked for:  CUDA 13   libcublasLt.so.13\n"
        "  found:      CUDA 12   /cuda/lib64/libcublasLt.so.12.9.1.4   chosen by ld.so.cache\n"
        "  asked by:             /opt/cudnn/lib/libcudnn_engines_precompiled.so.9\n"
        "  Its functions are those of another CUDA: cuDNN would fail to find them, or abort.\n"
        "  fix: reinstall CUDA 13's own file in /cuda/lib64\n"
        "  [dependency-mixed]\n");
}

TEST_CASE("a name without a number is asked for by cuDNN's own CUDA") {
  machine m;
  make_for_cuda(m, graph_13);
  dependency d = of(m, "graph", dependency_kind::nvrtc, "libnvrtc.so");
  found(d, "/cluster/cuda/8.0/lib64/libnvrtc.so.8.0", "8.0");
  m.observed.dependencies = {d};
  CHECK(m.names() == "dependency-mixed");
  CHECK(m.findings()[0].expected.value == "CUDA 13");
  m.observed.ld_library_path = "/cluster/cuda/8.0/lib64:/opt";
  m.observed.dependencies.in_place()[0].chosen_by = choice(choice_reason::ld_library_path, 0);
  CHECK(m.fix() ==
        "$ export LD_LIBRARY_PATH=/opt\n"
        "> reinstall CUDA 13's own file in /cluster/cuda/8.0/lib64");
  found(m.observed.dependencies.in_place()[0], "/usr/local/cuda/lib64/libnvrtc.so.13", "13.0");
  CHECK(m.names() == "");
  dependency driver = of(m, "graph", dependency_kind::driver, "libcuda.so");
  found(driver, "/usr/lib64/libcuda.so.1", "1.0");
  m.observed.dependencies = {driver};
  CHECK(m.names() == "");
}

TEST_CASE("another install's cuBLAS is resident") {
  machine m;
  dependency d = of(m, "engines_precompiled", dependency_kind::cublaslt, "libcublasLt.so.13");
  found(d, "/usr/local/cuda/lib64/libcublasLt.so.13", "13.0.0");
  d.mapped = true;
  d.search_path = "/venv/nvidia/cu13/lib/libcublasLt.so.13";
  d.search_release = parse_version("13.1.0");
  m.observed.dependencies = {d};
  CHECK(m.message() ==
        "refused: cuDNN would compute with another install's libcublasLt.so.13\n"
        "  own search:  13.1.0   /venv/nvidia/cu13/lib/libcublasLt.so.13\n"
        "  loaded:      13.0.0   /usr/local/cuda/lib64/libcublasLt.so.13   already loaded\n"
        "  asked by:             /opt/cudnn/lib/libcudnn_engines_precompiled.so.9\n"
        "  A library that is already loaded is used for every later request of its name.\n"
        "  fix: let the program load /venv/nvidia/cu13/lib/libcublasLt.so.13 first\n"
        "   or: remove /usr/local/cuda/lib64 from its run path\n"
        "  [dependency-mixed]\n");
  CHECK(m.weight() == severity::warning);
  m.observed.dependencies.in_place()[0]
      .search_release = {};  // wheels' have no number in their names
  REQUIRE(m.names() == "dependency-mixed");
  CHECK(m.weight() == severity::unknown);
  CHECK(m.because() ==
        "A library that is already loaded is used for every later request of its name. Whether it "
        "is older than cuDNN's own is not known.");
  m.observed.dependencies.in_place()[0].search_release = parse_version("13.1.0");
  m.observed.dependencies.in_place()[0].release =
      parse_version("13.2.0");  // a newer one serves as well
  CHECK(m.names() == "");
  m.observed.dependencies.in_place()[0].search_path.clear();  // its own
  CHECK(m.names() == "");
}

TEST_CASE("cuDNN for another CUDA major than the program's") {
  machine m;
  make_for_cuda(m, graph_12);
  m.observed.cudart_majors = {13};
  CHECK(m.message() ==
        "refused: this cuDNN is for CUDA 12, and this program was built with CUDA 13.0\n"
        "  built with:  CUDA 13.0            stamp of app\n"
        "  cuDNN:       9.14.0 for CUDA 12   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by "
        "RUNPATH of app\n"
        "  runtime:     CUDA 13              libcudart.so.13 of this program\n"
        "  It would bring a second CUDA into the process: its own cuBLAS, NVRTC and runtime.\n"
        "  fix: python3 -m pip install nvidia-cudnn-cu13\n"
        "   or: apt-get install cudnn9-cuda-13\n"
        "  [cuda-major]\n");
  SUBCASE("what must stay silent") {
    SUBCASE("any release of that major") { m.stamped.toolkit = parse_version("12.9"); }
    SUBCASE("a toolkit that is not known") { m.stamped.toolkit = {}; }
    SUBCASE("files of one release for both majors") {
      m.file("graph").build_id.clear();
      m.file("shim").build_id = shim_both;
    }
    SUBCASE("a set whose CUDA is not known") { m.file("graph").build_id.clear(); }
    SUBCASE("two runtimes in the process") {
      make_for_cuda(m, graph_13);
      m.observed.cudart_majors = {12, 13};
    }
    CHECK(m.names() == "");
  }
}

TEST_CASE("an older shim does not hide that the rest is for another CUDA major") {
  machine m("9.13.0", "9.14.0");
  make_for_cuda(m, graph_13);
  m.file("shim") = test::file_of("shim", "9.13.0", "/a");
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(m.weight() == severity::warning);
  m.stamped.toolkit = parse_version("12.9");
  CHECK(m.names() == "cuda-major mixed-sublibraries");
}

TEST_CASE("cuDNN for another CUDA major lacks its cuBLASLt too") {
  machine m;
  make_for_cuda(m, graph_12);
  m.observed.dependencies = {
      of(m, "engines_precompiled", dependency_kind::cublaslt, "libcublasLt.so.12")};
  CHECK(m.names() == "cuda-major dependency-missing");
}

TEST_CASE("the CUDA headers and cuDNN are for different majors at configure time") {
  configuration m;
  make_for_cuda(m, graph_12);
  CHECK(m.message() ==
        "refused: this cuDNN is for CUDA 12, and the CUDA headers are of 13.0\n"
        "  headers:  CUDA 13.0            CUDART_VERSION\n"
        "  cuDNN:    9.14.0 for CUDA 12   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH "
        "of app\n"
        "  It would bring a second CUDA into the process: its own cuBLAS, NVRTC and runtime.\n"
        "  fix: python3 -m pip install nvidia-cudnn-cu13\n"
        "   or: apt-get install cudnn9-cuda-13\n"
        "   or: set CUDAToolkit_ROOT to the toolkit of a CUDA 12\n"
        "  [cuda-major]\n");
  make_for_cuda(m, graph_13);
  CHECK(m.names().find("cuda-major") == std::string::npos);
}

TEST_CASE("a version of symbols that cuDNN needs and does not get") {
  machine m;
  m.stamped.sublibraries = {"graph"};
  m.observed.missing_versions = {
      {"GLIBC_2.27", m.file("ops").path, "/app/libm.so.6", "GLIBC_2.15", by_loaded},
      {"GLIBC_2.29", m.file("graph").path, "/app/libm.so.6", "GLIBC_2.15", by_loaded}};
  CHECK(m.message() ==
        "refused: cuDNN needs GLIBC_2.29 of libm.so.6, which the one that it gets lacks\n"
        "  needed:  GLIBC_2.29   by /opt/cudnn/lib/libcudnn_graph.so.9\n"
        "  found:   GLIBC_2.15   /app/libm.so.6   already loaded\n"
        "  needed:  GLIBC_2.27   by /opt/cudnn/lib/libcudnn_ops.so.9\n"
        "  The loader refuses a file that needs what is not there: \"version `GLIBC_2.29' not "
        "found\".\n"
        "  fix: give the program a libm.so.6 that has GLIBC_2.29\n"
        "  [dependency-missing]\n");
  CHECK(calling_may_abort(m.observed));
  missing_version& of_graph = m.observed.missing_versions.in_place()[1];
  of_graph.chosen_by = test::by_variable;
  of_graph.newest = "";
  m.observed.ld_library_path = "/app";
  CHECK(
      m.message().find("  found:   none         /app/libm.so.6   chosen by LD_LIBRARY_PATH[0]\n") !=
      std::string::npos);
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n> give the program a libm.so.6 that has GLIBC_2.29");
  // What no computation of the program needs may be absent.
  m.observed.missing_versions = {
      {"GLIBC_2.27", m.file("ops").path, "/app/libm.so.6", "GLIBC_2.15", by_loaded}};
  CHECK(m.findings()[0].weight == severity::note);
  m.observed.missing_versions = {};
  CHECK(m.names() == "");
  CHECK_FALSE(calling_may_abort(m.observed));
}
