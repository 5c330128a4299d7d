// SPDX-License-Identifier: BSD-3-Clause
//
// What a check of a program asks the system for.
#include <doctest/doctest.h>

#include <ctime>

#include "core/model/path_table.h"
#include "core/system/system_view.h"
#include "cudnn_installs.h"

using namespace test;

namespace {

// As the guard does it before main().
observation check_start(const system_interface& os) {
  observation observed;
  loader search(os);
  observe_files(search, 9, observed);
  search.look_at_process();
  observe_dependencies(search, observed);
  observe_driver(search, observed);
  return observed;
}

int sum(const std::map<std::string, int>& counts) {
  int all = 0;
  for (const auto& [path, times] : counts) all += times;
  return all;
}

int most(const std::map<std::string, int>& counts) {
  int highest = 0;
  for (const auto& [path, times] : counts) highest = std::max(highest, times);
  return highest;
}

// The shim is mapped, the other seven would come; two libraries that they need, and the driver.
fake_system counted_machine() {
  fake_system os;
  set_program(os, "/venv/nvidia/cudnn/lib", {"libcudnn.so.9", "libcudart.so.13", "libc.so.6"});
  add_wheel(os, "/venv/nvidia/cudnn/lib", "9.19.0");
  elf_builder graph;
  graph.soname = "libcudnn_graph.so.9";
  graph.runpath = "$ORIGIN:$ORIGIN/../../cu13/lib";
  graph.build_id = ids_of_9_19.at("graph");
  graph.needed = {"libz.so.1"};
  os.files["/venv/nvidia/cudnn/lib/libcudnn_graph.so.9"] = graph.build();
  for (const char* name : {"libz.so.1", "libcuda.so.580.1.2", "libnvrtc.so.13"}) {
    elf_builder library;
    library.soname = name;
    os.files[std::string("/lib/x86_64-linux-gnu/") + name] = library.build();
  }
  os.links["/lib/x86_64-linux-gnu/libcuda.so.1"] = "libcuda.so.580.1.2";
  os.mapped.push_back(
      {"/venv/nvidia/cudnn/lib/libcudnn.so.9", "libcudnn.so.9", ids_of_9_19.at("shim"), false});
  return os;
}

}  // namespace

TEST_CASE("a check opens each file, lists each directory and resolves each path once") {
  const fake_system os = counted_machine();
  const observation observed = check_start(os);
  REQUIRE(observed.files.size() == 8);
  REQUIRE(observed.dependencies.size() == 5);
  REQUIRE(observed.driver.present == answer::yes);
  int opened = 0;
  for (const auto& each : os.times_opened) {
    if (os.files.count(each.first) == 0) continue;  // looked for where it is not
    ++opened;
    INFO(each.first);
    CHECK(each.second == 1);
    CHECK(os.times_read.at(each.first) == 1);
  }
  CHECK(opened == 12);  // the program, cuDNN's eight, libz, NVRTC, the driver
  CHECK(most(os.times_listed) == 1);
  CHECK(sum(os.times_listed) == 3);  // those two of the run path, and NVRTC's for its builtins
  CHECK(most(os.times_resolved) == 1);
  CHECK(sum(os.times_resolved) == 13);
}

namespace {

// Thousands of directories that do not exist, as a module system leaves them.
class long_path final : public system_view {
 public:
  long_path(const fake_system& real, int entries) : system_view(real) {
    std::string path;
    for (int i = 0; i < entries; ++i) path += "/opt/module/" + std::to_string(i) + "/lib:";
    path_ = path;
  }
  bool variable(const char* name, arena_string& value) const override {
    if (std::strcmp(name, "LD_LIBRARY_PATH") != 0) return system_view::variable(name, value);
    value = path_;
    return true;
  }
  open_result list(arena_string path, const char* prefix,
                   arena_vector<arena_string>& names) const override {
    ++calls;
    if (path.compare(0, 5, "/opt/") == 0) return open_result::missing;
    return system_view::list(path, prefix, names);
  }
  open_result open(arena_string path, byte_source** source) const override {
    ++calls;
    return system_view::open(path, source);
  }
  mutable int calls = 0;

 private:
  arena_string path_;
};

}  // namespace

TEST_CASE("a check is linear in the length of LD_LIBRARY_PATH") {
  const fake_system os = counted_machine();
  const long_path none(os, 0);
  check_start(none);
  const long_path all(os, 20000);
  const std::clock_t begin = std::clock();
  check_start(all);
  // Searching a list for each entry takes 20 s; each entry once takes a fraction of one.
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 5);
  // One listing for each, and the empty entry at the end: the working directory.
  CHECK(all.calls - none.calls == 20001);
}

TEST_CASE(
    "a directory that LD_LIBRARY_PATH names again is searched once; entries keep their number") {
  fake_system os = counted_machine();
  os.variables["LD_LIBRARY_PATH"] = "/again:/again/:/again:/after";
  add_wheel(os, "/after", "9.19.0", {"shim"});
  loader search(os);
  std::vector<int> searched;
  for (const searched_place& place :
       search.places("libcudnn_none.so.9", {}, loader::view::afresh)) {
    if (place.chosen_by.reason != choice_reason::ld_library_path) continue;
    searched.push_back(place.chosen_by.index);
  }
  CHECK(searched == std::vector<int>{0, 3});
  const loader_hit hit = search.find("libcudnn.so.9", {}, loader::view::afresh);
  CHECK(to_string(hit.chosen_by) == "LD_LIBRARY_PATH[3]");
}

TEST_CASE(
    "names beside a graph library of an unknown release: 64 are looked at, the rest counted") {
  std::map<int, int> opened;
  std::map<int, int> left_out;
  for (const int names : {50, 500, 1000}) {
    fake_system os = with_wheel("/lib", "9.99.0");
    for (int i = 0; i < names; ++i) {
      const std::string role = "odd" + std::to_string(i);
      os.files["/lib/" + soname_of(role, 9)] = library(role, parse_version("9.99.0"));
    }
    const observation observed = observe(os);
    left_out[names] = observed.left_out;
    opened[names] = sum(os.times_opened);
  }
  CHECK(left_out[50] == 0);
  CHECK(left_out[1000] == left_out[500] + 500);
  CHECK(opened[1000] == opened[500]);
}

TEST_CASE("a table of paths finds what was added, where it was added") {
  path_table<int> table;
  CHECK(table.find("") == nullptr);
  int* const empty = &table.add("");
  std::vector<int*> places;
  for (int i = 0; i < 5000; ++i) {
    places.push_back(&table.add("/opt/module/" + std::to_string(i)));
    *places.back() = i;
  }
  CHECK(table.find("") == empty);
  CHECK(table.find("/opt/module/5000") == nullptr);
  CHECK(table.find("/opt/module/") == nullptr);
  for (int i = 0; i < 5000; ++i) {
    int* const found = table.find("/opt/module/" + std::to_string(i));
    REQUIRE(found == places[static_cast<std::size_t>(i)]);
    CHECK(*found == i);
  }
}
