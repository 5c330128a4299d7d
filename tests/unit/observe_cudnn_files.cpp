// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "cudnn_installs.h"

using namespace test;

TEST_CASE("a wheel found by the program's RUNPATH") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  const observation observed = observe(os);
  CHECK(observed.program_path == os.program);
  CHECK(observed.ld_library_path.empty());
  CHECK(observed.cudnn_major == 9);
  CHECK(observed.linked);
  REQUIRE(observed.files.size() == 8);
  for (std::size_t i = 0; i < roles_9.size(); ++i) {
    CHECK(observed.files[i].role == roles_9[i]);
    CHECK(observed.files[i].state == file_state::whole);
    CHECK(!observed.files[i].mapped);
    CHECK(observed.files[i].soname == soname_of(roles_9[i], 9));
  }
  const cudnn_file& shim = observed.files[0];
  CHECK(shim.name == "libcudnn.so.9");
  CHECK(shim.path == "/venv/lib/libcudnn.so.9");
  CHECK(to_string(shim.chosen_by) == "RUNPATH of /opt/app/bin/app");
  CHECK(shim.asked_by.empty());
  CHECK(shim.build_id == ids_of_9_19.at("shim"));
  CHECK(file_of(observed, "cnn").asked_by == "/venv/lib/libcudnn.so.9");
  CHECK(chosen(observed, "cnn") == "RUNPATH of /venv/lib/libcudnn.so.9");
  CHECK(file_of(observed, "heuristic").asked_by == "/venv/lib/libcudnn_graph.so.9");
  CHECK(chosen(observed, "heuristic") == "RUNPATH of /venv/lib/libcudnn_graph.so.9");
  CHECK(to_string(file_of(observed, "graph").word) == "9.19.0");
  CHECK(!file_of(observed, "graph").name_version.known());
  CHECK(observed.alternatives.empty());
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
    const observation observed = observe(os);
    CHECK(to_string(file_of(observed, "shim").name_version) == "9.14.0");
    CHECK(file_of(observed, "shim").real_path == "/usr/lib/x86_64-linux-gnu/libcudnn.so.9.14.0");
    CHECK(file_of(observed, "graph").name == "libcudnn_graph.so.9.14.0");
    CHECK(chosen(observed, "graph") == "RUNPATH of /usr/lib/x86_64-linux-gnu/libcudnn.so.9");
    CHECK(chosen(observed, "ops") == "RUNPATH of /usr/lib/x86_64-linux-gnu/libcudnn.so.9");
    CHECK(file_of(observed, "heuristic").name == "libcudnn_heuristic.so.9.14.0");
    // Without the variable it would be the same.
    REQUIRE(observed.alternatives.size() == observed.files.size());
    for (const alternative_file& other : observed.alternatives) {
      CHECK(other.path == file_of(observed, other.role).path);
    }
  }
  SUBCASE("a wheel's shim finds its x.y.z nowhere, and then the foreign files") {
    os.variables["LD_LIBRARY_PATH"] = "/foreign";
    set_program(os, "/venv/lib");
    add_wheel(os, "/foreign", "9.14.0");
    os.files.erase("/foreign/libcudnn.so.9");
    const observation observed = observe(os);
    CHECK(chosen(observed, "shim") == "RUNPATH of /opt/app/bin/app");
    CHECK(file_of(observed, "graph").name == "libcudnn_graph.so.9");
    CHECK(chosen(observed, "graph") == "LD_LIBRARY_PATH[0]");
    CHECK(to_string(file_of(observed, "graph").word) == "9.14.0");
    // Without the variable all would be right.
    REQUIRE(observed.alternatives.size() == 8);
    CHECK(observed.alternatives[0].path == file_of(observed, "shim").path);
    CHECK(observed.alternatives[1].role == "graph");
    CHECK(observed.alternatives[1].path == "/venv/lib/libcudnn_graph.so.9");
    CHECK(to_string(observed.alternatives[1].chosen_by) == "RUNPATH of /venv/lib/libcudnn.so.9");
    CHECK(observed.alternatives[1].build_id == ids_of_9_19.at("graph"));
    CHECK(to_string(observed.alternatives[1].word) == "9.19.0");
  }
}

TEST_CASE("a shim of unknown release is only certain to ask for the major number") {
  fake_system os = with_wheel("/opt/lib", "9.55.0");
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
  fake_system os = with_wheel("/jit", "9.14.0", {"shim", "graph", "engines_runtime_compiled"});
  observation observed = observe(os);
  REQUIRE(observed.files.size() == 8);
  for (const char* role : {"ops", "cnn", "adv", "engines_precompiled", "heuristic"}) {
    CAPTURE(role);
    const cudnn_file& file = file_of(observed, role);
    CHECK(file.state == file_state::missing);
    CHECK(file.path.empty());
    CHECK(!file.chosen_by.known());
    CHECK(file.name == soname_of(role, 9));
  }
  CHECK(file_of(observed, "engines_runtime_compiled").state == file_state::whole);

  add_package(os, "/usr/lib/x86_64-linux-gnu", "9.19.0");
  observed = observe(os);
  CHECK(chosen(observed, "graph") == "RUNPATH of /jit/libcudnn.so.9");
  CHECK(chosen(observed, "ops") == "ld.so.cache");
  CHECK(chosen(observed, "heuristic") == "ld.so.cache");
  CHECK(to_string(file_of(observed, "ops").name_version) == "9.19.0");
}

TEST_CASE("one file is missing, empty, cut, too long, or may not be read") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
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
  os.files[path] = whole + std::string(100000, '\0');
  CHECK(file_of(observe(os), "cnn").state == file_state::overlong);
  CHECK(file_of(observe(os), "cnn").size_expected == whole.size());
  os.files[path] = whole;
  os.denied.insert(path);
  CHECK(file_of(observe(os), "cnn").state == file_state::unreadable);
  CHECK(file_of(observe(os), "cnn").path == path);
}

TEST_CASE("a name that leads to no library is passed over where the next one helps") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  os.files["/venv/lib/libcudnn_graph.so.9.19.0"] = "";
  const cudnn_file graph = file_of(observe(os), "graph");
  CHECK(graph.state == file_state::whole);
  CHECK(graph.name == "libcudnn_graph.so.9");
}

TEST_CASE("a graph library that was cut does not drag the engines along") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  std::string& graph = os.files["/venv/lib/libcudnn_graph.so.9"];
  graph.resize(graph.size() / 3);
  const observation observed = observe(os);
  CHECK(file_of(observed, "graph").state == file_state::truncated);
  for (const char* role : {"engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
    CHECK(file_of(observed, role).state == file_state::whole);
  }
}

TEST_CASE("what lies beside the graph library is asked for too, and nothing else") {
  fake_system os = with_wheel("/venv/lib", "9.18.0");
  add_wheel(os, "/venv/lib", "9.18.0", {"engines_tensor_ir", "of_2030"});
  os.files["/venv/lib/libcudnn_old.so.8"] = library("old", parse_version("8.9.7"));
  os.files["/venv/lib/libcudnn_static.a"] = "!<arch>";
  const observation observed = observe(os);
  CHECK(observed.files.size() == 10);
  CHECK(file_of(observed, "engines_tensor_ir").state == file_state::whole);
  CHECK(file_of(observed, "of_2030").asked_by == "/venv/lib/libcudnn_graph.so.9");
}

TEST_CASE("no cuDNN at all") {
  fake_system os;
  set_program(os, "");
  observation observed = observe(os);
  REQUIRE(observed.files.size() == 1);
  CHECK(observed.files[0].role == "shim");
  CHECK(observed.files[0].name == "libcudnn.so.9");
  CHECK(observed.files[0].state == file_state::missing);
  CHECK(observed.linked);
  set_program(os, "", {"libc.so.6"});
  observed = observe(os);
  CHECK(!observed.linked);
  CHECK(observed.files.size() == 1);
}

TEST_CASE("the major version: what is mapped, what the program needs, what it was built for") {
  fake_system os;
  set_program(os, "/opt/lib8", {"libcudnn.so.8"});
  const std::vector<std::string> roles_8 = {"shim",      "ops_infer", "ops_train", "cnn_infer",
                                            "cnn_train", "adv_infer", "adv_train"};
  add_wheel(os, "/opt/lib8", "8.9.7", roles_8);
  observation observed = observe(os, 9);
  CHECK(observed.cudnn_major == 8);
  REQUIRE(observed.files.size() == 7);
  CHECK(file_of(observed, "ops_infer").asked_by == "/opt/lib8/libcudnn.so.8");
  CHECK(file_of(observed, "ops_infer").name == "libcudnn_ops_infer.so.8");

  set_program(os, "/opt/lib8", {});
  CHECK(observe(os, 8).cudnn_major == 8);
  CHECK(observe(os, 0).cudnn_major == 9);

  set_program(os, "/venv/lib", {"libcudnn.so.9"});
  add_wheel(os, "/venv/lib", "9.19.0");
  os.mapped = {{"/opt/lib8/libcudnn.so.8", "libcudnn.so.8", ""}};
  CHECK(observe(os, 9).cudnn_major == 8);
  os.mapped.push_back({"/venv/lib/libcudnn.so.9", "libcudnn.so.9", ""});
  observed = observe(os, 9);
  CHECK(observed.cudnn_major == 9);
  // The other one is there all the same.
  CHECK(observed.files.front().path == "/venv/lib/libcudnn.so.9");
  CHECK(observed.files.back().path == "/opt/lib8/libcudnn.so.8");
  CHECK(observed.files.back().mapped);
}
