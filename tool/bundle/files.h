// SPDX-License-Identifier: BSD-3-Clause
//
// Files and folders that a bundle is made of.  The folder of each platform (linux/, windows/)
// defines these functions; what returns a text returns the reason of a failure, or nothing.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::bundles {

/// With the folders above it; adds those that it made to `made`, from the outermost on.
std::string make_directories(const std::string& path, std::vector<std::string>& made);

/// One that must be absent, in a folder that is there.
std::string make_directory(const std::string& path);

/// Copies so many bytes of a file that must have them, no more and no fewer, and nothing that is no
/// regular file.  `target` must be absent.  Stops where stop_signals::came().
std::string copy_file(const std::string& source, const std::string& target,
                      unsigned long long bytes);

/// A link beside the file of that name.
std::string make_link(const std::string& name, const std::string& link);

/// Empty if `directory` is absent, or an empty folder, or a folder with nothing but an entry of the
/// name `besides`; else the reason.
std::string look_for_room(const std::string& directory, const std::string& besides = {});

/// A file, a link, or a folder that is empty; what cannot be removed stays.
void remove_one(const std::string& path);

/// Gives a file or a folder its name, in one step; what has that name already must be an empty
/// folder.
std::string rename_path(const std::string& source, const std::string& target);

bool is_folder(const std::string& path);

/// The path with a link at its end resolved; as it is where it leads nowhere.
std::string behind_link(const std::string& path);

/// While it lives, SIGINT, SIGTERM and SIGHUP (on Windows Ctrl+C and Ctrl+Break) are noted, and a
/// file that becomes too large is an error.  A signal that this process ignores stays ignored: it
/// was started with nohup, or in the background.  One at a time.
class stop_signals {
 public:
  stop_signals();
  ~stop_signals();
  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

  static bool came();
  /// This process ends as it does by the one that came.
  void end_this_process();

 private:
  void restore();
  struct dispositions;
  dispositions* before_;
};

}  // namespace cudnn_checked::bundles
