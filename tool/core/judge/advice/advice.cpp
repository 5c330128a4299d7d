// SPDX-License-Identifier: BSD-3-Clause
#include "advice.h"

#include "../../model/format.h"

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

// An entry that is empty means the current directory (ld.so(8)): an empty value must not become
// one.
static string prepend_word(const char* word, const string& value) {
  return format("export LD_LIBRARY_PATH=%s%s", word, value.empty() ? "" : ":$LD_LIBRARY_PATH");
}

string prepend_library_path(const string& directory, const string& value) {
  return prepend_word(quoted(directory).c_str(), value);
}

// Each name of nvidia-cudnn-cu13 is a namespace package, in which __file__ is None and __path__ is
// not (Python documentation, "Namespace packages"; faster-whisper issue 153).
string prepend_wheel_path(const string& value) {
  return prepend_word(
      "\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0] + \"/lib\")')\"", value);
}

string replace_library_path(const string& directory, const string& value) {
  // The other entries of the variable may be needed for something else.
  if (value.find(':') != string::npos) return prepend_library_path(directory, value);
  return "unset LD_LIBRARY_PATH, or: " + prepend_library_path(directory, "");
}

string remove_from_library_path(const string& directory) {
  return format("remove %s from LD_LIBRARY_PATH", directory);
}

string remove_from_preload(const choice& chosen_by) {
  const bool by_variable = chosen_by.reason == choice_reason::ld_preload;
  return format(by_variable ? "unset %s, or remove cuDNN from it" : "remove cuDNN from %s",
                to_string(chosen_by));
}

string remove_from_loader_cache(const string& directory) {
  return format("remove %s from /etc/ld.so.conf.d, then: ldconfig", directory);
}

string wheel_for_cuda(const char* wheel, int cuda_major) {
  if (cuda_major != 11 && cuda_major != 12) return wheel;
  return format("%s-cu%d", wheel, cuda_major);
}

string install_package(const string& wheel, const string& debian) {
  return format("python3 -m pip install %s, or apt-get install %s", wheel, debian);
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

string install_cudnn(int major, int cuda_major, cudnn_kind kind, install_where where) {
  string wheel = wheel_of_cudnn(major, cuda_major, kind);
  // The loader does not look into site-packages.
  if (where == install_where::on_library_path) {
    wheel += " (with its nvidia/cudnn/lib in LD_LIBRARY_PATH)";
  }
  return install_package(wheel,
                         format(debian_pattern(major, kind, where), major, known_cuda(cuda_major)));
}

string reinstall(const package_record& package) {
  const bool wheel = package.manager == package_manager::wheel;
  const char* command = wheel ? "python3 -m pip install --force-reinstall --no-deps"
                        : package.manager == package_manager::conda
                            ? "conda install --force-reinstall"
                            : "apt-get install --reinstall";
  const string which = format("%s%s%s", package.name, wheel ? "==" : "=", package.number);
  return format("%s %s", command, quoted(which));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
