// SPDX-License-Identifier: BSD-3-Clause
//
// Every reader of bytes that come from outside, on the same input: whatever it is, each must end,
// and touch nothing that is not its own.
#pragma once

#include <string>

#include "core/catalogue/catalogue.h"
#include "core/elf/asked_names.h"
#include "core/elf/elf_file.h"
#include "core/elf/elf_image.h"
#include "core/elf/elf_sections.h"
#include "core/elf/symbol_versions.h"
#include "core/elf/symbols.h"
#include "core/json/json.h"
#include "core/linux/loader_cache.h"
#include "core/model/library_name.h"
#include "core/model/stamp.h"
#include "core/observe/observe.h"
#include "sweep/errata/needed_rules.h"
#include "sweep/model/line.h"
#include "unit/fake_system.h"

namespace test {

inline void read_as_elf(const cudnn_checked::string& bytes) {
  const memory_source source(bytes);
  for (const int machine : {0, 62}) cudnn_checked::read_elf(source, machine);
  cudnn_checked::vector<cudnn_checked::elf_section> sections;
  cudnn_checked::read_elf_sections(source, 0, source.size(), sections);
  cudnn_checked::read_asked_roles(source);
  // Their tables lie where a file chooses, which a change at random seldom hits.
  const auto* const note = reinterpret_cast<const unsigned char*>(bytes.data());
  for (const unsigned alignment : {4U, 8U}) {
    cudnn_checked::build_id_in_note(note, bytes.size(), alignment);
  }
  fake_system os;
  os.files["/input"] = bytes;
  cudnn_checked::read_elf(os, "/input", 0);
  for (const auto kind :
       {cudnn_checked::symbol_kind::called, cudnn_checked::symbol_kind::exported}) {
    cudnn_checked::read_symbols(os, "/input", kind, "cudnn");
  }
  cudnn_checked::exports_symbol(os, "/input", "cudnnCreate");
  cudnn_checked::read_versions(os, "/input");
  cudnn_checked::observation observed;
  cudnn_checked::observe_program_code(os, "/input", observed);
}

inline void read_as_text(const cudnn_checked::string& bytes) {
  cudnn_checked::read_loader_cache(bytes, "libcu", 0x0303);
  cudnn_checked::string error;
  cudnn_checked::json tree;
  if (cudnn_checked::parse_json(bytes, tree, error)) {
    // What is printed is read back as the same.
    cudnn_checked::json again;
    if (!cudnn_checked::parse_json(tree.print(), again, error) || again.print() != tree.print()) {
      __builtin_trap();
    }
  }
  cudnn_checked::stamp stamped;
  cudnn_checked::parse_stamp(bytes, stamped, error);
  cudnn_checked::role_of_name(bytes);
  cudnn_checked::identify_build_id(bytes);
  cudnn_checked::parse_version(bytes);
}

inline void read_as_records(const cudnn_checked::string& bytes) {
  fake_system os;
  const cudnn_checked::string library = "/opt/lib/libcudnn.so.9";
  os.files[library] = "";
  os.files["/opt/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD"] = bytes;
  os.files["/opt/nvidia_cudnn_cu13-9.14.0.64.dist-info/METADATA"] = bytes;
  os.files["/opt/conda-meta/cudnn-9.14.0.64.json"] = bytes;
  os.files["/var/lib/dpkg/info/libcudnn9-cuda-13.list"] = bytes;
  os.files["/var/lib/dpkg/status"] = bytes;
  cudnn_checked::observation observed;
  observed.files.resize(1);
  observed.files[0].path = observed.files[0].real_path = library;
  cudnn_checked::observe_packages(os, observed);
}

inline void read_as_lines_of_a_worker(const std::string& bytes) {
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = bytes.find('\n', begin);
    const std::string line = bytes.substr(begin, end == std::string::npos ? end : end - begin);
    cudnn_checked::sweep::message said;
    cudnn_checked::sweep::problem problem;
    // What is read as a whole is written as the same line.
    if (cudnn_checked::sweep::read_line(line, said) &&
        cudnn_checked::sweep::to_line(said) != line) {
      __builtin_trap();
    }
    if (cudnn_checked::sweep::read_problem(line, problem) &&
        cudnn_checked::sweep::to_string(problem) != line) {
      __builtin_trap();
    }
  }
}

/// A rule that is added leaves a file that is read, with one rule more.
inline void read_as_errata(const std::string& text) {
  cudnn_checked::sweep::errata_file file;
  std::string error;
  if (!cudnn_checked::sweep::read_errata(text, file, error)) return;
  cudnn_checked::sweep::blocks(file, {9, 19, 0}, {}, {});
  cudnn_checked::sweep::errata_file longer;
  const std::string added = cudnn_checked::sweep::with_rules(file, {{}});
  if (!cudnn_checked::sweep::read_errata(added, longer, error) ||
      longer.rules.size() != file.rules.size() + 1) {
    __builtin_trap();
  }
}

inline void read_everything(const cudnn_checked::string& bytes) {
  read_as_elf(bytes);
  read_as_text(bytes);
  read_as_records(bytes);
  read_as_lines_of_a_worker({bytes.data(), bytes.size()});
  read_as_errata({bytes.data(), bytes.size()});
}

}  // namespace test
