// SPDX-License-Identifier: BSD-3-Clause
#include "messages.h"
#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/judge/rules/survey_rules.h"
#include "../core/model/format.h"
#include "../core/observe/included_headers.h"
#include "commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// cuDNN 8 splits them into two libraries each, and has graph in cnn.
static bool has_8(library_role component) {
  const library_role of_8 = library_role::named(arena_string(to_string(component)) + "_infer");
  return component == library_role::graph || of_8 != library_role::other;
}

/// The component that came last of those that find_package requires, and the first release that has
/// it: all of cuDNN 9, but the oldest have no libraries of their own in 8.
static arena_string newest_component(const request& asked, version& since) {
  arena_string newest;
  for (const arena_string& name : asked.all("component")) {
    const library_role role = library_role::named(name);
    const release oldest = {{9, 0, 0}, 0};
    const version first = has_8(role)                        ? version()
                          : contains(roles_of(oldest), role) ? oldest.number
                                                             : first_release_with(role, oldest);
    if (!(since < first)) continue;
    since = first;
    newest = name;
  }
  return newest;
}

arena_string floor_of_components(const request& asked) {
  version since;
  (void)newest_component(asked, since);
  return since.known() ? to_string(since) : arena_string();
}

arena_vector<finding> judge_components(const request& asked, const system_interface& os) {
  const version found = parse_version(asked["found"]);
  version since;
  const arena_string name = newest_component(asked, since);
  if (!(found < since)) return {};
  finding f(finding_id::sublibrary_missing);
  tell(f,
       "cuDNN %s has no component %s\n"
       "+asked for|%s|COMPONENTS\n"
       "+exists since|%s|release of cuDNN\n"
       "+cuDNN|%s|%s\n"
       ".Reinstalling this release does not bring it.",
       found, name, name, since, found, asked["library"]);
  f.fix = install_cudnn_of_request(asked, os, to_string(since));
  try_cudnn(asked, os, f.fix);
  f.fix.push_back(advice("ask for COMPONENTS without " + name));
  return {f};
}

arena_vector<finding> judge_headers(const request& asked, const system_interface& os) {
  arena_vector<cudnn_header> headers;
  follow_headers(os, asked["include"], headers);
  finding f(finding_id::header_mixed);
  if (!tell_mixed_headers(headers, asked["library"], f)) return {};
  f.fix = again_or_new(asked, os, asked["header"]);
  try_cudnn(asked, os, f.fix);
  return {f};
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
