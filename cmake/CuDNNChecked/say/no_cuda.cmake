# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_no_cuda(<site> <CUDA major> <instructions> <passed_places> place input)
#
# Refuses where no CUDA runtime is taken, from passed_*.  The configure program looks at the places
# again, says why each did not serve, and what to type.  <site> and <CUDA major> are those of the
# wheel of cuDNN (_cudnn_checked_wheel_of), <instructions> what CUDAToolkit_ROOT names.
function(
  _cudnn_checked_no_cuda
  site
  wanted
  instructions
  passed_places
  place
  input
)
  list(REMOVE_DUPLICATES passed_places)
  set(words "")
  _cudnn_checked_spelling("@")
  _cudnn_checked_add_words(words pattern ${files_of_cudart})
  list(APPEND words "shim=${name_of_cudart}" "names=${words_of_cudart}")
  set(index 0)
  foreach(entry IN LISTS passed_places)
    _cudnn_checked_words_of_place(words ${index} "${entry}")
    math(EXPR index "${index} + 1")
  endforeach()
  if(instructions)
    list(APPEND words named_toolkit=yes)
  endif()
  get_filename_component(folder "${place_prefix}" NAME)
  _cudnn_checked_advise("cuDNN ${place_version} was found, but no CUDA runtime to compile with"
    explain-runtime input "found=${place_version}" "header=${place_header}"
    "library=${place_library}" "site=${site}" "folder=${folder}" "cuda=${wanted}" ${words}
  )
endfunction()
