// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <map>

#include "core/observe/observe.h"
#include "elf_builder.h"
#include "fake_system.h"

using namespace cudnn_checked;
using test::elf_builder;
using test::fake_system;

namespace {

// Ids of the packages for CUDA 13.
const std::map<std::string, std::string> ids_of_9_19 = {
    {"shim", "7b1d6c3f711c8ec527069af720800c366c296ba5"},
    {"graph", "563e348c73f66b6c374ff082af576922b0397648"},
};

const std::vector<std::string> roles_9 = {
    "shim",     "graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled",
    "heuristic"};

std::string soname_of(const std::string& role, int major) {
  return (role == "shim" ? "libcudnn" : "libcudnn_" + role) + ".so." + std::to_string(major);
}

std::string library(const std::string& role, const version& v, const std::string& build_id = "") {
  elf_builder b;
  b.soname = soname_of(role, v.major);
  b.runpath = "$ORIGIN";
  b.build_id = build_id;
  if (role == "graph") {
    b.word_name = "cudnn_graph_version";
    b.word = static_cast<std::uint32_t>(v.major << 16 | v.minor << 8 | v.patch);
  }
  return b.build();
}

// A wheel: only the names with the major number.
void add_wheel(fake_system& os, const std::string& directory, const char* release,
               const std::vector<std::string>& roles = roles_9) {
  const version v = parse_version(release);
  for (const std::string& role : roles) {
    std::string id;
    if (v == parse_version("9.19.0") && ids_of_9_19.count(role) != 0) id = ids_of_9_19.at(role);
    os.files[directory + "/" + soname_of(role, v.major)] = library(role, v, id);
  }
}

// A Debian package: files with the whole number, links with the major number.
void add_package(fake_system& os, const std::string& directory, const char* release) {
  const version v = parse_version(release);
  for (const std::string& role : roles_9) {
    const std::string name = soname_of(role, v.major);
    const std::string file = name.substr(0, name.size() - 1) + release;
    os.files[directory + "/" + file] = library(role, v);
    os.links[directory + "/" + name] = file;
    os.cache[name] = directory + "/" + name;
    os.cache[file] = directory + "/" + file;
  }
}

void set_program(fake_system& os, const std::string& runpath,
                 const std::vector<std::string>& needed = {"libcudnn.so.9", "libc.so.6"}) {
  elf_builder b;
  b.runpath = runpath;
  b.needed = needed;
  os.files[os.program] = b.build();
}

observation observe(const fake_system& os, int major = 9) {
  observation seen;
  observe_files(os, major, seen);
  return seen;
}

const cudnn_file& file_of(const observation& seen, const std::string& role) {
  static const cudnn_file none;
  for (const cudnn_file& file : seen.files) {
    if (file.role == role) return file;
  }
  return none;
}

std::string chosen(const observation& seen, const std::string& role) {
  return file_of(seen, role).chosen_by;
}

}  // namespace

TEST_CASE("a wheel found by the program's RUNPATH") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  const observation seen = observe(os);
  CHECK(seen.program_path == os.program);
  CHECK(seen.ld_library_path.empty());
  CHECK(seen.cudnn_major == 9);
  CHECK(seen.linked);
  REQUIRE(seen.files.size() == 8);
  for (std::size_t i = 0; i < roles_9.size(); ++i) {
    CHECK(seen.files[i].role == roles_9[i]);
    CHECK(seen.files[i].state == file_state::whole);
    CHECK(!seen.files[i].mapped);
    CHECK(seen.files[i].soname == soname_of(roles_9[i], 9));
  }
  const cudnn_file& shim = seen.files[0];
  CHECK(shim.name == "libcudnn.so.9");
  CHECK(shim.path == "/venv/lib/libcudnn.so.9");
  CHECK(shim.chosen_by == "RUNPATH of /opt/app/bin/app");
  CHECK(shim.asked_by.empty());
  CHECK(shim.build_id == ids_of_9_19.at("shim"));
  CHECK(file_of(seen, "cnn").asked_by == "/venv/lib/libcudnn.so.9");
  CHECK(chosen(seen, "cnn") == "RUNPATH of /venv/lib/libcudnn.so.9");
  CHECK(file_of(seen, "heuristic").asked_by == "/venv/lib/libcudnn_graph.so.9");
  CHECK(chosen(seen, "heuristic") == "RUNPATH of /venv/lib/libcudnn_graph.so.9");
  CHECK(to_string(file_of(seen, "graph").word) == "9.19.0");
  CHECK(!file_of(seen, "graph").name_version.known());
  CHECK(seen.alternatives.empty());
}

TEST_CASE("Debian's layout keeps to itself under a foreign LD_LIBRARY_PATH, a wheel does not") {
  fake_system os;
  set_program(os, "");
  add_package(os, "/usr/lib/x86_64-linux-gnu", "9.14.0");
  add_wheel(os, "/venv/lib", "9.19.0");
  SUBCASE("the package's shim asks for its own x.y.z first") {
    // The variable has no shim, so the program takes the package's.
    os.files.erase("/venv/lib/libcudnn.so.9");
    os.variables["LD_LIBRARY_PATH"] = "/venv/lib";
    const observation seen = observe(os);
    CHECK(to_string(file_of(seen, "shim").name_version) == "9.14.0");
    CHECK(file_of(seen, "shim").real_path == "/usr/lib/x86_64-linux-gnu/libcudnn.so.9.14.0");
    CHECK(file_of(seen, "graph").name == "libcudnn_graph.so.9.14.0");
    CHECK(chosen(seen, "graph") == "RUNPATH of /usr/lib/x86_64-linux-gnu/libcudnn.so.9");
    CHECK(chosen(seen, "ops") == "RUNPATH of /usr/lib/x86_64-linux-gnu/libcudnn.so.9");
    CHECK(file_of(seen, "heuristic").name == "libcudnn_heuristic.so.9.14.0");
    // Without the variable it would be the same.
    REQUIRE(seen.alternatives.size() == seen.files.size());
    for (const alternative_file& other : seen.alternatives) {
      CHECK(other.path == file_of(seen, other.role.c_str()).path);
    }
  }
  SUBCASE("a wheel's shim finds its x.y.z nowhere, and then the foreign files") {
    os.variables["LD_LIBRARY_PATH"] = "/foreign";
    set_program(os, "/venv/lib");
    add_wheel(os, "/foreign", "9.14.0");
    os.files.erase("/foreign/libcudnn.so.9");
    const observation seen = observe(os);
    CHECK(chosen(seen, "shim") == "RUNPATH of /opt/app/bin/app");
    CHECK(file_of(seen, "graph").name == "libcudnn_graph.so.9");
    CHECK(chosen(seen, "graph") == "LD_LIBRARY_PATH[0]");
    CHECK(to_string(file_of(seen, "graph").word) == "9.14.0");
    // Without the variable all would be right.
    REQUIRE(seen.alternatives.size() == 8);
    CHECK(seen.alternatives[0].path == file_of(seen, "shim").path);
    CHECK(seen.alternatives[1].role == "graph");
    CHECK(seen.alternatives[1].path == "/venv/lib/libcudnn_graph.so.9");
    CHECK(seen.alternatives[1].chosen_by == "RUNPATH of /venv/lib/libcudnn.so.9");
    CHECK(seen.alternatives[1].build_id == ids_of_9_19.at("graph"));
    CHECK(to_string(seen.alternatives[1].word) == "9.19.0");
  }
}

TEST_CASE("a shim of unknown release is only certain to ask for the major number") {
  fake_system os;
  set_program(os, "/opt/lib");
  add_wheel(os, "/opt/lib", "9.55.0");
  os.files["/opt/lib/libcudnn_ops.so.9.55.0"] = library("ops", parse_version("9.55.0"));
  CHECK(file_of(observe(os), "ops").name == "libcudnn_ops.so.9");
  // graph has a version word: what it asks for is known again.
  os.files["/opt/lib/libcudnn_heuristic.so.9.55.0"] = library("heuristic", parse_version("9.55.0"));
  CHECK(file_of(observe(os), "heuristic").name == "libcudnn_heuristic.so.9.55.0");
  os.files.erase("/opt/lib/libcudnn_ops.so.9");
  os.files["/opt/lib/libcudnn_ops.so"] = library("ops", parse_version("9.55.0"));
  CHECK(file_of(observe(os), "ops").name == "libcudnn_ops.so");
}

TEST_CASE("only a name with three numbers tells a release") {
  fake_system os;
  set_program(os, "/opt/lib");
  os.files["/opt/lib/libcudnn.so.9.14"] = library("shim", parse_version("9.14.0"));
  os.links["/opt/lib/libcudnn.so.9"] = "libcudnn.so.9.14";
  CHECK(!file_of(observe(os), "shim").name_version.known());
  os.files["/opt/lib/libcudnn.so.9.14.2"] = library("shim", parse_version("9.14.2"));
  os.links["/opt/lib/libcudnn.so.9"] = "libcudnn.so.9.14.2";
  CHECK(to_string(file_of(observe(os), "shim").name_version) == "9.14.2");
}

TEST_CASE("JIT-only: the other roles are missing, or another install supplies them") {
  fake_system os;
  set_program(os, "/jit");
  add_wheel(os, "/jit", "9.14.0", {"shim", "graph", "engines_runtime_compiled"});
  observation seen = observe(os);
  REQUIRE(seen.files.size() == 8);
  for (const char* role : {"ops", "cnn", "adv", "engines_precompiled", "heuristic"}) {
    CAPTURE(role);
    const cudnn_file& file = file_of(seen, role);
    CHECK(file.state == file_state::missing);
    CHECK(file.path.empty());
    CHECK(file.chosen_by.empty());
    CHECK(file.name == soname_of(role, 9));
  }
  CHECK(file_of(seen, "engines_runtime_compiled").state == file_state::whole);

  add_package(os, "/usr/lib/x86_64-linux-gnu", "9.19.0");
  seen = observe(os);
  CHECK(chosen(seen, "graph") == "RUNPATH of /jit/libcudnn.so.9");
  CHECK(chosen(seen, "ops") == "ld.so.cache");
  CHECK(chosen(seen, "heuristic") == "ld.so.cache");
  CHECK(to_string(file_of(seen, "ops").name_version) == "9.19.0");
}

TEST_CASE("one file is missing, empty, cut, or may not be read") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  const std::string path = "/venv/lib/libcudnn_cnn.so.9";
  const std::string whole = os.files[path];
  os.files.erase(path);
  CHECK(file_of(observe(os), "cnn").state == file_state::missing);
  os.files[path] = "";
  CHECK(file_of(observe(os), "cnn").state == file_state::empty);
  CHECK(file_of(observe(os), "cnn").path == path);
  os.files[path] = "#!/bin/sh";
  CHECK(file_of(observe(os), "cnn").state == file_state::not_elf);
  os.files[path] = whole.substr(0, whole.size() / 3);
  CHECK(file_of(observe(os), "cnn").state == file_state::truncated);
  CHECK(file_of(observe(os), "cnn").size == whole.size() / 3);
  CHECK(file_of(observe(os), "cnn").size_expected == whole.size());
  os.files[path] = whole;
  os.denied.insert(path);
  CHECK(file_of(observe(os), "cnn").state == file_state::unreadable);
  CHECK(file_of(observe(os), "cnn").path == path);
}

TEST_CASE("a name that leads to no library is passed over where the next one helps") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  os.files["/venv/lib/libcudnn_graph.so.9.19.0"] = "";
  const cudnn_file graph = file_of(observe(os), "graph");
  CHECK(graph.state == file_state::whole);
  CHECK(graph.name == "libcudnn_graph.so.9");
}

TEST_CASE("a graph library that was cut does not drag the engines along") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  std::string& graph = os.files["/venv/lib/libcudnn_graph.so.9"];
  graph.resize(graph.size() / 3);
  const observation seen = observe(os);
  CHECK(file_of(seen, "graph").state == file_state::truncated);
  for (const char* role : {"engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
    CHECK(file_of(seen, role).state == file_state::whole);
  }
}

TEST_CASE("what lies beside the graph library is asked for too, and nothing else") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  add_wheel(os, "/venv/lib", "9.19.0", {"engines_tensor_ir", "of_2030"});
  os.files["/venv/lib/libcudnn_old.so.8"] = library("old", parse_version("8.9.7"));
  os.files["/venv/lib/libcudnn_static.a"] = "!<arch>";
  const observation seen = observe(os);
  CHECK(seen.files.size() == 10);
  CHECK(file_of(seen, "engines_tensor_ir").state == file_state::whole);
  CHECK(file_of(seen, "of_2030").asked_by == "/venv/lib/libcudnn_graph.so.9");
}

TEST_CASE("no cuDNN at all") {
  fake_system os;
  set_program(os, "");
  observation seen = observe(os);
  REQUIRE(seen.files.size() == 1);
  CHECK(seen.files[0].role == "shim");
  CHECK(seen.files[0].name == "libcudnn.so.9");
  CHECK(seen.files[0].state == file_state::missing);
  CHECK(seen.linked);
  set_program(os, "", {"libc.so.6"});
  seen = observe(os);
  CHECK(!seen.linked);
  CHECK(seen.files.size() == 1);
}

TEST_CASE("what is mapped is known") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  const std::string id = "14838e3bbe1e62963911efae12d83d4c23e399ce";
  os.mapped = {{"/lib/libc.so.6", "libc.so.6", ""},
               {"/venv/lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim")},
               {"/elsewhere/libcudnn_graph.so.9", "libcudnn_graph.so.9", id}};
  observation seen = observe(os);
  CHECK(seen.linked);
  CHECK(file_of(seen, "shim").mapped);
  // The search leads to the same file, which tells why it was taken.
  CHECK(chosen(seen, "shim") == "RUNPATH of /opt/app/bin/app");
  CHECK(seen.files.size() == 8);
  // The file on the disk has gone; what is in memory counts.
  CHECK(chosen(seen, "graph") == "already loaded");
  const cudnn_file& graph = file_of(seen, "graph");
  CHECK(graph.mapped);
  CHECK(graph.path == "/elsewhere/libcudnn_graph.so.9");
  CHECK(graph.build_id == id);
  CHECK(graph.state == file_state::whole);
  CHECK(!file_of(seen, "ops").mapped);

  // Another one lies there now: its word is not that of the memory.
  os.files["/elsewhere/libcudnn_graph.so.9"] =
      library("graph", parse_version("9.19.0"), ids_of_9_19.at("graph"));
  CHECK(file_of(observe(os), "graph").build_id == id);
  CHECK(!file_of(observe(os), "graph").word.known());
  os.files["/elsewhere/libcudnn_graph.so.9"] = library("graph", parse_version("9.14.0"), id);
  CHECK(to_string(file_of(observe(os), "graph").word) == "9.14.0");
  // A mapped file that was cut is one whose pages cannot be read.
  os.files["/elsewhere/libcudnn_graph.so.9"].resize(100);
  CHECK(file_of(observe(os), "graph").state == file_state::truncated);
}

TEST_CASE("a file that was mapped under a relative name is recorded once") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/home/user/lib", "9.19.0");
  os.variables["LD_LIBRARY_PATH"] = "lib";
  os.mapped = {{"lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim")}};
  const observation seen = observe(os);
  CHECK(seen.files.size() == 8);
  CHECK(file_of(seen, "shim").path == "/home/user/lib/libcudnn.so.9");
  CHECK(chosen(seen, "shim") == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("LD_PRELOAD put it there") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  os.links["/link"] = "/venv/lib";
  os.mapped = {{"/venv/lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim")}};
  for (const char* list :
       {"/a.so:/venv/lib/libcudnn.so.9", "libcudnn.so.9 /a.so", "/link/libcudnn.so.9"}) {
    os.variables["LD_PRELOAD"] = list;
    CHECK(chosen(observe(os), "shim") == "LD_PRELOAD");
  }
  os.variables["LD_PRELOAD"] = "/elsewhere/libcudnn.so.9: ";
  CHECK(chosen(observe(os), "shim") == "RUNPATH of /opt/app/bin/app");
}

TEST_CASE("two of a role are mapped") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  os.mapped = {{"/a/libcudnn_graph.so.9", "libcudnn_graph.so.9", "aa"},
               {"/b/libcudnn_graph.so.9", "libcudnn_graph.so.9", "bb"}};
  int graphs = 0;
  for (const cudnn_file& file : observe(os).files) {
    if (file.role == "graph" && file.mapped) ++graphs;
  }
  CHECK(graphs == 2);
}

TEST_CASE("a renamed library is known by its id or SONAME") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/venv/lib", "9.19.0");
  os.mapped = {{"/x/renamed.so", "", ids_of_9_19.at("graph")},
               {"/x/other.so", "libcudnn_ops-0a1b2c3d.so.9", ""}};
  const observation seen = observe(os);
  CHECK(file_of(seen, "graph").path == "/x/renamed.so");
  CHECK(file_of(seen, "ops").path == "/x/other.so");
}

TEST_CASE("the major version: what is mapped, what the program needs, what it was built for") {
  fake_system os;
  set_program(os, "/opt/lib8", {"libcudnn.so.8"});
  const std::vector<std::string> roles_8 = {"shim",      "ops_infer", "ops_train", "cnn_infer",
                                            "cnn_train", "adv_infer", "adv_train"};
  add_wheel(os, "/opt/lib8", "8.9.7", roles_8);
  observation seen = observe(os, 9);
  CHECK(seen.cudnn_major == 8);
  REQUIRE(seen.files.size() == 7);
  CHECK(file_of(seen, "ops_infer").asked_by == "/opt/lib8/libcudnn.so.8");
  CHECK(file_of(seen, "ops_infer").name == "libcudnn_ops_infer.so.8");

  set_program(os, "/opt/lib8", {});
  CHECK(observe(os, 8).cudnn_major == 8);
  CHECK(observe(os, 0).cudnn_major == 9);

  set_program(os, "/venv/lib", {"libcudnn.so.9"});
  add_wheel(os, "/venv/lib", "9.19.0");
  os.mapped = {{"/opt/lib8/libcudnn.so.8", "libcudnn.so.8", ""}};
  CHECK(observe(os, 9).cudnn_major == 8);
  os.mapped.push_back({"/venv/lib/libcudnn.so.9", "libcudnn.so.9", ""});
  seen = observe(os, 9);
  CHECK(seen.cudnn_major == 9);
  // The other one is there all the same.
  CHECK(seen.files.front().path == "/venv/lib/libcudnn.so.9");
  CHECK(seen.files.back().path == "/opt/lib8/libcudnn.so.8");
  CHECK(seen.files.back().mapped);
}
