# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_provide_cudnn_targets(<result>)
#
# Gives every CuDNNChecked::cudnn* the name that it has in NVIDIA's own CMake files, CUDNN::cudnn*.
# A message where another module has made such a target before, otherwise nothing.  They are aliases,
# so that a library that links one is exported under the name of the target itself.
function(_cudnn_checked_provide_cudnn_targets result)
  set(${result} "" PARENT_SCOPE)
  set(names cudnn cudnn_all)
  foreach(library IN LISTS place_sublibraries)
    string(REGEX REPLACE ".*/libcudnn_([a-z_]+)\\.so[0-9.]*$" "cudnn_\\1" name "${library}")
    list(APPEND names ${name})
  endforeach()
  set(files "")
  foreach(file IN LISTS place_library place_sublibraries)
    get_filename_component(file "${file}" REALPATH)
    list(APPEND files "${file}")
  endforeach()
  set(same FALSE)
  foreach(name IN LISTS names)
    if(TARGET CUDNN::${name})
      get_target_property(real CUDNN::${name} ALIASED_TARGET)
      if(NOT real STREQUAL "CuDNNChecked::${name}")
        get_target_property(location CUDNN::${name} IMPORTED_LOCATION)
        if(location)
          get_filename_component(file "${location}" REALPATH)
          set(same FALSE)
          if("${file}" IN_LIST files)
            set(same TRUE)
          endif()
        else()
          # CUDNN::cudnn_all has no file: it is as good as the shim's target.
          set(location "CUDNN::${name}")
        endif()
        if(same)
          # One file by another path.
          continue()
        endif()
        foreach(part IN ITEMS commands message on_path seen)
          include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${part}.cmake")
        endforeach()
        _cudnn_checked_set_command(off CuDNNChecked_PROVIDE_CUDNN_TARGETS OFF)
        _cudnn_checked_message(text NAME bad-input
          SUMMARY "CUDNN::${name} exists already: another module has found a cuDNN"
          FACTS "there is|${location}|CUDNN::${name}"
                "asked for|${place_library}|CuDNNChecked_PROVIDE_CUDNN_TARGETS"
          BECAUSE "What links one name would use another cuDNN than what links the other."
          FIX "call find_package(CuDNNChecked) before that module"
              "${off}"
        )
        set(${result} "${text}" PARENT_SCOPE)
        return()
      endif()
      list(REMOVE_ITEM names ${name})
    endif()
  endforeach()
  _cudnn_checked_make_targets()
  foreach(name IN LISTS names)
    if(TARGET CuDNNChecked::${name} AND NOT TARGET CUDNN::${name})
      add_library(CUDNN::${name} ALIAS CuDNNChecked::${name})
    endif()
  endforeach()
endfunction()
