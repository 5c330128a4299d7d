# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_put(<name> <value>)
#
# Writes down a fact of the running find_package.  What each part finds out is written once, by the
# part that knows, and read by _cudnn_checked_get; it is a global property, so that no function in
# between has to pass it on.  The names, by group:
#   input_*    what was asked for (_cudnn_checked_read_inputs)
#   place_*    the cuDNN that was found (_cudnn_checked_find_cudnn)
#   cuda_*     the CUDA runtime that was found (_cudnn_checked_find_cuda)
#   result_*   what was proved (_cudnn_checked_prove)
#   refusal    the message, where something was refused; empty otherwise
function(_cudnn_checked_put name value)
  set_property(GLOBAL PROPERTY _cudnn_checked_${name} "${value}")
endfunction()
