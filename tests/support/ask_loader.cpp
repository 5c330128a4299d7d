// SPDX-License-Identifier: BSD-3-Clause
//
// Test tool: `ask_loader [NAME]` predicts what dlopen(NAME) would load in this process, and then
// calls it. One line for each answer:
//
//   secure 0|1
//   program PATH                    as core names it
//   predicted taken|none BY PATH    for the name, and for each libcudnn* that it NEEDs; BY has no
//   blank failed TEXT                     dlopen's words mapped PATH                     each
//   libcudnn* in the process, at the end
#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "core/linux/linux_system.h"
#include "core/loader/loader.h"
#include "core/model/library_name.h"
#include "core/model/paths.h"

using namespace cudnn_checked;

static void print_hit(const loader_hit& hit) {
  arena_string by = to_string(hit.chosen_by);
  by = by.substr(0, by.find(' '));
  std::printf("predicted %s %s %s\n", hit.taken() ? "taken" : "none", by.empty() ? "-" : by.c_str(),
              hit.path.c_str());
}

static int print_mapped(dl_phdr_info* info, std::size_t, void*) {
  if (std::strstr(info->dlpi_name, "libcudnn") != nullptr)
    std::printf("mapped %s\n", info->dlpi_name);
  return 0;
}

int main(int argc, char** argv) {
  const bool secure = ::getauxval(AT_SECURE) != 0;
  const linux_system os(environ, secure ? execution_mode::secure : execution_mode::ordinary);
  loader search(os);
  std::printf("secure %d\nprogram %s\n", secure ? 1 : 0, search.program_path().c_str());
  for (const preload& p : search.preloads()) {
    loader_hit hit = p.name.find('/') != arena_string::npos
                         ? search.open_path(p.name)
                         : search.find(p.name, {}, loader::view::afresh);
    if (hit.taken()) hit.chosen_by = p.chosen_by;
    // What cannot be preloaded is left out.
    if (hit.taken()) print_hit(hit);
  }
  if (argc > 1) {
    const auto ask = [&](const arena_string& name, const arena_vector<arena_string>& askers) {
      const bool is_path = name.find('/') != arena_string::npos;
      const loader_hit hit =
          is_path ? search.open_path(name) : search.find(name, askers, loader::view::as_is);
      print_hit(hit);
      return hit;
    };
    const loader_hit hit = ask(argv[1], {});
    if (hit.taken()) {
      for (const arena_string& name : search.file(hit.path).needed) {
        if (is_cudnn_path(name)) ask(name, {hit.path});
      }
    }
    std::fflush(stdout);
    if (::dlopen(argv[1], RTLD_LAZY) == nullptr) std::printf("failed %s\n", ::dlerror());
  }
  ::dl_iterate_phdr(print_mapped, nullptr);
  std::fflush(stdout);
  ::_exit(0);  // nothing is closed, which an auditor would be told
}
