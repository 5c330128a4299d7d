// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue of the DLLs, which no Linux program has.
#include <doctest/doctest.h>

#include <set>

#include "catalogue_ids.h"
#include "core/catalogue/catalogue.h"
#include "core/model/library_name.h"
#include "core/pe/pe_file.h"
#include "fake_system.h"
#include "pe_builder.h"

using namespace cudnn_checked;

namespace {

// File, id, release, CUDA major, set, what it asks for.
std::vector<std::vector<std::string>> dll_rows() {
  return test::read_csv("tool/data/catalogue/dll_ids.csv", 6);
}

std::string which_dll(const char* id) {
  const file_identity identity = identify_build_id(id, dll_catalogue());
  std::string text = to_string(identity.role);
  for (const release& r : identity.releases) {
    text += " " + std::string(to_string(r.number)) + "/" + std::to_string(r.cuda_major);
  }
  return text;
}

std::string dlls_asked_by(const char* role, const char* number) {
  const version of = parse_version(number);
  return to_string(asked_by(role, of.major, of, dll_catalogue()));
}

}  // namespace

TEST_CASE("every row of the DLLs is found by its id, as that one release for that CUDA major") {
  const auto rows = dll_rows();
  REQUIRE(rows.size() > 790);
  std::set<std::string> seen;
  for (const auto& row : rows) {
    CAPTURE(row[1]);
    const file_identity identity = identify_build_id(row[1], dll_catalogue());
    CHECK(identity.told_by == file_identity::source::build_id);
    CHECK(identity.role == role_of_name(row[0]));
    CHECK(row[4] == "full");
    // No DLL was ever seen in two packages.
    CHECK(seen.insert(row[1]).second);
    REQUIRE(identity.releases.size() == 1);
    CHECK(identity.releases[0].number == parse_version(row[2]));
    CHECK(identity.releases[0].cuda_major == std::stoi(row[3]));
    CHECK(identify_build_id(row[1]).told_by == file_identity::source::none);
  }
  CHECK(rows.size() == dll_catalogue().id_count);
}

TEST_CASE("DLLs by name, and those that only their seconds tell apart") {
  CHECK(which_dll("000446830148688") == "");  // too long
  CHECK(which_dll("0004430148688") == "shim 9.12.0/13");
  CHECK(which_dll("000443017b688") == "shim 9.12.0/12");
  CHECK(which_dll("032de3018f688") == "heuristic 9.12.0/13");
  CHECK(which_dll("032de301ee688") == "heuristic 9.12.0/12");
  CHECK(which_dll("00047eb6186ad") == "shim 9.28.0/12");
  CHECK(which_dll("22d83840bf656") == "cnn_infer 8.9.7/12");
  CHECK(which_dll("22d83840be656") == "");
  CHECK(which_dll("22d84840bf656") == "");
  CHECK(which_dll("") == "");
  CHECK(which_dll("563e348c73f66b6c374ff082af576922b0397648") == "");
}

TEST_CASE("a DLL as it is read is the one in the catalogue") {
  test::pe_builder b;
  b.image_size = 0x22d83000;
  b.time_stamp = 0x656840bf;
  const library_file file = read_pe(test::memory_source(b.build()), 62);
  CHECK(which_dll(file.build_id.c_str()) == "cnn_infer 8.9.7/12");
}

TEST_CASE("what the catalogue of DLLs says of releases") {
  const catalogue_table& table = dll_catalogue();
  CHECK(to_string(roles_of({parse_version("9.28.0"), 13}, table)) ==
        "shim, graph, ops, cnn, adv, engines_precompiled, engines_runtime_compiled, heuristic, "
        "engines_tensor_ir, ext");
  CHECK(to_string(roles_of({parse_version("8.9.7"), 12}, table)) ==
        "shim, ops_infer, ops_train, cnn_infer, cnn_train, adv_infer, adv_train");
  // Packages that exist for Linux only.
  CHECK(is_catalogued({parse_version("9.18.0"), 13}));
  CHECK(!is_catalogued({parse_version("9.18.0"), 13}, table));
  CHECK(!is_catalogued({parse_version("8.9.2"), 0}, table));
  CHECK(dlls_asked_by("shim", "9.28.0") == "graph, ops, cnn, adv, ext");
  CHECK(dlls_asked_by("graph", "9.19.0") ==
        "cnn, engines_precompiled, engines_runtime_compiled, heuristic");
  CHECK(dlls_asked_by("adv", "9.0.0") == "cnn");
  CHECK(dlls_asked_by("heuristic", "9.28.0").empty());
  CHECK(build_id_of({parse_version("8.9.7"), 12}, "cnn_infer", table) == "22d83840bf000");
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const library_role role = static_cast<library_role::known>(i);
    CHECK(!is_seen_shared(role, table));
    CHECK(!is_seen_unchanged(role, 8, table));
    CHECK(!is_seen_unchanged(role, 9, table));
  }
}
