// SPDX-License-Identifier: BSD-3-Clause
//
// A program or library without a stamp: what its package asks for and what it NEEDs take the
// stamp's place.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A stub that the program NEEDs is mapped, and every call into it fails.  CUDA's runtime opens the
// same file by its name: that is an error where a driver is there, which the stub hides.
void rule_needed_driver(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.driver.stub) return;
  rule_driver_missing(input, findings);
  const bool needed = any_of(input.observed.start.libraries, [](const start_library& library) {
    return library.name == driver_library_name();
  });
  if (needed || input.observed.driver.kernel_module.known()) return;
  findings.in_place().back().weight = severity::note;
}

arena_string directory_of_file(const cudnn_file& file) {
  const bool same = starts_with(base_name(file.real_path), base_name(file.path));
  return directory_part(same ? file.real_path : file.path);
}

/// "cuDNN 9.5.1 for CUDA 12, whole, from /site/nvidia/cudnn/lib".
static arena_string description_of_set(const rule_input& input) {
  const cudnn_set::member* const graph = input.set.find(computing_role(input.observed.cudnn_major));
  arena_string directory;
  bool several = false;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set) continue;
    const arena_string own = directory_of_file(*m.file);
    if (directory.empty()) directory = own;
    several = several || own != directory;
  }
  if (graph != nullptr) directory = directory_of_file(*graph->file);
  const arena_vector<release> whole =
      input.set.common.empty() ? arena_vector<release>{majority(input.set)} : input.set.common;
  return format("cuDNN %s, %s, from %s%s", whole, input.set.jit_only ? "JIT-only" : "whole",
                directory, several ? " and elsewhere" : "");
}

/// Whether the import of the package was tried and failed because one of them was missing.
static bool import_has_failed(const unstamped_program& program) {
  return any_of(program.preloads, [&](const preloaded_library& library) {
    return library.name == program.import_lacks;
  });
}

// A name that is loaded is not searched for again (ld.so), so packages load the files of others
// from their wheels before they open their own.
void rule_needs_preload(const rule_input& input, arena_vector<finding>& findings) {
  const unstamped_program* const program = input.observed.unstamped;
  if (program == nullptr || program->preloads.empty()) return;
  bool cudnn = false;
  arena_string directories;
  finding f(finding_id::dependency_missing);
  for (const preloaded_library& library : program->preloads) {
    const bool first = f.expected.label.empty();
    tell(f, first ? "=needed|%s|not searched in %s" : "+needed|%s|not searched in %s", library.name,
         directory_part(library.path));
    cudnn = cudnn || role_of_name(library.name) == library_role::shim;
    const arena_string directory = directory_part(library.path);
    if ((":" + directories + ":").find(":" + directory + ":") != arena_string::npos) continue;
    directories += (directories.empty() ? "" : ":") + directory;
  }
  if (cudnn) f.id = finding_id::cudnn_not_found;
  tell(f, "as it lies, %s does not find %s", base_name(input.observed.program_path),
       program->preloads.size() == 1
           ? program->preloads.front().name
           : format("%s libraries that it needs", program->preloads.size()));
  if (import_has_failed(*program)) {
    tell(
        f,
        ".The import of its package has failed in this way: the package loads none of them first.");
  } else if (!program->not_preloaded.empty()) {
    tell(f, ".Its package does not load %s first: the import fails, unless another package does.",
         program->not_preloaded);
  } else {
    f.weight = severity::unknown;
    tell(f,
         ".%s of it fails, unless the process has loaded them before, as the import of a "
         "package can do.",
         call_that_opens());
    if (program->opener.empty()) tell(f, ">nothing, if it is loaded so");
  }
  if (!program->opener.empty()) {
    tell(f, "+opens it|%s|%s", base_name(program->opener), program->opener);
  }
  f.fix.push_back(prepend_library_path(directories, input.observed.ld_library_path));
  if (input.set.effective.known()) tell(f, "+then takes|%s", description_of_set(input));
  // A library that a process has loaded was loaded on purpose.
  for (finding& other : findings.in_place()) {
    if (other.id == finding_id::loader_override) other.weight = severity::note;
  }
  findings.push_back(f);
}

static bool is_troubled(const arena_vector<finding>& findings) {
  return any_of(findings, [&](const finding& f) {
    return f.weight == severity::error || f.weight == severity::warning;
  });
}

/// The roles of the files that nothing identifies.  If there are any, the message must not say
/// that all is well.
static arena_string roles_not_identified(const cudnn_set& set, int& count) {
  arena_string roles;
  count = 0;
  for (const cudnn_set::member& m : set.members) {
    if (!m.member_of_set || !m.identity.releases.empty()) continue;
    roles += (roles.empty() ? "" : ", ") + arena_string(to_string(m.file->role));
    ++count;
  }
  return roles;
}

/// Adds which facts were seen in memory and not predicted.
static void tell_memory(const rule_input& input, finding& f) {
  const unstamped_program& program = *input.observed.unstamped;
  if (program.use != cudnn_use::in_memory) {
    tell(f, "+loaded|not yet|%s", program.process);
    return;
  }
  int mapped = 0;
  int all = 0;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set) continue;
    ++all;
    mapped += m.file->mapped ? 1 : 0;
  }
  f.fix.clear();
  tell(f, "+in memory|%d of %d files|%s\n>nothing", mapped, all, program.process);
}

static void tell_what_it_takes(const rule_input& input, finding& f) {
  const unstamped_program& program = *input.observed.unstamped;
  const bool opened = program.use == cudnn_use::opened;
  int count = 0;
  const arena_string strange = roles_not_identified(input.set, count);
  if (strange.empty()) f.weight = severity::note;
  tell(f, "%s %s%s", base_name(input.observed.program_path),
       opened                                ? "would take, by dlopen(\"" + program.opened + "\"), "
       : program.use == cudnn_use::in_memory ? "has in its memory "
                                             : "takes ",
       description_of_set(input));
  // The shim, unless the program is linked with other libraries of cuDNN alone.
  const cudnn_set::member& first = input.set.members.front();
  const arena_vector<release>& common = input.set.common;
  if (first.file->state != file_state::missing) {
    tell(f, ":%s|%s|%s", to_string(first.file->role),
         common.empty() ? first.identity.releases : common, *first.file);
  }
  if (!program.process.empty()) tell_memory(input, f);
  if (!strange.empty()) {
    f.fix.clear();
    tell(f,
         "+not identified|%d files|%s: no build id of the catalogue, no version word, no record\n"
         ">nothing, if this cuDNN is newer than this release of CuDNNChecked",
         count, strange);
  }
  tell_opened(program, f);
  if (!program.requirement.text.empty()) tell_requirement(program.requirement, f);
  if (program.cuda_major != 0) {
    tell(f, "+needs|CUDA %d|%s of %s", program.cuda_major, program.cuda_library,
         program.cuda_asker);
  }
  tell(f, ".It has no stamp: the driver, the GPUs and the code for them are not checked.");
}

// Which cuDNN they take is decided when it has unpacked them.
static void tell_packed(const arena_string& program, const packed_program& packed, finding& f) {
  const packer_row& row = row_of(packed.by);
  tell(f, "the libraries of %s are packed in it, so no cuDNN was checked", program);
  if (!packed.names_known) {
    tell(f, ":packed|not known|%s, in one file", row.name);
  } else if (packed.of_cudnn.empty()) {
    tell(f, ":packed|no cuDNN|%s, in one file", row.name);
  } else {
    tell(f, ":packed|%s|%s, in one file", joined(packed.of_cudnn, ", "), row.name);
  }
  // Each other library of cuDNN is opened by name.
  const bool is_part = packed.names_known && packed.of_cudnn.size() == 1;
  tell(f, is_part ? ".What it lacks of cuDNN comes from wherever the loader finds it."
                  : ".It unpacks them when it starts: which cuDNN they take is not known before.");
  if (is_part) tell(f, ">%s", row.build_again);
  tell(f, ">%s", row.to_be_checked);
}

static void tell_nothing_known(const rule_input& input, finding& f) {
  const unstamped_program* const program = input.observed.unstamped;
  const bool opened = program != nullptr && program->use == cudnn_use::opened;
  f.expected = {};
  f.fix.clear();
  if (program != nullptr && program->use == cudnn_use::in_memory) {
    tell(f,
         "%s has no cuDNN in its memory\n"
         ":in memory|none|%s\n"
         ".A framework can load cuDNN when it first computes. What is not loaded was not checked.\n"
         ">run verify --pid while it computes",
         base_name(input.observed.program_path), program->process);
    return;
  }
  if (opened) {
    tell(f,
         "%s opens %s by name, and the loader finds none for it\n"
         "=opens it|%s|%s\n"
         ":found|none|in the directories that the loader searches\n"
         ".It either runs without cuDNN or fails when it opens it; which of the two is not known.\n"
         ">nothing, if it is not to use cuDNN",
         base_name(program->asker), program->opened, program->opened, program->told_by);
    append(install_cudnn_of_cuda(input, major_of_name(program->opened), wanted_cuda(input)), f.fix);
    return;
  }
  if (program != nullptr && program->packed.by != packer::none) {
    tell_packed(base_name(input.observed.program_path), program->packed, f);
    return;
  }
  if (program != nullptr && program->opens_unknown()) {
    tell(f,
         "which cuDNN %s opens is not known, so none was checked\n"
         ":opens it|not known|%s\n"
         ".It opens cuDNN itself, and in which order it searches is not known.\n"
         "$cudnn-checked verify --pid PID",
         base_name(program->asker), program->told_by);
    return;
  }
  tell(f, "nothing is known of a cuDNN of %s, so none was checked",
       base_name(input.observed.program_path));
  tell(f, no_use_of_cudnn(program == nullptr || program->dynamic));
}

// If a process runs and a library cannot be loaded, the process has not used that library so far.
static void tell_not_loadable(const rule_input& input, finding& f) {
  const arena_string path = input.observed.program_path;
  const program_start& start = input.observed.start;
  arena_string asker = path;
  arena_vector<arena_string> lacks;
  for (const start_library& library : start.libraries) {
    if (library.state != file_state::whole) lacks.push_back(library.name);
  }
  if (lacks.empty() && !start.missing_versions.empty()) {
    asker = start.missing_versions.front().asked_by;
    for (const missing_version& version : start.missing_versions) lacks.push_back(version.name);
  }
  if (lacks.empty()) return;
  f.expected = {};
  for (const cudnn_file& file : input.observed.files) {
    if (file.mapped) f.weight = severity::note;  // others use what is there
  }
  f.fix.clear();
  const std::size_t others = lacks.size() - 1;
  const arena_string more = others == 0   ? arena_string()
                            : others == 1 ? arena_string(" and another one")
                                          : format(" and %s others", others);
  tell(f,
       "%s uses cuDNN and cannot be loaded in this process\n"
       ":lacks|%s%s|NEEDED by %s\n"
       ".%s of it fails, unless the process loads what it lacks before.\n"
       "$cudnn-checked verify %s",
       base_name(path), lacks.front(), more, asker, call_that_opens(), quoted(path));
}

// The last of the rules: what the others found decides what can be said.
void rule_not_stamped(const rule_input& input, arena_vector<finding>& findings) {
  if (input.observed.start.stamped != answer::no) return;
  const bool troubled = is_troubled(findings);
  const bool ends = start_ends_program(input.observed.start);
  finding& f = add_finding<finding_id::not_stamped>(findings);
  tell(f,
       "not stamped: only the loader's search and the cuDNN that it finds are checked\n"
       "=expected|a stamp|%s\n"
       ":found|none\n"
       ">nothing\n"
       ">build it with cudnn_checked_guard()",
       input.observed.program_path);
  const unstamped_program* const program = input.observed.unstamped;
  if (troubled && program != nullptr && program->use == cudnn_use::in_memory) {
    f.weight = severity::note;
    tell(f, "not stamped: what is in the memory of the process is checked\n=expected|a stamp|%s",
         base_name(input.observed.program_path));
    return;
  }
  if (ends && program != nullptr && !program->process.empty()) {
    tell_not_loadable(input, f);
    return;
  }
  if (troubled && program != nullptr && program->use == cudnn_use::opened) {
    tell(f, "not stamped: what dlopen(\"%s\") from it would take is checked", program->opened);
    tell_opened(*program, f);
  }
  if (troubled || ends || program == nullptr) return;
  if (!input.observed.linked) {
    tell_nothing_known(input, f);
  } else if (input.set.effective.known()) {
    f.expected = {};
    tell_what_it_takes(input, f);
  } else if (!input.set.effective.known() && !input.set.members.empty()) {
    tell(f, "the release of the cuDNN that %s takes is not known\n:would load|unknown|%s",
         base_name(input.observed.program_path), *input.set.members.front().file);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
