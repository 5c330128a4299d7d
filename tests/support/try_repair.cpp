// SPDX-License-Identifier: BSD-3-Clause
//
// Test tool: `try_repair SITE [--again] [--remove=NAME]... [REQUIREMENT...]` prints as JSON the
// command for that order, and every file of NVIDIA's that SITE would have after it.  Compared with
// what pip and uv really do.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "core/installers/installers.h"
#include "core/json/json.h"
#include "core/judge/advice/wheel_commands.h"
#include "core/library/library_file.h"
#include "core/linux/linux_system.h"
#include "core/model/paths.h"
#include "core/observe/observe.h"
#include "repair/repaired_system.h"
#include "repair/tools.h"

using namespace cudnn_checked;

static json described(const system_interface& os, const arena_string& path) {
  const library_file file = read_library(os, path, 0);
  json item = json::object();
  if (file.state != file_state::whole) return item;
  item.add_string("soname", file.soname);
  item.add_string("build_id", file.build_id);
  item.add_string("rpath", file.rpath);
  item.add_string("runpath", file.runpath);
  json needed = json::array();
  for (const arena_string& name : file.needed) needed.add(json::from_text(name));
  item.add("needed", std::move(needed));
  return item;
}

static void add_files(const system_interface& os, const arena_string& folder,
                      const arena_string& below, json& files) {
  arena_vector<arena_string> names;
  (void)os.list(folder, below.empty() ? "nvidia" : "", names);
  for (const arena_string& name : names) {
    const arena_string path = join_path(folder, name);
    byte_source* source = nullptr;
    const open_result result = os.open(path, &source);
    delete source;
    if (result == open_result::directory) {
      add_files(os, path, below + name + "/", files);
    } else if (result == open_result::opened) {
      files.add(below + name, described(os, path));
    }
  }
}

static python_environment environment_of(const system_interface& os, const arena_string& site) {
  observation observed;
  observed.start.elsewhere.push_back({site + "/nvidia/cudnn/lib", {}, 0});
  observe_python_environments(os, observed);
  if (!observed.environments.empty()) return observed.environments.front();
  python_environment empty;
  empty.site = site;
  empty.installer = &installers::pip_target();
  return empty;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: try_repair SITE [--again] [--remove=NAME]... [REQUIREMENT...]\n", stderr);
    return 2;
  }
  const linux_system os(environ, execution_mode::ordinary);
  wheel_order order;
  for (int i = 2; i < argc; ++i) {
    const arena_string word = argv[i];
    if (word == "--again") {
      order.again = true;
    } else if (starts_with(word, "--remove=")) {
      order.conflicting.push_back(word.substr(std::strlen("--remove=")));
    } else {
      order.requirements.push_back(word);
    }
  }
  const arena_string site = argv[1];
  const fix_line line = repairs::as_typed_here(os, install_wheels(environment_of(os, site), order));
  repairs::repaired_system view(os);
  bool known = true;
  if (!order.requirements.empty()) {
    for (const repair& step : line.steps) known = known && view.apply(step);
  }
  json files = json::object();
  if (known) add_files(view, site, "", files);
  json all = json::object();
  all.add_string("command", line.text);
  all.add("known", json::boolean(known));
  all.add("files", std::move(files));
  std::fputs(all.print().c_str(), stdout);
  return 0;
}
