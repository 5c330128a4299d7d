// SPDX-License-Identifier: BSD-3-Clause
#include "package_extras.h"

#include <map>
#include <string>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"

namespace cudnn_checked::repairs {

namespace {

/// The requirements of an extra on this platform.
struct package_extra {
  arena_vector<arena_string> brings;
  bool of_nvidia = true;  ///< all of it
  bool met = true;        ///< all of it is there
};

}  // namespace

/// "cudnn" of "nvidia-cudnn-cu13~=9.0; extra == \"cudnn\""; empty where it is of no extra.
static std::string extra_of(const std::string& line) {
  const std::size_t at = line.find("extra", std::min(line.find(';'), line.size()));
  const std::size_t begin = at == std::string::npos ? at : line.find_first_of("'\"", at);
  if (begin == std::string::npos) return {};
  const bool is_equal = trimmed(line.substr(at + 5, begin - at - 5)) == "==";
  const std::size_t end = line.find(line[begin], begin + 1);
  return is_equal && end != std::string::npos ? line.substr(begin + 1, end - begin - 1) : "";
}

static bool is_met(const system_interface& os, const arena_string& site,
                   const plain_requirement& plain) {
  const std::vector<std::string> infos = infos_of(os, site, plain.name);
  return infos.size() == 1 && allows(plain.specifiers, number_of_info(infos.front())) != answer::no;
}

static std::map<std::string, package_extra> extras_of(const system_interface& os,
                                                      const arena_string& site,
                                                      const distribution& package) {
  std::map<std::string, package_extra> extras;
  for (const std::string& line : package.requirements) {
    const std::string name = extra_of(line);
    const bool provided = any_of(package.extras, [&name](const std::string& one) {
      return normalized(one) == normalized(name);
    });
    if (!provided || applies(line) == answer::no) continue;
    package_extra& extra = extras[name];
    const plain_requirement plain = plain_of(line);
    extra.of_nvidia = extra.of_nvidia && plain.name.rfind("nvidia-", 0) == 0;
    if (!extra.of_nvidia) continue;
    extra.met = extra.met && is_met(os, site, plain);
    extra.brings.emplace_back(plain.name + plain.specifiers);
  }
  return extras;
}

wheel_order order_by_extras(const system_interface& os, const arena_string& site,
                            const distribution& package) {
  wheel_order order;
  arena_string cudnn;
  arena_string names;
  // Most packages ask for none.
  if (!any_of(package.requirements, [](const std::string& line) {
        return !extra_of(line).empty() && is_cudnn_wheel(arena_string(name_of_requirement(line)));
      })) {
    return order;
  }
  for (const auto& [name, extra] : extras_of(os, site, package)) {
    if (!extra.of_nvidia) continue;
    for (const arena_string& requirement : extra.brings) {
      const arena_string wheel = name_of_order(requirement);
      if (!is_cudnn_wheel(wheel)) continue;
      if (!cudnn.empty() && cudnn != wheel) return {};
      cudnn = wheel;
    }
    if (extra.met) continue;
    names += (names.empty() ? "" : ",") + arena_string(name);
    order.by_extras.append(extra.brings);
  }
  if (cudnn.empty() || names.empty()) return {};
  order.requirements.push_back(arena_string(normalized(package.name)) + "[" + names +
                               "]==" + arena_string(package.number));
  return order;
}

arena_vector<wheel_order> orders_by_extras(const system_interface& os, const arena_string& site) {
  arena_vector<wheel_order> orders;
  for (const std::string& info : infos_of(os, site, "")) {
    const wheel_order order = order_by_extras(os, site, read_distribution(os, site, info));
    if (!order.requirements.empty()) orders.push_back(order);
  }
  return orders;
}

}  // namespace cudnn_checked::repairs
