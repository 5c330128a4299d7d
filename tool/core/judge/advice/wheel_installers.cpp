// SPDX-License-Identifier: BSD-3-Clause
//
// By whichever program installs packages there.
#include <algorithm>

#include "../../model/cuda_major.h"
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "wheel_commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<arena_string> brought_by(const wheel_order& order) {
  return order.by_extras.empty() ? order.requirements : order.by_extras;
}

arena_string cudnn_in(const wheel_order& order) {
  for (const arena_string& requirement : brought_by(order)) {
    if (is_cudnn_wheel(requirement)) return requirement;
  }
  return {};
}

arena_string specifiers_of_order(const arena_string& requirement) {
  return requirement.substr(name_of_order(requirement).size());
}

bool is_ordered(const wheel_order& order, const arena_string& name) {
  for (const arena_string& requirement : order.requirements) {
    if (name_of_order(requirement) == name) return true;
  }
  return contains(order.conflicting, name);
}

arena_string metadata_of(const python_environment& e, const installed_wheel& wheel) {
  return join_path(e.site, wheel.info);
}

/// Does the order bring that very number?  "==9.14.0.64" and "==9.14.0.*" bring 9.14.0.64, since
/// NVIDIA publishes each release once; "==9.14.0.70" does not, and ">=9.14" may.
static answer brings_again(const wheel_order& order, const installed_wheel& wheel) {
  for (const arena_string& requirement : order.requirements) {
    if (name_of_order(requirement) != wheel.name) continue;
    const arena_string specifiers = specifiers_of_order(requirement);
    const bool exact = starts_with(specifiers, "==");
    if (!exact || specifiers.find(',') != arena_string::npos) return answer::unknown;
    const arena_string number = specifiers.substr(2);
    if (number.back() != '*') return number == wheel.number ? answer::yes : answer::no;
    if (!starts_with(wheel.number + ".", number.substr(0, number.size() - 1))) return answer::no;
    return std::count(number.begin(), number.end(), '.') > 2 ? answer::yes : answer::unknown;
  }
  return answer::no;
}

bool is_stale(const wheel_order& order, const installed_wheel& wheel) {
  return is_ordered(order, wheel.name) && brings_again(order, wheel) != answer::yes;
}

// pip replaces the whole folder "nvidia" of a target, so all that is in it is named, and leaves the
// metadata of what was in it.  What does not come again is removed when all has been fetched, what
// may come again before.  A Python that is known to have pip comes before the first on PATH.
static arena_string folder_command(const python_environment& e, const wheel_order& order) {
  arena_string before;
  arena_string after;
  for (const installed_wheel& wheel : e.wheels) {
    if (!is_stale(order, wheel)) continue;
    arena_string& removed = brings_again(order, wheel) == answer::no ? after : before;
    removed += " " + quoted(metadata_of(e, wheel));
  }
  arena_string text =
      before.empty() ? before : format("%s%s && ", command_that_removes_folders(), before);
  const arena_string pip = pip_of(e);
  if (e.old_pip) text += pip + " install -U pip && ";
  text += pip + " install";
  if (!e.wheels.empty()) text += " --upgrade";
  text += " --target " + quoted(e.site);
  if (order.again) text += " --no-deps";
  for (const installed_wheel& wheel : e.wheels) {
    if (!is_ordered(order, wheel.name)) text += ' ' + quoted(wheel.name + "==" + wheel.number);
  }
  for (const arena_string& requirement : order.requirements) text += ' ' + quoted(requirement);
  return after.empty() ? text : format("%s && %s%s", text, command_that_removes_folders(), after);
}

static arena_string environment_command(const python_environment& e, const wheel_order& order) {
  const bool folder = e.installer == wheel_installer::uv_target;
  const bool uv = folder || e.installer == wheel_installer::uv;
  const arena_string where = folder ? " --target " + quoted(e.site)
                             : uv   ? " --python " + quoted(e.prefix)
                                    : arena_string();
  const char* managed = e.managed ? " --break-system-packages" : "";
  const char* user = e.installer == wheel_installer::user ? " --user" : "";
  const char* again = uv                 ? " --no-cache --reinstall --no-deps"
                      : order.unrecorded ? pip_over
                                         : pip_again;
  const arena_string pip = uv ? arena_string("uv pip") : pip_of(e);
  arena_string text;
  if (e.brings_pip) text = quoted(e.python) + " -m ensurepip && ";
  if (e.old_pip && !uv) text = pip + " install" + user + " -U pip && ";
  // Without --system uv asks for a virtual environment, even where a folder is named.
  const arena_string removal =
      format("%s%s%s%s", folder ? " --system" : "", where, uv ? "" : " -y", managed);
  return text + pip_commands(pip, removal, format("%s%s%s", where, managed, user), again, order);
}

/// A package that is not ordered, and of which two releases are recorded: which of them is there is
/// not known, and pip installs no two.  Empty: there is none.
static arena_string recorded_twice(const python_environment& e, const wheel_order& order) {
  for (const installed_wheel& wheel : e.wheels) {
    const bool first = &wheel == find_wheel(e, wheel.name);
    if (!first && !is_ordered(order, wheel.name)) return wheel.name;
  }
  return {};
}

fix_line install_wheels(const python_environment& e, const wheel_order& order) {
  if (e.installer == wheel_installer::none) {
    return advice(format("with pip or uv, neither of which is here: install %s in %s",
                         joined(order.requirements, " and "), e.site));
  }
  const bool folder = e.installer == wheel_installer::target;
  const arena_string twice = folder ? recorded_twice(e, order) : arena_string();
  if (!twice.empty()) {
    return advice(
        format("install one release of %s in %s, of which two are recorded, and with it %s", twice,
               e.site, joined(order.requirements, " and ")));
  }
  return wheel_command(e, order, folder ? folder_command(e, order) : environment_command(e, order));
}

fix_line prepend_environment(const python_environment& e, const arena_string& directory,
                             const arena_string& value) {
  arena_string all = directory;
  for (const arena_string& other : e.libraries) {
    if (other != directory) all += search_separator() + other;
  }
  return prepend_library_path(all, value);
}

arena_string of_newest_cudnn(const arena_string& requirement) {
  const bool bare = requirement.size() == name_of_order(requirement).size();
  return bare && is_cudnn_wheel(requirement) ? format("%s==%d.*", requirement, newest_cudnn)
                                             : requirement;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
