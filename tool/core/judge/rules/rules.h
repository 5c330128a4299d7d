// SPDX-License-Identifier: BSD-3-Clause
//
// The rules.  Each looks at one thing, has its source in its comment, and appends what it finds.
#pragma once

#include "../../model/arena_string.h"
#include "../../model/arena_vector.h"
#include "../../model/library_name.h"
#include "../../model/paths.h"
#include "../advice/advice.h"
#include "../cudnn_set.h"
#include "../judge.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What every rule gets.
struct rule_input {
  const stamp& stamped;
  const observation& observed;
  const judge_options& options;
  bool of_install;                          ///< an install is judged, not a program
  const cudnn_set& set;                     ///< observed.files
  const arena_vector<library_role>& needs;  ///< roles of the sub-libraries that the program needs
  const cudnn_set& without_ld_path;  ///< the files as they would be with LD_LIBRARY_PATH unset
  bool ld_path_decides;              ///< a member of `set` was chosen by LD_LIBRARY_PATH

  // In a guard both are constants: it judges its own program (guard/left_out.cpp).
  bool at_configure() const;
  const unstamped_program* unstamped() const;  ///< the program without a stamp, from outside
};

using rule = void (*)(const rule_input&, arena_vector<finding>&);

/// The rule of each finding that has one of its own, `rule_cudnn_older`.
#define FINDING(identifier, ...) \
  void rule_##identifier(const rule_input& input, arena_vector<finding>& findings);
#include "../../model/findings.def"
#undef FINDING

// Those that find something in a case of its own, or several things.

// version_rules.cpp: program to cuDNN, and header to library
void rule_no_cudnn_yet(const rule_input& input, arena_vector<finding>& findings);
void rule_left_out(const rule_input& input, arena_vector<finding>& findings);

// called_rules.cpp
void rule_functions_missing(const rule_input& input, arena_vector<finding>& findings);

// install_rules.cpp: configure time
void rule_compiled_headers(const rule_input& input, arena_vector<finding>& findings);
void rule_run_path_of_probe(const rule_input& input, arena_vector<finding>& findings);
void rule_version_checks(const rule_input& input, arena_vector<finding>& findings);

// lent_rules.cpp: configure time
void rule_sublibrary_lent(const rule_input& input, arena_vector<finding>& findings);

// identity_rules.cpp
/// The shim, where its file name has the number of another major release; else null.
const found_file* shim_of_another_name(const rule_input& input);
void rule_shim_of_another_name(const rule_input& input, arena_vector<finding>& findings);

// absent_rules.cpp
void rule_record_incomplete(const rule_input& input, arena_vector<finding>& findings);
void rule_passed_over(const rule_input& input, arena_vector<finding>& findings);

// dependency_rules.cpp
/// Does cuDNN, or what the program is for, not work without that library?
bool role_is_needed(const rule_input& input, library_role role);
void rule_version_missing(const rule_input& input, arena_vector<finding>& findings);

// cudnn_gpu_rules.cpp
void rule_gpu_of_cudnn(const rule_input& input, arena_vector<finding>& findings);

// known_defects.cpp
void rule_known_bad(const rule_input& input, arena_vector<finding>& findings);

// framework_defects.cpp: a program without a stamp
void rule_gpu_of_framework(const rule_input& input, arena_vector<finding>& findings);
void rule_framework_defects(const rule_input& input, arena_vector<finding>& findings);

// gpu_rules.cpp
void rule_architecture(const rule_input& input, arena_vector<finding>& findings);

// start_rules.cpp: a program that is judged from outside
void rule_start_missing(const rule_input& input, arena_vector<finding>& findings);
void rule_start_corrupt(const rule_input& input, arena_vector<finding>& findings);
void rule_start_symbols(const rule_input& input, arena_vector<finding>& findings);

// requirement_rules.cpp: what the package of a program without a stamp asks for
void rule_required_release(const rule_input& input, arena_vector<finding>& findings);
void rule_required_cuda(const rule_input& input, arena_vector<finding>& findings);
/// Adds to a finding who opens cuDNN, where that is known, and what is required.
void tell_opened(const unstamped_program& program, finding& f);
void tell_requirement(const cudnn_requirement& asked, finding& f);

// unstamped_rules.cpp: a program without a stamp
void rule_second_runtime(const rule_input& input, arena_vector<finding>& findings);
void rule_needed_driver(const rule_input& input, arena_vector<finding>& findings);
void rule_renamed_shim(const rule_input& input, arena_vector<finding>& findings);
void rule_needs_preload(const rule_input& input, arena_vector<finding>& findings);

// convolution_rules.cpp: configure time
void rule_gpus_unusable(const rule_input& input, arena_vector<finding>& findings);

// kernel_rules.cpp: configure time, the project's own CUDA compiler
void rule_kernel(const rule_input& input, arena_vector<finding>& findings);

/// Is what is judged a prediction by rules that do not hold for this program?
bool rests_on_other_rules(const rule_input& input);

/// The device code of the program that is worth judging; empty where it has none or it is not
/// known.
arena_vector<code_container> code_of_program(const rule_input& input);

/// Tells its index, its architecture and its name.
void tell_gpu(finding& f, const char* pattern, const gpu& device);

/// Makes notes of the findings from that one on.
void make_notes(std::size_t first, arena_vector<finding>& findings);

/// The summary and the fix for a missing or unusable driver.
const char* driver_summary(const driver_facts& driver);
void tell_driver_fix(finding& f, const observation& observed);

/// "sm_75, sm_86, compute_86 (PTX)"; "nothing".
arena_string list_of_code(const arena_vector<device_code>& codes);

/// Tells its release, the CUDA that it knows, and its file.
void tell_driver(finding& f, const driver_facts& driver);

/// "0.002", "1.4e-07".
arena_string two_digits(double value);

/// "relative error 1.4", "12 elements never written"; of a fused operation also "31 of the bound,
/// relative error 0.12", "12 elements are NaN or infinite".
arena_string error_text(const convolution& c);

/// The defects of this release, on the GPU of the run, that name all of its operation.
void add_known_defects(const rule_input& input, const convolution& run, finding& f);

inline constexpr char leave_out_operation[] =
    "leave this operation out of CuDNNChecked_OPERATIONS if the program does not call it";

/// Whether one of the defects is in every later release too: then no other cuDNN can be advised.
bool may_be_in_every_release(const finding& f);

/// The GPU of a run; there is at least one.
const gpu& gpu_of_run(const observation& observed, const convolution& run);

/// What to type so that the program carries machine code for a GPU.
arena_string fix_by_architecture(const arena_vector<code_container>& containers, const gpu& device);

/// A line for the file that came before this one and was not taken; none where there is none.
void add_not_taken(const cudnn_file& file, finding& f);

/// Two files of one role are mapped that are of different releases.
bool has_two_cudnns(const rule_input& input);

/// Tells for which machine a file is, and, with the first of them, for which it ought to be and
/// who needs it.
void tell_wrong_machine(const found_file& file, arena_string of_whom, bool first, finding& f);

/// "nvidia-cudnn-cu13==9.14.0.*", or the range that is as good where there is no such package.
arena_string requirement_of_cudnn(version number, int cuda_major, cudnn_kind kind);

/// The command that makes the cuDNN of an environment the one that is wanted, and the only one.
fix_line install_in_environment(const rule_input& input, const python_environment& e,
                                cudnn_kind kind);

/// The same with another requirement, which is one of `wheel`.
fix_line install_the_only_cudnn(const python_environment& e, arena_string wheel,
                                arena_string requirement);

/// The package that has brought its own copy of that library again: torch, ctranslate2; empty where
/// none has.
fix_lines bring_copy_again(const rule_input& input, arena_string path);

/// The cuDNN of a package that has an extra for it, by that extra; empty where it has none.
fix_lines install_by_extra(const rule_input& input, const python_environment& e);

/// The same command for whichever installer has put the file there; empty if that is not known.
fix_lines fix_of_package(const rule_input& input, arena_string path, cudnn_kind kind);

/// The same where it lies in no Python environment.
fix_lines fix_of_owner(const rule_input& input, arena_string path);

/// The commands that install a full cuDNN where the loader looks; 0: the CUDA major is not known.
fix_lines install_cudnn_of_cuda(const rule_input& input, int major, int cuda_major);

/// The CUDA major of the package that is wanted; 0 where that is not known.
int wanted_cuda(const rule_input& input);

/// "==9.14.0.*" where there is such a package, else the range that the program can run on.
arena_string pinned(arena_string wheel, version number, int cuda_major);

/// May the program run on that release?  At configure time every one will do.
bool suits_program(const rule_input& input, version number);

/// Whether the files are of several releases only because the loader takes files in place of those
/// that a package has lost, or that this user may not read.
bool mixed_by_absence(const rule_input& input);

/// Whether no file of that role is found and a package's record lists one: then the rule about
/// records reports it.
bool is_told_by_record(const rule_input& input, library_role role);

/// True where it is known that the set computes without a library of that role.
bool is_spared(const rule_input& input, library_role role);

/// The command that installs the same release of a package again, in its own environment.
/// Where a package without a stamp is called for one CUDA, as what it is to run on is, and was
/// built for another, `built`: that it is this package that has to be replaced
/// (TransformerEngine#2040). False where it is not so.
bool tell_other_build(const rule_input& input, int built, int around, finding& f);

fix_line reinstall_package(const rule_input& input, const package_record& package);

/// Fills in that a package lacks what its record lists; `which` is "a library", "2 libraries".
void tell_listed(const absent_file& file, const arena_string& which, const arena_string& names,
                 finding& f);

/// The CUDA major that the library of that name belongs to; a name without a number: cuDNN's.
int cuda_major_of_library(const rule_input& input, arena_string name);

/// Adds the command that installs a library that cuDNN or the program needs at that place, or on
/// the loader's path.
void tell_install_library(const rule_input& input, arena_string name, arena_string place,
                          finding& f);

/// Does loading such a file end in an error?
bool is_corrupt(file_state state);

/// True if the file is whole and only this user's permissions or this mount keep it from being
/// loaded; the finding then gets the fix.
bool tell_access(const found_file& file, finding& f);

/// Can its code not be mapped?  A guard's loader does not ask.
bool is_unmapped(const found_file& file);

/// The file whose release decides: the graph library, or the shim where that is not known.
const cudnn_file* deciding_file(const rule_input& input);

/// ", NAME" behind others.
void append_name(arena_string name, arena_string& names);

/// The releases of the set, or of the shim's own install if another one lends the graph library.
arena_vector<release> own_releases(const rule_input& input);

/// The fix for a file of cuDNN at that path whose package has to be installed again.
fix_lines reinstall_fix(const rule_input& input, arena_string path);

/// The directory of the real file, unless a link leads to a file of another name.
arena_string directory_of_file(const cudnn_file& file);

/// The first file that is for that CUDA major alone: shims of one release are often the same.
const cudnn_set::member& telling_member(const cudnn_set& set, int major);

/// The CUDA major of the files that compute; 0 if they are for several, or it is not known.
int cuda_major_of_set(const rule_input& input);

bool may_be_for(const file_identity& identity, int cuda_major);

/// The shim only forwards.  At run time an older minor one over a coherent set still reaches all
/// that the program was compiled against; a newer one may forward to what is not there.
bool only_the_shim_is_older(const rule_input& input, const release& most);

/// No order of the program's first calls leads to files of one release.
bool mixed_in_every_order(const rule_input& input);

/// The observation's files, as they would be in another order of calls.
arena_vector<cudnn_file> files_in_order(const rule_input& input, const order_variant& order);

/// The fix if LD_LIBRARY_PATH brings the wrong files and the right ones are there without it; empty
/// if that would not help.
fix_lines fix_by_environment(const rule_input& input);

/// The directory of that path for a person to type: without ".." where no symbolic link makes
/// another one of it.
arena_string typed_directory(const rule_input& input, const arena_string& path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
