// SPDX-License-Identifier: BSD-3-Clause
#include "held_requirements.h"

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "python_metadata.h"

namespace cudnn_checked::repairs {

// Where two releases of a package are recorded, what holds is not known.
static bool holds(const std::vector<std::string>& infos, const held_requirement& one) {
  return infos.size() == 1 && allows(one.specifiers, number_of_info(infos.front())) == answer::yes;
}

const std::vector<held_requirement>& held_requirements::of(const arena_string& site) {
  const auto [known, is_new] = sites_.try_emplace(site);
  if (!is_new) return known->second;
  for (const std::string& info : infos_of(os_, site, "")) {
    const distribution own = read_distribution(os_, site, info);
    for (const std::string& line : own.requirements) {
      const plain_requirement plain = plain_of(line);
      held_requirement one{own.name + " " + own.number, plain.name, plain.specifiers};
      const std::vector<std::string> infos = infos_of(os_, site, one.name);
      one.installed = !infos.empty();
      // Repairs change packages of NVIDIA's only.
      const bool of_nvidia = one.name.rfind("nvidia-", 0) == 0;
      const bool may_hold = !one.installed || holds(infos, one);
      if (of_nvidia && applies(line) == answer::yes && may_hold) {
        known->second.push_back(one);
      }
    }
  }
  return known->second;
}

const held_requirement* held_requirements::find_broken(const arena_vector<repair>& steps,
                                                       const system_interface& after) {
  for (const repair& step : steps) {
    if (step.what != repair_kind::wheels) continue;
    for (const held_requirement& one : of(step.where.site)) {
      const std::vector<std::string> infos = infos_of(after, step.where.site, one.name);
      if ((one.installed || !infos.empty()) && !holds(infos, one)) return &one;
    }
  }
  return nullptr;
}

fix_line held_requirements::as_required(const fix_line& line) {
  fix_line exact = line;
  for (repair& step : exact.steps.in_place()) {
    if (step.what != repair_kind::wheels || step.where.site.empty()) continue;
    for (arena_string& requirement : step.order.requirements.in_place()) {
      const std::string any = requirement;
      if (any.empty() || any.back() != '*') continue;
      for (const held_requirement& one : of(step.where.site)) {
        const std::string required = one.name + one.specifiers;
        if (required.rfind(any.substr(0, any.size() - 1), 0) != 0) continue;
        std::string text = exact.text;
        const std::string words = quoted(requirement);
        const std::size_t at = text.find(words);
        if (at == std::string::npos) continue;
        exact.text = text.replace(at, words.size(), quoted(arena_string(required)));
        requirement = required;
        break;
      }
    }
  }
  return exact;
}

}  // namespace cudnn_checked::repairs
