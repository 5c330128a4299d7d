// SPDX-License-Identifier: BSD-3-Clause
#include "place_reasons.h"

#include <algorithm>
#include <string_view>

#include "../core/observe/package_records.h"
#include "file_kinds.h"
#include "library_machine.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static void add(std::vector<std::string>& lines, const std::string& line) {
  if (!line.empty()) lines.push_back(line);
}

static std::string joined_by(const std::vector<std::string>& lines, const char* separator) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : separator) + line;
  return text;
}

std::string for_other_machine(const system_interface& os, const std::string& library,
                              const std::string& machine) {
  const std::string own = other_machine_of(os, library, machine);
  return own.empty() ? "" : library + " is for " + own + ", and this build is for " + machine;
}

namespace {

/// What lies in a place.
class place_look {
 public:
  place_look(const system_interface& os, const searched_place& place, const install_names& names)
      : os_(os), place_(place), names_(names) {
    look_at_headers();
    look_at_libraries();
  }

  place_reason reason() const;

 private:
  void look_at_headers();
  bool look_at_header_files(const std::string& directory);
  void look_at_libraries();
  void look_at_library(const std::string& file);
  place_reason by_halves() const;
  std::string why_nothing() const;
  std::string absent_of_record() const;

  const system_interface& os_;
  const searched_place& place_;
  const install_names& names_;
  std::vector<std::string> odd_headers_, odd_libraries_, others_;
  std::string foreign_, why_foreign_;  ///< the first library for another machine
};

}  // namespace

/// The files that can define the release of the cudnn.h there; Debian's packages keep versioned
/// names.
static std::vector<std::string> version_headers(const std::string& directory) {
  std::vector<std::string> files;
  for (const char* name : {"cudnn_version.h", "cudnn_version_v9.h", "cudnn_version_v8.h"}) {
    files.push_back(directory + "/" + name);
  }
  return files;
}

/// False where one cannot be compiled: the compiler would wait for ever for a FIFO.
bool place_look::look_at_header_files(const std::string& directory) {
  std::vector<std::string> files = {directory + "/cudnn.h", directory + "/cudnn_version.h"};
  for (const std::string& file : files_like(os_, directory, "cudnn*.h")) {
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  bool usable = true;
  for (const std::string& file : files) {
    const std::string kind = odd_kind(os_, file);
    add(odd_headers_, kind.empty() ? why_unusable(os_, file) : file + " is " + kind);
    usable = usable && kind.empty();
  }
  return usable;
}

void place_look::look_at_headers() {
  for (const std::string& directory : place_.headers) {
    const bool usable = look_at_header_files(directory);
    if (!place_.header.empty() && directory_part(place_.header) == directory) return;
    if (!usable || !is_readable(os_, directory + "/cudnn.h")) continue;
    for (const std::string& file : version_headers(directory)) {
      if (!is_readable(os_, file)) continue;
      odd_headers_.push_back(file + (size_of(os_, file) > 0
                                         ? " defines no release as three plain numbers"
                                         : " is empty, or no ordinary file"));
    }
  }
}

void place_look::look_at_library(const std::string& file) {
  const std::string kind = odd_kind(os_, file);
  const std::string unusable = kind.empty() ? why_unusable(os_, file) : file + " is " + kind;
  const std::string foreign = unusable.empty() ? for_other_machine(os_, file, names_.machine) : "";
  if (!unusable.empty()) {
    odd_libraries_.push_back(unusable);
  } else if (!foreign.empty()) {
    if (foreign_.empty()) why_foreign_ = foreign;
    if (foreign_.empty()) foreign_ = file;
  } else if (file != place_.library) {
    others_.push_back(file);
  }
}

void place_look::look_at_libraries() {
  for (const std::string& directory : place_.libraries) {
    for (const std::string& pattern : names_.patterns) {
      for (const std::string& file : files_like(os_, directory, pattern)) look_at_library(file);
    }
  }
}

std::string place_look::why_nothing() const {
  const std::string& prefix = place_.prefix;
  if (is_directory(os_, prefix)) {
    bool inside = is_readable(os_, prefix + "/cudnn.h");
    for (const std::string& pattern : names_.patterns) {
      inside = inside || !files_like(os_, prefix, pattern).empty();
    }
    return inside ? "it holds the files themselves: name the directory above it: " +
                        std::string(directory_part(prefix))
                  : "neither cudnn.h nor " + names_.words;
  }
  if (prefix == "None" || ends_with(prefix, "/None")) {
    return "no directory: Python printed None, because a namespace package has no __file__";
  }
  return is_readable(os_, prefix) ? "a file, not a directory" : "no such directory";
}

place_reason place_look::by_halves() const {
  place_reason result;
  if (!foreign_.empty() && place_.library.empty() && others_.empty()) {
    result.missing = missing_half::machine;
    result.why = why_foreign_;
    result.file = foreign_;
  } else if (!place_.header.empty()) {
    result.missing = missing_half::library;
    result.file = place_.header;
    const std::string major = place_.version.substr(0, place_.version.find('.'));
    result.why = "cudnn.h of " + place_.version + " without " + name_for_major(names_.shim, major);
    if (!others_.empty()) result.why += " (there is " + joined_by(others_, ", ") + ")";
  } else if (!others_.empty()) {
    result.missing = missing_half::headers;
    result.file = others_.front();
    result.why = result.file + " without cudnn.h";
  } else {
    result.missing = !odd_headers_.empty()     ? missing_half::headers
                     : !odd_libraries_.empty() ? missing_half::library
                                               : missing_half::both;
    result.why = why_nothing();
  }
  return result;
}

/// By its name, on any platform.
static bool is_cudnn_library(const std::string& name) {
  const bool is_cudnn = starts_with(name, std::string_view("cudnn")) ||
                        starts_with(name, std::string_view("libcudnn"));
  return is_cudnn && has_one(name, {".so", ".dll"});
}

/// Where the place is, or would be, the folder of NVIDIA's wheel, and the wheel's record lists
/// libraries that are not there: a sentence.
std::string place_look::absent_of_record() const {
  const std::string folder = base_name(place_.prefix);
  const std::string nvidia = directory_part(place_.prefix);
  if ((folder != "cudnn" && folder != "cudnn_jit") || base_name(nvidia) != "nvidia") return "";
  const std::string site = directory_part(nvidia);
  const std::string start = "nvidia/" + folder + "/" + names_.wheel_folder + "/";
  for (const std::string& info : files_like(os_, site, "nvidia_cudnn*.dist-info")) {
    const std::string record = info + "/RECORD";
    const arena_string text = text_of_record(os_, record);
    std::vector<std::string> absent;
    recorded_file file;
    for (std::size_t at = 0; next_file(text, at, file);) {
      const std::string name = base_name(file.path);
      const bool is_library = starts_with(file.path, start.c_str()) && is_cudnn_library(name);
      if (is_library && !is_readable(os_, site + "/" + std::string(file.path))) {
        absent.push_back(name);
      }
    }
    if (!absent.empty()) return record + " lists what is not there: " + joined_by(absent, ", ");
  }
  return "";
}

place_reason place_look::reason() const {
  if (!place_.header.empty() && !place_.library.empty()) {
    place_reason whole;
    whole.why = "cuDNN " + place_.version;
    return whole;
  }
  place_reason result = by_halves();
  std::vector<std::string> odd = odd_headers_;
  odd.insert(odd.end(), odd_libraries_.begin(), odd_libraries_.end());
  for (const std::string& directory : place_.headers) add(odd, why_unusable(os_, directory));
  for (const std::string& directory : place_.libraries) add(odd, why_unusable(os_, directory));
  if (!odd.empty()) result.why = joined_by(odd, ", ");
  if (result.missing == missing_half::library || result.missing == missing_half::both) {
    const std::string absent = absent_of_record();
    if (!absent.empty()) {
      result.package = place_.prefix;
      result.missing = missing_half::library;
      result.why = absent;
    }
  }
  return result;
}

place_reason reason_of(const system_interface& os, const searched_place& place,
                       const install_names& names) {
  return place_look(os, place, names).reason();
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
