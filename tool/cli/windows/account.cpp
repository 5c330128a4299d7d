// SPDX-License-Identifier: BSD-3-Clause
#include "../system/account.h"

#include "../../core/windows/windows_header.h"

#include <lmcons.h>

#include "../../spawn/windows/wide.h"

namespace cudnn_checked::cli {

static std::string variable_of(const wchar_t* name) {
  wchar_t value[MAX_PATH];
  const DWORD length = ::GetEnvironmentVariableW(name, value, MAX_PATH);
  return length < MAX_PATH ? spawn::narrow_path({value, length}) : std::string();
}

account own_account() {
  wchar_t name[UNLEN + 1];
  DWORD size = UNLEN + 1;
  account own;
  if (::GetUserNameW(name, &size) != 0) own.name = spawn::narrow(name);
  own.home = variable_of(L"USERPROFILE");
  return own;
}

std::string host_name() {
  wchar_t name[256];
  DWORD size = 256;
  const bool known = ::GetComputerNameExW(ComputerNamePhysicalDnsHostname, name, &size) != 0;
  return known ? spawn::narrow({name, size}) : std::string();
}

}  // namespace cudnn_checked::cli
