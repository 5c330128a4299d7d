// SPDX-License-Identifier: BSD-3-Clause
#include "advice.h"

#include <algorithm>

#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/paths.h"
#include "../../model/survey.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// POSIX Shell Command Language, "Quoting": inside single quotes every character but the single
// quote is itself.
string quoted(const string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(plain) == string::npos) return word;
  string text = "'";
  for (const char c : word) {
    if (c == '\'') text += "'\\'";
    text += c;
  }
  return text + '\'';
}

fix_line command(const string& text) { return {fix_line::kind::command, text}; }
fix_line advice(const string& text) { return {fix_line::kind::advice, text}; }

fix_line left_to_verify() { return command({}); }

fix_line command(const string& text, const repair& step) {
  fix_line line = command(text);
  line.steps.push_back(step);
  return line;
}

// An entry that is empty means the current directory (ld.so(8)): an empty value must not become
// one.  dash splits what `export` gets, where it is not quoted.
static string prepend_word(const char* word, const string& value) {
  const char* before = value.empty()            ? ""
                       : quoted(value) == value ? ":$LD_LIBRARY_PATH"
                                                : ":\"$LD_LIBRARY_PATH\"";
  return format("export LD_LIBRARY_PATH=%s%s", word, before);
}

static fix_line set_variable(const char* name, const string& value, const string& text) {
  repair step;
  step.name = name;
  step.value = value;
  return command(text, step);
}

fix_line prepend_library_path(const string& directory, const string& value) {
  return set_variable("LD_LIBRARY_PATH", format(value.empty() ? "%s" : "%s:%s", directory, value),
                      prepend_word(quoted(directory).c_str(), value));
}

// Each name of nvidia-cudnn-cu13 is a namespace package, in which __file__ is None and __path__ is
// not (Python documentation, "Namespace packages"; faster-whisper issue 153).
fix_line prepend_wheel_path(const string& value) {
  return command(prepend_word(
      "\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"",
      value));
}

fix_line install_debian(const string& package) {
  if (!names_packages) return left_to_verify();
  repair step;
  step.what = repair_kind::debian;
  step.name = package;
  return command("apt-get install " + package, step);
}

fix_line refresh_cache() {
  if (!names_packages) return left_to_verify();
  repair step;
  step.what = repair_kind::cache;
  return command("ldconfig", step);
}

fix_line install_wheel(const string& text, const string& requirement) {
  if (!names_packages) return left_to_verify();
  repair step;
  step.what = repair_kind::wheels;
  step.order.requirements.push_back(requirement);
  return command(text, step);
}

fix_line link_file(const string& target, const string& path) {
  if (!names_packages) return left_to_verify();
  repair step;
  step.what = repair_kind::link;
  step.name = path;
  step.value = target;
  return command(format("ln -s %s %s", quoted(target), quoted(path)), step);
}

fix_line remove_file(const char* how, const string& path) {
  if (!names_packages) return left_to_verify();
  repair step;
  step.what = repair_kind::removal;
  step.name = path;
  return command(how + quoted(path), step);
}

fix_line then(const fix_line& first, const fix_line& second) {
  fix_line both = command(first.text + " && " + second.text);
  // Of a command whose effect is not known, no later one's is.
  if (first.steps.empty() || second.steps.empty()) return both;
  both.steps = first.steps.copy();
  both.steps.insert(both.steps.end(), second.steps.begin(), second.steps.end());
  return both;
}

void append(const fix_lines& more, fix_lines& lines) {
  lines.insert(lines.end(), more.begin(), more.end());
}

fix_line set_library_path(const string& value) {
  return set_variable("LD_LIBRARY_PATH", value,
                      value.empty() ? string("unset LD_LIBRARY_PATH")
                                    : format("export LD_LIBRARY_PATH=%s", quoted(value)));
}

fix_line unset_variable(const string& name) {
  return set_variable(name.c_str(), "", "unset " + name);
}

fix_lines replace_library_path(const string& directory, const string& value) {
  // The other entries of the variable may be needed for something else.
  if (value.find(':') != string::npos) return {prepend_library_path(directory, value)};
  return {set_library_path(""), prepend_library_path(directory, "")};
}

// The entries are separated by colons or semicolons (ld.so(8)).
fix_line remove_from_library_path(const string& unwanted, const string& value) {
  string others;
  bool any = false;
  for (const string& entry : split_path_list(value, ":;")) {
    if (entry == unwanted) continue;
    if (any) others += ':';
    others += entry;
    any = true;
  }
  return set_library_path(others);
}

string library_path_without(const vector<lost_entry>& lost, const string& value) {
  string others;
  bool any = false;
  std::size_t index = 0;
  const lost_entry* next = lost.begin();
  for (const string& entry : split_path_list(value, ":;")) {
    const bool gone = next != lost.end() && next->index == index;
    ++index;
    if (gone) {
      ++next;
      continue;
    }
    if (any) others += ':';
    others += entry;
    any = true;
  }
  return others;
}

fix_line remove_from_library_path(const vector<lost_entry>& lost, const string& value) {
  return set_library_path(library_path_without(lost, value));
}

fix_line remove_from_library_path(int index, const string& value) {
  const vector<string> entries = split_path_list(value, ":;");
  const std::size_t which = static_cast<std::size_t>(index);
  return remove_from_library_path(which < entries.size() ? entries[which] : string(), value);
}

static fix_line set_preload(const string& value) {
  return set_variable(
      "LD_PRELOAD", value,
      value.empty() ? string("unset LD_PRELOAD") : format("export LD_PRELOAD=%s", quoted(value)));
}

// The entries are separated by spaces or colons (ld.so(8)).
fix_line remove_from_preload(const vector<string>& unwanted, const string& value) {
  string others;
  for (const string& entry : split_path_list(value, " :")) {
    if (entry.empty() || std::find(unwanted.begin(), unwanted.end(), entry) != unwanted.end()) {
      continue;
    }
    others += (others.empty() ? "" : ":") + entry;
  }
  return set_preload(others);
}

fix_line remove_from_preload(const choice& chosen_by, const string& value) {
  if (chosen_by.reason != choice_reason::ld_preload) {
    return advice(format("remove cuDNN from %s", to_string(chosen_by)));
  }
  vector<string> unwanted;
  std::size_t count = 0;
  for (const string& entry : split_path_list(value, " :")) {
    count += entry.empty() ? 0 : 1;
    if (is_cudnn_path(entry)) unwanted.push_back(entry);
  }
  if (!unwanted.empty()) return remove_from_preload(unwanted, value);
  // A link with another name can lead to cuDNN, and the others may be needed.
  if (count > 1) return advice("remove the entry that leads to cuDNN from LD_PRELOAD");
  return set_preload("");
}

fix_line remove_from_loader_cache(const string& directory) {
  return advice(format("remove %s from /etc/ld.so.conf.d, then: ldconfig", directory));
}

string wheel_for_cuda(const char* wheel, int cuda_major) {
  if (cuda_major != 11 && cuda_major != 12) return wheel;
  return format("%s-cu%d", wheel, cuda_major);
}

fix_lines install_package(const string& wheel, const string& debian) {
  if (!names_packages) return {left_to_verify()};
  return {install_wheel(format("python3 -m pip install %s", wheel), wheel), install_debian(debian)};
}

bool is_cudnn_wheel(const string& name) {
  for (const std::string_view row : {cudnn_wheel, cudnn_jit_wheel}) {
    if (starts_with(name, row.substr(0, row.find('%')))) return true;
  }
  return false;
}

static bool is_jit_wheel(const string& name) {
  const std::string_view row = cudnn_jit_wheel;
  return starts_with(name, row.substr(0, row.find('%')));
}

const char* folder_of_cudnn(const string& wheel) {
  return is_jit_wheel(wheel) ? "/nvidia/cudnn_jit/lib" : "/nvidia/cudnn/lib";
}

// Their names differ by the CUDA major at their end.
static string without_number(const string& wheel) {
  std::size_t size = wheel.size();
  while (size > 0 && wheel[size - 1] >= '0' && wheel[size - 1] <= '9') --size;
  return wheel.substr(0, size);
}

bool share_a_folder(const string& cudnn, const string& other) {
  return (!names_packages || is_cudnn_wheel(cudnn)) &&
         without_number(cudnn) == without_number(other);
}

static int known_cuda(int major) { return major == 0 ? 13 : major; }

string wheel_of_cudnn(int major, int cuda_major, cudnn_kind kind) {
  if (major == 8) return cuda_major == 11 ? cudnn_8_cuda_11_wheel : cudnn_8_cuda_12_wheel;
  return format(kind == cudnn_kind::jit_only ? cudnn_jit_wheel : cudnn_wheel,
                known_cuda(cuda_major));
}

static const char* debian_pattern(int major, cudnn_kind kind, install_where where) {
  if (major == 8) return cudnn_8_debian;
  if (kind == cudnn_kind::jit_only) return cudnn_jit_debian;
  return where == install_where::with_headers ? cudnn_and_headers_debian : cudnn_debian;
}

fix_lines install_cudnn(int major, int cuda_major, cudnn_kind kind, install_where where,
                        const string& value) {
  if (!names_packages) return {left_to_verify()};
  const string wheel = wheel_of_cudnn(major, cuda_major, kind);
  fix_lines lines = install_package(
      wheel, format(debian_pattern(major, kind, where), major, known_cuda(cuda_major)));
  // The loader does not look into site-packages.
  if (where == install_where::on_library_path) {
    lines[0].text += " && " + prepend_wheel_path(value).text;
  }
  return lines;
}

fix_line keep_one_package(const package_record& kept, const package_record& other) {
  if (!names_packages) return left_to_verify();
  const string one = kept.name + "==" + kept.number;
  return install_wheel(
      format("python3 -m pip uninstall -y %s %s && python3 -m pip install --no-deps %s", other.name,
             kept.name, quoted(one)),
      one);
}

fix_line install_requirement(const cudnn_requirement& asked) {
  if (!names_packages) return left_to_verify();
  return install_wheel(format("python3 -m pip install --no-deps %s", quoted(asked.text)),
                       asked.text);
}

fix_line reinstall(const package_record& package) {
  if (!names_packages) return left_to_verify();
  const bool wheel = package.manager == package_manager::wheel;
  const string which = quoted(format("%s%s%s", package.name, wheel ? "==" : "=", package.number));
  if (wheel) {
    return install_wheel(format("python3 -m pip install --force-reinstall --no-deps %s", which),
                         package.name + "==" + package.number);
  }
  repair step;
  step.what = repair_kind::package;
  step.name = package.record;
  step.value = package.number;
  if (package.manager == package_manager::dpkg) {
    return command(format("apt-get install --reinstall %s", which), step);
  }
  // <prefix>/conda-meta/<package>.json
  const string prefix = directory_part(directory_part(package.record));
  return command(format("conda install -y -p %s --force-reinstall %s", quoted(prefix), which),
                 step);
}

fix_line install_debian_release(const version& number, int cuda_major) {
  if (!names_packages) return left_to_verify();
  const char* pattern =
      debian_pattern(number.major, cudnn_kind::full, install_where::on_library_path);
  const string package = format(pattern, number.major, known_cuda(cuda_major));
  fix_line line = install_debian(package);
  line.text =
      format("apt-get install --allow-downgrades %s", quoted(format("%s=%s.*", package, number)));
  return line;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
