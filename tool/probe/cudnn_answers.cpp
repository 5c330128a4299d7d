// SPDX-License-Identifier: BSD-3-Clause
#include "asked.h"

#include <cudnn.h>

#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "platform.h"

namespace cudnn_checked::probe {

/// A check and the sub-library that it belongs to; the first four are cuDNN 9's.
struct version_check {
  library_role::known role;
  const char* function;
};

static constexpr version_check version_checks[] = {
    {library_role::graph, "cudnnGraphVersionCheck"},
    {library_role::ops, "cudnnOpsVersionCheck"},
    {library_role::cnn, "cudnnCnnVersionCheck"},
    {library_role::adv, "cudnnAdvVersionCheck"},
    {library_role::ops_infer, "cudnnOpsInferVersionCheck"},
    {library_role::ops_train, "cudnnOpsTrainVersionCheck"},
    {library_role::cnn_infer, "cudnnCnnInferVersionCheck"},
    {library_role::cnn_train, "cudnnCnnTrainVersionCheck"},
    {library_role::adv_infer, "cudnnAdvInferVersionCheck"},
    {library_role::adv_train, "cudnnAdvTrainVersionCheck"},
};

void ask_versions(cudnn_answers& answers) {
  answers.library = decode_cudnn_version(cudnnGetVersion());
  answers.cudart = decode_cuda_version(cudnnGetCudartVersion());
  // Since 8.6; looked up, so that an older library under a newer header becomes a finding.
  using get_size = size_t (*)();
  const auto ask = reinterpret_cast<get_size>(find_function("cudnnGetMaxDeviceVersion"));
  if (ask != nullptr) answers.max_device = static_cast<int>(ask());
  answers.asked = true;
}

static arena_vector<library_role> mapped_roles(const system_interface& os) {
  arena_vector<library_role> roles;
  for (const mapped_object& object : os.mapped_objects()) {
    roles.push_back(role_of_name(base_name(object.path)));
  }
  return roles;
}

static bool was_asked(const cudnn_answers& answers, const char* function) {
  for (const cudnn_answers::check& check : answers.checks) {
    if (check.name == function) return true;
  }
  return false;
}

void ask_version_checks(const system_interface& os, cudnn_answers& answers) {
  using version_check_function = cudnnStatus_t (*)();
  for (const library_role& role : mapped_roles(os)) {
    for (const version_check& check : version_checks) {
      if (role != check.role || was_asked(answers, check.function)) continue;
      const auto ask = reinterpret_cast<version_check_function>(find_function(check.function));
      if (ask == nullptr) continue;
      const cudnnStatus_t status = ask();
      answers.checks.push_back(
          {check.function, static_cast<int>(status), cudnnGetErrorString(status)});
    }
  }
}

}  // namespace cudnn_checked::probe
