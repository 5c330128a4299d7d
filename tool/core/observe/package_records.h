// SPDX-License-Identifier: BSD-3-Clause
//
// What installers record of a package:
//   wheels   <site-packages>/*.dist-info/RECORD and METADATA (Python Packaging User Guide,
//            "Recording installed projects")
//   conda    <prefix>/conda-meta/<name>-<number>-<build>.json
//   dpkg     /var/lib/dpkg/info/*.list and /var/lib/dpkg/status (deb-package database,
//            dpkg-query(1))
// rpm keeps a database that only its own library reads; its files stay unknown here.
#pragma once

#include <string_view>

#include "../model/observation.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The next line from `at` on, without its end; false behind the last.
bool next_line(const arena_string& text, std::size_t& at, arena_string& line);

/// A RECORD, with paths as they are written here; without a byte where it cannot be read.
arena_string text_of_record(const system_interface& os, const arena_string& path);

/// A line of RECORD: path,hash,length.
struct recorded_file {
  arena_string path;    ///< below the site-packages, or absolute (PEP 376)
  arena_string hash;    ///< "sha256=..."; may be empty
  long long size = -1;  ///< -1: none is recorded
};

/// The next file of a RECORD, likewise.
bool next_file(const arena_string& record, std::size_t& at, recorded_file& file);

/// The next one whose line contains `word`: records are long, and the other lines are not read.
bool next_file_with(std::string_view word, const arena_string& record, std::size_t& at,
                    recorded_file& file);

/// The package of that folder of metadata, "nvidia_cudnn_cu13-9.14.0.64.dist-info".
package_record package_of_info(const arena_string& site, const arena_string& info);

/// Fills size and same_size of the package for a file of that size.
void compare_size(long long recorded, unsigned long long size, package_record& package);

/// A library of cuDNN that a package has recorded.
struct listed_file {
  arena_string path;  ///< absolute
  arena_string hash;  ///< SHA-256 as the record spells it: base64url of wheels, else hexadecimal
  long long size = -1;
};

struct package_listing {
  package_record package;
  arena_vector<listed_file> files;
};

/// Reads a RECORD, a file of conda-meta or a list of dpkg; false where it cannot be read.
bool read_listing(const system_interface& os, const arena_string& record, package_listing& listing);

/// 13 of "nvidia-cudnn-cu13", "libcudnn9-cuda-13", "8.9.7.29-1+cuda12.2", "cuda12_0"; else 0.
int cuda_major_of_package(std::string_view text);

/// Name and number of a file of conda-meta; without a name where it is no record of a package.
package_record package_of_conda(const arena_string& file);

/// "libcudnn9-cuda-13" of "/var/lib/dpkg/info/libcudnn9-cuda-13:amd64.list".
arena_string name_of_dpkg_list(const arena_string& record);

/// The number of that package, where dpkg has its database; empty where it is not installed.
arena_string number_of_dpkg(const system_interface& os, const arena_string& database,
                            const arena_string& package);

/// The value of "Field: value" in the paragraph with which the text begins.
arena_string field_of(const arena_string& text, const char* field);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
