# SPDX-License-Identifier: BSD-3-Clause
#
#[=======================================================================[.rst:
.. command:: cudnn_checked_export

  Makes the exported targets of a project usable where CuDNNChecked is not installed::

    cudnn_checked_export(DESTINATION <directory> [COMPONENT <component>])

  A library that links ``CuDNNChecked::cudnn`` PUBLIC, or a static one that links it at all, names
  that target in the file of ``install(EXPORT)``.  This function writes
  ``CuDNNCheckedDependency.cmake`` into the current binary directory, and installs it into
  ``<directory>``, where the package configuration of the project includes it before that file:

  .. code-block:: cmake

    # CMakeLists.txt
    install(TARGETS filters EXPORT filtersTargets)
    install(EXPORT filtersTargets NAMESPACE filters:: DESTINATION lib/cmake/filters)
    install(FILES filtersConfig.cmake DESTINATION lib/cmake/filters)
    cudnn_checked_export(DESTINATION lib/cmake/filters)

    # filtersConfig.cmake
    include("${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedDependency.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/filtersTargets.cmake")

  Where a consumer has CuDNNChecked, installed or on ``CMAKE_MODULE_PATH``, the file calls
  ``find_package(CuDNNChecked)``, and cuDNN is proved.  Where it has not, the file looks for
  ``libcudnn.so``, ``cudnn.h`` of the same install and the CUDA runtime, and makes the imported
  targets without a proof.  The hints are the same.  Required is the minor release of cuDNN that the
  project was built with, or a newer one of the same major release, for the same major release of
  CUDA; where there is none, also not below ``CuDNNChecked_ROOT`` where that is set, the package is
  not found, and the message has the reason.

  ``COMPONENT`` is that of ``install(FILES)``.
#]=======================================================================]
function(cudnn_checked_export)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DESTINATION;COMPONENT" "")
  get_property(stamp GLOBAL PROPERTY _cudnn_checked_stamp)
  set(text "")
  # DEFINED: OFF is an argument as well.
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/did_you_mean.cmake")
    _cudnn_checked_append_unknown(text "${arg_UNPARSED_ARGUMENTS}" DESTINATION COMPONENT)
  elseif(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " " unknown)
    set(text "no value after ${unknown}")
  elseif(NOT DEFINED arg_DESTINATION)
    set(text "DESTINATION is missing")
  endif()
  if(NOT text STREQUAL "")
    string(
      APPEND
      text
      "\n  fix: cudnn_checked_export(DESTINATION <directory> [COMPONENT <component>])"
      "\n  [bad-input]"
    )
  elseif(NOT stamp)
    set(text "no cuDNN was proved yet")
    string(APPEND text "\n  fix: find_package(CuDNNChecked REQUIRED), before this call")
  endif()
  if(text)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/indented.cmake")
    _cudnn_checked_indented(text "cudnn_checked_export: ${text}")
    message(FATAL_ERROR "${text}")
  endif()

  _cudnn_checked_get_stamp()
  set(export_package "${stamp_package}")
  set(export_version "${stamp_header}")
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" export_floor "${stamp_header}")
  set(export_major ${CMAKE_MATCH_1})
  math(EXPR export_ceiling "${export_major} + 1")
  string(REGEX MATCH "^[0-9]+" export_cuda "${stamp_toolkit}")
  _cudnn_checked_hints(export_hints)
  list(JOIN export_hints " " export_hints)
  set(export_components "")
  get_property(components GLOBAL PROPERTY _cudnn_checked_all_components)
  if(components)
    list(REMOVE_DUPLICATES components)
    list(JOIN components " " components)
    set(export_components " COMPONENTS ${components}")
  endif()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/CuDNNCheckedDependency.cmake")
  configure_file("${stamp_templates}/dependency.cmake.in" "${file}" @ONLY)
  set(component "")
  if(DEFINED arg_COMPONENT)
    set(component COMPONENT "${arg_COMPONENT}")
  endif()
  install(FILES "${file}" DESTINATION "${arg_DESTINATION}" ${component})
endfunction()
