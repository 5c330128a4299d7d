// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "cudnn_installs.h"

using namespace test;

TEST_CASE("what is mapped is known") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  const std::string id = "14838e3bbe1e62963911efae12d83d4c23e399ce";
  os.mapped = {{"/lib/libc.so.6", "libc.so.6", ""},
               {"/venv/lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim")},
               {"/elsewhere/libcudnn_graph.so.9", "libcudnn_graph.so.9", id}};
  observation observed = observe(os);
  CHECK(observed.linked);
  CHECK(file_of(observed, "shim").mapped);
  // The search leads to the same file, which tells why it was taken.
  CHECK(chosen(observed, "shim") == "RUNPATH of /opt/app/bin/app");
  CHECK(observed.files.size() == 8);
  // The file on the disk has gone; what is in memory counts.
  CHECK(chosen(observed, "graph") == "already loaded");
  const cudnn_file& graph = file_of(observed, "graph");
  CHECK(graph.mapped);
  CHECK(graph.path == "/elsewhere/libcudnn_graph.so.9");
  CHECK(graph.build_id == id);
  CHECK(graph.state == file_state::whole);
  CHECK(!file_of(observed, "ops").mapped);

  // Another one lies there now: its word is not that of the memory.
  os.files["/elsewhere/libcudnn_graph.so.9"] =
      library("graph", parse_version("9.19.0"), ids_of_9_19.at("graph"));
  CHECK(file_of(observe(os), "graph").build_id == id);
  CHECK(!file_of(observe(os), "graph").word.known());
  os.files["/elsewhere/libcudnn_graph.so.9"] = library("graph", parse_version("9.14.0"), id);
  CHECK(to_string(file_of(observe(os), "graph").word) == "9.14.0");
  // A mapped file that was cut is one whose pages cannot be read.
  os.files["/elsewhere/libcudnn_graph.so.9"].resize(200000);
  CHECK(file_of(observe(os), "graph").state == file_state::overlong);
  os.files["/elsewhere/libcudnn_graph.so.9"].resize(100);
  CHECK(file_of(observe(os), "graph").state == file_state::truncated);
}

TEST_CASE("a file that was mapped under a relative name is recorded once") {
  fake_system os;
  set_program(os, "/venv/lib");
  add_wheel(os, "/srv/user/lib", "9.19.0");
  os.variables["LD_LIBRARY_PATH"] = "lib";
  os.mapped = {{"lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim")}};
  const observation observed = observe(os);
  CHECK(observed.files.size() == 8);
  CHECK(file_of(observed, "shim").path == "/srv/user/lib/libcudnn.so.9");
  CHECK(chosen(observed, "shim") == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("LD_PRELOAD put it there") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
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
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  os.mapped = {{"/a/libcudnn_graph.so.9", "libcudnn_graph.so.9", "aa"},
               {"/b/libcudnn_graph.so.9", "libcudnn_graph.so.9", "bb"}};
  int graphs = 0;
  for (const cudnn_file& file : observe(os).files) {
    if (file.role == "graph" && file.mapped) ++graphs;
  }
  CHECK(graphs == 2);
}

TEST_CASE("a renamed library is known by its id or SONAME") {
  fake_system os = with_wheel("/venv/lib", "9.19.0");
  os.mapped = {{"/x/renamed.so", "", ids_of_9_19.at("graph")},
               {"/x/other.so", "libcudnn_ops-0a1b2c3d.so.9", ""}};
  const observation observed = observe(os);
  CHECK(file_of(observed, "graph").path == "/x/renamed.so");
  CHECK(file_of(observed, "ops").path == "/x/other.so");
}
