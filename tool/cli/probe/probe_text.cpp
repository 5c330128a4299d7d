// SPDX-License-Identifier: BSD-3-Clause
#include "probe.h"

#include "../../core/judge/advice/wheel_commands.h"
#include "../../core/judge/identity.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

static bool is_told(const mapped_object& object) {
  const arena_string name = base_name(object.path);
  const dependency_kind kind = kind_of_dependency(name);
  const bool is_of_cuda = kind != dependency_kind::none && kind != dependency_kind::libz;
  return is_of_cuda || is_cudnn_name(name) || object.soname == driver_library_name();
}

/// The libraries of cuDNN, CUDA and the driver in this process, a directory a row.
static arena_string opened_text(const system_interface& os) {
  text_rows rows;
  for (const mapped_object& object : os.mapped_objects()) {
    const arena_string name = base_name(object.path);
    if (!is_told(object)) continue;
    const arena_string directory = directory_part(object.path);
    std::size_t same = 0;
    while (same != rows.size() && rows[same][0] != directory) ++same;
    if (same == rows.size()) {
      rows.push_back({directory, name});
    } else {
      rows[same][1] += ", " + name;
    }
  }
  return rows.empty() ? "  nothing\n" : aligned(rows);
}

arena_string overview_of(const prove::proving& p, const system_interface& os) {
  const observation& observed = p.install().observed;
  const judgement& judged = p.install().judged;
  const version& header = p.install().stamped.cudnn_header;
  arena_vector<arena_string> row = {
      judged.computes.known() ? to_string(judged.computes) : arena_string("unknown"),
      p.given().library};
  if (observed.answers.cudart.known()) {
    row.push_back("CUDA " + to_cuda_string(observed.answers.cudart) + " inside");
  }
  if (header.known()) row.push_back("header " + to_string(header));
  return "cuDNN\n" + aligned({row}) + "opened\n" + opened_text(os) + "GPUs\n" +
         gpus_text(observed.devices) + computed_text(observed, judged);
}

arena_string summary_of(const report_input& finished, const arena_string& answer) {
  const judgement& judged = *finished.judged;
  return "cudnn-checked: " + answer + ": " +
         (judged.result == verdict::refused ? one_line(judged.findings.front().summary)
                                            : report_line(finished)) +
         "\n";
}

fix_line reinstall_of(const observation& observed, const arena_string& library) {
  for (const cudnn_file& file : observed.files) {
    if (file.path != library || file.package.manager == package_manager::none) continue;
    return reinstall(file.package, environment_of(observed, library));
  }
  return advice("reinstall the cuDNN of " + directory_part(library));
}

}  // namespace cudnn_checked::cli
