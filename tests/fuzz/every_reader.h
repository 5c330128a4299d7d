// SPDX-License-Identifier: BSD-3-Clause
//
// Every reader of bytes that come from outside, on the same input: whatever it is, each must end,
// and touch nothing that is not its own.
#pragma once

#include <string>

#include "core/catalogue/catalogue.h"
#include "core/elf/elf_image.h"
#include "core/elf/elf_sections.h"
#include "core/json/json.h"
#include "core/library/asked_names.h"
#include "core/library/data_names.h"
#include "core/library/library_file.h"
#include "core/library/symbol_versions.h"
#include "core/library/symbols.h"
#include "core/linux/loader_cache.h"
#include "core/model/library_name.h"
#include "core/model/stamp.h"
#include "core/observe/observe.h"
#include "core/pe/pe_file.h"
#include "core/pe/pe_symbols.h"
#include "laboratory/sweep/errata/errata.h"
#include "laboratory/sweep/model/line.h"
#include "unit/fake_system.h"

namespace test {

using namespace cudnn_checked;

inline void read_as_elf(const arena_string& bytes) {
  const memory_source source(bytes);
  for (const int machine : {0, 62}) read_library(source, machine);
  arena_vector<elf_section> sections;
  read_elf_sections(source, 0, source.size(), sections);
  read_asked_roles(source);
  // Their tables lie where a file chooses, which a change at random seldom hits.
  const auto* const note = reinterpret_cast<const unsigned char*>(bytes.data());
  for (const unsigned alignment : {4U, 8U}) {
    build_id_in_note(note, bytes.size(), alignment);
  }
  fake_system os;
  os.files["/input"] = bytes;
  read_library(os, "/input", 0);
  for (const auto kind : {symbol_kind::called, symbol_kind::exported}) {
    read_symbols(os, "/input", kind, "cudnn");
  }
  exports_symbol(os, "/input", "cudnnCreate");
  read_versions(os, "/input");
  read_data_names(os, "/input");
  observation observed;
  observe_program_code(os, "/input", observed);
}

inline void read_as_pe(const arena_string& bytes) {
  const memory_source source(bytes);
  for (const int machine : {0, 62}) read_pe(source, machine);
  read_pe_asked_roles(source);
  fake_system os;
  os.files["/input"] = bytes;
  for (const auto kind : {symbol_kind::called, symbol_kind::exported}) {
    read_pe_symbols(os, "/input", kind, "cudnn");
    read_pe_symbols(os, "/input", kind, "");
  }
  pe_exports_symbol(os, "/input", "cudnnCreate");
}

inline void read_as_text(const arena_string& bytes) {
  read_loader_cache(bytes, "libcu", 0x0303);
  arena_string error;
  json tree;
  if (parse_json(bytes, tree, error)) {
    // What is printed is read back as the same.
    json again;
    if (!parse_json(tree.print(), again, error) || again.print() != tree.print()) {
      __builtin_trap();
    }
  }
  stamp stamped;
  parse_stamp(bytes, stamped, error);
  role_of_name(bytes);
  major_of_name(bytes);
  identify_build_id(bytes);
  parse_version(bytes);
}

inline void read_as_records(const arena_string& bytes) {
  fake_system os;
  const arena_string library = "/opt/lib/libcudnn.so.9";
  os.files[library] = "";
  os.files["/opt/nvidia_cudnn_cu13-9.14.0.64.dist-info/RECORD"] = bytes;
  os.files["/opt/nvidia_cudnn_cu13-9.14.0.64.dist-info/METADATA"] = bytes;
  os.files["/opt/conda-meta/cudnn-9.14.0.64.json"] = bytes;
  os.files["/var/lib/dpkg/info/libcudnn9-cuda-13.list"] = bytes;
  os.files["/var/lib/dpkg/status"] = bytes;
  observation observed;
  observed.files.resize(1);
  observed.files.in_place()[0].path = observed.files.in_place()[0].real_path = library;
  observe_packages(os, observed);
}

inline void read_as_lines_of_a_worker(const std::string& bytes) {
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = bytes.find('\n', begin);
    const std::string line = bytes.substr(begin, end == std::string::npos ? end : end - begin);
    sweep::message said;
    sweep::problem problem;
    // What is read as a whole is written as the same line.
    if (sweep::read_line(line, said) && sweep::to_line(said) != line) {
      __builtin_trap();
    }
    if (sweep::read_problem(line, problem) && sweep::to_string(problem) != line) {
      __builtin_trap();
    }
  }
}

/// A rule that is added leaves a file that is read, with one rule more.
inline void read_as_errata(const std::string& text) {
  sweep::errata_file file;
  std::string error;
  if (!sweep::read_errata(text, file, error)) return;
  sweep::blocks(file, {9, 19, 0}, {}, {});
  sweep::errata_file longer;
  const std::string added = sweep::with_rules(file, {{}});
  if (!sweep::read_errata(added, longer, error) || longer.rules.size() != file.rules.size() + 1) {
    __builtin_trap();
  }
}

inline void read_everything(const arena_string& bytes) {
  read_as_elf(bytes);
  read_as_pe(bytes);
  read_as_text(bytes);
  read_as_records(bytes);
  read_as_lines_of_a_worker({bytes.data(), bytes.size()});
  read_as_errata({bytes.data(), bytes.size()});
}

}  // namespace test
