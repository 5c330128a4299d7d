// SPDX-License-Identifier: BSD-3-Clause
#include "../system/operating_system.h"

#include "../../core/windows/windows_header.h"

namespace cudnn_checked::cli {

const char* name_of_system() { return "Windows"; }

static std::string machine() {
  SYSTEM_INFO info = {};
  ::GetNativeSystemInfo(&info);
  switch (info.wProcessorArchitecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
      return "x86_64";
    case PROCESSOR_ARCHITECTURE_ARM64:
      return "aarch64";
    default:
      return "unknown machine";
  }
}

// GetVersionEx names the release for which the program was made; RtlGetVersion names this one.
static std::string release() {
  using rtl_get_version = LONG(WINAPI*)(OSVERSIONINFOW*);
  const HMODULE ntdll = ::GetModuleHandleW(L"ntdll.dll");
  const FARPROC found = ntdll == nullptr ? nullptr : ::GetProcAddress(ntdll, "RtlGetVersion");
  OSVERSIONINFOW version = {};
  version.dwOSVersionInfoSize = sizeof version;
  const auto ask = reinterpret_cast<rtl_get_version>(reinterpret_cast<void*>(found));
  if (ask == nullptr || ask(&version) != 0) return "unknown release";
  return std::to_string(version.dwMajorVersion) + '.' + std::to_string(version.dwMinorVersion) +
         '.' + std::to_string(version.dwBuildNumber);
}

std::string describe_system() { return "Windows " + release() + ", " + machine(); }

std::string why_unable(ability what) {
  switch (what) {
    case ability::trees:
      return "verify: --root: not on Windows yet";
    case ability::sweeps:
      return "sweep: not on Windows yet";
    case ability::pkg_config:
      return "pkg-config: not on Windows yet";
    case ability::guard_objects:
      return "guard-object: not on Windows yet";
  }
  return {};
}

}  // namespace cudnn_checked::cli
