// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard leaves out, in place of the files of core that for_programs.cpp does not list.  It
// judges its own program and no install, reads no more of a file than its headers, and cannot try
// what packages bring: such a fix has no text, and the message names `cudnn-checked verify` instead
// (core/check/tried_fixes.h).
#include "../core/check/cudnn_check.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/judge/rules/rules.h"
#include "../core/library/asked_names.h"
#include "../core/observe/observe.h"

#define NARROW(...)
#include "../core/judge/rules/known_defect_rows.inc"
#undef NARROW

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<finding> check_records(cudnn_check&) { return {}; }
arena_vector<finding> check_start(cudnn_check&, const program_start&) { return {}; }
bool rule_input::at_configure() const { return false; }
const unstamped_program* rule_input::unstamped() const { return nullptr; }
void observe_needed_versions(loader&, observation&) {}
void rule_version_missing(const rule_input&, arena_vector<finding>&) {}
bool is_unmapped(const found_file&) { return false; }
arena_vector<library_role> read_asked_roles(const system_interface&, arena_string) { return {}; }
bool has_unknown_symbols(const system_interface&, arena_string) { return false; }

static fix_line left_to_verify() { return command({}); }

fix_line install_debian(const arena_string&, const arena_string&) { return left_to_verify(); }
fix_line install_toolkit_part(const char*, const version&, const arena_string&, int) {
  return left_to_verify();
}
fix_line refresh_cache() { return left_to_verify(); }
fix_line link_file(const arena_string&, const arena_string&) { return left_to_verify(); }
fix_line reinstall(const package_record&) { return left_to_verify(); }
fix_lines fix_of_owner(const rule_input&, arena_string) { return {}; }
fix_lines bring_copy_again(const rule_input&, arena_string) { return {}; }
fix_lines install_cudnn(int, int, cudnn_kind, install_where, const arena_string&) {
  return {left_to_verify()};
}

// Names of the two wheels of cuDNN differ by more than the CUDA major at their end.
bool share_a_folder(const arena_string& cudnn, const arena_string& other) {
  return without_number(cudnn) == without_number(other);
}

fix_line install_by_nobody(const python_environment&, const wheel_order&) {
  return left_to_verify();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
