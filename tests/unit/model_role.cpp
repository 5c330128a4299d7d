// SPDX-License-Identifier: BSD-3-Clause
#include <doctest.h>

#include <iterator>
#include <string>
#include <vector>

#include "core/library/library_file.h"
#include "core/model/library_role.h"

using namespace cudnn_checked;

TEST_CASE("every known role has its name") {
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const library_role role = static_cast<library_role::known>(i);
    CAPTURE(to_string(role));
    CHECK(library_role::named(to_string(role)).which() == i);
  }
  CHECK(std::string(to_string(library_role(library_role::ops_infer))) == "ops_infer");
  CHECK(library_role() == library_role::none);
  CHECK(std::string(to_string(library_role())).empty());
  CHECK(library_role::named("") == library_role::none);
}

TEST_CASE("a role that nobody has heard of keeps its name") {
  std::string name = "of_2030";
  const library_role role = library_role::named(name);
  name = "changed";
  CHECK(role == library_role::other);
  CHECK(std::string(to_string(role)) == "of_2030");
  CHECK(role == library_role::named("of_2030"));
  CHECK(role != library_role::named("of_2031"));
  CHECK(role != library_role(library_role::graph));
  const arena_vector<library_role> roles = {library_role::graph, role};
  CHECK(contains(roles, library_role::named("of_2030")));
  CHECK(!contains(roles, library_role::named("of_2031")));
  CHECK(to_string(roles) == "graph, of_2030");
}

TEST_CASE("the sub-libraries whose functions a program calls, and their words") {
  CHECK(to_string(called_roles(9)) == "ops, cnn, adv");
  CHECK(to_string(called_roles(8)) == "ops_train, cnn_infer, cnn_train, adv_infer, adv_train");
  CHECK(calls_of(library_role::cnn) == role_called::after_graph);
  CHECK(calls_of(library_role::ops) == role_called::first);
  CHECK(calls_of(library_role::named("of_tomorrow")) == role_called::no);
  CHECK(std::string(name_of_version_word(library_role::ops)) == "cudnn_ops_infer_version");
  CHECK(name_of_version_word(library_role::cnn) == nullptr);
  CHECK(name_of_version_word(library_role::named("of_tomorrow")) == nullptr);
  CHECK(name_of_version_word(library_role::none) == nullptr);
}

TEST_CASE("what the functions of a sub-library use, and where cuDNN 8 has them") {
  const struct {
    library_role::known role;
    const char* used;
    const char* in_8;
  } rows[] = {
      {library_role::graph, "graph", "cnn_infer, cnn_train"},
      {library_role::ops, "graph, ops", "ops_infer, ops_train"},
      {library_role::cnn, "ops, graph, cnn", "cnn_infer, cnn_train"},
      {library_role::adv, "ops, graph, cnn, adv", "adv_infer, adv_train"},
      {library_role::heuristic, "graph, heuristic", ""},
      {library_role::ext, "ext", ""},
      {library_role::cnn_train, "cnn_infer, ops_train, ops_infer, cnn_train", ""},
      {library_role::shim, "shim", ""},
      {library_role::none, "", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(std::string(to_string(library_role(row.role))));
    CHECK(to_string(used_by(row.role)) == row.used);
    CHECK(to_string(in_cudnn_8(row.role)) == row.in_8);
  }
  CHECK(to_string(used_by(library_role::named("of_tomorrow"))) == "of_tomorrow");
  CHECK(to_string(called_with(library_role::adv)) == "cnn, adv");
  CHECK(takes_descriptors(library_role::ops_train));
  CHECK_FALSE(takes_descriptors(library_role::ops_infer));
  CHECK_FALSE(takes_descriptors(library_role::ops));
  CHECK_FALSE(takes_descriptors(library_role::shim));
  CHECK_FALSE(takes_descriptors(library_role::none));
}

TEST_CASE("what every release of a major ships") {
  CHECK(to_string(sublibraries_of(9)) ==
        "graph, ops, cnn, adv, engines_precompiled, engines_runtime_compiled, heuristic");
  CHECK(to_string(sublibraries_of(8)) ==
        "ops_infer, ops_train, cnn_infer, cnn_train, adv_infer, adv_train");
}

TEST_CASE(
    "what a sub-library opens of CUDA, and which of those that came later a JIT-only set uses") {
  const auto opened = [](library_role role) {
    const opened_parts found = parts_opened_by(role);
    return std::vector<int>(std::begin(found.parts), std::end(found.parts));
  };
  using both = std::vector<int>;
  CHECK(opened(library_role::engines_precompiled) ==
        both{opened_part::cublaslt, opened_part::nvrtc});
  CHECK(opened(library_role::adv) == both{opened_part::cublaslt, opened_part::none});
  CHECK(opened(library_role::heuristic) == both{opened_part::none, opened_part::none});
  CHECK(opened(library_role::none) == both{opened_part::none, opened_part::none});
  CHECK(opened(library_role::named("of_2030")) == both{opened_part::none, opened_part::none});
  CHECK(is_asked_by_jit_only(library_role::engines_tensor_ir));
  CHECK(is_optional_role(library_role::engines_tensor_ir));
  CHECK(is_optional_role(library_role::ext));
  CHECK_FALSE(is_asked_by_jit_only(library_role::ext));
  CHECK_FALSE(is_asked_by_jit_only(library_role::heuristic));
}
