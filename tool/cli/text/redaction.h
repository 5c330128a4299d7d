// SPDX-License-Identifier: BSD-3-Clause
//
// Removes from a text what must not be published with a bug report: the user, the places of the
// user's files, and names of machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudnn_checked::cli {

/// The words that name a person and a machine.
struct private_words {
  std::vector<std::string> homes;  ///< home directories: "~" is printed
  std::vector<std::string> users;  ///< "<user>"
  std::vector<std::string> hosts;  ///< "<host>"
};

/// The words about this user and this machine: variables, the user database, the kernel.
private_words own_private_words();

/// Home directories become "~", names "<user>" and "<host>", addresses of mail "<mail>", UUIDs of
/// GPUs "<uuid>", and URLs "https://<url>".  Words of paths that everybody has ("lib", "cuda")
/// stay, also if a user is called so; what stands behind "/home/" does not.  For texts of this
/// program: nothing of it is searched for secrets.
std::string redacted(std::string_view text, const private_words& own);

/// The value of a variable, which anybody can have put anything into: a list of paths is redacted
/// as above; of any other text only numbers and known words are shown, and "<redacted>" for the
/// rest.
std::string redacted_value(std::string_view value, const private_words& own);

/// "NVIDIA_API_KEY": such a variable is not even named.
bool is_secret_name(std::string_view variable);

}  // namespace cudnn_checked::cli
