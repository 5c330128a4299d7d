// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_compiler.h"

#include <string>
#include <vector>

#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/observe/pip_of_system.h"
#include "../core/system/replace_file.h"
#include "../spawn/supervised.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Whether it ends well; `output` has what it prints.
static bool ends_well(const arena_string& compiler, const std::vector<std::string>& arguments,
                      std::string& output) {
  spawn::supervised_program program(compiler, arguments, 60);
  std::string ignored;
  while (program.next_line(ignored)) continue;
  output = program.output();
  return program.end().kind == spawn::program_end::how::exited && program.end().number == 0;
}

static arena_vector<arena_string> host_compilers(const request& asked, const system_interface& os) {
  arena_vector<arena_string> found = {asked["cxx_compiler"]};
  const auto add = [&](const arena_string& name) {
    const arena_string path = program_on_path(os, name);
    if (!path.empty()) found.push_back(path);
  };
  for (const char* const name : {"g++", "clang++"}) {
    constexpr int newest = 24;
    constexpr int oldest = 6;
    for (int release = newest; release >= oldest; --release) add(format("%s-%d", name, release));
    add(name);
  }
  return found;
}

/// The flags with that host compiler in the place of the one that they name.
static arena_string flags_with_host(const arena_string& flags, const arena_string& host) {
  std::string text = flags;
  for (const std::string option : {"-ccbin", "--compiler-bindir"}) {
    for (std::size_t at = text.find(option); at != std::string::npos;
         at = text.find(option, at + option.size())) {
      const std::size_t begin = text.find_first_not_of("= ", at + option.size());
      if (begin == std::string::npos || begin == at + option.size()) continue;
      text.replace(begin, text.find(' ', begin) - begin, host.c_str());
    }
  }
  return arena_string(std::string_view(text));
}

arena_string fix_of_host_compiler(const request& asked, const system_interface& os) {
  const project known(asked, os);
  const std::string source = asked["work"] + "/empty.cu";
  replace_file(source.c_str(), "");
  std::string ignored;
  for (const arena_string& host : host_compilers(asked, os)) {
    if (!ends_well(asked["cuda_compiler"], {"-E", "-ccbin", host, source}, ignored)) continue;
    if (asked["host_from"] == "CMAKE_CUDA_FLAGS") {
      const held_variable flags = known.held("CMAKE_CUDA_FLAGS");
      return known.with(flags, flags_with_host(flags.value, host));
    }
    // CMake reads the variable only when it enables the language for the first time in a build
    // directory, and keeps the value in this file.
    return format("%s && %s", known.removed(asked["platform_info"] + "/CMakeCUDACompiler.cmake"),
                  known.configured({"-D", "CMAKE_CUDA_HOST_COMPILER=" + host}));
  }
  return "choose a host compiler that it supports (its words below), as CMAKE_CUDA_HOST_COMPILER "
         "of "
         "a new build directory";
}

/// Each number of the text.
static std::vector<std::string> numbers_of(const std::string& text) {
  std::vector<std::string> numbers;
  bool inside = false;
  for (const char c : text) {
    if (is_digit(c)) {
      if (!inside) numbers.emplace_back();
      numbers.back() += c;
    }
    inside = is_digit(c);
  }
  return numbers;
}

arena_string fix_of_architectures(const request& asked, const system_interface& os) {
  const project known(asked, os);
  const held_variable architectures = known.held("CMAKE_CUDA_ARCHITECTURES");
  std::string listed;
  (void)ends_well(asked["cuda_compiler"], {"--list-gpu-arch"}, listed);
  std::vector<std::string> numbers;
  // "compute_75" a line; what else it prints has no such name.
  for (std::size_t at = listed.find("compute_"); at != std::string::npos;
       at = listed.find("compute_", at + 1)) {
    const std::vector<std::string> next = numbers_of(listed.substr(at, listed.find('\n', at) - at));
    if (!next.empty()) numbers.push_back(next.front());
  }
  if (numbers.empty()) {
    return "name architectures that the CUDA compiler knows: -D CMAKE_CUDA_ARCHITECTURES=LIST";
  }
  string_builder kept;
  for (const arena_string& one : split_path_list(architectures.value, ";")) {
    const std::vector<std::string> own = numbers_of(one);
    const bool is_known =
        !own.empty() && starts_with(one, own.front().c_str()) &&
        any_of(numbers, [&](const std::string& number) { return number == own.front(); });
    if (!is_known) continue;
    if (kept.size() != 0) kept += ';';
    kept += one;
  }
  const bool none = kept.size() == 0;
  return known.with(architectures,
                    none ? arena_string(std::string_view(numbers.front())) : kept.take());
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
