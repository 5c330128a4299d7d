// SPDX-License-Identifier: BSD-3-Clause
#include "held_requirements.h"

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/format.h"
#include "python_metadata.h"
#include "wheel_contents.h"

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
      held_requirement one{std::string(site), own.name + " " + own.number, plain.name,
                           plain.specifiers};
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

/// The version that an order of the package must have so that all packages which require it are
/// satisfied; empty if they do not restrict it, or contradict the order.
static std::string required_of(const std::vector<held_requirement>& held, const std::string& name,
                               const std::string& ordered) {
  std::vector<std::string> all;
  for (const held_requirement& one : held) {
    if (one.name != name || one.specifiers.empty()) continue;
    const std::string number = only_number(one.specifiers);
    if (!number.empty() && (ordered.empty() || allows(ordered, number) == answer::yes)) {
      return one.specifiers;
    }
    (void)add_once(one.specifiers, all);
  }
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ",") + one;
  return ordered.empty() ? text : std::string();
}

/// What comes with it: pip takes the newest that its package allows.
static void add_required(const std::vector<held_requirement>& held, const repair& step,
                         wheel_order& order) {
  for (const arena_string& requirement : step.order.requirements) {
    for (const arena_string& name : contents_of_wheel(requirement).requirements) {
      const std::string required = required_of(held, name, "");
      const bool known = find_wheel(step.where, name) != nullptr || is_ordered(order, name);
      if (!known && !required.empty()) order.requirements.push_back(name + arena_string(required));
    }
  }
}

fix_line held_requirements::as_required(const fix_line& line) {
  fix_line exact = line;
  exact.steps = line.steps;
  for (repair& step : exact.steps.in_place()) {
    if (step.what != repair_kind::wheels || step.where.site.empty()) continue;
    const std::vector<held_requirement>& held = of(step.where.site);
    wheel_order order = step.order;
    order.requirements = step.order.requirements;
    for (arena_string& requirement : order.requirements.in_place()) {
      const arena_string name = name_of_order(requirement);
      const std::string required = required_of(held, name, specifiers_of_order(requirement));
      if (!required.empty()) requirement = name + arena_string(required);
    }
    if (!order.again) add_required(held, step, order);
    const std::string before = install_wheels(step.where, step.order).text;
    std::string text = exact.text;
    const std::size_t at = text.find(before);
    if (at == std::string::npos) continue;
    exact.text = text.replace(at, before.size(), install_wheels(step.where, order).text);
    step.order = order;
  }
  return exact;
}

}  // namespace cudnn_checked::repairs
