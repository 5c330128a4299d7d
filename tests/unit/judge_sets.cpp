// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "../../tool/core/model/machine.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::machine;

TEST_CASE("one coherent set is silent") {
  CHECK(machine("9.14.0", "9.14.0").names() == "");
  machine unknown_file;
  unknown_file.file("heuristic").name_version = {};
  CHECK(unknown_file.names() == "");
  machine tomorrow;
  tomorrow.observed.files.push_back(test::file_of("engines_of_tomorrow", "9.14.0"));
  CHECK(tomorrow.names() == "");
}

TEST_CASE("a file of another release") {
  machine m("9.14.0", "9.14.0");
  m.take_from("heuristic", "9.19.0", "/other/lib", test::by_cache);
  CHECK(m.message() ==
        "refused: the files of cuDNN are of more than one release\n"
        "  shim:       9.14.0   /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  heuristic:  9.19.0   /other/lib/libcudnn_heuristic.so.9   chosen by ld.so.cache\n"
        "  cuDNN does not compare all of its libraries: such a set has silently computed wrong "
        "numbers.\n"
        "  fix: reinstall cuDNN 9.14.0 in /opt/cudnn/lib, so that every file comes from there\n"
        "  [mixed-sublibraries]\n");
}

TEST_CASE("a file through LD_LIBRARY_PATH: the one that it passes over is named") {
  machine m("9.14.0", "9.27.0");
  m.observed.ld_library_path = "/other";
  m.add_alternatives("9.27.0", "/opt/cudnn/lib");
  m.take_from("engines_runtime_compiled", "9.14.0", "/other", test::by_variable);
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(
      m.fact("passed over") ==
      "9.27.0   /opt/cudnn/lib/libcudnn_engines_runtime_compiled.so.9   chosen by RUNPATH of app");
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/opt/cudnn/lib");
}

TEST_CASE("a directory in a fix has no .. where no symbolic link makes another one of it") {
  machine m("9.14.0", "9.27.0");
  m.observed.ld_library_path = "/other";
  m.add_alternatives("9.27.0", "/opt/app/../cudnn/lib");
  for (cudnn_file& file : m.observed.files.in_place()) {
    file.path = "/opt/app/../cudnn/lib/" + file.name;
  }
  m.take_from("engines_runtime_compiled", "9.14.0", "/other", test::by_variable);
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/opt/cudnn/lib");
  for (cudnn_file& file : m.observed.files.in_place()) {
    file.real_path = "/srv/cudnn/lib/" + file.name;
  }
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/opt/app/../cudnn/lib");
  // Where the search without the variable alone leads there.
  for (alternative_file& other : m.observed.alternatives.in_place()) {
    other.real_path = "/opt/cudnn/lib/" + base_name(other.path);
  }
  CHECK(m.fix() == "$ unset LD_LIBRARY_PATH\n$ export LD_LIBRARY_PATH=/opt/cudnn/lib");
}

TEST_CASE("a release without a file, completed by the system's") {
  machine m("9.24.0", "9.24.0");
  m.observed.files.push_back(test::file_of("engines_tensor_ir", "9.28.0", "/usr/lib"));
  m.observed.files.in_place().back().chosen_by = choice_reason::ld_so_cache;
  CHECK(m.names() == "mixed-sublibraries");
  CHECK(m.fact("engines_tensor_ir") ==
        "9.28.0   /usr/lib/libcudnn_engines_tensor_ir.so.9   chosen by ld.so.cache");
  CHECK(m.fix() ==
        "> reinstall cuDNN 9.24.0 in /opt/cudnn/lib, so that every file comes from there");
  m.observed.files.pop_back();
  CHECK(m.names() == "");
}

TEST_CASE(
    "a copy of the same release from elsewhere is a note, one of an unknown release unknown") {
  machine m;
  m.take_from("cnn", "9.14.0", "/usr/lib", test::by_cache);
  REQUIRE(m.names() == "mixed-sublibraries");
  CHECK(m.weight() == severity::note);
  CHECK(m.findings()[0].found.where == "/usr/lib/libcudnn_cnn.so.9   chosen by ld.so.cache");
  m.file("cnn").name_version = {};
  CHECK(m.weight() == severity::unknown);
  // Links from many directories into one, and one that holds the links.
  m.file("cnn").real_path = "/opt/cudnn/lib/libcudnn_cnn.so.9";
  CHECK(m.names() == "");
}

TEST_CASE("a shim of another release over a coherent set") {
  machine older("9.14.0", "9.19.0");
  older.take_from("shim", "9.14.0", "/a", choice_reason::default_path);
  CHECK(older.names() == "mixed-sublibraries");
  CHECK(older.result() == verdict::warning);
  machine newer("9.14.0", "9.14.0");
  newer.take_from("shim", "9.19.0", "/a", choice_reason::default_path);
  CHECK(newer.result() == verdict::refused);
  configuration configured("9.19.0", "9.19.0");
  configured.take_from("shim", "9.14.0", "/a", choice_reason::default_path);
  CHECK(configured.result() == verdict::refused);
}

TEST_CASE("cuDNN 8: one file of another release is an error, only an older shim is a warning") {
  const std::vector<const char*> roles = {"shim",      "ops_infer", "ops_train", "cnn_infer",
                                          "cnn_train", "adv_infer", "adv_train"};
  for (const char* other : roles) {
    CAPTURE(other);
    machine m("8.9.4", "8.9.7");
    m.observed.cudnn_major = 8;
    m.observed.files.clear();
    m.stamped.sublibraries.clear();
    for (const char* role : roles) {
      if (role != roles[0]) m.stamped.sublibraries.push_back(role);
      m.observed.files.push_back(test::file_of(role, role == other ? "8.9.4" : "8.9.7"));
    }
    CHECK(m.names() == "mixed-sublibraries");
    CHECK(m.result() == (other == roles[0] ? verdict::warning : verdict::refused));
  }
}

TEST_CASE(
    "another install lends the graph library: the one that lacks it is to be installed again") {
  machine m("9.14.0", "9.20.0");
  for (const char* role : {"graph", "ops", "cnn", "adv", "engines_precompiled", "heuristic"}) {
    m.take_from(role, "9.19.0", "/usr/lib", choice_reason::runpath);
  }
  m.file("graph").chosen_by = choice_reason::ld_so_cache;
  REQUIRE(m.names() == "mixed-sublibraries");
  CHECK(m.fix() ==
        "> reinstall cuDNN 9.20.0 in /opt/cudnn/lib, so that every file comes from there");
  m.file("graph").near_miss.path = "/opt/cudnn/lib/libcudnn_graph.so.9";
  m.file("graph").near_miss.state = file_state::not_elf;
  REQUIRE(m.names() == "library-corrupt mixed-sublibraries");
  CHECK(m.fix() == "> reinstall cuDNN 9.20.0 in /opt/cudnn/lib");
  // Where a run path leads to the graph library, most of the files decide.
  m.file("graph").chosen_by = choice_reason::runpath;
  CHECK(m.fix(1).find("reinstall cuDNN 9.19.0 ") != std::string::npos);
}

TEST_CASE("a missing sub-library at run time") {
  machine m;
  m.lose("engines_precompiled");
  CHECK(m.names() == "sublibrary-missing");
  CHECK(m.fix() == "> reinstall cuDNN 9.14.0 in /opt/cudnn/lib");
}

TEST_CASE("a missing sub-library that lies where the loader does not look") {
  machine m;
  m.lose("heuristic");
  m.file("heuristic").near_miss.path = "/opt/cudnn/lib/libcudnn_heuristic.so.9";
  m.file("heuristic").near_miss.reason = passed_reason::no_run_path;
  m.file("heuristic").near_miss.asker = "/opt/cudnn/lib/libcudnn_graph.so.9";
  CHECK(m.message() ==
        "refused: a sub-library of cuDNN is missing: libcudnn_heuristic.so.9\n"
        "  needed:     libcudnn_heuristic.so.9\n"
        "  found:      9.14.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  not taken:           /opt/cudnn/lib/libcudnn_heuristic.so.9   libcudnn_graph.so.9 has "
        "no RUNPATH\n"
        "  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or "
        "computes wrong numbers.\n"
        "  fix: export LD_LIBRARY_PATH=/opt/cudnn/lib\n"
        "  [sublibrary-missing]\n");
  m.observed.ld_library_path = "/driver";
  CHECK(m.fix() == "$ export LD_LIBRARY_PATH=/opt/cudnn/lib:$LD_LIBRARY_PATH");
  m.file("heuristic").near_miss.reason = passed_reason::broken_link;
  CHECK(m.fix() ==
        "> reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
        "> repair the link /opt/cudnn/lib/libcudnn_heuristic.so.9");
  m.file("heuristic").near_miss.reason = passed_reason::stale_cache;
  CHECK(m.fix() == "$ ldconfig");
}

TEST_CASE("a sub-library that another one is linked with and does not find") {
  machine m;
  CHECK(m.names() == "");
  cudnn_file file;
  file.role = "ops_train";
  file.name = "libcudnn_ops_train.so.8";
  file.asked_by = "/opt/cudnn/lib/libcudnn_cnn_train.so.8";
  file.near_miss.path = "/opt/cudnn/lib/libcudnn_ops_train.so.8";
  file.near_miss.reason = passed_reason::no_run_path;
  file.near_miss.asker = file.asked_by;
  m.observed.not_reached.push_back(file);
  CHECK(
      m.message() ==
      "refused: a sub-library of cuDNN does not find another one that it needs: "
      "libcudnn_ops_train.so.8\n"
      "  needed:     libcudnn_ops_train.so.8   by /opt/cudnn/lib/libcudnn_cnn_train.so.8\n"
      "  not taken:                            /opt/cudnn/lib/libcudnn_ops_train.so.8   "
      "libcudnn_cnn_train.so.8 has no RUNPATH\n"
      "  A call of libcudnn_cnn_train.so.8 ends the process, unless the program calls functions of "
      "libcudnn_ops_train.so.8 first.\n"
      "  fix: export LD_LIBRARY_PATH=/opt/cudnn/lib\n"
      "  [sublibrary-missing]\n");
  CHECK(m.result() == verdict::warning);
}

TEST_CASE("what a release computes without may be absent at run time") {
  machine m;
  m.stamped.sublibraries.push_back("engines_tensor_ir");
  m.stamped.sublibraries.push_back("ext");
  CHECK(m.result() == verdict::ok);
  CHECK(m.message() ==
        "refused: a sub-library that cuDNN computes without is missing: "
        "libcudnn_engines_tensor_ir.so.9, libcudnn_ext.so.9\n"
        "  found:  9.14.0   /opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  Only calls of functions of its own fail.\n"
        "  fix: nothing\n"
        "   or: reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
        "  [sublibrary-missing]\n");
}

TEST_CASE("a JIT-only set is legal at configure time, a set that is neither is not") {
  configuration jit;
  jit.lose_precompiled();
  CHECK(jit.names() == "");
  jit.stamped.components = {"cnn"};
  CHECK(jit.names() == "sublibrary-missing");
  CHECK(jit.fix() ==
        "> install the full cuDNN package instead of the JIT-only one\n"
        "> ask for COMPONENTS graph");
  configuration partial;
  partial.lose("heuristic");
  CHECK(partial.names() == "sublibrary-missing");
  CHECK(partial.fix() == "> reinstall cuDNN 9.14.0 in /opt/cudnn/lib");
  configuration no_adv;
  no_adv.lose("adv");
  CHECK(no_adv.fix() ==
        "> reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n> ask for COMPONENTS graph ops cnn");
  no_adv.stamped.components = {"cnn"};
  CHECK(no_adv.names() == "");
}

TEST_CASE("what another install could supply to a JIT-only set is no mix until it is mapped") {
  machine m;
  m.make_jit_only();
  CHECK(m.names() == "");
  for (const char* role : {"ops", "cnn", "adv", "engines_precompiled", "heuristic"}) {
    m.take_from(role, "9.19.0", "/usr/lib", test::by_cache);
  }
  CHECK(m.names() == "");
  m.file("ops").mapped = true;
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("damaged files, each in its own words") {
  const struct {
    file_state state;
    const char* words;
  } rows[] = {{file_state::empty, "an empty file"},
              {file_state::truncated, "1000 bytes of 3000"},
              {file_state::overlong, "1000 bytes, and its headers say 3000"},
              {file_state::unwritten, "a file of full length whose end holds only zeros"},
              {file_state::not_elf, "not an ELF file"}};
  for (const auto& row : rows) {
    machine m;
    m.file("ops").state = row.state;
    m.file("ops").size = 1000;
    m.file("ops").size_expected = 3000;
    const std::string words = row.words;
    const std::string because =
        row.state == file_state::overlong
            ? "The loader maps no more than its headers say, but NVIDIA released another file."
            : "Loading it ends the process with a signal, or cuDNN continues without it.";
    CHECK(m.message() ==
          "refused: a library of cuDNN is damaged: libcudnn_ops.so.9\n"
          "  expected:  a whole library\n"
          "  found:     " +
              words +
              "   /opt/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of app\n"
              "  " +
              because +
              "\n"
              "  fix: reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
              "  [library-corrupt]\n");
  }
}

TEST_CASE("files that this user may not read, or whose code cannot be mapped") {
  machine m;
  m.file("ops").state = file_state::unreadable;
  CHECK(m.message() ==
        "refused: a library of cuDNN cannot be loaded by this user: libcudnn_ops.so.9\n"
        "  expected:  a file with read permission\n"
        "  found:     a file without read permission   /opt/cudnn/lib/libcudnn_ops.so.9   chosen "
        "by RUNPATH of app\n"
        "  The loader passes it over: cuDNN aborts, or its convolutions fail.\n"
        "  fix: give this user read permission for /opt/cudnn/lib/libcudnn_ops.so.9\n"
        "  [library-corrupt]\n");
  m.file("ops").mapped = true;
  CHECK(m.names() == "");
  for (const char* role : {"shim", "graph"}) m.file(role).state = file_state::no_exec;
  CHECK(m.message() ==
        "refused: 2 libraries of cuDNN cannot be loaded by this user\n"
        "  expected:  a file that can be mapped\n"
        "  found:     a file on a file system that is mounted noexec   "
        "/opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  found:     a file on a file system that is mounted noexec   "
        "/opt/cudnn/lib/libcudnn_graph.so.9   chosen by RUNPATH of app\n"
        "  The loader ends with \"failed to map segment from shared object\".\n"
        "  fix: move it to a file system that is mounted without noexec\n"
        "   or: mount without noexec the file system of /opt/cudnn/lib/libcudnn.so.9\n"
        "  [library-corrupt]\n");
}

TEST_CASE("files for another machine are not damaged: both machines are named") {
  machine m;
  m.file("ops").state = file_state::foreign;
  m.file("ops").machine = 183;
  CHECK(m.message() ==
        "refused: a library of cuDNN is for another machine: libcudnn_ops.so.9\n"
        "  needed:  a file for x86_64\n"
        "  found:   a file for aarch64   /opt/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of "
        "app\n"
        "  A library can only be linked with, and loaded by, programs for its own machine.\n"
        "  fix: reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
        "  [wrong-machine]\n");
  m.file("cnn").state = file_state::foreign;
  m.file("cnn").machine = machine_of_32_bits + 3;
  CHECK(m.summary() == "2 libraries of cuDNN are for another machine");
  CHECK(m.fact("found") ==
        "a file for aarch64   /opt/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of app\n"
        "a file for i386   /opt/cudnn/lib/libcudnn_cnn.so.9   chosen by RUNPATH of app");
}

TEST_CASE("names of machines") {
  CHECK(machine_name(62) == "x86_64");
  CHECK(machine_name(21) == "ppc64le");
  CHECK(machine_name(999) == "ELF machine 999");
  CHECK(machine_name(machine_of_32_bits + 40) == "arm");
  CHECK(machine_name(machine_of_32_bits + 8) == "ELF machine 8 (32 bits)");
  CHECK(machine_name(0) == "another machine");
}

TEST_CASE("cuDNN's own checks are believed where the files agree") {
  configuration c;
  c.observed.answers.checks = {{"cudnnOpsVersionCheck", 0, "CUDNN_STATUS_SUCCESS"}};
  CHECK(c.names() == "");
  c.observed.answers.checks.in_place()[0] = {"cudnnOpsVersionCheck", 1002,
                                             "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"};
  CHECK(c.message() ==
        "refused: cuDNN reports that its own libraries do not match\n"
        "  cudnnOpsVersionCheck:  0 (CUDNN_STATUS_SUCCESS)\n"
        "  answered:              1002 (CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH)\n"
        "  Its first convolution would fail with the same status.\n"
        "  fix: reinstall cuDNN 9.14.0 in /opt/cudnn/lib\n"
        "  [mixed-sublibraries]\n");
}

TEST_CASE("calling cuDNN is avoided where it could end the process") {
  machine m;
  CHECK_FALSE(calling_may_abort(m.observed));
  m.file("adv").state = file_state::truncated;
  CHECK(calling_may_abort(m.observed));
  machine no_graph;
  no_graph.lose("graph");
  CHECK(calling_may_abort(no_graph.observed));
}

TEST_CASE("a damaged shim does not tell what it would find") {
  configuration c;
  c.observed.answers = {};
  c.observed.convolutions.clear();
  c.lose_precompiled();
  for (const char* role : {"graph", "engines_runtime_compiled"}) c.lose(role);
  CHECK(c.names() == "sublibrary-missing not-verified");
  c.file("shim").state = file_state::empty;
  CHECK(c.names() == "library-corrupt not-verified");
}

TEST_CASE("where a file is, and why it is taken") {
  found_file file;
  file.path = "/lib/libcuda.so.1";
  CHECK(where_of(file) == "/lib/libcuda.so.1");
  file.chosen_by = choice_reason::ld_so_cache;
  CHECK(where_of(file) == "/lib/libcuda.so.1   chosen by ld.so.cache");
  file.chosen_by = choice_reason::already_loaded;
  CHECK(where_of(file) == "/lib/libcuda.so.1   already loaded");
}
