// SPDX-License-Identifier: BSD-3-Clause
#include "../core/check/cudnn_check.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/observe/header_version.h"
#include "install_system.h"
#include "messages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

reply judge_files(const request& asked, const system_interface& real) {
  const string library = asked["library"];
  const install_system os(real, library);
  loader search(os);
  cudnn_check check(search);
  string text;
  check.observed.header_path = asked["header"];
  if (os.read_text(asked["header"], text)) check.stamped.cudnn_header = read_header_version(text);
  check.stamped.toolkit = parse_version(asked["toolkit"]);
  check.stamped.components = asked.all("component");
  check.options.level_required = parse_level(asked["require"], check.options.required);
  check.options.gpu_optional =
      !(check.options.level_required && check.options.required == level::ran);
  check.options.install_named = !asked["root"].empty();
  int major = major_of_name(base_name(library));
  if (major == 0) major = check.stamped.cudnn_header.major;
  check_named_install(check, major, library);
  reply told;
  if (check.judged.result == verdict::refused) told.findings = check.judged.findings;
  return told;
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
