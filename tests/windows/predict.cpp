// SPDX-License-Identifier: BSD-3-Clause
//
// Test tool: `predict PROGRAM` tells which files of cuDNN 9 Windows would take for that program, if
// it were started with this environment; `predict --here PATH...` loads those DLLs and tells what
// this process would take then; of a directory it makes that of SetDllDirectory.  One line for each
// library, its fields parted by tabs:
//
//   NAME  taken|missing|refused  PATH  BY  STATE
#include <windows.h>

#include <cstdio>
#include <cstring>

#include "core/loader/loader.h"
#include "core/model/library_spelling.h"
#include "core/model/paths.h"
#include "core/observe/observe.h"
#include "core/system/own_system.h"
#include "core/system/program_view.h"

using namespace cudnn_checked;

static void print(arena_string name, const found_file& file) {
  const char* state = "refused";
  if (file.state == file_state::missing) state = "missing";
  if (file.state == file_state::whole) state = "taken";
  std::printf("%s\t%s\t%s\t%s\t%s\n", name.c_str(), state, file.path.c_str(),
              to_string(file.chosen_by).c_str(), describe(file.state));
}

static void predict_start(arena_string program) {
  const program_view view(own_system(), program);
  loader search(view);
  observation observed;
  observe_files(search, 9, observed);
  for (const cudnn_file& file : observed.files) print(name_of_library(file.role, 9), file);
}

static int predict_here(int count, char** paths) {
  for (int i = 0; i < count; ++i) {
    const DWORD kind = GetFileAttributesA(paths[i]);
    const bool is_directory =
        kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) != 0;
    if (is_directory ? !SetDllDirectoryA(paths[i]) : LoadLibraryA(paths[i]) == nullptr) {
      std::fprintf(stderr, "%s: error %lu\n", paths[i], GetLastError());
      return 1;
    }
  }
  loader search(own_system());
  for (const library_role::known role : {library_role::shim, library_role::graph, library_role::ops,
                                         library_role::cnn, library_role::adv}) {
    const arena_string name = name_of_library(role, 9);
    print(name, search.find(name, {}, loader::view::as_is));
  }
  return 0;
}

int main(int count, char** arguments) {
  if (count >= 2 && std::strcmp(arguments[1], "--here") == 0) {
    return predict_here(count - 2, arguments + 2);
  }
  if (count != 2) {
    std::fputs("usage: predict PROGRAM | predict --here PATH...\n", stderr);
    return 2;
  }
  predict_start(arguments[1]);
  return 0;
}
