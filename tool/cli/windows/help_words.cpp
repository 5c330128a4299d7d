// SPDX-License-Identifier: BSD-3-Clause
#include "../system/help_words.h"

namespace cudnn_checked::cli {

namespace {

struct word_row {
  const char* linux_words;
  const char* windows_words;
};

// Of two that fit the longer one stands first.
constexpr word_row word_rows[] = {
    {"\n$ ", "\n> "},
    {"where its run path and its variables lead it", "where PATH leads it"},
    {"a program without a run path", "a program in another directory"},
    {"The libraries of cuDNN obey LD_LIBRARY_PATH before their own run path. So the program itself "
     "must need each of them, and have a DT_RPATH to DIR: with --for the command is printed that "
     "makes a finished program so. In CMake cudnn_checked_bundle() does all of it.",
     "A program takes the DLLs that lie beside it before those of PATH: with --for the command is "
     "printed that copies a finished program into DIR."},
    {"LD_PRELOAD goes before everything, and so does LD_LIBRARY_PATH for what a JIT-only cuDNN "
     "asks for and does not have.",
     "What a JIT-only cuDNN asks for and does not have comes from PATH."},
    {"> cudnn-checked bundle --from ~/venv --for bin/app bin/cudnn\n"
     "> LD_LIBRARY_PATH=/usr/local/cuda/lib64 cudnn-checked verify bin/app",
     "> cudnn-checked bundle --from C:\\venv --for app.exe app\n"
     "> copy /-y app.exe app\n"
     "> cudnn-checked verify app\\app.exe"},
    {"> CUDNN_ROOT=/opt/cudnn cudnn-checked", "> set \"CUDNN_ROOT=C:\\cudnn\" && cudnn-checked"},
    {"/usr/lib/x86_64-linux-gnu/libcudnn_graph.so.9", "C:\\cudnn\\bin\\cudnn_graph64_9.dll"},
    {"/usr/local/cuda/lib64/libcudnn.so.9", "C:\\cudnn\\bin\\cudnn64_9.dll"},
    {"libcudnn.so.9", "cudnn64_9.dll"},
    {"LD_LIBRARY_PATH=/opt/lib", "PATH=C:\\lib"},
    {"plugin.so", "plugin.dll"},
    {", by its path, and gets a run path to its directory.", ", by its path."},
    {"/opt/cudnn", "C:\\cudnn"},
    {"~/venv", "C:\\venv"},
    {"$PWD/", "%CD%/"},
};

}  // namespace

std::string in_words_of_platform(std::string text) {
  if (text.compare(0, 2, "$ ") == 0) text[0] = '>';
  for (const word_row& row : word_rows) {
    const std::string before = row.linux_words;
    const std::string after = row.windows_words;
    for (std::size_t at = text.find(before); at != std::string::npos;
         at = text.find(before, at + after.size())) {
      text.replace(at, before.size(), after);
    }
  }
  return text;
}

}  // namespace cudnn_checked::cli
