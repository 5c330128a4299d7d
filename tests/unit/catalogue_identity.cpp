// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/catalogue/catalogue.h"

using namespace cudnn_checked;

namespace {

struct row {
  std::string file, build_id, number, cuda_major, set;
};

std::vector<row> read_rows() {
  std::ifstream stream(CUDNN_CHECKED_SOURCE_DIR "/tool/core/catalogue/build_ids.csv");
  std::vector<row> rows;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    row r;
    std::getline(cells, r.file, ',');
    std::getline(cells, r.build_id, ',');
    std::getline(cells, r.number, ',');
    std::getline(cells, r.cuda_major, ',');
    std::getline(cells, r.set, ',');
    rows.push_back(r);
  }
  return rows;
}

bool can_be(const identity& who, const version& number, int cuda_major) {
  for (const release& r : who.releases) {
    if (r.number == number && r.cuda_major == cuda_major) return true;
  }
  return false;
}

identity who_is(const std::string& number, int cuda_major) {
  identity who;
  who.releases.push_back({parse_version(number), cuda_major});
  return who;
}

}  // namespace

TEST_CASE("every row of the data is found by its build id") {
  const std::vector<row> rows = read_rows();
  REQUIRE(rows.size() > 250);
  for (const row& r : rows) {
    CAPTURE(r.build_id);
    const identity who = identify_build_id(r.build_id);
    CHECK(who.told_by == identity::source::build_id);
    CHECK(who.role == role_of_name(r.file));
    CHECK(can_be(who, parse_version(r.number), std::stoi(r.cuda_major)));
  }
}

TEST_CASE("ids that the table does not have are unknown") {
  for (const char* id : {"", "7b1d6c3f711c8ec", "7b1d6c3f711c8ec6", "0000000000000000",
                         "ffffffffffffffffffffffffffffffffffffffff", "7B1D6C3F711C8EC527069AF7",
                         "7b1d6c3f711c8ecg27069af720800c366c296ba5"}) {
    CAPTURE(id);
    CHECK(identify_build_id(id).told_by == identity::source::none);
    CHECK(identify_build_id(id).releases.empty());
  }
}

TEST_CASE("the id decides before the version word, the word before the name") {
  cudnn_file file;
  file.role = "graph";
  file.name = "libcudnn_graph.so.9";
  CHECK(identify(file).told_by == identity::source::none);
  CHECK(identify(file).releases.empty());
  CHECK(identify(file).role == "graph");

  file.name_version = parse_version("9.3.0");
  identity who = identify(file);
  CHECK(who.told_by == identity::source::file_name);
  REQUIRE(who.releases.size() == 1);
  CHECK(to_string(who.releases[0].number) == "9.3.0");
  CHECK(who.releases[0].cuda_major == 0);

  file.word = parse_version("9.14.0");
  who = identify(file);
  CHECK(who.told_by == identity::source::version_word);
  REQUIRE(who.releases.size() == 1);
  CHECK(to_string(who.releases[0].number) == "9.14.0");

  file.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  who = identify(file);
  CHECK(who.told_by == identity::source::build_id);
  REQUIRE(who.releases.size() == 1);
  CHECK(to_string(who.releases[0].number) == "9.19.0");
  CHECK(who.releases[0].cuda_major == 13);
}

TEST_CASE("the role comes from the id, then the SONAME, then the name") {
  cudnn_file file;
  file.role = "cnn";
  file.name = "libcudnn_cnn.so.9";
  CHECK(identify(file).role == "cnn");
  file.soname = "libcudnn_adv.so.9";
  CHECK(identify(file).role == "adv");
  file.build_id = "8fa833c4b71313b535bb3838730a83f8445c0275";
  CHECK(identify(file).role == "ops");
}

TEST_CASE("roles of names") {
  const std::map<std::string, std::string> expected = {
      {"libcudnn.so.9", "shim"},
      {"libcudnn.so", "shim"},
      {"libcudnn.so.9.14.0", "shim"},
      {"libcudnn_ops.so.9.14.0", "ops"},
      {"libcudnn_engines_runtime_compiled.so.9", "engines_runtime_compiled"},
      {"libcudnn_ops_infer.so.8", "ops_infer"},
      {"libcudnn_of_2030.so.9", "of_2030"},
      {"libcudnn_ops-0a1b2c3d.so.9", "ops"},
      {"libcudnn-0a1b2c3d.so.9", "shim"},
      {"libcudnn-0a1b2c3.so.9", ""},
      {"libcudnn_ops-0a1b2c3g.so.9", ""},
      {"libcudnn_static.a", ""},
      {"libcudnn_.so.9", ""},
      {"libcudnnx.so.9", ""},
      {"libcudnn_Ops.so.9", ""},
      {"libcudnn.so.9.backup", ""},
      {"libcudnn.sox", ""},
      {"libcudart.so.13", ""},
      {"/opt/libcudnn.so.9", ""},
      {"", ""},
  };
  for (const auto& entry : expected) {
    CAPTURE(entry.first);
    CHECK(role_of_name(entry.first) == entry.second);
  }
}

TEST_CASE("a set is what all of its files can be at once") {
  bool known = true;
  CHECK(intersect({}, known).empty());
  CHECK(!known);
  CHECK(intersect({identity()}, known).empty());
  CHECK(!known);

  // One that is unknown restricts nothing.
  std::vector<release> common = intersect({identity(), who_is("9.14.0", 13), identity()}, known);
  CHECK(known);
  REQUIRE(common.size() == 1);

  CHECK(intersect({who_is("9.14.0", 13), who_is("9.19.0", 13)}, known).empty());
  CHECK(known);
  CHECK(intersect({who_is("9.14.0", 13), who_is("9.14.0", 12)}, known).empty());

  // A CUDA major that is not known fits every other, and is told by them, in any order.
  common = intersect({who_is("9.14.0", 0), who_is("9.14.0", 13)}, known);
  REQUIRE(common.size() == 1);
  CHECK(common[0].cuda_major == 13);
  common = intersect({who_is("9.14.0", 13), who_is("9.14.0", 0)}, known);
  REQUIRE(common.size() == 1);
  CHECK(common[0].cuda_major == 13);
}

TEST_CASE("roles of releases") {
  CHECK(roles_of({parse_version("9.14.0"), 13}) ==
        std::vector<std::string>{"shim", "graph", "ops", "cnn", "adv", "engines_precompiled",
                                 "engines_runtime_compiled", "heuristic"});
  CHECK(roles_of({parse_version("9.14.0"), 0}).size() == 8);
  CHECK(roles_of({parse_version("9.28.0"), 13}).size() == 10);
  CHECK(roles_of({parse_version("8.9.7"), 12}).size() == 7);
  // 9.27.0 is only known as JIT-only, 9.14.0 not for CUDA 11, 9.99.0 not at all.
  CHECK(roles_of({parse_version("9.27.0"), 13}).empty());
  CHECK(roles_of({parse_version("9.14.0"), 11}).empty());
  CHECK(roles_of({parse_version("9.99.0"), 13}).empty());
}

TEST_CASE("every swap of one file in a full set is seen, unless the files are the same") {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string>> sets;
  for (const row& r : read_rows()) {
    if (r.set == "full") sets[{r.number, r.cuda_major}][r.file] = r.build_id;
  }
  int swaps = 0;
  int unseen = 0;
  for (const auto& set : sets) {
    for (const auto& other : sets) {
      for (const auto& file : other.second) {
        const auto own = set.second.find(file.first);
        if (set.first == other.first || own == set.second.end()) continue;
        std::vector<identity> identities;
        for (const auto& member : set.second) {
          const bool swapped = member.first == file.first;
          identities.push_back(identify_build_id(swapped ? file.second : member.second));
        }
        bool known = false;
        const bool coherent = !intersect(identities, known).empty();
        CHECK(coherent == (own->second == file.second));
        ++swaps;
        if (coherent) ++unseen;
      }
    }
  }
  CHECK(swaps > 5000);
  CHECK(unseen > 0);
}
