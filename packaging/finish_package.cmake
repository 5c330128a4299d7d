# SPDX-License-Identifier: BSD-3-Clause
#
# Run by CPack between installing into its own directory and making the package of it.  In a Debian
# package copyright and changelogs have fixed places (Debian Policy 12.5 and 12.7), documents and the man
# page too (12.1, 12.3), and zsh reads completions of packages from a directory of their own.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
get_filename_component(sources "${CPACK_RESOURCE_FILE_LICENSE}" DIRECTORY)
set(shared "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
set(documents "${shared}/doc/cudnn-checked")
file(RENAME "${shared}/doc/CuDNNChecked" "${documents}")
file(REMOVE "${documents}/LICENSE")
file(COPY "${sources}/packaging/debian/copyright" DESTINATION "${documents}")
file(COPY_FILE "${sources}/packaging/debian/changelog" "${documents}/changelog.Debian")
file(COPY_FILE "${sources}/CHANGELOG.md" "${documents}/changelog")
file(MAKE_DIRECTORY "${shared}/lintian/overrides")
file(
  COPY_FILE
  "${sources}/packaging/debian/cudnn-checked.lintian-overrides"
  "${shared}/lintian/overrides/cudnn-checked"
)
file(GLOB files "${documents}/changelog*" "${shared}/man/man1/*.1")
execute_process(COMMAND gzip -9n ${files} COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS "${shared}/zsh/site-functions")
  file(RENAME "${shared}/zsh/site-functions" "${shared}/zsh/vendor-completions")
endif()
