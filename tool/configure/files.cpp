// SPDX-License-Identifier: BSD-3-Clause
#include "../core/check/cudnn_check.h"
#include "../core/judge/rules/mixed_headers.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "../core/observe/header_version.h"
#include "../core/observe/included_headers.h"
#include "../core/observe/observe.h"
#include "../prove/judge.h"
#include "../repair/files_again.h"
#include "environment.h"
#include "install_system.h"
#include "messages.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static version version_of(const system_interface& os, const arena_string& header) {
  return read_header_version(text_of(os, header));
}

static arena_vector<finding> findings_of(const request& asked, const system_interface& real,
                                         const install_place& place) {
  const install_system os(real, place.library);
  loader search(os);
  cudnn_check check(search);
  check.observed.header_path = place.header;
  check.stamped.cudnn_header = version_of(os, place.header);
  check.stamped.toolkit = parse_version(asked["toolkit"]);
  check.stamped.components = asked.all("component");
  check.options.level_required = parse_level(asked["require"], check.options.required);
  check.options.gpu_optional =
      !(check.options.level_required && check.options.required == level::ran);
  check.options.install_named = !asked["root"].empty();
  int major = major_of_name(base_name(place.library));
  if (major == 0) major = check.stamped.cudnn_header.major;
  check_named_install(check, major, place.library);
  // What the probe looks at beside them.
  if (!asked["report"].empty()) check_needs_of_install(check);
  return check.judged.findings;
}

arena_vector<finding> find_faults(const request& asked, const system_interface& os,
                                  const install_place& place) {
  arena_vector<finding> all = findings_of(asked, os, place);
  const bool answers = answers_request(asked, version_of(os, place.header), "", asked["release"]);
  arena_vector<cudnn_header> headers;
  follow_headers(os, directory_part(place.header), headers);
  finding mixed(finding_id::header_mixed);
  // Headers that nobody has asked for: on a view, so it is never printed.
  if (tell_mixed_headers(headers, place.library, mixed) || !answers) all.push_back(mixed);
  return all;
}

bool find_install(const system_interface& os, const arena_string& prefix, install_place& place) {
  if (!exists(os, prefix + "/include/cudnn.h")) return false;
  const arena_string folder = format("%s/%s", prefix, folder_of_wheel_libraries());
  for (const arena_string& name : names_in(os, folder, cudnn_name_prefix())) {
    if (role_of_name(name) != library_role::shim || major_of_name(name) == 0) continue;
    place = {join_path(folder, name), prefix + "/include/cudnn_version.h"};
    return true;
  }
  return false;
}

// The install that the find module has found; of wheels it takes the full one first.
static install_place place_of(const request& asked, const system_interface& os) {
  install_place place = {asked["library"], asked["header"]};
  const arena_string site = site_of(place.library);
  for (const char* const folder : {"/nvidia/cudnn", "/nvidia/cudnn_jit"}) {
    if (!site.empty() && find_install(os, site + folder, place)) break;
  }
  return place;
}

static arena_vector<finding> tried_findings(const request& asked, const system_interface& os,
                                            const arena_vector<finding>& findings) {
  const auto judge = [&asked](const system_interface& changed) {
    return find_faults(asked, changed, place_of(asked, changed));
  };
  const release wanted{version_of(os, asked["header"]), parse_version(asked["toolkit"]).major};
  const repairs::files_again again(judge, asked["library"], wanted);
  return repairs::keep_what_works(os, again, repairs::files_again::with(findings));
}

arena_vector<finding> judge_files(const request& asked, const system_interface& os) {
  const arena_vector<finding> findings =
      findings_of(asked, os, {asked["library"], asked["header"]});
  if (verdict_of(findings) != verdict::refused) return {};
  arena_vector<finding> told = tried_findings(asked, os, findings);
  mark_untried(told);
  return told;
}

arena_vector<finding> findings_with_repairs(const request& asked, const system_interface& os) {
  arena_vector<const char*> arguments;
  for (const arena_string& argument : asked.arguments()) arguments.push_back(argument.c_str());
  arena_vector<finding> told =
      prove::rejudge_saved_lines(static_cast<int>(arguments.size()), arguments.begin(), os);
  for (finding& f : told.in_place()) {
    if (row_of(f.id).about >= subject_of_finding::driver) continue;
    for (fix_line& line : f.fix.in_place()) mark_untried(line);
  }
  const arena_vector<finding> own = findings_of(asked, os, {asked["library"], asked["header"]});
  repairs::take_fixes(tried_findings(asked, os, own), told);
  return told;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
