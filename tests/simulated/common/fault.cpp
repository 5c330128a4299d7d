// SPDX-License-Identifier: BSD-3-Clause
#include "fault.h"

#include <csignal>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

namespace simulated {

static std::string all_faults() {
  std::string all = default_faults;
  const char* const asked = std::getenv("SIMULATED_FAULT");
  if (asked != nullptr) all = all + "," + asked;
  return "," + all + ",";
}

int current_gpu() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return -1;
  const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuCtxGetDevice"));
  const auto identify =
      reinterpret_cast<int (*)(unsigned char*, int)>(dlsym(driver, "cuDeviceGetUuid_v2"));
  int device = -1;
  unsigned char uuid[16] = {};
  const bool known = ask != nullptr && identify != nullptr && ask(&device) == 0 &&
                     identify(uuid, device) == 0 && uuid[0] >= 0xa0;
  dlclose(driver);
  return known ? uuid[0] - 0xa0 : -1;
}

/// ":gpu=3" behind a fault: it is one of that GPU alone.
static bool is_of_this_gpu(const std::string& rest) {
  const std::size_t at = rest.find(":gpu=");
  return at == std::string::npos || current_gpu() == std::atoi(rest.c_str() + at + 5);
}

std::vector<std::string> faults_of(const char* kind) {
  std::vector<std::string> found;
  const std::string faults = all_faults();
  const std::string wanted = std::string(",") + kind + ":";
  for (std::size_t at = faults.find(wanted); at != std::string::npos;
       at = faults.find(wanted, at + 1)) {
    const std::size_t after = at + wanted.size();
    found.push_back(faults.substr(after, faults.find(',', after) - after));
  }
  return found;
}

/// Finds "kind:what" with what follows it up to the next comma.
static bool find_fault(const char* kind, const std::string& what, std::string& rest) {
  for (const std::string& fault : faults_of(kind)) {
    if (fault.compare(0, what.size(), what) != 0) continue;
    rest = fault.substr(what.size());
    if ((rest.empty() || rest[0] == ':') && is_of_this_gpu(rest)) return true;
  }
  return false;
}

bool fails(const char* function, int& status) {
  std::string rest;
  if (find_fault("hang", function, rest)) {
    for (;;) pause();
  }
  if (find_fault("crash", function, rest)) std::raise(SIGSEGV);
  if (find_fault("abort", function, rest)) std::abort();
  if (!find_fault("fail", function, rest) || rest.empty()) return false;
  status = std::atoi(rest.c_str() + 1);
  return true;
}

bool is_faulty(const char* kind, const char* what) {
  std::string rest;
  std::string prefix = what;
  for (;;) {
    if (find_fault(kind, prefix, rest)) return true;
    const std::size_t slash = prefix.rfind('/');
    if (slash == std::string::npos) return false;
    prefix.resize(slash);
  }
}

}  // namespace simulated
