// SPDX-License-Identifier: BSD-3-Clause
#include "install.h"

#include "../core/judge/rules/cuda_drivers.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/observe/observe.h"
#include "environment.h"
#include "requirement.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The CUDA for which a cuDNN is wanted.
struct wanted_cuda_major {
  int major = 0;
  bool toolkit = false;  ///< there is a runtime of it to compile with
  string fixed_by;       ///< what names it: "CUDAToolkit_ROOT"; empty where it is a choice
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
                                     const python_environment& e, const string& floor) {
  const int instructed = asked.number("instructed");
  const int compiled = asked.number("compiled");
  const int hinted = asked.number("hinted");
  wanted_cuda_major wanted;
  wanted.major = instructed != 0 ? instructed : compiled;
  if (wanted.major != 0) {
    wanted.fixed_by = instructed != 0 ? asked["instructed_by"] : string("CMAKE_CUDA_COMPILER");
  } else {
    vector<int> majors;
    for (const installed_wheel& wheel : e.wheels) {
      const std::size_t digits = wheel.name.rfind("-cu");
      if (is_cudnn_wheel(wheel.name))
        majors.push_back(parse_version(wheel.name.substr(digits + 3)).major);
    }
    if (hinted != 0) majors.push_back(hinted);
    for (int major = newest_cuda(); major >= 11; --major) {
      const bool here = asked["cross"] != "yes";
      if (major == 11 || !here || is_supported_by_driver(os, major)) majors.push_back(major);
    }
    for (std::size_t i = majors.size(); i-- > 0;) {
      const string name = requirement_of_request(asked, majors[i], floor, asked["release"]);
      if (!name.empty()) wanted.major = majors[i];
    }
    if (wanted.major == 0) wanted.major = majors.front();
  }
  wanted.toolkit = wanted.major == instructed || wanted.major == hinted;
  return wanted;
}

static fix_line say_there_is_none(const request& asked, const wanted_cuda_major& cuda,
                                  const string& floor) {
  const string& release = asked["release"];
  if (!floor.empty() && !requirement_of_request(asked, cuda.major, "", release).empty()) {
    return advice(format("ask for cuDNN %s or newer in find_package", floor));
  }
  return advice(format("choose another cuDNN or another CUDA: PyPI has no cuDNN %s for %s",
                       release.empty() ? asked["words"] : release,
                       cuda.fixed_by.empty() ? asked["machine"]
                                             : format("CUDA %d (%s)", cuda.major, cuda.fixed_by)));
}

// In words where there is nothing here that installs, or no command can have these names.
static fix_line say_in_words(const request& asked, const wheel_order& order) {
  string text =
      format("in a Python environment, which %s then names: pip install", asked["variable"]);
  if (order.again) text += " --force-reinstall --no-deps";
  for (const string& requirement : order.requirements) text += " " + quoted(requirement);
  return advice(text);
}

// pip has options for another machine than its own; uv names platforms otherwise.
static void add_platform(const string& machine, wheel_order& order) {
  const string platforms[] = {"--platform",          "manylinux_2_27_" + machine,
                              "--platform",          "manylinux2014_" + machine,
                              "--only-binary=:all:", "--no-deps"};
  order.requirements.insert(order.requirements.begin(), std::begin(platforms), std::end(platforms));
}

/// Into a folder of the build tree (own), and then the configure that names it.
static fix_lines install_below(const request& asked, const system_interface& os,
                               wheel_order order) {
  const bool cross = asked["cross"] == "yes";
  const python_environment e = environment_at(asked, os, asked["own"]);
  const bool tool = has_pip(asked, os) || (!cross && is_on_path(os, "uv"));
  const fix_lines line = typed(install_wheels(e, order));
  const string configure = asked["configure"];
  if (cross && !tool && !line.empty()) {
    return {advice(format("with a Python that has pip: %s && %s", line.front().text, configure))};
  }
  if (!tool || line.empty()) return {say_in_words(asked, order)};
  if (asked["configure_is"] == "command") {
    return {command(format("%s && %s", line.front().text, configure))};
  }
  return {line.front(), advice(configure)};
}

/// The one that is recorded there and was asked for: pip would say that it is installed already.
static const installed_wheel* recorded(const request& asked, const python_environment& e,
                                       const string& requirement, const string& floor) {
  const string name = requirement.substr(0, requirement.find_first_of("=<>"));
  const installed_wheel* const wheel = find_wheel(e, name);
  const bool fits = wheel != nullptr &&
                    answers_request(asked, parse_version(wheel->number), floor, asked["release"]);
  return fits ? wheel : nullptr;
}

static bool has_any_cudnn(const python_environment& e) {
  for (const installed_wheel& wheel : e.wheels) {
    if (is_cudnn_wheel(wheel.name)) return true;
  }
  return false;
}

fix_lines install_cudnn_of_request(const request& asked, const system_interface& os,
                                   const string& floor) {
  const bool cross = asked["cross"] == "yes";
  string site = cross ? string() : site_to_install(asked, os);
  python_environment e;
  if (!site.empty()) e = environment_at(asked, os, site);
  const wanted_cuda_major cuda = choose_cuda(asked, os, e, floor);
  const string requirement = requirement_of_request(asked, cuda.major, floor, asked["release"]);
  if (requirement.empty()) return {say_there_is_none(asked, cuda, floor)};

  // What another package requires stays, and nothing new comes into what a distribution manages.
  if (needs_its_cudnn(os, e) || (e.managed && !has_any_cudnn(e))) site.clear();
  if (site.empty()) e = environment_at(asked, os, asked["own"]);
  wheel_order order = order_of(e, requirement);
  const installed_wheel* const same = recorded(asked, e, requirement, floor);
  if (same != nullptr) {
    order.again = true;
    order.requirements.front() = format("%s==%s", same->name, same->number);
  }
  if (!cuda.toolkit) {
    const cuda_parts missing = missing_parts(os, e, "cudnn", cuda.major);
    const vector<string> parts = cross ? missing.to_compile : missing.all();
    order.requirements.insert(order.requirements.end(), parts.begin(), parts.end());
  }
  if (cross) add_platform(asked["machine"], order);
  if (site.empty()) return install_below(asked, os, order);
  const fix_lines line = typed(install_wheels(e, order));
  return line.empty() ? fix_lines{say_in_words(asked, order)} : line;
}

// A cuDNN that no package records names the cuBLAS that it opens.
static int cuda_of_library(const system_interface& os, const string& library) {
  loader search(os);
  observation seen;
  cudnn_file file;
  const string directory = directory_part(library);
  vector<string> names;
  (void)os.list(directory, "libcudnn", names);
  for (const string& name : names) {
    const string path = join_path(directory, name);
    const int major = run_path_cuda_major(read_elf(os, path, 0));
    cudnn_file one;
    one.name = name;
    one.path = path;
    one.build_id = read_elf(os, path, 0).build_id;
    for (const release& r : identify(one).releases) {
      if (r.cuda_major != 0) return r.cuda_major;
    }
    if (major != 0) return major;
  }
  return newest_cuda();
}

// pip calls a runtime installed of which files are missing.
static void reinstall_broken_runtime(const system_interface& os, const python_environment& e,
                                     int cuda_major, wheel_order& order) {
  const string name = wheel_for_cuda(cudart_wheel, cuda_major);
  const installed_wheel* const wheel = find_wheel(e, name);
  if (wheel == nullptr || parse_version(wheel->number).major != cuda_major) return;
  const string place =
      format("%s/nvidia/%s", e.site,
             cuda_major < 13 ? string("cuda_runtime") : format("cu%d", cuda_major));
  if (exists(os, format("%s/lib/libcudart.so.%d", place, cuda_major)) &&
      exists(os, place + "/include/cuda_runtime_api.h")) {
    return;
  }
  vector<string> others;
  others.push_back(format("%s==%s", name, wheel->number));
  for (const string& requirement : order.requirements) {
    if (requirement.substr(0, requirement.find_first_of("=<>")) != name) {
      others.push_back(requirement);
    }
  }
  order.requirements = others;
  order.again = true;
}

fix_lines install_runtime(const request& asked, const system_interface& os) {
  const string site = asked["site"];
  const int known = asked.number("cuda");
  const int cuda = known != 0 ? known : cuda_of_library(os, asked["library"]);
  python_environment e;
  if (!site.empty()) e = environment_at(asked, os, site);
  wheel_order order;
  if (known == 0 && e.wheels.empty()) {
    e = environment_at(asked, os, asked["own"]);
    order.requirements = missing_parts(os, e, asked["folder"], cuda).to_compile;
    return install_below(asked, os, order);
  }
  const cuda_parts missing = missing_parts(os, e, asked["folder"], cuda);
  order.requirements = missing.all();
  if (known != 0) reinstall_broken_runtime(os, e, cuda, order);
  if (missing.to_compile.empty() && !order.again) return {};
  string line = install_wheels(e, order);
  const string then = asked["then"];
  if (!then.empty()) line += " && " + then;
  const fix_lines fix = typed(line);
  return fix.empty() ? fix_lines{say_in_words(asked, order)} : fix;
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
