// SPDX-License-Identifier: BSD-3-Clause
#include "commands.h"

#include <iterator>

#include "../core/catalogue/catalogue.h"
#include "../core/judge/rules/cuda_drivers.h"
#include "../core/loader/loader.h"
#include "../core/model/cuda_major.h"
#include "../core/model/format.h"
#include "../core/observe/observe.h"
#include "../core/observe/site_packages.h"
#include "../repair/download.h"
#include "environment.h"
#include "platform.h"
#include "project.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The CUDA for which a cuDNN is wanted.
struct wanted_cuda_major {
  int major = 0;
  bool toolkit = false;   ///< there is a runtime of it to compile with
  arena_string fixed_by;  ///< what names it: "CUDAToolkit_ROOT"; empty where it is a choice
};

static bool is_supported_by_driver(const system_interface& os, int cuda_major) {
  loader search(os);
  observation seen;
  observe_driver(search, seen);
  const version& driver = seen.driver.kernel_module;
  return !driver.known() || !(driver < driver_floor(cuda_major));
}

// A project that compiles CUDA, or names a toolkit, has chosen; else the cuDNN that is in the
// environment, a toolkit that is found, and the newest that the driver supports.
static wanted_cuda_major choose_cuda(const request& asked, const system_interface& os,
                                     const python_environment& e, const arena_string& floor) {
  const int instructed = asked.number("instructed");
  const int compiled = asked.number("compiled");
  const int hinted = asked.number("hinted");
  wanted_cuda_major wanted;
  wanted.major = instructed != 0 ? instructed : compiled;
  if (wanted.major != 0) {
    wanted.fixed_by =
        instructed != 0 ? asked["instructed_by"] : arena_string("CMAKE_CUDA_COMPILER");
  } else {
    arena_vector<int> majors;
    for (const installed_wheel& wheel : e.wheels) {
      const std::size_t digits = wheel.name.rfind("-cu");
      if (is_cudnn_wheel(wheel.name))
        majors.push_back(parse_version(wheel.name.substr(digits + 3)).major);
    }
    if (hinted != 0) majors.push_back(hinted);
    for (int major = newest_cuda(); major >= oldest_cuda_major; --major) {
      const bool here = asked["cross"] != "yes";
      if (major == oldest_cuda_major || !here || is_supported_by_driver(os, major))
        majors.push_back(major);
    }
    for (std::size_t i = majors.size(); i-- > 0;) {
      const arena_string name = requirement_of_request(asked, majors[i], floor, asked["release"]);
      if (!name.empty()) wanted.major = majors[i];
    }
    if (wanted.major == 0) wanted.major = majors.front();
  }
  wanted.toolkit = wanted.major == instructed || wanted.major == hinted;
  return wanted;
}

static fix_line say_there_is_none(const request& asked, const wanted_cuda_major& cuda,
                                  const arena_string& floor) {
  const arena_string& release = asked["release"];
  if (!floor.empty() && !requirement_of_request(asked, cuda.major, "", release).empty()) {
    return advice(format("ask for cuDNN %s or newer in find_package", floor));
  }
  const arena_string& wanted = release.empty() ? asked["words"] : release;
  version newest;
  bool exists = false;
  for (int major = newest_cuda(); major >= oldest_cuda_major; --major) {
    const arena_vector<version> all = catalogued_releases(major, package_set::full);
    if (!all.empty() && newest < all.back()) newest = all.back();
    exists = exists || any_of(all, [&](const version& number) {
               return answers_request(asked, number, floor, release);
             });
  }
  if (!exists) {
    return advice(format("choose another cuDNN: no known release is %s, and the newest is %s",
                         wanted, newest));
  }
  return advice(format("choose another cuDNN or another CUDA: PyPI has no cuDNN %s for %s", wanted,
                       cuda.fixed_by.empty() ? asked["machine"]
                                             : format("CUDA %d (%s)", cuda.major, cuda.fixed_by)));
}

// pip has options for another machine than its own; uv names platforms otherwise.
static void add_platform(const request& asked, wheel_order& order) {
  if (wheel_platforms(asked).empty()) return;
  arena_vector<arena_string> options;
  for (const arena_string& platform : wheel_platforms(asked)) {
    options.push_back("--platform");
    options.push_back(platform);
  }
  for (const char* const word : {"--only-binary=:all:", "--no-deps"}) options.push_back(word);
  order.requirements.insert(order.requirements.begin(), options.begin(), options.end());
}

/// The one that is recorded there and was asked for: pip would say that it is installed already.
static const installed_wheel* recorded(const request& asked, const python_environment& e,
                                       const arena_string& requirement, const arena_string& floor) {
  const installed_wheel* const wheel = find_wheel(e, name_of_order(requirement));
  const bool fits = wheel != nullptr &&
                    answers_request(asked, parse_version(wheel->number), floor, asked["release"]);
  return fits ? wheel : nullptr;
}

fix_line say_in_words(const request& asked, const wheel_order& order) {
  arena_string text =
      format("in a Python environment, which %s then names: pip install", asked["variable"]);
  if (order.again) text += " --force-reinstall --no-deps";
  for (const arena_string& requirement : order.requirements) text += " " + quoted(requirement);
  return repairs::with_download(advice(text), order);
}

fix_lines install_below(const request& asked, const system_interface& os,
                        const wheel_order& order) {
  const bool cross = asked["cross"] == "yes";
  const python_environment e = environment_at(asked, os, asked["own"]);
  const bool tool = has_pip(asked, os) || (!cross && has_program(os, "uv"));
  const fix_lines line = typed(install_wheels(e, order));
  const project known(asked, os);
  const held_variable variable = known.held(asked["variable"]);
  // Presets do not count: they set it again only with "cmake --preset".
  const bool is_command = variable.by != variable_holder::project_file;
  const arena_string configure =
      is_command ? known.configured({"-D", format("%s=%s", variable.name, asked["own"])})
                 : known.with(variable, asked["own"]);
  if (cross && !tool && !line.empty()) {
    const fix_line words =
        advice(format("with a Python that has pip: %s && %s", line.front().text, configure));
    return {repairs::with_download(words, order)};
  }
  if (!tool || line.empty()) return {say_in_words(asked, order)};
  if (is_command) {
    fix_line both = line.front();
    both.text += " && " + configure;
    return {both};
  }
  return {line.front(), advice(configure)};
}

/// Where all that is asked for is in the JIT-only package as well, which is small.
static fix_lines say_what_is_small(const request& asked, const arena_string& requirement) {
  const arena_vector<arena_string> components = asked.all("component");
  const auto is_in_it = [](const arena_string& name) {
    return is_jit_role(library_role::named(name));
  };
  if (components.empty() || !all_of(components, is_in_it)) return {};
  const repairs::small_package small = repairs::jit_only_for(requirement);
  if (small.name.empty()) return {};
  return {advice(format("with %s in its place, %d MB, which has COMPONENTS %s too", small.name,
                        small.megabytes, joined(components, " ")))};
}

fix_lines install_cudnn_of_request(const request& asked, const system_interface& os,
                                   const arena_string& floor) {
  const bool cross = asked["cross"] == "yes";
  arena_string site = cross ? arena_string() : site_to_install(asked, os);
  python_environment e;
  if (!site.empty()) e = environment_at(asked, os, site);
  const wanted_cuda_major cuda = choose_cuda(asked, os, e, floor);
  const arena_string requirement =
      requirement_of_request(asked, cuda.major, floor, asked["release"]);
  if (requirement.empty()) return {say_there_is_none(asked, cuda, floor)};

  // What another package requires stays, and nothing new comes into what a distribution manages.
  if (needs_its_cudnn(os, e) || (e.managed && !has_cudnn(e))) site.clear();
  if (site.empty()) e = environment_at(asked, os, asked["own"]);
  wheel_order order = order_of(e, requirement);
  const installed_wheel* const same = recorded(asked, e, requirement, floor);
  if (same != nullptr) {
    order.again = true;
    order.requirements.in_place()[0] = format("%s==%s", same->name, same->number);
  }
  if (!cuda.toolkit) {
    const cuda_parts missing = missing_parts(os, e, "cudnn", cuda.major);
    const arena_vector<arena_string> parts = cross ? missing.to_compile : missing.all();
    order.requirements.insert(order.requirements.end(), parts.begin(), parts.end());
  }
  if (cross) add_platform(asked, order);
  fix_lines lines =
      site.empty() ? install_below(asked, os, order) : typed(install_wheels(e, order));
  if (lines.empty()) lines.push_back(say_in_words(asked, order));
  if (same == nullptr) lines.append(say_what_is_small(asked, requirement));
  return lines;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
