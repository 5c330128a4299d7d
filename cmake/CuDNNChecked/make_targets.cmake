# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_make_targets()
#
# Makes the imported targets from place_* and cuda_* of the caller, once for a build tree.  They are
# SHARED with the versioned file as location, so that an install without libcudnn.so links (NVIDIA's
# wheels have none), and GLOBAL, so that every directory sees the same cuDNN.
function(_cudnn_checked_make_targets)
  if(TARGET CuDNNChecked::cudnn)
    return()
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_pinned "${place_prefix}")
  set(includes "${place_include}" ${cuda_include})
  list(REMOVE_DUPLICATES includes)
  _cudnn_checked_import(CuDNNChecked::cudnn "${place_library}" "${includes}")
  _cudnn_checked_import(CuDNNChecked::cudart "${cuda_library}" "${cuda_include}")

  set(all CuDNNChecked::cudnn)
  foreach(library IN LISTS place_sublibraries)
    string(REGEX REPLACE ".*/libcudnn_([a-z_]+)\\.so[0-9.]*$" "\\1" name "${library}")
    _cudnn_checked_import(CuDNNChecked::cudnn_${name} "${library}" "${includes}")
    list(APPEND all CuDNNChecked::cudnn_${name})
  endforeach()
  add_library(CuDNNChecked::cudnn_all INTERFACE IMPORTED GLOBAL)
  set_target_properties(CuDNNChecked::cudnn_all PROPERTIES INTERFACE_LINK_LIBRARIES "${all}")

  # A link library without a file: the headers of the guard and the stamp.
  add_library(CuDNNChecked::guard INTERFACE IMPORTED GLOBAL)
  set_target_properties(
    CuDNNChecked::guard
    PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${tool_directory}/guard/include;${work_directory}/include"
  )
endfunction()

function(_cudnn_checked_import target library includes)
  get_filename_component(soname "${library}" NAME)
  add_library(${target} SHARED IMPORTED GLOBAL)
  set_target_properties(
    ${target}
    PROPERTIES
      IMPORTED_LOCATION "${library}"
      IMPORTED_SONAME "${soname}"
      INTERFACE_INCLUDE_DIRECTORIES "${includes}"
  )
endfunction()
