// SPDX-License-Identifier: BSD-3-Clause
#include "explain_runtime.h"

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "project.h"
#include "runtime_reasons.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static void tell_places(const request& asked, const system_interface& os, message& result) {
  const install_names names = names_of_request(asked);
  const std::string wanted = asked["cuda"];
  for (const asked_place& one : places_of_request(asked)) {
    if (!one.told.empty()) {
      result.facts.push_back(fact_of(one.told));
      continue;
    }
    const arena_string why(std::string_view(why_no_runtime(os, one.place, names, wanted)));
    result.facts.push_back({"looked in", one.place.prefix, one.label + ": " + why});
  }
}

message explain_runtime(const request& asked, const system_interface& os) {
  const arena_string cuda = asked["cuda"].empty() ? arena_string("CUDA") : "CUDA " + asked["cuda"];
  message result;
  result.name = to_string(finding_id::headers_missing);
  result.summary =
      format("cuDNN %s was found, but no %s runtime to compile with", asked["found"], cuda);
  result.facts.push_back({"cuDNN", asked["found"], asked["header"]});
  tell_places(asked, os, result);
  result.because.push_back(
      format("cudnn.h includes cuda_runtime_api.h, and the probe links %s.", asked["names"]));
  if (asked["named_toolkit"] == "yes") {
    result.because.push_back("CUDAToolkit_ROOT is set, so no other directory was searched.");
  }
  const arena_string of = asked["cuda"].empty() ? arena_string() : " of CUDA " + asked["cuda"];
  result.fixes = {
      advice(project(asked, os).named("CUDAToolkit_ROOT", "include/cuda_runtime_api.h" + of))};
  return result;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
