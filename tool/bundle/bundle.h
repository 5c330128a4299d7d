// SPDX-License-Identifier: BSD-3-Clause
//
// A copy of one cuDNN beside a program.  Nothing of it is changed: its license forbids that, and
// what identifies the files stays.
//
// Two things keep other cuDNNs out.  The program NEEDs each library by the name under which cuDNN
// asks for it first, and has a DT_RPATH, which the loader obeys before LD_LIBRARY_PATH and
// ld.so.cache for what the program itself NEEDs (ld.so(8)).  A library that is loaded by the name
// that cuDNN asks for is not searched.  The RPATH alone is not enough: the libraries of cuDNN have
// a RUNPATH, so the loader obeys LD_LIBRARY_PATH first for what they ask for.
#pragma once

#include <string>

#include "../core/model/finding.h"
#include "../core/model/version.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::bundles {

/// A file of the bundle.
struct bundled_file {
  arena_string source;
  arena_string
      name;  ///< in the bundle; of a library of cuDNN the first name that it is asked for by
  arena_string link;            ///< its SONAME, a link to it; empty where that is its name
  bool is_needed = true;        ///< the program NEEDs it
  unsigned long long size = 0;  ///< of the file that was judged, as is its build id
  arena_string build_id;
};

/// A file that a program will need and that is not in the bundle.
struct left_file {
  arena_string name;
  arena_string path;  ///< where it is here; empty: nowhere that the loader looks
};

struct license_file {
  arena_string source;
  unsigned long long size = 0;
  arena_string folder;  ///< in the bundle's "licenses": the name of the package, with a number
                        ///< behind it where a file of that name is there already
};

struct bundle {
  arena_vector<finding> findings;  ///< errors: there is no bundle
  version number;
  int cuda_major = 0;  ///< 0: not known
  arena_vector<bundled_file> files;
  arena_vector<left_file> left;
  arena_vector<arena_string>
      open_names;  ///< what cuDNN asks for and does not have: no run path keeps others out
  arena_vector<license_file> licenses;
  arena_vector<arena_string> unlicensed;  ///< files for which no license was found
};

enum class cuda_libraries { left, copied };

/// What belongs to the bundle of the cuDNN that `library`, a libcudnn.so.N, is of.  `components`
/// are what the program asked for; empty: all.  Libraries of CUDA are those that cuDNN opens.
bundle choose_bundle(const system_interface& os, const arena_string& library,
                     const arena_vector<arena_string>& components, cuda_libraries cuda);

/// Copies it into `directory`, which is absent or empty, as a whole or not at all; else the reason.
/// The copy is made beside it, under a name that no other run has, and each file of it is read
/// back: it must be the one that was judged.  Of what this function did not make nothing is
/// removed. SIGINT, SIGTERM and SIGHUP end the process when what was made is gone.
std::string write_bundle(const system_interface& os, const bundle& chosen,
                         const std::string& directory);

/// Writes into `directory` the files that a program has to be linked with: for each library that is
/// asked for by another name than its SONAME a file that has nothing but that name; last link.rsp,
/// the options for the compiler driver.
std::string write_link_files(const bundle& chosen, const std::string& bundle_directory,
                             const std::string& directory);

/// What was copied, and what was not, as lines for a person.
arena_string text_of(const bundle& chosen, const arena_string& directory);

}  // namespace cudnn_checked::bundles
