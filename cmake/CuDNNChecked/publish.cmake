# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_publish(<key>)
#
# Makes the targets, and writes the answer to find_package down: the global properties
# _cudnn_checked_answer_<key>_<name> for the result variables CuDNNChecked_<name>, their names in
# _cudnn_checked_answer_<key>_names; outcome ("ok", "warning", "unknown" or "refused") and text,
# the messages to print; and stamp_*.  FindCuDNNChecked.cmake reads them.
function(_cudnn_checked_publish key)
  _cudnn_checked_get(refusal input place cuda result)
  set(answer _cudnn_checked_answer_${key})
  set(PACKAGE_VERSION "${package_version}")
  set(names PACKAGE_VERSION)
  if(refusal)
    set(outcome refused)
    set(text "${refusal}")
    foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
      set(${component}_FOUND FALSE)
      list(APPEND names ${component}_FOUND)
    endforeach()
  else()
    set(outcome "${result_verdict}")
    set(text "${result_line}")
    _cudnn_checked_make_targets()
    get_property(known DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
    if(known)
      list(REMOVE_ITEM place_watched ${known})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${place_watched})
    _cudnn_checked_remember_stamp()
    _cudnn_checked_get(stamp)
    _cudnn_checked_names(stamps stamp)
    foreach(name IN LISTS stamps)
      set_property(GLOBAL PROPERTY ${answer}_${name} "${${name}}")
    endforeach()
    string(REPLACE "." ";" parts "${place_version}")
    list(GET parts 0 VERSION_MAJOR)
    list(GET parts 1 VERSION_MINOR)
    list(GET parts 2 VERSION_PATCH)
    set(VERSION "${place_version}")
    set(VERSION_COUNT 3)
    string(TOUPPER "${result_level}" LEVEL)
    set(LIBRARY_VERSION "${result_library_version}")
    set(CUDA_VERSION "${cuda_version}")
    set(CUDART_VERSION "${result_cudart_version}")
    set(DRIVER_VERSION "${result_driver}")
    set(ARCHITECTURES "${result_architectures}")
    set(REPORT "${result_report}")
    set(INCLUDE_DIRS "${place_include}" ${cuda_include})
    list(REMOVE_DUPLICATES INCLUDE_DIRS)
    set(LIBRARIES CuDNNChecked::cudnn)
    list(
      APPEND
      names
      VERSION
      VERSION_MAJOR
      VERSION_MINOR
      VERSION_PATCH
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
    )
    foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
      _cudnn_checked_component_file(file ${component})
      set(${component}_FOUND FALSE)
      if(NOT file STREQUAL "")
        set(${component}_FOUND TRUE)
      endif()
      list(APPEND names ${component}_FOUND)
    endforeach()
  endif()
  foreach(name IN LISTS names)
    set_property(GLOBAL PROPERTY ${answer}_${name} "${${name}}")
  endforeach()
  set_property(GLOBAL PROPERTY ${answer}_names "${names}")
  set_property(GLOBAL PROPERTY ${answer}_outcome "${outcome}")
  set_property(GLOBAL PROPERTY ${answer}_text "${text}")
endfunction()
