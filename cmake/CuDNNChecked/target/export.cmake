# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_export_call(arg)
#
# What cudnn_checked_export does once its arguments are parsed, arg_*.
function(_cudnn_checked_export_call arg)
  _cudnn_checked_check_export_call(arg)

  _cudnn_checked_get_stamp(input_package place_version cuda_version)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)" export_floor "${place_version}")
  set(export_major ${CMAKE_MATCH_1})
  math(EXPR export_ceiling "${export_major} + 1")
  string(REGEX MATCH "^[0-9]+" export_cuda "${cuda_version}")
  _cudnn_checked_export_places()
  set(export_components "")
  get_property(components GLOBAL PROPERTY _cudnn_checked_all_components)
  if(components)
    list(REMOVE_DUPLICATES components)
    list(JOIN components " " components)
    set(export_components " COMPONENTS ${components}")
  endif()
  set(file "${CMAKE_CURRENT_BINARY_DIR}/CuDNNCheckedDependency.cmake")
  _cudnn_checked_template(text dependency.cmake)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
  set(component "")
  if(DEFINED arg_COMPONENT)
    set(component COMPONENT "${arg_COMPONENT}")
  endif()
  install(FILES "${file}" DESTINATION "${arg_DESTINATION}" ${component})
endfunction()

# Sets in the caller what the template has of the table of places.
macro(_cudnn_checked_export_places)
  _cudnn_checked_searched(export_variables hint prefixes include python conda)
  _cudnn_checked_searched(export_includes include)
  _cudnn_checked_searched(export_cuda_variables cuda)
  set(export_cuda_directories ${export_cuda_variables})
  list(FILTER export_cuda_directories INCLUDE REGEX "^/")
  list(REMOVE_ITEM export_cuda_variables ${export_cuda_directories})
  _cudnn_checked_folders(export_wheels wheel)
  _cudnn_checked_folders(export_folders libraries)
  list(JOIN export_includes "|" export_includes)
  foreach(
    words
    IN
    ITEMS variables cuda_variables cuda_directories wheels folders
  )
    list(JOIN export_${words} " " export_${words})
  endforeach()
endmacro()

# Ends the configure where the arguments of the call are wrong.
function(_cudnn_checked_check_export_call arg)
  _cudnn_checked_load(target/arguments)
  _cudnn_checked_wrong_words(words arg DESTINATION COMPONENT)
  if(words STREQUAL "" AND NOT DEFINED arg_DESTINATION)
    _cudnn_checked_tell(words summary "DESTINATION is missing")
  endif()
  set(usage "cudnn_checked_export(DESTINATION <directory> [COMPONENT <component>])")
  _cudnn_checked_check_call(cudnn_checked_export "${usage}" "${words}")
endfunction()
