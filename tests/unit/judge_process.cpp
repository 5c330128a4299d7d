// SPDX-License-Identifier: BSD-3-Clause
//
// Two cuDNNs in one process, and one that the loader takes against another.
#include <doctest/doctest.h>

#include "core/model/unstamped_program.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::machine;

namespace {

// A file that is in the process beside the program's own.
cudnn_file& add_mapped(machine& m, const std::string& role, const char* release,
                       const std::string& directory) {
  for (cudnn_file& file : m.observed.files.in_place())
    file.mapped = file.mapped || file.role == role;
  m.observed.files.push_back(test::file_of(role, release, directory));
  m.observed.files.in_place().back().mapped = true;
  m.observed.files.in_place().back().chosen_by = choice_reason::already_loaded;
  return m.observed.files.in_place().back();
}

// Debian's 9.14.0 under LD_LIBRARY_PATH = a wheel's 9.19.0, where cnn is called before ops.
machine with_order() {
  machine m("9.14.0", "9.14.0");
  m.observed.ld_library_path = "/wheel";
  order_variant order;
  order.first_calls = {"cnn"};
  order.files = {test::file_of("ops", "9.19.0", "/wheel"), test::file_of("ops", "9.14.0")};
  order.files.in_place()[0].chosen_by = test::by_variable;
  m.observed.orders = {order};
  return m;
}

}  // namespace

TEST_CASE("two shims of two releases, both opened by their paths") {
  machine m;
  add_mapped(m, "shim", "9.19.0", "/wheel");
  CHECK(m.message() ==
        "refused: there are two cuDNNs in this process: 9.14.0 and 9.19.0\n"
        "  shim:  9.14.0   /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  shim:  9.19.0   /wheel/libcudnn.so.9   opened by its path\n"
        "  One of them runs on sub-libraries of the other, or is called with its handles.\n"
        "  fix: let both users of cuDNN load the one in /opt/cudnn/lib\n"
        "   or: let both users of cuDNN load the one in /wheel\n"
        "  [two-cudnns]\n");
  m.observed.files.in_place().back().loaded_by = "/x/libother.so";
  CHECK(m.findings()[0].found.where == "/wheel/libcudnn.so.9   needed by /x/libother.so");
}

// What the search of the library that opens it leads to is the one that it opens (cudnn-frontend).
TEST_CASE("of two shims the one that a package opens by its path is told so") {
  machine m;
  unstamped_program program;
  program.opened_path = "/opt/cudnn/lib/libcudnn.so.9";
  m.observed.unstamped = &program;
  add_mapped(m, "shim", "9.19.0", "/wheel");
  const finding f = m.findings()[0];
  CHECK(f.expected.where == "/opt/cudnn/lib/libcudnn.so.9   opened by its path");
  CHECK(f.found.where == "/wheel/libcudnn.so.9   already loaded");
}

TEST_CASE("two shims that get the same sub-libraries, whichever asks first") {
  machine m;
  add_mapped(m, "shim", "9.1.0", "/ctranslate2.libs");
  m.observed.shims_agree = answer::no;
  CHECK(m.result() == verdict::refused);
  m.observed.shims_agree = answer::yes;
  CHECK(m.message() ==
        "refused: there are two cuDNNs in this process\n"
        "  shim:  9.14.0   /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  shim:  9.1.0    /ctranslate2.libs/libcudnn.so.9   opened by its path\n"
        "  Both load the same sub-libraries, and a newer minor release runs what an older shim "
        "forwards.\n"
        "  fix: nothing\n"
        "  [two-cudnns]\n");
  CHECK(m.result() == verdict::ok);
  // The sub-libraries are older than one of them.
  machine newer;
  add_mapped(newer, "shim", "9.19.0", "/wheel");
  newer.observed.shims_agree = answer::yes;
  CHECK(newer.result() == verdict::refused);
}

TEST_CASE("two majors are two cuDNNs") {
  machine m;
  add_mapped(m, "shim", "8.9.7", "/old");
  CHECK(m.names() == "two-cudnns");
  CHECK(m.summary() == "there are two cuDNNs in this process: 9.14.0 and 8.9.7");
  CHECK(m.fix() ==
        "> build all that uses cuDNN in this process with one major release\n"
        "> run what uses cuDNN 9 and what uses cuDNN 8 as two processes");
}

TEST_CASE("a sub-library of another release is in the process twice") {
  machine m;
  add_mapped(m, "graph", "9.19.0", "/wheel");
  CHECK(m.names() == "two-cudnns");
  CHECK(m.findings()[0].expected.label == "graph");
}

TEST_CASE("a copy in a namespace of dlmopen") {
  machine m;
  add_mapped(m, "shim", "9.19.0", "/wheel").other_namespace = true;
  CHECK(m.names() == "two-cudnns");
  CHECK(m.findings()[0].found.where ==
        "/wheel/libcudnn.so.9   in a namespace of its own (dlmopen)");
  // It is no member of the program's set.
  machine other;
  add_mapped(other, "ops", "9.19.0", "/wheel").other_namespace = true;
  other.file("ops").mapped = false;
  CHECK(other.names() == "");
}

TEST_CASE("two copies of one release do no harm") {
  machine m;
  add_mapped(m, "shim", "9.14.0", "/wheel");
  REQUIRE(m.names() == "mixed-sublibraries two-cudnns");
  for (const finding& f : m.findings()) CHECK(f.weight == severity::note);
  CHECK(m.result() == verdict::ok);
  CHECK(m.findings()[1].because == "They are of one release, so it does no harm.");
  // The same file twice, of a release that nothing tells.
  machine same;
  add_mapped(same, "shim", "9.14.0", "/opt/cudnn/lib");
  const auto files = same.observed.files.in_place();
  for (cudnn_file* file : {&files[0], &files.back()}) {
    file->name_version = {};
    file->build_id = "00112233";
  }
  CHECK(same.result() == verdict::ok);
  same.observed.files.in_place().back().build_id = "44556677";
  CHECK(same.result() == verdict::unknown);
}

TEST_CASE("another cuDNN that is merely installed is no finding") {
  machine m;
  m.file("shim").mapped = true;
  m.add_alternative("shim", "0", "/wheel/libcudnn.so.9", test::by_cache);
  CHECK(m.names() == "");
}

TEST_CASE("a mix in some orders of calls is a warning that names the order") {
  machine m = with_order();
  CHECK(m.message() ==
        "refused: which files of cuDNN this program gets depends on what it calls first\n"
        "  usually:    9.14.0   /opt/cudnn/lib/libcudnn_ops.so.9   chosen by RUNPATH of app\n"
        "  after cnn:  9.19.0   /wheel/libcudnn_ops.so.9   chosen by LD_LIBRARY_PATH[0]\n"
        "  A program that calls functions of cnn first gets a mix of two releases.\n"
        "  fix: unset LD_LIBRARY_PATH\n"
        "   or: export LD_LIBRARY_PATH=/opt/cudnn/lib\n"
        "  [loader-override]\n");
  CHECK(m.result() == verdict::warning);
  // Other files of the same release.
  m.observed.orders.in_place()[0].files.in_place()[0].name_version = parse_version("9.14.0");
  CHECK(m.names() == "");
}

TEST_CASE(
    "no release is known to be built with: LD_LIBRARY_PATH leads to an older one than the own") {
  machine m("9.14.0", "9.14.0");
  m.observed.ld_library_path = "/apps/cudnn";
  m.add_alternatives("9.14.0", "/opt/cudnn/lib");
  const auto take = [&m](const char* release) {
    for (cudnn_file& file : m.observed.files.in_place()) {
      m.take_from(to_string(file.role), release, "/apps/cudnn", test::by_variable);
    }
  };
  unstamped_program program;
  program.use = cudnn_use::needed;
  m.observed.unstamped = &program;
  m.observed.start.stamped = answer::no;
  const auto judged = [&m] { return judge_unstamped(m.observed, m.options); };
  take("9.13.0");
  REQUIRE(judged().findings.size() == 2);
  CHECK(judged().findings[0].id == finding_id::loader_override);
  CHECK(judged().findings[0].weight == severity::warning);
  CHECK(test::fix_of(judged().findings[0]) == "$ unset LD_LIBRARY_PATH");
  take("9.19.0");
  CHECK(judged().findings.size() == 1);
}

TEST_CASE("a mix in the usual order only is no refusal, one in every order is") {
  machine m("9.14.0", "9.14.0");
  m.take_from("ops", "9.19.0", "/wheel", test::by_variable);
  order_variant order;
  order.first_calls = {"cnn"};
  order.files = {test::file_of("ops", "9.14.0")};
  m.observed.orders = {order};
  CHECK(m.names() == "loader-override");
  CHECK(m.because() ==
        "Only a program that calls functions of cnn first gets the files of one release.");
  CHECK(m.findings()[0].found.label == "after graph");
  m.observed.orders.in_place()[0].files.in_place()[0] = test::file_of("ops", "9.13.0", "/third");
  CHECK(m.names() == "mixed-sublibraries");
}

TEST_CASE("what others loaded decides against the program's own search") {
  machine m("9.14.0", "9.19.0");
  cudnn_file& shim = m.file("shim");
  shim.mapped = true;
  shim.chosen_by = choice_reason::already_loaded;
  shim.loaded_by = "/torch/lib/libtorch_cuda.so";
  shim.search_path = "/venv/libcudnn.so.9";
  shim.search_release = parse_version("9.14.0");
  CHECK(
      m.message() ==
      "refused: this program uses a cuDNN that its own library search would not find\n"
      "  its own:  9.14.0   /venv/libcudnn.so.9\n"
      "  loaded:   9.19.0   /opt/cudnn/lib/libcudnn.so.9   needed by /torch/lib/libtorch_cuda.so\n"
      "  Which cuDNN it gets depends on what else is in the process.\n"
      "  fix: let /torch/lib/libtorch_cuda.so and this program load the same cuDNN\n"
      "  [loader-override]\n");
  CHECK(m.result() == verdict::warning);
  // An application's own copies, opened by their paths; LD_PRELOAD.
  shim.loaded_by.clear();
  CHECK(m.findings()[0].found.where == "/opt/cudnn/lib/libcudnn.so.9   opened by its path");
  CHECK(m.fix() == "> let the code that opens it and this program load the same cuDNN");
  shim.chosen_by = choice_reason::ld_preload;
  CHECK(m.fix() == "$ unset LD_PRELOAD");
  m.observed.ld_preload = "/x/libjemalloc.so.2 /opt/cudnn/lib/libcudnn.so.9";
  CHECK(m.fix() == "$ export LD_PRELOAD=/x/libjemalloc.so.2");
  // Another file of the same release, and one of a release that nothing tells.
  shim.search_release = parse_version("9.19.0");
  CHECK(m.names() == "");
  shim.search_release = {};
  CHECK(m.names() == "");
}

TEST_CASE("files that a process has in its memory are gone from the disk") {
  machine m;
  m.file("shim").mapped = true;
  m.file("graph").mapped = true;
  const auto found = [&m] { return judge_replaced(m.observed, m.options); };
  CHECK(found().empty());
  m.observed.replaced = {m.file("shim").path, "/opt/lib/libother.so"};
  REQUIRE(found().size() == 1);
  CHECK(findings_message(found(), "cudnn-checked: warning", severity::warning) ==
        "cudnn-checked: warning: files of cuDNN in this process were deleted or replaced since it "
        "loaded them\n"
        "  in memory:       9.14.0   /opt/cudnn/lib/libcudnn.so.9\n"
        "  not loaded yet:  6 files\n"
        "  What the process loads from now on comes from the files that lie there now.\n"
        "  fix: restart the process\n"
        "  [replaced-in-use]\n");
  m.observed.replaced.push_back(m.file("graph").path);
  CHECK(found()[0].found.where == "/opt/cudnn/lib/libcudnn.so.9 and another one");
  for (cudnn_file& file : m.observed.files.in_place()) file.mapped = true;
  CHECK(found()[0].weight == severity::note);
  CHECK(found()[0].because ==
        "All of cuDNN is in its memory, so nothing of it is loaded any more.");
}

TEST_CASE("a program that gets what it was built with is not bothered with what is installed") {
  machine m("9.19.0", "9.19.0");
  cudnn_file& shim = m.file("shim");
  shim.mapped = true;
  shim.search_path = "/usr/lib/libcudnn.so.9";
  shim.search_release = parse_version("9.14.0");
  CHECK(m.names() == "loader-override");
  CHECK(m.result() == verdict::ok);
}

TEST_CASE("LD_LIBRARY_PATH with a newer release is a note") {
  machine m("9.14.0", "9.19.0");
  m.observed.ld_library_path = "/opt/cudnn/lib";
  m.add_alternatives("9.14.0", "/venv");
  for (cudnn_file& file : m.observed.files.in_place()) file.chosen_by = test::by_variable;
  REQUIRE(m.names() == "loader-override");
  CHECK(m.result() == verdict::ok);
  CHECK(m.findings()[0].expected.where == "/venv/libcudnn.so.9   chosen by RUNPATH of app");
  // What the system has is nobody's choice.
  for (alternative_file& other : m.observed.alternatives.in_place()) {
    other.chosen_by = choice_reason::ld_so_cache;
  }
  CHECK(m.names() == "");
}
