# SPDX-License-Identifier: BSD-3-Clause
#
# The names that find modules of cuDNN have for what they find.

# _cudnn_checked_provided_names(<files> <others>)
#
# Rows of "X NAME": the variable of that name is what CuDNNChecked_X is.  <files> are those in which
# a person names a file, <others> what a find module sets besides.
function(_cudnn_checked_provided_names files others)
  _cudnn_checked_sub_libraries(sub_libraries)
  set(rows "")
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
