# SPDX-License-Identifier: BSD-3-Clause
#
# Run by CPack between installing into its own directory and making the package of it.  In a Debian
# package copyright and changelog have fixed places (Debian Policy 12.5 and 12.7), the man page is
# compressed (12.1), and zsh reads completions of packages from a directory of their own.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
get_filename_component(sources "${CPACK_RESOURCE_FILE_LICENSE}" DIRECTORY)
set(shared "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
set(documents "${shared}/doc/cudnn-checked")
file(MAKE_DIRECTORY "${documents}")
file(COPY_FILE "${CPACK_RESOURCE_FILE_LICENSE}" "${documents}/copyright")
file(COPY_FILE "${sources}/CHANGELOG.md" "${documents}/changelog")
file(GLOB pages "${shared}/man/man1/*.1")
execute_process(COMMAND gzip -9n "${documents}/changelog" ${pages} COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS "${shared}/zsh/site-functions")
  file(RENAME "${shared}/zsh/site-functions" "${shared}/zsh/vendor-completions")
endif()
