# SPDX-License-Identifier: BSD-3-Clause
#
# The variables in which projects look for what is known of cuDNN.

# _cudnn_checked_provided_names(<files> <others> <sub-library>...)
#
# Rows of "kind name": what the variable holds, and its name.  <files> are what a project searches
# with find_path and find_library, <others> what a find module sets besides.  The kinds are include,
# library, library_<sub-library>, and version, major, minor, patch and found.
function(_cudnn_checked_provided_names files others)
  # Of one project each: CUTLASS, TVM, darknet of hank-ai, Autoware.
  set(
    rows
    "include _CUDNN_INCLUDE_DIR"
    "library _CUDNN_LIBRARY"
    "include CUDA_CUDNN_INCLUDE_DIRS"
    "library CUDA_CUDNN_LIBRARY"
    "include cudnn_include"
    "library cudnn"
    "library CUDNN"
  )
  set(more "")
  foreach(prefix IN ITEMS CUDNN cuDNN CuDNN cudnn)
    foreach(name IN ITEMS INCLUDE_DIR INCLUDE_DIRS INCLUDE_PATH INCLUDE)
      list(APPEND rows "include ${prefix}_${name}")
    endforeach()
    foreach(name IN ITEMS LIBRARY LIBRARIES LIBRARY_PATH LINK_LIBRARY)
      list(APPEND rows "library ${prefix}_${name}")
    endforeach()
    foreach(sub IN LISTS ARGN)
      string(TOUPPER "${sub}" upper)
      foreach(name IN ITEMS ${sub}_LIBRARY ${upper}_LIBRARY ${upper}_LINK_LIBRARY)
        list(APPEND rows "library_${sub} ${prefix}_${name}")
      endforeach()
    endforeach()
    list(APPEND more "version ${prefix}_VERSION" "version ${prefix}_VERSION_STRING")
    foreach(part IN ITEMS MAJOR MINOR PATCH)
      string(TOLOWER "${part}" kind)
      list(APPEND more "${kind} ${prefix}_VERSION_${part}" "${kind} ${prefix}_${part}_VERSION")
    endforeach()
    list(APPEND more "patch ${prefix}_VERSION_PATCHLEVEL" "found ${prefix}_FOUND")
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
