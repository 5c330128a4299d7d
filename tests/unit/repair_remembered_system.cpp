// SPDX-License-Identifier: BSD-3-Clause
//
// What trials ask again is not asked of the machine again, and the answer is the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "fake_system.h"
#include "repair/remembered_system.h"

using namespace cudnn_checked;

namespace {

struct remembered_machine {
  test::fake_system os;
  repairs::remembered_system view{os};

  remembered_machine() {
    os.files["/v/lib/a.so"] = "abcdef";
    os.files["/v/lib/b.so"] = "b";
    os.links["/v/lib64"] = "lib";
    os.cache["a.so"] = "/v/lib/a.so";
  }

  /// What is read there; in brackets, why nothing is.
  std::string at(const std::string& path, unsigned long long offset, std::size_t count) const {
    byte_source* opened = nullptr;
    const open_result result = view.open(path, &opened);
    const std::unique_ptr<byte_source> source(opened);
    if (result != open_result::opened) {
      return result == open_result::directory ? "[directory]" : "[missing]";
    }
    std::string bytes(count, '\0');
    return source->read(offset, &bytes[0], count) ? bytes : "[end of file]";
  }

  std::string names(const std::string& path, const char* prefixes) const {
    arena_vector<arena_string> found = {"before"};
    if (view.list(path, prefixes, found) != open_result::opened) return "[missing]";
    sort(found);
    std::string text;
    for (const arena_string& name : found) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
  }
};

}  // namespace

TEST_CASE("pieces of files are read once") {
  const remembered_machine m;
  for (int i = 0; i < 3; ++i) {
    CHECK(m.at("/v/lib/a.so", 1, 3) == "bcd");
    CHECK(m.at("/v/lib/a.so", 4, 3) == "[end of file]");
    CHECK(m.at("/v/lib", 0, 1) == "[directory]");
    CHECK(m.at("/none", 0, 1) == "[missing]");
  }
  CHECK(m.os.times_opened["/v/lib/a.so"] == 2);
  CHECK(m.os.times_read["/v/lib/a.so"] == 2);
  CHECK(m.os.times_opened["/v/lib"] == 1);
  CHECK(m.os.times_opened["/none"] == 1);
  // Another piece of a file that is not open any more.
  CHECK(m.at("/v/lib/a.so", 0, 6) == "abcdef");
  CHECK(m.os.times_read["/v/lib/a.so"] == 3);
  byte_source* opened = nullptr;
  REQUIRE(m.view.open("/v/lib/a.so", &opened) == open_result::opened);
  CHECK(std::unique_ptr<byte_source>(opened)->size() == 6);
}

TEST_CASE("long pieces, as of a file that is read from end to end, are not kept") {
  remembered_machine m;
  const std::size_t size = std::size_t{1} << 20;
  m.os.files["/long"] = std::string(size, 'x');
  for (int i = 0; i < 2; ++i) CHECK(m.at("/long", 0, size) == m.os.files["/long"]);
  CHECK(m.os.times_read["/long"] == 2);
}

TEST_CASE("folders are listed once, whatever the prefixes") {
  const remembered_machine m;
  for (int i = 0; i < 2; ++i) {
    CHECK(m.names("/v/lib", "") == "a.so b.so before");
    CHECK(m.names("/v/lib", "a|c") == "a.so before");
    CHECK(m.names("/none", "") == "[missing]");
  }
  CHECK(m.os.times_listed["/v/lib"] == 1);
  CHECK(m.os.times_listed["/none"] == 1);
}

TEST_CASE("where paths lead, texts, the loader's cache, driver and GPUs are asked for once") {
  remembered_machine m;
  m.os.driver_version = 13000;
  m.os.has_nvml = true;
  m.os.gpus.resize(2);
  for (int i = 0; i < 2; ++i) {
    CHECK(m.view.real_path("/v/lib64/a.so") == "/v/lib/a.so");
    CHECK(m.view.real_path("/none") == "");
    CHECK(m.view.working_directory() == "/srv/user");
    arena_string text;
    CHECK(m.view.read_text("/v/lib/a.so", text));
    CHECK(text == "abcdef");
    CHECK_FALSE(m.view.read_text("/none", text));
    CHECK(m.view.loader_cache("a.so") == "/v/lib/a.so");
    CHECK(m.view.loader_cache("none") == "");
    CHECK(m.view.may_be_mapped("/v/lib/a.so"));
    CHECK(m.view.cuda_driver_version() == 13000);
    arena_vector<gpu> gpus;
    CHECK(m.view.nvml_gpus(gpus));
    CHECK(gpus.size() == 2);
  }
  CHECK(m.os.times_resolved["/v/lib64/a.so"] == 1);
  CHECK(m.os.times_driver_asked == 1);
  CHECK(m.os.times_nvml_asked == 1);
  // Of a variable nothing is kept: a view above this one sets it.
  arena_string value;
  CHECK_FALSE(m.view.variable("X", value));
  m.os.variables["X"] = "1";
  CHECK(m.view.variable("X", value));
}
