# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_write_stamp_header()
#
# Writes <cudnn_checked/stamp.h>.  Where several find_package calls ask for different components, it
# names them all.  An unchanged header is not rewritten, so nothing is rebuilt.
function(_cudnn_checked_write_stamp_header)
  _cudnn_checked_get(stamp)
  get_property(stamp_components GLOBAL PROPERTY _cudnn_checked_all_components)
  list(REMOVE_DUPLICATES stamp_components)
  list(SORT stamp_components)
  string(REPLACE "." ";" parts "${stamp_header}")
  list(GET parts 0 major)
  list(GET parts 1 minor)
  list(GET parts 2 patch)
  # The encoding of CUDNN_VERSION: cuDNN 9 gave the minor release two more digits of room.
  set(scale 10000)
  if(major LESS 9)
    set(scale 1000)
  endif()
  math(EXPR stamp_number "${major} * ${scale} + ${minor} * 100 + ${patch}")
  configure_file(
    "${stamp_templates}/stamp.h.in"
    "${CMAKE_BINARY_DIR}/CuDNNChecked/include/cudnn_checked/stamp.h"
    @ONLY
  )
endfunction()
