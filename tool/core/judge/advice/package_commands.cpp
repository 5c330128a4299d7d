// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard leaves to the command line: packages, and what else changes a machine.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/library_spelling.h"
#include "../../model/paths.h"
#include "../../model/platform_words.h"
#include "wheel_commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Each name of nvidia-cudnn-cu13 is a namespace package, in which __file__ is None and __path__ is
// not (Python documentation, "Namespace packages"; faster-whisper issue 153).
fix_line prepend_wheel_path(const arena_string& value) {
  return command(prepend_word(
      "\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"",
      value));
}

fix_line install_debian(const arena_string& package, const arena_string& otherwise) {
  repair step;
  step.what = repair_kind::debian;
  step.name = package;
  step.value = otherwise;
  return command("apt-get install " + package, step);
}

/// "13-0": the number of Debian's packages, from the program's toolkit where that fits, else from
/// the name of the library.  libnvrtc.so.11.2 is of 11.2 and later ones of 11, and libnvrtc.so.11.0
/// of 11.0 alone (NVRTC documentation, "Versioning Scheme").
static arena_string debian_number(const version& toolkit, const arena_string& library, int major) {
  const bool named = toolkit.major != major || starts_with(library, "libnvrtc-builtins");
  const std::string_view numbers = named ? numbers_of_name(library) : std::string_view();
  if (numbers.find('.') == std::string_view::npos) {
    return format("%d-%d", major, toolkit.major == major ? toolkit.minor : 0);
  }
  arena_string number;
  for (const char c : numbers) number += c == '.' ? '-' : c;
  return number;
}

fix_line install_toolkit_part(const char* package, const version& toolkit,
                              const arena_string& library, int cuda_major) {
  return install_debian(format("%s-%s", package, debian_number(toolkit, library, cuda_major)),
                        format("install the CUDA Toolkit %d, which has %s", cuda_major, library));
}

fix_line refresh_cache() {
  repair step;
  step.what = repair_kind::cache;
  return command("ldconfig", step);
}

fix_line install_wheel(const arena_string& text, const arena_string& requirement) {
  repair step;
  step.what = repair_kind::wheels;
  step.order.requirements.push_back(requirement);
  return command(text, step);
}

fix_line link_file(const arena_string& target, const arena_string& path) {
  repair step;
  step.what = repair_kind::link;
  step.name = path;
  step.value = target;
  return command(format("ln -s %s %s", quoted(target), quoted(path)), step);
}

static fix_line removed_by(const char* how, const arena_string& path) {
  repair step;
  step.what = repair_kind::removal;
  step.name = path;
  return command(format("%s %s", how, quoted(path)), step);
}

fix_line remove_file(const arena_string& path) {
  return removed_by(command_that_removes_files(), path);
}

fix_line remove_folder(const arena_string& path) {
  return removed_by(command_that_removes_folders(), path);
}

fix_line unset_variable(const arena_string& name) {
  return set_variable(name.c_str(), "", unset_command(name));
}

/// NVIDIA's repositories have it, and Debian's and Ubuntu's have not.
static fix_line install_of_nvidia(const arena_string& package) {
  return install_debian(package,
                        format("install the Debian package %s from NVIDIA's repository", package));
}

fix_lines install_package(const arena_string& wheel, const arena_string& debian) {
  fix_lines lines = {install_wheel(format("%s -m pip install %s", python_command(), wheel), wheel)};
  if (has_debian_packages()) lines.push_back(install_of_nvidia(debian));
  return lines;
}

bool is_cudnn_wheel(const arena_string& name) {
  for (const std::string_view row : {cudnn_wheel, cudnn_jit_wheel}) {
    if (starts_with(name, row.substr(0, row.find('%')))) return true;
  }
  return false;
}

static bool is_jit_wheel(const arena_string& name) {
  const std::string_view row = cudnn_jit_wheel;
  return starts_with(name, row.substr(0, row.find('%')));
}

arena_string folder_of_cudnn(const arena_string& wheel) {
  return format(is_jit_wheel(wheel) ? "/nvidia/cudnn_jit/%s" : "/nvidia/cudnn/%s",
                folder_of_wheel_libraries());
}

bool share_a_folder(const arena_string& cudnn, const arena_string& other) {
  return is_cudnn_wheel(cudnn) && without_number(cudnn) == without_number(other);
}

static const char* debian_pattern(int major, cudnn_kind kind, install_where where) {
  if (major == oldest_cudnn) return cudnn_8_debian;
  if (kind == cudnn_kind::jit_only) return cudnn_jit_debian;
  return where == install_where::with_headers ? cudnn_and_headers_debian : cudnn_debian;
}

fix_lines install_cudnn(int major, int cuda_major, cudnn_kind kind, install_where where,
                        const arena_string& value) {
  const arena_string wheel = wheel_of_cudnn(major, cuda_major, kind);
  fix_lines lines = install_package(
      wheel, format(debian_pattern(major, kind, where), major, known_cuda(cuda_major)));
  // The loader does not look into site-packages.
  if (where == install_where::on_library_path) {
    lines.in_place()[0].text += " && " + prepend_wheel_path(value).text;
  }
  return lines;
}

fix_line reinstall(const package_record& package) {
  if (package.installer != nullptr) {
    repair step;
    step.what = repair_kind::package;
    step.name = package.record;
    step.value = package.number;
    step.by = package.installer;
    step.packages.push_back(package.name + "=" + package.number);
    return step.by->command(step);
  }
  const arena_string requirement = package.name + "==" + package.number;
  return install_wheel(format("%s -m pip install --force-reinstall --no-deps %s", python_command(),
                              quoted(requirement)),
                       requirement);
}

fix_line install_debian_release(const version& number, int cuda_major) {
  const char* pattern =
      debian_pattern(number.major, cudnn_kind::full, install_where::on_library_path);
  const arena_string package = format(pattern, number.major, known_cuda(cuda_major));
  fix_line line = install_of_nvidia(package);
  line.text =
      format("apt-get install --allow-downgrades %s", quoted(format("%s=%s.*", package, number)));
  return line;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
