# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_links()
#
# Puts place_link, place_sublinks and cuda_link: what the linker is given, the libraries themselves.
function(_cudnn_checked_find_links)
  _cudnn_checked_get(place cuda)
  _cudnn_checked_put(place_link "${place_library}")
  _cudnn_checked_put(place_sublinks "${place_sublibraries}")
  _cudnn_checked_put(cuda_link "${cuda_library}")
endfunction()
