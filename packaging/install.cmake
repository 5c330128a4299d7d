# SPDX-License-Identifier: BSD-3-Clause
#
# What `cmake --install` puts where.  The command line adds its own files (tool/cli/CMakeLists.txt).
#
# Siblings stay siblings: the modules find tool/ and templates/ relative to themselves, so that the tree
# can be moved.  Found by prefix: <prefix>/share/<name>/cmake (find_package, "Config Mode Search
# Procedure"), so that directory is not CMAKE_INSTALL_DATADIR.  Never a .cps file: CMake >= 4.3 would
# prefer it and skip the probe without a word.

# GNUInstallDirs asks for a language, which who installs the modules alone need not have.
if(CMAKE_SIZEOF_VOID_P)
  include(GNUInstallDirs)
endif()
if(NOT CMAKE_INSTALL_DOCDIR)
  set(CMAKE_INSTALL_DOCDIR "share/doc/CuDNNChecked")
endif()

# Only the top-level project knows all that is installed from a build tree.
if(PROJECT_IS_TOP_LEVEL)
  include(packaging/uninstall.cmake)
  cudnn_checked_note_directories()
endif()
install(DIRECTORY cmake templates DESTINATION share/CuDNNChecked)
install(
  DIRECTORY
    tool/core
    tool/convolution
    tool/opened
    tool/probe
    tool/bundle
    tool/repair
    tool/configure
    tool/facts
    tool/prove
    tool/spawn
    tool/guard
  DESTINATION share/CuDNNChecked/tool
  # What is compiled.
  REGEX "/CMakeLists\\.txt$" EXCLUDE
)
# Without this folder everything else is installed.
install(
  DIRECTORY tool/laboratory
  DESTINATION share/CuDNNChecked/tool
  OPTIONAL
  REGEX "/CMakeLists\\.txt$" EXCLUDE
)
install(FILES docs/schema/cudnn-checked.schema.json DESTINATION share/CuDNNChecked/schema)
install(FILES LICENSE docs/findings.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
