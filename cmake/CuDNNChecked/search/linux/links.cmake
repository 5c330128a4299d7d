# SPDX-License-Identifier: BSD-3-Clause
#
# What the linker is given.

# _cudnn_checked_find_links(place cuda <again> input)
#
# Sets place_link, place_sublinks and cuda_link: what the linker is given, the libraries themselves.
# <again> is false.
function(_cudnn_checked_find_links place cuda again input)
  set(${again} FALSE PARENT_SCOPE)
  set(place_link "${place_library}" PARENT_SCOPE)
  set(place_sublinks "${place_sublibraries}" PARENT_SCOPE)
  set(cuda_link "${cuda_library}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_find_opened(<result> place cuda)
#
# The libraries of CUDA's wheels that this cuDNN opens by name when it computes,
# and that the loader would not find for it.  A program that is linked with them has them loaded
# when cuDNN asks, and what is loaded is found by its SONAME.  Nothing else a program brings helps:
# the libraries of cuDNN have a RUNPATH, so the loader obeys neither the RPATH nor the RUNPATH of
# the program for what they open (ld.so(8)).
#
# It costs time at every start (38 ms for NVRTC, 290 ms for cuBLAS 13), so it is only done where the
# run path of cuDNN does not lead there, which the configure program reads (docs/decisions.md).
function(_cudnn_checked_find_opened result place cuda)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_wheel_of(site major_of_cuda "${place_prefix}")
  if(NOT major_of_cuda)
    return()
  endif()
  # All that is linked of CUDA lies in one place.  The runtime is a toolkit's where the project
  # compiles CUDA; the directory of the wheels would bring a second one onto the run path.
  get_filename_component(toolkit "${cuda_library}" DIRECTORY)
  string(FIND "${toolkit}/" "${site}/" position)
  set(files "")
  set(names nvrtc cublasLt)
  set(folders cuda_nvrtc cublas)
  foreach(name folder IN ZIP_LISTS names folders)
    if(EXISTS "${site}/nvidia/cu${major_of_cuda}")
      set(folder cu${major_of_cuda})
    endif()
    set(directory "${site}/nvidia/${folder}/lib")
    if(NOT position EQUAL 0)
      set(directory "${toolkit}")
    endif()
    set(file "${directory}/lib${name}.so.${major_of_cuda}")
    _cudnn_checked_seen("${file}")
    if(EXISTS "${file}")
      list(APPEND files "${file}")
    endif()
  endforeach()
  if(files)
    _cudnn_checked_ask_opened(files ${position} "${place_library}" ${files})
  endif()
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# Those of the files that are needed, as the configure program says; where there is none, all.
function(_cudnn_checked_ask_opened result position library)
  set(${result} "${ARGN}" PARENT_SCOPE)
  set(words "library=${library}")
  _cudnn_checked_add_words(words file ${ARGN})
  if(NOT position EQUAL 0)
    list(APPEND words toolkit=yes)
  endif()
  _cudnn_checked_program_to_ask(program starter why judge)
  if(program)
    _cudnn_checked_start_configure(status text "${starter}" "${program}" opened ${words})
    if(status STREQUAL "0")
      string(REGEX MATCHALL "[^\n]+" files "${text}")
      set(${result} "${files}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
