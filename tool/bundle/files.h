// SPDX-License-Identifier: BSD-3-Clause
//
// Files and folders that a bundle is made of.  The folder of each platform (linux/, windows/)
// defines these functions; what returns a text returns the reason of a failure, or nothing.
#pragma once

#include <string>

namespace cudnn_checked::bundles {

/// With the folders above it.
std::string make_directory(const std::string& path);

/// `target` must be absent.
std::string copy_file(const std::string& source, const std::string& target);

/// A link beside the file of that name.
std::string make_link(const std::string& name, const std::string& link);

std::string write_file(const std::string& path, const std::string& contents);

/// Removes a folder that is empty, or absent; what is not is a failure.
std::string remove_empty(const std::string& directory);

/// With all that is in it; what cannot be removed stays.
void remove_all(const std::string& directory);

std::string rename_file(const std::string& source, const std::string& target);

/// In bytes; 0 where it is not known.
long long size_of_file(const std::string& path);

}  // namespace cudnn_checked::bundles
