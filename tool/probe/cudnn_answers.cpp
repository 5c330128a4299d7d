// SPDX-License-Identifier: BSD-3-Clause
#include "questions.h"

#include <cudnn.h>

#include <algorithm>
#include <cctype>

#include "platform.h"

namespace cudnn_checked::probe {

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

/// "cudnnOpsInferVersionCheck" for "/x/libcudnn_ops_infer.so.8", "cudnn_ops_infer64_8.dll" and
/// "libcudnn_ops_infer-1a2b3c.so.8"; empty for what is no sub-library.  Not each of them has such a
/// function.
static std::string version_check_of(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1);
  if (name.compare(0, 3, "lib") == 0) name.erase(0, 3);
  const std::size_t end = name.find_first_of("-.0123456789");
  if (name.compare(0, 6, "cudnn_") != 0 || end == std::string::npos) return {};
  std::string function = "cudnn";
  for (std::size_t at = function.size() + 1; at < end; ++at) {
    const bool begins_word = name[at - 1] == '_';
    if (name[at] != '_') {
      function += static_cast<char>(begins_word ? std::toupper(name[at]) : name[at]);
    }
  }
  return function + "VersionCheck";
}

void ask_version_checks(const teller& tell, std::vector<std::string>& asked) {
  using version_check_function = cudnnStatus_t (*)();
  for (const std::string& path : mapped_libraries()) {
    const std::string check = version_check_of(path);
    if (check.empty() || std::find(asked.begin(), asked.end(), check) != asked.end()) continue;
    const auto ask = reinterpret_cast<version_check_function>(find_function(check.c_str()));
    if (ask == nullptr) continue;
    asked.push_back(check);
    const cudnnStatus_t status = ask();
    tell.tell(facts::line_writer("check")
                  .add("name", check)
                  .add_whole("status", status)
                  .add("status-name", cudnnGetErrorString(status)));
  }
}

}  // namespace cudnn_checked::probe
