// SPDX-License-Identifier: BSD-3-Clause
#include "advice.h"

#include "../../model/cuda_major.h"
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fix_line command(const arena_string& text) { return {fix_line::kind::command, text}; }
fix_line advice(const arena_string& text) { return {fix_line::kind::advice, text}; }

// POSIX Shell Command Language, "Quoting": inside single quotes every character but the single
// quote is itself.
arena_string quoted_for_sh(const arena_string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(plain) == arena_string::npos) return word;
  string_builder text;
  text += '\'';
  for (const char c : word) {
    if (c == '\'') text += "'\\'";
    text += c;
  }
  text += '\'';
  return text.take();
}

fix_line command(const arena_string& text, const repair& step) {
  fix_line line = command(text);
  line.steps.push_back(step);
  return line;
}

fix_line set_variable(const char* name, const arena_string& value, const arena_string& text) {
  repair step;
  step.name = name;
  step.value = value;
  return command(text, step);
}

fix_line prepend_library_path(const arena_string& directory, const arena_string& value) {
  const arena_string rest = value.empty() ? value : search_separator() + value;
  return set_variable(search_variable(), directory + rest,
                      prepend_word(shell_path(directory).c_str(), value));
}

const char* searched_list(const observation& observed) {
  return observed.secure ? "/etc/ld.so.conf, and run ldconfig" : search_variable();
}

void append(const fix_lines& more, fix_lines& lines) { lines.append(more); }

fix_line set_library_path(const arena_string& value) {
  return set_variable(
      search_variable(), value,
      value.empty() ? unset_search_variable() : set_search_variable(shell_path(value)));
}

fix_lines replace_library_path(const arena_string& directory, const arena_string& value) {
  // The other entries of the variable may be needed for something else.
  if (value.find_first_of(search_separators()) != arena_string::npos)
    return {prepend_library_path(directory, value)};
  return {set_library_path(""), prepend_library_path(directory, "")};
}

fix_line remove_from_library_path(const arena_string& unwanted, const arena_string& value) {
  arena_vector<arena_string> others =
      filtered(split_path_list(value, search_separators()),
               [&](const arena_string& entry) { return entry != unwanted; });
  return set_library_path(path_list_of(others));
}

fix_line remove_from_library_path(int index, const arena_string& value) {
  const arena_vector<arena_string> entries = split_path_list(value, search_separators());
  const std::size_t which = static_cast<std::size_t>(index);
  return remove_from_library_path(which < entries.size() ? entries[which] : arena_string(), value);
}

static fix_line set_preload(const arena_string& value) {
  return set_variable(
      "LD_PRELOAD", value,
      value.empty() ? unset_command("LD_PRELOAD") : format("export LD_PRELOAD=%s", quoted(value)));
}

// The entries are separated by spaces or colons (ld.so(8)).
fix_line remove_from_preload(const arena_vector<arena_string>& unwanted,
                             const arena_string& value) {
  arena_vector<arena_string> others = filtered(
      split_path_list(value, " :"),
      [&](const arena_string& entry) { return !entry.empty() && !contains(unwanted, entry); });
  return set_preload(path_list_of(others));
}

fix_line remove_from_preload(const choice& chosen_by, const arena_string& value) {
  if (chosen_by.reason != choice_reason::ld_preload) {
    return advice(format("remove cuDNN from %s", to_string(chosen_by)));
  }
  arena_vector<arena_string> unwanted;
  std::size_t count = 0;
  for (const arena_string& entry : split_path_list(value, " :")) {
    count += entry.empty() ? 0 : 1;
    if (is_cudnn_path(entry)) unwanted.push_back(entry);
  }
  if (!unwanted.empty()) return remove_from_preload(unwanted, value);
  // A link with another name can lead to cuDNN, and the others may be needed.
  if (count > 1) return advice("remove the entry that leads to cuDNN from LD_PRELOAD");
  return set_preload("");
}

fix_line remove_from_loader_cache(const arena_string& directory) {
  return advice(format("remove %s from /etc/ld.so.conf.d, then: ldconfig", directory));
}

arena_string wheel_for_cuda(const char* wheel, int cuda_major) {
  const cuda_major_row* const row = find_cuda_major(cuda_major);
  return row == nullptr ? arena_string(wheel) : arena_string(wheel) + row->wheel_ending;
}

// Their names differ by the CUDA major at their end.
arena_string without_number(const arena_string& wheel) {
  std::size_t size = wheel.size();
  while (size > 0 && wheel[size - 1] >= '0' && wheel[size - 1] <= '9') --size;
  return wheel.substr(0, size);
}

int known_cuda(int major) { return major == 0 ? newest_cuda_major : major; }

static const char* last_wheel_of_cudnn_8(int cuda_major) {
  const char* wheel = "";
  for (const cuda_major_row& row : cuda_majors) {
    if (row.last_cudnn_8[0] != '\0') wheel = row.last_cudnn_8;
    if (row.number == cuda_major) break;
  }
  return wheel;
}

arena_string wheel_of_cudnn(int major, int cuda_major, cudnn_kind kind) {
  if (major == oldest_cudnn) return last_wheel_of_cudnn_8(cuda_major);
  return format(kind == cudnn_kind::jit_only ? cudnn_jit_wheel : cudnn_wheel,
                known_cuda(cuda_major));
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
