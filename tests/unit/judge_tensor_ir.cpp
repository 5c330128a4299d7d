// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_engines_tensor_ir, which 9.20.0 and JIT-only sets ask for and do not contain.
#include <doctest/doctest.h>

#include "catalogue_ids.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::machine;

namespace {

// pytorch#185512: what the graph library asks for, and no package of its release contains.
void add_stray(machine& m, const char* release) {
  m.observed.files.push_back(test::file_of("engines_tensor_ir", release, "/usr/lib"));
  m.observed.files.in_place().back().chosen_by = test::by_cache;
}

}  // namespace

TEST_CASE("a library that the release asks for and does not ship, from another release") {
  machine m("9.20.0", "9.20.0");
  add_stray(m, "9.23.2");
  CHECK(m.message() ==
        "refused: the files of cuDNN are of more than one release\n"
        "  shim:               9.20.0   /opt/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of app\n"
        "  engines_tensor_ir:  9.23.2   /usr/lib/libcudnn_engines_tensor_ir.so.9   chosen by "
        "ld.so.cache\n"
        "  cuDNN asks for this library by name and refuses one of another release: its "
        "convolutions fail with CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH.\n"
        "  fix: remove /usr/lib from /etc/ld.so.conf.d, then: ldconfig\n"
        "   or: use the full package of cuDNN 9.21.0 or newer, which contains its own "
        "libcudnn_engines_tensor_ir.so.9\n"
        "  [mixed-sublibraries]\n");
  m.observed.ld_library_path = "/usr/lib:/opt/x";
  m.observed.files.in_place().back().chosen_by = test::by_variable;
  const std::string full =
      "\n> use the full package of cuDNN 9.21.0 or newer, which contains its own "
      "libcudnn_engines_tensor_ir.so.9";
  CHECK(m.fix() == "$ export LD_LIBRARY_PATH=/opt/x" + full);
  m.observed.ld_preload = "/usr/lib/libcudnn_engines_tensor_ir.so.9";
  m.observed.files.in_place().back().chosen_by = choice_reason::ld_preload;
  CHECK(m.fix() == "$ unset LD_PRELOAD" + full);
  // A file that an older or newer cuDNN has left behind.
  m.observed.files.in_place().back() = test::file_of("engines_tensor_ir", "9.23.2");
  CHECK(m.fix() ==
        "> remove /opt/cudnn/lib/libcudnn_engines_tensor_ir.so.9, which the package of this cuDNN "
        "does not contain" +
            full);
}

TEST_CASE("a stray tensor_ir that the loader gives up is no member, one that it takes is") {
  machine m("9.20.0", "9.20.0");
  add_stray(m, "9.23.2");
  for (const file_state state :
       {file_state::empty, file_state::not_elf, file_state::refused, file_state::foreign}) {
    m.observed.files.in_place().back().state = state;
    CHECK(m.names() == "");
  }
  m.observed.files.in_place().back().state = file_state::truncated;
  CHECK(m.names() != "");
  // Where other files are mixed, it is not the cause.
  machine mixed("9.20.0", "9.20.0");
  mixed.file("heuristic") = test::file_of("heuristic", "9.19.0");
  const std::string without_it = mixed.fix();
  add_stray(mixed, "9.23.2");
  mixed.observed.files.in_place().back().state = file_state::foreign;
  REQUIRE(mixed.names() == "mixed-sublibraries");
  CHECK(mixed.fix() == without_it);
  // Its own, damaged, is named.
  machine own("9.24.0", "9.24.0");
  own.file("engines_tensor_ir").state = file_state::empty;
  CHECK(own.names() == "library-corrupt");
}

TEST_CASE("a JIT-only set asks for tensor_ir: of its release it is taken, of another it is a mix") {
  machine m("9.22.0", "9.22.0");
  m.make_jit_only();
  add_stray(m, "9.22.0");
  CHECK(m.result() == verdict::ok);
  // For another CUDA.
  m.file("graph").build_id = test::id_of("libcudnn_graph.so.9", "9.22.0.52", "13");
  m.observed.files.in_place().back().build_id =
      test::id_of("libcudnn_engines_tensor_ir.so.9", "9.22.0.52", "12");
  CHECK(m.result() == verdict::ok);
  m.observed.files.pop_back();
  add_stray(m, "9.23.2");
  REQUIRE(m.names() == "mixed-sublibraries");
  CHECK(m.fix() ==
        "> remove /usr/lib from /etc/ld.so.conf.d, then: ldconfig\n"
        "> use the full package of cuDNN 9.22.0 or newer, which contains its own "
        "libcudnn_engines_tensor_ir.so.9");
}
