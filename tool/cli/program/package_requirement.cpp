// SPDX-License-Identifier: BSD-3-Clause
#include "package_requirement.h"

#include <algorithm>
#include <string>
#include <vector>

#include "../../core/judge/advice/wheel_commands.h"
#include "../../core/model/paths.h"
#include "../../core/observe/package_records.h"
#include "../../repair/package_extras.h"
#include "../../repair/place.h"

namespace cudnn_checked::cli {

cudnn_requirement with_extras(const system_interface& os, const arena_string& site,
                              const repairs::distribution& package,
                              const cudnn_requirement& asked) {
  cudnn_requirement result = asked;
  const wheel_order order =
      asked.text.empty() ? wheel_order() : repairs::order_by_extras(os, site, package);
  if (name_of_order(cudnn_in(order)) == asked.wheel) result.by_extra = order;
  return result;
}

static bool has_recorded(const system_interface& os, const arena_string& site,
                         const std::string& info, const std::string& listed) {
  const arena_string record = text_of_record(os, join_path(site, info + "/RECORD"));
  recorded_file file;
  for (std::size_t at = 0; next_file_with(listed, record, at, file);) {
    if (file.path == listed) return true;
  }
  return false;
}

cudnn_requirement find_requirement(const system_interface& os, const arena_string& file,
                                   package_release& owner) {
  const arena_string site = repairs::site_of(os, file);
  if (site.empty()) return {};
  const std::string real = join_path(os.real_path(directory_part(file)), base_name(file));
  const std::string listed = real.substr(site.size() + 1);
  std::vector<std::string> infos = repairs::infos_of(os, site, "");
  // Most packages have a folder of their own name, and records are long.
  const std::string folder = listed.substr(0, listed.find_first_of("/.")) + "-";
  std::stable_partition(infos.begin(), infos.end(), [&folder](const std::string& info) {
    return info.compare(0, folder.size(), folder) == 0;
  });
  auto* const owner_info = find_where(
      infos, [&](const std::string& info) { return has_recorded(os, site, info, listed); });
  if (owner_info == nullptr) return {};
  const repairs::distribution own = repairs::read_distribution(os, site, *owner_info);
  owner.name = repairs::normalized(own.name);
  owner.number = repairs::release_of_number(own.number);
  owner.text = own.name + " " + own.number;
  owner.full_number = own.number;
  owner.record = own.metadata_path;
  const cudnn_requirement required = repairs::requirement_of(own);
  if (!required.text.empty()) return with_extras(os, site, own, required);
  for (const std::string& info : infos) {
    const repairs::distribution d = repairs::read_distribution(os, site, info);
    const bool requires_owner = any_of(d.requirements, [&owner](const std::string& line) {
      return repairs::name_of_requirement(line) == owner.name;
    });
    const cudnn_requirement asked =
        requires_owner ? repairs::requirement_of(d) : cudnn_requirement();
    if (!asked.text.empty()) return with_extras(os, site, d, asked);
  }
  return {};
}

}  // namespace cudnn_checked::cli
