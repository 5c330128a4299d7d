// SPDX-License-Identifier: BSD-3-Clause
#include "commands.h"

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/library/library_file.h"
#include "../core/model/cuda_major.h"
#include "../core/model/format.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "environment.h"
#include "project.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

// Of a cuDNN that no package records: its libraries are those of a release, or name CUDA's folder.
static int cuda_of_library(const system_interface& os, const arena_string& library) {
  const arena_string directory = directory_part(library);
  for (const arena_string& name : names_in(os, directory, cudnn_name_prefix())) {
    const library_file contents = read_library(os, join_path(directory, name), 0);
    for (const release& r : identify_build_id(contents.build_id).releases) {
      if (r.cuda_major != 0) return r.cuda_major;
    }
    const int major = run_path_cuda_major(contents);
    if (major != 0) return major;
  }
  return newest_cuda();
}

// pip regards a runtime with missing files as installed.
static void reinstall_broken_runtime(const system_interface& os, const python_environment& e,
                                     int cuda_major, wheel_order& order) {
  const arena_string name = wheel_for_cuda(cudart_wheel, cuda_major);
  const installed_wheel* const wheel = find_wheel(e, name);
  if (wheel == nullptr || parse_version(wheel->number).major != cuda_major) return;
  const arena_string place = format(
      "%s/nvidia/%s", e.site,
      has_cuda_folder(cuda_major) ? format("cu%d", cuda_major) : arena_string("cuda_runtime"));
  if (exists(os, join_path(place, library_in_wheel(cudart_wheel, cuda_major))) &&
      exists(os, place + "/include/cuda_runtime_api.h")) {
    return;
  }
  arena_vector<arena_string> others;
  others.push_back(format("%s==%s", name, wheel->number));
  for (const arena_string& requirement : order.requirements) {
    if (name_of_order(requirement) != name) others.push_back(requirement);
  }
  order.requirements = others;
  order.again = true;
}

/// The command that configures without CUDAToolkit_ROOT, where that keeps the search from other
/// places; otherwise empty.
static arena_string without_named_toolkit(const request& asked, const system_interface& os) {
  return asked["named_toolkit"] == "yes" ? project(asked, os).without("CUDAToolkit_ROOT")
                                         : arena_string();
}

/// What must be typed besides stands alone where no command ends with it.
static fix_lines then_and(const request& asked, const system_interface& os, const fix_lines& fix) {
  const arena_string then = without_named_toolkit(asked, os);
  fix_lines lines;
  if (!then.empty()) lines.push_back(advice(then));
  lines.append(fix);
  return lines;
}

fix_lines install_runtime(const request& asked, const system_interface& os) {
  const arena_string site = asked["site"];
  const int known = asked.number("cuda");
  const int cuda = known != 0 ? known : cuda_of_library(os, asked["library"]);
  python_environment e;
  if (!site.empty()) e = environment_at(asked, os, site);
  wheel_order order;
  if (known == 0 && e.wheels.empty()) {
    e = environment_at(asked, os, asked["own"]);
    order.requirements = missing_parts(os, e, asked["folder"], cuda).to_compile;
    fix_lines fix = install_below(asked, os, order);
    try_runtime(os, asked["folder"], cuda, fix);
    return then_and(asked, os, fix);
  }
  const cuda_parts missing = missing_parts(os, e, asked["folder"], cuda);
  order.requirements = missing.all();
  if (known != 0) reinstall_broken_runtime(os, e, cuda, order);
  if (missing.to_compile.empty() && !order.again) return then_and(asked, os, {});
  fix_line line = install_wheels(e, order);
  const arena_string then = without_named_toolkit(asked, os);
  if (!then.empty()) line.text += " && " + then;
  fix_lines fix = typed(line);
  try_runtime(os, asked["folder"], cuda, fix);
  return fix.empty() ? then_and(asked, os, {say_in_words(asked, order)}) : fix;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
