// SPDX-License-Identifier: BSD-3-Clause
#include "import_library.h"

#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/pe/pe_symbols.h"
#include "library_machine.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Names of C++ have other characters, and cannot stand in a module definition as they are.
static bool is_name_of_c(const arena_string& name) {
  const char* const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  const bool begins_with_digit = name.front() >= '0' && name.front() <= '9';
  return !begins_with_digit && name.find_first_not_of(characters) == arena_string::npos;
}

module_definition definition_of(const system_interface& os, const arena_string& dll,
                                const arena_string& machine) {
  if (!other_machine_of(os, dll, machine).empty()) {
    return {module_definition::another_machine, ""};
  }
  const dynamic_symbols exported = read_pe_symbols(os, dll, symbol_kind::exported, "");
  if (!exported.readable || exported.names.empty()) return {module_definition::unreadable, ""};
  string_builder text;
  text += format("LIBRARY %s\nEXPORTS\n", base_name(dll));
  for (const arena_string& name : exported.names) {
    if (is_name_of_c(name)) text += name + "\n";
  }
  return {module_definition::written, text.take()};
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
