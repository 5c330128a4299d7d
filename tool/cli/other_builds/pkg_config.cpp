// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/system/own_system.h"
#include "../../core/system/replace_file.h"
#include "../machine/choose_cudnn.h"
#include "../system/operating_system.h"
#include "../text/json_tree.h"
#include "checked_cudnn.h"
#include "cuda_headers.h"
#include "pc_file.h"
#include "written_before.h"

namespace cudnn_checked::cli {

/// Those that lie with it: a JIT-only cuDNN finds others elsewhere, where the loader has them.
static arena_vector<arena_string> sublibraries_of(const system_interface& os,
                                                  const cudnn_install& install) {
  const arena_string own = os.real_path(directory_part(install.library));
  arena_vector<arena_string> paths;
  for (const cudnn_file& file : install.observed.files) {
    if (file.role == library_role::shim || file.path.empty()) continue;
    if (os.real_path(directory_part(file.path)) == own) paths.push_back(file.path);
  }
  return paths;
}

static std::string unfit_path(const pc_contents& contents) {
  for (const arena_string& path :
       {contents.library_directory, contents.headers, contents.cuda_headers}) {
    const std::string what = unfit_character(path);
    if (!what.empty()) return std::string(path) + " has " + what;
  }
  return {};
}

static exit_status tell(const pc_contents& contents, const std::string& file, bool as_json) {
  if (as_json) {
    print_json(answer_of({{"file", file},
                          {"cudnn", contents.release},
                          {"library", contents.library},
                          {"include", contents.headers},
                          {"cuda_include", contents.cuda_headers},
                          {"sublibraries", list_of(contents.sublibraries)}})
                   .print());
    return exit_fine;
  }
  print(file + ": cuDNN " + std::string(contents.described) + ", of " +
        std::string(contents.library_directory) + "\n");
  return exit_fine;
}

exit_status write_pkg_config(const command_line& given) {
  const std::string unable = why_unable(ability::pkg_config);
  if (!unable.empty()) return error(unable);
  const system_interface& os = own_system();
  checked_cudnn found;
  const exit_status status = check_cudnn(os, given, found);
  if (status != exit_fine) return status;
  const install_judgement& judged = found.judgement_of_install();
  pc_contents contents;
  contents.release = to_string(judged.number);
  contents.described = judged.release + ", " + judged.kind;
  contents.library = found.install().library;
  contents.library_directory = found.library_directory();
  contents.headers = found.header_directory();
  contents.sublibraries = sublibraries_of(os, found.install());
  if (given.toolkit.empty()) {
    contents.cuda_headers = find_cuda_headers(os, contents.headers, judged.cuda_major);
  } else {
    contents.cuda_headers = cuda_headers_of(os, absolute_directory(os, given.toolkit));
    if (contents.cuda_headers.empty()) {
      return error("pkg-config: --toolkit " + given.toolkit +
                   ": no include/cuda_runtime_api.h in it");
    }
  }
  const std::string unfit = unfit_path(contents);
  if (!unfit.empty()) return error("pkg-config: " + unfit);
  const std::string file = join_path(absolute_directory(os, given.file()), "cudnn.pc");
  const std::string stays = why_it_stays(os, file, mark_of_pc_file);
  if (!stays.empty()) return error("pkg-config: " + stays);
  const arena_string wrong = replace_file(file, pc_text(contents));
  if (!wrong.empty()) return error("pkg-config: " + file + ": " + std::string(wrong));
  if (contents.cuda_headers.empty()) {
    print_error(
        "cudnn-checked: note: pkg-config: no headers of CUDA were found, which cudnn.h "
        "includes: --toolkit names a toolkit\n");
  }
  return tell(contents, file, given.json);
}

}  // namespace cudnn_checked::cli
