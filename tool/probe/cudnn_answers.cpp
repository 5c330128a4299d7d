// SPDX-License-Identifier: BSD-3-Clause
#include "questions.h"

#include <cudnn.h>

#include <algorithm>

#include "platform.h"

namespace cudnn_checked::probe {

/// A version check and the sub-library that it belongs to.  The first four exist in cuDNN 9.
struct version_check {
  const char* library;
  const char* function;
};

static constexpr version_check version_checks[] = {
    {"cudnn_graph", "cudnnGraphVersionCheck"},
    {"cudnn_ops", "cudnnOpsVersionCheck"},
    {"cudnn_cnn", "cudnnCnnVersionCheck"},
    {"cudnn_adv", "cudnnAdvVersionCheck"},
    {"cudnn_ops_infer", "cudnnOpsInferVersionCheck"},
    {"cudnn_ops_train", "cudnnOpsTrainVersionCheck"},
    {"cudnn_cnn_infer", "cudnnCnnInferVersionCheck"},
    {"cudnn_cnn_train", "cudnnCnnTrainVersionCheck"},
    {"cudnn_adv_infer", "cudnnAdvInferVersionCheck"},
    {"cudnn_adv_train", "cudnnAdvTrainVersionCheck"},
};

void ask_versions(const teller& tell) {
  facts::line_writer line("versions");
  line.add_whole("library", static_cast<long long>(cudnnGetVersion()));
  line.add_whole("cudart", static_cast<long long>(cudnnGetCudartVersion()));
  // Since 8.6; looked up, so that an older library under a newer header becomes a finding.
  using get_size = size_t (*)();
  const auto ask = reinterpret_cast<get_size>(find_function("cudnnGetMaxDeviceVersion"));
  if (ask != nullptr) line.add_whole("max-device", static_cast<long long>(ask()));
  tell.tell(line);
}

/// "/x/libcudnn_ops.so.9", "cudnn_ops64_9.dll" and "libcudnn_ops-1a2b3c.so.9" are cudnn_ops.
static bool is_library(const std::string& path, const std::string& library) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.compare(0, 3, "lib") == 0) name.erase(0, 3);
  if (name.compare(0, library.size(), library) != 0) return false;
  const std::string rest = name.substr(library.size());
  return !rest.empty() && std::string("-.0123456789").find(rest[0]) != std::string::npos;
}

void ask_version_checks(const teller& tell, std::vector<std::string>& asked) {
  using version_check_function = cudnnStatus_t (*)();
  for (const std::string& path : mapped_libraries()) {
    for (const version_check& check : version_checks) {
      const bool known = std::find(asked.begin(), asked.end(), check.function) != asked.end();
      if (known || !is_library(path, check.library)) continue;
      const auto ask = reinterpret_cast<version_check_function>(find_function(check.function));
      if (ask == nullptr) continue;
      asked.push_back(check.function);
      const cudnnStatus_t status = ask();
      tell.tell(facts::line_writer("check")
                    .add("name", check.function)
                    .add_whole("status", status)
                    .add("status-name", cudnnGetErrorString(status)));
    }
  }
}

}  // namespace cudnn_checked::probe
