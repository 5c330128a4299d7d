// SPDX-License-Identifier: BSD-3-Clause
//
// Faults that end a program before any of its code runs: ld.so(8).  The loader's own words for each
// were seen with glibc 2.36.
#include "../../model/cuda_major.h"
#include "../../model/cudnn_major.h"
#include "../../model/dependency_names.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_of_cudnn(const start_library& library) { return is_cudnn_path(library.name); }

static bool is_not_found(const start_library& library) {
  return library.state == file_state::missing || library.state == file_state::unreadable;
}

static void add_places(const start_library& library, finding& f) {
  f.expected = {"needed", library.name,
                "by " + library.asked_by + (library.delayed ? ", when a function is called" : "")};
  if (library.state == file_state::unreadable) {
    f.found = {"found", "a file without read permission", where_of(library)};
  }
  for (const searched_place& place : library.looked_in) {
    arena_string where = to_string(place.chosen_by);
    if (place.chosen_by.from_working_directory) where += ", relative to the working directory";
    if (place.closed) {
      where += ", which this user may not search";
      tell(f, ">let this user search it: chmod a+x %s", quoted(place.directory));
    }
    const fact line{"looked in", place.directory, where};
    if (f.found.label.empty()) {
      f.found = line;
    } else {
      f.more.push_back(line);
    }
  }
  f.because = failed_start(library, library.delayed);
}

static arena_string number_text(int number) { return to_string(number); }

// The CUDA major of the stamp, else of the runtime that the program NEEDs; 0: not known.
static int start_cuda_major(const rule_input& input) {
  if (input.stamped.toolkit.known()) return input.stamped.toolkit.major;
  for (const start_library& library : input.observed.start.libraries) {
    if (kind_of_dependency(library.name) == dependency_kind::cudart)
      return major_of_name(library.name);
  }
  return 0;
}

// A copy that the program could use as it is: of its major, no older minor, for its CUDA.
static const cudnn_place* fitting_place(const rule_input& input, int major) {
  const int cuda = start_cuda_major(input);
  for (const cudnn_place& place : input.observed.start.elsewhere) {
    if (place.number.major != major) continue;
    if (input.stamped.cudnn_header.major == major &&
        place.number.minor < input.stamped.cudnn_header.minor)
      continue;
    if (cuda != 0 && place.cuda_major != 0 && cuda != place.cuda_major) continue;
    return &place;
  }
  return nullptr;
}

/// A directory that the loader looks in and that is a wheel's: one of the run path before one that
/// a variable names; empty where none is.
static arena_string wheel_place(const rule_input& input, const start_library& library,
                                const char* folder) {
  for (const bool own : {true, false}) {
    for (const searched_place& place : library.looked_in) {
      const arena_string directory = plain_directory(place.directory);
      if (directory.find(folder) == arena_string::npos || place.chosen_by.by_run_path() != own)
        continue;
      if (environment_of(input.observed, directory) != nullptr) return directory;
    }
  }
  return {};
}

/// A cuDNN of a Python environment needs the libraries of CUDA that lie beside it.
static fix_line library_path_with(const rule_input& input, arena_string directory) {
  const arena_string value = input.observed.ld_library_path;
  const python_environment* const e = environment_of(input.observed, directory + "/");
  return e == nullptr ? prepend_library_path(directory, value)
                      : prepend_environment(*e, directory, value);
}

/// Has the environment CUDA's libraries of one CUDA, and the package needs that of another?
static bool is_for_other_cuda(const rule_input& input, const start_library& library,
                              const python_environment& e, finding& f) {
  switch (kind_of_dependency(library.name)) {
    case dependency_kind::cublas:
    case dependency_kind::cublaslt:
    case dependency_kind::cudart:
    case dependency_kind::nvrtc:
    case dependency_kind::nvjitlink:
      break;
    default:
      return false;
  }
  for (const cuda_major_row& row : cuda_majors) {
    const bool is_there = any_of(e.wheels, [&row](const installed_wheel& wheel) {
      return wheel.name == wheel_for_cuda(cublas_wheel, row.number) ||
             wheel.name == wheel_for_cuda(cudart_wheel, row.number);
    });
    if (is_there && tell_other_build(input, major_of_name(library.name), row.number, f))
      return true;
  }
  return false;
}

/// The loader is to be led to what is installed where it does not look.
static void tell_way_to_wheel(const rule_input& input, const start_library& library, finding& f) {
  const int major = cuda_major_of_library(input, library.name);
  for (fix_line& line : f.fix.in_place()) {
    if (line.steps.empty() || line.steps.front().what != repair_kind::wheels) continue;
    const repair& step = line.steps.front();
    const arena_string folder =
        step.where.site + folder_of_toolkit_wheel(step.order.requirements.front(), major);
    const bool looked = any_of(library.looked_in, [&folder](const searched_place& place) {
      return plain_directory(place.directory) == folder + "/";
    });
    if (looked) continue;
    line = then(line, prepend_environment(step.where, folder, input.observed.ld_library_path));
  }
}

/// If the program does not search the libraries of CUDA in its environment, the needed one may be
/// among them; if it does, it is not there.
static void tell_library(const rule_input& input, const start_library& library, finding& f) {
  const arena_string place = wheel_place(input, library, "/nvidia/");
  const python_environment* const e = environment_of(input.observed, place);
  if (e != nullptr && !e->libraries.empty()) {
    bool looked = false;
    for (const searched_place& searched : library.looked_in) {
      for (const arena_string directory : e->libraries) {
        looked = looked || plain_directory(searched.directory) == plain_directory(directory);
      }
    }
    if (!looked) {
      const arena_string value = input.observed.ld_library_path;
      f.fix.push_back(prepend_environment(*e, e->libraries[0], value));
    }
  }
  if (e != nullptr && is_for_other_cuda(input, library, *e, f)) return;
  // If a package searches no wheel's folder, the library is installed in the package's own
  // environment.
  tell_install_library(input, library.name, e == nullptr ? library.asked_by : place, f);
  tell_way_to_wheel(input, library, f);
}

static finding cudnn_is_not_found(const rule_input& input, const start_library& library) {
  const int major = major_of_name(library.name);
  finding f(finding_id::cudnn_not_found);
  f.summary = "the loader finds no " + library.name + " for this program";
  add_places(library, f);
  if (!input.observed.start.other_majors.empty() && !is_renamed(library.name)) {
    const start_library& other = input.observed.start.other_majors.front();
    f.id = finding_id::cudnn_major;
    f.summary = "this program needs cuDNN " + number_text(major) +
                ", and the loader finds only cuDNN " + number_text(major_of_name(other.name));
    f.found = {"found", other.name, where_of(other)};
    f.more.clear();
  }
  const cudnn_place* fitting = fitting_place(input, major);
  if (tell_access(library, f)) return f;
  if (is_renamed(library.name)) {
    tell(f, "a copy of cuDNN is missing that its package renamed: %s", library.name);
    f.fix = bring_copy_again(input, library.asked_by);
    if (f.fix.empty()) tell(f, ">reinstall the package of %s", library.asked_by);
  } else if (fitting != nullptr) {
    f.more.push_back({"not looked in", fitting->directory, "cuDNN " + to_string(fitting->number)});
    f.fix = {library_path_with(input, fitting->directory)};
  } else {
    const arena_string place = wheel_place(input, library, "/nvidia/cudnn");
    const python_environment* const e = environment_of(input.observed, place);
    if (e != nullptr && !has_graph_library(major)) {
      // The installed cuDNN is of another major release and says nothing about this one.
      const arena_string which = wheel_of_cudnn(major, start_cuda_major(input), cudnn_kind::full);
      f.fix = {install_the_only_cudnn(*e, name_of_order(which), which)};
    } else if (e != nullptr) {
      f.fix = install_by_extra(input, *e);
      if (f.fix.empty()) f.fix = fix_of_package(input, place, cudnn_kind::any);
    }
    if (!f.fix.empty()) return f;
    f.fix = install_cudnn_of_cuda(input, major, start_cuda_major(input));
  }
  return f;
}

// A program whose person has installed a newer cuDNN is older than what is wanted.
static finding cudnn_of_start(const rule_input& input, const start_library& library) {
  finding f = cudnn_is_not_found(input, library);
  const observation& seen = input.observed;
  const bool older =
      f.id == finding_id::cudnn_major && seen.start.stamped == answer::yes &&
      major_of_name(library.name) < major_of_name(seen.start.other_majors.front().name);
  if (!older || fitting_place(input, major_of_name(library.name)) != nullptr) return f;
  fix_lines fix = {advice("build it again, in its build directory: cmake --build .")};
  append(f.fix, fix);
  f.fix = fix;
  return f;
}

// CUDA Driver API: libcuda.so.1 comes with the driver, never with a package of a toolkit.
static finding driver_is_not_found(const rule_input& input, const start_library& library) {
  finding f(finding_id::driver_missing);
  if (library.state == file_state::unreadable) f.weight = severity::unknown;
  f.summary = input.observed.driver.present == answer::no
                  ? driver_summary(input.observed.driver)
                  : "the loader does not find the NVIDIA driver for this program";
  add_places(library, f);
  tell_driver_fix(f, input.observed);
  return f;
}

// A library that others have loaded is not searched for again.
static void tell_dlopen_fails(std::size_t first, arena_vector<finding>& findings) {
  for (std::size_t i = first; i < findings.size(); ++i) {
    tell(findings.in_place()[i], ".%s of it fails, unless the process has loaded %s before.",
         call_that_opens(), findings[i].expected.value);
  }
}

/// A NEEDED entry that is a path is opened as it is, and nothing is searched: the library was
/// linked without a SONAME (System V ABI, "Shared Object Dependencies").
static finding path_is_not_there(const start_library& library) {
  finding f(role_of_name(base_name(library.name)) == library_role::shim
                ? finding_id::cudnn_not_found
            : is_of_cudnn(library) ? finding_id::sublibrary_missing
                                   : finding_id::dependency_missing);
  tell(f,
       "a library that this program names by its path is not there: %s\n"
       "=needed|%s|by %s\n"
       ":found|no such file|%s\n"
       ".%s\n"
       ">install in %s what has it\n"
       ">link %s again, with a library that has a SONAME",
       base_name(library.name), library.name, library.asked_by, directory_part(library.name),
       failed_start(library, library.delayed), directory_part(library.name), library.asked_by);
  return f;
}

void rule_start_missing(const rule_input& input, arena_vector<finding>& findings) {
  if (rests_on_other_rules(input)) return;
  const std::size_t first = findings.size();
  for (const start_library& library : input.observed.start.libraries) {
    if (!is_not_found(library)) continue;
    if (library.name == driver_library_name()) {
      findings.push_back(driver_is_not_found(input, library));
      continue;
    }
    if (library.state == file_state::missing &&
        library.chosen_by.reason == choice_reason::own_path) {
      findings.push_back(path_is_not_there(library));
      continue;
    }
    if (is_of_cudnn(library) && role_of_name(library.name) == library_role::shim) {
      findings.push_back(cudnn_of_start(input, library));
      continue;
    }
    finding f(is_of_cudnn(library) ? finding_id::sublibrary_missing
                                   : finding_id::dependency_missing);
    f.summary = (is_of_cudnn(library) ? "a sub-library of cuDNN is missing: "
                                      : "a library that this program needs is missing: ") +
                library.name;
    add_places(library, f);
    if (tell_access(library, f)) {
    } else if (is_of_cudnn(library)) {
      f.fix = fix_of_package(input, library.asked_by, cudnn_kind::any);
      if (f.fix.empty()) tell(f, ">let the loader find a whole cuDNN");
    } else {
      tell_library(input, library, f);
    }
    findings.push_back(f);
  }
  const unstamped_program* const program = input.observed.unstamped;
  if (program != nullptr && program->is_library) tell_dlopen_fails(first, findings);
}

void rule_start_corrupt(const rule_input& input, arena_vector<finding>& findings) {
  if (rests_on_other_rules(input)) return;
  for (const start_library& library : input.observed.start.libraries) {
    if (is_not_found(library) || library.state == file_state::whole) continue;
    const bool foreign = library.state == file_state::foreign;
    finding f(foreign ? finding_id::wrong_machine : finding_id::library_corrupt);
    f.summary =
        format("%s is %s: %s",
               is_of_cudnn(library) ? "a library of cuDNN" : "a library that this program needs",
               foreign                                ? "for another machine"
               : library.state == file_state::no_exec ? "on a file system that is mounted noexec"
                                                      : "damaged",
               library.name);
    if (foreign) {
      tell_wrong_machine(library, "by " + library.asked_by, true, f);
    } else {
      f.expected = {"expected", "a whole library", "needed by " + library.asked_by};
      f.found = {"found", describe_state(library), where_of(library)};
    }
    f.because = failed_start(library, library.delayed);
    const python_environment* const e = environment_of(input.observed, library.path);
    const fix_lines again =
        is_of_cudnn(library) ? bring_copy_again(input, library.path) : fix_lines();
    if (tell_access(library, f)) {
    } else if (!again.empty()) {
      f.fix = again;
    } else if (e != nullptr && is_of_cudnn(library)) {
      f.fix = fix_of_package(input, library.path, cudnn_kind::any);
    } else if (e != nullptr) {
      tell_install_library(input, library.name, library.path, f);
    } else {
      tell(f, ">reinstall the package that contains %s", library.path);
    }
    if (library.chosen_by.reason == choice_reason::ld_library_path) {
      f.fix.push_back(
          remove_from_library_path(library.chosen_by.index, input.observed.ld_library_path));
    }
    findings.push_back(f);
  }
}

// A function that is called and exists nowhere: glibc, elf/dl-lookup.c ("undefined symbol" where
// all is bound at the start, "symbol lookup error" at the first call).
void rule_start_symbols(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<missing_symbol>& missing = input.observed.start.missing_symbols;
  if (missing.empty()) return;
  const start_library* cudnn = nullptr;
  for (const start_library& library : input.observed.start.libraries) {
    if (cudnn == nullptr && is_of_cudnn(library)) cudnn = &library;
  }
  if (cudnn == nullptr) return;
  bool now = false;
  finding f(finding_id::cudnn_older);
  const bool known = input.set.effective.known();
  const arena_string subject =
      known ? "cuDNN " + to_string(input.set.effective) : "the cuDNN that would be loaded";
  f.summary = subject + " lacks " +
              (missing.size() == 1 ? "a function that is called: " + missing.front().name
                                   : to_string(missing.size()) + " functions that are called");
  for (const missing_symbol& symbol : missing) {
    now = now || symbol.bind_now;
    if (f.more.size() == 8) continue;
    if (f.expected.label.empty()) {
      f.expected = {"calls", symbol.name, symbol.asked_by};
    } else {
      f.more.push_back({"calls", symbol.name, symbol.asked_by});
    }
  }
  f.found = {"would load", known ? to_string(input.set.effective) : "unknown", where_of(*cudnn)};
  f.because = failed_call(now);
  const cudnn_place* fitting = fitting_place(input, major_of_name(cudnn->name));
  f.fix = fix_by_environment(input);
  if (f.fix.empty() && fitting != nullptr) f.fix = {library_path_with(input, fitting->directory)};
  if (f.fix.empty()) f.fix = fix_of_package(input, cudnn->path, cudnn_kind::any);
  if (f.fix.empty()) {
    version built = input.stamped.cudnn_header;
    tell(f, ">let the loader find cuDNN %s or newer before %s",
         built.known() ? format("%s", as_cuda(built)) : "of the release that it was built with,",
         directory_part(cudnn->path));
  }
  findings.push_back(f);
}

bool is_driver_library(arena_string name) {
  return name == driver_library_name() || name == "libnvidia-ml.so.1";
}

static bool ends_program(const program_start& start, bool with_driver) {
  if (start.executable == answer::no || !start.missing_interpreter.empty()) return true;
  if (start.known_loader == answer::unknown) return false;
  if (!start.missing_versions.empty()) return true;
  for (const start_library& library : start.libraries) {
    const bool missing = library.state == file_state::missing;
    if (missing && with_driver && is_driver_library(library.name)) continue;
    if (missing || library.state == file_state::foreign || ends_search(library.state)) return true;
  }
  return any_of(start.missing_symbols,
                [&](const missing_symbol& symbol) { return symbol.bind_now; });
}

bool start_ends_program(const program_start& start) { return ends_program(start, false); }

bool start_hides_cudnn(const program_start& start) { return ends_program(start, true); }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
