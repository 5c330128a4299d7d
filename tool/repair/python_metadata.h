// SPDX-License-Identifier: BSD-3-Clause
//
// What Python packages ask for: PEP 508 (Requires-Dist).
#pragma once

#include <string>
#include <vector>

#include "../core/model/unstamped_program.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// The site-packages above a file: the nearest folder that has a .dist-info; empty where none has.
arena_string site_of(const system_interface& os, const arena_string& file);

/// Parses the text behind "Requires-Dist:"; `text` is empty if it requires no cuDNN, or requires it
/// on other platforms only.  `least` is the lowest release that it accepts.
cudnn_requirement read_requirement(const std::string& line);

/// The name of the package that a requirement is for, normalized.
std::string name_of_requirement(const std::string& line);

/// Without those characters at both ends.
std::string trimmed(const std::string& text, const char* unwanted = " \t\r");

/// The version in a package's number: 2.8.0 of "2.8.0+cu128"; unknown if it has none.
version release_of_number(const std::string& number);

/// The name of a package, as its other spellings are compared: "nvidia-cudnn-cu12".
std::string normalized(const std::string& name);

/// Does a requirement hold here whatever was asked for at its installation?  Unknown where that
/// rests on an extra, or on more of the environment than its platform.
answer applies(const std::string& line);

/// One installed package.
struct distribution {
  arena_string metadata_path;
  std::string name;
  std::string number;
  std::vector<std::string> requirements;  ///< what stands behind Requires-Dist, but for other
                                          ///< versions of Python than the site-packages'
  std::vector<std::string> extras;        ///< those that it provides; pip knows no others
};

/// Name and specifiers of a requirement, without extras, spaces and condition.
struct plain_requirement {
  std::string name;        ///< "nvidia-cublas"
  std::string specifiers;  ///< ">=13.0,<14"
};
plain_requirement plain_of(const std::string& line);

/// Folders of metadata, "torch-2.7.1.dist-info", of the package of that name, or of all.
std::vector<std::string> infos_of(const system_interface& os, const arena_string& site,
                                  const std::string& name);

/// 2.7.1 of such a folder.
std::string number_of_info(const std::string& info);

/// Reads METADATA of "torch-2.7.1.dist-info" in a site-packages.
distribution read_distribution(const system_interface& os, const arena_string& site,
                               const std::string& info);

/// The cuDNN that it asks for.  Of several lines, for several CUDA majors or under several extras,
/// the lowest release counts; if they are for several majors of cuDNN, none does.
cudnn_requirement requirement_of(const distribution& d);

/// "12.9.1.4" of "==12.9.1.4"; empty where the specifiers allow more than one, or none.
std::string only_number(const std::string& specifiers);

/// Is a number ("9.5.1.17") one that the specifiers ("<10.0,>=9.3.0.75") allow?  Unknown where one
/// of them is more than numbers and points: a pre-release, a local version, an epoch.
answer allows(const std::string& specifiers, const std::string& number);

}  // namespace cudnn_checked::repairs
