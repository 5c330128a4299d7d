// SPDX-License-Identifier: BSD-3-Clause
//
// Files, links and variables that a repair would change, over a machine in memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "fake_system.h"
#include "repair/repaired_system.h"

using namespace cudnn_checked;

namespace {

class changes final : public repairs::changed_system {
 public:
  using changed_system::changed_system;
  using changed_system::link;
  using changed_system::remove;
  using changed_system::set_variable;
  using changed_system::write;

  /// Contents; in brackets, why there are none.
  std::string at(const std::string& path) const {
    byte_source* opened = nullptr;
    const open_result result = open(path, &opened);
    const std::unique_ptr<byte_source> source(opened);
    arena_string text;
    const bool is_text = read_text(path, text);
    CHECK(is_text == (result == open_result::opened));
    if (result == open_result::directory) return "[directory]";
    if (result != open_result::opened) return "[missing]";
    std::string bytes(static_cast<std::size_t>(source->size()), '\0');
    REQUIRE(source->read(0, &bytes[0], bytes.size()));
    CHECK_FALSE(source->read(1, &bytes[0], bytes.size()));
    CHECK(bytes == std::string(text));
    return bytes;
  }

  std::string names(const std::string& path, const char* prefixes = "") const {
    arena_vector<arena_string> found;
    if (list(path, prefixes, found) != open_result::opened) return "[missing]";
    sort(found);
    std::string text;
    for (const arena_string& name : found) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
  }
};

struct changed_machine {
  test::fake_system os;
  changes view{os};

  changed_machine() {
    os.files["/v/lib/a.so"] = "a";
    os.files["/v/lib/b.so"] = "b";
    os.files["/v/lib/deep/c.so"] = "c";
    os.links["/v/lib64"] = "lib";
    os.links["/v/lib/a"] = "a.so";
  }
};

}  // namespace

TEST_CASE("what nothing has changed passes through, and costs no look-up more") {
  changed_machine m;
  m.os.variables["A"] = "1";
  arena_string value;
  CHECK(m.view.variable("A", value));
  CHECK(m.view.at("/v/lib64/a") == "a");
  CHECK(m.view.at("/v/lib") == "[directory]");
  CHECK(m.view.at("/v/x") == "[missing]");
  CHECK(m.view.names("/v/lib64", "a|d") == "a a.so deep");
  CHECK(m.os.times_resolved.empty());
  CHECK(m.view.real_path("/v/lib64/a") == "/v/lib/a.so");
  CHECK(m.view.real_path("/v/x") == "");
  CHECK_FALSE(m.view.has_changes());
  CHECK(m.os.times_opened["/v/lib/a.so"] == 1);
  CHECK(m.os.times_resolved["/v/lib64/a"] == 1);
}

TEST_CASE("files that are written") {
  changed_machine m;
  m.view.write("/v/lib/a.so", "new");
  m.view.write("/n/e/w/x.so", "x");
  CHECK(m.view.has_changes());
  CHECK(m.view.at("/v/lib/a.so") == "new");
  CHECK(m.view.at("/v/lib64/a.so") == "new");
  CHECK(m.view.at("/v/lib64/a") == "new");
  CHECK(m.view.at("/v/lib64/../lib/./a.so") == "new");
  CHECK(m.view.at("/v/lib/b.so") == "b");
  CHECK(m.view.at("/n/e/w/x.so") == "x");
  CHECK(m.view.at("/n/e") == "[directory]");
  CHECK(m.view.real_path("/v/lib64/a") == "/v/lib/a.so");
  CHECK(m.view.real_path("/n/e") == "/n/e");
  CHECK(m.view.real_path("/n/x") == "");
  CHECK(m.view.names("/n") == "e");
  CHECK(m.view.names("/n/e/w") == "x.so");
  CHECK(m.view.names("/v/lib64", "a|x") == "a a.so");
  CHECK(m.view.names("/x") == "[missing]");
}

TEST_CASE("the first file that is written lies in its folder, which was not there") {
  for (const auto& [folder, real] :
       {std::pair("/v/lib64/new/", "/v/lib/new/"), std::pair("here/", "/srv/user/here/")}) {
    changed_machine m;
    m.view.write(std::string(folder) + "x", "1");
    CHECK(m.view.at(std::string(real) + "x") == "1");
    CHECK(m.view.at(std::string(folder) + "x") == "1");
    CHECK(m.view.names(real) == "x");
    CHECK(m.view.at("/x") == "[missing]");
  }
}

TEST_CASE("folders that lie deep, and are not there") {
  changed_machine m;
  m.view.write("/1/2/3/4/5/6/7/8/9/10/11/12/x", "x");
  CHECK(m.view.names("/v/lib/") == "a a.so b.so deep");
  m.view.remove("/v/");
  CHECK(m.view.at("/1/2/3/4/5/6/7/8/9/10/11/12/x") == "x");
  CHECK(m.view.at("/1//2/3/4/5/6/7/8/9/10/../10/11/12//x") == "x");
  CHECK(m.view.names("/1/2/") == "3");
  CHECK(m.view.at("/v/lib/deep/c.so") == "[missing]");
  CHECK(m.view.names("/v") == "[missing]");
}

TEST_CASE("files and folders that are removed") {
  changed_machine m;
  SUBCASE("a file") {
    m.view.remove("/v/lib64/b.so");
    CHECK(m.view.at("/v/lib/b.so") == "[missing]");
    CHECK(m.view.real_path("/v/lib64/b.so") == "");
    CHECK(m.view.names("/v/lib") == "a a.so deep");
    CHECK(m.view.at("/v/lib/a.so") == "a");
  }
  SUBCASE("a link, not what it leads to") {
    m.view.remove("/v/lib/a");
    CHECK(m.view.at("/v/lib/a") == "[missing]");
    CHECK(m.view.at("/v/lib/a.so") == "a");
    m.view.remove("/v/lib64");
    CHECK(m.view.at("/v/lib64/a.so") == "[missing]");
    CHECK(m.view.at("/v/lib/a.so") == "a");
  }
  SUBCASE("what a link leads to") {
    m.view.remove("/v/lib/a.so");
    CHECK(m.view.at("/v/lib/a") == "[missing]");
    CHECK(m.view.real_path("/v/lib/a") == "");
  }
  SUBCASE("a folder, with what is in it and what was written there") {
    m.view.write("/v/lib/deep/d.so", "d");
    m.view.remove("/v/lib64/deep");
    for (const char* path : {"/v/lib/deep", "/v/lib/deep/c.so", "/v/lib/deep/d.so"}) {
      CHECK(m.view.at(path) == "[missing]");
      CHECK(m.view.real_path(path) == "");
    }
    CHECK(m.view.names("/v/lib/deep") == "[missing]");
    CHECK(m.view.names("/v/lib") == "a a.so b.so");
  }
  SUBCASE("a folder in which something is written afterwards") {
    m.view.remove("/v/lib");
    m.view.write("/v/lib/deep/d.so", "d");
    CHECK(m.view.names("/v/lib64") == "deep");
    CHECK(m.view.names("/v/lib/deep") == "d.so");
    CHECK(m.view.at("/v/lib/deep") == "[directory]");
    CHECK(m.view.at("/v/lib/deep/c.so") == "[missing]");
    CHECK(m.view.at("/v/lib/deep/d.so") == "d");
    CHECK(m.view.at("/v/lib") == "[directory]");
  }
  SUBCASE("the last file of a folder") {
    m.view.remove("/v/lib/deep/c.so");
    CHECK(m.view.names("/v/lib/deep") == "");
  }
}

TEST_CASE("links that are made") {
  changed_machine m;
  SUBCASE("to a file, by a path and by a name beside it") {
    m.view.link("/v/lib/n", "/v/lib/b.so");
    m.view.link("/v/lib/m", "b.so");
    for (const char* path : {"/v/lib/n", "/v/lib64/m"}) {
      CHECK(m.view.at(path) == "b");
      CHECK(m.view.real_path(path) == "/v/lib/b.so");
    }
    CHECK(m.view.names("/v/lib", "m|n") == "m n");
    m.view.remove("/v/lib/b.so");
    CHECK(m.view.at("/v/lib/n") == "[missing]");
    CHECK(m.view.real_path("/v/lib/n") == "");
  }
  SUBCASE("to a folder") {
    m.view.link("/w", "/v/lib64");
    CHECK(m.view.at("/w/a") == "a");
    CHECK(m.view.names("/w/deep") == "c.so");
    CHECK(m.view.at("/w") == "[directory]");
    m.view.write("/w/x", "x");
    CHECK(m.view.at("/v/lib/x") == "x");
  }
  SUBCASE("to what is not there") {
    m.view.link("/v/lib/n", "/v/lib/none");
    CHECK(m.view.at("/v/lib/n") == "[missing]");
    CHECK(m.view.real_path("/v/lib/n") == "");
  }
  SUBCASE("in a circle") {
    m.view.link("/v/one", "/v/two");
    m.view.link("/v/two", "/v/one");
    CHECK(m.view.at("/v/one") == "[missing]");
    CHECK(m.view.real_path("/v/one") == "");
    CHECK(m.view.names("/v/one") == "[missing]");
  }
}

TEST_CASE("variables that are set and unset") {
  changed_machine m;
  m.os.variables = {{"A", "1"}, {"B", "2"}};
  m.view.set_variable("A", "new");
  m.view.set_variable("B", "");
  m.view.set_variable("C", "3");
  const auto value = [&m](const char* name) {
    arena_string text;
    return m.view.variable(name, text) ? std::string(text) : "[unset]";
  };
  CHECK(m.view.has_changes());
  CHECK(value("A") == "new");
  CHECK(value("B") == "[unset]");
  CHECK(value("C") == "3");
  CHECK(value("D") == "[unset]");
  m.os.is_secure = true;  // the loader takes nothing from whoever started it
  for (const char* name : {"A", "B", "C"}) CHECK(value(name) == "[unset]");
}
