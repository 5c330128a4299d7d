// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "catalogue_builder.h"
#include "catalogue_ids.h"
#include "core/catalogue/catalogue.h"
#include "core/model/library_name.h"

using namespace cudnn_checked;

namespace {

using row = test::catalogue_row;

bool can_be(const file_identity& identity, const version& number, int cuda_major) {
  for (const release& r : identity.releases) {
    if (r.number == number && (r.cuda_major == 0 || r.cuda_major == cuda_major)) return true;
  }
  return false;
}

bool are_same(const std::vector<release>& left, const std::vector<release>& right) {
  const auto same = [](const release& l, const release& r) {
    return l.number == r.number && l.cuda_major == r.cuda_major;
  };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

using source = file_identity::source;

source told(const cudnn_file& file) { return identify(file).told_by; }

arena_string releases(const cudnn_file& file) { return describe(identify(file).releases); }

file_identity who_is(const std::string& number, int cuda_major) {
  file_identity identity;
  identity.releases.push_back({parse_version(number), cuda_major});
  return identity;
}

struct swaps {
  int made = 0;
  int unseen = 0;
};

swaps swap_each(const char* file_of_ids, const catalogue_table& table) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string>> sets;
  std::map<std::string, file_identity> identity_of;
  for (const row& r : test::read_catalogue_rows(file_of_ids)) {
    if (r.set != "full") continue;
    sets[{r.number, r.cuda_major}][r.file] = r.build_id;
    identity_of[r.build_id] = identify_build_id(r.build_id, table);
  }
  swaps result;
  for (const auto& set : sets) {
    for (const auto& other : sets) {
      for (const auto& file : other.second) {
        const auto own = set.second.find(file.first);
        if (set.first == other.first || own == set.second.end()) continue;
        std::vector<file_identity> identities;
        for (const auto& member : set.second) {
          const bool swapped = member.first == file.first;
          identities.push_back(identity_of.at(swapped ? file.second : member.second));
        }
        bool known = false;
        const bool coherent = !intersect(identities, known).empty();
        CHECK(coherent == (own->second == file.second));
        ++result.made;
        if (coherent) ++result.unseen;
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("every row of the data is found by its build id") {
  const std::vector<row> rows = test::read_catalogue_rows();
  REQUIRE(rows.size() > 1000);
  for (const row& r : rows) {
    CAPTURE(r.build_id);
    const file_identity identity = identify_build_id(r.build_id);
    CHECK(identity.told_by == file_identity::source::build_id);
    CHECK(identity.role == role_of_name(r.file));
    CHECK(can_be(identity, parse_version(r.number), std::stoi(r.cuda_major)));
  }
}

TEST_CASE("the CUDA major is left open only where the data cannot tell it") {
  const std::vector<row> rows = test::read_catalogue_rows();
  std::map<std::string, std::set<std::string>> majors_of_id;
  std::map<std::string, std::set<std::string>> majors_of_file;
  std::set<std::string> shared;
  for (const row& r : rows) {
    majors_of_id[r.build_id].insert(r.cuda_major);
    majors_of_file[r.file + r.number].insert(r.cuda_major);
  }
  for (const row& r : rows) {
    if (majors_of_id[r.build_id].size() > 1) shared.insert(role_of_name(r.file));
  }
  CHECK(shared == std::set<std::string>{"shim", "heuristic"});
  int open = 0;
  for (const row& r : rows) {
    CAPTURE(r.file + " " + r.number);
    const bool expected =
        shared.count(role_of_name(r.file)) != 0 && majors_of_file[r.file + r.number].size() == 1;
    for (const release& which : identify_build_id(r.build_id).releases) {
      if (which.number == parse_version(r.number)) CHECK((which.cuda_major == 0) == expected);
    }
    if (expected) ++open;
  }
  CHECK(open > 0);
  CHECK(open < static_cast<int>(rows.size()) / 50);
}

// The heuristic of 9.19.1 was read from the package for CUDA 13 alone; one for CUDA 12 may have the
// same.  The shim is in both JIT-only packages, and the engines never are the same.
TEST_CASE("a shared file among those of another CUDA major is no mixture, an engine is") {
  const auto file_of = [](const std::string& role, const char* number, const char* cuda_major) {
    return identify_build_id(test::id_of("libcudnn" + role + ".so.9", number, cuda_major));
  };
  bool known = false;
  const file_identity shim = file_of("", "9.19.1.2", "13");
  const file_identity heuristic = file_of("_heuristic", "9.19.1.2", "13");
  CHECK(!intersect({who_is("9.19.1", 12), shim, heuristic}, known).empty());
  CHECK(intersect({who_is("9.18.1", 12), shim}, known).empty());
  const file_identity engines = file_of("_engines_precompiled", "9.19.1.2", "13");
  CHECK(intersect({who_is("9.19.1", 12), engines}, known).empty());
  CHECK(intersect({file_of("_graph", "9.14.0.64", "13"),
                   file_of("_engines_precompiled", "9.14.0.64", "12")},
                  known)
            .empty());
  // Both packages of 9.28.0 were read, and their heuristics differ.
  CHECK(intersect({who_is("9.28.0", 12), file_of("_heuristic", "9.28.0.42", "13")}, known).empty());
}

TEST_CASE("ids that the table does not have are unknown") {
  REQUIRE(identify_build_id("7b1d6c3f711c8ec527069af720800c366c296ba5").releases.size() == 2);
  for (const char* id :
       {"", "7b1d6c3f71", "7b1d6c3f711c8ec527069af720800c366c296ba",
        "7b1d6c3f701c8ec527069af720800c366c296ba5", "0000000000000000000000000000000000000000",
        "ffffffffffffffffffffffffffffffffffffffff", "7B1D6C3F711C8EC527069AF720800C366C296BA5",
        "7b1d6c3f7g1c8ec527069af720800c366c296ba5"}) {
    CAPTURE(id);
    CHECK(identify_build_id(id).told_by == file_identity::source::none);
    CHECK(identify_build_id(id).releases.empty());
  }
}

TEST_CASE("the id decides before the version word, the word before the name") {
  cudnn_file file;
  file.role = "graph";
  file.name = "libcudnn_graph.so.9";
  CHECK(identify(file).role == "graph");
  CHECK(told(file) == source::none);
  file.name_version = parse_version("9.3.0");
  CHECK(told(file) == source::file_name);
  CHECK(releases(file) == "9.3.0");
  file.word = parse_version("9.14.0");
  CHECK(told(file) == source::version_word);
  CHECK(releases(file) == "9.14.0");
  file.build_id = "563e348c73f66b6c374ff082af576922b0397648";
  CHECK(told(file) == source::build_id);
  CHECK(releases(file) == "9.19.0 for CUDA 13");
}

TEST_CASE("the record of a package comes last, and tells the CUDA major") {
  cudnn_file file;
  file.role = "ops";
  file.name = "libcudnn_ops.so.9";
  file.package.manager = package_manager::wheel;
  file.package.cudnn = parse_version("9.14.0");
  file.package.cuda_major = 13;
  CHECK(told(file) == source::package);
  CHECK(releases(file) == "9.14.0 for CUDA 13");
  // Of another length than the record says: the file was replaced since.
  file.package.same_size = answer::no;
  CHECK(told(file) == source::none);

  file.word = parse_version("9.14.0");
  CHECK(releases(file) == "9.14.0");
  file.run_path_cuda_major = 12;
  CHECK(releases(file) == "9.14.0 for CUDA 12");
  file.package.same_size = answer::yes;
  CHECK(told(file) == source::version_word);
  CHECK(releases(file) == "9.14.0 for CUDA 13");
  // A record of another release says nothing of this file.
  file.word = parse_version("9.19.0");
  CHECK(releases(file) == "9.19.0 for CUDA 12");

  // The shim and the heuristic are the same for every CUDA major.
  file.role = "heuristic";
  file.name = "libcudnn_heuristic.so.9";
  CHECK(releases(file) == "9.19.0");
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
    CHECK(to_string(role_of_name(entry.first)) == entry.second);
  }
}

TEST_CASE("a set is what all of its files can be at once") {
  bool known = true;
  CHECK(intersect({}, known).empty());
  CHECK(!known);
  CHECK(intersect({file_identity()}, known).empty());
  CHECK(!known);

  // One that is unknown restricts nothing.
  CHECK(intersect({file_identity(), who_is("9.14.0", 13), file_identity()}, known).size() == 1);
  CHECK(known);

  CHECK(intersect({who_is("9.14.0", 13), who_is("9.19.0", 13)}, known).empty());
  CHECK(known);
  CHECK(intersect({who_is("9.14.0", 13), who_is("9.14.0", 12)}, known).empty());

  // A CUDA major that is not known fits every other, and is told by them, in any order.
  for (const int first : {0, 13}) {
    const auto common = intersect({who_is("9.14.0", first), who_is("9.14.0", 13 - first)}, known);
    CHECK(describe(common) == "9.14.0 for CUDA 13");
  }
}

TEST_CASE("roles of releases") {
  CHECK(roles_of({parse_version("9.14.0"), 13}) ==
        std::vector<std::string>{"shim", "graph", "ops", "cnn", "adv", "engines_precompiled",
                                 "engines_runtime_compiled", "heuristic"});
  CHECK(roles_of({parse_version("9.14.0"), 0}).size() == 8);
  CHECK(roles_of({parse_version("9.28.0"), 13}).size() == 10);
  CHECK(roles_of({parse_version("8.9.7"), 12}).size() == 7);
  // Releases of which the table has JIT-only packages, or none for that CUDA major, or nothing.
  CHECK(roles_of({parse_version("9.19.1"), 13}).size() == 8);
  CHECK(roles_of({parse_version("9.19.1"), 12}).empty());
  CHECK(roles_of({parse_version("9.14.0"), 11}).empty());
  CHECK(roles_of({parse_version("9.99.0"), 13}).empty());
}

TEST_CASE("roles whose ids are all known") {
  CHECK(roles_with_known_ids({parse_version("9.14.0"), 13}).size() == 8);
  CHECK(roles_with_known_ids({parse_version("9.19.1"), 13}).size() == 8);
  CHECK(roles_with_known_ids({parse_version("9.19.1"), 12}) ==
        std::vector<std::string>{"shim", "graph", "engines_runtime_compiled"});
  CHECK(roles_with_known_ids({parse_version("9.19.1"), 0}).size() == 8);
  CHECK(roles_with_known_ids({parse_version("9.14.0"), 11}).empty());
  CHECK(roles_with_known_ids({parse_version("9.99.0"), 0}).empty());
}

TEST_CASE("every swap of one file in a full set is seen, unless the files are the same") {
  const swaps files = swap_each("build_ids.csv", elf_catalogue());
  CHECK(files.made > 60000);
  CHECK(files.unseen > 0);
  CHECK(files.unseen < files.made / 100);
  const swaps dlls = swap_each("dll_ids.csv", dll_catalogue());
  CHECK(dlls.made > 60000);
  CHECK(dlls.unseen == 0);
}

TEST_CASE("a catalogue made of all rows is the shipped one") {
  const test::catalogue_builder builder(test::read_catalogue_rows());
  const catalogue_table& made = builder.table();
  const catalogue_table& shipped = shipped_catalogue();
  REQUIRE(made.id_count == shipped.id_count);
  REQUIRE(made.release_count == shipped.release_count);
  for (std::size_t i = 0; i < made.release_count; ++i) {
    const catalogue_release& m = made.releases[i];
    const catalogue_release& s = shipped.releases[i];
    CAPTURE(i);
    CHECK(std::tie(m.major, m.minor, m.patch, m.cuda_major, m.full) ==
          std::tie(s.major, s.minor, s.patch, s.cuda_major, s.full));
    CHECK(made.role_sets[m.role_set] == shipped.role_sets[s.role_set]);
  }
  for (const row& r : test::read_catalogue_rows()) {
    CAPTURE(r.build_id);
    const file_identity one = identify_build_id(r.build_id, made);
    const file_identity other = identify_build_id(r.build_id);
    CHECK(one.role == other.role);
    CHECK(are_same(one.releases, other.releases));
  }
  REQUIRE(made.asker_count == shipped.asker_count);
  for (std::size_t i = 0; i < made.asker_count; ++i) {
    const catalogue_asker& m = made.askers[i];
    const catalogue_asker& s = shipped.askers[i];
    CHECK(std::tie(m.major, m.minor, m.patch, m.role, m.roles) ==
          std::tie(s.major, s.minor, s.patch, s.role, s.roles));
  }
  CHECK(made.shared_roles == shipped.shared_roles);
  REQUIRE(made.unchanged_count == shipped.unchanged_count);
  for (std::size_t i = 0; i < made.unchanged_count; ++i) {
    CHECK(made.unchanged[i].cudnn_major == shipped.unchanged[i].cudnn_major);
    CHECK(made.unchanged[i].roles == shipped.unchanged[i].roles);
  }
}

TEST_CASE("what a library asks for is known for each release") {
  const auto asked = [](const char* role, const char* number) {
    return to_string(asked_by(role, parse_version(number).major, parse_version(number)));
  };
  CHECK(asked("graph", "9.19.1") == "engines_precompiled, engines_runtime_compiled, heuristic");
  CHECK(asked("graph", "9.20.0") ==
        "engines_precompiled, engines_runtime_compiled, heuristic, engines_tensor_ir");
  CHECK(asked("graph", "9.99.0") == asked("graph", "9.28.0"));
  CHECK(asked("shim", "9.21.1") == "graph, ops, cnn, adv");
  CHECK(asked("shim", "9.22.0") == "graph, ops, cnn, adv, ext");
  CHECK(asked("shim", "8.9.7") ==
        "ops_infer, ops_train, cnn_infer, cnn_train, adv_infer, adv_train");
  CHECK(asked("shim", "8.0.5") == asked("shim", "8.9.7"));
  CHECK(asked("heuristic", "9.28.0").empty());
  CHECK(to_string(asked_by("shim", 9, {})) == "graph, ops, cnn, adv");
  CHECK(first_release_with("engines_tensor_ir", {parse_version("9.20.0"), 13}) ==
        parse_version("9.21.0"));
  CHECK(!first_release_with("engines_tensor_ir", {parse_version("9.99.0"), 13}).known());
}

TEST_CASE("a catalogue without a release does not know its files") {
  std::vector<row> rows = test::read_catalogue_rows();
  const auto is_left_out = [](const row& r) { return r.number == "9.14.0.64"; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_left_out), rows.end());
  const test::catalogue_builder builder(rows);
  const catalogue_table& table = builder.table();
  CHECK(table.id_count < shipped_catalogue().id_count);
  CHECK(!is_catalogued({parse_version("9.14.0"), 13}, table));
  CHECK(roles_of({parse_version("9.14.0"), 13}, table).empty());
  cudnn_file file;
  file.build_id = test::id_of("libcudnn_graph.so.9", "9.14.0.64", "13");
  CHECK(identify(file).told_by == file_identity::source::build_id);
  CHECK(identify(file, table).told_by == file_identity::source::none);
}

TEST_CASE("releases that the catalogue has, and that lie between two") {
  CHECK(is_catalogued({parse_version("9.14.0"), 13}));
  CHECK(is_catalogued({parse_version("9.14.0"), 0}));
  CHECK(!is_catalogued({parse_version("9.14.0"), 11}));
  CHECK(!is_catalogued({parse_version("9.14.1"), 0}));
  CHECK(!is_catalogued({parse_version("8.5.0"), 12}));

  const version older = parse_version("9.13.1");
  const version newer = parse_version("9.15.0");
  CHECK(is_catalogued_between(older, newer, 13));
  CHECK(is_catalogued_between(newer, older, 13));
  CHECK(is_catalogued_between(older, newer, 0));
  CHECK(!is_catalogued_between(older, newer, 11));
  CHECK(!is_catalogued_between(older, parse_version("9.14.0"), 13));
  CHECK(!is_catalogued_between(newer, newer, 13));
}

TEST_CASE("files that releases and CUDA majors share, by role") {
  CHECK(is_seen_unchanged("ext", 9));
  CHECK(is_seen_unchanged("shim", 8));
  CHECK(!is_seen_unchanged("shim", 9));
  CHECK(!is_seen_unchanged("ext", 8));
  CHECK(!is_seen_unchanged("heuristic", 9));
  CHECK(!is_seen_unchanged("ext", 10));
  CHECK(!is_seen_unchanged("of_2030", 9));
  CHECK(is_seen_shared("shim"));
  CHECK(is_seen_shared("heuristic"));
  CHECK(!is_seen_shared("graph"));
  CHECK(!is_seen_shared("of_2030"));
}
