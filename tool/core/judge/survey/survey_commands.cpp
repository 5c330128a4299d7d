// SPDX-License-Identifier: BSD-3-Clause
//
// What changes a machine with several packages, and how a program is built again.
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/path_table.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "../../model/survey.h"
#include "../../model/unstamped_program.h"
#include "../advice/wheel_commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fix_line build_again(const finding& f, packer by) {
  // It is in a package of its own.
  const bool lacks_other = f.id == finding_id::dependency_missing && !f.expected.value.empty();
  return advice(lacks_other ? "build it again, with the package that has " + f.expected.value
                            : arena_string(row_of(by).build_again));
}

static std::string_view without_slashes(std::string_view entry) {
  while (entry.size() > 1 && entry.back() == '/') entry.remove_suffix(1);
  return entry;
}

arena_string library_path_without(const arena_vector<lost_entry>& lost, const arena_string& value) {
  const arena_vector<arena_string> entries = split_path_list(value, search_separators());
  path_table<arena_string> gone;
  for (const lost_entry& entry : lost) {
    const auto at = static_cast<std::size_t>(entry.index);
    if (at < entries.size()) gone.add(without_slashes(entries[at]));
  }
  // An entry can be there several times.
  return path_list_of(filtered(entries, [&](const arena_string& entry) {
    return gone.find(without_slashes(entry)) == nullptr;
  }));
}

fix_line remove_from_library_path(const arena_vector<lost_entry>& lost, const arena_string& value) {
  return set_library_path(library_path_without(lost, value));
}

fix_line keep_one_package(const package_record& kept, const package_record& other) {
  const arena_string one = kept.name + "==" + kept.number;
  const char* const python = python_command();
  return install_wheel(
      format("%s -m pip install%s %s && %s -m pip uninstall -y %s %s && %s -m pip "
             "install --no-deps %s",
             python, pip_again, quoted(one), python, other.name, kept.name, python, quoted(one)),
      one);
}

arena_string cudnn_in(const wheel_order& order) {
  for (const arena_string& requirement : brought_by(order)) {
    if (is_cudnn_wheel(requirement)) return requirement;
  }
  return {};
}

fix_line install_requirement(const cudnn_requirement& asked) {
  return install_wheel(
      format("%s -m pip install --no-deps %s", python_command(), quoted(asked.text)), asked.text);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
