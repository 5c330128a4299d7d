// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_commands.h"

#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const python_environment* environment_of(const observation& observed, arena_string path) {
  const arena_string site = site_of(path);
  return find_where(observed.environments,
                    [&](const python_environment& e) { return e.site == site; });
}

arena_string quoted_words(const arena_vector<arena_string>& words) {
  arena_string text;
  for (const arena_string& word : words) text += ' ' + quoted(word);
  return text;
}

// -E: no variable of Python's counts.
arena_string pip_of(const python_environment& e) {
  return (e.python.empty() ? arena_string(python_command()) : quoted(e.python)) +
         (e.has_variables ? " -E -m pip" : " -m pip");
}

arena_string name_of_order(const arena_string& requirement) {
  return requirement.substr(0, requirement.find_first_of("=<>~! "));
}

static bool removes_what_it_installs(const wheel_order& order) {
  for (const arena_string& requirement : order.requirements) {
    for (const arena_string& name : order.conflicting) {
      if (name_of_order(requirement) == name) return true;
    }
  }
  return false;
}

// Nothing is removed before what replaces it has been fetched and installed.
arena_string pip_commands(const arena_string& pip, const arena_string& removal,
                          const arena_string& options, const char* again,
                          const wheel_order& order) {
  const arena_string words = quoted_words(order.requirements);
  const auto install = [&](bool once_more) {
    return format("%s install%s%s%s", pip, options, once_more ? again : "", words);
  };
  if (order.conflicting.empty()) return install(order.again);
  const bool recorded = order.again || removes_what_it_installs(order);
  return format("%s && %s uninstall%s%s && %s", install(recorded), pip, removal,
                quoted_words(order.conflicting), install(order.again || !recorded));
}

fix_line install_wheels(const python_environment& e, const wheel_order& order) {
  if (e.installer == nullptr) return install_by_nobody(e, order);
  repair step;
  step.what = repair_kind::wheels;
  step.where = e;
  step.order = order;
  return e.installer->command(step);
}

fix_line reinstall(const package_record& package, const python_environment* environment,
                   bool unrecorded) {
  if (environment == nullptr || package.installer != nullptr) return reinstall(package);
  wheel_order order;
  order.requirements.push_back(format("%s==%s", package.name, package.number));
  order.again = true;
  order.unrecorded = unrecorded;
  return install_wheels(*environment, order);
}

const installed_wheel* find_wheel(const python_environment& e, const arena_string& name) {
  return find_where(e.wheels, [&](const installed_wheel& wheel) { return wheel.name == name; });
}

arena_string requirement_of_cuda(const python_environment& e, const char* wheel, int cuda_major) {
  const arena_string name = wheel_for_cuda(wheel, cuda_major);
  const arena_string major = to_string(cuda_major);
  const installed_wheel* const runtime = find_wheel(e, wheel_for_cuda(cudart_wheel, cuda_major));
  const bool own_numbers = arena_string(wheel) == cublas_wheel;
  if (runtime != nullptr && !own_numbers && starts_with(runtime->number, major + ".")) {
    return format("%s==%s.*", name, as_cuda(parse_version(runtime->number)));
  }
  return name + "==" + major + ".*";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
