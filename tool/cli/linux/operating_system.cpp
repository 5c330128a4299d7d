// SPDX-License-Identifier: BSD-3-Clause
#include "../system/operating_system.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

namespace cudnn_checked::cli {

const char* name_of_system() { return "Linux"; }

std::string describe_system() {
  utsname kernel = {};
  (void)::uname(&kernel);
  return std::string("Linux ") + kernel.release + ", " + kernel.machine + ", glibc " +
         ::gnu_get_libc_version();
}

std::string why_unable(ability) { return {}; }

}  // namespace cudnn_checked::cli
