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
  set(of "")
  if(wanted)
    set(of " of CUDA ${wanted}")
  endif()
  _cudnn_checked_name_directory(toolkit CUDAToolkit_ROOT "include/cuda_runtime_api.h${of}")
  set(unset "")
  if(instructions)
    _cudnn_checked_unset_command(unset CUDAToolkit_ROOT)
    _cudnn_checked_add_words(words then "${unset}")
  endif()
  _cudnn_checked_add_words(words fix "${toolkit}")
  get_filename_component(folder "${place_prefix}" NAME)
  _cudnn_checked_advised_refusal(explain-runtime input
                                 "found=${place_version}" "header=${place_header}"
                                 "library=${place_library}" "site=${site}" "folder=${folder}"
                                 "cuda=${wanted}" ${words}
  )
  _cudnn_checked_return_if_refused()
  set(what "cuDNN ${place_version} was found, but no CUDA runtime to compile with")
  _cudnn_checked_plain_refusal("${what}")
endfunction()
