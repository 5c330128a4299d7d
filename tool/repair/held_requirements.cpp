// SPDX-License-Identifier: BSD-3-Clause
#include "held_requirements.h"

#include "python_metadata.h"
#include "version_specifier.h"

namespace cudnn_checked::repairs {

// `pip check` reads one folder of metadata; where two releases of a package are recorded, what
// holds is not known.
static bool holds(const system_interface& os, const string& site, const held_requirement& one) {
  const std::vector<std::string> infos = infos_of(os, site, one.name);
  return infos.size() == 1 && allows(one.specifiers, number_of_info(infos.front())) == answer::yes;
}

const std::vector<held_requirement>& held_requirements::of(const string& site) {
  const auto [known, is_new] = sites_.try_emplace(site);
  if (!is_new) return known->second;
  for (const std::string& info : infos_of(os_, site, "")) {
    const distribution own = read_distribution(os_, site, info);
    for (const std::string& line : own.requirements) {
      const plain_requirement plain = plain_of(line);
      const held_requirement one{own.name + " " + own.number, plain.name, plain.specifiers};
      // Repairs change packages of NVIDIA's only.
      const bool of_nvidia = one.name.rfind("nvidia-", 0) == 0;
      if (of_nvidia && applies(line) == answer::yes && holds(os_, site, one)) {
        known->second.push_back(one);
      }
    }
  }
  return known->second;
}

const held_requirement* held_requirements::find_broken(const vector<repair>& steps,
                                                       const system_interface& after) {
  for (const repair& step : steps) {
    if (step.what != repair_kind::wheels) continue;
    for (const held_requirement& one : of(step.where.site)) {
      if (!holds(after, step.where.site, one)) return &one;
    }
  }
  return nullptr;
}

}  // namespace cudnn_checked::repairs
