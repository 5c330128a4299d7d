# SPDX-License-Identifier: BSD-3-Clause
#
# The variables in which projects look for what is known of cuDNN.

# _cudnn_checked_provided_names(<files> <others>)
#
# Rows of "X NAME": the variable of that name is what CuDNNChecked_X is.  <files> are what a project
# searches with find_path and find_library, <others> what a find module sets besides.
function(_cudnn_checked_provided_names files others)
  _cudnn_checked_sub_libraries(sub_libraries)
  # Of one project each: CUTLASS, TVM, darknet of hank-ai, Autoware.
  set(
    rows
    "INCLUDE_DIR _CUDNN_INCLUDE_DIR"
    "LIBRARY _CUDNN_LIBRARY"
    "INCLUDE_DIR CUDA_CUDNN_INCLUDE_DIRS"
    "LIBRARY CUDA_CUDNN_LIBRARY"
    "INCLUDE_DIR cudnn_include"
    "LIBRARY cudnn"
    "LIBRARY CUDNN"
  )
  set(more "")
  foreach(prefix IN ITEMS CUDNN cuDNN CuDNN cudnn)
    foreach(name IN ITEMS INCLUDE_DIR INCLUDE_DIRS INCLUDE_PATH INCLUDE)
      list(APPEND rows "INCLUDE_DIR ${prefix}_${name}")
    endforeach()
    foreach(name IN ITEMS LIBRARY LIBRARIES LIBRARY_PATH LINK_LIBRARY)
      list(APPEND rows "LIBRARY ${prefix}_${name}")
    endforeach()
    foreach(sub IN LISTS sub_libraries)
      string(TOUPPER "${sub}" upper)
      foreach(name IN ITEMS ${sub}_LIBRARY ${upper}_LIBRARY ${upper}_LINK_LIBRARY)
        list(APPEND rows "${sub}_LIBRARY ${prefix}_${name}")
      endforeach()
    endforeach()
    list(APPEND more "VERSION ${prefix}_VERSION" "VERSION ${prefix}_VERSION_STRING")
    foreach(part IN ITEMS MAJOR MINOR PATCH)
      foreach(name IN ITEMS VERSION_${part} ${part}_VERSION)
        list(APPEND more "VERSION_${part} ${prefix}_${name}")
      endforeach()
    endforeach()
    list(APPEND more "VERSION_PATCH ${prefix}_VERSION_PATCHLEVEL" "FOUND ${prefix}_FOUND")
  endforeach()
  set(${files} "${rows}" PARENT_SCOPE)
  set(${others} "${more}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_provided_targets(<result>)
#
# The targets that projects link, but for CUDNN::cudnn and its sub-libraries (cudnn_names.cmake).
function(_cudnn_checked_provided_targets result)
  set(${result} CuDNN::CuDNN cuDNN::cuDNN nvidia::cudnn PARENT_SCOPE)
endfunction()
