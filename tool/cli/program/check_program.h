// SPDX-License-Identifier: BSD-3-Clause
//
// The check of a program from outside: what the loader would do, then what the guard inside would
// say.  For the second part the guard's own check runs, on a view of the system in which those
// objects are mapped that the loader would have mapped by then.
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "../../core/judge/judge.h"
#include "../../core/loader/loader.h"
#include "../../core/model/packer.h"
#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "../../core/system/system_view.h"
#include "../../repair/adviser.h"
#include "../system/executable.h"
#include "../text/output.h"
#include "assumed_machine.h"

namespace cudnn_checked::cli {

/// The system as the program sees it at its first instruction.
class started_view final : public system_view {
 public:
  started_view(const system_interface& real, arena_string program)
      : system_view(real), program_(std::move(program)) {}

  void set_mapped(arena_vector<mapped_object> objects) { mapped_ = std::move(objects); }
  arena_string program_path() const override { return program_; }
  arena_vector<mapped_object> mapped_objects() const override { return mapped_; }

 private:
  arena_string program_;
  arena_vector<mapped_object> mapped_;
};

/// The objects that a process has in its memory before it loads the checked file.
struct process_memory {
  arena_vector<mapped_object> objects;
  arena_string process;  ///< "process 4711": one that runs; empty: one that is to be started
};

/// The other users of cuDNN in an environment that a repair changes.
class neighbours {
 public:
  virtual ~neighbours() = default;
  virtual repairs::sound_users of(const system_interface& os, const arena_string& site) const = 0;
};

/// The file that asks for a cuDNN, and the conditions under which it does.
struct cudnn_case {
  arena_string path = {};          ///< an ELF file: a program, or a library that a process loads
  assumed_machine machine = {};    ///< this one, if it is not given
  arena_string host_path = {};     ///< where the file is for this process, if that differs
  process_memory memory = {};      ///< names that are there are not searched for again
  arena_string import_lacks = {};  ///< as in unstamped_program
  const neighbours* others = nullptr;  ///< asked of environments that commands change; null: nobody
  packer by = packer::none;    ///< has made what the library is in: no command is tried there
  bool may_be_unused = false;  ///< an application has it and may never load it: nothing is refused
  bool in_container = false;   ///< what repairs it is typed there
};

struct program_check {
  bool stamped = false;
  bool guard_speaks = false;  ///< stamped, and the loader gets as far as the guard
  arena_string guard;         ///< stamp::guard
  verdict result = verdict::ok;
  arena_vector<finding> findings;
  arena_vector<finding> of_records;            ///< those that a guard does not say
  json report;                                 ///< schema 1, docs/report.md
  finding unstamped{finding_id::not_stamped};  ///< what is known instead of a stamp
  unstamped_program program;                   ///< what is known of one that has no stamp
  taken_cudnn takes;
  arena_vector<cudnn_file> files;      ///< of the cuDNN that it gets
  arena_vector<mapped_object> mapped;  ///< once it is loaded, what was there before included
  bool ends = false;                   ///< the loader ends it, or does not load it
  bool hides_cudnn = false;            ///< start_hides_cudnn()
  bool unknown = false;                ///< it has no stamp, and nothing says that it uses cuDNN
  arena_string asker;  ///< the file in it that uses cuDNN: with the stamp, or that NEEDs it
  release wanted;      ///< that it was built with, or the least that it requires

  bool uses_cudnn() const { return stamped || program.use != cudnn_use::none; }
  /// The shim that it gets, or the graph library if it is linked with that alone; null: none.
  const cudnn_file* shim() const;
  /// Is that shim one of these, by either of its paths?
  bool takes_one_of(const arena_vector<mapped_object>& objects) const;
  /// Whether another file NEEDs cuDNN for it, which is checked itself.
  bool asks_by_another(const arena_string& path) const {
    return program.use == cudnn_use::needed && asker != path;
  }
  /// Would it open the shim that is in memory?  That it does is guessed: all libraries of a package
  /// can have the same run path.
  bool may_open_one_of(const arena_vector<mapped_object>& objects) const {
    return program.use == cudnn_use::opened && takes_one_of(objects);
  }
};

/// Whether the commands of the findings are tried, and whether the check has a report.
enum class advising {
  on,
  off,     ///< neither
  untried  ///< a report alone
};

/// The answer to a case: which files are taken and why, the findings, and what repairs them.
program_check check_program(const system_interface& os, const cudnn_case& asked,
                            advising advice = advising::on);

struct found_stamp {
  arena_string text;
  arena_string file;  ///< that carries it
};

/// The stamps of the program; if it has none, those of its libraries that use cuDNN: each of these
/// checks itself.
arena_vector<found_stamp> stamps_of(loader& search, const arena_vector<arena_string>& libraries);

/// The judgement as the result of a check.
void tell_result(const stamp& stamped, const observation& observed, const judgement& judged,
                 const system_interface& os, const assumed_machine& machine, program_check& result);

/// The path by which the loader knows it: $ORIGIN is its directory.
arena_string path_for_loader(const system_interface& os, const arena_string& path);

/// Whether there is a finding of the same name and summary.
bool is_among(const finding& f, const arena_vector<finding>& findings);

/// Appends what is not among the findings.
void add_new(const arena_vector<finding>& more, arena_vector<finding>& findings);

/// Why a file cannot be checked; empty if it can.
struct file_error {
  arena_string text;  ///< "app: no such file"
  /// exit_unknown: it is the right file, and cannot be judged.
  exit_status status = exit_usage;
};

/// Whether the file must be for the machine that this program runs on.
enum class machines { own, any };

/// `host_path` is where the file is for this process, if that differs.
file_error look_at_file(const system_interface& os, const arena_string& path,
                        machines wanted = machines::own, const arena_string& host_path = {});

}  // namespace cudnn_checked::cli
