// SPDX-License-Identifier: BSD-3-Clause
//
// Finds users of cuDNN and of CUDA's runtimes by the names in the data of a library.
#include "../../core/library/data_names.h"
#include "../../core/loader/loader.h"
#include "../../core/model/cuda_major.h"
#include "../../core/model/format.h"
#include "unstamped.h"

namespace cudnn_checked::cli {

static bool finds_two_runtimes(loader& search) {
  int found = 0;
  for (int major = oldest_cuda_major; major <= newest_cuda_major; ++major) {
    const arena_string name = "libcudart.so." + to_string(major);
    found += search.find(name, {}, loader::view::as_is).taken() ? 1 : 0;
  }
  return found > 1;
}

// dlopen() of each name: what is mapped already is taken, too.
static void find_runtimes(loader& search, const data_names& names, const program_start& start,
                          unstamped_program& program) {
  for (const arena_string& name : names.runtimes) {
    const start_library* const needed = find_where(start.libraries, [&](const start_library& one) {
      return one.name == name && one.state == file_state::whole;
    });
    const loader_hit hit = search.find(name, {}, loader::view::as_is);
    if (needed != nullptr) {
      program.runtimes.push_back({name, needed->path, needed->chosen_by});
    } else if (hit.taken()) {
      program.runtimes.push_back({name, hit.path, hit.chosen_by});
    }
  }
}

void look_into_data(loader& search, const program_start& start, unstamped_program& program) {
  // A program that cannot be read, or is static, gets another message.
  if (!program.dynamic) return;
  const bool opens = is_opener(program.owner, search.program_path());
  if (!opens && (program.use != cudnn_use::none || !program.told_by.empty())) return;
  // A repair is tried on all users again and again, and the data may have megabytes.
  if (opens && !finds_two_runtimes(search)) return;
  const data_names names = read_data_names(search.system(), search.program_path());
  if (names.one_runtime) find_runtimes(search, names, start, program);
  if (opens || !names.open_cudnn()) return;
  program.asker = search.program_path();
  program.told_by = format("the name %s in its read-only data",
                           names.library.empty() ? names.function : names.library);
}

}  // namespace cudnn_checked::cli
