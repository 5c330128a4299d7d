// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that are called and live in a sub-library that the set lacks.
#include <doctest/doctest.h>

#include "core/catalogue/function_homes.h"
#include "core/model/unstamped_program.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::machine;

namespace {

/// A JIT-only cuDNN, and a program that calls functions of the legacy API.
struct legacy_machine : machine {
  legacy_machine() {
    make_jit_only();
    observed.called = {{library_role::ops, "cudnnCreatePoolingDescriptor", "/opt/app", 1},
                       {library_role::cnn, "cudnnConvolutionForward", "/opt/app", 3}};
    observed.calls_graph = answer::no;
  }
};

}  // namespace

TEST_CASE("the sub-library of a function") {
  CHECK(home_of_function("cudnnCreatePoolingDescriptor") == library_role::ops);
  CHECK(home_of_function("cudnnCreateConvolutionDescriptor") == library_role::cnn);
  CHECK(home_of_function("cudnnCreateRNNDescriptor") == library_role::adv);
  CHECK(home_of_function("cudnnCausalConv1dForward") == library_role::ext);
  for (const char* name : {"cudnnCreate", "cudnnBackendExecute", "cudnnOfTomorrow", "", "cudnn"}) {
    CHECK(home_of_function(name) == library_role::none);
  }
}

TEST_CASE("a program of the legacy API on a JIT-only cuDNN") {
  legacy_machine m;
  CHECK(m.message() ==
        "refused: functions are called of what a JIT-only cuDNN lacks: libcudnn_ops.so.9, "
        "libcudnn_cnn.so.9\n"
        "  called:  cudnnCreatePoolingDescriptor   by /opt/app\n"
        "  found:   9.14.0                         /opt/cudnn/lib/libcudnn_graph.so.9   chosen by "
        "RUNPATH of app\n"
        "  A call of it ends the process, or fails with CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED.\n"
        "  fix: install the full cuDNN package instead of the JIT-only one\n"
        "  [sublibrary-missing]\n");
  m.observed.called = {{library_role::cnn, "cudnnConvolutionForward", "/opt/app", 3}};
  CHECK(m.fact("called") == "cudnnConvolutionForward and 2 more   by /opt/app");
}

TEST_CASE("a program that can do without them") {
  legacy_machine m;
  SUBCASE("it calls the graph API, too") {
    m.observed.calls_graph = answer::yes;
    REQUIRE(m.names() == "sublibrary-missing");
    CHECK(m.weight() == severity::note);  // its author chose this cuDNN
    unstamped_program without;
    m.observed.unstamped = &without;
    CHECK(m.weight() == severity::warning);
  }
  SUBCASE("it calls the graph API alone") {
    m.observed.calls_graph = answer::yes;
    m.observed.called.clear();
    CHECK(m.names() == "");
  }
  SUBCASE("the set is whole") {
    m.observed.files = machine().observed.files;
    CHECK(m.names() == "");
  }
}

TEST_CASE("what another install lends a JIT-only cuDNN") {
  legacy_machine m;
  for (const char* role : {"ops", "cnn"}) m.take_from(role, "9.14.0", "/usr/lib", test::by_cache);
  CHECK(m.names() == "");
  for (const char* role : {"ops", "cnn"}) m.take_from(role, "9.19.0", "/usr/lib", test::by_cache);
  REQUIRE(m.names() == "sublibrary-missing");
  CHECK(m.fact("takes") == "9.19.0   /usr/lib/libcudnn_ops.so.9   chosen by ld.so.cache");
}
