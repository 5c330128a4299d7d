# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_find_opened(<prefix of cuDNN>)
#
# Puts cuda_opened: nothing, because a program that is linked with a DLL needs it in PATH all the
# same.
function(_cudnn_checked_find_opened prefix)
  _cudnn_checked_put(cuda_opened "")
endfunction()
