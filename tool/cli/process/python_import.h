// SPDX-License-Identifier: BSD-3-Clause
//
// Modules in a Python that is started to import them, as a user's program would.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../spawn/supervised.h"

namespace cudnn_checked::cli {

/// Takes "torch,onnxruntime" apart.  False where a word is no name of a module: `wrong` is it.
bool read_modules(const std::vector<std::string>& given, std::vector<std::string>& modules,
                  std::string& wrong);

/// The result of the imports.
enum class import_result {
  waits,       ///< all are imported, and the process waits as long as this object exists
  no_program,  ///< the interpreter cannot be executed
  no_python,   ///< it is something else
  python_2,
  no_module,  ///< there is no module of that name
  failed      ///< the import has failed, or ended the process, or takes too long
};

/// Python: imports MODULES, one after the other.
extern const char* const import_modules;

class python_import {
 public:
  /// `interpreter` is a path.  `work` is Python code that runs before the process waits; it can
  /// call tell("import", name) and tell("fact", key, value).
  python_import(const std::string& interpreter, const std::vector<std::string>& modules,
                int seconds, const char* work = import_modules);

  import_result result() const { return result_; }
  const std::string& process() const { return process_; }  ///< its number
  const std::string& version() const { return version_; }  ///< "3.11.7"
  const std::string& module() const { return module_; }    ///< that was imported last
  /// The directories of the packages whose modules were imported, or were to be.
  const std::vector<std::string>& directories() const { return directories_; }
  const std::vector<std::pair<std::string, std::string>>& facts() const { return facts_; }
  const spawn::program_end& end() const { return program_->end(); }
  /// The last lines of what was written meanwhile.
  std::string last_lines() const;
  /// The library that the loader did not find for it; empty: it says of none.
  std::string missing_library() const;

 private:
  void read_line(const std::string& line);

  std::unique_ptr<spawn::supervised_program> program_;
  import_result result_ = import_result::no_python;
  std::string process_;
  std::string version_;
  std::string module_;
  std::vector<std::string> directories_;
  std::vector<std::pair<std::string, std::string>> facts_;
};

}  // namespace cudnn_checked::cli
