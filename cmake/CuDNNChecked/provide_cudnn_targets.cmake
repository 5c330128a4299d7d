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
  foreach(name IN LISTS names)
    if(TARGET CUDNN::${name})
      get_target_property(real CUDNN::${name} ALIASED_TARGET)
      if(NOT real STREQUAL "CuDNNChecked::${name}")
        get_target_property(location CUDNN::${name} IMPORTED_LOCATION)
        if(NOT location)
          set(location "CUDNN::${name}")
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
    if(TARGET CuDNNChecked::${name})
      add_library(CUDNN::${name} ALIAS CuDNNChecked::${name})
    endif()
  endforeach()
endfunction()
