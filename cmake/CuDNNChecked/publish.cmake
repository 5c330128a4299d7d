# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_publish(<answer>)
#
# Makes the targets, and writes the answer to find_package down from refusal, input_*, place_*,
# cuda_* and result_* of the caller: the global properties <answer>_<name> for the result variables
# CuDNNChecked_<name>, <answer>_components for the names of those that are about components,
# <answer>_outcome ("ok", "warning", "unknown" or "refused"), and <answer>_text, the message to
# print.  FindCuDNNChecked.cmake reads them.
function(_cudnn_checked_publish answer)
  set(published_PACKAGE_VERSION "${input_package}")
  if(NOT refusal AND CuDNNChecked_PROVIDE_CUDNN_TARGETS)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/provide_cudnn_targets.cmake")
    _cudnn_checked_provide_cudnn_targets(refusal)
  endif()
  if(refusal)
    set(outcome refused)
    set(text "${refusal}")
  else()
    set(outcome "${result_verdict}")
    set(text "${result_line}")
    _cudnn_checked_make_targets()
    get_property(known DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
    if(known)
      list(REMOVE_ITEM place_watched ${known})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${place_watched})
    _cudnn_checked_remember_stamp(${answer})
    set(published_FOUND TRUE)
    string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" published_VERSION "${place_version}")
    set(published_VERSION_MAJOR ${CMAKE_MATCH_1})
    set(published_VERSION_MINOR ${CMAKE_MATCH_2})
    set(published_VERSION_PATCH ${CMAKE_MATCH_3})
    set(published_VERSION_COUNT 3)
    string(TOUPPER "${result_level}" published_LEVEL)
    set(published_LIBRARY_VERSION "${result_library_version}")
    set(published_CUDA_VERSION "${cuda_version}")
    set(published_CUDART_VERSION "${result_cudart_version}")
    set(published_DRIVER_VERSION "${result_driver}")
    set(published_ARCHITECTURES "${result_architectures}")
    set(published_REPORT "${result_report}")
    set(published_INCLUDE_DIRS "${place_include}" ${cuda_include})
    list(REMOVE_DUPLICATES published_INCLUDE_DIRS)
    set(published_LIBRARIES CuDNNChecked::cudnn)
  endif()
  set(components "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    set(published_${component}_FOUND FALSE)
    if(NOT refusal)
      _cudnn_checked_component_file(file ${component})
      if(NOT file STREQUAL "")
        set(published_${component}_FOUND TRUE)
      endif()
    endif()
    list(APPEND components ${component}_FOUND)
  endforeach()
  _cudnn_checked_names(names published)
  foreach(name IN LISTS names components)
    if(DEFINED published_${name})
      set_property(GLOBAL PROPERTY ${answer}_${name} "${published_${name}}")
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY ${answer}_components "${components}")
  set_property(GLOBAL PROPERTY ${answer}_outcome "${outcome}")
  set_property(GLOBAL PROPERTY ${answer}_text "${text}")
endfunction()

# _cudnn_checked_make_targets()
#
# Makes the imported targets from place_* and cuda_* of the caller, once for a build tree.  They are
# SHARED with the versioned file as location, so that an install without libcudnn.so links (NVIDIA's
# wheels have none), and GLOBAL, so that every directory sees the same cuDNN.
function(_cudnn_checked_make_targets)
  if(TARGET CuDNNChecked::cudnn)
    # A package that was found before made them without a proof (see export.cmake).
    get_target_property(not_proved CuDNNChecked::cudnn _CUDNN_CHECKED_NOT_PROVED)
    if(NOT not_proved)
      return()
    endif()
    set_property(TARGET CuDNNChecked::cudnn PROPERTY _CUDNN_CHECKED_NOT_PROVED)
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_pinned "${place_prefix}")
  set(includes "${place_include}" ${cuda_include})
  # The stamp: <cudnn_checked/stamp.h>.
  list(APPEND includes "${work_directory}/include")
  list(REMOVE_DUPLICATES includes)
  _cudnn_checked_import(CuDNNChecked::cudnn "${place_library}" "${includes}")
  _cudnn_checked_import(CuDNNChecked::cudart "${cuda_library}" "${cuda_include}")
  if(cuda_opened)
    _cudnn_checked_link_options(options)
    set_target_properties(
      CuDNNChecked::cudnn
      PROPERTIES INTERFACE_LINK_LIBRARIES "${cuda_opened}" INTERFACE_LINK_OPTIONS "${options}"
    )
  endif()

  set(all CuDNNChecked::cudnn)
  foreach(library IN LISTS place_sublibraries)
    string(REGEX REPLACE ".*/libcudnn_([a-z_]+)\\.so[0-9.]*$" "\\1" name "${library}")
    _cudnn_checked_import(CuDNNChecked::cudnn_${name} "${library}" "${includes}")
    list(APPEND all CuDNNChecked::cudnn_${name})
  endforeach()
  _cudnn_checked_add_imported(CuDNNChecked::cudnn_all INTERFACE)
  set_target_properties(CuDNNChecked::cudnn_all PROPERTIES INTERFACE_LINK_LIBRARIES "${all}")

  # A link library without a file: the headers of the guard and the stamp.
  _cudnn_checked_add_imported(CuDNNChecked::guard INTERFACE)
  set_target_properties(
    CuDNNChecked::guard
    PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${tool_directory}/guard/include;${work_directory}/include"
  )
endfunction()

function(_cudnn_checked_import target library includes)
  get_filename_component(soname "${library}" NAME)
  _cudnn_checked_add_imported(${target} SHARED)
  set_target_properties(
    ${target}
    PROPERTIES
      IMPORTED_LOCATION "${library}"
      IMPORTED_SONAME "${soname}"
      INTERFACE_INCLUDE_DIRECTORIES "${includes}"
  )
endfunction()

# _cudnn_checked_link_options(<result>)
#
# What makes a program that calls nothing of the libraries of cuda_opened need them nevertheless, where
# the linker is told to leave such libraries out, as on Ubuntu.
function(_cudnn_checked_link_options result)
  set(options "")
  foreach(file IN LISTS cuda_opened)
    set(needed "LINKER:--push-state,--no-as-needed,${file},--pop-state")
    string(REPLACE "," "$<COMMA>" needed "${needed}")
    list(APPEND options "$<HOST_LINK:${needed}>")
  endforeach()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_add_imported target type)
  if(NOT TARGET ${target})
    add_library(${target} ${type} IMPORTED GLOBAL)
  endif()
endfunction()

# _cudnn_checked_component_file(<result> <component>)
#
# The library of a component in the place that was found, or nothing.  cuDNN 8 halves its
# sub-libraries into inference and training, and has the graph API in that of the convolutions.
function(_cudnn_checked_component_file result component)
  set(${result} "" PARENT_SCOPE)
  get_filename_component(directory "${place_library}" DIRECTORY)
  get_filename_component(name "${place_library}" NAME)
  string(REGEX REPLACE "^libcudnn" "" ending "${name}")
  set(roles ${component} ${component}_infer)
  if(component STREQUAL "graph" AND place_version MATCHES "^8\\.")
    list(APPEND roles cnn_infer)
  endif()
  foreach(role IN LISTS roles)
    if(EXISTS "${directory}/libcudnn_${role}${ending}")
      set(${result} "${directory}/libcudnn_${role}${ending}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
