// SPDX-License-Identifier: BSD-3-Clause
#include "search_places.h"

namespace cudnn_checked::cli {

namespace {

struct searched_row {
  search_stage stage;
  const char* name;
};

constexpr searched_row searched_rows[] = {
#define SEARCHED(stage, name) {search_stage::stage, name},
#define INSTALLED(kind, variable, name)
#define FOLDER(kind, name)
#include "../../core/observe/search_places.def"
#undef FOLDER
#undef INSTALLED
#undef SEARCHED
};

constexpr known_install install_rows[] = {
#define SEARCHED(stage, name)
#define INSTALLED(kind, variable, name) {known_installer::kind, variable, name},
#define FOLDER(kind, name)
#include "../../core/observe/search_places.def"
#undef FOLDER
#undef INSTALLED
#undef SEARCHED
};

struct folder_row {
  search_folder kind;
  const char* name;
};

constexpr folder_row folder_rows[] = {
#define SEARCHED(stage, name)
#define INSTALLED(kind, variable, name)
#define FOLDER(kind, name) {search_folder::kind, name},
#include "../../core/observe/search_places.def"
#undef FOLDER
#undef INSTALLED
#undef SEARCHED
};

}  // namespace

static arena_vector<arena_string> names_of(search_stage stage, bool are_directories) {
  arena_vector<arena_string> all;
  for (const searched_row& row : searched_rows) {
    if (row.stage == stage && (row.name[0] == '/') == are_directories) all.push_back(row.name);
  }
  return all;
}

arena_vector<arena_string> searched_variables(search_stage stage) { return names_of(stage, false); }

arena_vector<arena_string> searched_directories(search_stage stage) {
  return names_of(stage, true);
}

arena_vector<arena_string> searched_folders(search_folder kind) {
  arena_vector<arena_string> all;
  for (const folder_row& row : folder_rows) {
    if (row.kind == kind) all.push_back(row.name);
  }
  return all;
}

arena_vector<known_install> known_installs() {
  arena_vector<known_install> all;
  for (const known_install& row : install_rows) all.push_back(row);
  return all;
}

}  // namespace cudnn_checked::cli
