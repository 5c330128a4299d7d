// SPDX-License-Identifier: BSD-3-Clause
#include "pc_file.h"

#include <cstring>

#include "../../core/model/paths.h"
#include "written_before.h"

namespace cudnn_checked::cli {

std::string pc_word(std::string_view path) {
  std::string word;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || std::strchr("/._-+@%=", c) != nullptr;
    if (!is_plain) word += '\\';
    word += c;
  }
  return word;
}

std::string unfit_character(std::string_view path) {
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) return "a control character";
    if (c == ',' || c == ':') return std::string("\"") + c + "\", which ends a path of -rpath";
    if (c == '$') return "\"$\", which begins a variable of -rpath";
  }
  return {};
}

/// The library by its path, which no other -L comes before.  pkgconf (seen in 1.8.1) quotes no path
/// that is a word of its own, so one with a blank is named by directory and file.
static std::string library_words(const pc_contents& contents) {
  const std::string name = pc_word(base_name(contents.library));
  const bool is_plain = pc_word(contents.library_directory) == contents.library_directory.c_str();
  return is_plain ? "${libdir}/" + name : "-L${libdir} -l:" + name;
}

std::string pc_text(const pc_contents& contents) {
  std::string sublibraries;
  for (const arena_string& path : contents.sublibraries) {
    sublibraries += (sublibraries.empty() ? "" : " ") + pc_word(path);
  }
  std::string flags = "-I${includedir}";
  std::string variables;
  if (!contents.cuda_headers.empty() && contents.cuda_headers != contents.headers) {
    variables = "cuda_includedir=" + pc_word(contents.cuda_headers) + "\n";
    flags += " -I${cuda_includedir}";
  }
  return mark_of_pc_file +
         std::string(CUDNN_CHECKED_PACKAGE_VERSION
                     ", which has checked the files of this cuDNN.\n"
                     "libdir=") +
         pc_word(contents.library_directory) + "\nincludedir=" + pc_word(contents.headers) + "\n" +
         variables + "sublibraries=" + sublibraries +
         "\n\nName: cuDNN\nDescription: NVIDIA cuDNN " + std::string(contents.described) +
         "\nVersion: " + std::string(contents.release) + "\nCflags: " + flags +
         "\nLibs: " + library_words(contents) + " -Wl,-rpath,${libdir}\n";
}

}  // namespace cudnn_checked::cli
