// SPDX-License-Identifier: BSD-3-Clause
#include "../system/process_facts.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "../../core/elf/elf_image.h"
#include "../../core/model/path_table.h"
#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "../system/linux/loader_names.h"

namespace cudnn_checked::cli {

static constexpr std::string_view deleted = " (deleted)";

static bool is_deleted(const arena_string& path) {
  return path.size() > deleted.size() && path.substr(path.size() - deleted.size()) == deleted;
}

static arena_string name_before(const arena_string& path) {
  return is_deleted(path) ? path.substr(0, path.size() - deleted.size()) : path;
}

static arena_string link_target(const arena_string& path) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return length > 0 ? arena_string(target, static_cast<std::size_t>(length)) : arena_string();
}

/// A line of maps: "begin-end rights offset device inode   path".
struct map_line {
  unsigned long long begin = 0;
  unsigned long long end = 0;
  arena_string range;  ///< "7f0c-7f1d", as the names in map_files
  bool executable = false;
  bool first_page = false;  ///< offset 0: the headers
  arena_string path;
};

/// maps has \012 for a newline in a path, and for a path that has these four characters.
static arena_string path_of_piece(const arena_string& proc, const arena_string& range,
                                  const arena_string& shown) {
  const std::size_t code = shown.find("\\012");
  if (code == arena_string::npos) return shown;
  const arena_string exact = link_target(proc + "/map_files/" + range);
  if (!exact.empty()) return exact;
  return shown.substr(0, code) + "\n" + path_of_piece(proc, range, shown.substr(code + 4));
}

static bool read_map_line(const arena_string& proc, const arena_string& text, map_line& line) {
  const std::size_t slash = text.find('/');
  const std::size_t blank = text.find(' ');
  if (slash == arena_string::npos || blank == arena_string::npos || text.size() < blank + 6)
    return false;
  line.range = text.substr(0, blank);
  line.begin = std::strtoull(text.c_str(), nullptr, 16);
  line.end = std::strtoull(text.c_str() + text.find('-') + 1, nullptr, 16);
  line.executable = text[blank + 3] == 'x';
  line.first_page = text.find(" 00000000 ", blank) != arena_string::npos;
  line.path = path_of_piece(proc, line.range, text.substr(slash));
  return true;
}

namespace {

/// A library in the memory of the process, while its lines are read.
struct mapped_file {
  map_line headers;
  unsigned long long end = 0;  ///< behind its last line
  bool executable = false;     ///< else somebody merely reads the file
};

class maps_reader {
 public:
  /// False where the file cannot be read.  It can have 100,000 lines: only those of libraries stay.
  bool read(const arena_string& proc);
  const arena_vector<arena_string>& paths() const { return paths_; }
  const mapped_file& file(const arena_string& path) const { return *files_.find(path); }

 private:
  void take(const map_line& line);

  arena_vector<arena_string> paths_;
  path_table<mapped_file> files_;
};

}  // namespace

void maps_reader::take(const map_line& line) {
  mapped_file* known = files_.find(line.path);
  if (known == nullptr) {
    known = &files_.add(line.path);
    paths_.push_back(line.path);
  }
  if (line.first_page && known->headers.range.empty()) known->headers = line;
  known->end = std::max(known->end, line.end);
  known->executable = known->executable || line.executable;
}

bool maps_reader::read(const arena_string& proc) {
  std::ifstream file(std::string(proc + "/maps"));
  if (!file) return false;
  for (std::string text; std::getline(file, text);) {
    map_line line;
    if (text.find(".so") != std::string::npos && read_map_line(proc, text, line)) take(line);
  }
  return !file.bad();
}

/// The id of a file that is gone, by its note in the first pages of the library in memory.
static arena_string build_id_in_process(const arena_string& proc, unsigned long long base) {
  const int memory = ::open((proc + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return {};
  const auto read_at = [&](unsigned long long at, void* target, std::size_t count) {
    return ::pread(memory, target, count, static_cast<off_t>(base + at)) ==
           static_cast<ssize_t>(count);
  };
  arena_string id;
  ElfW(Ehdr) header;
  ElfW(Phdr) part;
  unsigned char note[4096];
  const bool readable = read_at(0, &header, sizeof header) &&
                        std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                        header.e_phentsize == sizeof part;
  for (unsigned i = 0; readable && id.empty() && i < header.e_phnum; ++i) {
    if (!read_at(header.e_phoff + i * sizeof part, &part, sizeof part)) break;
    const std::size_t size = std::min<std::size_t>(part.p_filesz, sizeof note);
    if (part.p_type != PT_NOTE || !read_at(part.p_vaddr, note, size)) continue;
    id = build_id_in_note(note, size, part.p_align);
  }
  ::close(memory);
  return id;
}

/// map_files needs CAP_CHECKPOINT_RESTORE; the memory needs what a debugger needs.
static library_file contents_of_deleted(const system_interface& os, const arena_string& proc,
                                        const mapped_file& file,
                                        const arena_string& contents_path) {
  library_file contents = read_library(os, contents_path, 0);
  if (contents.state == file_state::whole || file.headers.range.empty()) return contents;
  contents = library_file();
  contents.build_id = build_id_in_process(proc, file.headers.begin);
  return contents;
}

/// After chroot(2) the kernel names files from the root that it had before.
static arena_string path_inside(const arena_string& path, const arena_string& proc) {
  const arena_string root = link_target(proc + "/root");
  const bool below = root.size() > 1 && starts_with(path, root + "/");
  return below ? path.substr(root.size()) : path;
}

/// The path by which the loader opened the file, found by the address of its dynamic section.  It
/// can be relative, as the loader got it.
static arena_string path_by_loader(const arena_vector<loader_name>& names, const mapped_file& file,
                                   const arena_string& directory) {
  const loader_name* const named = find_where(names, [&](const loader_name& one) {
    return file.headers.begin <= one.address && one.address < file.end;
  });
  if (named == nullptr || named->path.empty()) return {};
  return is_absolute(named->path) ? named->path : join_path(directory, named->path);
}

/// The loader maps each library below those before it, and maps is sorted by address.
static void keep_objects(const system_interface& os, const arena_string& proc,
                         const maps_reader& maps, const arena_vector<loader_name>& names,
                         process_facts& facts) {
  for (std::size_t i = maps.paths().size(); i > 0; --i) {
    const arena_string& named = maps.paths()[i - 1];
    const mapped_file& file = maps.file(named);
    if (!file.executable) continue;
    mapped_object object;
    object.path = path_inside(name_before(named), proc);
    arena_string by_loader;
    library_file contents;
    if (is_deleted(named)) {
      const arena_string place = proc + "/map_files/" + file.headers.range;
      contents = contents_of_deleted(os, proc, file, place);
      facts.replaced.push_back({object.path, place});
    } else {
      contents = read_library(os, facts.root + object.path, 0);
      if (contents.state == file_state::foreign) continue;
      by_loader = path_by_loader(names, file, facts.directory);
    }
    object.soname = contents.soname.empty() ? base_name(object.path) : contents.soname;
    object.build_id = contents.build_id;
    facts.mapped.push_back(object);
    facts.loader_paths.push_back(by_loader);
  }
}

/// Entry `type` of the auxiliary vector, getauxval(3); 0 where it has none.
static unsigned long auxiliary_value(const system_interface& os, const arena_string& proc,
                                     unsigned long type) {
  arena_string text;
  if (!os.read_text(proc + "/auxv", text)) return 0;
  ElfW(auxv_t) entry;
  for (std::size_t at = 0; at + sizeof entry <= text.size(); at += sizeof entry) {
    std::memcpy(&entry, text.data() + at, sizeof entry);
    if (entry.a_type == type) return entry.a_un.a_val;
  }
  return 0;
}

/// proc(5), /proc/pid/stat: "pid (name) state ppid pgrp session tty tpgid flags ...".  PF_KTHREAD
/// is of linux/sched.h.
static process_state state_of(const system_interface& os, const arena_string& proc,
                              const arena_string& pid) {
  constexpr unsigned long kernel_thread = 0x00200000;
  arena_string text;
  if (!os.read_text(proc + "/stat", text)) {
    // It can be hidden: proc(5), hidepid.
    const int number = static_cast<int>(std::strtol(pid.c_str(), nullptr, 10));
    const bool exists = number > 0 && (::kill(number, 0) == 0 || errno == EPERM);
    return exists ? process_state::denied : process_state::absent;
  }
  const std::size_t behind_name = text.rfind(')');
  char state = '\0';
  unsigned long flags = 0;
  if (behind_name == arena_string::npos ||
      std::sscanf(text.c_str() + behind_name, ") %c %*d %*d %*d %*d %*d %lu", &state, &flags) !=
          2) {
    return process_state::denied;
  }
  if (state == 'Z' || state == 'X') return process_state::ended;
  return (flags & kernel_thread) != 0 ? process_state::kernel_thread : process_state::runs;
}

/// A container, or a process in chroot(2): its paths lead elsewhere here.
static arena_string root_of(const arena_string& proc) {
  const arena_string own = link_target("/proc/self/ns/mnt");
  std::error_code absent;
  const bool same = link_target(proc + "/ns/mnt") == own &&
                    std::filesystem::equivalent(std::string(proc + "/root"), "/", absent);
  return same ? arena_string() : proc + "/root";
}

/// Started as "ld.so OPTIONS program": ld.so(8).
static arena_string program_of_loader(const system_interface& os, const arena_string& proc) {
  arena_string text;
  if (!os.read_text(proc + "/cmdline", text)) return {};
  const arena_vector<arena_string> words = split_path_list(text, std::string_view("\0", 1));
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (starts_with(words[i], "--")) {
      const bool alone =
          words[i] == "--inhibit-cache" || words[i] == "--verify" || words[i] == "--list";
      i += alone ? 0 : 1;
      continue;
    }
    const arena_string path =
        words[i][0] == '/' ? words[i] : join_path(link_target(proc + "/cwd"), words[i]);
    return os.real_path(path);
  }
  return {};
}

// A loader has no interpreter, and the kernel has loaded none.
static arena_string program_of(const system_interface& os, const arena_string& proc) {
  const arena_string file = link_target(proc + "/exe");
  const bool may_be_loader = starts_with(base_name(file), "ld");
  if (!may_be_loader || auxiliary_value(os, proc, AT_BASE) != 0) return file;
  const arena_string program = program_of_loader(os, proc);
  return program.empty() ? file : program;
}

static process_state read_once(const system_interface& os, const arena_string& proc,
                               process_facts& facts) {
  facts.program = program_of(os, proc);
  if (facts.program.empty()) return state_of(os, proc, facts.pid);
  facts.program_file = facts.program == link_target(proc + "/exe") ? proc + "/exe" : facts.program;
  facts.root = root_of(proc);
  facts.directory = path_inside(link_target(proc + "/cwd"), proc);
  facts.secure = auxiliary_value(os, proc, AT_SECURE) != 0;
  maps_reader maps;
  if (!os.read_text(proc + "/environ", facts.environment) || !maps.read(proc)) {
    return process_state::denied;
  }
  facts.mapped.clear();
  facts.loader_paths.clear();
  facts.replaced.clear();
  const arena_vector<loader_name> names =
      names_by_loader(proc, auxiliary_value(os, proc, AT_PHDR), auxiliary_value(os, proc, AT_PHNUM),
                      auxiliary_value(os, proc, AT_PHENT));
  keep_objects(os, proc, maps, names, facts);
  // It can have replaced its program meanwhile.
  const bool same = program_of(os, proc) == facts.program;
  facts.program = path_inside(name_before(facts.program), proc);
  return same ? process_state::runs : process_state::changing;
}

process_facts look_at_process(const system_interface& os, const arena_string& pid) {
  process_facts facts;
  facts.pid = pid;
  const arena_string proc = "/proc/" + pid;
  facts.state = state_of(os, proc, pid);
  for (int attempt = 0; facts.state == process_state::runs && attempt < 10; ++attempt) {
    const process_state after = read_once(os, proc, facts);
    if (after == process_state::runs && !facts.program.empty()) return facts;
    // Its memory is not there between two programs.
    const bool again = after == process_state::changing || after == process_state::runs;
    facts.state = again ? process_state::runs : after;
    if (again) ::usleep(2000);
  }
  if (facts.state != process_state::runs) return facts;
  facts.state = facts.program.empty() ? process_state::denied : process_state::changing;
  return facts;
}

}  // namespace cudnn_checked::cli
