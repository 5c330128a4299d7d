// SPDX-License-Identifier: BSD-3-Clause
//
// GPUs on which a framework's cuDNN does not compute, and known defects that the framework meets,
// or avoids at a price.
#include <string_view>

#include "../../model/format.h"
#include "../../model/unstamped_program.h"
#include "../rules/cudnn_gpu.h"
#include "../rules/known_defects.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

/// Releases of a package that call what is defective and do not avoid it.
struct exposed_package {
  const char* package;
  int first;
  int avoids;       ///< the first release with a gate of its own; 0: none has one
  int first_cudnn;  ///< with older ones it calls its own code; 0: none
  const char* defect;
  const char* fix;  ///< what to do in the program; null: nothing is known
};

constexpr exposed_package exposed_packages[] = {
#define EXPOSED(package, first, avoids, cudnn, defect, fix) \
  {package, first, avoids, cudnn, defect, fix},
#define AVOIDED(...)
#include "framework_defects.def"
#undef EXPOSED
#undef AVOIDED
};

/// Releases of a package that do without cuDNN where a release of it is defective, at a price.
struct avoiding_package {
  const char* package;
  int first;
  int end;  ///< the first release that does not; 0: all do
  int first_cudnn;
  int last_cudnn;
  const char* operations;
  const char* what;
  int better;  ///< the release of the package to upgrade to; 0: this one
  int fixed;   ///< the release of cuDNN to upgrade to
  const char* fix;
  const char* source;
};

constexpr avoiding_package avoiding_packages[] = {
#define EXPOSED(...)
#define AVOIDED(package, first, end, cudnn, last_cudnn, operations, what, better, fixed, fix, \
                source)                                                                       \
  {package, first, end, cudnn, last_cudnn, operations, what, better, fixed, fix, source},
#include "framework_defects.def"
#undef EXPOSED
#undef AVOIDED
};

}  // namespace

static bool is_of(const package_release& owner, const char* package, int first, int end) {
  const int number = number_of(owner.number);
  const arena_string name = owner.name.substr(0, owner.name.find("-cu"));
  return owner.number.known() && name == package && number >= first && (end == 0 || number < end);
}

static void judge_exposed(const rule_input& input, const exposed_package& exposed,
                          const known_defect& defect, arena_vector<finding>& findings) {
  const package_release& owner = input.observed.unstamped->owner;
  const gpu* const device = gpu_within(input.observed.devices, defect);
  if (device == nullptr || !is_in_set(input, defect)) return;
  finding& f = append_finding(findings, finding_id::cudnn_known_bad);
  f.weight = severity::warning;
  tell(f, "cuDNN %s has a known defect on this GPU, %s, and %s %s does not avoid it: %s",
       input.set.effective, device->capability, owner.name, owner.number, defect.id);
  if (exposed.avoids != 0) {
    tell(f, ">upgrade to %s %s or newer, which avoids it", owner.name, release_of(exposed.avoids));
  }
  tell_defect(input, defect, *device, f);
  if (exposed.fix != nullptr) tell(f, ">%s", exposed.fix);
}

static void judge_avoiding(const rule_input& input, const avoiding_package& avoiding,
                           arena_vector<finding>& findings) {
  const package_release& owner = input.observed.unstamped->owner;
  const int cudnn = number_of(input.set.effective);
  if (cudnn < avoiding.first_cudnn || cudnn > avoiding.last_cudnn) return;
  finding& f = append_finding(findings, finding_id::cudnn_known_bad);
  f.weight = severity::note;
  tell(f,
       "%s %s computes %s without cuDNN %s\n"
       "=%s|%s|%s\n"
       ":cuDNN|%s|%s\n"
       ".%s",
       owner.name, owner.number, avoiding.operations, input.set.effective, owner.name, owner.number,
       avoiding.source, input.set.effective, computing_file(input), avoiding.what);
  const version fixed = release_of(avoiding.fixed);
  if (avoiding.better == 0) tell(f, ">upgrade to cuDNN %s or newer", fixed);
  if (avoiding.better != 0) {
    tell(f, ">upgrade to %s %s or newer, and to cuDNN %s or newer", owner.name,
         release_of(avoiding.better), fixed);
  }
  tell(f, ">%s", avoiding.fix);
}

// A framework's library does not show which calls the framework makes.  Its releases are known, and
// which of them test the release of cuDNN themselves.
void rule_framework_defects(const rule_input& input, arena_vector<finding>& findings) {
  if (input.observed.unstamped == nullptr) return;
  judge_cublas(input, findings);
  const package_release& owner = input.observed.unstamped->owner;
  for (const avoiding_package& avoiding : avoiding_packages) {
    const bool here = is_of(owner, avoiding.package, avoiding.first, avoiding.end);
    if (here && !input.observed.devices.gpus.empty()) judge_avoiding(input, avoiding, findings);
  }
  for (const exposed_package& exposed : exposed_packages) {
    if (!is_of(owner, exposed.package, exposed.first, exposed.avoids)) continue;
    if (number_of(input.set.effective) < exposed.first_cudnn) continue;
    for (const known_defect& defect : known_defects()) {
      if (std::string_view(exposed.defect) == defect.id) {
        judge_exposed(input, exposed, defect, findings);
      }
    }
  }
}

// A framework also runs without a GPU, and on one of several.
void rule_gpu_of_framework(const rule_input& input, arena_vector<finding>& findings) {
  if (input.observed.unstamped == nullptr || !input.set.effective.known()) return;
  const int lowest = lowest_gpu(input.set.effective, majority(input.set).cuda_major);
  const gpu* below = nullptr;
  for (const gpu& device : input.observed.devices.gpus) {
    if (!device.capability.known() || number_of(device.capability) >= lowest) return;
    below = &device;
  }
  if (below == nullptr) return;
  const package_release& owner = input.observed.unstamped->owner;
  finding& f = add_below_cudnn(input, *below, lowest, findings);
  f.weight = severity::warning;
  tell(f,
       ">take a release of %s that was built with cuDNN %s, the last release for this GPU\n"
       ">run it on a newer GPU",
       owner.name.empty() ? arena_string("the program") : owner.name, last_release_for(*below));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
