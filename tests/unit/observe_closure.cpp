// SPDX-License-Identifier: BSD-3-Clause
//
// Which file a role leads to depends on what is loaded before it.
#include <doctest/doctest.h>

#include "catalogue_ids.h"
#include "cudnn_installs.h"

using namespace test;

namespace {

// Since 9.21 the shim has an RPATH, before that a RUNPATH.
std::string real_library(const std::string& role, const std::string& release) {
  const version v = parse_version(release);
  elf_builder b;
  b.soname = soname_of(role, v.major);
  b.needed = needed_by(role);
  (role == "shim" && v.minor >= 21 ? b.rpath : b.runpath) = "$ORIGIN";
  if (role == "shim" && release == "9.19.0") b.build_id = ids_of_9_19.at("shim");
  if (role == "shim" && release == "9.14.0") b.build_id = "e0c5d1a3";
  if (role == "graph") {
    b.word_name = "cudnn_graph_version";
    b.word = static_cast<std::uint32_t>(v.major << 16 | v.minor << 8 | v.patch);
  }
  return b.build();
}

void add_real_wheel(fake_system& os, const std::string& directory, const std::string& release,
                    const std::vector<std::string>& roles = roles_9) {
  for (const std::string& role : roles) {
    os.files[directory + "/" + soname_of(role, 9)] = real_library(role, release);
  }
}

fake_system with_real_wheel(const std::string& directory, const std::string& release) {
  fake_system os;
  set_program(os, directory);
  add_real_wheel(os, directory, release);
  return os;
}

void add_debian(fake_system& os, const std::string& directory, const std::string& release) {
  for (const std::string& role : roles_9) {
    const std::string name = soname_of(role, 9);
    const std::string file = name.substr(0, name.size() - 1) + release;
    os.files[directory + "/" + file] = real_library(role, release);
    os.links[directory + "/" + name] = file;
  }
}

std::string text_of(const std::vector<cudnn_file>& files) {
  std::string text;
  for (const cudnn_file& file : files) text += std::string(file.role) + " " + file.path + "\n";
  return text;
}

std::string text_of(const observation& observed, const char* first_call) {
  for (const order_variant& order : observed.orders) {
    if (to_string(order.first_calls) == first_call) return text_of(order.files);
  }
  return "as usual";
}

}  // namespace

TEST_CASE("a set that the shim's and the NEEDED names find alike has one order only") {
  fake_system os = with_real_wheel("/venv", "9.19.0");
  CHECK(observe(os).orders.empty());
  os.variables["LD_LIBRARY_PATH"] = "/deb";
  add_debian(os, "/deb", "9.14.0");
  CHECK(observe(os).orders.empty());
}

TEST_CASE("Debian's 9.14 under LD_LIBRARY_PATH = a wheel's 9.19: the first call decides") {
  fake_system os;
  set_program(os, "/deb");
  add_debian(os, "/deb", "9.14.0");
  add_real_wheel(os, "/wheel", "9.19.0");
  os.files.erase("/wheel/libcudnn.so.9");
  os.variables["LD_LIBRARY_PATH"] = "/wheel";
  const observation observed = observe(os);
  for (const cudnn_file& file : observed.files) {
    CAPTURE(file.role);
    CHECK(file.path.compare(0, 5, "/deb/") == 0);
  }
  CHECK(text_of(observed, "ops") ==
        "graph /wheel/libcudnn_graph.so.9\n"
        "graph /deb/libcudnn_graph.so.9.14.0\n");
  CHECK(text_of(observed, "cnn") ==
        "graph /wheel/libcudnn_graph.so.9\n"
        "graph /deb/libcudnn_graph.so.9.14.0\n"
        "ops /wheel/libcudnn_ops.so.9\n"
        "ops /deb/libcudnn_ops.so.9.14.0\n");
  CHECK(text_of(observed, "adv") == text_of(observed, "cnn"));
  CHECK(text_of(observed, "graph, cnn") ==
        "ops /wheel/libcudnn_ops.so.9\n"
        "ops /deb/libcudnn_ops.so.9.14.0\n");
  CHECK(text_of(observed, "graph, adv") == text_of(observed, "graph, cnn"));
  CHECK(observed.orders.size() == 5);
  CHECK(to_string(observed.orders[0].files[0].chosen_by) == "LD_LIBRARY_PATH[0]");
  CHECK(observed.orders[0].files[0].asked_by == "/deb/libcudnn_ops.so.9.14.0");
}

TEST_CASE("RPATH keeps the shim's questions; the graph library's go through LD_LIBRARY_PATH") {
  fake_system os = with_real_wheel("/wheel", "9.27.0");
  add_real_wheel(os, "/other", "9.14.0");
  os.files.erase("/other/libcudnn.so.9");
  os.variables["LD_LIBRARY_PATH"] = "/other";
  const observation observed = observe(os);
  CHECK(chosen(observed, "graph") == "RPATH of /wheel/libcudnn.so.9");
  CHECK(chosen(observed, "ops") == "RPATH of /wheel/libcudnn.so.9");
  for (const char* role : {"engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
    CHECK(file_of(observed, role).path == "/other/libcudnn_" + std::string(role) + ".so.9");
    CHECK(chosen(observed, role) == "LD_LIBRARY_PATH[0]");
  }
}

TEST_CASE("a file that is loaded already is not loaded again under another name") {
  fake_system os;
  set_program(os, "/links");
  add_debian(os, "/deb", "9.14.0");
  os.links["/links/libcudnn.so.9"] = "/deb/libcudnn.so.9.14.0";
  // NEEDED leads to the links, the shim's own question to the files.
  for (const char* role : {"graph", "ops"}) {
    os.links["/links/" + soname_of(role, 9)] = "/deb/" + soname_of(role, 9) + ".14.0";
  }
  os.variables["LD_LIBRARY_PATH"] = "/links:/deb";
  const observation observed = observe(os);
  CHECK(observed.orders.empty());
  CHECK(observed.files.size() == 8);
}

TEST_CASE("cuDNN 8: a library finds by its own search what it NEEDs, not by the shim's") {
  fake_system os;
  set_program(os, "/store", {"libcudnn.so.8"});
  const auto add = [&os](const std::string& role, const std::vector<std::string>& needed,
                         const std::string& runpath) {
    elf_builder b;
    b.soname = soname_of(role, 8);
    b.needed = needed;
    b.runpath = runpath;
    os.files["/store/" + b.soname] = b.build();
  };
  const std::string infer = soname_of("ops_infer", 8);
  const std::string train = soname_of("ops_train", 8);
  add("shim", {}, "$ORIGIN");
  for (const char* role : {"ops_infer", "ops_train", "cnn_infer", "adv_infer"}) {
    add(role, role == std::string("ops_infer") ? std::vector<std::string>() : std::vector{infer},
        "");
  }
  add("cnn_train", {infer, train, soname_of("cnn_infer", 8)}, "");
  add("adv_train", {infer, train, soname_of("adv_infer", 8)}, "$ORIGIN");
  const observation observed = observe(os);
  for (const cudnn_file& file : observed.files) CHECK(file.state == file_state::whole);
  REQUIRE(observed.not_reached.size() == 1);
  const cudnn_file& file = observed.not_reached[0];
  CHECK(file.name == train);
  CHECK(file.asked_by == "/store/libcudnn_cnn_train.so.8");
  CHECK(file.near_miss.path == "/store/libcudnn_ops_train.so.8");
  CHECK(describe_reason(file.near_miss) == "libcudnn_cnn_train.so.8 has no RUNPATH");
  SUBCASE("what the program is linked with is loaded before") {
    set_program(os, "/store", {"libcudnn.so.8", train.c_str()});
    CHECK(observe(os).not_reached.empty());
  }
  SUBCASE("LD_LIBRARY_PATH leads each of them there") {
    os.variables["LD_LIBRARY_PATH"] = "/store";
    CHECK(observe(os).not_reached.empty());
  }
}

TEST_CASE("what the program NEEDs and LD_PRELOAD names are there before the shim asks") {
  fake_system os;
  set_program(os, "/deb", {"libcudnn_graph.so.9", "libcudnn.so.9"});
  add_debian(os, "/deb", "9.14.0");
  add_real_wheel(os, "/wheel", "9.19.0");
  os.variables["LD_LIBRARY_PATH"] = "/wheel";
  os.files.erase("/wheel/libcudnn.so.9");
  CHECK(file_of(observe(os), "graph").path == "/wheel/libcudnn_graph.so.9");
  set_program(os, "/deb");
  os.variables["LD_PRELOAD"] = "/wheel/libcudnn_ops.so.9";
  CHECK(file_of(observe(os), "ops").path == "/wheel/libcudnn_ops.so.9");
  CHECK(chosen(observe(os), "ops") == "LD_PRELOAD");
  CHECK(chosen(observe(os), "graph") == "LD_LIBRARY_PATH[0]");
}

TEST_CASE("what the catalogue knows of the release is asked for, if anything supplies it") {
  fake_system os = with_real_wheel("/wheel", "9.28.0");
  CHECK(observe(os).files.size() == 8);
  os.cache["libcudnn_engines_tensor_ir.so.9"] = "/system/libcudnn_engines_tensor_ir.so.9";
  os.cache["libcudnn_ext.so.9"] = "/system/libcudnn_ext.so.9";
  add_real_wheel(os, "/system", "9.24.0", {"engines_tensor_ir", "ext"});
  const observation observed = observe(os);
  CHECK(observed.files.size() == 10);
  CHECK(file_of(observed, "engines_tensor_ir").path == "/system/libcudnn_engines_tensor_ir.so.9");
  CHECK(file_of(observed, "engines_tensor_ir").asked_by == "/wheel/libcudnn_graph.so.9");
  CHECK(file_of(observed, "ext").asked_by == "/wheel/libcudnn.so.9");
}

namespace {

bool asks_for_tensor_ir(const fake_system& os) {
  for (const cudnn_file& file : observe(os).files) {
    if (file.role == library_role::engines_tensor_ir) return true;
  }
  return false;
}

fake_system with_graph(const elf_builder& graph) {
  fake_system os = with_real_wheel("/wheel", "9.19.0");
  // What another install has in ld.so.cache.
  os.cache["libcudnn_engines_tensor_ir.so.9"] = "/system/libcudnn_engines_tensor_ir.so.9";
  add_real_wheel(os, "/system", "9.23.2", {"engines_tensor_ir"});
  elf_builder b = graph;
  b.soname = "libcudnn_graph.so.9";
  b.runpath = "$ORIGIN";
  os.files["/wheel/libcudnn_graph.so.9"] = b.build();
  return os;
}

}  // namespace

TEST_CASE("what a graph library asks for is known of its id, and not concluded from its package") {
  elf_builder graph;
  graph.build_id = test::id_of("libcudnn_graph.so.9", "9.20.0.48", "13");
  CHECK(asks_for_tensor_ir(with_graph(graph)));
  graph.build_id = test::id_of("libcudnn_graph.so.9", "9.19.0.56", "13");
  fake_system os = with_graph(graph);
  CHECK(!asks_for_tensor_ir(os));
  // Nobody asks for it, wherever it lies.
  add_real_wheel(os, "/wheel", "9.23.2", {"engines_tensor_ir"});
  CHECK(!asks_for_tensor_ir(os));
}

TEST_CASE("a file that lacks symbols in the graph library is not taken") {
  elf_builder graph;
  graph.build_id = test::id_of("libcudnn_graph.so.9", "9.20.0.48", "13");
  fake_system os = with_graph(graph);
  elf_builder stray;
  stray.soname = "libcudnn_engines_tensor_ir.so.9";
  stray.needed = {"libcudnn_graph.so.9"};
  stray.build_id = test::id_of("libcudnn_engines_tensor_ir.so.9", "9.28.0.42", "13");
  os.files["/system/libcudnn_engines_tensor_ir.so.9"] = stray.build();
  CHECK(asks_for_tensor_ir(os));
  stray.word_name = "_ZN5cudnn6fusion5GraphC1ERKS1_";
  stray.word_is_defined = false;
  os.files["/system/libcudnn_engines_tensor_ir.so.9"] = stray.build();
  CHECK(!asks_for_tensor_ir(os));
  stray.build_id = std::string(40, 'f');  // of a release that the catalogue lacks
  os.files["/system/libcudnn_engines_tensor_ir.so.9"] = stray.build();
  CHECK(!asks_for_tensor_ir(os));
}

TEST_CASE("what a library without a known id asks for is read from it") {
  elf_builder graph;
  const std::string zero(1, '\0');
  const std::string most(70000, 'x');
  graph.sections.push_back({".rodata", most + zero + "libcudnn_engines_tensor_ir.so" + zero});
  CHECK(asks_for_tensor_ir(with_graph(graph)));
  graph.sections = {
      {".rodata", "see libcudnn_engines_tensor_ir.so" + zero + "libcudnn_ops.so" + zero}};
  CHECK(!asks_for_tensor_ir(with_graph(graph)));
  // A name that a piece of the reader cuts.
  graph.sections = {
      {".rodata", std::string(65520, 'x') + zero + "libcudnn_engines_tensor_ir.so" + zero}};
  CHECK(asks_for_tensor_ir(with_graph(graph)));
  // In a section that cannot be read: the nearest older release of the catalogue.
  graph.sections.clear();
  graph.word_name = "cudnn_graph_version";
  graph.word = 9 << 16 | 99 << 8;
  CHECK(asks_for_tensor_ir(with_graph(graph)));
}

TEST_CASE("a graph library without RUNPATH does not find what lies beside it") {
  fake_system os = with_real_wheel("/wheel", "9.19.0");
  elf_builder b;
  b.soname = "libcudnn_graph.so.9";
  os.files["/wheel/libcudnn_graph.so.9"] = b.build();
  const observation observed = observe(os);
  const cudnn_file& file = file_of(observed, "heuristic");
  CHECK(file.state == file_state::missing);
  CHECK(file.near_miss.path == "/wheel/libcudnn_heuristic.so.9");
  CHECK(describe_reason(file.near_miss) == "libcudnn_graph.so.9 has no RUNPATH");
  CHECK(file_of(observed, "ops").near_miss.path.empty());
}

TEST_CASE("a shim that was opened through a link looks beside the link") {
  fake_system os;
  set_program(os, "/links");
  add_real_wheel(os, "/venv/lib", "9.19.0");
  os.links["/links/libcudnn.so.9"] = "/venv/lib/libcudnn.so.9";
  const observation observed = observe(os);
  const cudnn_file& file = file_of(observed, "graph");
  CHECK(file.state == file_state::missing);
  CHECK(file.near_miss.path == "/venv/lib/libcudnn_graph.so.9");
  CHECK(describe_reason(file.near_miss) ==
        "libcudnn.so.9 was opened through a link in /links; $ORIGIN is the link's directory");
}

TEST_CASE("a broken link is named") {
  fake_system os;
  set_program(os, "/deb");
  add_debian(os, "/deb", "9.14.0");
  os.files.erase("/deb/libcudnn_ops.so.9.14.0");
  const cudnn_file ops = file_of(observe(os), "ops");
  CHECK(ops.state == file_state::missing);
  CHECK(ops.near_miss.path == "/deb/libcudnn_ops.so.9");
  CHECK(describe_reason(ops.near_miss) == "a broken symbolic link");
  os.files.erase("/deb/libcudnn.so.9.14.0");
  CHECK(file_of(observe(os), "shim").near_miss.path == "/deb/libcudnn.so.9");
}

TEST_CASE("who loaded what the program's own search does not lead to") {
  fake_system os = with_real_wheel("/venv", "9.19.0");
  add_real_wheel(os, "/torch/lib", "9.14.0");
  elf_builder torch;
  torch.needed = {"libc.so.6", "libcudnn.so.9"};
  os.files["/torch/lib/libtorch_cuda.so"] = torch.build();
  os.mapped = {{"/torch/lib/libtorch_cuda.so", "libtorch_cuda.so", "", false},
               {"/torch/lib/libcudnn.so.9", "libcudnn.so.9", "e0c5d1a3", false}};
  cudnn_file shim = file_of(observe(os), "shim");
  CHECK(shim.loaded_by == "/torch/lib/libtorch_cuda.so");
  CHECK(shim.search_path == "/venv/libcudnn.so.9");
  CHECK(to_string(shim.search_release) == "9.19.0");
  CHECK(to_string(shim.chosen_by) == "already loaded");
  torch.runpath = "$ORIGIN";
  os.files["/torch/lib/libtorch_cuda.so"] = torch.build();
  CHECK(chosen(observe(os), "shim") == "RUNPATH of /torch/lib/libtorch_cuda.so");
  // Opened by its path.
  os.mapped.erase(os.mapped.begin());
  shim = file_of(observe(os), "shim");
  CHECK(shim.loaded_by.empty());
  CHECK(shim.search_path == "/venv/libcudnn.so.9");
}

TEST_CASE("of two shims in a process the one that is called first decides what both get") {
  fake_system os;
  set_program(os, "/venv", {"libc.so.6"});
  add_real_wheel(os, "/venv", "9.14.0");
  add_debian(os, "/deb", "9.19.0");
  os.files["/own/libcudnn-74a4c495.so.9"] = real_library("shim", "9.19.0");
  os.variables["LD_LIBRARY_PATH"] = "/venv:/deb";
  os.mapped = {{"/venv/libcudnn.so.9", "libcudnn.so.9", "e0c5d1a3", false}};
  CHECK(observe(os).shims_agree == answer::unknown);
  os.mapped.push_back(
      {"/own/libcudnn-74a4c495.so.9", "libcudnn-74a4c495.so.9", ids_of_9_19.at("shim"), false});
  // It asks for libcudnn_graph.so.9.19.0 first.
  CHECK(observe(os).shims_agree == answer::no);
  os.variables["LD_LIBRARY_PATH"] = "/venv";
  CHECK(observe(os).shims_agree == answer::yes);
}

TEST_CASE("a copy in another namespace is told and is not the program's") {
  fake_system os;
  set_program(os, "/venv", {"libc.so.6"});
  add_real_wheel(os, "/venv", "9.19.0");
  os.mapped = {{"/x/libcudnn.so.8", "libcudnn.so.8", "", true}};
  const observation observed = observe(os, 9);
  CHECK(!observed.linked);
  CHECK(observed.cudnn_major == 9);
  CHECK(observed.files.front().path == "/venv/libcudnn.so.9");
  CHECK(observed.files.back().other_namespace);
  CHECK(to_string(observed.files.back().chosen_by) == "dlmopen");
  CHECK(observed.files.back().path == "/x/libcudnn.so.8");
}
