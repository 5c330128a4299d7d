# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D SOURCE=<root of this package> -D FILE=<file> -P write_identity.cmake
#
# Writes the definition of own_identity() (words/identity.h).  The find module computes the same hash
# of the sources that it would compile.
cmake_minimum_required(VERSION 3.22)
foreach(part IN ITEMS every_configure/package search/files build/configure_program)
  include("${SOURCE}/cmake/CuDNNChecked/${part}.cmake")
endforeach()
set_property(GLOBAL PROPERTY _cudnn_checked_tool_directory "${SOURCE}/tool")
_cudnn_checked_own_release(release)
_cudnn_checked_sources_hash(hash)
file(
  WRITE
  "${FILE}"
  "#include \"words/identity.h\"\n\nnamespace cudnn_checked::cli {\n\n"
  "const char* own_identity() { return \"${release} ${hash}\"; }\n\n}  // namespace cudnn_checked::cli\n"
)
