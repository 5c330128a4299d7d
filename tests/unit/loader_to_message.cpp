// SPDX-License-Identifier: BSD-3-Clause
//
// From the files on a machine to the message: what the loader passes over or takes instead is told
// as it is.
#include <doctest/doctest.h>

#include "catalogue_ids.h"
#include "core/check/cudnn_check.h"
#include "cudnn_installs.h"
#include "observation_builder.h"

using namespace test;

namespace {

constexpr const char* cudnn_9_14 = "9.14.0.64";
constexpr const char* cudnn_9_19 = "9.19.0.56";

/// A file with the build id of a release; with a moved note as in wheels of 9.1 to 9.7, whose id is
/// only in its section, because the PT_NOTE is stale.
std::string wheel_file(const std::string& role, const char* release, const char* cuda = "13",
                       bool moved_note = false) {
  elf_builder b;
  b.soname = soname_of(role, 9);
  b.needed = needed_by(role);
  b.runpath = "$ORIGIN";
  const std::string id = id_of(b.soname, release, cuda);
  REQUIRE(id.size() == 40);
  b.stale_note = moved_note;
  if (!moved_note) b.build_id = id;
  if (moved_note) {
    b.sections = {{".note.gnu.build-id", gnu_note(from_hexadecimal(id), 3, 4), true, 7}};
  }
  return b.build();
}

void add_wheel_files(fake_system& os, const std::string& directory, const char* release,
                     const std::vector<std::string>& roles = roles_9) {
  for (const std::string& role : roles) {
    os.files[directory + "/" + soname_of(role, 9)] = wheel_file(role, release);
  }
}

void add_to_cache(fake_system& os, const std::string& directory) {
  for (const std::string& role : roles_9) {
    os.cache[soname_of(role, 9)] = directory + "/" + soname_of(role, 9);
  }
}

/// What the program, which is found in /a by its RUNPATH, is told.
struct program : machine {
  fake_system os;
  explicit program(const char* built = "9.14.0") : machine(built) { set_program(os, "/a"); }
  arena_vector<finding> findings() const override {
    observation now = observed;
    loader search(os);
    observe_files(search, 9, now);
    return judge_program(stamped, now, options).findings;
  }
};

}  // namespace

TEST_CASE("what explains and repairs is looked for where something was found, or notes are told") {
  for (const bool mixed : {false, true}) {
    program p;
    add_wheel_files(p.os, "/a", cudnn_9_14);
    add_wheel_files(p.os, "/b", mixed ? cudnn_9_19 : cudnn_9_14,
                    mixed ? std::vector<std::string>{"graph"} : roles_9);
    p.os.variables["LD_LIBRARY_PATH"] = "/b";
    std::string told;
    for (const bool without_notes : {false, true}) {
      loader search(p.os);
      cudnn_check check(search);
      check.stamped = p.stamped;
      check.options.without_notes = without_notes;
      check_program_files(check);
      CHECK(check.observed.alternatives.empty() == (without_notes && !mixed));
      const std::string message =
          findings_message(check.judged.findings, "told", severity::warning);
      CHECK(message.empty() != mixed);
      CHECK((!without_notes || message == told));
      told = message;
    }
  }
}

TEST_CASE("a lone graph library in LD_LIBRARY_PATH looks for its engines beside itself") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14);
  add_wheel_files(p.os, "/b", cudnn_9_19, {"graph"});
  CHECK(p.names() == "");
  p.os.variables["LD_LIBRARY_PATH"] = "/b";
  CHECK(p.names() == "mixed-sublibraries sublibrary-missing");
  CHECK(p.fact("passed over") ==
        "9.14.0 for CUDA 13   /a/libcudnn_graph.so.9   chosen by RUNPATH of /a/libcudnn.so.9");
  CHECK(p.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/a");
  CHECK(p.summary(1) == "3 sub-libraries of cuDNN are missing");
  CHECK(p.fact("needed") ==
        "libcudnn_engines_precompiled.so.9, libcudnn_engines_runtime_compiled.so.9, "
        "libcudnn_heuristic.so.9");
  CHECK(p.fact("not taken") ==
        "/a/libcudnn_engines_precompiled.so.9   libcudnn_graph.so.9 is taken from /b and looks "
        "beside itself");
  CHECK(p.fix(1) == p.fix());
}

TEST_CASE("one whole set in two directories of the search path is one") {
  for (const char* apart : {"graph", "engines_runtime_compiled", "ops"}) {
    CAPTURE(apart);
    program p;
    add_wheel(p.os, "/a", "9.14.0");
    add_wheel(p.os, "/b", "9.14.0");
    for (auto file = p.os.files.begin(); file != p.os.files.end();) {
      const bool is_apart = file->first.find(std::string("_") + apart + ".so") != std::string::npos;
      const bool in_b = file->first.compare(0, 3, "/b/") == 0;
      const bool of_a = file->first.compare(0, 3, "/a/") == 0;
      file = (in_b && !is_apart) || (of_a && is_apart) ? p.os.files.erase(file) : std::next(file);
    }
    p.os.variables["LD_LIBRARY_PATH"] = "/b:/a";
    // The simulated files have no build ids, so their release is not known.
    REQUIRE(p.names() == "mixed-sublibraries");
    CHECK(p.weight() == severity::unknown);
  }
}

TEST_CASE("a shim that was opened through a link: the reason, whole") {
  program p;
  add_wheel_files(p.os, "/venv/lib", cudnn_9_14);
  p.os.links["/a/libcudnn.so.9"] = "/venv/lib/libcudnn.so.9";
  CHECK(p.names() == "sublibrary-missing");
  CHECK(p.fact("found") ==
        "9.14.0 for CUDA 12 or 13   /a/libcudnn.so.9   chosen by RUNPATH of /opt/app/bin/app");
  CHECK(p.fact("not taken") ==
        "/venv/lib/libcudnn_graph.so.9   libcudnn.so.9 was opened through a link in /a; $ORIGIN is "
        "the link's directory");
  CHECK(p.fix() == "$ export LD_LIBRARY_PATH=/venv/lib");
}

TEST_CASE("a JIT-only set is left alone by orders of calls that the program does not make") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14, {"shim", "graph", "engines_runtime_compiled"});
  add_wheel_files(p.os, "/b", cudnn_9_19);
  add_to_cache(p.os, "/b");
  observation observed;
  loader search(p.os);
  observe_files(search, 9, observed);
  REQUIRE(!observed.orders.empty());
  p.stamped.sublibraries = {"graph", "engines_runtime_compiled"};
  CHECK(p.names() == "");
  p.stamped.sublibraries.push_back("cnn");
  CHECK(p.names() == "sublibrary-missing");
  // Its own files do not fit: no order helps.
  p.os.files["/a/libcudnn_engines_runtime_compiled.so.9"] =
      wheel_file("engines_runtime_compiled", cudnn_9_19);
  p.stamped.sublibraries.pop_back();
  CHECK(p.names() == "mixed-sublibraries");
}

TEST_CASE("an empty file is of no release and from nowhere else") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14);
  p.os.files["/b/libcudnn_ops.so.9"] = "";
  p.os.variables["LD_LIBRARY_PATH"] = "/b";
  CHECK(p.names() == "library-corrupt");
  CHECK(p.fact("found") == "an empty file   /b/libcudnn_ops.so.9   chosen by LD_LIBRARY_PATH[0]");
  CHECK(p.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/a");
}

TEST_CASE("a damaged file, and another install's taken in its place") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14);
  add_wheel_files(p.os, "/b", cudnn_9_19);
  add_to_cache(p.os, "/b");
  p.os.files["/a/libcudnn_ops.so.9"] = "";
  // The last name that cuDNN asks for.
  p.os.files["/b/libcudnn_ops.so"] = p.os.files["/b/libcudnn_ops.so.9"];
  p.os.cache["libcudnn_ops.so"] = "/b/libcudnn_ops.so";
  CHECK(p.message() ==
        "refused: a library of cuDNN is damaged: libcudnn_ops.so.9\n"
        "  expected:  a whole library\n"
        "  found:     an empty file        /a/libcudnn_ops.so.9\n"
        "  instead:   9.19.0 for CUDA 13   /b/libcudnn_ops.so   chosen by ld.so.cache\n"
        "  Another library is loaded in its place, and no error is reported.\n"
        "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in /a\n"
        "  [library-corrupt]\n"
        "and: the files of cuDNN are of more than one release\n"
        "  graph:      9.14.0 for CUDA 13   /a/libcudnn_graph.so.9   chosen by RUNPATH of "
        "/a/libcudnn.so.9\n"
        "  ops:        9.19.0 for CUDA 13   /b/libcudnn_ops.so   chosen by ld.so.cache\n"
        "  not taken:                       /a/libcudnn_ops.so.9   an empty file\n"
        "  cuDNN does not compare all of its libraries: such a set has silently computed wrong "
        "numbers.\n"
        "  fix: reinstall cuDNN 9.14.0 for CUDA 13 in /a, so that every file comes from there\n"
        "  [mixed-sublibraries]\n");
  // Of the same release: nobody is harmed.
  add_wheel_files(p.os, "/b", cudnn_9_14);
  p.os.files["/b/libcudnn_ops.so"] = p.os.files["/b/libcudnn_ops.so.9"];
  CHECK(p.names() == "library-corrupt mixed-sublibraries");
  CHECK(p.result() == verdict::ok);
}

TEST_CASE("a file of another machine is passed over, and what is taken instead is told with it") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14);
  add_wheel_files(p.os, "/b", cudnn_9_19);
  add_to_cache(p.os, "/b");
  elf_builder arm;
  arm.machine = 183;
  p.os.files["/a/libcudnn_heuristic.so.9"] = arm.build();
  CHECK(p.names() == "mixed-sublibraries");
  CHECK(p.fact("heuristic") ==
        "9.19.0 for CUDA 12 or 13   /b/libcudnn_heuristic.so.9   chosen by ld.so.cache");
  CHECK(p.fact("not taken") == "/a/libcudnn_heuristic.so.9   a file for aarch64");
  // A shim of another machine: the version is told with the reason.
  p.stamped.cudnn_header = {9, 20, 0};
  p.os.files["/a/libcudnn.so.9"] = arm.build();
  CHECK(p.names() == "cudnn-older");
  CHECK(p.findings()[0].more.back().where == "/a/libcudnn.so.9   a file for aarch64");
}

TEST_CASE("one release for two CUDA majors") {
  program p;
  add_wheel_files(p.os, "/a", cudnn_9_14);
  p.os.files["/a/libcudnn_engines_precompiled.so.9"] =
      wheel_file("engines_precompiled", cudnn_9_14, "12");
  CHECK(p.summary() == "the files of cuDNN are of one release for two CUDA majors");
  CHECK(p.fact("engines_precompiled") ==
        "9.14.0 for CUDA 12   /a/libcudnn_engines_precompiled.so.9   chosen by RUNPATH of "
        "/a/libcudnn_graph.so.9");
  CHECK(p.fix() ==
        "> reinstall cuDNN 9.14.0 for CUDA 13 in /a, so that every file comes from there");
}

TEST_CASE("a file of another release where only the section holds the build id") {
  for (const char* odd :
       {"cnn", "heuristic", "engines_precompiled", "engines_runtime_compiled", "graph"}) {
    CAPTURE(odd);
    program p("9.5.1");
    p.stamped.toolkit = parse_version("12.6");
    for (const std::string& role : roles_9) {
      p.os.files["/a/" + soname_of(role, 9)] = wheel_file(role, "9.5.1.17", "12", true);
    }
    CHECK(p.names() == "");
    p.os.files["/a/" + soname_of(odd, 9)] = wheel_file(odd, "9.1.0.70", "12", true);
    const bool is_graph = std::string(odd) == "graph";
    CHECK(p.names() == (is_graph ? "mixed-sublibraries cudnn-older" : "mixed-sublibraries"));
  }
}
