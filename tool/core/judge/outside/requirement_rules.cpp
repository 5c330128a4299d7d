// SPDX-License-Identifier: BSD-3-Clause
//
// What the package of a program without a stamp asks for.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "../../model/platform_words.h"
#include "../../model/unstamped_program.h"
#include "../advice/wheel_commands.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fix_lines install_by_extra(const rule_input& input, const python_environment& e) {
  const unstamped_program* const program = input.unstamped();
  if (program == nullptr || program->requirement.by_extra.requirements.empty()) return {};
  const cudnn_requirement& asked = program->requirement;
  // One that has the same folder would have to go first, and pip brings no extra by force.
  const bool shares = any_of(e.wheels, [&asked](const installed_wheel& other) {
    return share_a_folder(asked.wheel, other.name) && other.name != asked.wheel;
  });
  return shares ? fix_lines() : fix_lines{install_wheels(e, asked.by_extra)};
}

static arena_string name_of_asker(const unstamped_program& program) {
  return base_name(program.asker);
}

// Where a package asks for ">=8.8" and opens libcudnn.so.8, pip would take cuDNN 9.
static arena_string bounded(const cudnn_requirement& asked) {
  const bool open = asked.text.find_first_of("<~;,") == arena_string::npos &&
                    asked.text.find(">=") != arena_string::npos;
  return open ? format("%s,<%d", asked.text, asked.least.major + 1) : asked.text;
}

static fix_lines fix_of_requirement(const rule_input& input) {
  const cudnn_requirement& asked = input.observed.unstamped->requirement;
  const python_environment* const e = environment_of(input.observed, asked.record);
  fix_lines fix = fix_by_environment(input);
  if (fix.empty() && e != nullptr) fix = install_by_extra(input, *e);
  if (!fix.empty()) return fix;
  const arena_string which =
      asked.pinned.empty() ? bounded(asked) : format("%s==%s", asked.wheel, asked.pinned);
  if (e != nullptr) return {install_the_only_cudnn(*e, asked.wheel, which)};
  return {install_wheel(
      format("%s -m pip install %s %s", python_command(),
             asked.pinned.empty() ? "--upgrade" : "--force-reinstall --no-deps", quoted(which)),
      which)};
}

void tell_opened(const unstamped_program& program, finding& f) {
  if (!program.told_by.empty()) tell(f, "+opens it|%s|%s", program.opened, program.told_by);
}

void tell_requirement(const cudnn_requirement& asked, finding& f) {
  tell(f, "=requires|%s|%s of %s", asked.least, asked.text, asked.package);
}

// The rule of a stamp (version_rules.cpp), with the least release that the package accepts in the
// place of the one that it was built with.  What the packages ask for is what they were built with
// or test themselves when they start: PyTorch, TensorFlow and JAX refuse an older one.
void rule_required_release(const rule_input& input, arena_vector<finding>& findings) {
  const unstamped_program* const program = input.observed.unstamped;
  version effective = input.set.effective;
  if (program == nullptr || !program->requirement.least.known() || !effective.known()) return;
  version least = program->requirement.least;
  const bool other_major = least.major != effective.major;
  // NVIDIA and the frameworks call an older patch of the same minor release compatible.
  const bool other_patch = !other_major && least.minor == effective.minor;
  if (!other_major && !(effective < least)) return;
  // A requirement without an upper bound, or of another file: what it NEEDs is a name with a major.
  if (program->use == cudnn_use::needed && least.major < effective.major) return;
  const cudnn_set::member* const graph = input.set.find(computing_role(input.observed.cudnn_major));
  const cudnn_set::member& told = graph == nullptr ? input.set.members.front() : *graph;
  finding& f = other_major   ? add_finding<finding_id::cudnn_major>(findings)
               : other_patch ? add_finding<finding_id::requirement_unmet>(findings)
                             : add_finding<finding_id::cudnn_older>(findings);
  tell_requirement(program->requirement, f);
  tell(f,
       "%s requires cuDNN %s and would run on cuDNN %s\n"
       ":would load|%s|%s",
       name_of_asker(*program), least, effective, effective, *told.file);
  f.fix = fix_of_requirement(input);
  tell_opened(*program, f);
}

// As for a stamped program (cuda_rules.cpp): each build of cuDNN is for one CUDA major.
void rule_required_cuda(const rule_input& input, arena_vector<finding>& findings) {
  const unstamped_program* const program = input.observed.unstamped;
  const int major = cuda_major_of_set(input);
  if (program == nullptr || major == 0) return;
  const bool by_name = program->cuda_major != 0;
  const int wanted = by_name ? program->cuda_major : program->requirement.cuda_major;
  if (wanted == 0 || wanted == major) return;
  const cudnn_set::member& told = telling_member(input.set, major);
  finding& f = add_finding<finding_id::cuda_major>(findings);
  tell(f, "this cuDNN is for CUDA %d, and %s %s CUDA %d\n:cuDNN|%s|%s", major,
       name_of_asker(*program), by_name ? "needs" : "requires one for", wanted,
       told.identity.releases, *told.file);
  if (by_name) {
    tell(f, "=needs|CUDA %d|%s of %s", wanted, program->cuda_library, program->cuda_asker);
  } else {
    tell(f, "=requires|CUDA %d|%s of %s", wanted, program->requirement.text,
         program->requirement.package);
  }
  tell_opened(*program, f);
  if (by_name && tell_other_build(input, wanted, major, f)) return;
  if (program->requirement.cuda_major == wanted) {
    f.fix = fix_of_requirement(input);
    return;
  }
  f.fix = fix_by_environment(input);
  if (!f.fix.empty()) return;
  f.fix = install_cudnn_of_cuda(input, input.observed.cudnn_major, wanted);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
