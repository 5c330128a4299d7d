// SPDX-License-Identifier: BSD-3-Clause
//
// What installs packages: pip, uv, conda, dpkg.  The installers are in core/installers, one a file.
#pragma once

#include "../namespace.h"
#include "arena_string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class system_interface;
struct fix_line;
struct package_record;
struct python_environment;
struct repair;

/// Where an installer of wheels puts them.
enum class install_place : unsigned char {
  environment,  ///< the site-packages of a Python
  user,         ///< the site-packages of one user, which every Python of that release reads
  folder        ///< a folder that no Python has as its own: `pip install --target`
};

/// What a command of an installer does to the packages in its place, and what it obeys.
struct installer_effect {
  install_place place = install_place::environment;
  /// It runs as "python -m pip", so a pip.py in the working directory comes before it.
  bool runs_in_python = true;
  /// It reads the settings of uv; else those of pip.
  bool reads_settings_of_uv = false;
  /// It replaces the whole folder "nvidia", so a command names all packages in it again.
  bool replaces_folder = false;
  /// It writes over files that it cannot remove; else it fails there.
  bool writes_over = false;
  const char* recorded_as = "pip";  ///< in the file INSTALLER of a package
  /// apt fetches the package: where apt does not know it, the command fails.
  bool fetches_by_apt = false;
};

/// A Python environment, or a folder with wheels, for which an installer is looked for.
struct installer_search {
  const system_interface& os;
  python_environment& environment;
  install_place place;
  bool has_pip;       ///< the environment has a pip of its own, or shares the system's
  bool filled_by_uv;  ///< uv has installed one of the wheels in it
};

class package_installer {
 public:
  /// Can it install wheels there?  Where it can, it writes down in the environment how it is
  /// called.
  virtual bool is_here(const installer_search&) const { return false; }

  /// Has it made that record?
  virtual bool has_recorded(const package_record&) const { return false; }

  /// What a person types for that step; words where no command can do it.
  virtual fix_line command(const repair& step) const = 0;

  /// What has to be so before a person can type that; empty: nothing that is known.
  virtual arena_string condition(const system_interface&) const { return {}; }

  virtual installer_effect effect() const { return {}; }

 protected:
  constexpr package_installer() = default;
  ~package_installer() = default;
};

// All of them, in core/installers/installers.def.

/// The first that can install wheels there; null: none is here.
const package_installer* find_installer(const installer_search& search);

/// The one that has made the record; null: a package of Python, or none that is known.
const package_installer* installer_of(const package_record& package);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
