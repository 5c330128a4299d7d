// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that open CUDA's runtime themselves.
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/unstamped_program.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// cudnn-frontend and Transformer Engine open the runtime of every CUDA that they know, by name, and
// raise an exception where they find two (cudnn_frontend_shim.h; NVIDIA/cudnn-frontend#211).
void rule_second_runtime(const rule_input& input, arena_vector<finding>& findings) {
  const unstamped_program* const program = input.observed.unstamped;
  if (program == nullptr || program->runtimes.size() < 2) return;
  const int own = cuda_major_of_set(input);
  finding& f = add_finding<finding_id::cuda_major>(findings);
  tell(f, "%s finds the runtimes of %d CUDAs, and works with one only",
       base_name(input.observed.program_path), static_cast<int>(program->runtimes.size()));
  for (const opened_runtime& runtime : program->runtimes) {
    const bool first = f.expected.label.empty();
    tell(f, first ? "=opens|%s|%s   chosen by %s" : "+opens|%s|%s   chosen by %s", runtime.name,
         runtime.path, to_string(runtime.chosen_by));
    if (major_of_name(runtime.name) == own) continue;
    if (runtime.chosen_by.reason == choice_reason::ld_library_path) {
      f.fix.push_back(
          remove_from_library_path(runtime.chosen_by.index, input.observed.ld_library_path));
    } else if (own != 0 && runtime.chosen_by.reason == choice_reason::ld_so_cache) {
      f.fix.push_back(remove_from_loader_cache(directory_part(runtime.path)));
    }
  }
  tell(f, ".Its first call of CUDA raises \"Multiple libcudart libraries found\".");
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
