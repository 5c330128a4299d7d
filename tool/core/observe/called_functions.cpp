// SPDX-License-Identifier: BSD-3-Clause
#include "../catalogue/function_homes.h"
#include "../library/symbols.h"
#include "../loader/loader.h"
#include "../model/library_name.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The names of the functions of the graph API begin with this.
static constexpr std::string_view graph_functions = "cudnnBackend";

static void note_function(const arena_string& name, const arena_string& path,
                          observation& observed) {
  if (starts_with(name, graph_functions)) observed.calls_graph = answer::yes;
  const library_role role = home_of_function(name);
  if (role == library_role::none) return;
  called_functions* const known =
      find_where(observed.called.in_place(),
                 [&](const called_functions& other) { return other.role == role; });
  if (known != nullptr) {
    ++known->count;
  } else {
    observed.called.push_back({role, name, path, 1});
  }
}

static void note_functions(const system_interface& os, const arena_string& path,
                           observation& observed) {
  const dynamic_symbols symbols = read_symbols(os, path, symbol_kind::called, "cudnn");
  for (const arena_string& name : symbols.names) note_function(name, path, observed);
}

void observe_called_functions(loader& search, observation& observed) {
  observed.called.clear();
  observed.calls_graph = answer::no;
  const arena_string program = search.program_path();
  note_functions(search.system(), program, observed);
  for (const mapped_object& object : search.mapped()) {
    if (object.path == program || object.path.empty() || is_cudnn_path(object.path)) continue;
    if (any_of(search.file(object.path).needed, is_cudnn_path)) {
      note_functions(search.system(), object.path, observed);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
