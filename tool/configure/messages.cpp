// SPDX-License-Identifier: BSD-3-Clause
#include "messages.h"
#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/judge/rules/mixed_headers.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/observe/included_headers.h"
#include "commands.h"
#include "repair_verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The component that came last of those that find_package requires, and the first release that has
/// it: all of cuDNN 9, but the oldest have no libraries of their own in 8.
static arena_string newest_component(const request& asked, version& since) {
  arena_string newest;
  for (const arena_string& name : asked.all("component")) {
    const library_role role = library_role::named(name);
    const release oldest = {{9, 0, 0}, 0};
    const version first = !in_cudnn_8(role).empty()          ? version()
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

static fix_lines tried(const request& asked, const system_interface& os, fix_lines fix) {
  try_cudnn(asked, os, fix);
  return as_told(fix);
}

message explain_component(const request& asked, const system_interface& os) {
  const arena_string names = joined(asked.all("missing"), ", ");
  const arena_string library = asked["library"];
  message made;
  made.name = to_string(finding_id::sublibrary_missing);
  made.summary = "this cuDNN has no library for a component that is asked for: " + names;
  made.facts = {{"asked for", names, "COMPONENTS"}, {"cuDNN", asked["found"], library}};
  made.because = {"A program that needs it would fail when it calls it."};
  // A package whose record has the file that is missing lacks it by accident.
  made.fixes = tried(asked, os,
                     asked["recorded"] == "yes"
                         ? again_or_new(asked, os, library)
                         : install_cudnn_of_request(asked, os, floor_of_components(asked)));
  made.fixes.push_back(advice("ask for COMPONENTS without " + names));
  return made;
}

message explain_import(const request& asked, const system_interface& os) {
  const arena_string dll = asked["dll"];
  const arena_string name = base_name(dll);
  message made;
  if (asked["why"] == "damaged") {
    made.name = to_string(finding_id::library_corrupt);
    made.summary = format("what %s exports cannot be read", name);
    made.facts = {{"DLL", "its headers or its table of exports are damaged", dll}};
    made.because = {"No program can be linked with it."};
    made.fixes = tried(asked, os, install_cudnn_of_request(asked, os, floor_of_components(asked)));
    return made;
  }
  if (asked["why"] == "32-bit") {
    made.name = to_string(finding_id::wrong_machine);
    made.summary = "this build is for 32 bits, and there is no such cuDNN";
    made.facts = {{"DLL", "for 64 bits", dll}};
    made.because = {"Windows loads no DLL of 64 bits into a program of 32 bits."};
    made.fixes = {advice("build for 64 bits: -A x64, or a toolchain such as x86_64-w64-mingw32")};
    return made;
  }
  made.name = to_string(finding_id::probe_not_linked);
  made.summary = format("there is no import library of %s, and none can be made", name);
  made.facts = {{"DLL", name, dll}, {"not made", asked["why"], ""}};
  for (const arena_string& directory : asked.all("directory")) {
    made.facts.push_back({"looked in", directory, ""});
  }
  made.because = {
      "A program is linked with the import library of a DLL, and not with the DLL itself."};
  made.fixes = {advice("name a dlltool: -D CMAKE_DLLTOOL=FILE"),
                advice("name an install that has " + asked["file"])};
  return made;
}

arena_vector<finding> judge_headers(const request& asked, const system_interface& os) {
  arena_vector<cudnn_header> headers;
  follow_headers(os, asked["headers"], headers);
  finding f(finding_id::header_mixed);
  if (!tell_mixed_headers(headers, asked["library"], f)) return {};
  f.fix = again_or_new(asked, os, asked["header"]);
  try_cudnn(asked, os, f.fix);
  return {f};
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
