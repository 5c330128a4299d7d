// SPDX-License-Identifier: BSD-3-Clause
#include "probing.h"

#include <cstdlib>
#include <utility>

#include "../core/report/report.h"

#ifndef CUDNN_CHECKED_PACKAGE_VERSION
#error "CUDNN_CHECKED_PACKAGE_VERSION must be defined as a string, for example \"0.1.0\""
#endif

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

probing::probing(const options& arguments, loader& search) : given(arguments), install(search) {
  install.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  install.stamped.components = given.components;
  install.options.level_required = given.level_required;
  install.options.required = given.required;
  install.options.install_named = given.named;
  install.options.gpu_optional = !(given.level_required && given.required == level::ran);
  install.observed.header_path = given.header;
}

json probing::report(const string& stage) const {
  report_input input;
  input.stamped = &install.stamped;
  input.observed = &install.observed;
  input.judged = &install.judged;
  input.stage = stage;
  json made = make_probe_report(input);
  if (!given.sweep.empty()) {
    json sweep = json::object();
    sweep.add_number("asked", std::strtoll(given.sweep.c_str(), nullptr, 10));
    made.add("sweep", std::move(sweep));
  }
  return made;
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
