# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D PACKAGE=<root of this package> -D FOLDER=<folder> -D PLACE=<prefix> -D CONFIGURE=<program>
#   -P take_reports.cmake
#
# Takes every FOLDER/*.json with the find module's own function, as if it were named by
# CuDNNChecked_PROBE_REPORT, and writes what came of it to FOLDER/NAME.txt: "refused" and the
# message, or "taken" and a line for each result.  PLACE is the prefix of the cuDNN that it is compared with.
cmake_minimum_required(VERSION 3.22)
include("${PACKAGE}/cmake/CuDNNChecked/every_configure/facts.cmake")
include("${PACKAGE}/cmake/CuDNNChecked/every_configure/package.cmake")
include("${PACKAGE}/cmake/CuDNNChecked/every_configure/answer.cmake")
_cudnn_checked_load_search()
set(input_require AUTO)
set(input_components "")
set(place_version 9.14.0)
set(place_header "${PLACE}/include/cudnn_version.h")
set(place_library "${PLACE}/lib/libcudnn.so.9")
set(cuda_version 13.0)
set(cuda_library "${PLACE}/lib/libcudart.so.13")
_cudnn_checked_put(work_directory "${FOLDER}")
_cudnn_checked_put(configure_program "${CONFIGURE}")
_cudnn_checked_names(names refusal proved)
file(GLOB reports "${FOLDER}/*.json")
foreach(report IN LISTS reports)
  _cudnn_checked_put(refusal "")
  _cudnn_checked_new(proved)
  set(input_report "${report}")
  _cudnn_checked_take_report(proved "${FOLDER}" "" "" place cuda input)
  _cudnn_checked_get(refusal)
  set(text "refused\n${refusal}")
  if(refusal STREQUAL "")
    set(text "taken\n")
    foreach(name IN LISTS names)
      string(APPEND text "${name}=${${name}}\n")
    endforeach()
  endif()
  file(WRITE "${report}.txt" "${text}")
endforeach()
