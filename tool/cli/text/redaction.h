// SPDX-License-Identifier: BSD-3-Clause
//
// Takes out of a text what nobody wants to publish with a bug report: who runs the program and
// where their files are, names of machines, and what gives access to something.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudnn_checked::cli {

/// What names a person and a machine.
struct private_words {
  std::vector<std::string> homes;  ///< home directories: "~" is printed
  std::vector<std::string> users;  ///< "<user>"
  std::vector<std::string> hosts;  ///< "<host>"
};

/// Of who runs this program and of this machine: variables, the user database, the kernel.
private_words own_private_words();

/// Home directories become "~", names "<user>" and "<host>", addresses of mail "<mail>", UUIDs of
/// GPUs
/// "<uuid>"; credentials and queries of URLs, tokens of known forms, and values behind "password="
/// and the like "<redacted>".  Words of paths that everybody has ("lib", "cuda") stay, also where a
/// user is called so; what stands behind "/home/" does not.
std::string redacted(std::string_view text, const private_words& own);

/// The same for the value of a variable: long words of letters and digits are taken for tokens too.
std::string redacted_value(std::string_view value, const private_words& own);

/// "NVIDIA_API_KEY": such a variable is not even named.
bool is_secret_name(std::string_view variable);

}  // namespace cudnn_checked::cli
