// SPDX-License-Identifier: BSD-3-Clause
#include "explain_end.h"

#include "../prove/dead_probe.h"
#include "commands.h"
#include "messages.h"
#include "project.h"
#include "repair_verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static prove::probe_step step_of(const request& asked) {
  prove::probe_step step = {asked["step"], step_kind::other};
  if (step.words.empty()) step.words = "loading the libraries";
  (void)parse_word(asked["step_kind"], step.kind);
  return step;
}

message explain_end(const request& asked, const system_interface& os) {
  prove::dead_probe dead;
  (void)parse_word(asked["ended"], prove::end_names, dead.end.kind);
  dead.end.detail = asked["detail"];
  dead.step = step_of(asked);
  for (const arena_string& text : asked.all("fact")) dead.facts.push_back(fact_of(text));
  dead.limit = "CuDNNChecked_PROBE_TIMEOUT";
  dead.debugged = "the probe";
  dead.not_started = "No program that is built in this directory can be started.";
  dead.start = {
      advice("name a build directory on a file system without noexec: cmake -B DIRECTORY")};
  const project known(asked, os);
  dead.longer = {advice(known.with("CuDNNChecked_PROBE_TIMEOUT", "600"))};
  dead.without_kernel = {advice(known.with("CuDNNChecked_KERNEL", "OFF"))};
  dead.again = reinstall_package_of(asked, os, asked["library"], "");
  dead.another = install_cudnn_of_request(asked, os, floor_of_components(asked));
  message made = message_of(finding_of(dead));
  made.fixes = as_told(made.fixes);
  made.quoted = asked["quoted"];
  return made;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
