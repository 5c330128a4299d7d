# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_provide_cudnn_targets(place cuda)
#
# Gives every CuDNNChecked::cudnn* the name that it has in NVIDIA's own CMake files, CUDNN::cudnn*.
# Puts refusal where another module has made such a target before.  They are aliases, so that a
# library that links one is exported under the name of the target itself.
function(_cudnn_checked_provide_cudnn_targets place cuda)
  _cudnn_checked_sub_names(names ${place_sublibraries})
  list(TRANSFORM names PREPEND cudnn_)
  list(PREPEND names cudnn cudnn_all)
  set(own "${place_library}" ${place_sublibraries})
  set(same FALSE)
  foreach(name IN LISTS names)
    if(NOT TARGET CUDNN::${name})
      continue()
    endif()
    get_target_property(real CUDNN::${name} ALIASED_TARGET)
    if(NOT real STREQUAL "CuDNNChecked::${name}")
      get_target_property(location CUDNN::${name} IMPORTED_LOCATION)
      if(location)
        # One file by another path is the same.
        _cudnn_checked_is_of_place(same "${location}" ${own})
      else()
        # CUDNN::cudnn_all has no file: it is as good as the shim's target.
        set(location "CUDNN::${name}")
      endif()
      if(NOT same)
        _cudnn_checked_other_target(CUDNN::${name} "${location}" "${place_library}")
        return()
      endif()
    endif()
  endforeach()
  _cudnn_checked_make_targets(place cuda)
  foreach(name IN LISTS names)
    if(TARGET CuDNNChecked::${name} AND NOT TARGET CUDNN::${name})
      add_library(CUDNN::${name} ALIAS CuDNNChecked::${name})
    endif()
  endforeach()
endfunction()

# _cudnn_checked_is_of_place(<result> <file> <own>...)
#
# Is the file one of the cuDNN's own, by whatever path, or the import library of one?
function(_cudnn_checked_is_of_place result file)
  set(${result} FALSE PARENT_SCOPE)
  get_filename_component(real "${file}" REALPATH)
  set(folders "")
  set(folder_of_real "")
  if(WIN32 AND real MATCHES "[.]lib$" AND NOT real MATCHES "_static[^/]*$" AND EXISTS "${real}")
    get_filename_component(folder_of_real "${real}" DIRECTORY)
    _cudnn_checked_load(search/windows/links)
  endif()
  foreach(own IN LISTS ARGN)
    get_filename_component(own "${own}" REALPATH)
    if(folder_of_real)
      get_filename_component(directory "${own}" DIRECTORY)
      _cudnn_checked_import_folders(folders "${directory}")
    endif()
    if(own STREQUAL real OR (folder_of_real AND "${folder_of_real}" IN_LIST folders))
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The message: the target is another module's, and its cuDNN is at <location>, not <library>.
function(_cudnn_checked_other_target target location library)
  _cudnn_checked_load(memory/seen search/files say/message)
  _cudnn_checked_refuse(
    SUMMARY "${target} exists already: another module has found a cuDNN"
    FACTS "there is|${location}|${target}"
          "asked for|${library}|CuDNNChecked_PROVIDE_CUDNN_TARGETS"
    BECAUSE "What links one name would use another cuDNN than what links the other."
    FIX "call find_package(CuDNNChecked) before that module"
        "@set CuDNNChecked_PROVIDE_CUDNN_TARGETS OFF"
  )
endfunction()
