# SPDX-License-Identifier: BSD-3-Clause
#
# The target "uninstall".  It removes what `cmake --install` has put there from this build tree, and the
# directories that were made for it.  CMake's install_manifest.txt is not enough: each installation
# and each run of CPack writes it anew, it does not have DESTDIR, and it has no directories.

function(_cudnn_checked_note_step name)
  set(notes "${PROJECT_BINARY_DIR}/installed.txt")
  set(destinations share/CuDNNChecked "${CMAKE_INSTALL_DOCDIR}")
  if(CUDNN_CHECKED_BUILD_CLI)
    list(
      APPEND
      destinations
      "${CMAKE_INSTALL_BINDIR}"
      "${CMAKE_INSTALL_MANDIR}/man1"
      "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
      "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
      "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
    )
  endif()
  list(JOIN destinations "\" \"" destinations)
  set(script "${PROJECT_BINARY_DIR}/packaging/${name}.cmake")
  configure_file("packaging/${name}.cmake.in" "${script}" @ONLY)
  install(SCRIPT "${script}" ALL_COMPONENTS)
endfunction()

# Called before the first install().
function(cudnn_checked_note_directories)
  _cudnn_checked_note_step(note_directories)
endfunction()

# Called after the last install().
function(cudnn_checked_note_files)
  _cudnn_checked_note_step(note_files)
  set(script "${PROJECT_SOURCE_DIR}/packaging/remove_installed.cmake")
  add_custom_target(
    uninstall
    COMMAND "${CMAKE_COMMAND}" -D "NOTES=${PROJECT_BINARY_DIR}/installed.txt" -P "${script}"
    COMMENT "Removing what was installed from this build tree"
    VERBATIM
  )
endfunction()
