# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_unproved_result(<level> <reason>)
#
# Puts what is known where the probe was not run.
function(_cudnn_checked_unproved_result level reason)
  _cudnn_checked_put(result_level ${level})
  _cudnn_checked_put(result_verdict ok)
  _cudnn_checked_put(result_toolkit "${cuda_version}")
  set(line "cuDNN ${place_version} · CUDA ${cuda_version}, ${level} only")
  string(APPEND line "; nothing was run: ${reason} [not-verified]")
  get_property(guessed GLOBAL PROPERTY _cudnn_checked_guessed_headers)
  if("${place_header}" IN_LIST guessed)
    _cudnn_checked_one_line(place_header)
    string(
      APPEND
      line
      "\n  ${place_header} was read without a compiler, which may see another release"
    )
  endif()
  _cudnn_checked_put(result_line "${line}")
endfunction()
