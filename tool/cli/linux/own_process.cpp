// SPDX-License-Identifier: BSD-3-Clause
#include "../system/own_process.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace cudnn_checked::cli {

char** own_environment() { return environ; }

// The file itself, also where its name leads to another one by now: proc(5), /proc/pid/exe.
std::string own_program() { return "/proc/self/exe"; }

// execvp gives a script that names no interpreter to a shell.
int replace_by(const std::string& file, const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  ::execvp(file.c_str(), words.data());
  return errno;
}

}  // namespace cudnn_checked::cli
