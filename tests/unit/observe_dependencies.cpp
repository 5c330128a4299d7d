// SPDX-License-Identifier: BSD-3-Clause
//
// Which files the loader would take for what cuDNN uses and does not ship.
#include <doctest/doctest.h>

#include "cudnn_installs.h"

using namespace cudnn_checked;
using test::elf_builder;
using test::fake_system;

static constexpr const char* graph_9_19_for_13 = "563e348c73f66b6c374ff082af576922b0397648";

static std::string plain(const std::string& soname, const std::string& build_id = "") {
  elf_builder b;
  b.soname = soname;
  b.build_id = build_id;
  return b.build();
}

// A JIT-only wheel: its graph library needs libz, and is for CUDA 13.
static fake_system wheel(const char* graph_id = graph_9_19_for_13,
                         const char* graph_runpath = "$ORIGIN:$ORIGIN/../../cu13/lib") {
  fake_system os;
  const std::string lib = "/venv/nvidia/cudnn/lib/";
  test::add_wheel(os, "/venv/nvidia/cudnn/lib", "9.19.0", {"shim", "engines_runtime_compiled"});
  elf_builder graph;
  graph.soname = "libcudnn_graph.so.9";
  graph.runpath = graph_runpath;
  graph.build_id = graph_id;
  graph.needed = {"libz.so.1", "libc.so.6", "libcuda.so.1"};
  os.files[lib + "libcudnn_graph.so.9"] = graph.build();
  os.files["/lib/x86_64-linux-gnu/libz.so.1.2.13"] = plain("libz.so.1");
  os.links["/lib/x86_64-linux-gnu/libz.so.1"] = "libz.so.1.2.13";
  test::set_program(os, "/venv/nvidia/cudnn/lib",
                    {"libcudnn.so.9", "libcudart.so.13", "libc.so.6"});
  return os;
}

static observation look(const fake_system& os) {
  observation observed = test::observe(os);
  loader search(os);
  observe_dependencies(search, observed);
  return observed;
}

static dependency find(const observation& observed, dependency_kind kind) {
  for (const dependency& d : observed.dependencies) {
    if (d.kind == kind) return d;
  }
  return {};
}

TEST_CASE("NEEDED entries that can be absent, and no others") {
  const observation observed = look(wheel());
  const dependency z = find(observed, dependency_kind::libz);
  CHECK(z.name == "libz.so.1");
  CHECK(z.needed);
  CHECK(z.asked_by == "/venv/nvidia/cudnn/lib/libcudnn_graph.so.9");
  CHECK(z.path == "/lib/x86_64-linux-gnu/libz.so.1");
  CHECK(to_string(z.chosen_by) == "default path");
  CHECK(z.state == file_state::whole);
  CHECK(to_string(z.release) == "1.2.13");
  CHECK(z.cuda_major == 0);
  // libz, and NVRTC, which is opened by name: neither libc nor the driver.
  CHECK(observed.dependencies.size() == 2);
  CHECK(observed.cudart_majors == std::vector<int>{13});
}

TEST_CASE("libz in LD_LIBRARY_PATH is found though listings leave it out") {
  fake_system os = wheel();
  os.variables["LD_LIBRARY_PATH"] = "/own";
  os.files["/own/libz.so.1"] = plain("libz.so.1");
  CHECK(to_string(find(look(os), dependency_kind::libz).chosen_by) == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("libz is missing") {
  fake_system os = wheel();
  os.files.erase("/lib/x86_64-linux-gnu/libz.so.1.2.13");
  os.links.clear();
  const dependency z = find(look(os), dependency_kind::libz);
  CHECK(z.state == file_state::missing);
  CHECK(z.path == "");
  CHECK(z.needed);
}

TEST_CASE("NVRTC is asked for by the CUDA major of the file that asks") {
  fake_system os = wheel();
  dependency nvrtc = find(look(os), dependency_kind::nvrtc);
  CHECK(nvrtc.name == "libnvrtc.so.13");
  CHECK_FALSE(nvrtc.needed);
  CHECK(nvrtc.state == file_state::missing);
  CHECK(find(look(os), dependency_kind::nvrtc_builtins).name == "");
  os.cache["libnvrtc.so.13"] = "/cuda/lib64/libnvrtc.so.13";
  os.files["/cuda/lib64/libnvrtc.so.13.0.88"] = plain("libnvrtc.so.13");
  os.links["/cuda/lib64/libnvrtc.so.13"] = "libnvrtc.so.13.0.88";
  nvrtc = find(look(os), dependency_kind::nvrtc);
  CHECK(nvrtc.path == "/cuda/lib64/libnvrtc.so.13");
  CHECK(to_string(nvrtc.chosen_by) == "ld.so.cache");
  CHECK(to_string(nvrtc.release) == "13.0.88");
  CHECK(nvrtc.cuda_major == 13);
  // Its release names its builtins.
  CHECK(find(look(os), dependency_kind::nvrtc_builtins).name == "libnvrtc-builtins.so.13.0");
  CHECK(find(look(os), dependency_kind::nvrtc_builtins).asked_by == "/cuda/lib64/libnvrtc.so.13");
}

TEST_CASE("a set whose CUDA major is not known is not looked up") {
  const observation observed = look(wheel("00112233445566778899", "$ORIGIN"));
  CHECK(find(observed, dependency_kind::nvrtc).name == "");
  CHECK(find(observed, dependency_kind::libz).name == "libz.so.1");
}

// cnn_infer of 8.7.0, or ops_infer of 8.9.6, for CUDA 11, and what the loader finds.
static fake_system wheel_of_8(const char* role, const char* build_id) {
  fake_system os;
  const std::string lib = "/venv/nvidia/cudnn/lib";
  test::add_wheel(os, lib, "8.7.0", {"shim", "ops_infer", "cnn_infer"});
  elf_builder own;
  own.soname = std::string("libcudnn_") + role + ".so.8";
  own.runpath = "$ORIGIN:$ORIGIN/../../cublas/lib";
  own.build_id = build_id;
  os.files[lib + "/" + own.soname] = own.build();
  test::set_program(os, lib, {"libcudnn.so.8"});
  return os;
}

TEST_CASE("cuDNN 8 opens NVRTC and the driver by names without a number, up to 8.7") {
  fake_system os = wheel_of_8("cnn_infer", "ba2c8b5873fe13a1d418e75d58666e5677eabe2d");
  dependency nvrtc = find(look(os), dependency_kind::nvrtc);
  CHECK(nvrtc.name == "libnvrtc.so");
  CHECK(nvrtc.state == file_state::missing);
  CHECK(nvrtc.near_miss.path == "");
  // Where there is no driver at all, that is another finding.
  CHECK(find(look(os), dependency_kind::driver).name == "");
  os.cache["libcuda.so.1"] = "/usr/lib/wsl/lib/libcuda.so.1";
  os.files["/usr/lib/wsl/lib/libcuda.so.1"] = plain("libcuda.so.1");
  os.files["/venv/nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2"] = plain("libnvrtc.so.11.2");
  const dependency driver = find(look(os), dependency_kind::driver);
  CHECK(driver.name == "libcuda.so");
  CHECK(driver.near_miss.path == "/usr/lib/wsl/lib/libcuda.so.1");
  CHECK(find(look(os), dependency_kind::nvrtc).near_miss.path ==
        "/venv/nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2");
  os.cache["libnvrtc.so"] = "/cuda/lib64/libnvrtc.so";
  os.files["/cuda/lib64/libnvrtc.so.11.8.89"] = plain("libnvrtc.so.11.2");
  os.links["/cuda/lib64/libnvrtc.so"] = "libnvrtc.so.11.8.89";
  nvrtc = find(look(os), dependency_kind::nvrtc);
  CHECK(nvrtc.state == file_state::whole);
  CHECK(nvrtc.cuda_major == 11);
}

TEST_CASE("the first release that opens NVRTC so, and the first that no longer does") {
  const auto opened_by = [](const char* build_id) {
    const fake_system os = wheel_of_8("cnn_infer", build_id);
    return std::string(find(look(os), dependency_kind::nvrtc).name);
  };
  CHECK(opened_by("500894a574186f98f4ad063617768decd6251030") == "libnvrtc.so");  // 8.5.0
  CHECK(opened_by("90bd792331f2a1ae93b100759502fdbb50a88f4f").empty());           // 8.8.0
}

TEST_CASE("cuDNN 8.8 and newer opens cuBLASLt by name") {
  const fake_system os = wheel_of_8("ops_infer", "26f90bd9d9427434ee955d70b19ae6251f78b00d");
  const dependency cublaslt = find(look(os), dependency_kind::cublaslt);
  CHECK(cublaslt.name == "libcublasLt.so.11");
  CHECK_FALSE(cublaslt.needed);
  CHECK(cublaslt.state == file_state::missing);
}

TEST_CASE("NVRTC of a wheel does not reach the builtins beside it") {
  fake_system os = wheel();
  const std::string lib = "/venv/nvidia/cu13/lib/";
  os.files[lib + "libnvrtc.so.13"] = plain("libnvrtc.so.13");
  os.files[lib + "libnvrtc-builtins.so.13.0"] = plain("libnvrtc-builtins.so.13.0");
  os.files[lib + "libnvrtc-builtins.alt.so.13.0"] = plain("libnvrtc-builtins.alt.so.13.0");
  CHECK(to_string(find(look(os), dependency_kind::nvrtc).chosen_by) ==
        "RUNPATH of /venv/nvidia/cudnn/lib/libcudnn_graph.so.9");
  dependency builtins = find(look(os), dependency_kind::nvrtc_builtins);
  CHECK(builtins.name == "libnvrtc-builtins.so.13.0");
  CHECK(builtins.state == file_state::missing);
  CHECK(builtins.near_miss.path == "/venv/nvidia/cu13/lib/libnvrtc-builtins.so.13.0");
  os.variables["LD_LIBRARY_PATH"] = "/venv/nvidia/cu13/lib";
  builtins = find(look(os), dependency_kind::nvrtc_builtins);
  CHECK(builtins.state == file_state::whole);
  CHECK(builtins.near_miss.path == "");
}

TEST_CASE("a copy in a wheel's folder that the run path leaves out") {
  fake_system os = wheel();
  os.files["/venv/nvidia/cuda_nvrtc/lib/libnvrtc.so.13"] = plain("libnvrtc.so.13");
  CHECK(find(look(os), dependency_kind::nvrtc).near_miss.path ==
        "/venv/nvidia/cuda_nvrtc/lib/libnvrtc.so.13");
}

TEST_CASE(
    "a wheel's library that the program brings, where cuDNN's own search ends in ld.so.cache") {
  fake_system os = wheel(graph_9_19_for_13, "$ORIGIN");
  os.files["/venv/nvidia/cu13/lib/libnvrtc.so.13"] = plain("libnvrtc.so.13", "aa");
  os.files["/cuda/libnvrtc.so.13"] = plain("libnvrtc.so.13", "bb");
  os.cache["libnvrtc.so.13"] = "/cuda/libnvrtc.so.13";
  os.mapped = {{"/venv/nvidia/cu13/lib/libnvrtc.so.13", "libnvrtc.so.13", "aa"}};
  CHECK(find(look(os), dependency_kind::nvrtc).path == "/venv/nvidia/cu13/lib/libnvrtc.so.13");
  CHECK(find(look(os), dependency_kind::nvrtc).search_path == "");
  // Where both releases are known, they can be compared.
  os.files.erase("/cuda/libnvrtc.so.13");
  os.files["/cuda/libnvrtc.so.13.1.88"] = plain("libnvrtc.so.13", "bb");
  os.links["/cuda/libnvrtc.so.13"] = "libnvrtc.so.13.1.88";
  os.files.erase("/venv/nvidia/cu13/lib/libnvrtc.so.13");
  os.files["/venv/nvidia/cu13/lib/libnvrtc.so.13.0.88"] = plain("libnvrtc.so.13", "aa");
  os.links["/venv/nvidia/cu13/lib/libnvrtc.so.13"] = "libnvrtc.so.13.0.88";
  CHECK(find(look(os), dependency_kind::nvrtc).search_path == "/cuda/libnvrtc.so.13");
}

TEST_CASE("a resident library, and the one that cuDNN's own search leads to") {
  fake_system os = wheel();
  os.files["/venv/nvidia/cu13/lib/libnvrtc.so.13"] = plain("libnvrtc.so.13", "aa");
  os.files["/cuda/libnvrtc.so.13.0.88"] = plain("libnvrtc.so.13", "bb");
  os.links["/cuda/libnvrtc.so.13"] = "libnvrtc.so.13.0.88";
  os.mapped = {{"/cuda/libnvrtc.so.13", "libnvrtc.so.13", "bb"}};
  dependency nvrtc = find(look(os), dependency_kind::nvrtc);
  CHECK(nvrtc.mapped);
  CHECK(nvrtc.path == "/cuda/libnvrtc.so.13");
  CHECK(to_string(nvrtc.chosen_by) == "already loaded");
  CHECK(nvrtc.search_path == "/venv/nvidia/cudnn/lib/../../cu13/lib/libnvrtc.so.13");
  // Who NEEDs it says how it came.
  {
    fake_system other = os;
    elf_builder plugin;
    plugin.runpath = "/cuda";
    plugin.needed = {"libnvrtc.so.13"};
    other.files["/app/plugin.so"] = plugin.build();
    other.mapped.push_back({"/app/plugin.so", "plugin.so", ""});
    CHECK(to_string(find(look(other), dependency_kind::nvrtc).chosen_by) ==
          "RUNPATH of /app/plugin.so");
  }
  // The same build in both places.
  os.files["/venv/nvidia/cu13/lib/libnvrtc.so.13"] = plain("libnvrtc.so.13", "bb");
  CHECK(find(look(os), dependency_kind::nvrtc).search_path == "");
  // The very file that cuDNN would have found.
  os.mapped[0].path = "/venv/nvidia/cu13/lib/libnvrtc.so.13";
  CHECK(to_string(find(look(os), dependency_kind::nvrtc).chosen_by) ==
        "RUNPATH of /venv/nvidia/cudnn/lib/libcudnn_graph.so.9");
}

TEST_CASE("a file of another CUDA under the name that is asked for") {
  fake_system os = wheel();
  os.files["/venv/nvidia/cu13/lib/libnvrtc.so.13"] = plain("libnvrtc.so.12");
  CHECK(find(look(os), dependency_kind::nvrtc).cuda_major == 12);
}

TEST_CASE("runtimes in the process, each once") {
  fake_system os = wheel();
  os.mapped = {{"/a/libcudart.so.12", "libcudart.so.12", ""},
               {"/b/libcudart.so.11.0", "libcudart.so.11.0", ""},
               {"/c/libcudart.so.12", "libcudart.so.12", ""}};
  CHECK(look(os).cudart_majors == std::vector<int>{12, 11, 13});
}

static elf_builder with_versions(const std::string& soname, const char* newest) {
  elf_builder b;
  b.soname = soname;
  b.defined_versions = {soname, "GLIBC_2.2.5", newest};
  return b;
}

// What the wheel's graph library needs, and is loaded later than the program's start.
static fake_system wheel_that_needs(const std::vector<std::pair<std::string, std::string>>& all) {
  fake_system os = wheel();
  elf_builder graph;
  graph.soname = "libcudnn_graph.so.9";
  graph.needed = {"libz.so.1", "libm.so.6"};
  for (const auto& [library, name] : all) graph.needed_versions.push_back({library, name});
  os.files["/venv/nvidia/cudnn/lib/libcudnn_graph.so.9"] = graph.build();
  os.files["/lib/x86_64-linux-gnu/libm.so.6"] = with_versions("libm.so.6", "GLIBC_2.36").build();
  return os;
}

static std::string lacking(const fake_system& os) {
  observation observed = look(os);
  loader search(os);
  observe_needed_versions(search, observed);
  std::string text;
  for (const missing_version& v : observed.missing_versions) {
    text += v.name + " by " + base_name(v.asked_by) + ", " + v.library + " has " + v.newest + ", " +
            to_string(v.chosen_by) + "\n";
  }
  return text;
}

TEST_CASE("versions of symbols that a library of cuDNN needs when it is loaded later") {
  fake_system os = wheel_that_needs({{"libm.so.6", "GLIBC_2.27"}, {"libm.so.6", "GLIBC_2.36"}});
  CHECK(lacking(os) ==
        "GLIBC_2.27 by libcudnn_graph.so.9, /lib/x86_64-linux-gnu/libm.so.6 has GLIBC_2.36, "
        "default path\n");
  os = wheel_that_needs({{"libm.so.6", "GLIBC_2.2.5"},
                         {"libgone.so.1", "GONE_1"},
                         {"libcudnn_ops_infer.so.8", "libcudnn_ops_infer.so.8"},
                         {"ld-linux-x86-64.so.2", "GLIBC_2.3"}});
  CHECK(lacking(os) == "");
  // The program's own is loaded, and serves whatever the search of cuDNN would lead to.
  os = wheel_that_needs({{"libm.so.6", "GLIBC_2.36"}});
  os.files["/app/libm.so.6"] = with_versions("libm.so.6", "GLIBC_2.15").build();
  CHECK(lacking(os) == "");
  os.mapped.push_back({"/app/libm.so.6", "libm.so.6", ""});
  CHECK(lacking(os) ==
        "GLIBC_2.36 by libcudnn_graph.so.9, /app/libm.so.6 has GLIBC_2.15, already loaded\n");
  os.variables["LD_LIBRARY_PATH"] = "/app";
  CHECK(lacking(os) ==
        "GLIBC_2.36 by libcudnn_graph.so.9, /app/libm.so.6 has GLIBC_2.15, LD_LIBRARY_PATH[0]\n");
  // What has no versions serves all.
  os.files["/app/libm.so.6"] = plain("libm.so.6");
  CHECK(lacking(os) == "");
}
