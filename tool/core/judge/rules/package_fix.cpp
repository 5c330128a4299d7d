// SPDX-License-Identifier: BSD-3-Clause
//
// Which package brings the cuDNN that is wanted to the place where the wrong one lies.
#include "../../model/cuda_major.h"
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A program runs on its own release and newer ones of its major; at configure time the package
/// decides, and the header follows.
bool suits_program(const rule_input& input, version number) {
  version built = input.stamped.cudnn_header;
  if (input.at_configure() || !built.known()) return true;
  if (input.stamped.policy == "exact") return number == built;
  return number.major == built.major &&
         (number.minor >= built.minor || input.stamped.policy == "major");
}

int wanted_cuda(const rule_input& input) {
  if (input.stamped.toolkit.major != 0) return input.stamped.toolkit.major;
  const int of_files = majority(input.set).cuda_major;
  const unstamped_program* const program = input.unstamped();
  if (of_files != 0 || program == nullptr) return of_files;
  return program->cuda_major != 0 ? program->cuda_major : program->requirement.cuda_major;
}

/// "==9.14.0.*" where there is such a package, else the range that the program can run on; "==9.*"
/// where no release is known.
arena_string pinned(arena_string wheel, version number, int cuda_major) {
  if (!number.known()) return format("%s==%d.*", wheel, newest_cudnn);
  if (is_catalogued({number, cuda_major})) return format("%s==%s.*", wheel, number);
  if (number.major == oldest_cudnn)
    return wheel_of_cudnn(oldest_cudnn, cuda_major, cudnn_kind::full);
  return format("%s>=%s,<%d", wheel, as_cuda(number), number.major + 1);
}

fix_line install_the_only_cudnn(const python_environment& e, arena_string wheel,
                                arena_string requirement) {
  wheel_order order;
  order.requirements.push_back(requirement);
  order.again = find_wheel(e, wheel) != nullptr;
  for (const installed_wheel& other : e.wheels) {
    if (share_a_folder(wheel, other.name) && other.name != wheel) {
      order.conflicting.push_back(other.name);
    }
  }
  return install_wheels(e, order);
}

fix_line install_in_environment(const rule_input& input, const python_environment& e,
                                cudnn_kind kind) {
  const int cuda = wanted_cuda(input);
  version built = input.stamped.cudnn_header;
  const version number = built.known() ? built : majority(input.set).number;
  arena_string wheel = wheel_of_cudnn(newest_cudnn, cuda, kind);
  const installed_wheel* recorded = find_wheel(e, wheel);
  // Where no file says for which CUDA, as where the shim is lost, the record does.
  if (cuda == 0 && recorded == nullptr && kind == cudnn_kind::any) {
    for (const cuda_major_row& row : cuda_majors) {
      const arena_string name = wheel_of_cudnn(newest_cudnn, row.number, kind);
      const installed_wheel* const one = find_wheel(e, name);
      if (one == nullptr || !suits_program(input, parse_version(one->number))) continue;
      recorded = one;
      wheel = name;
    }
  }
  // A JIT-only package alone is repaired as what it is.
  const arena_string jit = wheel_of_cudnn(newest_cudnn, cuda, cudnn_kind::jit_only);
  if (kind == cudnn_kind::any && recorded == nullptr && find_wheel(e, jit) != nullptr) {
    wheel = jit;
    recorded = find_wheel(e, jit);
  }
  const bool fits = recorded != nullptr && suits_program(input, parse_version(recorded->number));
  return install_the_only_cudnn(
      e, wheel, fits ? format("%s==%s", wheel, recorded->number) : pinned(wheel, number, cuda));
}

fix_line reinstall_package(const rule_input& input, const package_record& package) {
  return reinstall(package, environment_of(input.observed, package.record));
}

fix_lines install_cudnn_of_cuda(const rule_input& input, int major, int cuda_major) {
  if (cuda_major != 0 && cuda_major < oldest_cuda_major) {
    return {
        advice(format("install a cuDNN for CUDA %d from NVIDIA's archive, and name its "
                      "directory in %s: no wheel of cuDNN is for that CUDA",
                      cuda_major, search_variable()))};
  }
  return install_cudnn(major, cuda_major, cudnn_kind::full, install_where::on_library_path,
                       input.observed.ld_library_path);
}

fix_lines fix_of_package(const rule_input& input, arena_string path, cudnn_kind kind) {
  const python_environment* const e = environment_of(input.observed, path);
  if (e == nullptr) return fix_of_owner(input, path);
  const int cuda = wanted_cuda(input);
  if (cuda != 0 && cuda < oldest_cuda_major) {
    return install_cudnn_of_cuda(input, input.observed.cudnn_major, cuda);
  }
  return {install_in_environment(input, *e, kind)};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
