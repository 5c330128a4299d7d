// SPDX-License-Identifier: BSD-3-Clause
//
// Files that a package has lost, and what the loader takes in their place.
#include <doctest/doctest.h>

#include "core/installers/installers.h"
#include "core/model/paths.h"
#include "observation_builder.h"

using namespace cudnn_checked;

namespace {

const std::string lib = "/venv/lib/python3.12/site-packages/nvidia/cudnn/lib";
const std::string other_directory = "/usr/lib/x86_64-linux-gnu";

/// A program on a wheel, and another cuDNN in the loader's cache.
struct on_wheel : test::machine {
  package_record package;

  explicit on_wheel(const char* built = "9.14.0") : machine(built) {
    package.manager = package_manager::wheel;
    package.name = "nvidia-cudnn-cu13";
    package.number = "9.14.0.64";
    package.cudnn = parse_version("9.14.0");
    package.record =
        "/venv/lib/python3.12/site-packages/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD";
    for (cudnn_file& file : observed.files.in_place()) {
      file = test::file_of(std::string(file.role), "9.14.0", lib);
      file.package = package;
      const bool by_graph =
          starts_with(to_string(file.role), "engines") || file.role == library_role::heuristic;
      if (file.role != library_role::shim) {
        file.asked_by = lib + (by_graph ? "/libcudnn_graph.so.9" : "/libcudnn.so.9");
      }
    }
    python_environment venv;
    venv.site = "/venv/lib/python3.12/site-packages";
    venv.prefix = "/venv";
    venv.python = "/venv/bin/python";
    venv.installer = &installers::pip();
    venv.wheels.push_back(wheel_of_info("nvidia_cudnn_cu13-9.14.0.64.dist-info"));
    observed.environments.push_back(venv);
  }

  /// The record lists it, and it is not there.
  void lost(const std::string& role) {
    lose(role);
    observed.absent_files.push_back({lib + "/libcudnn_" + role + ".so.9", package});
  }

  /// The loader takes it from the other install.
  void taken(const std::string& role, const char* release, const std::string& asker) {
    take_from(role, release, other_directory, test::by_cache);
    file(role).asked_by = asker;
  }

  void lost_graph(const char* release) {
    lost("graph");
    taken("graph", release, lib + "/libcudnn.so.9");
    for (const char* role : {"engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
      taken(role, release, other_directory + "/libcudnn_graph.so.9");
    }
  }
};

const std::string again =
    "$ /venv/bin/python -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64";

}  // namespace

TEST_CASE("a wheel has lost its graph library: that is the cause of the mix") {
  on_wheel m;
  m.lost_graph("9.19.0");
  CHECK(m.names() == "library-missing");
  CHECK(m.fact("listed") == "libcudnn_graph.so.9   " + std::string(m.package.record));
  CHECK(m.fact("found") == "no such file   " + lib);
  CHECK(m.fact("taken instead") ==
        "9.19.0   " + other_directory + "/libcudnn_graph.so.9   chosen by ld.so.cache");
  CHECK(m.fix() == again);
}

TEST_CASE("each library that another install lends") {
  for (const char* role :
       {"ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
    on_wheel m;
    m.lost(role);
    CHECK(m.names() == "library-missing");
    m.taken(role, "9.19.0", lib + "/libcudnn_graph.so.9");
    CHECK(m.names() == "library-missing");
    CHECK(m.fix() == again);
    // Without a record the mix is what is known.
    m.observed.absent_files.clear();
    CHECK(m.names() == "mixed-sublibraries");
  }
}

TEST_CASE("an older release in place of the graph library is a consequence too") {
  on_wheel m;
  m.lost_graph("9.10.0");
  CHECK(m.names() == "library-missing");
  m.stamped.policy = "exact";
  CHECK(m.names() == "library-missing");
}

TEST_CASE("a package that does not suit the program is not installed again") {
  on_wheel m("9.19.0");
  m.lost_graph("9.10.0");
  CHECK(m.names() == "library-missing");
  CHECK(m.fix() ==
        "$ /venv/bin/python -m pip install --force-reinstall --no-deps "
        "'nvidia-cudnn-cu13==9.19.0.*'");
}

TEST_CASE("a library that this user may not read is the cause of the mix") {
  on_wheel m;
  m.taken("ops", "9.19.0", lib + "/libcudnn.so.9");
  CHECK(m.names() == "mixed-sublibraries");
  m.file("ops").near_miss.path = lib + "/libcudnn_ops.so.9";
  m.file("ops").near_miss.state = file_state::unreadable;
  const std::string message = m.message();
  CHECK(message ==
        "refused: a library of cuDNN cannot be loaded by this user: libcudnn_ops.so.9\n"
        "  expected:       a file with read permission\n"
        "  found:          a file without read permission   " +
            lib +
            "/libcudnn_ops.so.9\n"
            "  taken instead:  9.19.0                           " +
            other_directory +
            "/libcudnn_ops.so.9   chosen by ld.so.cache\n"
            "  The loader takes another install's in its place, and mixes two releases.\n"
            "  fix: give this user read permission for " +
            lib + "/libcudnn_ops.so.9\n  [library-corrupt]\n");
  // One of the same release harms nothing.
  m.taken("ops", "9.14.0", lib + "/libcudnn.so.9");
  CHECK(m.weight() == severity::note);
  // Nor is it the cause of what comes from elsewhere.
  m.taken("ops", "9.19.0", lib + "/libcudnn.so.9");
  m.take_from("heuristic", "9.16.0", "/elsewhere", test::by_cache);
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("an unreadable graph library, and the header of its own release") {
  test::configuration c;
  on_wheel m;
  m.lost_graph("9.19.0");
  m.observed.absent_files.clear();
  m.file("graph").near_miss.path = lib + "/libcudnn_graph.so.9";
  m.file("graph").near_miss.state = file_state::unreadable;
  c.observed.files = m.observed.files;
  c.observed.answers = {};
  REQUIRE(c.findings().size() == 1);
  CHECK(c.findings()[0].id == finding_id::library_corrupt);
}

TEST_CASE("a mix that has another cause stays") {
  on_wheel m;
  m.lost("ops");
  m.taken("ops", "9.19.0", lib + "/libcudnn.so.9");
  m.take_from("heuristic", "9.16.0", "/elsewhere", test::by_cache);
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("a record alone refuses no program") {
  on_wheel m;
  m.lost("ops");
  m.taken("ops", "9.14.0", lib + "/libcudnn.so.9");
  CHECK(m.names() == "mixed-sublibraries");  // a note: one release from two directories
  CHECK(m.weight() == severity::note);
  // Nor one that does not need what is lost.
  on_wheel small;
  small.stamped.sublibraries = {"graph", "engines_runtime_compiled"};
  small.lost("adv");
  CHECK(small.names() == "");
  // Optional libraries are not there for a reason that cuDNN can live with.
  on_wheel optional;
  optional.stamped.sublibraries.push_back("engines_tensor_ir");
  optional.observed.files.push_back(test::file_of("engines_tensor_ir", "9.14.0"));
  optional.lost("engines_tensor_ir");
  CHECK(optional.names() == "sublibrary-missing");
  CHECK(optional.weight() == severity::note);
}

TEST_CASE("at configure time the lost file comes first as well") {
  test::configuration c;
  on_wheel m;
  m.lost_graph("9.19.0");
  c.observed.files = m.observed.files;
  c.observed.absent_files = m.observed.absent_files;
  c.observed.environments = m.observed.environments;
  REQUIRE(!c.findings().empty());
  CHECK(c.findings()[0].id == finding_id::library_missing);
  CHECK(c.fix() == again);
  for (const finding& f : c.findings()) CHECK(f.id != finding_id::mixed_sublibraries);
  // What cuDNN answers then is the release of the other install's graph library.
  c.observed.answers.library = {9, 19, 0};
  CHECK(c.names() == "library-missing");
  // Without the record the mix is told, and the header is of what was there.
  c.observed.absent_files.clear();
  CHECK(c.names() == "mixed-sublibraries");
  // A header of a third release is wrong by itself.
  c.stamped.cudnn_header = {9, 13, 0};
  CHECK(c.names() == "mixed-sublibraries header-library-mismatch");
}

// tensorflow#45200: doctor finds one file alone.
TEST_CASE("the directory to reinstall in is that of the first file that there is") {
  test::configuration c;
  std::swap(c.observed.files.in_place()[0], c.file("graph"));
  c.lose("graph");
  CHECK(c.fix() == "> reinstall cuDNN 9.14.0 in /opt/cudnn/lib");
}

TEST_CASE("a library of a JIT-only cuDNN that this user may not read, and a full one that lends") {
  test::machine m;
  m.make_jit_only();
  for (const char* role : {"ops", "cnn", "adv", "engines_precompiled", "heuristic"}) {
    m.take_from(role, "9.19.0", "/usr/lib", test::by_cache);
  }
  CHECK(m.names() == "");
  for (const char* role : {"engines_runtime_compiled", "graph"}) {
    m.take_from(role, "9.19.0", "/usr/lib", test::by_cache);
    m.file(role).near_miss.path = "/opt/cudnn/lib/" + m.file(role).name;
    m.file(role).near_miss.state = file_state::unreadable;
    REQUIRE(m.names() == "library-corrupt");
    CHECK(m.fix() ==
          "> give this user read permission for /opt/cudnn/lib/" + std::string(m.file(role).name));
    m.take_from(role, "9.14.0", "/opt/cudnn/lib", test::by_runpath);
  }
}
