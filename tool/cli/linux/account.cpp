// SPDX-License-Identifier: BSD-3-Clause
#include "../system/account.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace cudnn_checked::cli {

account own_account() {
  const passwd* const entry = ::getpwuid(::getuid());
  if (entry == nullptr) return {};
  return {entry->pw_name, entry->pw_dir};
}

std::string host_name() {
  std::array<char, 256> host = {};
  return ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "";
}

}  // namespace cudnn_checked::cli
