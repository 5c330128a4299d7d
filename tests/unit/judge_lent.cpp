// SPDX-License-Identifier: BSD-3-Clause
//
// A sub-library that an install lacks and the machine that configures has elsewhere.
#include <doctest/doctest.h>

#include "core/check/cudnn_check.h"
#include "cudnn_installs.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

TEST_CASE("what the machine that configures lends an install is missing elsewhere") {
  configuration c;
  c.take_from("heuristic", "9.14.0", "/usr/lib", test::by_cache);
  CHECK(c.names() == "sublibrary-missing mixed-sublibraries");
  CHECK(c.weight() == severity::warning);
  SUBCASE("CuDNNChecked_ROOT names it") { c.options.install_named = true; }
  SUBCASE("COMPONENTS need it") { c.stamped.components = {"cnn"}; }
  REQUIRE(c.names() == "sublibrary-missing mixed-sublibraries");
  CHECK(
      findings_message({c.findings()[0]}, "refused", severity::warning) ==
      "refused: a sub-library of this cuDNN is missing, and this machine lends it: "
      "libcudnn_heuristic.so.9\n"
      "  needed:  libcudnn_heuristic.so.9   beside /opt/cudnn/lib/libcudnn.so.9\n"
      "  found:   9.14.0                    /usr/lib/libcudnn_heuristic.so.9   chosen by "
      "ld.so.cache\n"
      "  A program that runs where no other cuDNN of this release is installed does not find it.\n"
      "  fix: reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
      "  [sublibrary-missing]\n");
}

// Seen on Ubuntu: the operation libraries of Debian's full set, which the shim opens first, bring
// its graph library and engines.
TEST_CASE(
    "a JIT-only install beside a full one of its release: another copy of it would not help") {
  configuration c;
  c.options.install_named = true;
  for (cudnn_file& file : c.observed.files.in_place()) {
    if (file.role == library_role::shim) continue;
    c.take_from(to_string(file.role), "9.14.0", "/usr/lib", test::by_cache);
  }
  c.observed.beside_shim = {library_role::shim, library_role::graph,
                            library_role::engines_runtime_compiled};
  REQUIRE(c.names() == "sublibrary-missing mixed-sublibraries");
  CHECK(findings_message({c.findings()[0]}, "refused", severity::error)
            .find("\n  fix: install the full cuDNN package instead of the JIT-only one\n") !=
        std::string::npos);
}

TEST_CASE("an install that nothing is lent to") {
  configuration c;
  c.options.install_named = true;
  SUBCASE("of a directory of the loader's own") {
    for (const char* role : {"graph", "ops", "heuristic"}) {
      c.file(role).chosen_by = choice_reason::ld_so_cache;
    }
    CHECK(c.names() == "");
  }
  SUBCASE("COMPONENTS do without it") {
    c.stamped.components = {"graph"};
    c.take_from("adv", "9.14.0", "/usr/lib", test::by_cache);
    CHECK(c.names() == "mixed-sublibraries");
  }
  SUBCASE("its own lies there by a name that is asked for later") {
    c.take_from("heuristic", "9.14.0", "/usr/lib", test::by_cache);
    c.observed.beside_shim = {library_role::heuristic};
    CHECK(c.names() == "mixed-sublibraries");
  }
  SUBCASE("its record says it") {
    c.take_from("adv", "9.14.0", "/usr/lib", test::by_cache);
    package_record package;
    package.manager = package_manager::wheel;
    package.name = "nvidia-cudnn-cu13";
    c.observed.absent_files = {{"/opt/cudnn/lib/libcudnn_adv.so.9", package}};
    CHECK(c.names().find("sublibrary-missing") == std::string::npos);
  }
  // A program is told of what it gets.
  machine m;
  m.take_from("heuristic", "9.14.0", "/usr/lib", test::by_cache);
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("another install has the versioned names, which Debian's libraries ask for first") {
  test::fake_system os;
  test::set_program(os, "/opt/cudnn/lib");
  test::add_package(os, "/usr/lib/x86_64-linux-gnu", "9.14.0");
  const std::string system = "/usr/lib/x86_64-linux-gnu/";
  for (const auto& [path, bytes] : std::map(os.files)) {
    const std::size_t version = path.find(".so.9.14.0");
    if (!starts_with(path, system) || version == std::string::npos) continue;
    os.files["/opt/cudnn/lib/" + path.substr(system.size(), version - system.size()) + ".so.9"] =
        bytes;
  }
  const auto judged = [&os] {
    loader search(os);
    cudnn_check c(search);
    c.options.install_named = true;
    c.observed.linked = true;
    look_at_install(search, 9, c.observed);
    CHECK(to_string(test::file_of(c.observed, "heuristic").chosen_by) == "ld.so.cache");
    return judge_install_files(c.stamped, c.observed, c.options);
  };
  const std::string missing = "sublibrary-missing";
  CHECK(test::names_of(judged().findings).find(missing) == std::string::npos);
  os.files["/opt/cudnn/lib/libcudnn_heuristic.so.9"] = "";
  CHECK(test::names_of(judged().findings).find(missing) != std::string::npos);
}
