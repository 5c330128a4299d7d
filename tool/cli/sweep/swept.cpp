// SPDX-License-Identifier: BSD-3-Clause
#include "swept.h"

#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <utility>

#include "../../core/model/paths.h"
#include "../../sweep/report/report.h"
#include "../read/read.h"

namespace cudnn_checked::cli {

bool is_report_file(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  char first[4] = {};
  std::ifstream(path, std::ios::binary).read(first, sizeof first);
  return std::memcmp(first,
                     "\x7f"
                     "ELF",
                     sizeof first) != 0;
}

bool read_swept(const std::string& path, swept& result, std::string& error) {
  json report;
  std::string reason;
  if (!read_report(path, report, error)) return false;
  if (!sweep::read_record(report, result.seen, result.package, reason)) {
    error = path + ": " + reason;
    return false;
  }
  result.name = path;
  result.directory = std::string(directory_part(result.seen.asked.library));
  result.is_read = true;
  return true;
}

std::string computing_option(const command_line& given) {
  const std::pair<const char*, const std::string&> options[] = {
      {"--seconds", given.seconds},
      {"--operations", given.operations},
      {"--types", given.types},
      {"--seed", given.seed},
      {"--workers", given.workers},
      {"--device", given.device},
      {"--plan-timeout", given.plan_timeout},
      {"--errata", given.errata}};
  for (const auto& [name, value] : options) {
    if (!value.empty()) return name;
  }
  return {};
}

}  // namespace cudnn_checked::cli
