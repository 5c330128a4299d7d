# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find()
#
# The whole of find_package(CuDNNChecked) but its last word: sets the documented result variables in
# the caller, makes the targets, and sets _cudnn_checked_outcome ("ok", "warning", "unknown" or
# "refused") and _cudnn_checked_text, what is to be said.
function(_cudnn_checked_find)
  include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/package_version.cmake")
  set(package_version "${_cudnn_checked_package_version}")
  get_filename_component(package_directory "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../.." ABSOLUTE)
  set(tool_directory "${package_directory}/tool")
  set(work_directory "${CMAKE_BINARY_DIR}/CuDNNChecked")

  # Lists that the parts share.  The parts of the version are results because the version file of
  # the package leaves its own behind.
  set(
    _cudnn_checked_stages
    CuDNNChecked_ROOT
    CUDNN_ROOT
    CUDNN_PATH
    CUDNN_ROOT_DIR
    CUDNN_HOME
    CMAKE_PREFIX_PATH
    python
    conda
    cuda
    system
  )
  set(
    _cudnn_checked_result_names
    level
    verdict
    line
    report
    library_version
    cudart_version
    toolkit
    runtime
    driver
    architectures
    needs
  )
  set(
    _cudnn_checked_stamp_names
    package
    level
    header
    library
    cudart
    toolkit
    runtime
    driver
    measured
    components
    sublibraries
    policy
    templates
  )
  set(
    _cudnn_checked_variables
    VERSION
    VERSION_MAJOR
    VERSION_MINOR
    VERSION_PATCH
    VERSION_TWEAK
    VERSION_COUNT
    LIBRARY_VERSION
    LEVEL
    CUDA_VERSION
    CUDART_VERSION
    DRIVER_VERSION
    ARCHITECTURES
    REPORT
    INCLUDE_DIRS
    LIBRARIES
    PACKAGE_VERSION
  )

  _cudnn_checked_prove()
  if(NOT refusal)
    _cudnn_checked_missing_component(refusal)
  endif()
  set(outcome refused)
  set(text "${refusal}")
  set(version "")
  if(NOT refusal)
    set(outcome "${result_verdict}")
    set(text "${result_line}")
    set(version "${place_version}")
    _cudnn_checked_make_targets()
    _cudnn_checked_depend_on_place()
    _cudnn_checked_remember_stamp()
    _cudnn_checked_set_results()
  else()
    _cudnn_checked_unset_results()
  endif()
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    set(CuDNNChecked_${component}_FOUND "${CuDNNChecked_${component}_FOUND}" PARENT_SCOPE)
  endforeach()
  foreach(name IN LISTS _cudnn_checked_variables)
    if(DEFINED CuDNNChecked_${name})
      set(CuDNNChecked_${name} "${CuDNNChecked_${name}}" PARENT_SCOPE)
    else()
      unset(CuDNNChecked_${name} PARENT_SCOPE)
    endif()
  endforeach()
  set(_cudnn_checked_outcome "${outcome}" PARENT_SCOPE)
  set(_cudnn_checked_text "${text}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_unset_results)
  foreach(name IN LISTS _cudnn_checked_variables)
    unset(CuDNNChecked_${name} PARENT_SCOPE)
  endforeach()
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    set(CuDNNChecked_${component}_FOUND FALSE PARENT_SCOPE)
  endforeach()
  set(CuDNNChecked_PACKAGE_VERSION "${package_version}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_set_results)
  string(REPLACE "." ";" parts "${place_version}")
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  string(TOUPPER "${result_level}" level)
  set(CuDNNChecked_VERSION "${place_version}" PARENT_SCOPE)
  set(CuDNNChecked_VERSION_MAJOR ${major} PARENT_SCOPE)
  set(CuDNNChecked_VERSION_MINOR ${minor} PARENT_SCOPE)
  set(CuDNNChecked_VERSION_PATCH ${patch} PARENT_SCOPE)
  unset(CuDNNChecked_VERSION_TWEAK PARENT_SCOPE)
  set(CuDNNChecked_VERSION_COUNT 3 PARENT_SCOPE)
  set(CuDNNChecked_LIBRARY_VERSION "${result_library_version}" PARENT_SCOPE)
  set(CuDNNChecked_LEVEL ${level} PARENT_SCOPE)
  set(CuDNNChecked_CUDA_VERSION "${cuda_version}" PARENT_SCOPE)
  set(CuDNNChecked_CUDART_VERSION "${result_cudart_version}" PARENT_SCOPE)
  set(CuDNNChecked_DRIVER_VERSION "${result_driver}" PARENT_SCOPE)
  set(CuDNNChecked_ARCHITECTURES "${result_architectures}" PARENT_SCOPE)
  set(CuDNNChecked_REPORT "${result_report}" PARENT_SCOPE)
  set(includes "${place_include}" ${cuda_include})
  list(REMOVE_DUPLICATES includes)
  set(CuDNNChecked_INCLUDE_DIRS "${includes}" PARENT_SCOPE)
  set(CuDNNChecked_LIBRARIES CuDNNChecked::cudnn PARENT_SCOPE)
  set(CuDNNChecked_PACKAGE_VERSION "${package_version}" PARENT_SCOPE)
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    _cudnn_checked_component_file(file ${component})
    set(found FALSE)
    if(NOT file STREQUAL "")
      set(found TRUE)
    endif()
    set(CuDNNChecked_${component}_FOUND ${found} PARENT_SCOPE)
  endforeach()
endfunction()
