// SPDX-License-Identifier: BSD-3-Clause
#include "commands.h"

#include "../core/model/paths.h"
#include "../repair/repaired_system.h"
#include "../repair/tools.h"
#include "environment.h"
#include "messages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The step of a command that installs wheels; null for other commands.
static const repair* order_in(const fix_line& line) {
  return find_where(line.steps,
                    [&](const repair& step) { return step.what == repair_kind::wheels; });
}

template <class look>
static void try_each(const system_interface& os, fix_lines& lines, const look& is_green) {
  for (fix_line& line : lines.in_place()) {
    line = repairs::as_typed_here(os, line);
    const repair* const step = order_in(line);
    repairs::repaired_system view(os);
    const bool shown = step != nullptr && repairs::condition_of(os, line, {}).empty() &&
                       repairs::can_be_fetched(os, line) && view.apply(*step) &&
                       is_green(view, *step);
    if (shown) line.tried = trial_result::green;
    mark_untried(line);
  }
}

static bool has_usable_cudnn(const request& asked, const system_interface& view,
                             const arena_string& prefix) {
  install_place place;
  return find_install(view, prefix, place) &&
         verdict_of(find_faults(asked, view, place)) != verdict::refused;
}

void try_cudnn(const request& asked, const system_interface& os, fix_lines& lines) {
  const arena_string& file = asked[asked["file"].empty() ? "library" : "file"];
  const bool cross = asked["cross"] == "yes";
  const auto is_green = [&asked, &file, cross](const system_interface& view, const repair& step) {
    const arena_string prefix =
        directory_part(step.where.site + folder_of_cudnn(step.order.requirements.front()));
    // The one that was found stays the first, but for the directory that is named instead.
    const bool taken =
        file.empty() || starts_with(file + "/", prefix + "/") || step.where.site == asked["own"];
    return !cross && taken && has_usable_cudnn(asked, view, prefix);
  };
  try_each(os, lines, is_green);
}

void try_runtime(const system_interface& os, const arena_string& folder, int cuda_major,
                 fix_lines& lines) {
  try_each(os, lines, [&folder, cuda_major](const system_interface& view, const repair& step) {
    return missing_parts(view, step.where, folder, cuda_major).to_compile.empty();
  });
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
