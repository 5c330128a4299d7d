// SPDX-License-Identifier: BSD-3-Clause
#include "stamp.h"

#include "../json/json.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static vector<string> strings_of(const json& list) {
  vector<string> result;
  for (const json& item : list.elements()) result.push_back(item.text());
  return result;
}

bool parse_stamp(std::string_view text, stamp& result, string& error) {
  json tree;
  if (!parse_json(text, tree, error)) return false;
  if (tree["schema"].text() != "1") {
    error = "a stamp of schema " + tree["schema"].text() + ", this release reads schema 1";
    return false;
  }
  result.program = tree["program"].text();
  result.package = tree["package"].text();
  const json& cudnn = tree["cudnn"];
  result.cudnn_header = parse_version(cudnn["header"].text());
  result.cudnn_library = parse_version(cudnn["library"].text());
  result.cudart = parse_version(cudnn["cudart"].text());
  const json& cuda = tree["cuda"];
  result.toolkit = parse_version(cuda["toolkit"].text());
  result.runtime = parse_version(cuda["runtime"].text());
  result.driver = parse_version(cuda["driver"].text());
  if (!parse_level(tree["level"].text(), result.proved)) result.proved = level::none;
  const json& architectures = tree["architectures"];
  for (const json& item : architectures["measured"].elements()) {
    result.measured.push_back(parse_architecture(item.text()));
  }
  result.compiled = parse_cuda_architectures(strings_of(architectures["compiled"]));
  result.components = strings_of(tree["components"]);
  for (const json& item : tree["sublibraries"].elements()) {
    result.sublibraries.push_back(library_role::named(item.text()));
  }
  result.operations = strings_of(tree["operations"]);
  result.policy = tree["policy"].text();
  result.gpu_optional = tree["gpu"].text() == "optional";
  if (!result.cudnn_header.known()) {
    error = "the stamp names no cuDNN version";
    return false;
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
