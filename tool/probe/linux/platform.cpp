// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdlib>

#include "../../core/linux/linux_system.h"

namespace cudnn_checked::probe {

any_function find_function(const char* name) {
  return reinterpret_cast<any_function>(::dlsym(RTLD_DEFAULT, name));
}

void set_where_unset(const char* name, const char* value) { (void)::setenv(name, value, 0); }

const system_interface& system_of_probe(char** environment) {
  return *make_in_arena<linux_system>(
      environment, ::getauxval(AT_SECURE) != 0 ? execution_mode::secure : execution_mode::ordinary);
}

}  // namespace cudnn_checked::probe
