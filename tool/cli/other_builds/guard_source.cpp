// SPDX-License-Identifier: BSD-3-Clause
#include "guard_source.h"

#include "../text/json_tree.h"
#include "../text/output.h"
#include "written_before.h"

namespace cudnn_checked::cli {

static bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_program_name(const std::string& name) {
  for (const char c : name) {
    if (!is_letter(c) && c != '.' && c != '-' && c != '+') return false;
  }
  return !name.empty() && name.size() <= 255;
}

std::string stamp_symbol(const std::string& program) {
  std::string symbol = "cudnn_checked_stamp_";
  for (const char c : program) symbol += is_letter(c) ? c : '_';
  return symbol;
}

static json names_of_operations(const arena_vector<fused_operation>& operations) {
  return list_of(names_of(operations));
}

json stamp_of(const proof_facts& proved, const guard_choices& choices) {
  json stamp = object_of(
      {{"schema", 1},
       {"package", CUDNN_CHECKED_PACKAGE_VERSION},
       {"program", choices.program},
       {"level", proved.level},
       {"cudnn",
        object_of(
            {{"header", proved.header}, {"library", proved.library}, {"cudart", proved.cudart}})},
       {"cuda",
        object_of(
            {{"toolkit", proved.toolkit}, {"runtime", proved.runtime}, {"driver", proved.driver}})},
       {"architectures",
        object_of({{"measured", list_of(proved.architectures)}, {"compiled", json::array()}})},
       {"components", json::array()},
       {"sublibraries", list_of(proved.needs)},
       {"operations", json::array()}});
  if (!proved.operations.empty()) stamp.add("proved", names_of_operations(proved.operations));
  add_members(stamp, {{"policy", choices.policy}, {"gpu", choices.gpu}});
  return stamp;
}

bool can_be_included(std::string_view path) {
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') return false;
  }
  return true;
}

/// A path as #include has it.
static std::string included(const std::string& path) { return "#include \"" + path + "\"\n"; }

std::string guard_source(const std::string& guard, const json& stamp,
                         const guard_choices& choices) {
  const std::string symbol = stamp_symbol(choices.program);
  return "// SPDX-License-Identifier: BSD-3-Clause\n//\n"
         "// The guard of " +
         choices.program + " and its stamp, as C++17.  " + mark_of_guard_source +
         ": make it again when\n"
         "// cuDNN changes.\n" +
         "#undef CUDNN_CHECKED_STAMP\n" + included(guard) + "\nCUDNN_CHECKED_DEFINE_STAMP(" +
         symbol + ", R\"json(" + std::string(stamp.print_compact()) + ")json\")\n" +
         (choices.manual ? "" : "CUDNN_CHECKED_AT_STARTUP(" + symbol + ")\n");
}

}  // namespace cudnn_checked::cli
