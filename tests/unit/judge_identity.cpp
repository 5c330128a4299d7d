// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "catalogue_builder.h"
#include "catalogue_ids.h"
#include "core/judge/cudnn_set.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::id_of;
using test::machine;

namespace {

const std::string strange(40, 'a');

// A wheel's set: no version but the ids.
void use_ids(machine& m, const std::string& release = "9.14.0.64", const char* major = "13") {
  for (cudnn_file& file : m.observed.files.in_place()) {
    file.name_version = {};
    file.real_path = file.path;
    file.build_id = id_of(file.name, release, major);
    REQUIRE(file.build_id.size() == 40);
  }
}

package_record wheel(const char* name, const char* number) {
  package_record package;
  package.manager = package_manager::wheel;
  package.name = name;
  package.number = number;
  package.cudnn = parse_version(std::string(number).substr(0, std::string(number).rfind('.')));
  package.record = std::string("/site/") + name + ".dist-info/RECORD";
  package.same_size = answer::yes;
  return package;
}

}  // namespace

TEST_CASE("a file with an id that its release does not have") {
  machine m;
  use_ids(m);
  CHECK(m.names() == "");
  m.file("heuristic").build_id = strange;
  m.file("graph").package = wheel("nvidia-cudnn-cu13", "9.14.0.64");
  CHECK(m.result() == verdict::warning);
  CHECK(m.message() ==
        "refused: a library of cuDNN is not the one of its release: libcudnn_heuristic.so.9\n"
        "  graph:      9.14.0 for CUDA 13                                  "
        "/opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app (wheel nvidia-cudnn-cu13 "
        "9.14.0.64)\n"
        "  heuristic:  build id aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   "
        "/opt/cudnn/lib/libcudnn_heuristic.so.9   chosen by RUNPATH of app\n"
        "  cuDNN does not check it: a library of another release can silently compute wrong "
        "numbers.\n"
        "  fix: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64\n"
        "  [not-of-release]\n");
}

TEST_CASE("a file whose id was taken out, and a set in which none has one") {
  machine m;
  use_ids(m);
  m.file("heuristic").build_id.clear();
  REQUIRE(m.names() == "not-of-release");
  CHECK(m.weight() == severity::warning);
  CHECK(m.findings()[0].found.value == "no build id");
  m.file("heuristic").name_version = parse_version("9.14.0");
  CHECK(m.names() == "");
  machine none;
  for (cudnn_file& file : none.observed.files.in_place()) {
    if (file.role != "graph") file.name_version = {};
  }
  CHECK(none.names() == "");
}

TEST_CASE("an unknown id says nothing where other evidence agrees, or none is to be had") {
  machine named;
  use_ids(named);
  named.file("heuristic").build_id = strange;
  SUBCASE("a versioned name") { named.file("heuristic").name_version = parse_version("9.14.0"); }
  SUBCASE("a version word") { named.file("heuristic").word = parse_version("9.14.0"); }
  SUBCASE("the record of its package") {
    named.file("heuristic").package = wheel("nvidia-cudnn-cu13", "9.14.0.64");
  }
  SUBCASE("a sub-library of tomorrow") {
    named.file("heuristic").build_id = id_of("libcudnn_heuristic.so.9", "9.14.0.64", "13");
    cudnn_file tomorrow = test::file_of("engines_of_tomorrow", "9.14.0");
    tomorrow.name_version = {};
    tomorrow.build_id = strange;
    named.observed.files.push_back(tomorrow);
  }
  SUBCASE("all files but those that packages share are of a build that nobody knows") {
    for (cudnn_file& file : named.observed.files.in_place()) {
      if (file.role != "shim" && file.role != "heuristic") file.build_id = strange;
    }
  }
  CHECK(named.names() == "");
}

TEST_CASE("one file of a release among files that the catalogue does not have") {
  configuration c;
  for (cudnn_file& file : c.observed.files.in_place()) {
    file.name_version = {};
    file.real_path = file.path;
    file.build_id = file.role == "cnn" ? id_of(file.name, "9.14.0.64", "13") : strange;
  }
  c.observed.files.resize(4);  // shim, graph, ops, cnn
  c.stamped.components = {"graph"};
  for (const char* role : {"engines_precompiled", "engines_runtime_compiled", "heuristic"}) {
    c.observed.files.push_back(test::file_of(role, "9.14.0"));
  }
  CHECK(c.message() ==
        "refused: 3 libraries of cuDNN are not those of its release\n"
        "  cnn:    9.14.0 for CUDA 13                                  "
        "/opt/cudnn/lib/libcudnn_cnn.so.9   chosen by RUNPATH of app\n"
        "  shim:   build id aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   "
        "/opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  graph:  build id aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   "
        "/opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  ops:    build id aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   "
        "/opt/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of app\n"
        "  cuDNN does not check it: a library of another release can silently compute wrong "
        "numbers.\n"
        "  fix: reinstall cuDNN in /opt/cudnn/lib, so that every file is of one release\n"
        "  [not-of-release]\n");
}

TEST_CASE("the record of a package whose length differs is of a file that was replaced") {
  machine m;
  use_ids(m);
  m.file("heuristic").build_id = strange;
  m.file("heuristic").package = wheel("nvidia-cudnn-cu13", "9.14.0.64");
  m.file("heuristic").package.same_size = answer::no;
  CHECK(m.names() == "not-of-release");
}

TEST_CASE("two wheels unpacked over each other are named") {
  machine m;
  for (cudnn_file& file : m.observed.files.in_place()) {
    const bool engines = file.role == "engines_precompiled";
    file.name_version = {};
    file.package =
        engines ? wheel("nvidia-cudnn-cu11", "9.1.0.70") : wheel("nvidia-cudnn-cu12", "9.1.0.70");
    file.package.cuda_major = engines ? 11 : 12;
  }
  REQUIRE(m.findings()[0].id == finding_id::mixed_sublibraries);
  CHECK(m.summary() == "the files of cuDNN are of one release for two CUDA majors");
  CHECK(m.findings()[0].expected.value == "9.1.0 for CUDA 12");
  CHECK(
      m.findings()[0].expected.where ==
      "/opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app (wheel nvidia-cudnn-cu12 9.1.0.70)");
  CHECK(
      m.fact("engines_precompiled") ==
      "9.1.0 for CUDA 11   /opt/cudnn/lib/libcudnn_engines_precompiled.so.9   chosen by RUNPATH of "
      "app (wheel nvidia-cudnn-cu11 9.1.0.70)");
}

TEST_CASE("other evidence of another release is a mixture, not a strange build") {
  machine m;
  use_ids(m);
  m.file("heuristic").build_id = strange;
  m.file("heuristic").package = wheel("nvidia-cudnn-cu13", "9.19.0.56");
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("a release of which the catalogue holds the JIT-only package alone") {
  machine m("9.19.1", "9.19.1");
  m.stamped.toolkit = parse_version("12.9");
  m.make_jit_only();
  for (const test::catalogue_row& row : test::read_catalogue_rows()) {
    if (row.number != "9.19.1.2" || row.cuda_major != "12" || row.set != "jit") continue;
    m.file(to_string(row.role())).name_version = {};
    m.file(to_string(row.role())).build_id = row.build_id;
  }
  CHECK(m.names() == "");
  m.file("engines_runtime_compiled").build_id = strange;
  CHECK(m.names() == "not-of-release");
}

TEST_CASE("9.14.0 for CUDA 13 with the precompiled engines of CUDA 12") {
  machine m;
  use_ids(m);
  m.file("engines_precompiled").build_id =
      id_of("libcudnn_engines_precompiled.so.9", "9.14.0.64", "12");
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(m.findings()[0].found.value == "9.14.0 for CUDA 12");
  m.file("engines_precompiled").build_id =
      id_of("libcudnn_engines_precompiled.so.9", "9.14.0.64", "13");
  m.file("heuristic").build_id = id_of("libcudnn_heuristic.so.9", "9.14.0.64", "12");
  CHECK(m.names() == "");
}

// InvokeAI PR 6052.
TEST_CASE("wheels for CUDA 11 and 12 unpacked over each other") {
  machine m("9.1.0", "9.1.0");
  m.stamped.toolkit = parse_version("12.4");
  use_ids(m, "9.1.0.70", "12");
  CHECK(m.names() == "");
  for (const char* role : {"adv", "cnn"}) {
    m.file(role).build_id = id_of(m.file(role).name, "9.1.0.70", "11");
  }
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(m.findings()[0].found.value == "9.1.0 for CUDA 11");
}

// tensorflow issue 2986: cp libcudnn.so.9 libcudnn.so.8
TEST_CASE("a shim under the name of another major release") {
  machine m("9.14.0", "9.14.0");
  const auto named = [&m](const char* path) {
    m.file("shim").path = path;
    m.file("shim").name = "libcudnn.so.9";
    return judge_unstamped(m.observed, m.options).findings;
  };
  CHECK(findings_message(named("/opt/cudnn/lib/libcudnn.so.8"), "refused", severity::unknown) ==
        "refused: libcudnn.so.8 is not cuDNN 8: it is cuDNN 9.14.0 under that name\n"
        "  asked for:   cuDNN 8   libcudnn.so.8\n"
        "  would load:  9.14.0    /opt/cudnn/lib/libcudnn.so.8   chosen by RUNPATH of app\n"
        "  Functions and enumerations of another major release are not those that it calls.\n"
        "  fix: python3 -m pip install nvidia-cudnn-cu12==8.9.7.29 && export "
        "LD_LIBRARY_PATH=\"$(python3 -c "
        "'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"\n"
        "   or: apt-get install libcudnn8\n"
        "   or: remove /opt/cudnn/lib/libcudnn.so.8, which is a copy of another release or a link "
        "to it\n"
        "  [cudnn-major]\n");
  for (const char* path : {"/opt/cudnn/lib/libcudnn.so.9", "/opt/cudnn/lib/libcudnn.so.9.14.0",
                           "/opt/cudnn/lib/libcudnn.so"}) {
    CHECK(named(path).empty());
  }
  // A link: it is mapped under its own name.
  start_library link;
  link.name = "libcudnn.so.8";
  link.path = "/opt/cudnn/lib/libcudnn.so.8";
  link.chosen_by = test::by_runpath;
  link.state = file_state::whole;
  m.file("shim").build_id = link.build_id = "c278eb8abf82dd372100b93358815f5479b9a25b";
  m.observed.start.libraries = {link};
  const arena_vector<finding> behind_link = named("/opt/cudnn/lib/libcudnn.so.9");
  CHECK(test::names_of(behind_link) == "cudnn-major");
  CHECK(behind_link.front().found.where ==
        "/opt/cudnn/lib/libcudnn.so.8   chosen by RUNPATH of app");
  m.observed.start.libraries.in_place()[0].path = "/opt/cudnn/lib/libcudnn.so.9";
  CHECK(named("/opt/cudnn/lib/libcudnn.so.9").empty());
  m.observed.start.libraries = {};
  // Of an install, nothing else that follows from it.
  configuration c;
  c.file("shim").path = "/opt/cudnn/lib/libcudnn.so.8";
  CHECK(c.names() == "cudnn-major");
  CHECK(c.fix() ==
        "> remove /opt/cudnn/lib/libcudnn.so.8, which is a copy of another release or a "
        "link to it");
}

// sglang PR 22719: pip was killed.
TEST_CASE("a package that lacks what its record lists") {
  configuration c;
  c.lose_precompiled();
  CHECK(c.names() == "");  // what is left looks like a JIT-only set
  const package_record package = wheel("nvidia-cudnn-cu13", "9.14.0.64");
  c.observed.absent_files = {{"/site/nvidia/cudnn/lib/libcudnn_ops.so.9", package},
                             {"/site/nvidia/cudnn/lib/libcudnn_heuristic.so.9", package}};
  CHECK(c.message() ==
        "refused: nvidia-cudnn-cu13 lacks 2 libraries that its record lists\n"
        "  listed:  libcudnn_ops.so.9, libcudnn_heuristic.so.9   "
        "/site/nvidia-cudnn-cu13.dist-info/RECORD\n"
        "  found:   no such file                                 /site/nvidia/cudnn/lib\n"
        "  An interrupted installation, or the removal of another package with the same folder, "
        "causes this; the package manager still lists the files.\n"
        "  fix: python3 -m pip install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64\n"
        "  [library-missing]\n");
  c.stamped.components = {"graph"};
  CHECK(c.summary() == "nvidia-cudnn-cu13 lacks a library that its record lists");
  CHECK(c.fact("listed") == "libcudnn_heuristic.so.9   /site/nvidia-cudnn-cu13.dist-info/RECORD");
  c.observed.absent_files.pop_back();  // ops is no part of what was asked for
  CHECK(c.names() == "");
  // At run time what the program needs counts, not the package.
  machine m;
  m.observed.absent_files = {{"/site/nvidia/cudnn/lib/libcudnn_ops.so.9", package}};
  CHECK(m.names() == "");
}

TEST_CASE("packages in words") {
  cudnn_file file;
  CHECK(package_text(file) == "");
  CHECK(describe(file.package) == "");
  file.package = wheel("nvidia-cudnn-cu12", "9.1.0.70");
  CHECK(package_text(file) == " (wheel nvidia-cudnn-cu12 9.1.0.70)");
  CHECK(describe(file.package) == "nvidia-cudnn-cu12 9.1.0.70 (wheel)");
}
