// SPDX-License-Identifier: BSD-3-Clause
#include "choose_devices.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

static bool is_named(const gpu& candidate, const string& name) {
  const bool by_uuid = name.find_first_not_of("0123456789") != string::npos;
  if (by_uuid) return candidate.uuid.compare(0, name.size(), name) == 0;
  return cudnn_checked::to_string(candidate.index) == name;
}

static bool find_named(const vector<gpu>& gpus, const string& name, vector<gpu>& found) {
  for (const gpu& candidate : gpus) {
    if (!is_named(candidate, name)) continue;
    found.push_back(candidate);
    return true;
  }
  return false;
}

static bool is_among(const vector<gpu>& some, const gpu& candidate, bool each) {
  for (const gpu& one : some) {
    if (each ? one.index == candidate.index : one.capability == candidate.capability) return true;
  }
  return false;
}

bool choose_devices(const vector<gpu>& gpus, const options& given, vector<gpu>& chosen,
                    string& error) {
  vector<gpu> candidates = given.devices.empty() ? gpus : vector<gpu>();
  for (const string& name : given.devices) {
    if (find_named(gpus, name, candidates)) continue;
    error = "devices= names '" + name + "', which this machine does not have; it has:";
    for (const gpu& here : gpus) {
      error += "\n  " + cudnn_checked::to_string(here.index) + "  " + here.uuid + "  " + here.name;
    }
    return false;
  }
  const bool each = given.each_device || !given.devices.empty();
  for (const gpu& candidate : candidates) {
    if (!is_among(chosen, candidate, each)) chosen.push_back(candidate);
  }
  return true;
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
